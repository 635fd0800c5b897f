#include "engine/hlo/make_instruction.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/hlo/lexer.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

bool CheckOperandCount(const InstructionParts& parts, Diagnostics& faults) {
  if (TakesOperands(parts.opcode, parts.operands.size())) return true;
  const OpcodeInfo& info = GetOpcodeInfo(parts.opcode);
  faults.Report(
      DiagCode::kOperandCount, parts.range,
      fmt::format("{} expects {} operands{}, but has {}",
                  parts.op_name.empty() ? info.text : parts.op_name, info.min_operands,
                  info.max_operands > info.min_operands ? " or more" : "", parts.operands.size()));
  return false;
}

bool HasUsualLayout(const Shape& shape) {
  return shape.IsArray() && shape.layout().IsDescending() && !shape.layout().has_extras();
}

// The shape that follows. Of arrays in the usual order it is one too: that of a transpose in HLO
// text is the order in which no byte moves, which no other language says.
std::optional<Shape> ShapeOf(const InstructionParts& parts, const AttrList& attrs,
                             const Module& module, Diagnostics& out) {
  OpCall::Parts call{.opcode = parts.opcode,
                     .name = parts.name,
                     .operands = {},
                     .attrs = &attrs,
                     .written = parts.written,
                     .range = parts.range,
                     .shape_range = {},
                     .operand_ranges = {},
                     .replica_count = module.replica_count(),
                     .num_partitions = module.num_partitions()};
  for (const Instruction* operand : parts.operands) call.operands.push_back(&operand->shape());
  Diagnostics faults;
  std::optional<Shape> shape = InferShape(OpCall(std::move(call)), faults);
  for (const Diagnostic& fault : faults.list()) {
    out.Report(fault.code, fault.severity, parts.range,
               std::string(parts.fault_prefix) + fault.message);
  }
  if (faults.has_errors()) return std::nullopt;
  if (!shape) {
    out.Report(DiagCode::kShapeMissing, parts.range,
               std::string(parts.fault_prefix) + "no shape follows");
    return std::nullopt;
  }
  const bool is_usual = !parts.written && std::all_of(parts.operands.begin(), parts.operands.end(),
                                                      [](const Instruction* operand) {
                                                        return HasUsualLayout(operand->shape());
                                                      });
  if (is_usual && shape->IsArray()) shape->set_layout(Layout::Descending(shape->rank()));
  return shape;
}

}  // namespace

Instruction* MakeInstruction(ModuleEditor& editor, Computation* computation, InstructionParts parts,
                             Diagnostics& faults) {
  const auto& operands = parts.operands;
  if (std::find(operands.begin(), operands.end(), nullptr) != operands.end()) return nullptr;
  if (!CheckOperandCount(parts, faults)) return nullptr;
  Diagnostics attr_faults;
  std::optional<AttrList> attrs = ToAttrList(parts.opcode, std::move(parts.attrs), attr_faults);
  for (const Diagnostic& fault : attr_faults.list()) {
    faults.Report(fault.code, fault.severity, parts.range, fault.message);
  }
  if (!attrs) return nullptr;
  std::optional<Shape> shape = ShapeOf(parts, *attrs, *editor.module(), faults);
  if (!shape) return nullptr;
  return AddKnown(
      editor, computation,
      {parts.opcode, editor.Intern(parts.name), operands, std::move(*attrs), std::move(*shape)});
}

Instruction* AddKnown(ModuleEditor& editor, Computation* computation, KnownInstruction known) {
  Instruction* made = editor.AddInstruction(computation, known.interned_name, known.opcode);
  for (Instruction* operand : known.operands) editor.operands(made).push_back(operand);
  editor.attrs(made) = std::move(known.attrs);
  editor.SetShape(made, std::move(known.shape));
  return made;
}

Instruction* AddParameter(ModuleEditor& editor, Computation* computation,
                          std::string_view interned_name, int64_t number, Shape shape) {
  AttrList attrs;
  attrs.push_back({&GetOpDef(Opcode::kParameter).attrs[0], number, {}, {}});
  return AddKnown(editor, computation,
                  {Opcode::kParameter, interned_name, {}, std::move(attrs), std::move(shape)});
}

std::string ToInstructionName(std::string_view wanted, std::string_view otherwise) {
  std::string name(wanted.empty() ? otherwise : wanted);
  for (char& c : name) {
    if (!IsNameChar(c)) c = '_';
  }
  if (!IsNameStart(name[0]) || name[0] == '_') name = "v" + name;
  return name == "tuple" || IsReservedWord(name) ? name + "_" : name;
}

std::shared_ptr<const ShapedLiteral> LiteralOf(Tensor value) {
  auto literal = std::make_shared<ShapedLiteral>();
  literal->shape = Shape::Array(value.element_type(), value.dims());
  literal->literal.value = std::move(value);
  return literal;
}

}  // namespace hlo
