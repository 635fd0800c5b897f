#include "engine/plan/narrow_iota.h"

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace hlo {
namespace {

bool IsWideIota(const PlannedInstruction& planned) {
  const Shape& shape = planned.instruction->shape();
  return planned.instruction->opcode() == Opcode::kIota && !planned.loop && !planned.is_joined &&
         shape.rank() > 1 && shape.has_known_sizes();
}

/// Whether this is an input of a reduction of two arrays along the one dimension, of which the
/// other is no iota.
bool ReducesAlong(const PlannedInstruction& planned, size_t operand, int64_t dimension) {
  const Instruction& reduce = *planned.instruction;
  return reduce.opcode() == Opcode::kReduce && !planned.loop && !planned.is_joined &&
         !planned.mixed && reduce.operand_count() == 4 && operand < 2 &&
         reduce.operand(1 - static_cast<int>(operand))->opcode() != Opcode::kIota &&
         planned.call.Ints("dimensions") == Dims{dimension};
}

void Narrow(PlannedInstruction& iota) {
  const Shape& shape = iota.instruction->shape();
  const auto dimension = static_cast<int>(iota.call.Int("iota_dimension"));
  iota.narrow = std::make_unique<NarrowCall>();
  iota.narrow->shape = Shape::Array(shape.element_type(), Dims{shape.dim(dimension)});
  iota.narrow->attrs = iota.call.attrs();
  for (Attr& attr : iota.narrow->attrs) {
    if (attr.def->name == std::string_view("iota_dimension")) attr.value = int64_t{0};
  }
  iota.call = OpCall({.opcode = Opcode::kIota,
                      .name = iota.call.name(),
                      .operands = {},
                      .attrs = &iota.narrow->attrs,
                      .written = &iota.narrow->shape,
                      .range = iota.call.range(),
                      .shape_range = iota.call.shape_range(),
                      .operand_ranges = {}});
}

}  // namespace

void NarrowIotas(ComputationPlan& plan) {
  std::vector<bool> narrows(plan.instructions.size());
  for (size_t i = 0; i < narrows.size(); ++i) narrows[i] = IsWideIota(plan.instructions[i]);
  narrows[static_cast<size_t>(plan.root)] = false;
  for (const PlannedInstruction& planned : plan.instructions) {
    for (size_t o = 0; o < planned.operands.size(); ++o) {
      const auto value = static_cast<size_t>(planned.operands[o].value);
      if (!narrows[value]) continue;
      narrows[value] =
          ReducesAlong(planned, o, plan.instructions[value].call.Int("iota_dimension"));
    }
  }
  for (size_t i = 0; i < narrows.size(); ++i) {
    if (narrows[i]) Narrow(plan.instructions[i]);
  }
}

}  // namespace hlo
