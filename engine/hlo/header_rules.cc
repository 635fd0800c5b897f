// The header of a module fits its entry computation.
// Source: XLA, hlo_verifier.cc, VerifyEntryComputationLayout; hlo_input_output_alias_config.cc.
#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "engine/hlo/verifier_rules.h"
#include "engine/ops/control/aliases.h"
#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

class HeaderChecks {
 public:
  HeaderChecks(const VerifierScope& scope, const Computation& entry)
      : scope_(scope), entry_(entry) {}

  void Check() {
    const AttrList& attrs = scope_.module.attrs();
    if (const Attr* attr = attrs.Find("entry_computation_layout")) CheckEntryLayout(*attr);
    if (const Attr* attr = attrs.Find("input_output_alias")) CheckAliases(*attr);
    if (const Attr* attr = attrs.Find("buffer_donor")) CheckDonors(*attr);
  }

 private:
  void Report(const Attr& attr, std::string message) {
    scope_.out.Report(DiagCode::kHeaderAttribute, attr.range, std::move(message));
  }
  std::string Text(const Shape& shape) const {
    return scope_.options.layout_sensitive ? ShapeText(shape) : ShapeName(shape);
  }

  /// Layouts, where they count, are compared without what layout assignment leaves open.
  bool Same(const Shape& a, const Shape& b) const {
    if (!scope_.options.layout_sensitive) return Shape::Compatible(a, b);
    return Shape::Equal(
        a, b, {.layout_parts = {.tiles = false, .tail_alignment = false, .memory_space = false}});
  }

  void CheckEntryLayout(const Attr& attr) {
    const auto& layout = std::get<ProgramShape>(attr.value);
    if (!Same(layout.result, entry_.result_shape())) {
      Report(attr, fmt::format("Shape of the root instruction of entry computation ({}) should be "
                               "compatible to one specified in module's entry computation layout "
                               "({})",
                               Text(entry_.result_shape()), Text(layout.result)));
    }
    if (static_cast<int>(layout.parameters.size()) != entry_.parameter_count()) {
      Report(attr, fmt::format("Number of parameters in entry computation layout ({}) must be same "
                               "as number of parameters of entry computation ({})",
                               layout.parameters.size(), entry_.parameter_count()));
      return;
    }
    for (int i = 0; i < entry_.parameter_count(); ++i) {
      const Shape& shape = layout.parameters[static_cast<size_t>(i)];
      if (Same(shape, entry_.parameter_shape(i))) continue;
      Report(attr, fmt::format("Shape of the entry computation parameter {} is {} should be "
                               "compatible to the one specified in module's entry computation "
                               "layout {}",
                               i, Text(entry_.parameter_shape(i)), Text(shape)));
    }
  }

  /// The array of a parameter that an alias or a donor names; null after a report. The parser has
  /// checked that there is such a part.
  const Shape* InputArray(const Attr& attr, const Alias& alias) {
    if (alias.operand < 0 || alias.operand >= entry_.parameter_count()) return nullptr;
    const Shape& parameter = entry_.parameter_shape(static_cast<int>(alias.operand));
    const Shape* part = SubShape(parameter, alias.operand_index);
    if (!part || part->IsArray()) return part;
    Report(attr, fmt::format("{}: parameter {} is {} and has no array {}", attr.def->name,
                             alias.operand, ShapeName(parameter), DimsText(alias.operand_index)));
    return nullptr;
  }

  void CheckAliases(const Attr& attr) {
    std::map<Path, const Alias*> by_output;
    for (const Alias& alias : std::get<std::vector<Alias>>(attr.value)) {
      const std::string input = DimsText(alias.operand_index);
      const std::string output = DimsText(alias.output_index);
      const auto [other, is_new] = by_output.emplace(PathOf(alias.output_index), &alias);
      if (!is_new) {
        Report(attr,
               fmt::format("the result at index {} is already aliased with param {} at {}", output,
                           other->second->operand, DimsText(other->second->operand_index)));
        continue;
      }
      if (!inputs_.emplace(alias.operand, PathOf(alias.operand_index)).second) {
        Report(attr, fmt::format("input_output_alias gives parameter {} at index {} to two results",
                                 alias.operand, input));
        continue;
      }
      const Shape* from = InputArray(attr, alias);
      if (!from) continue;
      const Shape* to = SubShape(entry_.result_shape(), alias.output_index);
      if (!to) continue;
      if (!to->IsArray()) {
        Report(attr, fmt::format("input_output_alias: the result is {} and has no array {}",
                                 ShapeName(entry_.result_shape()), output));
        continue;
      }
      const int64_t from_bytes = from->stored_bytes();
      const int64_t to_bytes = to->stored_bytes();
      if (scope_.options.layout_sensitive && from_bytes != to_bytes) {
        Report(attr, fmt::format("Expected aliased input {} at index {} and output at index {} to "
                                 "have the same size. Input sub-shape is {} with size {}, output "
                                 "sub-shape is {} with size {}",
                                 alias.operand, input, output, ShapeText(*from), from_bytes,
                                 ShapeText(*to), to_bytes));
      }
      if (alias.must_alias) CheckMustAlias(attr, alias);
    }
  }

  /// Values that share a buffer have the same shape, layout and memory space in the entry layout.
  void CheckMustAlias(const Attr& attr, const Alias& alias) {
    const ProgramShape* layout = scope_.module.attrs().GetProgramShape("entry_computation_layout");
    const size_t number = static_cast<size_t>(alias.operand);
    if (layout && number >= layout->parameters.size()) return;
    const Shape& parameter =
        layout ? layout->parameters[number] : entry_.parameter_shape(static_cast<int>(number));
    const Shape& result = layout ? layout->result : entry_.result_shape();
    const Shape* from = SubShape(parameter, alias.operand_index);
    const Shape* to = SubShape(result, alias.output_index);
    if (!from || !to || *from == *to) return;
    Report(attr, fmt::format("Shape and memory space of the result at index {} ({}) must be the "
                             "same as the shape and memory space of aliased parameter {} at index "
                             "{} ({})",
                             DimsText(alias.output_index), ShapeText(*to), alias.operand,
                             DimsText(alias.operand_index), ShapeText(*from)));
  }

  void CheckDonors(const Attr& attr) {
    for (const Alias& donor : std::get<std::vector<Alias>>(attr.value)) {
      if (!InputArray(attr, donor)) continue;
      if (!inputs_.count({donor.operand, PathOf(donor.operand_index)})) continue;
      Report(attr, fmt::format("Input {} at index {} is registered as a buffer donor. However, it "
                               "is also in the input output alias config.",
                               donor.operand, DimsText(donor.operand_index)));
    }
  }

  const VerifierScope& scope_;
  const Computation& entry_;
  std::set<std::pair<int64_t, Path>> inputs_;  ///< what is aliased
};

}  // namespace

void VerifyHeader(const VerifierScope& scope) {
  if (scope.module.entry()) HeaderChecks(scope, *scope.module.entry()).Check();
}

}  // namespace hlo
