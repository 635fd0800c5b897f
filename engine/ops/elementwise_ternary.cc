// Element-wise ops of three operands: select and clamp.
#include <fmt/format.h>

#include "engine/kernels/element_loop.h"
#include "engine/ops/elementwise.h"
#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

// Operand i is a scalar or has the dimensions of operand `like`.
bool CheckScalarOrSameDims(const OpCall& call, int i, int like, Diagnostics& out) {
  return call.operand(i).rank() == 0 || CheckSameDims(call, i, like, out);
}

// ---- select -------------------------------------------------------------------------------------

constexpr std::string_view kSelectOperands[] = {"pred", "on_true", "on_false"};

std::optional<Shape> InferSelect(const OpCall& call, Diagnostics& out) {
  bool ok = CheckType(call, 0, kPredTypes, out);
  ok &= CheckArrays(call, out, 1);
  if (!ok) return std::nullopt;
  ok = CheckSameType(call, 2, 1, out);
  ok &= CheckSameDims(call, 2, 1, out);
  ok &= CheckScalarOrSameDims(call, 0, 1, out);
  if (!ok) return std::nullopt;
  const Shape& on_true = call.operand(1);
  const Shape& on_false = call.operand(2);
  Shape result = on_true;
  result.set_element_type(HigherPrecision(on_true.element_type(), on_false.element_type()));
  for (int d = 0; d < result.rank(); ++d) {
    result.set_dynamic(d, on_true.is_dynamic(d) || on_false.is_dynamic(d));
  }
  return result;
}

ElementLoop LoopOfSelect(const OpCall& call) {
  return SelectLoop(
      HigherPrecision(call.operand(1).element_type(), call.operand(2).element_type()));
}

// ---- clamp --------------------------------------------------------------------------------------

constexpr std::string_view kClampOperands[] = {"min", "operand", "max"};
constexpr TypeSet kClampTypes = kPredTypes | kIntegerTypes | kFloatTypes;

std::optional<Shape> InferClamp(const OpCall& call, Diagnostics& out) {
  bool ok = true;
  for (int i = 0; i < 3; ++i) ok &= CheckType(call, i, kClampTypes, out);
  if (!ok) return std::nullopt;
  for (int i : {0, 2}) {
    ok &= CheckSameType(call, i, 1, out);
    ok &= CheckScalarOrSameDims(call, i, 1, out);
  }
  if (!ok) return std::nullopt;
  return call.operand(1);
}

ElementLoop LoopOfClamp(const OpCall& call) { return ClampLoop(call.operand(1).element_type()); }

}  // namespace

namespace ops {

constinit const OpDef kClamp{
    .doc =
        "min(max, max(operand, min)): where min is larger than max the result is max. The first "
        "NaN of min, operand, max is the result. The bounds may be scalars.",
    .source = "operation semantics, Clamp",
    .operands = kClampOperands,
    .types = TypesText(kClampTypes),
    .infer = InferClamp,
    .eval = EvalElementwise,
    .elementwise = true,
    .loop = LoopOfClamp,
};

constinit const OpDef kSelect{
    .doc =
        "on_true where pred is true, on_false elsewhere. A scalar pred chooses for all "
        "elements.",
    .source = "operation semantics, Select",
    .differs =
        "The operation semantics document allows tuples; XLA's verifier refuses them today, and "
        "so does this engine.",
    .operands = kSelectOperands,
    .types = TypesText(kAllTypes),
    .infer = InferSelect,
    .eval = EvalElementwise,
    .flops = NoFlops,
    .elementwise = true,
    .loop = LoopOfSelect,
};

}  // namespace ops
}  // namespace hlo
