// Ops with a window that moves over an array, and a region that folds what is in it.
#include <fmt/format.h>

#include "engine/mlir/ops/families.h"
#include "engine/mlir/text/mlir_text.h"

namespace hlo::mlir {
namespace {

// One WindowDim per window dimension; lists that are absent have their defaults.
bool ReadWindow(OpImport& op, Window* window) {
  const Dims sizes = op.Ints({"window_dimensions"});
  const size_t rank = sizes.size();
  const Dims strides = op.Ints({"window_strides"}, Dims(rank, 1));
  const Dims base = op.Ints({"base_dilations"}, Dims(rank, 1));
  const Dims dilations = op.Ints({"window_dilations"}, Dims(rank, 1));
  const Dims padding = op.PairsOf(op.Find({"padding"}), Dims(2 * rank, 0));
  if (strides.size() != rank || base.size() != rank || dilations.size() != rank ||
      padding.size() != 2 * rank) {
    return op.Fail(DiagCode::kAttributeValue, "the lists of a window have different lengths");
  }
  for (size_t i = 0; i < rank; ++i) {
    window->push_back({.size = sizes[i],
                       .stride = strides[i],
                       .pad_low = padding[2 * i],
                       .pad_high = padding[2 * i + 1],
                       .base_dilation = base[i],
                       .window_dilation = dilations[i]});
  }
  return true;
}

// The window attributes, one list of each kind.
struct WindowLists {
  Dims sizes, strides, base, dilations;
  std::vector<Dims> padding;
  bool is_dilated = false;
};

WindowLists ListsOf(OpExport& op) {
  WindowLists lists;
  Window window = op.call().GetWindow();
  // Without a window: size 1 in every dimension.
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

void EmitReduceWindow(OpImport& op) {
  Window window;
  if (!ReadWindow(op, &window)) return;
  const hlo::Region* reducer = op.RegionOf(0);
  op.PromoteFolded(reducer, op.operands.size() / 2, true);
  Attrs attrs = {{"window", window}, {"to_apply", reducer}};
  // A reducer may compute in another type than the operands.
  if (op.result_count() == 1) return ResultAsWritten(op, Opcode::kReduceWindow, std::move(attrs));
  op.SplitResult(op.Emit(Opcode::kReduceWindow, op.operands, std::move(attrs)));
}

namespace {

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

// Promotes all operands to the type in which the second region adds; then the first one, which
// compares elements of the operand, is given that type (*given), and converts them back.
bool PromoteSelected(OpImport& op, const Shape** given) {
  const auto& regions = op.op().regions;
  if (regions.size() != 2 || regions[1].blocks[0].arguments.empty()) return true;
  const Type& folded = *regions[1].blocks[0].arguments[0].type;
  const Shape own = Shape::Scalar(op.operands[0]->shape().element_type());
  for (size_t i = 0; i < op.operands.size(); ++i) {
    if (op.Promote(i, folded.shape) && i == 0) *given = &folded.shape;
  }
  for (const Block::Argument& argument : regions[0].blocks[0].arguments) {
    if (!*given || argument.type->shape == own) continue;
    return op.Fail(DiagCode::kComputationSignature,
                   fmt::format("expects the select-region to take '{}', but got '{}'",
                               TypeText(own), TypeText(argument.type->shape)));
  }
  return true;
}

void EmitSelectAndScatter(OpImport& op) {
  Window window;
  const Shape* given = nullptr;
  if (!op.Expect(3) || !ReadWindow(op, &window) || !PromoteSelected(op, &given)) return;
  const hlo::Region* select = op.RegionOf(0, false, given);
  op.Result(op.Emit(Opcode::kSelectAndScatter, op.operands,
                    {{"window", window}, {"select", select}, {"scatter", op.RegionOf(1)}}));
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

constexpr OpRow kWindowRows[] = {
    {.name = "reduce_window",
     .opcode = Opcode::kReduceWindow,
     .form = {.inherent =
                  "base_dilations padding window_dilations window_dimensions window_strides",
              .sample = "(`%operand`, `%init`) <{window_dimensions = array<i64: `2`>, "
                        "window_strides = array<i64: `1`>}> ($reducer) : (tensor<4xf32>, "
                        "tensor<f32>) -> tensor<3xf32>"},
     .emit = EmitReduceWindow,
     .write = WriteReduceWindow,
     .mixing = Mixing::kFolded},
    {.name = "select_and_scatter",
     .opcode = Opcode::kSelectAndScatter,
     .form = {.inherent = "padding window_dimensions window_strides",
              .sample = "(`%operand`, `%source`, `%init`) <{window_dimensions = array<i64: `2`>, "
                        "window_strides = array<i64: `2`>}> ({\n"
                        "^bb0(%element_0: tensor<f32>, %element_1: tensor<f32>):\n"
                        "  %is_selected = stablehlo.compare `GE`, %element_0, %element_1 : "
                        "(tensor<f32>, tensor<f32>) -> tensor<i1>\n"
                        "  stablehlo.return %is_selected : tensor<i1>\n"
                        "}, $reducer) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> "
                        "tensor<4xf32>"},
     .emit = EmitSelectAndScatter,
     .write = WriteSelectAndScatter,
     .mixing = Mixing::kSelected},
};

}  // namespace

std::span<const OpRow> WindowRows() { return kWindowRows; }

}  // namespace hlo::mlir
