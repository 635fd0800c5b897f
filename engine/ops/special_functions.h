// Element-wise functions that are no ops of HLO: custom-call targets that StableHLO's CHLO dialect
// names. Each is OpDef::eval of a custom-call, and throws RunError for operands it does not take.
#ifndef HLO_ENGINE_OPS_SPECIAL_FUNCTIONS_H_
#define HLO_ENGINE_OPS_SPECIAL_FUNCTIONS_H_

#include <span>

#include "engine/ops/eval.h"
#include "engine/ops/op_call.h"
#include "engine/types/tensor.h"

namespace hlo {

// Floats; computed in f64 and rounded once.
Value EvalDigamma(const OpCall& call, std::span<Value> args, EvalContext& context);
Value EvalErfInv(const OpCall& call, std::span<Value> args, EvalContext& context);
Value EvalErfc(const OpCall& call, std::span<Value> args, EvalContext& context);
Value EvalLgamma(const OpCall& call, std::span<Value> args, EvalContext& context);
// Floats to pred: of either sign, +inf, -inf.
Value EvalIsInf(const OpCall& call, std::span<Value> args, EvalContext& context);
Value EvalIsPosInf(const OpCall& call, std::span<Value> args, EvalContext& context);
Value EvalIsNegInf(const OpCall& call, std::span<Value> args, EvalContext& context);
/// Two operands of f64, f32, f16 or bf16: C's nextafter in that type.
Value EvalNextAfter(const OpCall& call, std::span<Value> args, EvalContext& context);

/// The functions on one number.
double Digamma(double x);
double ErfInv(double y);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_SPECIAL_FUNCTIONS_H_
