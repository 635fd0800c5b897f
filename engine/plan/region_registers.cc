#include "engine/plan/region_registers.h"

#include <algorithm>
#include <utility>

#include "engine/plan/row_passes.h"

namespace hlo {
namespace {

constexpr size_t kForever = ~size_t{0};

}  // namespace

RegionRegisters::RegionRegisters(const RegionSteps& program)
    : program_(program),
      offsets_(static_cast<size_t>(program.scalar_count), kNone),
      widths_(offsets_.size(), 0),
      first_(offsets_.size(), 0),
      last_(offsets_.size(), 0) {
  FindUses();
  ExtendOverLoops();
  ExtendOverPasses();
  Allocate();
}

void RegionRegisters::FindUses() {
  std::vector<bool> computed(offsets_.size(), false);
  for (size_t i = 0; i < program_.steps.size(); ++i) {
    const RegionStep& step = program_.steps[i];
    if (step.starts_loop >= 0) continue;
    for (int k = 0; k < step.loop.operand_count; ++k) last_[static_cast<size_t>(step.args[k])] = i;
    const size_t result = static_cast<size_t>(step.result);
    if (!computed[result]) first_[result] = i;
    computed[result] = true;
    widths_[result] = step.result_bytes;
    last_[result] = std::max(last_[result], i);
  }
  for (const RegionScalar& result : program_.results) {
    last_[static_cast<size_t>(result.id)] = kForever;
  }
  for (const RegionConstant& constant : program_.constants) {
    last_[static_cast<size_t>(constant.id)] = kForever;
    widths_[static_cast<size_t>(constant.id)] = BytesOf(constant.type);
  }
}

// Code goes through a row more than once, and through the steps of each pass in turn.
void RegionRegisters::ExtendOverPasses() {
  if (program_.row_length == 0) return;
  const RowPasses passes = FindRowPasses(program_);
  for (size_t id = 0; id < last_.size(); ++id) {
    if (passes.is_kept[id]) last_[id] = kForever;
  }
}

// Inner loops first: what they keep may have to last for the outer one, too.
void RegionRegisters::ExtendOverLoops() {
  for (size_t l = program_.loops.size(); l-- > 0;) {
    const RegionLoop& loop = program_.loops[l];
    for (size_t id = 0; id < last_.size(); ++id) {
      const bool used_inside = last_[id] >= loop.begin && last_[id] < loop.end;
      if (used_inside && first_[id] < loop.begin) last_[id] = loop.end;
    }
  }
}

void RegionRegisters::Allocate() {
  for (const RegionConstant& constant : program_.constants) {
    const size_t id = static_cast<size_t>(constant.id);
    offsets_[id] = Take(widths_[id]);
  }
  std::vector<std::vector<size_t>> ending(program_.steps.size());
  for (size_t id = program_.parameters.size(); id < last_.size(); ++id) {
    if (last_[id] < ending.size()) ending[last_[id]].push_back(id);
  }
  for (size_t i = 0; i < program_.steps.size(); ++i) {
    const RegionStep& step = program_.steps[i];
    const size_t result = static_cast<size_t>(step.result);
    // Between rows and elements nothing can be computed in place.
    const bool in_place = step.starts_loop >= 0 || !MixesRows(step);
    const auto release = [&] {
      for (size_t id : ending[i]) Release(id);
    };
    if (in_place) release();
    if (step.starts_loop < 0 && offsets_[result] == kNone) offsets_[result] = Take(widths_[result]);
    if (!in_place) release();
  }
}

bool RegionRegisters::MixesRows(const RegionStep& step) const {
  return program_.IsRow(step.result) != program_.IsRow(step.args[0]);
}

size_t RegionRegisters::Take(int32_t width) {
  std::vector<size_t>& free = FreeOf(width);
  if (!free.empty()) {
    const size_t offset = free.back();
    free.pop_back();
    return offset;
  }
  return std::exchange(total_, total_ + static_cast<size_t>(BlockOf(program_) * width));
}

void RegionRegisters::Release(size_t id) {
  if (offsets_[id] != kNone) FreeOf(widths_[id]).push_back(offsets_[id]);
}

// Places of one width are exchanged among each other only.
std::vector<size_t>& RegionRegisters::FreeOf(int32_t width) {
  return free_[static_cast<size_t>(__builtin_ctz(static_cast<unsigned>(width)))];
}

}  // namespace hlo
