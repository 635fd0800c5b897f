// How a replica runs what is an island.
#include <algorithm>
#include <utility>

#include "engine/ops/movement/tensor_moves.h"
#include "engine/run/profile.h"
#include "engine/run/replica.h"

namespace hlo {
namespace {

bool IsStatic(const Value& value) {
  if (value.is_tuple()) {
    return std::all_of(value.elements().begin(), value.elements().end(), IsStatic);
  }
  return !value.is_array() ||
         (value.tensor().HoldsElements() && value.tensor().dynamic_sizes().empty());
}

// Whether a value is all that its shape says, at every level.
bool IsWhole(const Value& value, const Shape& shape) {
  return HasShape(value, shape) && IsStatic(value);
}

}  // namespace

bool Replica::UsesIslands() const { return state_->islands && !trace_ && !state_->is_stepped; }

void Replica::RunIsland(const Island& island, IslandRunner::Buffers* arguments,
                        IslandRunner::Buffers* results, const Instruction* called) {
  island_stack_.clear();
  island_base_ = depth_ > 0 ? 1 : 0;  // the instruction of the frame, if there is one
  state_->islands->Run(island, arguments, results, *this, &island_stack_, called);
}

// How a loop that is in no island runs.
ProfileEntry* Replica::ProfileOf(const PlannedInstruction& planned, const ComputationPlan& plan) {
  if (!state_->options->profile) return nullptr;
  const auto number = static_cast<size_t>(planned.program);
  const bool is_loop = planned.program >= 0;
  if (is_loop && number >= state_->loop_entries.size()) state_->loop_entries.resize(number + 1);
  ProfileEntry*& entry =
      is_loop ? state_->loop_entries[number] : state_->operation_entries[planned.instruction];
  if (!entry) entry = state_->options->profile->Add(plan, planned);
  return entry;
}

void Replica::RunArrays(const Island& island, IslandRunner::Buffers* arguments,
                        IslandRunner::Buffers* results) {
  while (depth_ > 0) PopFrame();
  RunIsland(island, arguments, results, nullptr);
}

// The computation that was started, if it is an island.
bool Replica::RunWhole() {
  Frame& frame = frames_[0];
  const Region& region = *frame.plan->computation;
  const Island* const island = UsesIslands() ? state_->islands->islands().Of(region) : nullptr;
  if (!island) return false;
  for (size_t i = 0; i < frame.args.size(); ++i) {
    if (!IsWhole(frame.args[i], region.parameter_shape(static_cast<int>(i)))) return false;
  }
  island_arguments_.clear();
  for (Value& value : frame.args) {
    AppendBuffers(value, &island_arguments_);
    value = Value();
  }
  depth_ = 0;  // the island's stack says where it is
  RunIsland(*island, &island_arguments_, &island_results_, nullptr);
  size_t next = 0;
  result_ = ValueOfBuffers(region.result_shape(), &island_results_, &next);
  island_results_.clear();
  return true;
}

// The instruction that calls something next, if all of that is an island.
bool Replica::RunCallWhole(Frame& frame) {
  const PlannedInstruction& planned = frame.Next();
  const Island* const island =
      UsesIslands() ? state_->islands->islands().OfInstruction(*frame.plan, planned) : nullptr;
  if (!island) return false;
  for (const OperandUse& use : planned.operands) {
    const Value& operand = frame.values[static_cast<size_t>(use.value)];
    if (!IsWhole(operand, frame.plan->instructions[static_cast<size_t>(use.value)].call.shape())) {
      return false;
    }
  }
  TakeOperands(frame, operands_);
  island_arguments_.clear();
  for (Value& value : operands_) {
    AppendBuffers(value, &island_arguments_);
    value = Value();
  }
  operands_.clear();
  RunIsland(*island, &island_arguments_, &island_results_, planned.instruction);
  size_t next = 0;
  Value value = ValueOfBuffers(planned.call.shape(), &island_results_, &next);
  island_results_.clear();
  Finish(std::move(value));
  return true;
}

}  // namespace hlo
