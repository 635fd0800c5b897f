// What HLO's module says of the entry's buffers and layouts, as attributes of MLIR's module and of
// the function's arguments. Source: XLA, module_attributes_importer.cc and attribute_importer.cc.
#include <fmt/format.h>

#include <iterator>
#include <limits>
#include <utility>

#include "engine/hlo/sharding.h"
#include "engine/mlir/export/op_export.h"
#include "engine/mlir/text/mlir_text.h"

namespace hlo::mlir {
namespace {

// XLA's own form of a tile's `*`.
Dims WithCombined(Dims tile) {
  for (int64_t& size : tile) {
    if (size == Tile::kCombine) size = std::numeric_limits<int64_t>::min();
  }
  return tile;
}

std::string OrderOf(const Shape& array) {
  return IndexTensorText(array.IsArray() ? array.layout().minor_to_major() : Dims());
}

std::string TilesOf(const Shape& array) {
  std::string text;
  if (array.IsArray()) {
    for (const Tile& tile : array.layout().tiles()) {
      text += (text.empty() ? "" : ", ") + IndexTensorText(WithCombined(tile.dims));
    }
  }
  return "[" + text + "]";
}

// What `text_of` says of an array; of a tuple, a list of that of its elements.
void AppendNested(const Shape& shape, std::string (*text_of)(const Shape&), std::string* out) {
  if (!shape.IsTuple()) {
    *out += text_of(shape);
    return;
  }
  *out += '[';
  for (size_t i = 0; i < shape.elements().size(); ++i) {
    if (i > 0) *out += ", ";
    AppendNested(shape.elements()[i], text_of, out);
  }
  *out += ']';
}

// Whether MLIR's text has to say the layouts: an order that is not the default one, or tiles.
bool HasLayouts(const Shape& shape) {
  bool any = false;
  ForEachArray(shape, [&](const Shape& array) {
    any |= !array.layout().IsDescending() || !array.layout().tiles().empty();
  });
  return any;
}

void AppendLayouts(const Shape& list, std::string_view orders, std::string_view tiles,
                   std::string* out) {
  if (!HasLayouts(list)) return;
  *out += fmt::format("{}mhlo.xla_entry_computation_{} = ", out->empty() ? "" : ", ", orders);
  AppendNested(list, OrderOf, out);
  *out += fmt::format(", mhlo.xla_entry_computation_{} = ", tiles);
  AppendNested(list, TilesOf, out);
}

// Whether the argument's attribute can say it: the whole parameter may be the whole of a result. A
// tuple of one element is one result, which is no array.
bool IsOfWholes(const Alias& alias, const Shape& result) {
  const bool is_list = result.IsTuple() && result.elements().size() != 1;
  return !alias.must_alias && alias.operand_index.empty() &&
         alias.output_index.size() == (is_list ? 1 : 0);
}

// All other aliases are a list of the module's.
void AppendAliases(const Module& module, std::string* out) {
  std::string list;
  for (const Alias& alias : module.attrs().Aliases("input_output_alias")) {
    if (IsOfWholes(alias, module.entry()->result_shape())) continue;
    list += fmt::format(
        "{}{{alias = {{kind = \"{}_alias\", parameter_index = {}, parameter_number = {} : i64}}, "
        "output_index = {}}}",
        list.empty() ? "" : ", ", alias.must_alias ? "must" : "may", I64Array(alias.operand_index),
        alias.operand, I64Array(alias.output_index));
  }
  if (!list.empty()) *out += fmt::format("mhlo.input_output_alias = [{}]", list);
}

}  // namespace

std::string EntryAttrsText(const Module& module) {
  const Computation& entry = *module.entry();
  ProgramShape shapes;
  if (const ProgramShape* written = module.attrs().GetProgramShape("entry_computation_layout")) {
    shapes = *written;
  } else {
    for (const Instruction* parameter : entry.parameters()) {
      shapes.parameters.push_back(parameter->shape());
    }
    shapes.result = entry.result_shape();
  }
  std::string text;
  AppendAliases(module, &text);
  AppendLayouts(Shape::Tuple(std::move(shapes.parameters)), "parameter_layouts", "parameter_tiles",
                &text);
  AppendLayouts(Shape::Tuple({std::move(shapes.result)}), "result_layout", "result_tiles", &text);
  return text;
}

namespace {

// The sharding of a tuple's leaf; null where there is none.
const Sharding* PartOf(const Sharding* sharding, size_t leaf) {
  if (!sharding || sharding->kind != Sharding::Kind::kTuple) return sharding;
  return leaf < sharding->elements.size() ? &sharding->elements[leaf] : nullptr;
}

}  // namespace

void Exporter::AddKeptAttrs(const Instruction& parameter, size_t first, Block* block) {
  const Sharding* sharding = parameter.attrs().GetSharding("sharding");
  const bool is_tuple = parameter.shape().IsTuple();
  for (size_t i = first; i < block->arguments.size(); ++i) {
    const bool is_whole = block->arguments[i].type->shape.IsTuple() == is_tuple;
    std::string text = is_whole
                           ? KeptAttrsText(parameter.Call().Keys("frontend_attributes"), sharding)
                           : KeptAttrsText({}, PartOf(sharding, i - first));
    AddAttrs(std::move(text), &block->arguments[i].attrs);
  }
}

void Exporter::AddResultShardings(const Instruction& root, mlir::Op* function) {
  const Sharding* sharding = root.attrs().GetSharding("sharding");
  const size_t count = function->result_types.size();
  if (!sharding || count == 0) return;
  const bool is_list = count > 1 && sharding->kind == Sharding::Kind::kTuple;
  if (is_list && sharding->elements.size() != count) return;
  function->result_attrs.resize(count);
  for (size_t i = 0; i < count; ++i) {
    AddAttrs(KeptAttrsText({}, is_list ? PartOf(sharding, i) : sharding),
             &function->result_attrs[i]);
  }
}

// What the module says of the entry's buffers, where it is of whole parameters and results.
void Exporter::AddEntryAttrs(Block* block) {
  const size_t count = block->arguments.size();
  std::vector<std::string> texts(count);
  const auto is_whole = [&](const Alias& alias) {
    return alias.operand >= 0 && static_cast<size_t>(alias.operand) < count &&
           alias.operand_index.empty() && texts[static_cast<size_t>(alias.operand)].empty();
  };
  for (const Alias& alias : module_.attrs().Aliases("input_output_alias")) {
    if (!is_whole(alias) || !IsOfWholes(alias, module_.entry()->result_shape())) continue;
    texts[static_cast<size_t>(alias.operand)] = fmt::format(
        "tf.aliasing_output = {} : i32", alias.output_index.empty() ? 0 : alias.output_index[0]);
  }
  for (const Alias& donor : module_.attrs().Aliases("buffer_donor")) {
    if (is_whole(donor)) texts[static_cast<size_t>(donor.operand)] = "jax.buffer_donor = true";
  }
  for (size_t i = 0; i < count; ++i) AddAttrs(std::move(texts[i]), &block->arguments[i].attrs);
}

}  // namespace hlo::mlir
