// A convolution as a product of matrices whose left side, the patches of the input, is never in
// memory.
#ifndef HLO_ENGINE_KERNELS_CONV_PRODUCT_H_
#define HLO_ENGINE_KERNELS_CONV_PRODUCT_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/base/budget.h"
#include "engine/kernels/conv_window.h"
#include "engine/kernels/ready_elements.h"
#include "engine/types/element_type.h"

namespace hlo {

/// One group of a convolution: out[o][j] = sum over taps and features c of in[position][c] *
/// kernel[tap * inputs + c][j], taps in row-major order, for all outputs o in row-major order. Rows
/// of the kernel and of the outputs are that many elements apart.
struct ConvGroup {
  int64_t inputs, outputs;  ///< features; at least 1 and 4
  const std::byte* in;      ///< the features at position 0
  const std::byte* kernel;
  int64_t kernel_step;
  std::byte* out;
  int64_t out_step;
};

/// Padding counts as zeros, which must not meet infinities. The budget is charged and polled, and
/// `ready` is told of outputs, as by MultiplyBlocks.
using ConvProduct = void (*)(std::span<const ConvDim> dims, const ConvGroup& group, Budget* budget,
                             MultiplyAdd step, const ElementsReady* ready);

/// The product for an accumulation type; null where there is none.
ConvProduct FindConvProduct(ElementType sum_type);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_CONV_PRODUCT_H_
