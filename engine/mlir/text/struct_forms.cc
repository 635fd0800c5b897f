#include "engine/mlir/text/struct_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "engine/mlir/text/op_forms.h"

namespace hlo::mlir {
namespace {

constexpr StructForm kStructs[] = {
    {"axis_ref", "name sub_axis_info", true},
    {.name = "channel_handle", .fields = "handle type", .shows_all = true, .needs_all = true},
    {.name = "dot",
     .fields = "lhs_batching_dimensions rhs_batching_dimensions lhs_contracting_dimensions "
               "rhs_contracting_dimensions",
     .takes_comma = true},
    {.name = "dot_algorithm",
     .fields = "lhs_precision_type rhs_precision_type accumulation_type lhs_component_count "
               "rhs_component_count num_primitive_operations allow_imprecise_accumulation",
     .shows_all = true,
     .needs_all = true},
    {.name = "gather",
     .fields = "offset_dims collapsed_slice_dims operand_batching_dims start_indices_batching_dims "
               "start_index_map index_vector_dim",
     .takes_comma = true},
    {"mesh", "axes device_ids", true},
    {"mesh_axis", "name size", true},
    {.name = "output_operand_alias",
     .fields = "output_tuple_indices operand_index operand_tuple_indices",
     .shows_all = true,
     .needs_all = true},
    {.name = "ragged_dot",
     .fields = "lhs_batching_dimensions rhs_batching_dimensions lhs_contracting_dimensions "
               "rhs_contracting_dimensions lhs_ragged_dimensions rhs_group_dimensions",
     .takes_comma = true},
    {"replica_group_mesh_axes", "mesh axes", true},
    {"result_accuracy", "atol rtol ulps mode"},
    {.name = "scatter",
     .fields = "update_window_dims inserted_window_dims input_batching_dims "
               "scatter_indices_batching_dims "
               "scatter_dims_to_operand_dims index_vector_dim",
     .takes_comma = true},
};

// Attributes in angle brackets that are not structs: an enumerator, or a syntax of their own.
constexpr std::string_view kEnumerations =
    "comparison_direction comparison_type custom_call_api_version fft_type precision "
    "result_accuracy_mode rng_algorithm rng_distribution transpose";
constexpr std::string_view kOthers = "bounds conv type_extensions";

std::string_view WithoutDialect(std::string_view name) {
  name.remove_prefix(std::min(name.find('.') + 1, name.size()));
  return name;
}

// `#stablehlo.fft_type<FFT>`, `#stablehlo<fft_type FFT>`: the error in an attribute that is not a
// struct; empty if there is none.
std::string OtherFault(const Attr& attr) {
  const bool is_short = attr.name.find('.') == std::string_view::npos;
  const bool has_name =
      !is_short || (!attr.list.empty() && attr.list.front().kind == Attr::Kind::kWord);
  if (!has_name) return fmt::format("expected the name of an attribute in #{}<...>", attr.name);
  const std::string_view name = is_short ? attr.list.front().text : WithoutDialect(attr.name);
  if (HasWord(kEnumerations, name)) {
    const bool is_word = attr.fields.empty() && attr.list.size() == (is_short ? 2 : 1) &&
                         attr.list.back().kind == Attr::Kind::kWord;
    return is_word ? "" : fmt::format("#{} takes one word", attr.name);
  }
  // MHLO has more fields, which StableHLO leaves out.
  const bool is_known = HasWord(kOthers, name) || attr.name.starts_with("mhlo");
  if (is_known) return "";
  return is_short ? fmt::format("there is no attribute {} in #{}<...>", name, attr.name)
                  : fmt::format("StableHLO has no attribute #{}", attr.name);
}

std::string MissingField(const StructForm& form, const Attr& attr) {
  std::string_view rest = form.fields;
  while (!rest.empty()) {
    const std::string_view name = rest.substr(0, rest.find(' '));
    if (!attr.Find(name)) {
      return fmt::format("#{} is missing required parameter: {}", attr.name, name);
    }
    rest.remove_prefix(std::min(name.size() + 1, rest.size()));
  }
  return "";
}

}  // namespace

const StructForm* FindStruct(std::string_view name) {
  name = WithoutDialect(name);
  for (const StructForm& form : kStructs) {
    if (form.name == name) return &form;
  }
  return nullptr;
}

bool TakesLastComma(std::string_view name) {
  const StructForm* form = FindStruct(name);
  return form ? form->takes_comma : WithoutDialect(name) == "conv";
}

std::string StructFault(const Attr& attr) {
  const StructForm* form = FindStruct(attr.name);
  if (!form) return OtherFault(attr);
  if (!attr.list.empty())
    return fmt::format("expected fields of #{}, as in name = value", attr.name);
  for (size_t i = 0; i < attr.fields.size(); ++i) {
    const std::string_view name = attr.fields[i].name;
    if (!HasWord(form->fields, name)) return fmt::format("#{} has no '{}'", attr.name, name);
    if (FindField(std::span(attr.fields).first(i), name)) {
      return fmt::format("#{} has '{}' twice", attr.name, name);
    }
  }
  return form->needs_all ? MissingField(*form, attr) : "";
}

}  // namespace hlo::mlir
