// The one place where the evaluation of an op is called, and where every value is looked at before
// anything else relies on it.
#ifndef HLO_ENGINE_OPS_EVALUATE_H_
#define HLO_ENGINE_OPS_EVALUATE_H_

#include <span>

#include "engine/ops/eval.h"
#include "engine/ops/float_widths.h"
#include "engine/ops/op_call.h"
#include "engine/types/shape.h"
#include "engine/types/tensor.h"

namespace hlo {

/// OpDef::eval of the call, of its mixed form where it has one (`mixed` may be null). Whoever keeps
/// the value checks it (CheckValue). Throws RunError.
Value EvaluateOp(const OpCall& call, const MixedCall* mixed, std::span<Value> args,
                 EvalContext& context);

/// The value has the shape's element type and dimensions, a buffer that holds them, and run-time
/// sizes inside of them; of a tuple, every element has (of tuples inside it: as many elements,
/// which were looked at when they were made). Throws RunError(kInternalFault) in all builds: what
/// relies on a value that is not what its instruction says would read or write beside its buffer.
void CheckValue(const Value& value, const Shape& shape);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_EVALUATE_H_
