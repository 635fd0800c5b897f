// Evaluating an op on behalf of another instruction: for custom-call targets that XLA expands.
#ifndef HLO_ENGINE_OPS_CUSTOM_CALLS_CALL_AS_H_
#define HLO_ENGINE_OPS_CUSTOM_CALLS_CALL_AS_H_

#include <span>
#include <string_view>

#include "engine/ops/eval.h"
#include "engine/ops/named_attrs.h"
#include "engine/ops/op_call.h"

namespace hlo {

/// The value of `opcode` with these attributes on operands of these shapes, as part of the
/// instruction `call`. Throws RunError, with the message of the op's own checks, if it does not
/// take such operands or its result is not of shape `result`.
Value CallOp(Opcode opcode, const NamedAttrs& attrs, const OpCall& call,
             std::span<const Shape* const> shapes, std::span<Value> args, const Shape& result,
             EvalContext& context);

/// The same on the operands of `call`.
Value CallAs(Opcode opcode, const NamedAttrs& attrs, const OpCall& call, std::span<Value> args,
             const Shape& result, EvalContext& context);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_CUSTOM_CALLS_CALL_AS_H_
