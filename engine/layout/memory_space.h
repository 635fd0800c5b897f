// The memories that a layout's S(n) names.
#ifndef HLO_ENGINE_LAYOUT_MEMORY_SPACE_H_
#define HLO_ENGINE_LAYOUT_MEMORY_SPACE_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace hlo {

/// A memory space whose number means the same on every device that has it. The others, S(3) and
/// S(6) and up, are device-specific. Source: XLA, shapes and layout, "Memory space identifiers";
/// xla/layout.h (0, 1 and 5); JAX, jax/_src/tpu_custom_call.py, MemorySpace (0, 1, 2, 4 and 5).
struct MemorySpace {
  int64_t number;
  std::string_view name;  ///< "HBM"
  std::string_view doc;   ///< What it is, a clause.
};

inline constexpr int64_t kVmemMemorySpace = 1;
inline constexpr int64_t kHostMemorySpace = 5;

/// "HBM", "VMEM", ...; "S(3)" for a device-specific one.
std::string MemorySpaceName(int64_t number);
/// "fast memory on the chip; the vector memory of a TPU"; "a device-specific memory".
std::string_view MemorySpaceDoc(int64_t number);

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_MEMORY_SPACE_H_
