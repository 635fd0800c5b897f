// convolution.
#include "engine/ops/convolution.h"

#include <fmt/format.h>

#include <utility>

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

/// Every dimension has one label.
bool CheckLabels(const OpCall& call, const Labels& labels, int rank, Diagnostics& out) {
  Dims all = labels.spatial;
  all.push_back(labels.first);
  all.push_back(labels.second);
  for (int64_t d : labels.unknown) all.push_back(d);
  bool ok = static_cast<int>(all.size()) == rank;
  for (int d = 0; ok && d < rank; ++d) ok = Contains(all, d);
  if (ok) return true;
  ReportAttr(call, "dim_labels", DiagCode::kDimensionNumbers,
             fmt::format("the dimension numbers of the {} must be 0 to {}, each once, for its {} "
                         "dimensions",
                         labels.name, rank - 1, rank),
             out);
  return false;
}

/// Sizes by label, as the rule reads them.
struct Sizes {
  int64_t batch, features, kernel_inputs, kernel_outputs, feature_groups, batch_groups;
};

Sizes SizesOf(const OpCall& call) {
  const ConvDimLabels& labels = call.DimLabels();
  const Shape &lhs = call.operand(0), &rhs = call.operand(1);
  auto dim = [](const Shape& shape, int64_t d) { return shape.dim(static_cast<int>(d)); };
  return {dim(lhs, labels.input_batch),          dim(lhs, labels.input_feature),
          dim(rhs, labels.kernel_input_feature), dim(rhs, labels.kernel_output_feature),
          call.Int("feature_group_count", 1),    call.Int("batch_group_count", 1)};
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
      rank, out);
  ok &= CheckLabels(call,
                    {"rhs", labels.kernel_input_feature, labels.kernel_output_feature,
                     labels.kernel_spatial, labels.kernel_unknown},
                    rank, out);
  ok &= CheckLabels(call,
                    {"result", labels.output_batch, labels.output_feature, labels.output_spatial,
                     labels.output_unknown},
                    rank, out);
  return ok &&
         CheckWindow(call, call.GetWindow(), static_cast<int>(labels.input_spatial.size()), out);
}

bool CheckGroupCounts(const OpCall& call, const Sizes& sizes, Diagnostics& out) {
  bool ok = true;
  auto check = [&](std::string_view attr, int64_t count) {
    if (count >= 1) return;
    ReportAttr(call, attr, DiagCode::kAttributeValue,
               fmt::format("must be 1 or more, but is {}", count), out);
    ok = false;
  };
  check("feature_group_count", sizes.feature_groups);
  check("batch_group_count", sizes.batch_groups);
  if (ok && sizes.feature_groups > 1 && sizes.batch_groups > 1) {
    ReportAttr(call, "batch_group_count", DiagCode::kAttributeValue,
               fmt::format("both batch_group_count ({}) and feature_group_count ({}) are greater "
                           "than 1",
                           sizes.batch_groups, sizes.feature_groups),
               out);
    return false;
  }
  return ok;
}

void CheckFeatures(const OpCall& call, const Sizes& s, Diagnostics& out) {
  auto fail = [&](std::string message) {
    ReportAttr(call, "dim_labels", DiagCode::kDimensionNumbers, message, out);
  };
  auto divides = [&](std::string_view what, int64_t size, std::string_view count_name,
                     int64_t count) {
    if (size == Shape::kUnbounded || size % count == 0) return;
    fail(fmt::format("{} ({}) must be divisible by {} ({})", what, size, count_name, count));
  };
  divides("the input features", s.features, "feature_group_count", s.feature_groups);
  bool known = s.features != Shape::kUnbounded && s.kernel_inputs != Shape::kUnbounded;
  if (known && s.features / s.feature_groups != s.kernel_inputs) {
    fail(
        fmt::format("the input features ({}) divided by feature_group_count ({}) must be the "
                    "kernel's input features ({})",
                    s.features, s.feature_groups, s.kernel_inputs));
  }
  divides("the output features", s.kernel_outputs, "feature_group_count", s.feature_groups);
  divides("the output features", s.kernel_outputs, "batch_group_count", s.batch_groups);
  divides("the batch", s.batch, "batch_group_count", s.batch_groups);
}

/// The window has the sizes of the kernel.
bool CheckKernelSizes(const OpCall& call, Diagnostics& out) {
  const Window& window = call.GetWindow();
  const Dims& spatial = call.DimLabels().kernel_spatial;
  bool ok = true;
  for (size_t i = 0; i < spatial.size(); ++i) {
    int64_t size = call.operand(1).dim(static_cast<int>(spatial[i]));
    if (size == window[i].size || size == Shape::kUnbounded) continue;
    ok = false;
    ReportAttr(call, "window", DiagCode::kAttributeValue,
               fmt::format("window size {} in spatial dimension {} must be the kernel's {}",
                           window[i].size, i, size),
               out);
  }
  return ok;
}

std::optional<Shape> ResultOf(const OpCall& call, const Sizes& sizes, Diagnostics& out) {
  const ConvDimLabels& labels = call.DimLabels();
  const Shape& lhs = call.operand(0);
  Dims dims(static_cast<size_t>(lhs.rank()), 0);
  bool batch_known = sizes.batch != Shape::kUnbounded;
  dims[static_cast<size_t>(labels.output_batch)] =
      batch_known ? sizes.batch / sizes.batch_groups : sizes.batch;
  dims[static_cast<size_t>(labels.output_feature)] = sizes.kernel_outputs;
  for (size_t i = 0; i < labels.input_spatial.size(); ++i) {
    std::optional<int64_t> size =
        WindowOutputSize(lhs.dim(static_cast<int>(labels.input_spatial[i])), call.GetWindow()[i]);
    if (!size) {
      ReportAttr(call, "window", DiagCode::kShapeInvalid,
                 fmt::format("the padded size of spatial dimension {} does not fit 64 bits", i),
                 out);
      return std::nullopt;
    }
    dims[static_cast<size_t>(labels.output_spatial[i])] = *size;
  }
  const Shape* written = call.written();
  ElementType type = written && written->IsArray()
                         ? written->element_type()
                         : HigherPrecision(lhs.element_type(), call.operand(1).element_type());
  std::optional<Shape> result = CheckedArray(call, type, dims, out);
  if (!result) return std::nullopt;
  auto carry = [&](const Shape& from, int64_t d, int64_t to) {
    if (from.is_dynamic(static_cast<int>(d))) result->set_dynamic(static_cast<int>(to), true);
  };
  carry(lhs, labels.input_batch, labels.output_batch);
  carry(call.operand(1), labels.kernel_output_feature, labels.output_feature);
  for (size_t i = 0; i < labels.input_spatial.size(); ++i) {
    carry(lhs, labels.input_spatial[i], labels.output_spatial[i]);
  }
  return result;
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
  if (!CheckRanks(call, out)) return std::nullopt;
  Sizes sizes = SizesOf(call);
  if (!CheckGroupCounts(call, sizes, out)) return std::nullopt;
  // Sizes of operands that leave out zeros, and of gradients as backends write them, follow other
  // rules.
  int64_t kind = call.Word("convolution_kind");
  bool other_rules = sparse || kind == kWeightGradient || kind == kInputGradient;
  if (other_rules && call.written()) return *call.written();
  CheckFeatures(call, sizes, out);
  if (!CheckKernelSizes(call, out)) return std::nullopt;
  return ResultOf(call, sizes, out);
}

Value EvalConvolution(const OpCall& call, std::span<Value> args, EvalContext& context) {
  ConvolutionForm form{call.DimLabels(),
                       call.GetWindow(),
                       call.Int("feature_group_count", 1),
                       call.Int("batch_group_count", 1),
                       {}};
  return Convolve(std::move(args[0].tensor()), std::move(args[1].tensor()), form,
                  call.shape().element_type(), call.shape().dims(), context.budget());
}

/// A multiplication and an addition per result element, kernel position and input feature.
double FlopsOfConvolution(const OpCall& call) {
  double terms = static_cast<double>(call.shape().element_count()) *
                 static_cast<double>(SizesOf(call).kernel_inputs);
  for (const WindowDim& w : call.GetWindow()) terms *= static_cast<double>(w.size);
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
        "Integers saturate and the operands are converted to the result's type first, as in XLA's "
        "evaluator; the seed does not say. Sizes are not checked when convolution_kind is wgrad or "
        "dgrad, or with "
        "sparsity_config.",
    .operands = kOperands,
    .types = "all array types",
    .attrs = kAttrs,
    .infer = InferConvolution,
    .eval = EvalConvolution,
    .flops = FlopsOfConvolution,
};

}  // namespace ops
}  // namespace hlo
