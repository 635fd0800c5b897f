// sort, topk.
#include "engine/ops/sorting/sorting.h"

#include <fmt/format.h>

#include <bit>

#include "engine/ops/control/region_signatures.h"
#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

// ---- sort ---------------------------------------------------------------------------------------

// "If no dimension number is provided, then the last dimension is chosen by default."
std::string LastDimension(const OpCall& call) {
  const bool has_dims = call.operand_count() > 0 && call.operand(0).rank() > 0;
  return has_dims ? fmt::format("{{{}}}", call.operand(0).rank() - 1) : "";
}

constexpr AttrDef kSortAttrs[] = {
    {.name = "dimensions",
     .kind = AttrKind::kInts,
     .use = AttrUse::kRequired,
     .doc = "The one dimension along which lines are sorted.",
     .always_printed = true,
     .documented = LastDimension},
    {"is_stable", AttrKind::kBool, AttrUse::kOptional,
     "Elements of which neither comes before the other keep their order."},
    {"to_apply", AttrKind::kRegion, AttrUse::kRequired,
     "Takes two elements of each operand, (a0, b0, a1, b1, ...), and says whether the a's come "
     "before the b's."},
};

void CheckComparator(const OpCall& call, Diagnostics& out) {
  const Region* comparator = call.GetRegion("to_apply");
  if (!comparator) return;
  auto fail = [&](std::string_view message) {
    ReportAttr(call, "to_apply", DiagCode::kComputationSignature, message, out);
  };
  if (!comparator->result_shape().IsScalarOf(ElementType::kPred)) {
    fail(
        fmt::format("The Sort compare computation shape does not lead to a scalar predicate "
                    "shape: {}",
                    ShapeName(comparator->result_shape())));
  }
  if (!CheckParameterCount(call, "to_apply", *comparator, 2 * call.operand_count(), out)) return;
  for (int i = 0; i < 2 * call.operand_count(); ++i) {
    const Shape element = Shape::Scalar(call.operand(i / 2).element_type());
    const Shape& parameter = comparator->parameter_shape(i);
    if (CompatibleUpToFloatWidth(element, parameter)) continue;
    fail(
        fmt::format("Expected the {}-th parameter of the compare computation of sort to have "
                    "shape {}, but got {}",
                    i, ShapeName(element), ShapeName(parameter)));
  }
}

std::optional<Shape> InferSort(const OpCall& call, Diagnostics& out) {
  if (!CheckArrays(call, out)) return std::nullopt;
  const Shape& first = call.operand(0);
  for (int i = 1; i < call.operand_count(); ++i) {
    if (SameDims(call.operand(i), first)) continue;
    ReportOperand(call, i, DiagCode::kOperandInvalid,
                  fmt::format("Expected sort to have to have the same dimensions for all operands. "
                              "First operand shape is: {}, shape (operand index {}) is: {}",
                              ShapeName(first), i, ShapeName(call.operand(i))),
                  out);
  }
  const Dims& dims = call.Ints("dimensions");
  if (dims.size() == 1 && dims[0] >= first.rank()) {
    ReportAttr(call, "dimensions", DiagCode::kDimensionNumbers,
               fmt::format("Expected the sort_dimension {} of sort to be smaller than the rank {} "
                           "of the operand(s).",
                           dims[0], first.rank()),
               out);
  } else {
    CheckOneDim(call, "dimensions", first.rank(), "operand 0", out);
  }
  CheckComparator(call, out);
  std::vector<Shape> shapes;
  for (int i = 0; i < call.operand_count(); ++i) shapes.push_back(call.operand(i));
  return OneOrTuple(std::move(shapes));
}

// ---- topk ---------------------------------------------------------------------------------------

constexpr AttrDef kTopkAttrs[] = {
    {.name = "k",
     .kind = AttrKind::kInt,
     .use = AttrUse::kRequired,
     .doc = "How many elements of each line are taken.",
     .always_printed = true},
    {.name = "largest",
     .kind = AttrKind::kBool,
     .use = AttrUse::kOptional,
     .doc = "Take the largest elements (the default); otherwise the smallest.",
     .default_text = "true",
     .always_printed = true},
    {.name = "is_stable",
     .kind = AttrKind::kBool,
     .use = AttrUse::kOptional,
     .doc = "Of equal elements the one with the lower index comes first (the default).",
     .default_text = "true",
     .always_printed = true},
};

std::optional<Shape> InferTopk(const OpCall& call, Diagnostics& out) {
  if (!CheckMinRank(call, 0, 1, out)) return std::nullopt;
  Shape values = call.operand(0);
  int last = values.rank() - 1;
  int64_t k = call.Int("k");
  if (k < 0 || (k > values.dim(last) && !values.is_unbounded(last))) {
    ReportAttr(call, "k", DiagCode::kAttributeValue,
               k < 0 ? fmt::format("k={} is negative", k)
                     : fmt::format("k={} is larger than the last dimension of size={}", k,
                                   values.dim(last)),
               out);
    return std::nullopt;
  }
  values.set_dim(last, k);
  values.set_dynamic(last, false);
  values.set_layout(Layout::Descending(values.rank()));
  Shape indices = values;
  indices.set_element_type(ElementType::kS32);
  return Shape::Tuple({std::move(values), std::move(indices)});
}

}  // namespace

namespace ops {

const OpDef kSort{
    .doc =
        "Sorts the lines along a dimension by a comparator; several operands are sorted "
        "together.",
    .source = "operation semantics, Sort",
    .differs =
        "Always stable, as XLA's evaluator; the operation semantics document asks for it only "
        "with is_stable. NaNs, which a plain LT or GT does not order, come last. A comparator "
        "that is no order gives some permutation.",
    .operands = kOperand,
    .types = kAllArrayTypes,
    .attrs = kSortAttrs,
    .infer = InferSort,
    .eval = EvalSort,
    .any_precision = true,
    .keeps_layout = true,
    .floats = FloatWidths::kAny,
    .signature = ComparatorSignature,
};

const OpDef kTopk{
    .doc =
        "The k largest (or smallest) elements of each line of the last dimension, best first, "
        "and their indices.",
    .source = "XLA, shape_inference.cc, InferTopKShape; topk_rewriter.cc",
    .operands = kOperand,
    .types = "pred, integers, floats",
    .attrs = kTopkAttrs,
    .infer = InferTopk,
    .eval = EvalTopk,
    .floats = FloatWidths::kOfOperands,
};

}  // namespace ops
}  // namespace hlo
