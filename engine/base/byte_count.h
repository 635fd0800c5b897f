// Numbers as people read them.
#ifndef HLO_ENGINE_BASE_BYTE_COUNT_H_
#define HLO_ENGINE_BASE_BYTE_COUNT_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace hlo {

/// A number of bytes in the unit that makes it short: 939524096 is "896 MiB".
std::string ByteCountText(double bytes);
/// A number of things: "1 replica", "2 replicas".
std::string Counted(int64_t n, std::string_view what);

}  // namespace hlo

#endif  // HLO_ENGINE_BASE_BYTE_COUNT_H_
