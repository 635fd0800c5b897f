// Ops that slide a window over an array: reduce-window, select-and-scatter.
#include <fmt/format.h>

#include <vector>

#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

constexpr AttrDef kWindowAttr{
    "window", AttrKind::kWindow, AttrUse::kOptional,
    "Size, stride, padding and dilation per dimension; none for scalars."};

// ---- reduce-window ------------------------------------------------------------------------------

constexpr std::string_view kReduceOperands[] = {"input_or_init"};
constexpr AttrDef kReduceAttrs[] = {
    kWindowAttr,
    {"to_apply", AttrKind::kRegion, AttrUse::kRequired,
     "The reducer: N accumulators, then N elements; gives N new accumulators."},
};

std::optional<Shape> InferReduceWindow(const OpCall& call, Diagnostics& out) {
  int operands = call.operand_count();
  if (operands % 2 != 0) {
    ReportOp(call, DiagCode::kOperandCount,
             fmt::format("expects as many initial values as inputs, found {} operands", operands),
             out);
    return std::nullopt;
  }
  if (!CheckArrays(call, out)) return std::nullopt;
  int n = operands / 2;
  std::vector<const Shape*> inputs, inits;
  for (int i = 0; i < n; ++i) {
    if (i > 0) CheckSameDims(call, i, 0, out);
    inputs.push_back(&call.operand(i));
    inits.push_back(&call.operand(n + i));
  }
  CheckReducer(call, "to_apply", inputs, inits, out);
  std::vector<Shape> results;
  for (int i = 0; i < n; ++i) {
    std::optional<Shape> result = WindowOutputShape(call, call.operand(i), call.GetWindow(),
                                                    call.operand(n + i).element_type(), out);
    if (!result) return std::nullopt;
    results.push_back(std::move(*result));
  }
  const Region* region = call.GetRegion("to_apply");
  if (region && region->result_shape().IsTuple()) return Shape::Tuple(std::move(results));
  return OneOrTuple(std::move(results));
}

/// One application of the reducer per window position of every result element.
double FlopsOfReduceWindow(const OpCall& call) {
  const Shape& shape = call.shape();
  const Shape& part = shape.IsTuple() ? shape.elements()[0] : shape;
  double count = static_cast<double>(part.element_count());
  for (const WindowDim& w : call.GetWindow()) count *= static_cast<double>(w.size);
  return count;
}

// ---- select-and-scatter -------------------------------------------------------------------------

constexpr std::string_view kSelectOperands[] = {"operand", "source", "init"};
constexpr AttrDef kSelectAttrs[] = {
    kWindowAttr,
    {"select", AttrKind::kRegion, AttrUse::kRequired,
     "Whether the element picked so far stays, rather than the next one of the window."},
    {"scatter", AttrKind::kRegion, AttrUse::kRequired,
     "Combines the result so far at the picked place with the source element."},
};

void CheckSelect(const OpCall& call, Diagnostics& out) {
  const Region* select = call.GetRegion("select");
  if (!select || !CheckParameterCount(call, "select", *select, 2, out)) return;
  Shape element = Shape::Scalar(call.operand(0).element_type());
  for (int i = 0; i < 2; ++i) CheckParameter(call, "select", *select, i, element, out, true);
  CheckResult(call, "select", *select, Shape::Scalar(ElementType::kPred), out);
}

std::optional<Shape> InferSelectAndScatter(const OpCall& call, Diagnostics& out) {
  if (!CheckArrays(call, out)) return std::nullopt;
  const Shape& operand = call.operand(0);
  const Shape& source = call.operand(1);
  CheckSelect(call, out);
  const Shape* inputs[] = {&source};
  const Shape* inits[] = {&call.operand(2)};
  CheckReducer(call, "scatter", inputs, inits, out);
  std::optional<Shape> windows =
      WindowOutputShape(call, operand, call.GetWindow(), operand.element_type(), out);
  if (!windows) return std::nullopt;
  CheckOperandShape(call, 1, *windows, out);
  return operand;
}

}  // namespace

namespace ops {

const OpDef kReduceWindow{
    .doc =
        "Folds the elements in each position of a sliding window by a computation, beginning "
        "with an initial value.",
    .source = "operation semantics, ReduceWindow",
    .differs =
        "Padding holds the initial value, as the seed says; XLA's evaluator skips it. The "
        "two agree when the initial value changes nothing.",
    .operands = kReduceOperands,
    .types = "all array types",
    .attrs = kReduceAttrs,
    .infer = InferReduceWindow,
    .flops = FlopsOfReduceWindow,
    .keeps_layout = true,
};

const OpDef kSelectAndScatter{
    .doc =
        "In each position of a sliding window picks one element by `select`, and combines the "
        "source element of that position into the result at the picked place by `scatter`. "
        "The gradient of max pooling.",
    .source = "operation semantics, SelectAndScatter",
    .differs =
        "scatter gets (result so far, source), as the seed says; XLA's evaluator swaps "
        "them.",
    .operands = kSelectOperands,
    .types = "all array types",
    .attrs = kSelectAttrs,
    .infer = InferSelectAndScatter,
    .keeps_layout = true,
};

}  // namespace ops
}  // namespace hlo
