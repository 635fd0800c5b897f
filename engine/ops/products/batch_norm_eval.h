// Evaluation of the ops of batch_norm.cc, by the formulas of the operation semantics. Everything is
// computed in f64 (intermediate arrays are f32 if no operand is f64) and rounded once.
#ifndef HLO_ENGINE_OPS_PRODUCTS_BATCH_NORM_EVAL_H_
#define HLO_ENGINE_OPS_PRODUCTS_BATCH_NORM_EVAL_H_

#include <span>

#include "engine/ops/eval.h"
#include "engine/ops/op_call.h"
#include "engine/types/tensor.h"

namespace hlo {

/// `OpDef::eval` of the three ops.
Value EvalBatchNormTraining(const OpCall& call, std::span<Value> args, EvalContext& context);
Value EvalBatchNormInference(const OpCall& call, std::span<Value> args, EvalContext& context);
Value EvalBatchNormGrad(const OpCall& call, std::span<Value> args, EvalContext& context);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_PRODUCTS_BATCH_NORM_EVAL_H_
