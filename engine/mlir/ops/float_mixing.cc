#include "engine/mlir/ops/float_mixing.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/mlir/ops/op_row.h"

namespace hlo::mlir {
namespace {

using Types = std::vector<ElementType>;

void AddTypes(const Shape& shape, Types* types) {
  if (shape.IsArray()) types->push_back(shape.element_type());
  if (!shape.IsTuple()) return;
  for (const Shape& element : shape.elements()) AddTypes(element, types);
}

Types TypesOf(const Shape& shape) {
  Types types;
  AddTypes(shape, &types);
  return types;
}

Types OperandTypes(const Instruction& instruction) {
  Types types;
  for (const Instruction* operand : instruction.operands()) AddTypes(operand->shape(), &types);
  return types;
}

bool Differ(ElementType a, ElementType b) { return IsFloat(a) && IsFloat(b) && a != b; }

bool AnyDiffers(const Types& a, const Types& b, size_t b_begin = 0) {
  for (size_t i = 0; i < a.size() && b_begin + i < b.size(); ++i) {
    if (Differ(a[i], b[b_begin + i])) return true;
  }
  return false;
}

Types ParameterTypes(const hlo::Region& region) {
  Types types;
  for (int i = 0; i < region.parameter_count(); ++i) AddTypes(region.parameter_shape(i), &types);
  return types;
}

// Whether a region that compares two elements of each operand has parameters of other types.
bool IsComparatorMixed(const Instruction& instruction, const char* name, size_t operand_count) {
  const hlo::Region* region = instruction.Call().GetRegion(name);
  if (!region) return false;
  const Types operands = OperandTypes(instruction), parameters = ParameterTypes(*region);
  for (size_t i = 0; i < parameters.size() && i / 2 < std::min(operand_count, operands.size());
       ++i) {
    if (Differ(parameters[i], operands[i / 2])) return true;
  }
  return false;
}

// Whether a region that is called with elements has parameters or results of other types.
bool IsRegionMixed(const Instruction& instruction, Mixing mixing) {
  const OpCall call = instruction.Call();
  const hlo::Region* region = call.attrs().GetRegion("to_apply");
  if (!region) return false;
  const Types parameters = ParameterTypes(*region);
  const Types returned = TypesOf(region->result_shape());
  const Types operands = OperandTypes(instruction), results = TypesOf(instruction.shape());
  if (mixing == Mixing::kMapped) {
    return AnyDiffers(parameters, operands) || AnyDiffers(returned, results);
  }
  // The accumulator has one type throughout; the elements reduced into it may be narrower.
  const size_t count = returned.size();
  if (AnyDiffers(returned, results) || AnyDiffers(returned, parameters) ||
      AnyDiffers(returned, parameters, count)) {
    return true;
  }
  if (mixing != Mixing::kFolded) {
    // If a region reduces several arrays one by one, all have its type.
    // XLA does not check that the region has their type.
    for (ElementType type : operands) {
      if (count != 1 || mixing == Mixing::kUpdated) break;
      if (Differ(type, returned[0]) || IsFloat(type) != IsFloat(returned[0])) return true;
    }
    return AnyDiffers(returned, operands);
  }
  // Of initial values, too.
  for (size_t i = 0; i < std::min(operands.size(), 2 * count); ++i) {
    const ElementType from = operands[i], to = returned[i % count];
    const bool is_wider =
        BitsOf(from) > BitsOf(to) || (BitsOf(from) == BitsOf(to) && Differ(from, to));
    if (is_wider && IsFloat(from)) return true;
  }
  return false;
}

bool HasSeveralTypes(const Instruction& instruction) {
  const Types operands = OperandTypes(instruction), results = TypesOf(instruction.shape());
  std::optional<ElementType> first;
  for (const Types* types : {&operands, &results}) {
    for (ElementType type : *types) {
      if (IsComplex(type)) type = ComponentType(type);
      if (!IsFloat(type)) continue;
      if (first && *first != type) return true;
      first = type;
    }
  }
  return false;
}

}  // namespace

bool IsMixed(const Instruction& instruction) {
  const auto operand_count = static_cast<size_t>(instruction.operand_count());
  const Mixing mixing = RowOf(instruction.opcode()).mixing;
  switch (mixing) {
    case Mixing::kAny:
      return false;
    case Mixing::kMapped:
    case Mixing::kFolded:
    case Mixing::kReduced:
    case Mixing::kUpdated:
      return IsRegionMixed(instruction, mixing);
    case Mixing::kCompared:
      return IsComparatorMixed(instruction, "to_apply", operand_count) ||
             AnyDiffers(OperandTypes(instruction), TypesOf(instruction.shape()));
    case Mixing::kByOperand:
      return AnyDiffers(OperandTypes(instruction), TypesOf(instruction.shape()));
    case Mixing::kSelected:
      return IsComparatorMixed(instruction, "select", 1) ||
             IsComparatorMixed(instruction, "scatter", 1) || HasSeveralTypes(instruction);
    case Mixing::kOne:
      break;
  }
  return HasSeveralTypes(instruction);
}

}  // namespace hlo::mlir
