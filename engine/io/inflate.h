// Decompression of deflate data. Source: RFC 1951.
#ifndef HLO_ENGINE_IO_INFLATE_H_
#define HLO_ENGINE_IO_INFLATE_H_

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace hlo {

/// The bytes that are compressed, of which there must be exactly `size`; nothing for data that is
/// no deflate stream, or has another size. Never takes more memory than that. The caller has asked
/// the budget.
std::optional<std::vector<std::byte>> Inflate(std::span<const std::byte> data, size_t size);

}  // namespace hlo

#endif  // HLO_ENGINE_IO_INFLATE_H_
