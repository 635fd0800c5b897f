// Operands: `[shape] name`, `name#1#0`, and nested instructions.
// Source: reference/hlo-text.md section 4.1.
#include <fmt/format.h>

#include "engine/hlo/module_parser.h"
#include "engine/hlo/suggestion.h"

namespace hlo {

// A shape is a tuple, a word with `[` glued on, or `b(...)`.
bool ModuleParser::AtShape() {
  char first = lex.Peek();
  if (first == '(') return true;
  if (!IsNameStart(first)) return false;
  uint32_t n = 1;
  while (IsNameChar(lex.At(n))) ++n;
  return lex.At(n) == '[' || (n == 1 && first == 'b' && lex.At(1) == '(');
}

bool ModuleParser::ParseOperands(ComputationScope& scope, OperandList* operands) {
  if (!lex.Read('(', "expects '(' before the operands")) return false;
  if (lex.Consume(')')) return true;
  do {
    if (!ParseOperand(scope, operands)) return false;
  } while (lex.Consume(','));
  return lex.Read(')', "expects ',' or ')' after an operand");
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
      return lex.Fail("expects an operand: the name of an instruction or a nested instruction");
    }
    operand = MakeParameter(scope, "", shape_range, *shape);
  } else if (!percent && lex.Peek() == '(') {
    lex.set_pos(at_name);
    operand = ParseNested(scope, std::move(shape), shape_range, &broken);
    if (!operand) return false;
    shape.reset();
  } else {
    auto found = scope.names.find(name);
    if (found != scope.names.end()) {
      operand = found->second.instruction;
      broken = found->second.broken;
    } else if (scope.makes_parameters && shape && lex.Peek() != '#') {
      operand = MakeParameter(scope, name, name_range, *shape);
    } else if (lex.Peek() == '=') {
      // The name of the next instruction: the list stops short.
      lex.set_pos(at_name);
      return lex.Fail("expects an operand");
    } else {
      ReportUnknownOperand(scope, name, name_range);
      broken = true;
    }
  }
  while (lex.Consume('#')) {
    int64_t index = 0;
    Range index_range = lex.TokenRange();
    if (!lex.ReadCount(&index)) return false;
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
      editor_.AddInstruction(scope.computation.get(), name, Opcode::kParameter);
  editor_.SetShape(parameter, std::move(shape));
  editor_.places(parameter).name = range;
  for (const AttrDef& def : parameter->def().attrs) {
    if (def.use == AttrUse::kPositional) editor_.attrs(parameter).push_back({&def, number, {}, {}});
  }
  scope.names.emplace(name, NamedInstruction{parameter, false, range});
  scope.parameters.emplace_back(number, parameter);
  return parameter;
}

// `p#1` is an instruction of its own, made once per tuple and index.
Instruction* ModuleParser::TupleElement(ComputationScope& scope, Instruction* tuple, int64_t index,
                                        Range range) {
  if (!tuple->shape().IsTuple()) {
    diagnostics_.Report(DiagCode::kOperandInvalid, range,
                        fmt::format("GTE operand must be tuple, but {} is {}", tuple->name(),
                                    ShapeName(tuple->shape())));
    return nullptr;
  }
  if (index >= static_cast<int64_t>(tuple->shape().elements().size())) {
    diagnostics_.Report(DiagCode::kOperandInvalid, range,
                        fmt::format("tuple index {} is out of range: {} has {} elements", index,
                                    tuple->name(), tuple->shape().elements().size()));
    return nullptr;
  }
  auto& made = scope.elements[tuple];
  for (const auto& [made_index, element] : made) {
    if (made_index == index) return element;
  }
  std::string_view name = editor_.Intern(fmt::format("{}_{}", tuple->name(), index));
  Instruction* element =
      editor_.AddInstruction(scope.computation.get(), name, Opcode::kGetTupleElement);
  editor_.SetShape(element, tuple->shape().elements()[static_cast<size_t>(index)]);
  editor_.operands(element).push_back(tuple);
  editor_.places(element).name = range;
  for (const AttrDef& def : element->def().attrs) {
    if (def.name == "index") editor_.attrs(element).push_back({&def, index, {}, {}});
  }
  made.emplace_back(index, element);
  return element;
}

void ModuleParser::ReportUnknownOperand(ComputationScope& scope, std::string_view name,
                                        Range range) {
  Diagnostic& d = diagnostics_.Report(DiagCode::kInstructionUnknown, range,
                                      fmt::format("instruction does not exist: {}", name));
  if (suggestions_left_-- <= 0) return;
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
                          "operand instruction {}, {}",
                          ShapeName(written), operand.name(), ShapeName(operand.shape())))
      .fixes.push_back({"write the operand's shape", range, ShapeText(operand.shape())});
}

}  // namespace hlo
