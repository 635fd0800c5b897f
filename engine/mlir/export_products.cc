// Products of arrays, gather, scatter.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/mlir/dot_algorithms.h"
#include "engine/mlir/export_rows.h"
#include "engine/mlir/scatter_windows.h"

namespace hlo::mlir {
namespace {

// `name = [0, 1]`, after a comma where there is something before; nothing for an empty list.
void AppendList(std::string_view name, const Dims& dims, std::string* out) {
  if (dims.empty()) return;
  if (out->back() != '<') *out += ", ";
  fmt::format_to(std::back_inserter(*out), "{} = [{}]", name, JoinDims(dims));
}

// The precision of both operands, upper case, each in a frame: `DEFAULT, DEFAULT`.
std::string Precisions(OpExport& op, std::string_view before, std::string_view after) {
  constexpr std::string_view kWords[] = {"DEFAULT", "HIGH", "HIGHEST"};
  const Dims& chosen = op.call().Ints("operand_precision");
  std::string text;
  for (size_t i = 0; i < 2; ++i) {
    if (i > 0) text += ", ";
    text += before;
    text += kWords[i < chosen.size() ? static_cast<size_t>(chosen[i]) : 0];
    text += after;
  }
  return text;
}

std::string Label(int64_t position, int64_t first, char first_letter, int64_t second,
                  char second_letter, const Dims& spatial) {
  if (position == first) return std::string(1, first_letter);
  if (position == second) return std::string(1, second_letter);
  const auto at = std::find(spatial.begin(), spatial.end(), position);
  return at == spatial.end() ? "?" : std::to_string(at - spatial.begin());
}

std::string Labels(int64_t first, char first_letter, int64_t second, char second_letter,
                   const Dims& spatial) {
  std::string text = "[";
  for (int64_t i = 0; i < static_cast<int64_t>(spatial.size()) + 2; ++i) {
    if (i > 0) text += ", ";
    text += Label(i, first, first_letter, second, second_letter, spatial);
  }
  return text + "]";
}

std::string LabelsText(const ConvDimLabels& labels) {
  return Labels(labels.input_batch, 'b', labels.input_feature, 'f', labels.input_spatial) + "x" +
         Labels(labels.kernel_input_feature, 'i', labels.kernel_output_feature, 'o',
                labels.kernel_spatial) +
         "->" + Labels(labels.output_batch, 'b', labels.output_feature, 'f', labels.output_spatial);
}

std::string WindowText(const Window& window) {
  std::string stride, pad, base, dilation, reversal;
  for (const WindowDim& dim : window) {
    const std::string_view comma = stride.empty() ? "" : ", ";
    fmt::format_to(std::back_inserter(stride), "{}{}", comma, dim.stride);
    fmt::format_to(std::back_inserter(pad), "{}[{}, {}]", comma, dim.pad_low, dim.pad_high);
    fmt::format_to(std::back_inserter(base), "{}{}", comma, dim.base_dilation);
    fmt::format_to(std::back_inserter(dilation), "{}{}", comma, dim.window_dilation);
    fmt::format_to(std::back_inserter(reversal), "{}{}", comma, dim.reversal);
  }
  return fmt::format(
      "{{stride = [{}], pad = [{}], lhs_dilate = [{}], rhs_dilate = [{}], reverse = [{}]}}", stride,
      pad, base, dilation, reversal);
}

}  // namespace

void WriteDot(OpExport& op) {
  std::string text;
  const Dims& batch = op.call().Ints("lhs_batch_dims");
  if (!batch.empty()) {
    text = op.Filled(", batching_dims = [@lhs_batch_dims] x [@rhs_batch_dims]");
  }
  text += op.Filled(", contracting_dims = [@lhs_contracting_dims] x [@rhs_contracting_dims]");
  text += fmt::format(", precision = [{}]", Precisions(op, "", ""));
  text += DotAlgorithmText(op.call().Word("algorithm"));
  op.Set(op.Write({"stablehlo.dot_general", Form::kTyped, std::move(text)}, op.Operands()));
}

void WriteRaggedDot(OpExport& op) {
  std::string numbers = "#chlo.ragged_dot<";
  AppendList("lhs_batching_dimensions", op.call().Ints("lhs_batch_dims"), &numbers);
  AppendList("rhs_batching_dimensions", op.call().Ints("rhs_batch_dims"), &numbers);
  AppendList("lhs_contracting_dimensions", op.call().Ints("lhs_contracting_dims"), &numbers);
  AppendList("rhs_contracting_dimensions", op.call().Ints("rhs_contracting_dims"), &numbers);
  AppendList("lhs_ragged_dimensions", op.call().Ints("lhs_ragged_dims"), &numbers);
  AppendList("rhs_group_dimensions", op.call().Ints("rhs_group_dims"), &numbers);
  op.Set(op.Write({"chlo.ragged_dot", Form::kGeneric,
                   fmt::format("precision_config = [{}], ragged_dot_dimension_numbers = {}>",
                               Precisions(op, "#chlo<precision ", ">"), numbers)},
                  op.Operands()));
}

void WriteConvolution(OpExport& op) {
  const OpCall& call = op.call();
  const ConvDimLabels& labels = call.DimLabels();
  if (op.op().operand_count() != 2 || call.Has("sparsity_config")) {
    return op.NoCounterpart("operands that leave out zeros");
  }
  if (!labels.input_unknown.empty() || !labels.kernel_unknown.empty() ||
      !labels.output_unknown.empty()) {
    return op.NoCounterpart("dimensions without a meaning, written ?");
  }
  constexpr int64_t kForward = 1;
  if (call.Word("convolution_kind") > kForward) {
    return op.NoCounterpart("gradients by convolution_kind");
  }
  Window window = call.GetWindow();
  window.resize(labels.kernel_spatial.size());
  std::string text = fmt::format(
      "({}, {}) dim_numbers = {}, window = {} {{batch_group_count = {} : i64, "
      "feature_group_count = {} : i64, precision_config = [{}]}}",
      op.In(0).name, op.In(1).name, LabelsText(labels), WindowText(window),
      call.Int("batch_group_count", 1), call.Int("feature_group_count", 1),
      Precisions(op, "#stablehlo<precision ", ">"));
  op.Set({op.MakeWhole("stablehlo.convolution", std::move(text), op.Operands())});
}

void WriteGather(OpExport& op) {
  const OpCall& call = op.call();
  std::string numbers = "#stablehlo.gather<";
  AppendList("offset_dims", call.Ints("offset_dims"), &numbers);
  AppendList("collapsed_slice_dims", call.Ints("collapsed_slice_dims"), &numbers);
  AppendList("operand_batching_dims", call.Ints("operand_batching_dims"), &numbers);
  AppendList("start_indices_batching_dims", call.Ints("start_indices_batching_dims"), &numbers);
  AppendList("start_index_map", call.Ints("start_index_map"), &numbers);
  if (numbers.back() != '<') numbers += ", ";
  op.Set(
      op.Write({"stablehlo.gather", Form::kGeneric,
                fmt::format("dimension_numbers = {}index_vector_dim = {}>, indices_are_sorted = "
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
    return op.Make("stablehlo.broadcast_in_dim", Form::kTyped, {vector}, Shape::Array(type, dims),
                   has_vector ? fmt::format(", dims = [{}]", vector_dim) : ", dims = []");
  };
  const Shape mask = Shape::Array(ElementType::kPred, dims);
  const auto compare = [&](std::string_view direction, const Ssa& with) {
    return op.MakeText("stablehlo.compare",
                       fmt::format("  {}, {}, {},  {}", direction, indices.name, with.name,
                                   IsSigned(type) ? "SIGNED" : "UNSIGNED"),
                       {indices, with}, mask);
  };
  const Ssa low = compare("GE", op.Integer(type, 0, dims));
  Ssa inside = op.Make("stablehlo.and", Form::kShort, {low, compare("LE", spread(limits))}, mask);
  if (has_vector) {
    Dims rest = dims, kept;
    rest.erase(rest.begin() + vector_dim);
    for (int64_t i = 0; i < static_cast<int64_t>(dims.size()); ++i) {
      if (i != vector_dim) kept.push_back(i);
    }
    const Ssa yes = op.Integer(ElementType::kPred, 1);
    inside = op.MakeText("stablehlo.reduce",
                         fmt::format("({} init: {}) applies stablehlo.and across dimensions = [{}]",
                                     inside.name, yes.name, vector_dim),
                         {inside, yes}, Shape::Array(ElementType::kPred, rest));
    inside = op.Make("stablehlo.broadcast_in_dim", Form::kTyped, {inside}, mask,
                     fmt::format(", dims = [{}]", JoinDims(kept)));
  }
  const Ssa starts = spread(ends);
  const Shape result = Shape::Array(type, dims);
  return op.Make("stablehlo.select", Form::kWhole, {}, result,
                 fmt::format(" {}, {}, {} : {}, {}", inside.name, indices.name, starts.name,
                             TypeText(mask), TypeText(result)));
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
  if (numbers.back() != '<') numbers += ", ";
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
                   Form::kGeneric,
                   fmt::format("indices_are_sorted = {}, scatter_dimension_numbers = "
                               "{}index_vector_dim = {}>, unique_indices = {}",
                               call.Bool("indices_are_sorted"), numbers,
                               call.Int("index_vector_dim"), call.Bool("unique_indices")),
                   {&op.Region("to_apply")}},
                  operands));
}

}  // namespace hlo::mlir
