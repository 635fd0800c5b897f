// convolution.
#include "engine/ops/windows/convolution.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/base/indices.h"
#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/products/precision.h"
#include "engine/ops/shape_checks.h"
#include "engine/ops/windows/convolution_forms.h"
#include "engine/ops/windows/convolution_sparsity.h"

namespace hlo {
namespace {

enum Kind : int64_t { kUnset, kForward, kWeightGradient, kInputGradient };
constexpr std::string_view kKinds[] = {"unset", "fprop", "wgrad", "dgrad"};
constexpr std::string_view kConvolutionOperands[] = {"lhs", "rhs", "metadata"};
constexpr AttrDef kConvolutionAttrs[] = {
    {"window", AttrKind::kWindow, AttrUse::kOptional,
     "How the kernel slides over the spatial dimensions of lhs."},
    {.name = "dim_labels",
     .kind = AttrKind::kDimLabels,
     .use = AttrUse::kRequired,
     .doc = "What each dimension of lhs, rhs and result is: b batch, f feature, i and o input and "
            "output feature of the kernel, digits spatial.",
     .always_printed = true},
    {.name = "feature_group_count",
     .kind = AttrKind::kInt,
     .use = AttrUse::kOptional,
     .doc = "Cut the input features into so many groups, each with kernels of its own.",
     .default_text = "1"},
    {.name = "batch_group_count",
     .kind = AttrKind::kInt,
     .use = AttrUse::kOptional,
     .doc = "Cut the batch into so many groups, each with kernels of its own.",
     .default_text = "1"},
    {.name = "convolution_kind",
     .kind = AttrKind::kWord,
     .use = AttrUse::kOptional,
     .doc = "Whether it is a forward convolution or a gradient, for backends.",
     .words = kKinds,
     .noun = "convolution kind",
     .default_text = "unset"},
    kOperandPrecisionAttr,
    kDotAlgorithmAttr,
    {"sparsity_config", AttrKind::kSparsity, AttrUse::kOptional,
     "Which operands leave out zeros, and where their positions are."},
    {"block_scaling_config", AttrKind::kBlockScaling, AttrUse::kOptional,
     "Which operands are stored in blocks with scales, and perhaps zero points, of their own, and "
     "which further operands these are. Not executed."},
};

/// The dimension labels of one of the three arrays.
struct ArrayLabels {
  std::string_view name;
  int64_t first;   // batch or input feature
  int64_t second;  // feature or output feature
  const Dims& spatial;
  const Dims& unknown;
};

/// Checks that every dimension has one label, and that unknown ones (`?`) have size 1.
bool CheckLabels(const OpCall& call, const ArrayLabels& labels, const Shape* shape, int rank,
                 Diagnostics& out) {
  Dims all = Joined(labels.spatial, labels.unknown);
  all.push_back(labels.first);
  all.push_back(labels.second);
  std::vector<int64_t> sorted(all.begin(), all.end());
  std::sort(sorted.begin(), sorted.end());
  if (!sorted.empty() && (sorted.front() < 0 || sorted.back() >= rank)) {
    return FailDims(call, "dim_labels", "A dimension number is out of range in convolution", out);
  }
  if (static_cast<int>(all.size()) != rank ||
      std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    return FailDims(
        call, "dim_labels",
        fmt::format(
            "{} dimensions of convolution must contain each dimension exactly once: 0 to {}",
            labels.name, rank - 1),
        out);
  }
  for (int64_t d : labels.unknown) {
    if (!shape || shape->dim(static_cast<int>(d)) == 1) continue;
    return FailDims(call, "dim_labels",
                    fmt::format("{} dimension {} is labelled `?` and must have size 1, not {}",
                                labels.name, d, shape->dim(static_cast<int>(d))),
                    out);
  }
  return true;
}

/// Checks that operands, result and window have as many dimensions as there are labels.
bool CheckRanks(const OpCall& call, Diagnostics& out) {
  const ConvDimLabels& labels = call.DimLabels();
  const Shape& lhs = call.operand(0);
  const Shape& rhs = call.operand(1);
  const size_t spatial = labels.input_spatial.size();
  if (spatial != labels.kernel_spatial.size()) {
    return FailDims(call, "dim_labels",
                    "Both arguments to convolution must have same number of dimensions.", out);
  }
  if (spatial != labels.output_spatial.size()) {
    return FailDims(call, "dim_labels",
                    "Both input and output of convolution must have same number of dimensions.",
                    out);
  }
  if (call.GetWindow().size() != spatial) {
    return FailDims(call, "window",
                    fmt::format("Window must have same number of dimensions as dimension numbers. "
                                "Window: {}, dimension numbers: {}",
                                call.GetWindow().size(), spatial),
                    out);
  }
  const int rank = static_cast<int>(spatial) + 2;
  const auto check = [&](int i, std::string_view side, size_t unknown) {
    const int wanted = rank + static_cast<int>(unknown);
    if (call.operand(i).rank() == wanted) return true;
    ReportOperand(call, i, DiagCode::kOperandInvalid,
                  fmt::format("The {} argument to a convolution should have rank {}; {}: {}.",
                              i == 0 ? "LHS" : "RHS", wanted, side, ShapeName(call.operand(i))),
                  out);
    return false;
  };
  if (!check(0, "lhs", labels.input_unknown.size()) ||
      !check(1, "rhs", labels.kernel_unknown.size())) {
    return false;
  }
  const int result_rank = rank + static_cast<int>(labels.output_unknown.size());
  return CheckLabels(call,
                     {"Input", labels.input_batch, labels.input_feature, labels.input_spatial,
                      labels.input_unknown},
                     &lhs, lhs.rank(), out) &&
         CheckLabels(call,
                     {"Window", labels.kernel_input_feature, labels.kernel_output_feature,
                      labels.kernel_spatial, labels.kernel_unknown},
                     &rhs, rhs.rank(), out) &&
         CheckLabels(call,
                     {"Output", labels.output_batch, labels.output_feature, labels.output_spatial,
                      labels.output_unknown},
                     nullptr, result_rank, out) &&
         CheckWindow(call, call.GetWindow(), static_cast<int>(spatial), out);
}

bool CheckGroupCounts(const OpCall& call, Diagnostics& out) {
  const int64_t features = call.Int("feature_group_count", 1);
  const int64_t batches = call.Int("batch_group_count", 1);
  const auto check = [&](std::string_view attr, int64_t count) {
    if (count >= 1) return true;
    ReportAttr(call, attr, DiagCode::kAttributeValue,
               fmt::format("{} must be a positive number, got {}", attr, count), out);
    return false;
  };
  if (!check("feature_group_count", features) || !check("batch_group_count", batches)) return false;
  if (features == 1 || batches == 1) return true;
  ReportAttr(call, "batch_group_count", DiagCode::kAttributeValue,
             fmt::format("both batch_group_count {} and feature_group_count {} cannot be greater "
                         "than 1",
                         batches, features),
             out);
  return false;
}

/// One interpretation of the attributes.
struct Reading {
  ConvolutionForm form;
  std::string_view words = {};  ///< what is said of a reading other than the plain one
};

int64_t SizeOf(const Shape& shape, int64_t d) { return shape.dim(static_cast<int>(d)); }

void CheckFeatures(const OpCall& call, const Reading& reading, Diagnostics& out) {
  const ConvDimLabels& l = reading.form.labels;
  const Shape& lhs = call.operand(0);
  const Shape& rhs = call.operand(1);
  const int64_t features = SizeOf(lhs, l.input_feature);
  const int64_t batch = SizeOf(lhs, l.input_batch);
  const int64_t kernel_inputs = SizeOf(rhs, l.kernel_input_feature);
  const int64_t outputs = SizeOf(rhs, l.kernel_output_feature);
  const int64_t feature_groups = reading.form.feature_groups;
  const int64_t batch_groups = reading.form.batch_groups;
  const auto fail = [&](std::string_view message) {
    FailDims(call, "dim_labels",
             fmt::format("{}; got <conv>({}, {}){}", message, ShapeName(lhs), ShapeName(rhs),
                         reading.words),
             out);
  };
  const auto divides = [](int64_t size, int64_t count) {
    return size == Shape::kUnbounded || size % count == 0;
  };
  if (!divides(outputs, batch_groups)) {
    fail(
        fmt::format("Expected output feature dimension size (value {}) to be a multiple of batch "
                    "group count {}",
                    outputs, batch_groups));
  }
  const bool known = features != Shape::kUnbounded && kernel_inputs != Shape::kUnbounded;
  if (!divides(features, feature_groups) || (known && features / feature_groups != kernel_inputs)) {
    fail(
        fmt::format("Expected LHS feature dimension (value {}) to be a multiple of "
                    "feature_group_count (value {}), and LHS feature dimension / "
                    "feature_group_count = RHS feature dimension (value {})",
                    features, feature_groups, kernel_inputs));
  }
  if (!divides(outputs, feature_groups)) {
    fail(
        fmt::format("Expected output feature dimension (value {}) to be divisible by "
                    "feature_group_count (value {})",
                    outputs, feature_groups));
  }
  if (!divides(batch, batch_groups)) {
    fail(
        fmt::format("Expected input batch dimension (value {}) to be divisible by "
                    "batch_group_count (value {})",
                    batch, batch_groups));
  }
}

/// Checks that the window has the sizes of the kernel.
bool CheckKernelSizes(const OpCall& call, const ConvolutionForm& form, Diagnostics& out) {
  const Dims& spatial = form.labels.kernel_spatial;
  bool ok = true;
  for (size_t i = 0; i < spatial.size(); ++i) {
    int64_t size = SizeOf(call.operand(1), spatial[i]);
    if (size == form.window[i].size || size == Shape::kUnbounded) continue;
    ok = false;
    ReportAttr(call, "window", DiagCode::kAttributeValue,
               fmt::format("Window dimensions do not match RHS shape: size {} in spatial dimension "
                           "{}, but RHS shape: {}",
                           form.window[i].size, i, ShapeName(call.operand(1))),
               out);
  }
  return ok;
}

void ReportSize(const OpCall& call, Diagnostics& out) {
  ReportAttr(call, "window", DiagCode::kShapeInvalid,
             "the padded size of a spatial dimension does not fit 64 bits", out);
}

std::optional<Shape> ConvolutionResult(const OpCall& call, const ConvolutionForm& form,
                                       Diagnostics& out) {
  const ConvDimLabels& labels = form.labels;
  const Shape &lhs = call.operand(0), &rhs = call.operand(1);
  // `?` stays 1.
  Dims dims(static_cast<size_t>(lhs.rank()), 1);
  const int64_t batch = SizeOf(lhs, labels.input_batch);
  dims[static_cast<size_t>(labels.output_batch)] =
      batch != Shape::kUnbounded ? batch / form.batch_groups : batch;
  dims[static_cast<size_t>(labels.output_feature)] = SizeOf(rhs, labels.kernel_output_feature);
  for (size_t i = 0; i < labels.input_spatial.size(); ++i) {
    std::optional<int64_t> size =
        WindowOutputSize(SizeOf(lhs, labels.input_spatial[i]), form.window[i]);
    if (!size) {
      ReportSize(call, out);
      return std::nullopt;
    }
    dims[static_cast<size_t>(labels.output_spatial[i])] = *size;
  }
  const Shape* written = call.written();
  ElementType type = written && written->IsArray()
                         ? written->element_type()
                         : HigherPrecision(lhs.element_type(), rhs.element_type());
  std::optional<Shape> result = CheckedArray(call, type, dims, out);
  if (!result) return std::nullopt;
  auto carry = [&](const Shape& from, int64_t d, int64_t to) {
    if (from.is_dynamic(static_cast<int>(d))) result->set_dynamic(static_cast<int>(to), true);
  };
  if (rhs.is_dynamic(static_cast<int>(labels.kernel_output_feature))) {
    ReportOperand(call, 1, DiagCode::kOperandInvalid,
                  fmt::format("Dynamic output feature dim on convolution kernel is not supported: "
                              "rhs shape is {}",
                              ShapeName(rhs)),
                  out);
  }
  carry(lhs, labels.input_batch, labels.output_batch);
  for (size_t i = 0; i < labels.input_spatial.size(); ++i) {
    carry(lhs, labels.input_spatial[i], labels.output_spatial[i]);
    carry(rhs, labels.kernel_spatial[i], labels.output_spatial[i]);
  }
  return result;
}

/// The shape inferred under an interpretation.
std::optional<Shape> ShapeOf(const OpCall& call, const Reading& reading, Diagnostics& out) {
  CheckFeatures(call, reading, out);
  if (!CheckKernelSizes(call, reading.form, out)) return std::nullopt;
  return ConvolutionResult(call, reading.form, out);
}

Reading ForwardReading(const OpCall& call) {
  return {{call.DimLabels(),
           call.GetWindow(),
           call.Int("feature_group_count", 1),
           call.Int("batch_group_count", 1),
           {}}};
}

/// As a gradient of the convolution that the attributes describe; nothing if sizes overflow.
std::optional<Reading> GradientReading(const OpCall& call) {
  const ConvolutionForm form = ForwardReading(call).form;
  const bool data = call.attrs().Int("convolution_kind") == kInputGradient;
  std::optional<ConvolutionForm> gradient =
      data ? DataGradient(form) : WeightGradient(form, call.operand(0), call.operand(1));
  if (!gradient) return std::nullopt;
  return Reading{*std::move(gradient),
                 data ? " as the gradient of the input" : " as the gradient of the kernel"};
}

/// Whether the interpretation is free of errors and gives the written shape.
bool Holds(const OpCall& call, const Reading& reading) {
  Diagnostics faults;
  std::optional<Shape> shape = ShapeOf(call, reading, faults);
  return shape && faults.empty() && call.written() && call.written()->IsArray() &&
         SameDims(*shape, *call.written());
}

/// Chooses the interpretation of the attributes. Gradients are written in two ways: with the
/// attributes of the convolution that they belong to, or, by backends, with those of the
/// convolution that computes them.
std::optional<Reading> ReadingOf(const OpCall& call) {
  Reading forward = ForwardReading(call);
  const int64_t kind = call.attrs().Int("convolution_kind");
  if (kind != kWeightGradient && kind != kInputGradient) return forward;
  std::optional<Reading> gradient = GradientReading(call);
  if ((!gradient || !Holds(call, *gradient)) && Holds(call, forward)) return forward;
  return gradient;
}

std::optional<Shape> InferConvolution(const OpCall& call, Diagnostics& out) {
  const bool sparse = call.Has("sparsity_config");
  const bool scaled = call.Has("block_scaling_config");
  if (sparse) CheckSparsity(call, out);
  if (scaled) CheckBlockScaling(call, out);
  if (!CheckArrays(call, out)) return std::nullopt;
  if (call.operand_count() > 2 && !sparse && !scaled) {
    ReportOp(
        call, DiagCode::kOperandCount,
        fmt::format("expects 2 operands without sparsity_config, found {}", call.operand_count()),
        out);
    return std::nullopt;
  }
  if (!CheckGroupCounts(call, out) || !CheckRanks(call, out)) return std::nullopt;
  // Sizes of sparse operands depend on their metadata.
  if (sparse && call.written()) return *call.written();
  std::optional<Reading> reading = ReadingOf(call);
  if (!reading) {
    ReportSize(call, out);
    return std::nullopt;
  }
  return ShapeOf(call, *reading, out);
}

}  // namespace

ConvolutionForm ForwardForm(const OpCall& call) { return ForwardReading(call).form; }

std::optional<ConvolutionForm> FormOfConvolution(const OpCall& call) {
  if (call.Has("block_scaling_config") || call.Has("sparsity_config")) return std::nullopt;
  const std::optional<Reading> reading = ReadingOf(call);
  return reading ? std::optional(reading->form) : std::nullopt;
}

namespace {

Value EvalConvolution(const OpCall& call, std::span<Value> args, EvalContext& context) {
  if (call.Has("block_scaling_config")) {
    throw RunError(DiagCode::kNotExecutable,
                   "block_scaling_config is read and checked, but not executed");
  }
  Tensor lhs = std::move(args[0].tensor()), rhs = std::move(args[1].tensor());
  const Dims& result = call.shape().dims();
  bool sparse = call.Has("sparsity_config");
  const ConvolutionForm form = sparse ? ForwardForm(call) : ReadingOf(call)->form;
  if (sparse) {
    FillSparseOperands(call, args, &lhs, &rhs, context.budget());
    CheckOperandSizes(form, lhs.dims(), rhs.dims(), result);
  }
  return Convolve(std::move(lhs), std::move(rhs), form, call.shape().element_type(), result,
                  context.budget(), context.multiply_add(), context.TakeResultPieces());
}

/// Spatial dimensions keep their sizes unless the kernel is a single element in all of them; so do
/// features and batches that are in groups.
void SizesOfConvolution(const OpCall& call, SizeRules& rules) {
  const Window& window = call.GetWindow();
  const bool plain = std::all_of(window.begin(), window.end(), [](const WindowDim& dim) {
    return dim == WindowDim{.reversal = dim.reversal};
  });
  if (plain && call.Int("feature_group_count", 1) == 1 && call.Int("batch_group_count", 1) == 1) {
    return;
  }
  rules.KeepAll(call.operand(0));
  rules.KeepAll(call.operand(1));
  rules.KeepAll(call.shape());
}

int64_t ConvolutionUnit(const OpCall& call) {
  const std::optional<ConvolutionForm> form = FormOfConvolution(call);
  return form ? UnitOfConvolution(call.operand(0), call.operand(1), call.shape(), *form) : 0;
}

}  // namespace

namespace ops {

const OpDef kConvolution{
    .doc =
        "Slides a kernel over the spatial dimensions of lhs; each result element is the sum of "
        "products of the kernel with what lies under it, over all input features. The kernel is "
        "not flipped unless the window says so.",
    .source = "operation semantics, Conv and ConvWithGeneralPadding",
    .differs =
        "Integers wrap, like dot's, where XLA's evaluator saturates them; the operands are "
        "converted to the result's type first, as there; the operation semantics document does "
        "not say. With convolution_kind wgrad or dgrad the attributes may be those of the "
        "convolution that the gradient belongs to, or those of the one that computes it: the "
        "first reading that gives the written shape counts. With sparsity_config sizes are "
        "checked when it runs. Dimensions labelled ? must have size 1; XLA refuses them.",
    .operands = kConvolutionOperands,
    .types = kAllArrayTypes,
    .attrs = kConvolutionAttrs,
    .infer = InferConvolution,
    .eval = EvalConvolution,
    .result_unit = ConvolutionUnit,
    .makes_new = true,
    .any_precision = true,
    .floats = FloatWidths::kAny,
    .sizes = SizesOfConvolution,
};

}  // namespace ops
}  // namespace hlo
