// One instruction: `[ROOT] name = [shape] opcode(operands), attributes`.
// Source: XLA, hlo/parser/hlo_parser.cc, ParseInstruction and ParseInstructionRhs.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/work_limit.h"
#include "engine/hlo/module_parser.h"
#include "engine/hlo/suggestion.h"
#include "engine/ops/named_attrs.h"
#include "engine/ops/other_names.h"

namespace hlo {
namespace {

/// The enumerators' names ("DynamicReshape"), which XLA's messages use.
constexpr std::string_view kOpcodeNames[] = {
#define OP(name, text, min_operands, max_operands, cost, dependence) #name,
#include "engine/ops/ops.def"
};
constexpr std::string_view kOpcodeTexts[] = {
#define OP(name, text, min_operands, max_operands, cost, dependence) text,
#include "engine/ops/ops.def"
};

const AttrDef* PositionalRow(std::span<const AttrDef> rows) {
  for (const AttrDef& row : rows) {
    if (row.use == AttrUse::kPositional) return &row;
  }
  return nullptr;
}

// What XLA's sanitiser would make of a name: type words get a `_`, a leading `__` an `a`.
std::string SanitizedName(std::string_view name) {
  if (IsTypeWord(name)) return fmt::format("{}_", name);
  if (name.substr(0, 2) == "__" && name.substr(0, 6) != "__xla_") {
    return fmt::format("a{}", name.substr(1));
  }
  return {};
}

}  // namespace

bool ModuleParser::ParseInstruction(ComputationScope& scope) {
  InstructionHead head;
  lex.SkipSpace();
  head.begin = lex.pos();
  head.is_root = lex.At(0) == 'R' && lex.ConsumeWord("ROOT");
  if (!ReadInstructionName(head)) {
    scope.broken = true;
    return false;
  }
  bool ok = false;
  Instruction* instruction = nullptr;
  if (lex.Consume('=')) {
    CheckName(head);
    instruction = ParseInstructionBody(scope, head, &ok);
  } else {
    lex.Fail("expects '=' in instruction");
  }
  if (!instruction) Define(scope, head, nullptr, true);
  return ok && instruction;
}

// `name`, up to the `=`. Documents also put the shape before it: `f32[2] x = add(a, b)`. A single
// instruction may lack its name, if not its shape: the opcode follows then.
bool ModuleParser::ReadInstructionName(InstructionHead& head, bool may_lack) {
  if (AtShape()) {
    Range range{lex.pos(), 0};
    std::optional<Shape> shape = ReadShape();
    if (!shape) return false;
    range.end = lex.last_end();
    head.name = lex.ConsumeName(&head.name_range);
    if (head.name.empty() || lex.Peek() != '=') {
      lex.set_pos(may_lack ? range.end : range.begin);
      if (!may_lack) return lex.Fail("expects name of an instruction before its shape");
      head.name = {};
      head.shape = std::move(shape);
      head.shape_range = range;
      return true;
    }
    ReportShapeBeforeName(head, range, *shape);
    const uint32_t equals = lex.pos();
    lex.Advance(1);
    if (!AtShape()) {
      head.shape = std::move(shape);
      head.shape_range = range;
    }
    lex.set_pos(equals);
    return true;
  }
  bool percent = false;
  head.name = ReadName(&head.name_range, &percent);
  if (head.name.empty()) return lex.Fail("expects name of an instruction");
  if (!percent && lex.At(0) == '=') {
    // XLA reads `x=` as the name of an attribute. The fault is local: parsing continues after it.
    diagnostics_
        .Report(DiagCode::kSyntaxError, head.name_range,
                fmt::format("expects '=' in instruction, apart from the name: `{}=` reads as an "
                            "attribute",
                            head.name))
        .fixes.push_back({"put a space before '='", {lex.pos(), lex.pos()}, " "});
  }
  return true;
}

// At the `=` after the name: the fix puts the shape after that, or drops it if there is one
// already.
void ModuleParser::ReportShapeBeforeName(const InstructionHead& head, Range before,
                                         const Shape& shape) {
  const uint32_t equals = lex.pos();
  lex.Advance(1);
  const bool twice = AtShape();
  lex.set_pos(equals);
  const std::string_view name =
      lex.text().substr(head.name_range.begin, head.name_range.end - head.name_range.begin);
  diagnostics_
      .Report(DiagCode::kSyntaxError, before,
              fmt::format("expects name of an instruction before its shape: the shape of `{}` "
                          "belongs after the '='",
                          head.name))
      .fixes.push_back(
          twice ? Fix{"remove the shape before the name", {before.begin, head.name_range.begin}, ""}
                : Fix{"put the shape after '='",
                      {before.begin, equals + 1},
                      fmt::format("{} = {}", name, ShapeText(shape))});
}

// XLA renames what its sanitiser changes, and refuses the text then. A type's word after a `%` can
// only be a name, and is taken as one here.
void ModuleParser::CheckName(const InstructionHead& head) {
  const std::string sanitized = SanitizedName(head.name);
  if (sanitized.empty()) return;
  diagnostics_
      .Report(DiagCode::kInstructionName,
              IsTypeWord(head.name) ? Severity::kWarning : Severity::kError, head.name_range,
              fmt::format("illegal instruction name: {}; suggest renaming to: {}", head.name,
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
  const bool shapes_known = ImplyShapes(instruction, head, operands.shapeless);
  const bool callees_known = FillMissing(scope, *instruction);
  bool complete = shapes_known && callees_known && diagnostics_.error_count() == errors &&
                  !operands.broken && !CallsBroken(instruction->attrs());
  complete = complete && CheckAttributes(*instruction, wrapped_attrs, head) &&
             CheckOperandCount(*instruction, head) &&
             JoinChain(scope, instruction, head, std::move(wrapped_attrs));
  if (complete && head.shape) CorrectShape(instruction, head);
  bool broken = !head.shape && !(complete && InferShape(instruction, head));
  if (!broken) FitToShape(instruction);
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
  if (!head.shape && IsTypeWord(word)) {
    diagnostics_
        .Report(DiagCode::kShapeInvalid, head.opcode_range,
                fmt::format("expects '[' after the element type: a scalar of it is `{}[]`", word))
        .fixes.push_back(
            {"write the shape of a scalar", {head.opcode_range.end, head.opcode_range.end}, "[]"});
    return false;
  }
  std::optional<Opcode> opcode = OpcodeFromText(word);
  if (opcode) head.opcode = *opcode;
  if (opcode || ReadAsyncOpcode(word, head)) return true;
  Diagnostic& d = diagnostics_.Report(
      DiagCode::kOpcodeUnknown, head.opcode_range,
      fmt::format("expects opcode but sees: {0}, error: Unknown opcode: {0}", word));
  if (const std::optional<Opcode> other = OpcodeOfOtherName(word)) {
    d.fixes.push_back({fmt::format("HLO calls this `{}`", Text(*other)), head.opcode_range,
                       std::string(Text(*other))});
  } else {
    AddSuggestion(word, kOpcodeTexts, head.opcode_range, &d);
  }
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
  if (def.kind == AttrKind::kLiteral && head.shape->level_count() > options_.max_depth) {
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

void ModuleParser::NoteParameter(ComputationScope& scope, Instruction* parameter) {
  const Attr& attr = parameter->attrs().front();
  int64_t number = std::get<int64_t>(attr.value);
  if (number < 0) {
    diagnostics_.Report(DiagCode::kParameterNumber, attr.range,
                        fmt::format("parameter number must be >= 0, but is {}", number));
    return;
  }
  scope.parameters.emplace_back(number, parameter);
}

bool ModuleParser::CheckOperandCount(const Instruction& instruction, const InstructionHead& head) {
  const OpcodeInfo& info = GetOpcodeInfo(head.opcode);
  int count = instruction.operand_count();
  if (TakesOperands(head.opcode, static_cast<size_t>(count))) return true;
  bool async = head.opcode == Opcode::kAsyncUpdate || head.opcode == Opcode::kAsyncDone;
  std::string message;
  if (async && count == 0) {
    message = "No operand found for AsyncUpdate and AsyncDone";
  } else if (info.max_operands == info.min_operands) {
    message = fmt::format("{} expects {} operands, but has {} operands", info.text,
                          info.min_operands, count);
  } else if (count == 0 && info.min_operands == 1) {
    message = fmt::format("{} requires at least one operand.",
                          kOpcodeNames[static_cast<size_t>(head.opcode)]);
  } else {
    message = fmt::format("{} expects at least {} operands, but has {} operands", info.text,
                          info.min_operands, count);
  }
  diagnostics_.Report(DiagCode::kOperandCount, head.opcode_range, std::move(message));
  return false;
}

bool ModuleParser::InferShape(Instruction* instruction, const InstructionHead& head) {
  const OpDef& def = GetOpDef(head.opcode);
  if (def.result_shape == ResultShape::kWritten || !def.infer) {
    diagnostics_.Report(DiagCode::kShapeMissing, head.opcode_range,
                        fmt::format("cannot infer shape for opcode: {}. Write the result's shape "
                                    "before the opcode: it does not follow from the operands",
                                    Text(head.opcode)));
    return false;
  }
  std::optional<Shape> shape = hlo::InferShape(instruction->CallWithoutShape(), diagnostics_);
  if (shape) editor_.SetShape(instruction, std::move(*shape));
  return shape.has_value();
}

// Ops that move data to and from the host, and some that order others, have the shape that follows
// from the data: XLA reads the written one (of recv and infeed its first part) and ignores it.
void ModuleParser::CorrectShape(Instruction* instruction, const InstructionHead& head) {
  if (!GetOpDef(head.opcode).ignores_written_shape) return;
  Diagnostics faults;
  std::optional<Shape> shape = hlo::InferShape(instruction->Call(), faults);
  if (!shape || faults.has_errors() || Shape::Compatible(*shape, instruction->shape())) return;
  diagnostics_
      .Report(DiagCode::kShapeMismatch, Severity::kWarning, head.shape_range,
              fmt::format("the shape of {} is {}, whatever is written", Text(head.opcode),
                          ShapeName(*shape)))
      .AddFix("write the shape there is", head.shape_range, ShapeText(*shape));
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
