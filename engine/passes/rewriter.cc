#include "engine/passes/rewriter.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace hlo {

bool Rewriter::MixesFloats(const Instruction& instruction) {
  if (instruction.opcode() == Opcode::kConvert || !instruction.shape().IsArray()) return false;
  std::optional<ElementType> type;
  const auto differs = [&](const Shape& shape) {
    if (!shape.IsArray() || !IsFloat(shape.element_type())) return false;
    if (!type) type = shape.element_type();
    return *type != shape.element_type();
  };
  if (differs(instruction.shape())) return true;
  return std::any_of(instruction.operands().begin(), instruction.operands().end(),
                     [&](const Instruction* operand) { return differs(operand->shape()); });
}

bool Rewriter::Become(Instruction* instruction, Opcode opcode,
                      const std::vector<Instruction*>& operands, NamedAttrs attrs) {
  Diagnostics faults;
  std::optional<AttrList> made = ToAttrList(opcode, std::move(attrs), faults);
  if (!made) return false;
  for (const Attr& attr : instruction->attrs()) {
    const auto common = CommonAttrs();
    const bool is_common = std::any_of(common.begin(), common.end(),
                                       [&](const AttrDef& def) { return &def == attr.def; });
    if (is_common) made->push_back(attr);
  }
  ModuleEditor& editor = draft_.editor();
  editor.SetOpcode(instruction, opcode);
  editor.attrs(instruction) = std::move(*made);
  auto& list = editor.operands(instruction);
  list.clear();
  for (Instruction* operand : operands) list.push_back(operand);
  return true;
}

bool Rewriter::BecomeConstant(Instruction* instruction, Tensor value) {
  const Shape plain = Shape::Array(value.element_type(), value.dims());
  if (!(plain == instruction->shape())) return false;
  std::shared_ptr<const ShapedLiteral> literal = LiteralOf(std::move(value));
  const AttrDef* def = &GetOpDef(Opcode::kConstant).attrs[0];
  if (!Become(instruction, Opcode::kConstant, {}, {{def->name, AttrValue(std::move(literal))}})) {
    return false;
  }
  return true;
}

const Tensor* ConstantOf(const Instruction& instruction) {
  if (instruction.opcode() != Opcode::kConstant || !instruction.shape().IsArray()) return nullptr;
  const ShapedLiteral* literal = instruction.attrs().GetLiteral(instruction.def().attrs[0].name);
  if (!literal || literal->literal.elided || !literal->literal.value.is_array()) return nullptr;
  const Tensor& tensor = literal->literal.value.tensor();
  return tensor && tensor.dynamic_sizes().empty() ? &tensor : nullptr;
}

std::optional<Splat> SplatOf(const Instruction& instruction) {
  const Instruction* constant = &instruction;
  while (constant->opcode() == Opcode::kBroadcast) constant = constant->operand(0);
  const Tensor* tensor = ConstantOf(*constant);
  // Long ones are looked at only where they are scalars.
  constexpr int64_t kMostCompared = 256;
  if (!tensor || tensor->element_count() == 0 || tensor->element_count() > kMostCompared) {
    return std::nullopt;
  }
  const auto size = static_cast<size_t>(BytesOf(tensor->element_type()));
  for (int64_t i = 1; i < tensor->element_count(); ++i) {
    if (std::memcmp(tensor->bytes(), tensor->bytes() + static_cast<size_t>(i) * size, size) != 0) {
      return std::nullopt;
    }
  }
  return Splat{tensor};
}

}  // namespace hlo
