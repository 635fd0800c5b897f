// How a sum of products is rounded.
#ifndef HLO_ENGINE_KERNELS_MULTIPLY_ADD_H_
#define HLO_ENGINE_KERNELS_MULTIPLY_ADD_H_

#include <cstdint>
#include <string_view>

namespace hlo {

/// A step of a sum of products of f32 or f64, as a setting of a run. Of other types - integers,
/// complex numbers - both are the same.
enum class MultiplyAdd : uint8_t {
  kSeparate,  ///< the product is rounded, then the sum
  kFused,     ///< the sum alone is rounded: fusedMultiplyAdd of IEEE 754
};

/// The one of this name: "separate" or "fused"; the first for other names, "" among them.
constexpr MultiplyAdd MultiplyAddNamed(std::string_view name) {
  return name == "fused" ? MultiplyAdd::kFused : MultiplyAdd::kSeparate;
}

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_MULTIPLY_ADD_H_
