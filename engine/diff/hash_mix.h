// One number made of several, so that different ones rarely give the same.
#ifndef HLO_ENGINE_DIFF_HASH_MIX_H_
#define HLO_ENGINE_DIFF_HASH_MIX_H_

#include <cstdint>

namespace hlo {

/// The order of what is mixed in counts.
inline uint64_t MixHash(uint64_t seed, uint64_t value) {
  seed ^= value + 0x9e3779b97f4a7c15u + (seed << 6) + (seed >> 2);
  seed *= 0xff51afd7ed558ccdu;
  return seed ^ (seed >> 33);
}

}  // namespace hlo

#endif  // HLO_ENGINE_DIFF_HASH_MIX_H_
