#include "engine/ops/control/aliases.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

void ReportAlias(const OpCall& call, std::string_view message, Diagnostics& out) {
  ReportAttr(call, kAliasingAttr.name, DiagCode::kAttributeValue, message, out);
}

/// The operand of an alias; null after an error.
const Shape* AliasedOperand(const OpCall& call, std::span<const Shape* const> operands,
                            const Alias& alias, Diagnostics& out) {
  if (alias.operand < 0) {
    ReportAlias(call, "Invalid aliasing operand index. Negative operand number in aliasing config.",
                out);
    return nullptr;
  }
  if (alias.operand < static_cast<int64_t>(operands.size())) {
    return operands[static_cast<size_t>(alias.operand)];
  }
  ReportAlias(
      call,
      fmt::format("Invalid aliasing operand index. Operand number {} in aliasing config is out "
                  "of bounds.",
                  alias.operand),
      out);
  return nullptr;
}

bool HasOneElement(const Shape& shape) {
  return shape.IsArray() && std::all_of(shape.dims().begin(), shape.dims().end(),
                                        [](int64_t size) { return size == 1; });
}

}  // namespace

const Shape* SubShape(const Shape& shape, std::span<const int64_t> index) {
  const Shape* at = &shape;
  for (int64_t i : index) {
    if (!at->IsTuple() || i < 0 || i >= static_cast<int64_t>(at->elements().size())) return nullptr;
    at = &at->elements()[static_cast<size_t>(i)];
  }
  return at;
}

bool LeadTo(std::span<const Alias> aliases, const Shape& result) {
  return std::all_of(aliases.begin(), aliases.end(), [&](const Alias& alias) {
    return SubShape(result, alias.output_index) != nullptr;
  });
}

void CheckAliasedShapes(const OpCall& call, const Shape& from, const Shape& to,
                        const AliasRule& rule, Diagnostics& out) {
  Shape::EqualOptions options = rule.equal;
  if (!call.layout_sensitive()) options.layout = options.dynamic = false;
  if (rule.scalars_move && HasOneElement(from)) options.layout_parts.memory_space = false;
  if (Shape::Equal(from, to, options)) return;
  ReportAlias(call,
              fmt::format("Different aliasing shapes: {} vs {}", ShapeText(from), ShapeText(to)),
              out);
}

void CheckAliases(const OpCall& call, const Shape& result, std::span<const Shape* const> operands,
                  const AliasRule& rule, Diagnostics& out) {
  for (const Alias& alias : call.Aliases(kAliasingAttr.name)) {
    const Shape* operand = AliasedOperand(call, operands, alias, out);
    if (!operand) continue;
    const Shape* to = SubShape(result, alias.output_index);
    const Shape* from = SubShape(*operand, alias.operand_index);
    if (!to) {
      ReportAlias(call,
                  fmt::format("Invalid aliasing output shape index. {} has no part {}",
                              ShapeName(result), DimsText(alias.output_index)),
                  out);
    }
    if (!from) {
      ReportAlias(call,
                  fmt::format("Invalid aliasing operand shape index. {} has no part {}",
                              ShapeName(*operand), DimsText(alias.operand_index)),
                  out);
    }
    if (to && from && !rule.any_shapes) CheckAliasedShapes(call, *from, *to, rule, out);
  }
}

void CheckAliases(const OpCall& call, const AliasRule& rule, Diagnostics& out) {
  if (!call.written() || call.Aliases(kAliasingAttr.name).empty()) return;
  std::vector<const Shape*> operands;
  operands.reserve(static_cast<size_t>(call.operand_count()));
  for (int i = 0; i < call.operand_count(); ++i) operands.push_back(&call.operand(i));
  CheckAliases(call, *call.written(), operands, rule, out);
}

}  // namespace hlo
