// Operands: `[shape] name`, `name#1#0`, and nested instructions.
// Source: XLA, hlo/parser/hlo_parser.cc, ParseOperands.
#include <fmt/format.h>

#include <algorithm>

#include "engine/hlo/make_instruction.h"
#include "engine/hlo/module_parser.h"
#include "engine/hlo/suggestion.h"
#include "engine/ops/attribute_rows.h"

namespace hlo {

// A shape is a tuple, a word directly followed by `[`, a word of a type and `[`, or `b(...)`.
bool ModuleParser::AtShape() {
  const char first = lex.Peek();
  if (first == '(') return true;
  if (!IsNameStart(first)) return false;
  const std::string_view text = lex.text();
  size_t end = lex.pos() + 1;
  while (end < text.size() && IsNameChar(text[end])) ++end;
  if (end < text.size() && text[end] == '[') return true;
  const std::string_view word = text.substr(lex.pos(), end - lex.pos());
  while (const size_t space = SpaceLength(text, end)) end += space;
  const char next = end < text.size() ? text[end] : '\0';
  return (next == '[' && IsTypeWord(word)) || (next == '(' && word == "b");
}

bool ModuleParser::ParseOperands(ComputationScope& scope, OperandList* operands) {
  if (!lex.Read('(', "expects '(' before the operands")) return false;
  if (lex.Consume(')')) return true;
  do {
    if (!ParseOperand(scope, operands)) return false;
  } while (lex.Consume(','));
  return lex.Read(')', "expects ',' or ')' after an operand");
}

// What a name used as an operand refers to. In a text that is a single instruction, undefined names
// become parameters, of the shape written before them or, for now, of none.
NamedInstruction ModuleParser::FindOperand(ComputationScope& scope, std::string_view name,
                                           Range range, const Shape* shape, OperandList* operands) {
  auto found = scope.names.find(name);
  if (found != scope.names.end()) return found->second;
  if (!scope.makes_parameters || lex.Peek() == '#') {
    ReportUnknownOperand(scope, name, range);
    return {nullptr, true, range};
  }
  Instruction* parameter = MakeParameter(scope, name, range, shape ? *shape : Shape());
  if (!shape) operands->shapeless.push_back(parameter);
  return {parameter, false, range};
}

bool ModuleParser::ParseOperand(ComputationScope& scope, OperandList* operands) {
  Range range{lex.TokenRange().begin, 0};
  Range shape_range{range.begin, 0};
  std::optional<Shape> shape;
  if (AtShape()) {
    shape = ReadShape();
    shape_range.end = lex.last_end();
    if (!shape) return false;
  }
  Instruction* operand = nullptr;
  bool broken = false;
  char next = lex.Peek();
  uint32_t at_name = lex.pos();
  Range name_range;
  bool percent = false;
  std::string_view name = lex.ConsumeName(&name_range, &percent);
  if (name.empty()) {
    bool shape_alone = shape && scope.makes_parameters && (next == ',' || next == ')');
    if (!shape_alone) {
      return lex.Fail("expects name of an operand, or a nested instruction");
    }
    operand = MakeParameter(scope, "", shape_range, *shape);
  } else if (!percent && lex.Peek() == '(') {
    lex.set_pos(at_name);
    operand = ParseNested(scope, std::exchange(shape, std::nullopt), shape_range, &broken);
    if (!operand) return false;
  } else if (lex.Peek() == '=') {
    // The name of the next instruction: the list stops short.
    lex.set_pos(at_name);
    return lex.Fail("expects an operand");
  } else {
    // A reserved word that names nothing has been reported: once is enough.
    if (CheckReserved(name, name_range, percent) || scope.makes_parameters ||
        scope.names.contains(name)) {
      const NamedInstruction found =
          FindOperand(scope, name, name_range, shape ? &*shape : nullptr, operands);
      operand = found.instruction;
      broken = found.broken;
    }
  }
  while (lex.Consume('#')) {
    int64_t index = 0;
    Range index_range = lex.TokenRange();
    if (!lex.ReadInt(&index)) return false;
    if (!operand || broken) continue;
    operand = TupleElement(scope, operand, index, index_range);
    broken = operand == nullptr;
  }
  range.end = lex.last_end();
  operands->broken |= broken || !operand;
  if (!operand) return true;
  if (shape && !broken) CheckOperandShape(*operand, *shape, shape_range);
  operands->instructions.push_back(operand);
  operands->ranges.push_back(range);
  return true;
}

Instruction* ModuleParser::ParseNested(ComputationScope& scope, std::optional<Shape> shape,
                                       Range shape_range, bool* broken) {
  if (!EnterDepth()) return nullptr;
  InstructionHead head;
  lex.SkipSpace();
  head.begin = shape ? shape_range.begin : lex.pos();
  head.nested = true;
  if (shape) head.shape_range = shape_range;
  head.shape = std::move(shape);
  std::string_view word = lex.ConsumeIdentifier();
  head.name_range = {lex.pos() - static_cast<uint32_t>(word.size()), lex.pos()};
  lex.set_pos(head.name_range.begin);
  head.name = editor_.Intern(fmt::format("{}.anon", word));
  bool had_shape = head.shape.has_value();
  size_t errors = diagnostics_.error_count();
  bool ok = false;
  Instruction* instruction = ParseInstructionBody(scope, head, &ok);
  *broken = !had_shape && diagnostics_.error_count() > errors;
  --depth_;
  return instruction;
}

Instruction* ModuleParser::MakeParameter(ComputationScope& scope, std::string_view name,
                                         Range range, Shape shape) {
  int64_t number = static_cast<int64_t>(scope.parameters.size());
  if (name.empty()) name = editor_.Intern(fmt::format("parameter.anon.{}", number));
  Instruction* parameter =
      AddParameter(editor_, scope.computation.get(), name, number, std::move(shape));
  editor_.places(parameter).name = range;
  scope.names.emplace(name, NamedInstruction{parameter, false, range});
  scope.parameters.emplace_back(number, parameter);
  return parameter;
}

// `p#1` is an instruction of its own, made once per tuple and index.
Instruction* ModuleParser::TupleElement(ComputationScope& scope, Instruction* tuple, int64_t index,
                                        Range range) {
  if (!tuple->shape().IsTuple()) {
    diagnostics_.Report(DiagCode::kOperandInvalid, range,
                        fmt::format("GTE operand must be tuple, but has shape: {} (of {})",
                                    ShapeName(tuple->shape()), tuple->name()));
    return nullptr;
  }
  if (index < 0 || index >= static_cast<int64_t>(tuple->shape().elements().size())) {
    diagnostics_.Report(DiagCode::kOperandInvalid, range,
                        fmt::format("GTE index {} out of bounds for shape: {} (of {})", index,
                                    ShapeName(tuple->shape()), tuple->name()));
    return nullptr;
  }
  auto& made = scope.elements[tuple];
  for (const auto& [made_index, element] : made) {
    if (made_index == index) return element;
  }
  std::string_view name = editor_.Intern(fmt::format("{}_{}", tuple->name(), index));
  AttrList attrs;
  attrs.push_back({FindAttrDef(GetOpDef(Opcode::kGetTupleElement).attrs, "index"), index, {}, {}});
  const Shape& shape = tuple->shape().elements()[static_cast<size_t>(index)];
  Instruction* element =
      AddKnown(editor_, scope.computation.get(),
               {Opcode::kGetTupleElement, name, {&tuple, 1}, std::move(attrs), shape});
  editor_.places(element).name = range;
  made.emplace_back(index, element);
  return element;
}

// Operands of a single instruction that have no shape get the result's, or another operand's, where
// the op infers the written result from them. XLA reads a single instruction only with the shapes
// of its operands.
void ModuleParser::ReportImplied(const SmallVector<Instruction*, 4>& operands, const Shape& shape) {
  for (const Instruction* operand : operands) {
    const Range at = operand->places().name;
    diagnostics_
        .Report(DiagCode::kInstructionUnknown, Severity::kWarning, at,
                fmt::format("{} has no shape and is read as {}; XLA says: Operand had no shape in "
                            "HLO text; cannot create parameter for single-instruction module",
                            operand->name(), ShapeName(shape)))
        .fixes.push_back({"write its shape", {at.begin, at.begin}, ShapeText(shape) + " "});
  }
}

bool ModuleParser::ImplyShapes(Instruction* instruction, const InstructionHead& head,
                               const SmallVector<Instruction*, 4>& shapeless) {
  if (shapeless.empty()) return true;
  auto is_shapeless = [&](const Instruction* i) {
    return std::find(shapeless.begin(), shapeless.end(), i) != shapeless.end();
  };
  const OpDef& def = instruction->def();
  std::optional<Shape> implied = head.shape;
  for (const Instruction* operand : instruction->operands()) {
    if (!implied && !is_shapeless(operand)) implied = operand->shape();
  }
  // A comparison gives pred of anything.
  const bool says_type = instruction->opcode() != Opcode::kCompare || !head.shape;
  const OpcodeInfo& info = GetOpcodeInfo(instruction->opcode());
  const int count = instruction->operand_count();
  const bool counted = count >= info.min_operands && count <= info.max_operands;
  if (implied && counted && def.elementwise && def.result_shape == ResultShape::kInferred &&
      says_type) {
    for (Instruction* operand : shapeless) editor_.SetShape(operand, *implied);
    Diagnostics trial;
    const std::optional<Shape> result = def.infer(instruction->CallWithoutShape(), trial);
    if (result && !trial.has_errors() && (!head.shape || Shape::Compatible(*result, *head.shape))) {
      ReportImplied(shapeless, *implied);
      return true;
    }
  }
  for (const Instruction* operand : shapeless) {
    diagnostics_.Report(
        DiagCode::kInstructionUnknown, operand->places().name,
        fmt::format("instruction does not exist: {}. Operand had no shape in HLO text; cannot "
                    "create parameter for single-instruction module. Write its shape before it",
                    operand->name()));
  }
  return false;
}

void ModuleParser::ReportUnknownOperand(ComputationScope& scope, std::string_view name,
                                        Range range) {
  const bool searches = suggestions_left_-- > 0;
  const std::optional<Range> below = searches ? DefinitionBelow(name, true) : std::nullopt;
  Diagnostic& d = diagnostics_.Report(
      DiagCode::kInstructionUnknown, range,
      fmt::format(
          "instruction does not exist: {}{}", name,
          below ? ". It is defined further down: an instruction must come before its use" : ""));
  if (below) d.notes.push_back({*below, "it is defined here"});
  if (!searches || below) return;
  std::vector<std::string_view> names;
  for (const auto& [known, entry] : scope.names) names.push_back(known);
  AddSuggestion(name, names, range, &d);
}

void ModuleParser::CheckOperandShape(const Instruction& operand, const Shape& written,
                                     Range range) {
  if (Shape::Compatible(operand.shape(), written)) return;
  diagnostics_
      .Report(DiagCode::kOperandShape, range,
              fmt::format("The declared operand shape {} is not compatible with the shape of the "
                          "operand instruction {}. It is the shape of `{}`",
                          ShapeSummary(written), ShapeSummary(operand.shape()), operand.name()))
      .AddFix("write the operand's shape", range, ShapeText(operand.shape()));
}

}  // namespace hlo
