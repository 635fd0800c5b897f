#include "engine/plan/island_memory.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

namespace hlo {
namespace {

/// What each computation that is called adds to its parameters at least.
using InsideBytes = std::unordered_map<const Island*, int64_t>;

/// Goes through the steps with the memory that each slot's array has. Several slots can have the
/// same memory.
class PeakFinder {
 public:
  PeakFinder(const Island& island, Islands& islands, InsideBytes* inside)
      : island_(island), islands_(islands), inside_(*inside), memory_(island.slots.size(), -1) {}

  /// Without what is live there.
  IslandPeak Find() {
    AddParameters();
    IslandPeak peak;
    peak.parameter_bytes = peak.bytes = bytes_;
    for (const IslandStep& step : island_.steps) {
      Begin(step);
      const int64_t bytes = bytes_ + InsideOf(step);
      if (bytes > peak.bytes) {
        peak.bytes = bytes;
        peak.stack = {step.planned->instruction};
      }
      End(step);
    }
    return peak;
  }

  /// Adds what is live at the peak, and the calls down to where it is.
  void Explain(IslandPeak* peak) {
    const Instruction* const at = peak->stack.back();
    AddParameters();
    const Island* callee = nullptr;
    for (const IslandStep& step : island_.steps) {
      Begin(step);
      if (step.planned->instruction == at) {
        callee = CalleeOf(step);
        if (callee != nullptr && InsideOf(*callee) == 0) callee = nullptr;
        break;
      }
      End(step);
    }
    // What a computation that is called gives, it makes.
    for (const Memory& memory : memories_) {
      const bool is_made_inside = callee != nullptr && memory.instruction == at;
      if (memory.users > 0 && memory.bytes > 0 && !is_made_inside) {
        peak->live.push_back({memory.instruction, memory.bytes});
      }
    }
    if (callee != nullptr) AddInside(*callee, peak);
  }

 private:
  struct Memory {
    const Instruction* instruction;
    int64_t bytes;
    int users;  // slots
  };

  void AddInside(const Island& callee, IslandPeak* peak) {
    IslandPeak inside = PeakFinder(callee, islands_, &inside_).Find();
    if (inside.stack.empty()) return;
    PeakFinder(callee, islands_, &inside_).Explain(&inside);
    peak->stack.insert(peak->stack.end(), inside.stack.begin(), inside.stack.end());
    for (const IslandPeak::Live& live : inside.live) {
      if (live.instruction->opcode() != Opcode::kParameter) peak->live.push_back(live);
    }
  }

  void AddParameters() {
    const Computation& computation = *island_.plan->computation;
    size_t array = 0;
    for (int i = 0; i < computation.parameter_count(); ++i) {
      ForEachArray(computation.parameter_shape(i), [&](const Shape&) {
        if (array < island_.parameters.size()) {
          const int32_t slot = island_.parameters[array++];
          if (slot >= 0 && MemoryOf(slot) < 0)
            Make(slot, computation.parameters()[static_cast<size_t>(i)]);
        }
      });
    }
  }

  int32_t& MemoryOf(int32_t slot) { return memory_[static_cast<size_t>(slot)]; }
  int64_t BytesOf(int32_t slot) const {
    const IslandSlot& known = island_.slots[static_cast<size_t>(slot)];
    return known.is_kept ? 0 : known.bytes;
  }

  void Make(int32_t slot, const Instruction* instruction) {
    MemoryOf(slot) = static_cast<int32_t>(memories_.size());
    memories_.push_back({instruction, BytesOf(slot), 1});
    bytes_ += BytesOf(slot);
  }
  void Share(int32_t slot, int32_t memory) {
    MemoryOf(slot) = memory;
    if (memory >= 0) ++memories_[static_cast<size_t>(memory)].users;
  }
  void Drop(int32_t slot) {
    if (MemoryOf(slot) < 0) return;
    Memory& memory = memories_[static_cast<size_t>(MemoryOf(slot))];
    MemoryOf(slot) = -1;
    if (--memory.users == 0) bytes_ -= memory.bytes;
  }

  void Begin(const IslandStep& step) {
    std::vector<bool> taken(step.operands.size());
    for (int32_t result : step.results) {
      const int32_t operand = OverwrittenBy(step, result, taken);
      if (operand < 0) {
        Make(result, step.planned->instruction);
      } else {
        taken[static_cast<size_t>(operand)] = true;
        Share(result, MemoryOf(step.operands[static_cast<size_t>(operand)].slot));
      }
    }
  }

  void End(const IslandStep& step) {
    for (const SlotUse& use : step.operands) {
      if (use.is_last) Drop(use.slot);
    }
    for (int32_t slot : step.unused) Drop(slot);
  }

  // An operand of the same size that the result may be written over, or have the memory of; -1 for
  // none.
  int32_t OverwrittenBy(const IslandStep& step, int32_t result, const std::vector<bool>& taken) {
    const OpDef& def = *step.planned->def;
    if (step.kind == IslandStep::Kind::kOperation && (def.makes_new || def.view)) return -1;
    const bool writes =
        step.kind == IslandStep::Kind::kLoop || step.kind == IslandStep::Kind::kElements;
    for (size_t i = 0; i < step.operands.size(); ++i) {
      const SlotUse& use = step.operands[i];
      if (writes && (taken[i] || !use.is_last)) continue;
      if (BytesOf(use.slot) == BytesOf(result)) return static_cast<int32_t>(i);
    }
    return -1;
  }

  // The computation that a step calls, if any.
  const Island* CalleeOf(const IslandStep& step) {
    return step.kind == IslandStep::Kind::kCall ? islands_.Of(*step.calls[0]) : nullptr;
  }

  // What it adds to its operands.
  int64_t InsideOf(const Island& callee) {
    const auto [inside, is_new] = inside_.try_emplace(&callee, 0);
    if (is_new) {
      const IslandPeak peak = PeakFinder(callee, islands_, &inside_).Find();
      inside_[&callee] = peak.bytes - peak.parameter_bytes;
    }
    return inside_[&callee];
  }

  // The same for the step, without its results.
  int64_t InsideOf(const IslandStep& step) {
    const Island* const callee = CalleeOf(step);
    if (callee == nullptr) return 0;
    int64_t results = 0;
    for (int32_t slot : step.results) results += BytesOf(slot);
    return std::max<int64_t>(InsideOf(*callee) - results, 0);
  }

  const Island& island_;
  Islands& islands_;
  InsideBytes& inside_;
  std::vector<int32_t> memory_;  // by slot; -1 for none
  std::vector<Memory> memories_;
  int64_t bytes_ = 0;
};

}  // namespace

IslandPeak FindPeak(const Island& island, Islands& islands) {
  InsideBytes inside;
  IslandPeak peak = PeakFinder(island, islands, &inside).Find();
  if (!peak.stack.empty()) PeakFinder(island, islands, &inside).Explain(&peak);
  std::stable_sort(peak.live.begin(), peak.live.end(),
                   [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  return peak;
}

}  // namespace hlo
