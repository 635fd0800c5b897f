// What the attributes of the module and of the entry's arguments and results say of buffers and
// layouts. In HLO all of these are attributes of the module.
// Source: XLA, mlir_hlo_to_hlo.cc and module_attributes_exporter.cc.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "engine/base/permutation.h"
#include "engine/layout/layout_validity.h"
#include "engine/mlir/import/op_import.h"
#include "engine/mlir/text/mlir_text.h"
#include "engine/ops/op_def.h"
#include "engine/types/number_text.h"

namespace hlo::mlir {
namespace {

// `{0,1}`: a minor-to-major order; nothing for "default" and "auto", or where it does not fit.
std::optional<Dims> ReadOrder(std::string_view text, const Shape& shape) {
  if (!shape.IsArray() || text.size() < 2 || text.front() != '{' || text.back() != '}') {
    return std::nullopt;
  }
  text = text.substr(1, text.size() - 2);
  Dims order;
  while (!text.empty()) {
    const IntegerToken token = ScanInteger(text.data(), text.data() + text.size());
    const auto length = static_cast<size_t>(token.end - text.data());
    if (length == 0 || token.is_negative || !token.fits) return std::nullopt;
    order.push_back(static_cast<int64_t>(token.magnitude));
    text.remove_prefix(std::min(length + 1, text.size()));
  }
  return IsPermutation(order, shape.dims().size()) ? std::optional(order) : std::nullopt;
}

// Gives a shape the layout that its attributes ask for.
bool SetLayoutMode(const std::vector<Attr::Field>& fields, Shape* shape) {
  const Attr* mode = FindField(fields, "mhlo.layout_mode");
  const auto order = mode ? ReadOrder(mode->text, *shape) : std::nullopt;
  if (order) shape->set_layout(Layout(*order));
  return order.has_value();
}

// `dense<[1, 0]> : tensor<2xindex>`; nothing after an error.
std::optional<Dims> ReadNumbers(OpImport& op, const Attr& attr) {
  if (attr.kind == Attr::Kind::kDense && attr.type && attr.type->kind == Type::Kind::kShape &&
      IsIntegral(attr.type->shape.element_type())) {
    return op.IntsOf(&attr);
  }
  op.Fail(DiagCode::kAttributeValue,
          fmt::format("expected integers in dense<...>, but got {}", op.TextOf(attr)), attr.range);
  return std::nullopt;
}

// One tile, whose `*` is the least number of 64 bits.
bool ReadTile(OpImport& op, const Attr& attr, std::vector<Tile>* tiles) {
  auto dims = ReadNumbers(op, attr);
  if (!dims) return false;
  for (int64_t& size : *dims) {
    if (size == std::numeric_limits<int64_t>::min()) {
      size = Tile::kCombine;
    } else if (size < 1) {
      return op.Fail(DiagCode::kAttributeValue,
                     fmt::format("the sizes of a tile must be positive, but one is {}", size),
                     attr.range);
    }
  }
  tiles->push_back({std::move(*dims)});
  return true;
}

// A tile, or a list of tiles, of which empty ones say nothing.
bool ReadTiles(OpImport& op, const Attr& attr, std::vector<Tile>* tiles) {
  if (attr.kind != Attr::Kind::kArray) return ReadTile(op, attr, tiles);
  for (const Attr& tile : attr.list) {
    if (!ReadTile(op, tile, tiles)) return false;
    if (tiles->back().dims.empty()) tiles->pop_back();
  }
  return true;
}

// A list of nothing says nothing of what it is for.
const Attr* UnlessEmpty(const Attr* attr) {
  return attr && attr->kind == Attr::Kind::kArray && attr->list.empty() ? nullptr : attr;
}

// What is said of a result may stand in a list of one.
const Attr* WithoutList(const Attr* attr) {
  const bool is_list = attr && attr->kind == Attr::Kind::kArray && attr->list.size() == 1;
  return is_list ? &attr->list[0] : attr;
}

}  // namespace

// Either attribute may be null. For a tuple they are lists of what is said of its elements.
bool Importer::SetLayouts(OpImport& op, const Attr* orders, const Attr* tiles, Shape* shape) {
  orders = UnlessEmpty(orders);
  tiles = UnlessEmpty(tiles);
  if (shape->IsTuple()) {
    std::vector<Shape> parts = shape->elements();
    for (const Attr* list : {orders, tiles}) {
      if (!list || (list->kind == Attr::Kind::kArray && list->list.size() == parts.size()))
        continue;
      std::string types;
      for (const Shape& part : parts) types += (types.empty() ? "" : ", ") + TypeText(part);
      return op.Fail(DiagCode::kAttributeValue,
                     fmt::format("expected a list of {} for ({})", parts.size(), types),
                     list->range);
    }
    for (size_t i = 0; i < parts.size(); ++i) {
      const bool is_set = SetLayouts(op, orders ? &orders->list[i] : nullptr,
                                     tiles ? &tiles->list[i] : nullptr, &parts[i]);
      if (!is_set) return false;
    }
    *shape = Shape::Tuple(std::move(parts));
    return true;
  }
  if (!shape->IsArray() || (!orders && !tiles)) return true;
  auto order = orders ? ReadNumbers(op, *orders) : std::optional<Dims>(Dims());
  if (!order) return false;
  if (order->empty()) order = shape->layout().minor_to_major();
  LayoutExtras extras;
  if (tiles && !ReadTiles(op, *tiles, &extras.tiles)) return false;
  const Layout layout = extras.tiles.empty() ? Layout(*order) : Layout(*order, std::move(extras));
  const Range range = orders ? orders->range : tiles->range;
  if (!ValidateLayout(layout, shape->dims(), range, diagnostics_)) return false;
  shape->set_layout(layout);
  return true;
}

bool Importer::ReadModuleLayouts(ProgramShape* layouts) {
  if (!module_) return false;
  const auto find = [&](std::string_view name) {
    return Resolve(module_->Find(fmt::format("mhlo.xla_entry_computation_{}", name)));
  };
  const Attr *orders = find("parameter_layouts"), *tiles = find("parameter_tiles");
  const Attr *result_order = find("result_layout"), *result_tiles = find("result_tiles");
  static constexpr OpRow kNone;
  Scope scope;
  OpImport op(*this, *module_, kNone, scope);
  Shape parameters = Shape::Tuple(layouts->parameters);
  const bool is_set =
      SetLayouts(op, orders, tiles, &parameters) &&
      SetLayouts(op, WithoutList(result_order), WithoutList(result_tiles), &layouts->result);
  layouts->parameters = parameters.elements();
  return is_set && (orders || tiles || result_order || result_tiles);
}

void Importer::AddModuleAttr(std::string_view name, AttrValue value) {
  for (const AttrDef& def : ModuleAttrs()) {
    if (def.name == name) editor_.module_attrs().push_back({&def, std::move(value), {}, {}});
  }
}

namespace {

// Gives the arguments and results the layouts that their own attributes ask for; whether one does.
bool SetLayoutModes(const Op& function, ProgramShape* layouts) {
  const std::vector<Block::Argument>& arguments = function.regions[0].blocks[0].arguments;
  bool any = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    any |= SetLayoutMode(arguments[i].attrs, &layouts->parameters[i]);
  }
  const bool is_list = function.result_types.size() != 1;
  std::vector<Shape> parts = {layouts->result};
  if (is_list) parts = std::vector<Shape>(layouts->result.elements());
  for (size_t i = 0; i < std::min(parts.size(), function.result_attrs.size()); ++i) {
    any |= SetLayoutMode(function.result_attrs[i], &parts[i]);
  }
  layouts->result = is_list ? Shape::Tuple(std::move(parts)) : std::move(parts[0]);
  return any;
}

}  // namespace

// `mhlo.input_output_alias = [{alias = {kind = "may_alias", parameter_index = array<i64>,
// parameter_number = 0 : i64}, output_index = array<i64: 1>}]`
void Importer::ReadModuleAliases(int64_t parameter_count, std::vector<Alias>* aliases) {
  const Attr* list = module_ ? Resolve(module_->Find("mhlo.input_output_alias")) : nullptr;
  const auto dims_of = [](const Attr& indices) {
    Dims dims;
    for (const Attr& index : indices.list) dims.push_back(index.integer);
    return dims;
  };
  for (size_t i = 0; list && i < list->list.size(); ++i) {
    const Attr& entry = list->list[i];
    const Attr *input = entry.Find("alias"), *output = entry.Find("output_index");
    const Attr* kind = input ? input->Find("kind") : nullptr;
    const Attr* number = input ? input->Find("parameter_number") : nullptr;
    const Attr* index = input ? input->Find("parameter_index") : nullptr;
    const bool is_must = kind && kind->text == "must_alias";
    if (!output || !number || !index || !(is_must || (kind && kind->text == "may_alias")) ||
        number->integer < 0 || number->integer >= parameter_count) {
      Report(DiagCode::kAttributeValue, entry.range,
             fmt::format("expected the kind (may_alias or must_alias) and the index of one of the "
                         "{} parameters, and an output_index",
                         parameter_count));
      continue;
    }
    aliases->push_back({.output_index = dims_of(*output),
                        .operand = number->integer,
                        .operand_index = dims_of(*index),
                        .must_alias = is_must});
  }
}

void Importer::ReadEntryAttrs(const Op& function, const Computation& entry) {
  const std::vector<Block::Argument>& arguments = function.regions[0].blocks[0].arguments;
  // Where sizes are open, arguments with given values are no parameters.
  if (arguments.size() != static_cast<size_t>(entry.parameter_count())) return;
  std::vector<Alias> aliases, donors;
  ReadModuleAliases(entry.parameter_count(), &aliases);
  ProgramShape layouts = {.parameters = {}, .result = entry.result_shape()};
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto number = static_cast<int64_t>(i);
    const std::vector<Attr::Field>& attrs = arguments[i].attrs;
    if (const Attr* output = FindField(attrs, "tf.aliasing_output")) {
      const Dims index = layouts.result.IsTuple() ? Dims{output->integer} : Dims{};
      if (output->integer < 0 ||
          output->integer >= static_cast<int64_t>(function.result_types.size())) {
        Report(DiagCode::kAttributeValue, output->range,
               fmt::format("no result has the number {}", output->integer));
      }
      aliases.push_back({.output_index = index, .operand = number, .operand_index = {}});
    } else if (const Attr* donor = FindField(attrs, "jax.buffer_donor");
               donor && (donor->integer != 0 || donor->kind == Attr::Kind::kUnit)) {
      donors.push_back({.output_index = {}, .operand = number, .operand_index = {}});
    }
    layouts.parameters.push_back(entry.parameter_shape(static_cast<int>(i)));
  }
  bool has_layout = ReadModuleLayouts(&layouts);
  has_layout |= SetLayoutModes(function, &layouts);
  if (!aliases.empty()) AddModuleAttr("input_output_alias", std::move(aliases));
  if (!donors.empty()) AddModuleAttr("buffer_donor", std::move(donors));
  if (has_layout) AddModuleAttr("entry_computation_layout", std::move(layouts));
}

}  // namespace hlo::mlir
