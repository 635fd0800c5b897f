// scan: one step of a computation per element of a dimension, with carries from step to step.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/products/scan_eval.h"
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
     .doc = "The steps may be grouped in any way. XLA's parser takes it to be false when it is "
            "not given.",
     .default_text = "false",
     .always_printed = true},
    {"to_apply", AttrKind::kRegion, AttrUse::kRequired,
     "Takes a slice of each input and the carries, returns a slice of each output and the next "
     "carries."},
};

/// A shape without, or with, the dimension that is scanned.
Shape WithoutDim(const Shape& shape, int d) {
  Dims dims = shape.dims();
  dims.erase(dims.begin() + d);
  Shape result = Shape::Array(shape.element_type(), dims);
  for (int i = 0; i < result.rank(); ++i)
    result.set_dynamic(i, shape.is_dynamic(i < d ? i : i + 1));
  return result;
}
Shape WithDim(const Shape& shape, int d, int64_t size, bool dynamic) {
  Dims dims = shape.dims();
  dims.insert(dims.begin() + d, size);
  Shape result = Shape::Array(shape.element_type(), dims);
  for (int i = 0; i < shape.rank(); ++i) result.set_dynamic(i < d ? i : i + 1, shape.is_dynamic(i));
  if (dynamic) result.set_dynamic(d, true);
  return result;
}

std::vector<Shape> ElementsOf(const Shape& shape) {
  return shape.IsTuple() ? shape.elements() : std::vector<Shape>{shape};
}

/// The operands and results of a scan, by number.
struct ScanForm {
  int d = 0;        ///< the dimension that is scanned
  int inputs = 0;   ///< operands before the carries
  int outputs = 0;  ///< results before the carries
  int carries = 0;
  std::vector<Shape> roots;  ///< what the computation returns
};

bool FailScan(const OpCall& call, std::string_view attr, std::string_view message,
              Diagnostics& out) {
  ReportAttr(call, attr, DiagCode::kComputationSignature, message, out);
  return false;
}

/// XLA, hlo_verifier.cc, CheckScanOperandAndResultCounts.
bool CheckCounts(const OpCall& call, const ScanForm& form, int parameters, Diagnostics& out) {
  const int roots = static_cast<int>(form.roots.size());
  const int results = call.written() ? static_cast<int>(ElementsOf(*call.written()).size()) : roots;
  const auto fail = [&](std::string_view attr, std::string_view message) {
    return FailScan(call, attr, message, out);
  };
  if (call.operand_count() < form.carries) {
    return fail("num_carries", fmt::format("Scan instruction has {} carries, but only {} operands.",
                                           form.carries, call.operand_count()));
  }
  if (results < form.carries) {
    return fail("num_carries", fmt::format("Scan instruction has {} carries, but only {} results.",
                                           form.carries, results));
  }
  if (call.operand_count() == form.carries && results == form.carries) {
    return fail("num_carries", "Scan instruction has no inputs or outputs.");
  }
  if (call.operand_count() != parameters) {
    return fail("to_apply",
                fmt::format("Scan instruction has {} operands, but the to_apply computation has {} "
                            "parameters.",
                            call.operand_count(), parameters));
  }
  if (roots != results) {
    return fail("to_apply",
                fmt::format("Scan instruction has {} results, but the to_apply computation has {} "
                            "results.",
                            results, roots));
  }
  return true;
}

/// Equal except for layouts and, if mixed precision is allowed, the width of floats.
bool SameElements(const OpCall& call, const Shape& a, const Shape& b) {
  return Shape::Equal(a, b,
                      {.layout = false,
                       .dynamic = call.layout_sensitive(),
                       .float_width = !call.allow_mixed_precision()});
}

/// Checks that an input or output has the dimension, with the size common to all of them.
bool CheckScanned(const OpCall& call, const Shape& shape, std::string_view what, int i, int d,
                  std::optional<int64_t>* size, Diagnostics& out) {
  if (!shape.IsArray() || d >= shape.rank()) {
    return FailScan(call, "dimensions",
                    fmt::format("Scan dimension {} out of bounds for {} {}", d, what, i), out);
  }
  if (!*size) *size = shape.dim(d);
  if (shape.dim(d) == **size) return true;
  return FailScan(call, "dimensions",
                  fmt::format("Scan dimension {} has size {}, expected {}: {} {} is {}", d,
                              shape.dim(d), **size, what, i, ShapeName(shape)),
                  out);
}

bool CheckParameters(const OpCall& call, const ScanForm& form, const Region& body,
                     std::optional<int64_t>* size, Diagnostics& out) {
  for (int i = 0; i < call.operand_count(); ++i) {
    const bool is_input = i < form.inputs;
    if (is_input && !CheckScanned(call, call.operand(i), "operand", i, form.d, size, out)) {
      return false;
    }
    const Shape wanted = is_input ? WithoutDim(call.operand(i), form.d) : call.operand(i);
    if (SameElements(call, body.parameter_shape(i), wanted)) continue;
    return FailScan(call, "to_apply",
                    fmt::format("Shapes of operand {} and to_apply computation parameter are "
                                "inconsistent: {} and {}",
                                i, ShapeName(wanted), ShapeName(body.parameter_shape(i))),
                    out);
  }
  return true;
}

/// Checks that the body returns the carries it takes, and that its outputs are slices of the
/// written ones.
bool CheckResults(const OpCall& call, const ScanForm& form, const Region& body,
                  std::optional<int64_t>* size, Diagnostics& out) {
  for (int i = 0; i < form.carries; ++i) {
    const Shape& taken = body.parameter_shape(form.inputs + i);
    const Shape& handed_on = form.roots[static_cast<size_t>(form.outputs) + static_cast<size_t>(i)];
    if (SameElements(call, taken, handed_on)) continue;
    return FailScan(call, "to_apply",
                    fmt::format("Shapes of parameter {} and root in to_apply computation are "
                                "inconsistent: {} and {}",
                                i, ShapeName(taken), ShapeName(handed_on)),
                    out);
  }
  if (!call.written()) return true;
  const std::vector<Shape> results = ElementsOf(*call.written());
  for (int i = 0; i < static_cast<int>(results.size()); ++i) {
    const Shape& result = results[static_cast<size_t>(i)];
    const bool is_output = i < form.outputs;
    if (is_output && !CheckScanned(call, result, "result", i, form.d, size, out)) return false;
    const Shape wanted = is_output ? WithoutDim(result, form.d) : result;
    if (SameElements(call, form.roots[static_cast<size_t>(i)], wanted)) continue;
    return FailScan(
        call, "to_apply",
        fmt::format("Shapes of result {} and to_apply computation root are inconsistent: "
                    "{} and {}",
                    i, ShapeName(wanted), ShapeName(form.roots[static_cast<size_t>(i)])),
        out);
  }
  return true;
}

/// The inferred result if none is written.
std::optional<Shape> ScanResult(const OpCall& call, const ScanForm& form, int64_t size,
                                Diagnostics& out) {
  std::vector<Shape> results = form.roots;
  for (int i = 0; i < form.outputs; ++i) {
    Shape& result = results[static_cast<size_t>(i)];
    if (!result.IsArray() || form.d > result.rank()) {
      FailScan(call, "dimensions",
               fmt::format("Scan dimension {} out of bounds for result {}", form.d, i), out);
      return std::nullopt;
    }
    const bool dynamic = form.inputs > 0 && call.operand(0).is_dynamic(form.d);
    result = WithDim(result, form.d, size, dynamic);
  }
  return OneOrTuple(std::move(results));
}

/// XLA, hlo_verifier.cc, HandleScan.
std::optional<Shape> InferScan(const OpCall& call, Diagnostics& out) {
  const Region* body = call.GetRegion("to_apply");
  if (!CheckArrays(call, out) || !body) return std::nullopt;
  if (call.Ints("dimensions").size() != 1) {
    FailScan(call, "dimensions",
             fmt::format("Scan instruction has {} dimensions, expected exactly one.",
                         call.Ints("dimensions").size()),
             out);
    return std::nullopt;
  }
  const int64_t d = call.Ints("dimensions")[0];
  if (d < 0) {
    FailScan(call, "dimensions", fmt::format("Scan dimension {} should be non-negative", d), out);
    return std::nullopt;
  }
  ScanForm form;
  form.d = static_cast<int>(std::min<int64_t>(d, std::numeric_limits<int>::max()));
  const int64_t carries = call.Int("num_carries");
  if (carries < 0) {
    FailScan(call, "num_carries", fmt::format("must be 0 or more, but is {}", carries), out);
    return std::nullopt;
  }
  form.carries = static_cast<int>(std::min<int64_t>(carries, std::numeric_limits<int>::max()));
  form.roots = ElementsOf(body->result_shape());
  if (!CheckCounts(call, form, body->parameter_count(), out)) return std::nullopt;
  form.inputs = call.operand_count() - form.carries;
  form.outputs = static_cast<int>(form.roots.size()) - form.carries;
  std::optional<int64_t> size;
  if (form.outputs < 0 || !CheckParameters(call, form, *body, &size, out) ||
      !CheckResults(call, form, *body, &size, out)) {
    return std::nullopt;
  }
  if (call.written()) return *call.written();
  return ScanResult(call, form, size.value_or(0), out);
}

void VerifyScan(const OpCall& call, Diagnostics& out) {
  if (!call.layout_sensitive() || call.Bool("is_associative")) return;
  ReportAttr(call, "is_associative", DiagCode::kVerifierRule,
             "Non-associative scan reached layout-sensitive HloVerifier; it should have been "
             "expanded to a while loop by ScanExpander",
             out);
}

}  // namespace

namespace ops {

const OpDef kScan{
    .doc =
        "Iterates along a dimension: each step takes a slice of the inputs and the carries of the "
        "previous step, and gives a slice of the outputs.",
    .source = "XLA, shape_inference.cc, InferScanShape",
    .operands = kScanOperands,
    .types = kAllArrayTypes,
    .attrs = kScanAttrs,
    .infer = InferScan,
    .verify = VerifyScan,
    .enter = EnterScan,
    .any_precision = true,
    .keeps_layout = true,
    .loops = true,
};

}  // namespace ops
}  // namespace hlo
