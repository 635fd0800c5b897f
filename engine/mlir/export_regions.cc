// Ops with regions.
#include <fmt/format.h>

#include <iterator>

#include "engine/mlir/export_rows.h"
#include "engine/mlir/op_import.h"
#include "engine/ops/op_def.h"

namespace hlo::mlir {
namespace {

// The dimensions of a window, one list of each kind.
struct WindowLists {
  Dims sizes, strides, base, dilations;
  std::vector<Dims> padding;
  bool is_dilated = false;
};

WindowLists ListsOf(OpExport& op) {
  WindowLists lists;
  Window window = op.call().GetWindow();
  // Without a window: one element each way.
  if (window.empty()) window.resize(op.In(0).type->dims().size());
  for (const WindowDim& dim : window) {
    lists.sizes.push_back(dim.size);
    lists.strides.push_back(dim.stride);
    lists.base.push_back(dim.base_dilation);
    lists.dilations.push_back(dim.window_dilation);
    lists.padding.push_back({dim.pad_low, dim.pad_high});
    lists.is_dilated |= dim.base_dilation != 1 || dim.window_dilation != 1;
    if (dim.reversal) op.NoCounterpart("a window that runs backwards");
  }
  return lists;
}

}  // namespace

std::string I64Array(std::span<const int64_t> dims) {
  return dims.empty() ? "array<i64>" : fmt::format("array<i64: {}>", JoinDims(dims));
}

void WriteReduce(OpExport& op) {
  op.Set(op.Write({"stablehlo.reduce",
                   op.Filled("dimensions = array<i64: @dimensions>"),
                   {&op.Region("to_apply")}},
                  op.Operands()));
}

void WriteReduceWindow(OpExport& op) {
  const WindowLists lists = ListsOf(op);
  op.Set(op.Write(
      {"stablehlo.reduce_window",
       fmt::format("base_dilations = {}, padding = {}, window_dilations = {}, "
                   "window_dimensions = {}, window_strides = {}",
                   I64Array(lists.base), DenseRows(lists.padding, 2), I64Array(lists.dilations),
                   I64Array(lists.sizes), I64Array(lists.strides)),
       {&op.Region("to_apply")}},
      op.Operands()));
}

void WriteSelectAndScatter(OpExport& op) {
  const WindowLists lists = ListsOf(op);
  if (lists.is_dilated) return op.NoCounterpart("its window has no dilation there");
  op.Set(op.Write(
      {"stablehlo.select_and_scatter",
       fmt::format("padding = {}, window_dimensions = {}, window_strides = {}",
                   DenseRows(lists.padding, 2), I64Array(lists.sizes), I64Array(lists.strides)),
       {&op.Region("select"), &op.Region("scatter")}},
      op.Operands()));
}

void WriteSort(OpExport& op) {
  op.Set(op.Write({"stablehlo.sort",
                   op.Filled("dimension = @dimensions : i64, is_stable = @is_stable"),
                   {&op.Region("to_apply")}},
                  op.Operands()));
}

void WriteMap(OpExport& op) {
  Dims dims;
  for (int64_t i = 0; i < op.In(0).type->rank(); ++i) dims.push_back(i);
  op.Set(op.Write(
      {"stablehlo.map", fmt::format("dimensions = {}", I64Array(dims)), {&op.Region("to_apply")}},
      op.Operands()));
}

void WriteWhile(OpExport& op) {
  op.Set(op.Write({"stablehlo.while", {}, {&op.Region("condition"), &op.Region("body")}},
                  op.Operand(0)));
}

void WriteConditional(OpExport& op) {
  std::vector<const Computation*> branches;
  for (const hlo::Region* branch : op.call().Regions("branch_computations")) {
    branches.push_back(AsComputation(branch));
  }
  const bool is_if = op.In(0).type->element_type() == ElementType::kPred;
  if (branches.empty()) {
    branches = {&op.Region("true_computation"), &op.Region("false_computation")};
  }
  std::vector<Leaves> arguments;
  for (size_t i = 0; i < branches.size(); ++i) {
    arguments.push_back(op.Operand(static_cast<int>(i) + 1));
  }
  op.Set(op.Write({is_if ? "stablehlo.if" : "stablehlo.case", {}, branches}, {op.In(0)},
                  op.ResultLeaves(), &arguments));
}

void WriteScan(OpExport& op) {
  const int carries = static_cast<int>(op.call().Int("num_carries"));
  std::string attrs = op.Filled("dimension = @dimensions : i64");
  if (op.call().Has("is_associative")) attrs += op.Filled(", is_associative = @is_associative");
  if (op.call().Bool("is_reverse")) attrs += ", is_reverse = true";
  const int inputs = op.op().operand_count() - carries;
  op.Set(
      op.Write({"chlo.scan", std::move(attrs), {&op.Region("to_apply")}, inputs}, op.Operands()));
}

}  // namespace hlo::mlir
