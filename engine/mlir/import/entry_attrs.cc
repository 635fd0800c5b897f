// What the attributes of the entry's arguments and results say of buffers and layouts. In HLO these
// are attributes of the module.
// Source: XLA, mlir_hlo_to_hlo.cc.
#include <algorithm>
#include <optional>
#include <utility>

#include "engine/base/permutation.h"
#include "engine/mlir/import/op_import.h"
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

const Attr* FindField(const std::vector<Attr::Field>& fields, std::string_view name) {
  for (const Attr::Field& field : fields) {
    if (field.name == name) return &field.value;
  }
  return nullptr;
}

// Gives a shape the layout that its attributes ask for.
bool SetLayout(const std::vector<Attr::Field>& fields, Shape* shape) {
  const Attr* mode = FindField(fields, "mhlo.layout_mode");
  const auto order = mode ? ReadOrder(mode->text, *shape) : std::nullopt;
  if (order) shape->set_layout(Layout(*order));
  return order.has_value();
}

}  // namespace

void Importer::AddModuleAttr(std::string_view name, AttrValue value) {
  for (const AttrDef& def : ModuleAttrs()) {
    if (def.name == name) editor_.module_attrs().push_back({&def, std::move(value), {}, {}});
  }
}

void Importer::ReadEntryAttrs(const Op& function, const Computation& entry) {
  const std::vector<Block::Argument>& arguments = function.regions[0].blocks[0].arguments;
  // Where sizes are open, arguments with given values are no parameters.
  if (arguments.size() != static_cast<size_t>(entry.parameter_count())) return;
  const Shape& result = entry.result_shape();
  std::vector<Alias> aliases, donors;
  ProgramShape layouts;
  bool has_layout = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto number = static_cast<int64_t>(i);
    const std::vector<Attr::Field>& attrs = arguments[i].attrs;
    if (const Attr* output = FindField(attrs, "tf.aliasing_output")) {
      const Dims index = result.IsTuple() ? Dims{output->integer} : Dims{};
      aliases.push_back({.output_index = index, .operand = number, .operand_index = {}});
    } else if (const Attr* donor = FindField(attrs, "jax.buffer_donor");
               donor && (donor->integer != 0 || donor->kind == Attr::Kind::kUnit)) {
      donors.push_back({.output_index = {}, .operand = number, .operand_index = {}});
    }
    layouts.parameters.push_back(entry.parameter_shape(static_cast<int>(i)));
    has_layout |= SetLayout(attrs, &layouts.parameters.back());
  }
  const bool is_list = function.result_types.size() != 1;
  std::vector<Shape> parts = {result};
  if (is_list) parts.assign(result.elements().begin(), result.elements().end());
  for (size_t i = 0; i < std::min(parts.size(), function.result_attrs.size()); ++i) {
    has_layout |= SetLayout(function.result_attrs[i], &parts[i]);
  }
  layouts.result = is_list ? Shape::Tuple(std::move(parts)) : std::move(parts[0]);
  if (!aliases.empty()) AddModuleAttr("input_output_alias", std::move(aliases));
  if (!donors.empty()) AddModuleAttr("buffer_donor", std::move(donors));
  if (has_layout) AddModuleAttr("entry_computation_layout", std::move(layouts));
}

}  // namespace hlo::mlir
