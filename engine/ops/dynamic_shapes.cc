// Ops on dimensions whose size is known only when the program runs.
#include <fmt/format.h>

#include <limits>

#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

constexpr std::string_view kOperand[] = {"operand"};
constexpr std::string_view kOperandAndSize[] = {"operand", "size"};
constexpr AttrDef kDimensionAttrs[] = {
    {.name = "dimensions",
     .kind = AttrKind::kInts,
     .use = AttrUse::kRequired,
     .doc = "One dimension number.",
     .always_printed = true},
};

/// The one dimension of the attribute. Sizes are s32 values, so its bound is one too.
std::optional<int> CheckSizedDimension(const OpCall& call, Diagnostics& out) {
  if (!CheckArray(call, 0, out)) return std::nullopt;
  const Shape& operand = call.operand(0);
  std::optional<int> d = CheckOneDim(call, "dimensions", operand.rank(), "the operand", out);
  if (d && operand.dim(*d) > std::numeric_limits<int32_t>::max()) {
    ReportAttr(call, "dimensions", DiagCode::kDimensionNumbers,
               fmt::format("dimension {} has size {}, which does not fit s32", *d, operand.dim(*d)),
               out);
  }
  return d;
}

std::optional<Shape> InferGetDimensionSize(const OpCall& call, Diagnostics& out) {
  CheckSizedDimension(call, out);
  return Shape::Scalar(ElementType::kS32);
}

std::optional<Shape> InferSetDimensionSize(const OpCall& call, Diagnostics& out) {
  std::optional<int> d = CheckSizedDimension(call, out);
  CheckScalarOf(call, 1, ElementType::kS32, out);
  if (!d) return std::nullopt;
  Shape result = call.operand(0);
  result.set_dynamic(*d, true);
  return result;
}

// ---- dynamic-reshape ----------------------------------------------------------------------------

constexpr std::string_view kReshapeOperands[] = {"operand", "size"};

/// Nothing when a size is unbounded or the product does not fit.
std::optional<int64_t> BoundedCount(const Shape& shape) {
  for (int64_t d : shape.dims()) {
    if (d == Shape::kUnbounded) return std::nullopt;
  }
  return shape.element_count();
}

std::optional<Shape> InferDynamicReshape(const OpCall& call, Diagnostics& out) {
  if (!call.written() || !CheckArray(call, 0, out)) return std::nullopt;
  const Shape& result = *call.written();
  const Shape& operand = call.operand(0);
  if (!result.IsArray()) {
    ReportOp(call, DiagCode::kShapeInvalid,
             fmt::format("the result is an array, not {}", ShapeName(result)), out);
    return std::nullopt;
  }
  if (call.operand_count() != 1 + result.rank()) {
    ReportOp(call, DiagCode::kOperandCount,
             fmt::format("expects {} sizes, one per dimension of {}, found {}", result.rank(),
                         ShapeName(result), call.operand_count() - 1),
             out);
  }
  for (int i = 1; i < call.operand_count(); ++i) CheckScalarOf(call, i, ElementType::kS32, out);
  if (BoundedCount(operand) != BoundedCount(result)) {
    out.Report(DiagCode::kShapeMismatch, call.shape_range(),
               fmt::format("dynamic-reshape: expects the same number of elements in result shape "
                           "{} and operand shape {}",
                           ShapeName(result), ShapeName(operand)));
  }
  if (operand.element_type() == result.element_type()) return result;
  Shape expected = result;
  expected.set_element_type(operand.element_type());
  return expected;
}

}  // namespace

namespace ops {

const OpDef kGetDimensionSize{
    .doc = "The size of a dimension: of a dynamic one, its size in this run.",
    .source = "operation semantics, GetDimensionSize",
    .operands = kOperand,
    .types = "all array types; the result is s32[]",
    .attrs = kDimensionAttrs,
    .infer = InferGetDimensionSize,
};

const OpDef kSetDimensionSize{
    .doc =
        "Makes a dimension dynamic: the same data and bound, with the given size in this run. "
        "What lies beyond is padding.",
    .source = "operation semantics, SetDimensionSize",
    .differs =
        "Padding does not take part in reductions downstream, as the seed says; XLA's "
        "evaluator reads it. A size outside [0, bound] is an error here and undefined there.",
    .operands = kOperandAndSize,
    .types = "all array types and s32[]",
    .attrs = kDimensionAttrs,
    .infer = InferSetDimensionSize,
    .any_precision = true,
};

const OpDef kDynamicReshape{
    .doc = "Gives the elements, in row-major order, other dimensions whose sizes are operands.",
    .source = "reference 11.2, dynamic-reshape",
    .operands = kReshapeOperands,
    .types = "all array types, and one s32[] per dimension of the result",
    .result_shape = ResultShape::kWritten,
    .infer = InferDynamicReshape,
    .any_precision = true,
};

}  // namespace ops
}  // namespace hlo
