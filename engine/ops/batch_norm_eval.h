// Evaluation of the ops of batch_norm.cc.
// Source: reference/semantics.md section 4; as XLA expands them, every operation rounds to the
// element type.
#ifndef HLO_ENGINE_OPS_BATCH_NORM_EVAL_H_
#define HLO_ENGINE_OPS_BATCH_NORM_EVAL_H_

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

#endif  // HLO_ENGINE_OPS_BATCH_NORM_EVAL_H_
