// Evaluation of the ops of sorting.cc.
#ifndef HLO_ENGINE_OPS_SORTING_SORTING_H_
#define HLO_ENGINE_OPS_SORTING_SORTING_H_

#include <span>

#include "engine/ops/eval.h"
#include "engine/ops/op_call.h"
#include "engine/types/tensor.h"

namespace hlo {

/// `OpDef::eval` of sort.
Value EvalSort(const OpCall& call, std::span<Value> args, EvalContext& context);

/// The best elements of each line of the last dimension, best first, and their indices (s32).
struct Topk {
  Tensor values, indices;
};
/// The k largest or smallest by the total order (of floats: total_order.h); among equal ones the
/// lower index comes first. k <= the size of the last dimension. The results have the run-time
/// sizes of the operand as their dimensions, and k as the last one; padding of the last dimension
/// comes after its live elements. Throws RunError(kNotExecutable) for complex numbers.
Topk FindTopk(const Tensor& operand, int64_t k, bool largest, Budget* budget);
/// `OpDef::eval` of topk.
Value EvalTopk(const OpCall& call, std::span<Value> args, EvalContext& context);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_SORTING_SORTING_H_
