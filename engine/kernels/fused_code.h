// Code of the platform for the innermost loops of products whose steps are fused, where the
// compiler of the engine has none: in Wasm.
#ifndef HLO_ENGINE_KERNELS_FUSED_CODE_H_
#define HLO_ENGINE_KERNELS_FUSED_CODE_H_

#include <cstddef>
#include <cstdint>

namespace hlo {

/// What every function takes; those that need fewer ignore the rest.
inline constexpr uint32_t kFusedCodeParameters = 8;
/// Numbers and addresses, as loops of product_loops.h have them.
using FusedCode = void (*)(size_t, size_t, size_t, size_t, size_t, size_t, size_t, size_t);

/// Loops of product_loops.h for one type, without what does not fill vectors: columns, depth and
/// features are multiples of a vector's lanes.
struct FusedCodes {
  FusedCode add_to_block, add_eight_scaled_rows, add_scaled_row;
  FusedCode sum_eight_rows;  ///< the sums side by side, at the fifth parameter
  FusedCode add_features_of_four, add_features;
};
/// For float and for double, in this order: what a maker fills, function by function.
struct AllFusedCodes {
  FusedCodes of_float, of_double;
};

/// Makes the functions; false where the platform has no code for them. They need not be fused: that
/// is tried before they are used.
using FusedCodeMaker = bool (*)(AllFusedCodes* codes);
/// To be called before anything runs.
void SetFusedCodeMaker(FusedCodeMaker maker);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_FUSED_CODE_H_
