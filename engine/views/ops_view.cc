#include "engine/views/ops_view.h"

#include <fmt/format.h>

#include <utility>

#include "engine/ops/custom_calls/custom_call_targets.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"

namespace hlo {
namespace {

Opcode OpcodeAt(int i) { return static_cast<Opcode>(i); }

Json AttributeJson(const AttrDef& attr) {
  return ObjectJson({{"name", attr.name},
                     {"syntax", AttrSyntax(attr.kind)},
                     {"required", attr.use != AttrUse::kOptional},
                     {"doc", attr.doc},
                     {"words", attr.words}});
}

// Escapes a cell of a Markdown table, which holds neither line breaks nor bars.
std::string Cell(std::string_view text) {
  std::string cell;
  for (char c : text) {
    if (c == '|') cell += '\\';
    cell += c == '\n' ? ' ' : c;
  }
  return cell;
}

std::string_view FirstSentence(std::string_view doc) {
  const size_t end = doc.find(". ");
  return end == std::string_view::npos ? doc : doc.substr(0, end + 1);
}

std::string AttributesText(const OpDef& def) {
  std::string text;
  for (const AttrDef& attr : def.attrs) {
    fmt::format_to(std::back_inserter(text), "{}`{}`{}", text.empty() ? "" : ", ", attr.name,
                   attr.use == AttrUse::kOptional ? "" : " (required)");
  }
  return text;
}

std::string_view EvaluationText(Opcode opcode) {
  const OpDef& def = GetOpDef(opcode);
  if (opcode == Opcode::kParameter) return "given";
  if (def.loop && def.eval) return "element by element";
  if (def.enter) return "in steps";
  return def.eval ? "as a whole" : "no";
}

}  // namespace

bool IsEvaluated(Opcode opcode) {
  const OpDef& def = GetOpDef(opcode);
  return def.eval || def.enter || opcode == Opcode::kParameter;
}

std::string OpsJson() {
  Json ops = Json::array();
  for (int i = 0; i < kOpcodeCount; ++i) {
    const OpDef& def = GetOpDef(OpcodeAt(i));
    Json attributes = Json::array();
    for (const AttrDef& attr : def.attrs) attributes.push_back(AttributeJson(attr));
    ops.push_back(ObjectJson({{"name", Text(OpcodeAt(i))},
                              {"doc", def.doc},
                              {"source", def.source},
                              {"differs", def.differs},
                              {"types", def.types},
                              {"operands", def.operands},
                              {"evaluated", IsEvaluated(OpcodeAt(i))},
                              {"attributes", std::move(attributes)}}));
  }
  return JsonText(ops);
}

std::string OpsText() {
  std::string text;
  for (int i = 0; i < kOpcodeCount; ++i) {
    fmt::format_to(std::back_inserter(text), "{:<32} {}{}\n", Text(OpcodeAt(i)),
                   IsEvaluated(OpcodeAt(i)) ? "" : "(not run) ",
                   FirstSentence(GetOpDef(OpcodeAt(i)).doc));
  }
  return text;
}

std::string OpsMarkdown(TargetFamilies families) {
  std::string text =
      "# What runs\n\n"
      "Written by `hlo ops --markdown` (`make golden-update`) from the op table; not by hand.\n\n"
      "| opcode | what it computes | operands | types | attributes | evaluated | source |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n";
  for (int i = 0; i < kOpcodeCount; ++i) {
    const OpDef& def = GetOpDef(OpcodeAt(i));
    std::string doc(def.doc);
    if (!def.differs.empty()) doc += fmt::format(" *{}*", def.differs);
    fmt::format_to(std::back_inserter(text), "| `{}` | {} | {} | {} | {} | {} | {} |\n",
                   Text(OpcodeAt(i)), Cell(doc),
                   Cell(fmt::format("{}", fmt::join(def.operands, ", "))), Cell(def.types),
                   Cell(AttributesText(def)), EvaluationText(OpcodeAt(i)), Cell(def.source));
  }
  text +=
      "\nIn italics: where the operation semantics document, XLA and this engine differ.\n\n"
      "## Targets of custom-call that are built in\n\n"
      "Others can be added: `CustomCallTargets::Add` in `custom_calls.h`, `registerCustomCall` in "
      "`wasm/engine_api.ts`. What is called `chlo.` here is also found as `mhlo.`. Errors are "
      "those "
      "of f64 against exact values; narrower floats round once more and are within 0.51 ulps.\n\n"
      "| target | operands | result | what it computes | reads | error | source |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const TargetFamily family : families) {
    for (const BuiltInTarget& target : family()) {
      std::string names = fmt::format("`{}`", target.name);
      for (std::string_view name : NamesIn(target.aliases)) names += fmt::format(", `{}`", name);
      fmt::format_to(std::back_inserter(text), "| {} | {} | {} | {} | {} | {} | {} |\n", names,
                     Cell(target.operands), Cell(target.result), Cell(target.doc),
                     Cell(target.config), Cell(target.error), Cell(target.source));
    }
  }
  return text;
}

}  // namespace hlo
