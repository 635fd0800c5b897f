// The attributes of one instruction: which there may be, which there must be, their values.
// Source: XLA, hlo/parser/hlo_parser.cc, ParseAttributes and ParseInstructionRhs.
#include <fmt/format.h>

#include <algorithm>

#include "engine/hlo/module_parser.h"
#include "engine/hlo/sharding.h"
#include "engine/hlo/suggestion.h"
#include "engine/ops/attribute_rows.h"

namespace hlo {
namespace {

// The value in the parentheses has no name in the text.
const AttrDef* FindRow(std::span<const AttrDef> rows, std::string_view name) {
  const AttrDef* row = FindAttrDef(rows, name);
  return row && row->use != AttrUse::kPositional ? row : nullptr;
}

}  // namespace

const AttrDef* ModuleParser::FindDef(const InstructionHead& head, std::string_view name,
                                     bool* of_wrapped) {
  *of_wrapped = false;
  if (const AttrDef* row = FindRow(GetOpDef(head.opcode).attrs, name)) {
    // `calls` of `fusion-start` is the fusion's; the async op's own is made by the short form.
    if (!head.wrapped || row->kind != AttrKind::kRegion) return row;
  }
  if (head.wrapped) {
    *of_wrapped = true;
    if (const AttrDef* row = FindRow(GetOpDef(*head.wrapped).attrs, name)) return row;
    *of_wrapped = false;
  }
  return FindRow(CommonAttrs(), name);
}

// False when what follows is not an attribute list; a value with a fault is skipped.
bool ModuleParser::ParseAttributes(ComputationScope& scope, Instruction* instruction,
                                   const InstructionHead& head, AttrList* wrapped_attrs) {
  while (lex.Consume(',')) {
    Range name_range = lex.TokenRange();
    std::string_view name = lex.ConsumeIdentifier();
    name_range.end = lex.last_end();
    bool of_wrapped = false;
    const AttrDef* def = name.empty() ? nullptr : FindDef(head, name, &of_wrapped);
    // With a space between, an unknown name is rather that of the next instruction.
    const bool named = def ? lex.Peek() == '=' : !name.empty() && lex.At(0) == '=';
    if (!named) {
      if (!name.empty()) lex.set_pos(name_range.begin);
      return lex.Fail("expects attribute name, as in `name=value`, after ','");
    }
    lex.ReadEquals();
    uint32_t begin = lex.TokenRange().begin;
    AttrList& attrs = of_wrapped ? *wrapped_attrs : editor_.attrs(instruction);
    bool twice = def && attrs.Find(name);
    if (!def) ReportUnknownAttribute(head, name, name_range);
    if (twice) {
      diagnostics_.Report(DiagCode::kAttributeDuplicate, name_range,
                          fmt::format("attribute {} already exists", name));
    }
    if (!def || twice) {
      SkipAttributeValue(begin);
      continue;
    }
    // Read in place: an AttrValue is big, and moving it costs more than reading it.
    Attr& attr = attrs.emplace_back();
    attr.def = def;
    attr.name_range = name_range;
    scope_ = &scope;
    bool ok = GetAttrText(def->kind).read(*this, *def, &attr.value);
    attr.range = {begin, std::max(begin, lex.last_end())};
    if (ok) continue;
    attrs.pop_back();
    SkipAttributeValue(begin);
  }
  return true;
}

bool ModuleParser::CallsBroken(const AttrList& attrs) const {
  if (broken_computations_.empty()) return false;
  bool broken = false;
  for (const Attr& attr : attrs) {
    ForEachRegion(attr.value,
                  [&](const Region* region) { broken |= broken_computations_.count(region) > 0; });
  }
  return broken;
}

void ModuleParser::ReportUnknownAttribute(const InstructionHead& head, std::string_view name,
                                          Range range) {
  std::vector<std::string_view> allowed;
  auto add = [&](std::span<const AttrDef> rows) {
    for (const AttrDef& row : rows) {
      if (row.use != AttrUse::kPositional) allowed.push_back(row.name);
    }
  };
  add(GetOpDef(head.opcode).attrs);
  if (head.wrapped) add(GetOpDef(*head.wrapped).attrs);
  add(CommonAttrs());
  std::sort(allowed.begin(), allowed.end());
  Diagnostic& d =
      diagnostics_.Report(DiagCode::kAttributeUnknown, range,
                          fmt::format("unexpected attribute \"{}\" of {}. Allowed attributes: {}",
                                      name, Text(head.opcode), fmt::join(allowed, ", ")));
  AddSuggestion(name, allowed, range, &d);
}

bool ModuleParser::CheckAttributes(const Instruction& instruction, const AttrList& wrapped_attrs,
                                   const InstructionHead& head) {
  bool ok = true;
  auto check = [&](Opcode opcode, const AttrList& attrs) {
    for (const AttrDef& def : GetOpDef(opcode).attrs) {
      if (def.use != AttrUse::kRequired || attrs.Find(def.name)) continue;
      Diagnostic& d = diagnostics_.Report(
          DiagCode::kAttributeMissing, head.opcode_range,
          fmt::format("attribute {} is expected but not seen in {}", def.name, Text(opcode)));
      ok = false;
      const std::string documented = def.documented ? def.documented(instruction.Call()) : "";
      if (documented.empty()) continue;
      const uint32_t end = instruction.places().whole.end;
      d.fixes.push_back({fmt::format("write {}={}", def.name, documented),
                         {end, end},
                         fmt::format(", {}={}", def.name, documented)});
    }
  };
  if (head.wrapped) {
    // Only the start of a chain has the attributes of OP; its other links refer to it.
    if (head.opcode == Opcode::kAsyncStart) check(*head.wrapped, wrapped_attrs);
  } else {
    check(head.opcode, instruction.attrs());
  }
  return ok;
}

// A sharding is spread over the shape; parameter_replication has one flag for each leaf of it.
void ModuleParser::FitToShape(Instruction* instruction) {
  for (Attr& attr : editor_.attrs(instruction)) {
    if (auto* sharding = std::get_if<std::shared_ptr<const Sharding>>(&attr.value)) {
      *sharding = ForShape(std::move(*sharding), instruction->shape());
    } else if (const auto* flags = std::get_if<std::vector<bool>>(&attr.value)) {
      const auto leaves = static_cast<size_t>(instruction->shape().leaf_count());
      if (leaves == flags->size()) continue;
      diagnostics_.Report(DiagCode::kAttributeValue, attr.range,
                          fmt::format("parameter has {} leaf buffers, but parameter_replication "
                                      "has {} elements",
                                      leaves, flags->size()));
    }
  }
}

}  // namespace hlo
