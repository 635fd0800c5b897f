// Shared by the element-wise ops: their evaluation, by the op's loop, and the shape rules.
#ifndef HLO_ENGINE_OPS_ELEMENTWISE_ELEMENTWISE_H_
#define HLO_ENGINE_OPS_ELEMENTWISE_ELEMENTWISE_H_

#include <optional>
#include <span>
#include <string_view>

#include "engine/base/diagnostics.h"
#include "engine/kernels/element_loop.h"
#include "engine/ops/eval.h"
#include "engine/ops/op_call.h"
#include "engine/types/shape.h"
#include "engine/types/tensor.h"

namespace hlo {

/// `OpDef::eval` of every element-wise op: applies `OpDef::loop`. Works in place if an operand of
/// the same element width is not shared. Operands have the loop's types; scalar operands of array
/// operations (the bounds of clamp, the predicate of select) are broadcast. An element is live if
/// it is live in all other operands, of which one of two may be repeated (IsRepeated). Throws
/// RunError(kNotExecutable) if the op is not defined for the types.
Value EvalElementwise(const OpCall& call, std::span<Value> args, EvalContext& context);

/// Whether `operand` (0 or 1) of a binary op, whose run-time size in dimension d is 1, is repeated
/// along the other one, which has more. Both are arrays of the same rank.
/// Source: XLA, service/dynamic_padder.cc (RewriteDynamicBinaryOp).
bool IsRepeated(const OpCall& call, std::span<const Value> args, size_t operand, int d);

/// A set of element types in words, for `OpDef::types`.
constexpr std::string_view TypesText(TypeSet types) {
  switch (static_cast<int>(types)) {
    case kAllTypes:
      return "all element types";
    case kNumberTypes:
      return "integers, floats, complex";
    case kPredTypes | kIntegerTypes | kFloatTypes:
      return "pred, integers, floats";
    case kPredTypes | kIntegerTypes:
      return "pred, integers";
    case kIntegerTypes | kFloatTypes:
      return "integers, floats";
    case kSignedTypes | kFloatTypes | kComplexTypes:
      return "signed integers, floats, complex";
    case kFloatTypes | kComplexTypes:
      return "floats, complex";
    case kIntegerTypes:
      return "integers";
    case kFloatTypes:
      return "floats";
    default:
      return "";
  }
}

/// The element type of the result.
enum class ElementResult : uint8_t {
  kSame,
  kComponent,  ///< of a complex type its part
  kPred,
};

/// The result of a unary op: the operand's dimensions. Reports operands outside `types`.
std::optional<Shape> InferUnary(const OpCall& call, TypeSet types, ElementResult result,
                                Diagnostics& out);
/// The result of a binary op: the operands' dimensions, dynamic where one of them is, and the wider
/// of two float types. Like XLA's shape inference it broadcasts scalars and dimensions of size 1,
/// which VerifyElementwise refuses.
std::optional<Shape> InferBinary(const OpCall& call, TypeSet types, ElementResult result,
                                 Diagnostics& out);
/// Warns about operand i outside `types`, where XLA's shape inference accepts more than can run.
void WarnOfNoMeaning(const OpCall& call, int i, TypeSet types, Diagnostics& out);
/// `OpDef::verify` of binary ops: no implicit broadcast.
void VerifyBinary(const OpCall& call, Diagnostics& out);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_ELEMENTWISE_ELEMENTWISE_H_
