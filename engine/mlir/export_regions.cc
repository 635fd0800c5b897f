// Ops with regions.
#include <fmt/format.h>

#include <iterator>

#include "engine/mlir/export_rows.h"
#include "engine/mlir/op_import.h"
#include "engine/ops/op_def.h"

namespace hlo::mlir {
namespace {

// Whether a computation is `op(p0, p1)` of a commutative op of StableHLO: then a reduce is printed
// in one line.
bool IsOneOp(const Computation& computation) {
  const Instruction& root = *computation.root();
  if (computation.parameter_count() != 2 || computation.instructions().size() != 3 ||
      root.operand_count() != 2 || !root.def().commutative || !root.def().elementwise) {
    return false;
  }
  for (int i = 0; i < 2; ++i) {
    if (root.operand(i) != computation.parameters()[static_cast<size_t>(i)]) return false;
    if (!Shape::Compatible(root.operand(i)->shape(), root.shape())) return false;
  }
  return !FindExportRow(root.opcode()) && !NameOf(root.opcode()).empty();
}

// `%0 = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0] : types`.
void WriteShortReduce(OpExport& op) {
  const std::string text = fmt::format(
      "({} init: {}) applies stablehlo.{} across dimensions = [{}]", op.In(0).name, op.In(1).name,
      NameOf(op.Region("to_apply").root()->opcode()), op.AttrText("dimensions"));
  op.Set({op.MakeWhole("stablehlo.reduce", text, op.Operands())});
}

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
  const Computation& reducer = op.Region("to_apply");
  const int count = op.op().operand_count() / 2;
  if (count == 1 && IsOneOp(reducer)) return WriteShortReduce(op);
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += fmt::format("{}({} init: {})", i > 0 ? ", " : "", op.In(i).name, op.In(count + i).name);
  }
  fmt::format_to(std::back_inserter(text), " across dimensions = [{}]", op.AttrText("dimensions"));
  std::vector<Leaves> arguments;
  for (int i = 0; i < 2 * count; ++i) {
    arguments.push_back(op.NewArguments(reducer.parameter_shape(i)));
  }
  // Pairs: what is folded so far, and the next element.
  std::string head = "reducer";
  for (int i = 0; i < count; ++i) {
    const Ssa& folded = arguments[static_cast<size_t>(i)][0];
    const Ssa& next = arguments[static_cast<size_t>(count + i)][0];
    fmt::format_to(std::back_inserter(head), "{}({}: {}, {}: {})", i > 0 ? " " : "", folded.name,
                   TypeText(*folded.type), next.name, TypeText(*next.type));
  }
  op.Set(op.WriteWithBodies("stablehlo.reduce", std::move(text), op.Operands(),
                            {{" " + head + "  {", &reducer, std::move(arguments)}}));
}

void WriteReduceWindow(OpExport& op) {
  const WindowLists lists = ListsOf(op);
  op.Set(op.Write(
      {"stablehlo.reduce_window",
       Form::kGeneric,
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
       Form::kGeneric,
       fmt::format("padding = {}, window_dimensions = {}, window_strides = {}",
                   DenseRows(lists.padding, 2), I64Array(lists.sizes), I64Array(lists.strides)),
       {&op.Region("select"), &op.Region("scatter")}},
      op.Operands()));
}

void WriteSort(OpExport& op) {
  op.Set(op.Write({"stablehlo.sort",
                   Form::kGeneric,
                   op.Filled("dimension = @dimensions : i64, is_stable = @is_stable"),
                   {&op.Region("to_apply")}},
                  op.Operands()));
}

void WriteMap(OpExport& op) {
  Dims dims;
  for (int64_t i = 0; i < op.In(0).type->rank(); ++i) dims.push_back(i);
  op.Set(op.Write({"stablehlo.map",
                   Form::kGeneric,
                   fmt::format("dimensions = {}", I64Array(dims)),
                   {&op.Region("to_apply")}},
                  op.Operands()));
}

void WriteWhile(OpExport& op) {
  const Leaves& init = op.Operand(0);
  const Leaves state = op.NewArguments(op.shape(), "iterArg");
  std::string text = "(";
  std::string types;
  for (size_t i = 0; i < init.size(); ++i) {
    fmt::format_to(std::back_inserter(text), "{}{} = {}", i > 0 ? ", " : "", state[i].name,
                   init[i].name);
    types += (i > 0 ? ", " : " : ") + TypeText(*state[i].type);
  }
  op.Set(op.WriteWithBodies(
      "stablehlo.while", text + ")" + types, {},
      {{" cond {", &op.Region("condition"), {state}}, {"} do {", &op.Region("body"), {state}}}));
}

void WriteConditional(OpExport& op) {
  std::vector<const Computation*> branches;
  for (const hlo::Region* branch : op.call().Regions("branch_computations")) {
    branches.push_back(static_cast<const Computation*>(branch));
  }
  const bool is_if = op.In(0).type->element_type() == ElementType::kPred;
  if (branches.empty()) {
    branches = {&op.Region("true_computation"), &op.Region("false_computation")};
  }
  std::vector<Leaves> arguments;
  for (size_t i = 0; i < branches.size(); ++i) {
    arguments.push_back(op.Operand(static_cast<int>(i) + 1));
  }
  op.Set(op.Write({is_if ? "stablehlo.if" : "stablehlo.case", Form::kGeneric, {}, branches},
                  {op.In(0)}, op.ResultLeaves(), &arguments));
}

void WriteScan(OpExport& op) {
  const int carries = static_cast<int>(op.call().Int("num_carries"));
  const int inputs = op.op().operand_count() - carries;
  const int outputs = static_cast<int>(op.ResultLeaves().size()) - carries;
  std::string attrs = op.Filled("dimension = @dimensions : i64");
  if (op.call().Has("is_associative")) attrs += op.Filled(", is_associative = @is_associative");
  if (op.call().Bool("is_reverse")) attrs += ", is_reverse = true";
  fmt::format_to(std::back_inserter(attrs),
                 ", operandSegmentSizes = array<i32: {}, {}>, resultSegmentSizes = array<i32: {}, "
                 "{}>",
                 inputs, carries, outputs, carries);
  op.Set(op.Write({"chlo.scan", Form::kGeneric, std::move(attrs), {&op.Region("to_apply")}},
                  op.Operands()));
}

}  // namespace hlo::mlir
