#include "engine/mlir/text/form_check.h"

#include <fmt/format.h>

#include <string>

#include "engine/mlir/text/op_forms.h"

namespace hlo::mlir {
namespace {

// Whether the assembly format has `item = ...`.
bool HasItem(const OpForm& form, std::string_view item) {
  if (HasWord(form.items, item)) return true;
  for (size_t at = 0; (at = form.layout.find('@', at)) != std::string_view::npos; ++at) {
    if (KeyBefore(form.layout, at) == item) return true;
  }
  return false;
}

void CheckItems(const Op& op, const OpForm& form, Diagnostics& diagnostics) {
  for (size_t i = 0; i < op.attrs.size(); ++i) {
    const Attr::Field& field = op.attrs[i];
    if (!field.is_item) continue;
    bool is_again = false;
    for (size_t k = 0; k < i; ++k) is_again |= op.attrs[k].name == field.name;
    if (HasItem(form, field.name) && !is_again) continue;
    diagnostics.Report(DiagCode::kSyntaxError, field.value.range,
                       is_again ? fmt::format("'{}' has '{}' twice", op.name, field.name)
                                : fmt::format("the custom form of '{}' has no '{} = ...'; "
                                              "attributes stand in braces behind its operands",
                                              op.name, field.name));
  }
}

// The error in the types after the colon; empty if there is none.
std::string TypesFault(const Op& op, TypeForm form) {
  const size_t count = op.operand_types.size();
  const auto want = [&](size_t wanted) {
    return count == wanted ? std::string()
                           : fmt::format("{} type{}", wanted, wanted == 1 ? "" : "s");
  };
  const bool is_single =
      form == TypeForm::kSame || form == TypeForm::kComplex || form == TypeForm::kSelect;
  if (is_single && op.has_function_type && op.result_types.size() != 1) {
    return "the type of a single result";
  }
  switch (form) {
    case TypeForm::kNone:
      return op.has_function_type || count > 0 ? "no types" : "";
    case TypeForm::kSame:
    case TypeForm::kComplex:
      return op.has_function_type ? "" : want(1);
    case TypeForm::kSelect:
      return op.has_function_type ? "" : want(2);
    case TypeForm::kFirst:
    case TypeForm::kResults:
      return op.has_function_type ? "1 type" : want(1);
    case TypeForm::kOperands:
      return op.has_function_type ? "the types of its operands alone" : "";
    case TypeForm::kFunction:
    case TypeForm::kArrow:
    case TypeForm::kPair:
      return op.has_function_type ? "" : "'->' and the types of its results";
  }
  return "";
}

}  // namespace

void CheckForm(const Op& op, Diagnostics& diagnostics) {
  const OpForm* form = FindForm(op.name);
  if (!form) return;
  CheckItems(op, *form, diagnostics);
  if (op.operand_types.empty() && !op.has_function_type) {
    // Missing types are reported with the values, for an op that has some.
    const bool has_values = !op.operands.empty() || !op.results.empty();
    const bool has_types = form->types != TypeForm::kNone && form->types != TypeForm::kOperands;
    if (has_values || !has_types || form->print) return;
  }
  const std::string fault = TypesFault(op, form->types);
  if (fault.empty()) return;
  diagnostics.Report(DiagCode::kSyntaxError, op.name_range,
                     fmt::format("expected {} behind the ':' of '{}'", fault, op.name));
}

}  // namespace hlo::mlir
