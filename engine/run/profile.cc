#include "engine/run/profile.h"

namespace hlo {
namespace {

bool IsTimed(const ProfileCount& count) {
  constexpr uint64_t kAlways = 8, kOneOf = 64;
  constexpr double kBrief = 20e-6;
  return count.times < kAlways || count.times % kOneOf == 0 ||
         count.measured > kBrief * static_cast<double>(count.timed);
}

}  // namespace

ProfileTimer::ProfileTimer(ProfileEntry* entry, const RegionFunction* program)
    : entry_(entry), program_(program) {
  if (!entry_) return;
  is_timed_ = IsTimed(entry_->count);
  ++entry_->count.times;
  if (is_timed_) start_ = std::chrono::steady_clock::now();
}

ProfileTimer::~ProfileTimer() {
  using How = ProfileEntry::How;
  if (!entry_) return;
  if (program_) entry_->how = program_->has_code() ? How::kCode : How::kBlocks;
  if (!is_timed_) return;
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start_;
  ++entry_->count.timed;
  entry_->count.measured += time.count();
}

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
