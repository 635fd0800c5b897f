// sort, topk, scan.
#include <fmt/format.h>

#include <limits>

#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

// ---- sort ---------------------------------------------------------------------------------------

constexpr std::string_view kSortOperands[] = {"operand"};
constexpr AttrDef kSortAttrs[] = {
    {.name = "dimensions",
     .kind = AttrKind::kInts,
     .use = AttrUse::kRequired,
     .doc = "The one dimension along which lines are sorted.",
     .always_printed = true},
    {"is_stable", AttrKind::kBool, AttrUse::kOptional,
     "Elements of which neither comes before the other keep their order."},
    {"to_apply", AttrKind::kRegion, AttrUse::kRequired,
     "Takes two elements of each operand, (a0, b0, a1, b1, ...), and says whether the a's come "
     "before the b's."},
};

void CheckComparator(const OpCall& call, Diagnostics& out) {
  const Region* comparator = call.GetRegion("to_apply");
  if (!comparator) return;
  if (CheckParameterCount(call, "to_apply", *comparator, 2 * call.operand_count(), out)) {
    for (int i = 0; i < 2 * call.operand_count(); ++i) {
      Shape element = Shape::Scalar(call.operand(i / 2).element_type());
      CheckParameter(call, "to_apply", *comparator, i, element, out, /*any_float=*/true);
    }
  }
  CheckResult(call, "to_apply", *comparator, Shape::Scalar(ElementType::kPred), out);
}

std::optional<Shape> InferSort(const OpCall& call, Diagnostics& out) {
  if (!CheckArrays(call, out)) return std::nullopt;
  for (int i = 1; i < call.operand_count(); ++i) CheckSameDims(call, i, 0, out);
  CheckOneDim(call, "dimensions", call.operand(0).rank(), "operand 0", out);
  CheckComparator(call, out);
  std::vector<Shape> shapes;
  for (int i = 0; i < call.operand_count(); ++i) shapes.push_back(call.operand(i));
  return OneOrTuple(std::move(shapes));
}

// ---- topk ---------------------------------------------------------------------------------------

constexpr std::string_view kTopkOperands[] = {"operand"};
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
     .always_printed = true},
    {.name = "is_stable",
     .kind = AttrKind::kBool,
     .use = AttrUse::kOptional,
     .doc = "Of equal elements the one with the lower index comes first (the default).",
     .default_text = "true"},
};

std::optional<Shape> InferTopk(const OpCall& call, Diagnostics& out) {
  if (!CheckMinRank(call, 0, 1, out)) return std::nullopt;
  Shape values = call.operand(0);
  int last = values.rank() - 1;
  int64_t k = call.Int("k");
  if (k < 0 || (k > values.dim(last) && !values.is_unbounded(last))) {
    ReportAttr(call, "k", DiagCode::kAttributeValue,
               fmt::format("must be in [0, {}], the size of the last dimension, but is {}",
                           values.dim(last), k),
               out);
    return std::nullopt;
  }
  values.set_dim(last, k);
  values.set_dynamic(last, false);
  Shape indices = values;
  indices.set_element_type(ElementType::kS32);
  return Shape::Tuple({std::move(values), std::move(indices)});
}

// ---- scan ---------------------------------------------------------------------------------------

constexpr std::string_view kScanOperands[] = {"inputs, then carries"};
constexpr AttrDef kScanAttrs[] = {
    {.name = "dimensions",
     .kind = AttrKind::kInts,
     .use = AttrUse::kRequired,
     .doc = "The one dimension that is gone through, element by element.",
     .always_printed = true},
    {.name = "num_carries",
     .kind = AttrKind::kInt,
     .use = AttrUse::kRequired,
     .doc = "How many of the operands, the last ones, are what is carried from step to step.",
     .always_printed = true},
    {"is_reverse", AttrKind::kBool, AttrUse::kOptional, "Go from the end to the beginning."},
    {.name = "is_associative",
     .kind = AttrKind::kBool,
     .use = AttrUse::kOptional,
     .doc = "The steps may be grouped in any way. Not known when it is not given.",
     .always_printed = true},
    {"to_apply", AttrKind::kRegion, AttrUse::kRequired,
     "Takes a slice of each input and the carries, returns a slice of each output and the next "
     "carries."},
};

/// A shape without, or with, the dimension that is scanned.
Shape WithoutDim(const Shape& shape, int d) {
  Dims dims = shape.dims();
  dims.erase(dims.begin() + d);
  return Shape::Array(shape.element_type(), dims);
}
Shape WithDim(const Shape& shape, int d, int64_t size) {
  Dims dims = shape.dims();
  dims.insert(dims.begin() + d, size);
  return Shape::Array(shape.element_type(), dims);
}

/// The size of the scanned dimension, from the inputs or else from the written outputs.
int64_t ScanSize(const OpCall& call, int inputs, int d) {
  const Shape* shape = inputs > 0 ? &call.operand(0) : call.written();
  if (shape && shape->IsTuple() && !shape->elements().empty()) shape = &shape->elements()[0];
  return shape && shape->IsArray() && d < shape->rank() ? shape->dim(d) : 0;
}

bool CheckScanInputs(const OpCall& call, int inputs, int d, const Region& body, Diagnostics& out) {
  bool ok = CheckParameterCount(call, "to_apply", body, call.operand_count(), out);
  for (int i = 0; i < inputs; ++i) {
    const Shape& input = call.operand(i);
    if (d >= input.rank()) {
      ReportAttr(call, "dimensions", DiagCode::kDimensionNumbers,
                 fmt::format("dimension {} is out of range for {} (rank {})", d,
                             OperandName(call, i), input.rank()),
                 out);
      return false;
    }
    if (input.dim(d) != call.operand(0).dim(d)) {
      ReportOperand(call, i, DiagCode::kOperandInvalid,
                    fmt::format("all inputs have one size in dimension {}: {} and {}", d,
                                call.operand(0).dim(d), input.dim(d)),
                    out);
    }
    if (ok) CheckParameter(call, "to_apply", body, i, WithoutDim(input, d), out, true);
  }
  for (int i = inputs; ok && i < call.operand_count(); ++i) {
    CheckParameter(call, "to_apply", body, i, call.operand(i), out, true);
  }
  return true;
}

std::optional<Shape> InferScan(const OpCall& call, Diagnostics& out) {
  const Region* body = call.GetRegion("to_apply");
  if (!CheckArrays(call, out) || !body ||
      !CheckInt(call, "num_carries", 0, call.operand_count() + 1, out) ||
      !CheckDims(call, "dimensions", std::numeric_limits<int>::max(), "the inputs", {.count = 1},
                 out)) {
    return std::nullopt;
  }
  int d = static_cast<int>(call.Ints("dimensions")[0]);
  int carries = static_cast<int>(call.Int("num_carries"));
  int inputs = call.operand_count() - carries;
  if (!CheckScanInputs(call, inputs, d, *body, out)) return std::nullopt;
  const Shape& root = body->result_shape();
  std::vector<Shape> results;
  if (root.IsTuple()) {
    results = root.elements();
  } else {
    results.push_back(root);
  }
  int outputs = static_cast<int>(results.size()) - carries;
  if (outputs < 0 || (outputs == 0 && inputs == 0)) {
    ReportAttr(call, "to_apply", DiagCode::kComputationSignature,
               fmt::format("{} returns {}, which leaves {} outputs after {} carries",
                           body->region_name(), ShapeName(root), outputs, carries),
               out);
    return std::nullopt;
  }
  int64_t size = ScanSize(call, inputs, d);
  for (int i = 0; i < outputs; ++i) {
    Shape& result = results[static_cast<size_t>(i)];
    if (!result.IsArray() || d > result.rank()) {
      ReportAttr(call, "dimensions", DiagCode::kDimensionNumbers,
                 fmt::format("output {} of {} is {}, which cannot get a dimension {}", i,
                             body->region_name(), ShapeName(result), d),
                 out);
      return std::nullopt;
    }
    result = WithDim(result, d, size);
  }
  return OneOrTuple(std::move(results));
}

void VerifyScan(const OpCall& call, Diagnostics& out) {
  if (!call.layout_sensitive() || call.Bool("is_associative", true)) return;
  ReportAttr(call, "is_associative", DiagCode::kVerifierRule,
             "Non-associative scan reached layout-sensitive HloVerifier: XLA's ScanExpander turns "
             "it into a loop before layouts are chosen",
             out);
}

}  // namespace

namespace ops {

const OpDef kSort{
    .doc =
        "Sorts the lines along a dimension by a comparator; several operands are sorted "
        "together.",
    .source = "operation semantics, Sort",
    .differs = "Always stable, as XLA's evaluator; the seed asks for it only with is_stable.",
    .operands = kSortOperands,
    .types = "all array types",
    .attrs = kSortAttrs,
    .infer = InferSort,
    .any_precision = true,
    .keeps_layout = true,
};

const OpDef kTopk{
    .doc =
        "The k largest (or smallest) elements of each line of the last dimension, best first, "
        "and their indices.",
    .source = "reference 11.2 and semantics 3, topk",
    .operands = kTopkOperands,
    .types = "all array types",
    .attrs = kTopkAttrs,
    .infer = InferTopk,
};

const OpDef kScan{
    .doc =
        "Goes along a dimension step by step: each step takes a slice of the inputs and what "
        "the step before handed on, and gives a slice of the outputs.",
    .source = "reference 11.3 and semantics 3, scan",
    .operands = kScanOperands,
    .types = "all array types",
    .attrs = kScanAttrs,
    .infer = InferScan,
    .verify = VerifyScan,
    .any_precision = true,
};

}  // namespace ops
}  // namespace hlo
