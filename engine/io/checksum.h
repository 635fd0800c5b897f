// Checksums of bytes.
#ifndef HLO_ENGINE_IO_CHECKSUM_H_
#define HLO_ENGINE_IO_CHECKSUM_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace hlo {

/// CRC-32 as zip archives and zlib have it: the reflected polynomial of IEEE 802.3.
uint32_t Crc32(std::span<const std::byte> bytes);

}  // namespace hlo

#endif  // HLO_ENGINE_IO_CHECKSUM_H_
