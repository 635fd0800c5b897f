// convolution.
#include "engine/ops/convolution.h"

#include <fmt/format.h>

#include <utility>

#include "engine/ops/convolution_forms.h"
#include "engine/ops/convolution_sparsity.h"
#include "engine/ops/op_def.h"
#include "engine/ops/precision.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

enum Kind : int64_t { kUnset, kForward, kWeightGradient, kInputGradient };
constexpr std::string_view kKinds[] = {"unset", "fprop", "wgrad", "dgrad"};
constexpr std::string_view kOperands[] = {"lhs", "rhs", "sparsity metadata"};
constexpr AttrDef kAttrs[] = {
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
    kOperandPrecisionAttr,
    kDotAlgorithmAttr,
    {.name = "convolution_kind",
     .kind = AttrKind::kWord,
     .use = AttrUse::kOptional,
     .doc = "Whether it is a forward convolution or a gradient, for backends.",
     .words = kKinds,
     .default_text = "unset"},
    {"sparsity_config", AttrKind::kRawBraces, AttrUse::kOptional,
     "Which operands leave out zeros, and where their positions are."},
};

/// The labels of one of the three arrays.
struct Labels {
  std::string_view name;
  int64_t first;   // batch or input feature
  int64_t second;  // feature or output feature
  const Dims& spatial;
  const Dims& unknown;
};

/// Every dimension has one label, and those that nobody knows (`?`) are of size 1.
bool CheckLabels(const OpCall& call, const Labels& labels, const Shape* shape, int rank,
                 Diagnostics& out) {
  Dims all = labels.spatial;
  all.push_back(labels.first);
  all.push_back(labels.second);
  for (int64_t d : labels.unknown) all.push_back(d);
  bool ok = static_cast<int>(all.size()) == rank;
  for (int d = 0; ok && d < rank; ++d) ok = Contains(all, d);
  if (!ok) {
    ReportAttr(call, "dim_labels", DiagCode::kDimensionNumbers,
               fmt::format("the dimension numbers of the {} must be 0 to {}, each once, for its {} "
                           "dimensions",
                           labels.name, rank - 1, rank),
               out);
    return false;
  }
  for (int64_t d : labels.unknown) {
    if (!shape || shape->dim(static_cast<int>(d)) == 1) continue;
    ReportAttr(call, "dim_labels", DiagCode::kDimensionNumbers,
               fmt::format("dimension {} of the {} is labelled `?` and must have size 1, not {}", d,
                           labels.name, shape->dim(static_cast<int>(d))),
               out);
    return false;
  }
  return true;
}

bool CheckRanks(const OpCall& call, Diagnostics& out) {
  const ConvDimLabels& labels = call.DimLabels();
  const Shape &lhs = call.operand(0), &rhs = call.operand(1);
  bool ok = true;
  if (lhs.rank() != rhs.rank()) {
    ReportOperand(
        call, 1, DiagCode::kOperandInvalid,
        fmt::format("lhs and rhs need one rank, but are {} and {}", ShapeName(lhs), ShapeName(rhs)),
        out);
    return false;
  }
  int rank = lhs.rank();
  ok &= CheckLabels(
      call,
      {"lhs", labels.input_batch, labels.input_feature, labels.input_spatial, labels.input_unknown},
      &lhs, rank, out);
  ok &= CheckLabels(call,
                    {"rhs", labels.kernel_input_feature, labels.kernel_output_feature,
                     labels.kernel_spatial, labels.kernel_unknown},
                    &rhs, rank, out);
  ok &= CheckLabels(call,
                    {"result", labels.output_batch, labels.output_feature, labels.output_spatial,
                     labels.output_unknown},
                    nullptr, rank, out);
  return ok &&
         CheckWindow(call, call.GetWindow(), static_cast<int>(labels.input_spatial.size()), out);
}

bool CheckGroupCounts(const OpCall& call, Diagnostics& out) {
  const int64_t features = call.Int("feature_group_count", 1);
  const int64_t batches = call.Int("batch_group_count", 1);
  bool ok = true;
  auto check = [&](std::string_view attr, int64_t count) {
    if (count >= 1) return;
    ReportAttr(call, attr, DiagCode::kAttributeValue,
               fmt::format("must be 1 or more, but is {}", count), out);
    ok = false;
  };
  check("feature_group_count", features);
  check("batch_group_count", batches);
  if (ok && features > 1 && batches > 1) {
    ReportAttr(call, "batch_group_count", DiagCode::kAttributeValue,
               fmt::format("both batch_group_count ({}) and feature_group_count ({}) are greater "
                           "than 1",
                           batches, features),
               out);
    return false;
  }
  return ok;
}

/// What the sizes that a rule is about are called.
struct SizeNames {
  std::string_view features, feature_groups, kernel_inputs;
  std::string_view outputs, batch, batch_groups;
};
constexpr SizeNames kForwardNames{
    "the input features",  "feature_group_count", "the kernel's input features",
    "the output features", "the batch",           "batch_group_count"};
constexpr SizeNames kDataNames{
    "the features of the gradient", "feature_group_count", "the kernel's output features",
    "the kernel's input features",  "the batch",           "batch_group_count"};
constexpr SizeNames kWeightNames{"the batch",
                                 "batch_group_count",
                                 "the batch of the gradient",
                                 "the features of the gradient",
                                 "the input features",
                                 "feature_group_count"};

/// One way to read the attributes.
struct Reading {
  ConvolutionForm form;
  const SizeNames* names;
};

int64_t SizeOf(const Shape& shape, int64_t d) { return shape.dim(static_cast<int>(d)); }

void CheckFeatures(const OpCall& call, const Reading& reading, Diagnostics& out) {
  const ConvDimLabels& l = reading.form.labels;
  const SizeNames& names = *reading.names;
  const int64_t features = SizeOf(call.operand(0), l.input_feature);
  const int64_t kernel_inputs = SizeOf(call.operand(1), l.kernel_input_feature);
  const int64_t outputs = SizeOf(call.operand(1), l.kernel_output_feature);
  const int64_t feature_groups = reading.form.feature_groups;
  const int64_t batch_groups = reading.form.batch_groups;
  auto fail = [&](std::string message) {
    ReportAttr(call, "dim_labels", DiagCode::kDimensionNumbers, message, out);
  };
  auto divides = [&](std::string_view what, int64_t size, std::string_view count_name,
                     int64_t count) {
    if (size == Shape::kUnbounded || size % count == 0) return;
    fail(fmt::format("{} ({}) must be divisible by {} ({})", what, size, count_name, count));
  };
  divides(names.features, features, names.feature_groups, feature_groups);
  bool known = features != Shape::kUnbounded && kernel_inputs != Shape::kUnbounded;
  if (known && features / feature_groups != kernel_inputs) {
    fail(fmt::format("{} ({}) divided by {} ({}) must be {} ({})", names.features, features,
                     names.feature_groups, feature_groups, names.kernel_inputs, kernel_inputs));
  }
  divides(names.outputs, outputs, names.feature_groups, feature_groups);
  divides(names.outputs, outputs, names.batch_groups, batch_groups);
  divides(names.batch, SizeOf(call.operand(0), l.input_batch), names.batch_groups, batch_groups);
}

/// The window has the sizes of the kernel.
bool CheckKernelSizes(const OpCall& call, const ConvolutionForm& form, Diagnostics& out) {
  const Dims& spatial = form.labels.kernel_spatial;
  bool ok = true;
  for (size_t i = 0; i < spatial.size(); ++i) {
    int64_t size = SizeOf(call.operand(1), spatial[i]);
    if (size == form.window[i].size || size == Shape::kUnbounded) continue;
    ok = false;
    ReportAttr(call, "window", DiagCode::kAttributeValue,
               fmt::format("window size {} in spatial dimension {} must be the kernel's {}",
                           form.window[i].size, i, size),
               out);
  }
  return ok;
}

void ReportSize(const OpCall& call, Diagnostics& out) {
  ReportAttr(call, "window", DiagCode::kShapeInvalid,
             "the padded size of a spatial dimension does not fit 64 bits", out);
}

std::optional<Shape> ResultOf(const OpCall& call, const ConvolutionForm& form, Diagnostics& out) {
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
  carry(lhs, labels.input_batch, labels.output_batch);
  carry(rhs, labels.kernel_output_feature, labels.output_feature);
  for (size_t i = 0; i < labels.input_spatial.size(); ++i) {
    carry(lhs, labels.input_spatial[i], labels.output_spatial[i]);
  }
  return result;
}

/// The shape that follows from a reading.
std::optional<Shape> ShapeOf(const OpCall& call, const Reading& reading, Diagnostics& out) {
  CheckFeatures(call, reading, out);
  if (!CheckKernelSizes(call, reading.form, out)) return std::nullopt;
  return ResultOf(call, reading.form, out);
}

Reading ForwardReading(const OpCall& call) {
  return {{call.DimLabels(),
           call.GetWindow(),
           call.Int("feature_group_count", 1),
           call.Int("batch_group_count", 1),
           {}},
          &kForwardNames};
}

/// As a gradient of the convolution that the attributes describe; nothing when sizes overflow.
std::optional<Reading> GradientReading(const OpCall& call) {
  const ConvolutionForm form = ForwardReading(call).form;
  const bool data = call.Word("convolution_kind") == kInputGradient;
  std::optional<ConvolutionForm> gradient =
      data ? DataGradient(form) : WeightGradient(form, call.operand(0), call.operand(1));
  if (!gradient) return std::nullopt;
  return Reading{*std::move(gradient), data ? &kDataNames : &kWeightNames};
}

/// The reading without faults gives the written shape.
bool Holds(const OpCall& call, const Reading& reading) {
  Diagnostics faults;
  std::optional<Shape> shape = ShapeOf(call, reading, faults);
  return shape && faults.empty() && call.written() && call.written()->IsArray() &&
         SameDims(*shape, *call.written());
}

/// How the attributes are meant. Gradients come in two ways: with the attributes of the convolution
/// that they belong to, or, as backends write them, of the one that computes them.
std::optional<Reading> ReadingOf(const OpCall& call) {
  Reading forward = ForwardReading(call);
  const int64_t kind = call.Word("convolution_kind");
  if (kind != kWeightGradient && kind != kInputGradient) return forward;
  std::optional<Reading> gradient = GradientReading(call);
  if ((!gradient || !Holds(call, *gradient)) && Holds(call, forward)) return forward;
  return gradient;
}

std::optional<Shape> InferConvolution(const OpCall& call, Diagnostics& out) {
  if (!CheckArrays(call, out)) return std::nullopt;
  bool sparse = call.Has("sparsity_config");
  if (call.operand_count() > 2 && !sparse) {
    ReportOp(
        call, DiagCode::kOperandCount,
        fmt::format("expects 2 operands without sparsity_config, found {}", call.operand_count()),
        out);
    return std::nullopt;
  }
  if (!CheckRanks(call, out) || !CheckGroupCounts(call, out)) return std::nullopt;
  // Sizes of operands that leave out zeros follow from metadata.
  if (sparse && call.written()) return *call.written();
  std::optional<Reading> reading = ReadingOf(call);
  if (!reading) {
    ReportSize(call, out);
    return std::nullopt;
  }
  return ShapeOf(call, *reading, out);
}

Value EvalConvolution(const OpCall& call, std::span<Value> args, EvalContext& context) {
  Tensor lhs = std::move(args[0].tensor()), rhs = std::move(args[1].tensor());
  const Dims& result = call.shape().dims();
  bool sparse = call.Has("sparsity_config");
  const ConvolutionForm form = sparse ? ForwardReading(call).form : ReadingOf(call)->form;
  if (sparse) {
    FillSparseOperands(call, args, &lhs, &rhs, context.budget());
    CheckOperandSizes(form, lhs.dims(), rhs.dims(), result);
  }
  return Convolve(std::move(lhs), std::move(rhs), form, call.shape().element_type(), result,
                  context.budget());
}

/// A multiplication and an addition per result element, kernel position and input feature.
double FlopsOfConvolution(const OpCall& call) {
  std::optional<Reading> reading = ReadingOf(call);
  if (!reading) return 0;
  double terms =
      static_cast<double>(call.shape().element_count()) *
      static_cast<double>(SizeOf(call.operand(1), reading->form.labels.kernel_input_feature));
  for (const WindowDim& w : reading->form.window) terms *= static_cast<double>(w.size);
  return 2 * terms;
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
    .operands = kOperands,
    .types = "all array types",
    .attrs = kAttrs,
    .infer = InferConvolution,
    .eval = EvalConvolution,
    .flops = FlopsOfConvolution,
};

}  // namespace ops
}  // namespace hlo
