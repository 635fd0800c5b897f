#include "engine/mlir/struct_forms.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/mlir/op_forms.h"

namespace hlo::mlir {
namespace {

constexpr StructForm kStructs[] = {
    {"axis_ref", "name sub_axis_info", true},
    {"channel_handle", "handle type", true},
    {"dot",
     "lhs_batching_dimensions rhs_batching_dimensions lhs_contracting_dimensions "
     "rhs_contracting_dimensions"},
    {"dot_algorithm",
     "lhs_precision_type rhs_precision_type accumulation_type lhs_component_count "
     "rhs_component_count num_primitive_operations allow_imprecise_accumulation",
     true},
    {"gather",
     "offset_dims collapsed_slice_dims operand_batching_dims start_indices_batching_dims "
     "start_index_map index_vector_dim"},
    {"mesh", "axes device_ids", true},
    {"mesh_axis", "name size", true},
    {"output_operand_alias", "output_tuple_indices operand_index operand_tuple_indices", true},
    {"ragged_dot",
     "lhs_batching_dimensions rhs_batching_dimensions lhs_contracting_dimensions "
     "rhs_contracting_dimensions lhs_ragged_dimensions rhs_group_dimensions"},
    {"replica_group_mesh_axes", "mesh axes", true},
    {"result_accuracy", "atol rtol ulps mode"},
    {"scatter",
     "update_window_dims inserted_window_dims input_batching_dims scatter_indices_batching_dims "
     "scatter_dims_to_operand_dims index_vector_dim"},
};

// Attributes in angle brackets that are no structs: words of an enumeration, and those with a form
// of their own.
constexpr std::string_view kOthers =
    "bounds comparison_direction comparison_type conv custom_call_api_version fft_type precision "
    "result_accuracy_mode rng_algorithm rng_distribution transpose type_extensions";

std::string_view WithoutDialect(std::string_view name) {
  name.remove_prefix(std::min(name.find('.') + 1, name.size()));
  return name;
}

}  // namespace

const StructForm* FindStruct(std::string_view name) {
  name = WithoutDialect(name);
  for (const StructForm& form : kStructs) {
    if (form.name == name) return &form;
  }
  return nullptr;
}

std::string StructFault(const Attr& attr) {
  const StructForm* form = FindStruct(attr.name);
  if (!form) {
    // MHLO has more, which StableHLO leaves out.
    const bool is_other = attr.name.find('.') == std::string_view::npos ||
                          attr.name.starts_with("mhlo.") ||
                          HasWord(kOthers, WithoutDialect(attr.name));
    return is_other ? "" : fmt::format("StableHLO has no attribute #{}", attr.name);
  }
  if (!attr.list.empty())
    return fmt::format("expected fields of #{}, as in name = value", attr.name);
  for (size_t i = 0; i < attr.fields.size(); ++i) {
    const std::string_view name = attr.fields[i].name;
    if (!HasWord(form->fields, name)) return fmt::format("#{} has no '{}'", attr.name, name);
    const auto is_same = [&](const Attr::Field& field) { return field.name == name; };
    if (std::any_of(attr.fields.begin(), attr.fields.begin() + static_cast<int64_t>(i), is_same)) {
      return fmt::format("#{} has '{}' twice", attr.name, name);
    }
  }
  return "";
}

}  // namespace hlo::mlir
