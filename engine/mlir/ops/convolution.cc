// convolution.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "engine/mlir/ops/families.h"
#include "engine/mlir/text/mlir_text.h"

namespace hlo::mlir {
namespace {

// `[b, 0, 1, f]`: where the two letters and the spatial dimensions are.
bool ReadLabels(OpImport& op, const Attr& labels, char first, char second, int64_t* first_dim,
                int64_t* second_dim, Dims* spatial) {
  spatial->resize(labels.list.size() >= 2 ? labels.list.size() - 2 : 0, -1);
  int64_t position = 0;
  for (const Attr& label : labels.list) {
    if (label.kind == Attr::Kind::kInt) {
      if (label.integer < 0 || label.integer >= static_cast<int64_t>(spatial->size())) {
        return op.Fail(DiagCode::kDimensionNumbers, "spatial dimensions are 0, 1, ...",
                       label.range);
      }
      (*spatial)[static_cast<size_t>(label.integer)] = position;
    } else if (label.text.size() == 1 && label.text[0] == first) {
      *first_dim = position;
    } else if (label.text.size() == 1 && label.text[0] == second) {
      *second_dim = position;
    }
    ++position;
  }
  return true;
}

bool ReadConvLabels(OpImport& op, ConvDimLabels* out) {
  const Attr* attr = op.Find({"dim_numbers", "dimension_numbers"});
  if (attr && attr->kind == Attr::Kind::kDict && !attr->fields.empty()) {
    auto one = [&](std::string_view name) {
      const Attr* field = attr->Find(name);
      return field ? field->integer : 0;
    };
    auto ints = [&](std::string_view name) { return op.IntsOf(attr->Find(name)); };
    *out = {.input_batch = one("input_batch_dimension"),
            .input_feature = one("input_feature_dimension"),
            .kernel_input_feature = one("kernel_input_feature_dimension"),
            .kernel_output_feature = one("kernel_output_feature_dimension"),
            .output_batch = one("output_batch_dimension"),
            .output_feature = one("output_feature_dimension"),
            .input_spatial = ints("input_spatial_dimensions"),
            .kernel_spatial = ints("kernel_spatial_dimensions"),
            .output_spatial = ints("output_spatial_dimensions"),
            .input_unknown = {},
            .kernel_unknown = {},
            .output_unknown = {}};
    return true;
  }
  if (attr && attr->kind == Attr::Kind::kDict && attr->list.size() == 1) attr = &attr->list[0];
  if (!attr || attr->list.size() != 3) {
    return op.Fail(DiagCode::kAttributeMissing, "expects dim_numbers = [..]x[..]->[..]");
  }
  return ReadLabels(op, attr->list[0], 'b', 'f', &out->input_batch, &out->input_feature,
                    &out->input_spatial) &&
         ReadLabels(op, attr->list[1], 'i', 'o', &out->kernel_input_feature,
                    &out->kernel_output_feature, &out->kernel_spatial) &&
         ReadLabels(op, attr->list[2], 'b', 'f', &out->output_batch, &out->output_feature,
                    &out->output_spatial);
}

// Source: StableHLO, spec.md, convolution, C27; TypeInference.cpp, inferConvolutionOp, which lets
// floats of eight bits meet.
bool MayMeet(ElementType lhs, ElementType rhs) {
  const auto is_small = [](ElementType type) { return IsFloat(type) && BitsOf(type) == 8; };
  return lhs == rhs || (is_small(lhs) && is_small(rhs));
}

}  // namespace

void EmitConvolution(OpImport& op) {
  ConvDimLabels labels;
  if (!op.Expect(2) || !ReadConvLabels(op, &labels)) return;
  const Shape &lhs_shape = op.operands[0]->shape(), &rhs_shape = op.operands[1]->shape();
  const bool is_quantized = op.QuantizationOf(0) || op.QuantizationOf(1);
  if (!is_quantized && !MayMeet(lhs_shape.element_type(), rhs_shape.element_type())) {
    op.Fail(
        DiagCode::kElementType,
        fmt::format("lhs and rhs should be of one element type, not of {} and {}",
                    ElementText(lhs_shape.element_type()), ElementText(rhs_shape.element_type())));
    return;
  }
  // Source: StableHLO, spec.md, convolution, C29 and C30.
  const Quantization *rhs = op.QuantizationOf(1), *result = op.ResultQuantization();
  if ((rhs && rhs->axis >= 0 && rhs->axis != labels.kernel_output_feature) ||
      (result && result->axis >= 0 && result->axis != labels.output_feature)) {
    op.Fail(DiagCode::kElementType,
            "quantization dimensions of rhs and result should be those of the output features");
  }
  const Attr* pretty = op.Find({"window"});
  for (const Attr::Field& field : pretty ? pretty->fields : std::vector<Attr::Field>()) {
    constexpr std::string_view kKnown[] = {"stride", "pad", "lhs_dilate", "rhs_dilate", "reverse"};
    if (std::find(std::begin(kKnown), std::end(kKnown), field.name) != std::end(kKnown)) continue;
    op.Fail(DiagCode::kAttributeUnknown,
            fmt::format("a window has no '{}': expected one of: {}", field.name,
                        fmt::join(kKnown, ", ")),
            field.value.range);
    return;
  }
  const size_t rank = labels.kernel_spatial.size();
  auto list = [&](std::string_view name, std::string_view generic, size_t count,
                  int64_t otherwise) {
    const Attr* attr = op.Find({generic});
    if (const Attr* field = pretty && !attr ? pretty->Find(name) : nullptr) attr = field;
    const bool is_padding = generic == "padding";
    Dims ints = is_padding ? op.PairsOf(attr, Dims(count, otherwise))
                           : op.IntsOf(attr, Dims(count, otherwise));
    if (ints.size() != count) {
      op.Fail(DiagCode::kAttributeValue,
              fmt::format("{} has {} entries, not {}", name, ints.size(), count));
      ints.resize(count, otherwise);
    }
    return ints;
  };
  const Dims stride = list("stride", "window_strides", rank, 1);
  const Dims pad = list("pad", "padding", 2 * rank, 0);
  const Dims base = list("lhs_dilate", "lhs_dilation", rank, 1);
  const Dims dilation = list("rhs_dilate", "rhs_dilation", rank, 1);
  const Dims reversal = list("reverse", "window_reversal", rank, 0);
  const Shape& kernel = op.operands[1]->shape();
  Window window;
  for (size_t i = 0; i < rank; ++i) {
    const int64_t d = labels.kernel_spatial[i];
    if (d < 0 || d >= kernel.rank()) {
      op.Fail(DiagCode::kDimensionNumbers, "the kernel has no such dimension");
      return;
    }
    window.push_back({.size = kernel.dim(static_cast<int>(d)),
                      .stride = stride[i],
                      .pad_low = pad[2 * i],
                      .pad_high = pad[2 * i + 1],
                      .base_dilation = base[i],
                      .window_dilation = dilation[i],
                      .reversal = reversal[i] != 0});
  }
  Attrs attrs = {{"window", window},
                 {"dim_labels", labels},
                 {"feature_group_count", op.NeededInt({"feature_group_count"})},
                 {"batch_group_count", op.NeededInt({"batch_group_count"})}};
  AddPrecision(op, &attrs);
  ResultAsWritten(op, Opcode::kConvolution, std::move(attrs));
}

namespace {

std::string Label(int64_t position, int64_t first, char first_letter, int64_t second,
                  char second_letter, const Dims& spatial) {
  if (position == first) return std::string(1, first_letter);
  if (position == second) return std::string(1, second_letter);
  const auto at = std::find(spatial.begin(), spatial.end(), position);
  return at == spatial.end() ? "?" : std::to_string(at - spatial.begin());
}

std::string DimLabels(int64_t first, char first_letter, int64_t second, char second_letter,
                      const Dims& spatial) {
  std::string text = "[";
  for (int64_t i = 0; i < static_cast<int64_t>(spatial.size()) + 2; ++i) {
    if (i > 0) text += ", ";
    text += Label(i, first, first_letter, second, second_letter, spatial);
  }
  return text + "]";
}

std::string LabelsText(const ConvDimLabels& labels) {
  return DimLabels(labels.input_batch, 'b', labels.input_feature, 'f', labels.input_spatial) + "x" +
         DimLabels(labels.kernel_input_feature, 'i', labels.kernel_output_feature, 'o',
                   labels.kernel_spatial) +
         "->" +
         DimLabels(labels.output_batch, 'b', labels.output_feature, 'f', labels.output_spatial);
}

std::string WindowAttrs(const Window& window) {
  Dims strides, base, dilations;
  std::vector<Dims> padding;
  std::string reversal;
  for (const WindowDim& dim : window) {
    strides.push_back(dim.stride);
    base.push_back(dim.base_dilation);
    dilations.push_back(dim.window_dilation);
    padding.push_back({dim.pad_low, dim.pad_high});
    fmt::format_to(std::back_inserter(reversal), "{}{}", reversal.empty() ? ": " : ", ",
                   dim.reversal);
  }
  return fmt::format(
      "lhs_dilation = {}, padding = {}, rhs_dilation = {}, window_reversal = array<i1{}>, "
      "window_strides = {}",
      I64Array(base), DenseRows(padding, 2), I64Array(dilations), reversal, I64Array(strides));
}

// HLO multiplies in the wider of two types, into which every number of the other fits. Nothing for
// two types of which neither has all numbers of the other.
std::optional<std::vector<Ssa>> AlikeOperands(OpExport& op) {
  std::vector<Ssa> operands = op.Operands();
  const ElementType types[] = {op.op().operand(0)->shape().element_type(),
                               op.op().operand(1)->shape().element_type()};
  if (MayMeet(types[0], types[1])) return operands;
  const size_t narrow = BitsOf(types[0]) < BitsOf(types[1]) ? 0 : 1;
  const ElementType wide = types[1 - narrow];
  const bool is_contained = BitsOf(types[narrow]) < BitsOf(wide) &&
                            ClassOf(types[narrow]) == ClassOf(wide) && !IsComplex(wide) &&
                            (!IsFloat(wide) || BitsOf(wide) >= 32);
  if (!is_contained) return std::nullopt;
  const Shape& shape = op.op().operand(static_cast<int>(narrow))->shape();
  operands[narrow] = op.Make("stablehlo.convert", {operands[narrow]},
                             Shape::Array(wide, {shape.dims().begin(), shape.dims().end()}));
  return operands;
}

void WriteConvolution(OpExport& op) {
  const OpCall& call = op.call();
  const ConvDimLabels& labels = call.DimLabels();
  if (op.op().operand_count() != 2 || call.attrs().Has("sparsity_config")) {
    return op.NoCounterpart("operands that leave out zeros");
  }
  if (!labels.input_unknown.empty() || !labels.kernel_unknown.empty() ||
      !labels.output_unknown.empty()) {
    return op.NoCounterpart("dimensions without a meaning, written ?");
  }
  constexpr int64_t kForward = 1;
  if (call.attrs().Int("convolution_kind") > kForward) {
    return op.NoCounterpart("gradients by convolution_kind");
  }
  const auto operands = AlikeOperands(op);
  if (!operands) return op.NoCounterpart("two types of which neither has all numbers of the other");
  Window window = call.GetWindow();
  window.resize(labels.kernel_spatial.size());
  op.Set(op.Write({"stablehlo.convolution",
                   fmt::format("batch_group_count = {} : i64, dimension_numbers = "
                               "#stablehlo.conv<{}>, feature_group_count = {} : i64, {}, {}",
                               call.Int("batch_group_count", 1), LabelsText(labels),
                               call.Int("feature_group_count", 1), Precisions(op, "stablehlo"),
                               WindowAttrs(window))},
                  *operands));
}

constexpr OpRow kConvolutionRows[] = {
    {.name = "convolution",
     .opcode = Opcode::kConvolution,
     .form = {.items = "dim_numbers window",
              .sample = "(`%lhs`, `%rhs`) dim_numbers = [`b, 0, 1, f`]x[`0, 1, i, o`]->[`b, 0, "
                        "1, f`], window = {stride = [`1, 1`], pad = [`[0, 0], [0, 0]`]} "
                        "{batch_group_count = `1` : i64, feature_group_count = `1` : i64} : "
                        "(tensor<1x8x8x1xf32>, tensor<3x3x1x1xf32>) -> tensor<1x6x6x1xf32>",
              .print = PrintConvolution},
     .emit = EmitConvolution,
     .write = WriteConvolution,
     .mixing = Mixing::kAny,
     .quantized = Quantized::kPerAxis},
};

}  // namespace

std::span<const OpRow> ConvolutionRows() { return kConvolutionRows; }

}  // namespace hlo::mlir
