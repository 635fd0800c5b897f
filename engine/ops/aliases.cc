#include "engine/ops/aliases.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

constexpr std::string_view kAttr = kAliasingAttr.name;

/// The operand of an alias, bound now or later; null after a report.
const Shape* AliasedOperand(const OpCall& call, const Alias& alias, const Region* late,
                            Diagnostics& out) {
  if (alias.operand < 0) {
    ReportAttr(call, kAttr, DiagCode::kAttributeValue,
               "Negative operand number in aliasing config.", out);
    return nullptr;
  }
  if (alias.operand < call.operand_count()) return &call.operand(static_cast<int>(alias.operand));
  if (late && alias.operand < late->parameter_count()) {
    return &late->parameter_shape(static_cast<int>(alias.operand));
  }
  ReportAttr(call, kAttr, DiagCode::kAttributeValue,
             fmt::format("Operand number {} in aliasing config is out of bounds.", alias.operand),
             out);
  return nullptr;
}

/// An async output that is still open: `()`.
bool IsOpen(const Shape& shape) { return shape.IsTuple() && shape.elements().empty(); }

/// Whether an index goes through an output that is still open, so that its part is not known yet.
bool LeadsIntoOpen(const Shape& shape, std::span<const int64_t> index) {
  for (size_t n = 0; n < index.size(); ++n) {
    const Shape* part = SubShape(shape, index.first(n));
    if (part && n > 0 && IsOpen(*part)) return true;
  }
  return false;
}

/// The same bytes: a buffer and the array in it are.
bool SameBuffer(const Shape& a, const Shape& b, bool layouts) {
  if (a.IsTuple() || b.IsTuple() || a.IsToken() || b.IsToken()) {
    return Shape::Equal(a, b, {.layout = layouts, .dynamic = false});
  }
  if (a.element_type() != b.element_type() || a.dims() != b.dims()) return false;
  return !layouts || a.layout().minor_to_major() == b.layout().minor_to_major();
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

void CheckAliases(const OpCall& call, const Region* late, Diagnostics& out) {
  if (!call.written()) return;
  for (const Alias& alias : call.Aliases(kAttr)) {
    const Shape* operand = AliasedOperand(call, alias, late, out);
    if (!operand) continue;
    const Shape* to = SubShape(*call.written(), alias.output_index);
    const Shape* from = SubShape(*operand, alias.operand_index);
    if (!to && !LeadsIntoOpen(*call.written(), alias.output_index)) {
      ReportAttr(call, kAttr, DiagCode::kAttributeValue,
                 fmt::format("Invalid aliasing output shape index. {} has no part {}",
                             ShapeName(*call.written()), DimsText(alias.output_index)),
                 out);
    }
    if (!from) {
      ReportAttr(call, kAttr, DiagCode::kAttributeValue,
                 fmt::format("Invalid aliasing operand shape index. {} has no part {}",
                             ShapeName(*operand), DimsText(alias.operand_index)),
                 out);
    }
    if (to && from && !IsOpen(*to) && !SameBuffer(*to, *from, call.layout_sensitive())) {
      ReportAttr(
          call, kAttr, DiagCode::kAttributeValue,
          fmt::format("Different aliasing shapes: {} vs {}", ShapeText(*from), ShapeText(*to)),
          out);
    }
  }
}

}  // namespace hlo
