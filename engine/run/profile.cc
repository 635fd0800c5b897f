#include "engine/run/profile.h"

namespace hlo {

ProfileEntry* RunProfile::Add(const Island& island, const Instruction* called) {
  ProfileEntry& entry = *entries_.emplace_back(std::make_unique<ProfileEntry>());
  const ComputationPlan& plan = *island.plan;
  entry.how = ProfileEntry::How::kIsland;
  entry.last = called ? called : plan.instructions[static_cast<size_t>(plan.root)].instruction;
  if (called) {
    entry.instructions = {called};
    return &entry;
  }
  for (const PlannedInstruction& planned : plan.instructions) {
    entry.instructions.push_back(planned.instruction);
  }
  return &entry;
}

ProfileEntry* RunProfile::Add(const ComputationPlan& plan, const PlannedInstruction& planned) {
  ProfileEntry& entry = *entries_.emplace_back(std::make_unique<ProfileEntry>());
  entry.last = planned.instruction;
  if (!planned.loop) {
    entry.instructions = {planned.instruction};
    return &entry;
  }
  for (int32_t member : planned.loop->members) {
    entry.instructions.push_back(plan.instructions[static_cast<size_t>(member)].instruction);
  }
  return &entry;
}

}  // namespace hlo
