// scan: a step of computation per element of a dimension, each handing something on to the next.
#include <fmt/format.h>

#include <limits>
#include <vector>

#include "engine/ops/op_def.h"
#include "engine/ops/scan_eval.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

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
Shape WithDim(const Shape& shape, int d, int64_t size, bool dynamic) {
  Dims dims = shape.dims();
  dims.insert(dims.begin() + d, size);
  Shape result = Shape::Array(shape.element_type(), dims);
  for (int i = 0; i < shape.rank(); ++i) result.set_dynamic(i < d ? i : i + 1, shape.is_dynamic(i));
  if (dynamic) result.set_dynamic(d, true);
  return result;
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

/// What the body hands on is what it takes.
void CheckCarries(const OpCall& call, const Region& body, const std::vector<Shape>& results,
                  int inputs, int outputs, Diagnostics& out) {
  for (int i = inputs; i < call.operand_count(); ++i) {
    const Shape& carry = results[static_cast<size_t>(outputs + i - inputs)];
    if (CompatibleUpToFloatWidth(carry, call.operand(i))) continue;
    ReportAttr(call, "to_apply", DiagCode::kComputationSignature,
               fmt::format("carry {} of {} is {}, but it starts as {}", i - inputs,
                           body.region_name(), ShapeName(carry), ShapeName(call.operand(i))),
               out);
  }
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
  CheckCarries(call, *body, results, inputs, outputs, out);
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
    result = WithDim(result, d, size, inputs > 0 && call.operand(0).is_dynamic(d));
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

const OpDef kScan{
    .doc =
        "Goes along a dimension step by step: each step takes a slice of the inputs and what "
        "the step before handed on, and gives a slice of the outputs.",
    .source = "XLA, shape_inference.cc, InferScanShape",
    .operands = kScanOperands,
    .types = "all array types",
    .attrs = kScanAttrs,
    .infer = InferScan,
    .verify = VerifyScan,
    .enter = EnterScan,
    .any_precision = true,
};

}  // namespace ops
}  // namespace hlo
