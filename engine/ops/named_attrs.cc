#include "engine/ops/named_attrs.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "engine/ops/attribute_rows.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

void ReportAttr(Opcode opcode, DiagCode code, std::string_view name, std::string_view why,
                Diagnostics& faults) {
  faults.Report(code, {}, fmt::format("{}: attribute {} {}", Text(opcode), name, why));
}

// A word becomes its number.
bool ReadWord(const AttrDef& def, Opcode opcode, AttrValue* value, Diagnostics& faults) {
  const auto* word = std::get_if<std::string>(value);
  if (def.kind != AttrKind::kWord || !word) return true;
  const auto found = std::find(def.words.begin(), def.words.end(), *word);
  if (found == def.words.end()) {
    ReportAttr(opcode, DiagCode::kAttributeValue, def.name, "has no word " + *word, faults);
    return false;
  }
  *value = static_cast<int64_t>(found - def.words.begin());
  return true;
}

// A missing computation was reported where it should have been made.
bool HasNullRegion(const AttrValue& value) {
  bool has_null = false;
  ForEachRegion(value, [&](const Region* region) { has_null |= region == nullptr; });
  return has_null;
}

}  // namespace

// NOLINTNEXTLINE(performance-unnecessary-value-param): their values are moved from
std::optional<AttrList> ToAttrList(Opcode opcode, NamedAttrs attrs, Diagnostics& faults) {
  AttrList list;
  for (auto& [name, value] : attrs) {
    const AttrDef* def = FindAttrDef(GetOpDef(opcode).attrs, name);
    if (!def) def = FindAttrDef(CommonAttrs(), name);
    if (!def) {
      ReportAttr(opcode, DiagCode::kAttributeUnknown, name, "is not one of this op", faults);
      return std::nullopt;
    }
    if (!ReadWord(*def, opcode, &value, faults) || HasNullRegion(value)) return std::nullopt;
    list.push_back({def, std::move(value), {}, {}});
  }
  for (const AttrDef& def : GetOpDef(opcode).attrs) {
    if (def.use == AttrUse::kOptional || list.Find(def.name)) continue;
    ReportAttr(opcode, DiagCode::kAttributeMissing, def.name, "is expected but not given", faults);
    return std::nullopt;
  }
  return list;
}

bool TakesOperands(Opcode opcode, size_t count) {
  const OpcodeInfo& info = GetOpcodeInfo(opcode);
  return count >= static_cast<size_t>(info.min_operands) &&
         count <= static_cast<size_t>(info.max_operands);
}

}  // namespace hlo
