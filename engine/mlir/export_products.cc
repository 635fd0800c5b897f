// Products of arrays, gather, scatter.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/mlir/dot_algorithms.h"
#include "engine/mlir/export_rows.h"
#include "engine/mlir/scatter_windows.h"

namespace hlo::mlir {
namespace {

// `name = [0, 1]`, after a comma where there is something before.
void AppendList(std::string_view name, const Dims& dims, std::string* out) {
  if (out->back() != '<') *out += ", ";
  fmt::format_to(std::back_inserter(*out), "{} = [{}]", name, JoinDims(dims));
}

// The precision of both operands.
std::string Precisions(OpExport& op, std::string_view dialect) {
  constexpr std::string_view kWords[] = {"DEFAULT", "HIGH", "HIGHEST"};
  const Dims& chosen = op.call().Ints("operand_precision");
  std::string text;
  for (size_t i = 0; i < 2; ++i) {
    fmt::format_to(std::back_inserter(text), "{}#{}<precision {}>", i > 0 ? ", " : "", dialect,
                   kWords[i < chosen.size() ? static_cast<size_t>(chosen[i]) : 0]);
  }
  return "precision_config = [" + text + "]";
}

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

}  // namespace

void WriteDot(OpExport& op) {
  std::string numbers = "dot_dimension_numbers = #stablehlo.dot<";
  AppendList("lhs_batching_dimensions", op.call().Ints("lhs_batch_dims"), &numbers);
  AppendList("rhs_batching_dimensions", op.call().Ints("rhs_batch_dims"), &numbers);
  AppendList("lhs_contracting_dimensions", op.call().Ints("lhs_contracting_dims"), &numbers);
  AppendList("rhs_contracting_dimensions", op.call().Ints("rhs_contracting_dims"), &numbers);
  numbers += ">, " + Precisions(op, "stablehlo") + DotAlgorithmText(op.call().Word("algorithm"));
  op.Set(op.Write({"stablehlo.dot_general", std::move(numbers)}, op.Operands()));
}

void WriteRaggedDot(OpExport& op) {
  std::string numbers = "#chlo.ragged_dot<";
  AppendList("lhs_batching_dimensions", op.call().Ints("lhs_batch_dims"), &numbers);
  AppendList("rhs_batching_dimensions", op.call().Ints("rhs_batch_dims"), &numbers);
  AppendList("lhs_contracting_dimensions", op.call().Ints("lhs_contracting_dims"), &numbers);
  AppendList("rhs_contracting_dimensions", op.call().Ints("rhs_contracting_dims"), &numbers);
  AppendList("lhs_ragged_dimensions", op.call().Ints("lhs_ragged_dims"), &numbers);
  AppendList("rhs_group_dimensions", op.call().Ints("rhs_group_dims"), &numbers);
  op.Set(op.Write({"chlo.ragged_dot", fmt::format("{}, ragged_dot_dimension_numbers = {}>",
                                                  Precisions(op, "chlo"), numbers)},
                  op.Operands()));
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
  Window window = call.GetWindow();
  window.resize(labels.kernel_spatial.size());
  op.Set(op.Write({"stablehlo.convolution",
                   fmt::format("batch_group_count = {} : i64, dimension_numbers = "
                               "#stablehlo.conv<{}>, feature_group_count = {} : i64, {}, {}",
                               call.Int("batch_group_count", 1), LabelsText(labels),
                               call.Int("feature_group_count", 1), Precisions(op, "stablehlo"),
                               WindowAttrs(window))},
                  op.Operands()));
}

void WriteGather(OpExport& op) {
  const OpCall& call = op.call();
  std::string numbers = "#stablehlo.gather<";
  AppendList("offset_dims", call.Ints("offset_dims"), &numbers);
  AppendList("collapsed_slice_dims", call.Ints("collapsed_slice_dims"), &numbers);
  AppendList("operand_batching_dims", call.Ints("operand_batching_dims"), &numbers);
  AppendList("start_indices_batching_dims", call.Ints("start_indices_batching_dims"), &numbers);
  AppendList("start_index_map", call.Ints("start_index_map"), &numbers);
  op.Set(
      op.Write({"stablehlo.gather",
                fmt::format("dimension_numbers = {}, index_vector_dim = {}>, indices_are_sorted = "
                            "{}, slice_sizes = {}",
                            numbers, call.Int("index_vector_dim"), call.Bool("indices_are_sorted"),
                            I64Array(call.Ints("slice_sizes")))},
               op.Operands()));
}

namespace {

// The size of the window in each dimension of the operand.
Dims WindowSizes(const OpCall& call) {
  const Dims& window = call.Ints("update_window_dims");
  const Shape& updates = call.operand(call.operand_count() / 2 + 1);
  const auto has = [](const Dims& dims, int64_t d) {
    return std::find(dims.begin(), dims.end(), d) != dims.end();
  };
  Dims sizes;
  size_t next = 0;
  for (int64_t d = 0; d < call.operand(0).rank(); ++d) {
    const bool is_inside =
        has(call.Ints("inserted_window_dims"), d) || has(call.Ints("input_batching_dims"), d);
    sizes.push_back(is_inside ? 1 : updates.dim(static_cast<int>(window[next++])));
  }
  return sizes;
}

// HLO drops a whole window that is partly out of bounds; StableHLO drops its elements that are.
// Where that can matter, the starts of such windows move behind the end of the operand.
Ssa WholeWindows(OpExport& op, Ssa indices, const Dims& sizes) {
  const OpCall& call = op.call();
  const Shape& operand = call.operand(0);
  const Dims& map = call.Ints("scatter_dims_to_operand_dims");
  const int64_t vector_dim = call.Int("index_vector_dim");
  const bool has_vector = vector_dim < indices.type->rank();
  Dims limits, ends;  // of the starts, by component
  for (int64_t d : map) {
    limits.push_back(operand.dim(static_cast<int>(d)) - sizes[static_cast<size_t>(d)]);
    ends.push_back(operand.dim(static_cast<int>(d)));
  }
  // Types that do not count that far.
  if (BitsOf(indices.type->element_type()) < 32) indices = op.Convert(indices, ElementType::kS64);
  const ElementType type = indices.type->element_type();
  const Dims dims = indices.type->dims();
  const auto spread = [&](const Dims& values) {
    const Ssa vector = has_vector ? op.Integers(type, values) : op.Integer(type, values[0]);
    return op.Make("stablehlo.broadcast_in_dim", {vector}, Shape::Array(type, dims),
                   "broadcast_dimensions = " + I64Array(has_vector ? Dims{vector_dim} : Dims{}));
  };
  const Shape mask = Shape::Array(ElementType::kPred, dims);
  const auto compare = [&](std::string_view direction, const Ssa& with) {
    return op.Make("stablehlo.compare", {indices, with}, mask,
                   CompareAttrs(direction, IsSigned(type) ? "SIGNED" : "UNSIGNED"));
  };
  const Ssa low = compare("GE", op.Integer(type, 0, dims));
  Ssa inside = op.Make("stablehlo.and", {low, compare("LE", spread(limits))}, mask);
  if (has_vector) {
    Dims rest = dims, kept;
    rest.erase(rest.begin() + vector_dim);
    for (int64_t i = 0; i < static_cast<int64_t>(dims.size()); ++i) {
      if (i != vector_dim) kept.push_back(i);
    }
    inside = op.MakeAll(inside, vector_dim, Shape::Array(ElementType::kPred, rest));
    inside = op.Make("stablehlo.broadcast_in_dim", {inside}, mask,
                     "broadcast_dimensions = " + I64Array(kept));
  }
  return op.Make("stablehlo.select", {inside, indices, spread(ends)}, Shape::Array(type, dims));
}

}  // namespace

void WriteScatter(OpExport& op) {
  const OpCall& call = op.call();
  std::string numbers = "#stablehlo.scatter<";
  AppendList("update_window_dims", call.Ints("update_window_dims"), &numbers);
  AppendList("inserted_window_dims", call.Ints("inserted_window_dims"), &numbers);
  AppendList("input_batching_dims", call.Ints("input_batching_dims"), &numbers);
  AppendList("scatter_indices_batching_dims", call.Ints("scatter_indices_batching_dims"), &numbers);
  AppendList("scatter_dims_to_operand_dims", call.Ints("scatter_dims_to_operand_dims"), &numbers);
  const int count = op.op().operand_count() / 2;
  const Dims sizes = WindowSizes(call);
  Leaves operands = op.Operands();
  bool is_known = false;
  for (const KeyValue& entry : call.Keys("frontend_attributes")) {
    is_known = is_known || entry.key == kWholeWindows;
  }
  if (!is_known && MayStandOut(call.operand(0), *op.op().operand(count),
                               call.Ints("scatter_dims_to_operand_dims"), sizes)) {
    operands[static_cast<size_t>(count)] = WholeWindows(op, op.In(count), sizes);
    op.Keep(kWholeWindows, "true");
  }
  op.Set(op.Write({"stablehlo.scatter",
                   fmt::format("indices_are_sorted = {}, scatter_dimension_numbers = "
                               "{}, index_vector_dim = {}>, unique_indices = {}",
                               call.Bool("indices_are_sorted"), numbers,
                               call.Int("index_vector_dim"), call.Bool("unique_indices")),
                   {&op.Region("to_apply")}},
                  operands));
}

}  // namespace hlo::mlir
