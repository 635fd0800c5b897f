// Evaluation of ragged-dot, and what its shape rule shares with it.
#ifndef HLO_ENGINE_OPS_PRODUCTS_RAGGED_H_
#define HLO_ENGINE_OPS_PRODUCTS_RAGGED_H_

#include <cstdint>

#include "engine/base/budget.h"
#include "engine/ops/op_call.h"
#include "engine/ops/products/contraction.h"
#include "engine/types/shape.h"
#include "engine/types/tensor.h"

namespace hlo {

/// Which kind of dimension of the lhs is ragged; this determines what a group is.
enum class RaggedMode : uint8_t { kFree, kContracting, kBatch };
RaggedMode RaggedModeOf(const DotDims& dims, int64_t ragged);

/// The dimensions of the lhs over which group sizes may vary: the batch dimensions and the free or
/// contracting ones before the ragged one; if a batch dimension is ragged, the batch dimensions
/// before it.
Dims RaggedPrefix(const DotDims& dims, int lhs_rank, int64_t ragged);

/// Dimensions of a ragged product: `group` is the dimension of the rhs with one entry per group,
/// for a free ragged dimension.
struct RaggedDims {
  DotDims dot;
  int64_t ragged = 0;
  int64_t group = -1;
};

/// The dimension numbers of a ragged-dot that was verified.
RaggedDims RaggedDimsOf(const OpCall& call);

/// The product, of shape `shape`, whose element type acts as in Contract. Group i takes the next
/// sizes[i] indices of the ragged dimension: with a free one they are multiplied by entry i of the
/// rhs, with a contracting one they are summed into entry i of the result's first dimension, with a
/// batch one they are computed. Results of indices in no group are zero. Negative sizes count as
/// zero, and sizes are clamped to the dimension.
/// Source: XLA, shape_inference.cc, InferRaggedDotOpShape.
Tensor RaggedContract(const Tensor& lhs, const Tensor& rhs, const Tensor& group_sizes,
                      const RaggedDims& dims, const Shape& shape, Budget* budget,
                      MultiplyAdd step = MultiplyAdd::kSeparate);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_PRODUCTS_RAGGED_H_
