// The only place that calls the evaluation of an op, and that checks every value before anything
// else relies on it.
#ifndef HLO_ENGINE_OPS_EVALUATE_H_
#define HLO_ENGINE_OPS_EVALUATE_H_

#include <span>

#include "engine/ops/eval.h"
#include "engine/ops/float_widths.h"
#include "engine/ops/op_call.h"
#include "engine/types/shape.h"
#include "engine/types/tensor.h"

namespace hlo {

/// OpDef::eval of the call, or of its mixed-precision form if it has one (`mixed` may be null). The
/// caller checks the value (CheckValue) before it keeps it. Throws RunError.
Value EvaluateOp(const OpCall& call, const MixedCall* mixed, std::span<Value> args,
                 EvalContext& context);

/// Checks that the value has the shape's element type and dimensions, a buffer large enough for
/// them, and run-time sizes within them; for a tuple, that every element does (for nested tuples:
/// that the number of elements matches, since they were checked when they were made). Throws
/// RunError(kInternalFault) in all builds: code that relies on a value that does not match its
/// instruction would read or write outside its buffer.
void CheckValue(const Value& value, const Shape& shape);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_EVALUATE_H_
