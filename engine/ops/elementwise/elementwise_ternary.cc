// Ternary element-wise ops: select and clamp.
#include <fmt/format.h>

#include "engine/kernels/element_loop.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

// ---- select -------------------------------------------------------------------------------------

constexpr std::string_view kSelectOperands[] = {"pred", "on_true", "on_false"};

std::optional<Shape> InferSelect(const OpCall& call, Diagnostics& out) {
  if (!CheckArrays(call, out)) return std::nullopt;
  const Shape& pred = call.operand(0);
  const Shape& on_true = call.operand(1);
  const Shape& on_false = call.operand(2);
  bool ok = true;
  auto fail = [&](int i, const std::string& message) {
    ReportOperand(call, i, DiagCode::kOperandInvalid, message, out);
    ok = false;
  };
  if (!CompatibleUpToFloatWidth(on_true, on_false)) {
    fail(2, fmt::format("Operands to select must be the same shape; got {} and {}.",
                        ShapeName(on_true), ShapeName(on_false)));
  }
  if (pred.element_type() != ElementType::kPred) {
    fail(0, fmt::format("Select's pred operand must have PRED element type; got {}.",
                        ShapeName(pred)));
  }
  // Of both, because an unbounded one is compatible with every size of the other two.
  if (pred.rank() != 0 && ok && !(SameDims(pred, on_true) && SameDims(pred, on_false))) {
    fail(0, fmt::format(
                "Operands to select and predicate must be the same shape; got {} and {} and {}.",
                ShapeName(on_true), ShapeName(on_false), ShapeName(pred)));
  }
  if (!ok) return std::nullopt;
  const ElementType type = HigherPrecision(on_true.element_type(), on_false.element_type());
  Shape result = WithElementType(on_true, type);
  // In the order of the predicate, with the elements of the others.
  if (pred.rank() != 0 && !(pred.layout() == result.layout())) {
    const int64_t bits = result.layout().extras().element_bits;
    result.set_layout(WithOrder(pred.layout(), pred.layout().minor_to_major(), bits));
  }
  for (int d = 0; d < result.rank(); ++d) {
    MergeDim(result, on_false, d);
    const bool open = on_true.is_unbounded(d) || on_false.is_unbounded(d);
    if (!open && pred.rank() != 0 && pred.is_dynamic(d)) result.set_dynamic(d, true);
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
  if (!CheckArrays(call, out)) return std::nullopt;
  const Shape& operand = call.operand(1);
  // Bounds of unequal sizes could both be compatible with an unbounded operand.
  bool types = true;
  bool shapes = call.operand(0).rank() == 0 || call.operand(2).rank() == 0 ||
                SameDims(call.operand(0), call.operand(2));
  for (int i : {0, 2}) {
    const Shape& bound = call.operand(i);
    types &= SameTypeUpToFloatWidth(bound.element_type(), operand.element_type());
    shapes &= bound.rank() == 0 || SameDims(bound, operand);
  }
  auto fail = [&](std::string_view what) {
    ReportOp(
        call, DiagCode::kOperandInvalid,
        fmt::format("Clamp with incompatible {}: {}, {}, {}.", what, ShapeName(call.operand(0)),
                    ShapeName(operand), ShapeName(call.operand(2))),
        out);
  };
  if (!types) fail("element types");
  if (!shapes) fail("shapes");
  if (!types || !shapes) return std::nullopt;
  WarnOfNoMeaning(call, 1, kClampTypes, out);
  return operand;
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
    .carries = 2,
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
    .elementwise = true,
    .loop = LoopOfSelect,
    .carries = 6,
};

}  // namespace ops
}  // namespace hlo
