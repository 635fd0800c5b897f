#include "engine/run/profile.h"

namespace hlo {

ProfileEntry& RunProfile::Of(const Island& island, const Instruction* called) {
  ProfileEntry*& entry = by_place_[&island];
  if (entry) return *entry;
  entry = &entries_.emplace_back();
  entry->how = ProfileEntry::How::kIsland;
  const ComputationPlan& plan = *island.plan;
  if (called) {
    entry->last = called;
    entry->instructions = {called};
    return *entry;
  }
  entry->last = plan.instructions[static_cast<size_t>(plan.root)].instruction;
  for (const PlannedInstruction& planned : plan.instructions) {
    entry->instructions.push_back(planned.instruction);
  }
  return *entry;
}

ProfileEntry& RunProfile::Of(const ComputationPlan& plan, const PlannedInstruction& planned,
                             bool is_in_island) {
  ProfileEntry*& entry = by_place_[&planned];
  if (entry) return *entry;
  entry = &entries_.emplace_back();
  entry->is_in_island = is_in_island;
  entry->last = planned.instruction;
  if (!planned.loop) {
    entry->instructions = {planned.instruction};
    return *entry;
  }
  for (int32_t member : planned.loop->members) {
    entry->instructions.push_back(plan.instructions[static_cast<size_t>(member)].instruction);
  }
  return *entry;
}

}  // namespace hlo
