// Calls of computations and of what is outside.
#include <fmt/format.h>

#include <iterator>

#include "engine/mlir/export_rows.h"

namespace hlo::mlir {
namespace {

const std::string* FindKey(const KeyValues& keys, std::string_view name) {
  for (const KeyValue& entry : keys) {
    if (entry.key == name) return &entry.value;
  }
  return nullptr;
}

std::string Quoted(std::string_view text) {
  std::string quoted;
  AppendQuoted(text, &quoted);
  return quoted;
}

// The name behind an @.
std::string SymbolText(std::string_view name) {
  bool is_plain = !name.empty() && !(name[0] >= '0' && name[0] <= '9');
  for (char c : name) {
    is_plain = is_plain && (c == '_' || c == '.' || c == '$' || (c >= '0' && c <= '9') ||
                            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
  }
  return "@" + (is_plain ? std::string(name) : Quoted(name));
}

// `(%0, %1)`.
std::string Parenthesised(const Leaves& operands) {
  std::string text = "(";
  for (size_t i = 0; i < operands.size(); ++i) text += (i > 0 ? ", " : "") + operands[i].name;
  return text + ")";
}

// The callee sees the tuples that the program gives it.
Ssa TupleOf(OpExport& op, const Shape& shape, const Leaves& leaves) {
  Leaves elements;
  size_t next = 0;
  for (const Shape& element : shape.elements()) {
    Leaves own;
    op.Flatten(element, &own);
    for (Ssa& leaf : own) leaf = leaves[next++];
    elements.push_back(element.IsTuple() ? TupleOf(op, element, own) : own[0]);
  }
  std::string text;
  for (const Ssa& element : elements) text += (text.empty() ? " " : ", ") + element.name;
  text += " : " + TypeText(shape);
  return op.Write({"stablehlo.tuple", Form::kWhole, std::move(text)}, {}, {{{}, &shape}})[0];
}

// A call that XLA may replace by an implementation of its own.
void WriteComposite(OpExport& op, const KeyValues& keys, const std::string& name) {
  const Leaves operands = op.Operands();
  std::string text = " " + Quoted(name);
  for (const Ssa& operand : operands) {
    text += (text.back() == '"' ? " " : ", ") + operand.name;
  }
  text += " {";
  if (const std::string* attrs = FindKey(keys, "composite.attributes");
      attrs && attrs->starts_with('{')) {
    text += "composite_attributes = " + *attrs + ", ";
  }
  fmt::format_to(std::back_inserter(text), "decomposition = @{}",
                 op.FunctionName(op.Region("to_apply")));
  if (const std::string* version = FindKey(keys, "composite.version")) {
    text += ", version = " + *version + " : i32";
  }
  op.Set(op.WriteTyped("stablehlo.composite", text + "}", operands, false));
}

}  // namespace

void WriteCall(OpExport& op) {
  const KeyValues& keys = op.call().Keys("frontend_attributes");
  const std::string* name = FindKey(keys, "composite.name");
  if (op.call().Bool("is_composite") && name) return WriteComposite(op, keys, *name);
  op.Set(op.WriteCall(op.Region("to_apply"), op.Operands()));
}

// A fusion may have operands that its computation does not take.
void WriteFusion(OpExport& op) {
  const Computation& fused = op.Region("calls");
  op.Set(op.WriteCall(fused, op.Operands(0, fused.parameter_count())));
}

// The computation that was to run meanwhile runs here, with all operands that it got on the way.
void WriteAsyncDone(OpExport& op) {
  std::vector<const Instruction*> chain;
  for (const Instruction* at = op.op().operand(0);; at = at->operand(0)) {
    chain.push_back(at);
    if (at->opcode() != Opcode::kAsyncUpdate) break;
  }
  const hlo::Region* called = chain.back()->Call().GetRegion("calls");
  std::vector<Leaves> arguments;
  for (size_t i = chain.size(); i-- > 0;) {
    const bool is_start = chain[i]->opcode() == Opcode::kAsyncStart;
    for (int k = is_start ? 0 : 1; k < chain[i]->operand_count(); ++k) {
      arguments.push_back(op.ValueOf(*chain[i]->operand(k)));
    }
  }
  if (!called || static_cast<int>(arguments.size()) != called->parameter_count()) {
    return op.NoCounterpart("a computation that does not get its operands");
  }
  op.Set(op.WriteInline(static_cast<const Computation&>(*called), std::move(arguments)));
}

void WriteCustomCall(OpExport& op) {
  const OpCall& call = op.call();
  const std::string& target = call.String("custom_call_target");
  for (std::string_view name : {"window", "dim_labels", "literal", "to_apply"}) {
    if (!call.Has(name)) continue;
    return op.NoCounterpart(fmt::format("a custom call with {}", name));
  }
  if (target.starts_with("chlo.")) {
    return op.Set(op.Write({target, Form::kArrow}, op.Operands()));
  }
  Leaves operands;
  for (int i = 0; i < op.op().operand_count(); ++i) {
    const Shape& shape = op.op().operand(i)->shape();
    operands.push_back(shape.IsTuple() ? TupleOf(op, shape, op.Operand(i)) : op.In(i));
  }
  std::string text = " " + SymbolText(target) + Parenthesised(operands);
  std::string attrs;
  const auto add = [&](const std::string& attr) { attrs += (attrs.empty() ? "" : ", ") + attr; };
  const int64_t version = call.Word("api_version");
  // A typed call has a dictionary, whose text HLO keeps.
  constexpr int64_t kTyped = 3;
  if (version > 0) add(fmt::format("api_version = {} : i32", version + 1));
  if (const std::string& config = call.String("backend_config"); !config.empty()) {
    const bool is_dict = version == kTyped && config.starts_with('{');
    add("backend_config = " + (is_dict ? config : Quoted(config)));
  }
  if (const auto& called = call.Regions("called_computations"); !called.empty()) {
    std::string names;
    for (const hlo::Region* region : called) {
      names += fmt::format("{}@{}", names.empty() ? "" : ", ",
                           op.FunctionName(static_cast<const Computation&>(*region)));
    }
    add("called_computations = [" + names + "]");
  }
  if (call.Bool("custom_call_has_side_effect")) add("has_side_effect = true");
  if (!attrs.empty()) text += " {" + attrs + "}";
  op.Set(op.WriteTyped("stablehlo.custom_call", std::move(text), operands));
}

}  // namespace hlo::mlir
