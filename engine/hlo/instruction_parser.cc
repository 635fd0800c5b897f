// One instruction: `[ROOT] name = [shape] opcode(operands), attributes`.
// Source: reference/hlo-text.md section 4.
#include <fmt/format.h>

#include <algorithm>

#include "engine/hlo/module_parser.h"
#include "engine/hlo/suggestion.h"

namespace hlo {
namespace {

/// The enumerators' names ("DynamicReshape"), which XLA's messages use.
constexpr std::string_view kOpcodeNames[] = {
#define OP(name, text, min_operands, max_operands) #name,
#include "engine/ops/ops.def"
};
constexpr std::string_view kOpcodeTexts[] = {
#define OP(name, text, min_operands, max_operands) text,
#include "engine/ops/ops.def"
};

const AttrDef* FindRow(std::span<const AttrDef> rows, std::string_view name) {
  for (const AttrDef& row : rows) {
    if (row.name == name && row.use != AttrUse::kPositional) return &row;
  }
  return nullptr;
}

const AttrDef* PositionalRow(std::span<const AttrDef> rows) {
  for (const AttrDef& row : rows) {
    if (row.use == AttrUse::kPositional) return &row;
  }
  return nullptr;
}

// What XLA's sanitiser would make of a name: type words get a `_`, a leading `__` an `a`.
std::string SanitizedName(std::string_view name, bool percent) {
  if (!percent && (ElementTypeFromText(name) || name == "token" || name == "opaque")) {
    return fmt::format("{}_", name);
  }
  if (name.substr(0, 2) == "__" && name.substr(0, 6) != "__xla_") {
    return fmt::format("a{}", name.substr(1));
  }
  return {};
}

// Levels of tuples, at most as many as ParseShape reads.
int TupleDepth(const Shape& shape) {
  if (!shape.IsTuple()) return 0;
  int deepest = 0;
  for (const Shape& element : shape.elements()) deepest = std::max(deepest, TupleDepth(element));
  return deepest + 1;
}

}  // namespace

bool ModuleParser::ParseInstruction(ComputationScope& scope) {
  InstructionHead head;
  lex.SkipSpace();
  head.begin = lex.pos();
  head.is_root = lex.At(0) == 'R' && lex.ConsumeWord("ROOT");
  bool percent = false;
  head.name = lex.ConsumeName(&head.name_range, &percent);
  if (head.name.empty()) {
    scope.broken = true;
    return lex.Fail("expects name of an instruction");
  }
  bool ok = true;
  if (!percent && lex.At(0) == '=') {
    // XLA reads `x=` as the name of an attribute. The fault is local: go on behind it.
    diagnostics_
        .Report(DiagCode::kSyntaxError, head.name_range,
                fmt::format("expects '=' in instruction, apart from the name: `{}=` reads as an "
                            "attribute",
                            head.name))
        .fixes.push_back({"put a space before '='", {lex.pos(), lex.pos()}, " "});
  }
  Instruction* instruction = nullptr;
  if (!percent && lex.At(0) == '[') {
    // The word was an element type: the instruction has no name.
    lex.set_pos(head.name_range.begin);
    scope.broken = true;
    return lex.Fail("expects name of an instruction before its shape");
  }
  if (lex.Read('=', "expects '=' in instruction")) {
    CheckName(head, percent);
    instruction = ParseInstructionBody(scope, head, &ok);
  } else {
    ok = false;
  }
  if (!instruction) Define(scope, head, nullptr, true);
  return ok && instruction;
}

// With a `%` even type words are names.
void ModuleParser::CheckName(const InstructionHead& head, bool percent) {
  std::string sanitized = SanitizedName(head.name, percent);
  if (sanitized.empty()) return;
  diagnostics_
      .Report(DiagCode::kInstructionName, head.name_range,
              fmt::format("instruction name `{}` is reserved: XLA changes it to `{}`", head.name,
                          sanitized))
      .fixes.push_back({"rename the instruction", head.name_range, sanitized});
}

Instruction* ModuleParser::ParseInstructionBody(ComputationScope& scope, InstructionHead& head,
                                                bool* ok) {
  *ok = false;
  if (!ReadHeadShape(head) || !ReadOpcode(head)) return nullptr;
  Attr positional;
  OperandList operands;
  positional.def = PositionalRow(GetOpDef(head.opcode).attrs);
  if (positional.def ? !ParsePositional(*positional.def, head, &positional)
                     : !ParseOperands(scope, &operands)) {
    return nullptr;
  }
  Instruction* instruction = AddInstruction(scope, head, operands);
  if (positional.def) editor_.attrs(instruction).push_back(std::move(positional));
  AttrList wrapped_attrs;
  size_t errors = diagnostics_.error_count();
  *ok = head.nested || ParseAttributes(scope, instruction, head, &wrapped_attrs);
  editor_.places(instruction).whole = {head.begin, lex.last_end()};
  if (head.opcode == Opcode::kParameter) NoteParameter(scope, instruction);
  bool complete = diagnostics_.error_count() == errors && !operands.broken &&
                  !CallsBroken(instruction->attrs());
  complete = complete && CheckAttributes(*instruction, wrapped_attrs, head) &&
             CheckOperandCount(*instruction, head) &&
             JoinChain(scope, instruction, head, std::move(wrapped_attrs));
  if (complete && head.shape) CorrectShape(instruction, head);
  bool broken = !head.shape && !(complete && InferShape(instruction, head));
  Define(scope, head, instruction, broken);
  return instruction;
}

bool ModuleParser::ReadHeadShape(InstructionHead& head) {
  if (head.shape || !AtShape()) return true;
  head.shape_range.begin = lex.pos();
  head.shape = ReadShape();
  head.shape_range.end = lex.last_end();
  return head.shape.has_value();
}

bool ModuleParser::ReadOpcode(InstructionHead& head) {
  lex.SkipSpace();
  head.opcode_range.begin = lex.pos();
  std::string_view word = lex.ConsumeIdentifier();
  head.opcode_range.end = lex.pos();
  if (word.empty()) return lex.Fail("expects opcode");
  std::optional<Opcode> opcode = OpcodeFromText(word);
  if (opcode) head.opcode = *opcode;
  if (opcode || ReadAsyncOpcode(word, head)) return true;
  Diagnostic& d = diagnostics_.Report(DiagCode::kOpcodeUnknown, head.opcode_range,
                                      fmt::format("Unknown opcode: {}", word));
  AddSuggestion(word, kOpcodeTexts, head.opcode_range, &d);
  return false;
}

// `(value)` instead of operands: constant and parameter.
bool ModuleParser::ParsePositional(const AttrDef& def, const InstructionHead& head, Attr* attr) {
  if (def.kind == AttrKind::kLiteral && !head.shape) {
    diagnostics_.Report(
        DiagCode::kShapeMissing, head.opcode_range,
        fmt::format("the result shape of {} must be written: its value is read by it",
                    Text(head.opcode)));
    return false;
  }
  if (def.kind == AttrKind::kLiteral && TupleDepth(*head.shape) > options_.max_depth) {
    diagnostics_.Report(
        DiagCode::kRecursionLimit, head.shape_range,
        fmt::format("maximum recursion depth exceeded: a tuple literal of more than "
                    "{} levels",
                    options_.max_depth));
    return false;
  }
  if (!lex.Read('(', "expects '(' after the opcode")) return false;
  attr->range = lex.TokenRange();
  result_shape = head.shape ? &*head.shape : nullptr;
  bool ok = GetAttrText(def.kind).read(*this, def, &attr->value);
  result_shape = nullptr;
  if (!ok) return false;
  attr->range.end = lex.last_end();
  return lex.Read(')', fmt::format("expects ')' after the value of {}", Text(head.opcode)));
}

Instruction* ModuleParser::AddInstruction(ComputationScope& scope, const InstructionHead& head,
                                          OperandList& operands) {
  Instruction* instruction =
      editor_.AddInstruction(scope.computation.get(), head.name, head.opcode);
  if (head.shape) editor_.SetShape(instruction, *head.shape);
  editor_.operands(instruction) = std::move(operands.instructions);
  Instruction::Places& places = editor_.places(instruction);
  places.name = head.name_range;
  places.shape = head.shape_range;
  places.opcode = head.opcode_range;
  places.operands = std::move(operands.ranges);
  return instruction;
}

// One flag for each leaf of the parameter's shape.
void ModuleParser::CheckReplication(const Instruction& parameter) {
  const Attr* attr = FindAttr(parameter.attrs(), "parameter_replication");
  const auto* flags = attr ? std::get_if<std::vector<bool>>(&attr->value) : nullptr;
  if (!flags) return;
  size_t leaves = 0;
  std::vector<const Shape*> open = {&parameter.shape()};
  while (!open.empty()) {
    const Shape* shape = open.back();
    open.pop_back();
    leaves += !shape->IsTuple();
    if (!shape->IsTuple()) continue;
    for (const Shape& element : shape->elements()) open.push_back(&element);
  }
  if (leaves == flags->size()) return;
  diagnostics_.Report(DiagCode::kAttributeValue, attr->range,
                      fmt::format("parameter has {} leaf buffers, but parameter_replication has {} "
                                  "elements",
                                  leaves, flags->size()));
}

void ModuleParser::NoteParameter(ComputationScope& scope, Instruction* parameter) {
  const Attr& attr = parameter->attrs().front();
  int64_t number = std::get<int64_t>(attr.value);
  if (number < 0) {
    diagnostics_.Report(DiagCode::kParameterNumber, attr.range,
                        fmt::format("parameter number must be >= 0, but is {}", number));
    return;
  }
  scope.parameters.emplace_back(number, parameter);
  if (!parameter->attrs().empty()) CheckReplication(*parameter);
}

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

// False when what follows is not an attribute list; a fault inside a value is stepped over.
bool ModuleParser::ParseAttributes(ComputationScope& scope, Instruction* instruction,
                                   const InstructionHead& head, AttrList* wrapped_attrs) {
  while (lex.Consume(',')) {
    Range name_range = lex.TokenRange();
    std::string_view name = lex.ConsumeIdentifier();
    if (name.empty() || lex.At(0) != '=') {
      if (!name.empty()) lex.set_pos(name_range.begin);
      return lex.Fail("expects an attribute, as in `name=value`, after ','");
    }
    lex.Advance(1);
    name_range.end = lex.pos() - 1;
    uint32_t begin = lex.TokenRange().begin;
    bool of_wrapped = false;
    const AttrDef* def = FindDef(head, name, &of_wrapped);
    AttrList& attrs = of_wrapped ? *wrapped_attrs : editor_.attrs(instruction);
    bool twice = def && FindAttr(attrs, name);
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
  auto broken = [&](const Region* region) { return broken_computations_.count(region) > 0; };
  return std::any_of(attrs.begin(), attrs.end(), [&](const Attr& attr) {
    const auto* region = std::get_if<const Region*>(&attr.value);
    const auto* regions = std::get_if<std::vector<const Region*>>(&attr.value);
    return (region && broken(*region)) ||
           (regions && std::any_of(regions->begin(), regions->end(), broken));
  });
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
                          fmt::format("unexpected attribute \"{}\" of {}; expects one of: {}", name,
                                      Text(head.opcode), fmt::join(allowed, ", ")));
  AddSuggestion(name, allowed, range, &d);
}

bool ModuleParser::CheckAttributes(const Instruction& instruction, const AttrList& wrapped_attrs,
                                   const InstructionHead& head) {
  bool ok = true;
  auto check = [&](Opcode opcode, const AttrList& attrs) {
    for (const AttrDef& def : GetOpDef(opcode).attrs) {
      if (def.use != AttrUse::kRequired || FindAttr(attrs, def.name)) continue;
      diagnostics_.Report(
          DiagCode::kAttributeMissing, head.opcode_range,
          fmt::format("attribute {} is expected but not seen in {}", def.name, Text(opcode)));
      ok = false;
    }
  };
  if (head.wrapped) {
    // Only the start of a chain says what OP does; what follows refers to it.
    if (head.opcode == Opcode::kAsyncStart) check(*head.wrapped, wrapped_attrs);
  } else {
    check(head.opcode, instruction.attrs());
  }
  return ok;
}

bool ModuleParser::CheckOperandCount(const Instruction& instruction, const InstructionHead& head) {
  const OpcodeInfo& info = GetOpcodeInfo(head.opcode);
  int count = instruction.operand_count();
  if (count >= info.min_operands && count <= info.max_operands) return true;
  bool async = head.opcode == Opcode::kAsyncUpdate || head.opcode == Opcode::kAsyncDone;
  std::string message;
  if (async && count == 0) {
    message = "No operand found for AsyncUpdate and AsyncDone";
  } else if (info.max_operands == info.min_operands) {
    message = fmt::format("{} expects {} operand{}, but has {}", info.text, info.min_operands,
                          info.min_operands == 1 ? "" : "s", count);
  } else if (count == 0 && info.min_operands == 1) {
    message = fmt::format("{} requires at least one operand.",
                          kOpcodeNames[static_cast<size_t>(head.opcode)]);
  } else {
    message = fmt::format("{} expects at least {} operands, but has {}", info.text,
                          info.min_operands, count);
  }
  diagnostics_.Report(DiagCode::kOperandCount, head.opcode_range, std::move(message));
  return false;
}

bool ModuleParser::InferShape(Instruction* instruction, const InstructionHead& head) {
  const OpDef& def = GetOpDef(head.opcode);
  if (def.result_shape == ResultShape::kWritten || !def.infer) {
    diagnostics_.Report(DiagCode::kShapeMissing, head.opcode_range,
                        fmt::format("the result shape of {} must be written before the opcode: it "
                                    "does not follow from the operands",
                                    Text(head.opcode)));
    return false;
  }
  std::optional<Shape> shape = def.infer(instruction->CallWithoutShape(), diagnostics_);
  if (shape) editor_.SetShape(instruction, std::move(*shape));
  return shape.has_value();
}

// Sends and receives have the shape that follows from the data: XLA reads the written one (of recv
// its first part) and does not look at it.
void ModuleParser::CorrectShape(Instruction* instruction, const InstructionHead& head) {
  constexpr Opcode kTransfers[] = {Opcode::kSend, Opcode::kSendDone, Opcode::kRecv,
                                   Opcode::kRecvDone};
  const auto* end = std::end(kTransfers);
  if (std::find(std::begin(kTransfers), end, head.opcode) == end) return;
  Diagnostics faults;
  std::optional<Shape> shape = GetOpDef(head.opcode).infer(instruction->Call(), faults);
  if (!shape || faults.has_errors() || Shape::Compatible(*shape, instruction->shape())) return;
  diagnostics_
      .Report(DiagCode::kShapeMismatch, Severity::kWarning, head.shape_range,
              fmt::format("the shape of {} is {}, whatever is written", Text(head.opcode),
                          ShapeName(*shape)))
      .fixes.push_back({"write the shape there is", head.shape_range, ShapeText(*shape)});
  editor_.SetShape(instruction, std::move(*shape));
}

bool ModuleParser::Define(ComputationScope& scope, const InstructionHead& head,
                          Instruction* instruction, bool broken) {
  scope.broken |= instruction == nullptr;
  if (head.nested) return true;
  auto [entry, is_new] =
      scope.names.try_emplace(head.name, NamedInstruction{instruction, broken, head.name_range});
  if (!is_new) {
    diagnostics_
        .Report(DiagCode::kInstructionDuplicate, head.name_range,
                fmt::format("instruction already exists: {}", head.name))
        .notes.push_back({entry->second.name, "instruction previously defined here"});
  }
  if (!head.is_root) return is_new;
  if (scope.root || scope.root_name.end > 0) {
    diagnostics_
        .Report(DiagCode::kRootDuplicate, head.name_range,
                "one computation should have only one ROOT")
        .notes.push_back({scope.root_name, "the first ROOT is here"});
  } else {
    scope.root = instruction;
    scope.root_name = head.name_range;
  }
  return is_new;
}

}  // namespace hlo
