// Numbers of bytes as people read them.
#ifndef HLO_ENGINE_BASE_BYTE_COUNT_H_
#define HLO_ENGINE_BASE_BYTE_COUNT_H_

#include <string>

namespace hlo {

/// A number of bytes in the unit that makes it short: 939524096 is "896 MiB".
std::string ByteCountText(double bytes);

}  // namespace hlo

#endif  // HLO_ENGINE_BASE_BYTE_COUNT_H_
