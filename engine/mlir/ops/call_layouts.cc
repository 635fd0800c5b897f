#include "engine/mlir/ops/call_layouts.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "engine/base/permutation.h"
#include "engine/mlir/export/op_export.h"
#include "engine/mlir/import/op_import.h"
#include "engine/mlir/text/mlir_text.h"

namespace hlo::mlir {

// ---- Import -------------------------------------------------------------------------------------

namespace {

// Gives an operand or a result the order of dimensions in `layout`.
bool SetOrder(OpImport& op, const Attr& layout, const std::string& what, Shape* shape) {
  if (shape->IsTuple()) {
    return op.Fail(DiagCode::kAttributeValue,
                   "Tuple types are not fully supported with layout constraints yet", layout.range);
  }
  const Dims order = op.IntsOf(&layout);
  const std::string text = fmt::format("dense<[{}]>", fmt::join(order, ", "));
  if (!shape->IsArray() && !shape->IsBuffer()) {
    return order.empty() || op.Fail(DiagCode::kAttributeValue,
                                    fmt::format("Only tensor types can have non-empty layout: {} "
                                                "of type '{}' has layout {}",
                                                what, TypeText(*shape), text),
                                    layout.range);
  }
  if (!IsPermutation(order, shape->dims().size())) {
    return op.Fail(DiagCode::kAttributeValue,
                   fmt::format("incorrect layout {} for type '{}', layout must be a permutation of "
                               "[0, {})",
                               text, TypeText(*shape), shape->rank()),
                   layout.range);
  }
  shape->set_layout(Layout(order));
  return true;
}

bool SetOrders(OpImport& op, const Attr& layouts, std::string_view kind,
               std::vector<Shape>* shapes) {
  if (layouts.list.size() != shapes->size()) {
    return op.Fail(DiagCode::kAttributeValue,
                   fmt::format("Number of {0}s must match the number of {0} layouts, {1} != {2}",
                               kind, shapes->size(), layouts.list.size()),
                   layouts.range);
  }
  for (size_t i = 0; i < shapes->size(); ++i) {
    if (!SetOrder(op, layouts.list[i], fmt::format("{} #{}", kind, i), &(*shapes)[i])) return false;
  }
  return true;
}

std::vector<Alias> AliasesOf(OpImport& op, const Attr& list) {
  std::vector<Alias> aliases;
  for (const Attr& one : list.list) {
    const Attr* operand = one.Find("operand_index");
    aliases.push_back({.output_index = op.IntsOf(one.Find("output_tuple_indices")),
                       .operand = operand ? operand->integer : 0,
                       .operand_index = op.IntsOf(one.Find("operand_tuple_indices"))});
  }
  return aliases;
}

}  // namespace

bool ReadCallLayouts(OpImport& op, Shape* results, Attrs* attrs) {
  if (const Attr* aliases = op.Find({"output_operand_aliases"});
      aliases && !aliases->list.empty()) {
    attrs->Add({"output_to_operand_aliasing", AliasesOf(op, *aliases)});
  }
  const Attr* of_operands = op.Find({"operand_layouts"});
  const Attr* of_results = op.Find({"result_layouts"});
  if (!of_operands && !of_results) return true;
  if (!of_operands || !of_results) {
    return op.Fail(DiagCode::kAttributeMissing,
                   "Layout attributes should be specified for either both operands and results or "
                   "none");
  }
  std::vector<Shape> shapes, parts = {*results};
  for (const Instruction* operand : op.operands) shapes.push_back(operand->shape());
  if (results->IsTuple()) parts.assign(results->elements().begin(), results->elements().end());
  if (!SetOrders(op, *of_operands, "operand", &shapes) ||
      !SetOrders(op, *of_results, "result", &parts)) {
    return false;
  }
  *results = results->IsTuple() ? Shape::Tuple(std::move(parts)) : std::move(parts[0]);
  attrs->Add({"operand_layout_constraints", std::move(shapes)});
  return true;
}

bool ReadInfeedLayout(OpImport& op, std::vector<Shape>* data) {
  const Attr* layout = op.Find({"layout"});
  if (!layout) return true;
  if (layout->list.size() != data->size()) {
    return op.Fail(DiagCode::kAttributeValue,
                   fmt::format("layout-attribute size must be {} (which is the number of "
                               "op-results - 1 (for token result)), but got {}",
                               data->size(), layout->list.size()),
                   layout->range);
  }
  for (size_t i = 0; i < data->size(); ++i) {
    const Attr& order = layout->list[i];
    if (order.kind != Attr::Kind::kArray) {
      return op.Fail(DiagCode::kAttributeValue,
                     fmt::format("layout-attribute expected to have elements of type array, but "
                                 "got {}",
                                 op.TextOf(order)),
                     order.range);
    }
    for (const Attr& number : order.list) {
      if (number.kind == Attr::Kind::kInt) continue;
      return op.Fail(DiagCode::kAttributeValue,
                     fmt::format("layout-attribute's leaf elements are expected to be of type "
                                 "integer, but got {}",
                                 op.TextOf(number)),
                     number.range);
    }
    if (!SetOrder(op, order, fmt::format("result #{}", i), &(*data)[i])) return false;
  }
  return true;
}

// ---- Export -------------------------------------------------------------------------------------

namespace {

std::string OrderText(const Shape& shape) {
  const bool has_layout = shape.IsArray() || shape.IsBuffer();
  return IndexTensorText(has_layout ? shape.layout().minor_to_major() : Dims());
}

// The number of the leaf that an index leads to; nothing if it leads to a tuple.
std::optional<int64_t> LeafAt(const Shape& shape, const Dims& index) {
  int64_t number = 0;
  const Shape* at = &shape;
  for (int64_t i : index) {
    for (int64_t k = 0; k < i; ++k) number += at->elements()[static_cast<size_t>(k)].leaf_count();
    at = &at->elements()[static_cast<size_t>(i)];
  }
  return at->IsTuple() ? std::nullopt : std::optional(number);
}

// Results are flattened, operands keep their tuples. What is no part of StableHLO's results is left
// out: no value depends on aliases.
std::string AliasesText(OpExport& op) {
  std::string text;
  const int64_t count = op.shape().leaf_count();
  for (const Alias& alias : op.call().Aliases("output_to_operand_aliasing")) {
    const auto leaf = LeafAt(op.shape(), alias.output_index);
    if (!leaf) continue;
    fmt::format_to(std::back_inserter(text),
                   "{}#stablehlo.output_operand_alias<output_tuple_indices = [{}], operand_index = "
                   "{}, operand_tuple_indices = [{}]>",
                   text.empty() ? "" : ", ", count > 1 ? std::to_string(*leaf) : "", alias.operand,
                   fmt::join(alias.operand_index, ", "));
  }
  return text;
}

}  // namespace

std::string CallLayoutsText(OpExport& op) {
  std::string text;
  const std::vector<Shape>& shapes = op.call().Shapes("operand_layout_constraints");
  const bool has_tuple =
      std::any_of(shapes.begin(), shapes.end(), [](const Shape& shape) { return shape.IsTuple(); });
  if (op.call().Has("operand_layout_constraints") && !has_tuple) {
    std::string operands, results;
    const auto add = [](const Shape& shape, std::string* list) {
      *list += (list->empty() ? "" : ", ") + OrderText(shape);
    };
    for (const Shape& shape : shapes) add(shape, &operands);
    for (const Ssa& leaf : op.ResultLeaves()) add(*leaf.type, &results);
    text += fmt::format(", operand_layouts = [{}], result_layouts = [{}]", operands, results);
  }
  if (const std::string aliases = AliasesText(op); !aliases.empty()) {
    text += fmt::format(", output_operand_aliases = [{}]", aliases);
  }
  return text;
}

std::string InfeedLayoutText(OpExport& op) {
  std::string text;
  for (const Ssa& leaf : op.ResultLeaves()) {
    if (!leaf.type->IsArray()) continue;
    fmt::format_to(std::back_inserter(text), "{}[{}]", text.empty() ? "" : ", ",
                   fmt::join(leaf.type->layout().minor_to_major(), ", "));
  }
  return fmt::format("layout = [{}]", text);
}

}  // namespace hlo::mlir
