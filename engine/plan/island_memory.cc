#include "engine/plan/island_memory.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <unordered_map>

namespace hlo {
namespace {

/// The peak of each computation that is called.
using PeaksInside = std::unordered_map<const Island*, IslandPeak>;

/// Goes through the steps with the memory that each slot's array has. Several slots can have the
/// same memory, and some have none that counts.
class PeakFinder {
 public:
  PeakFinder(const Island& island, Islands& islands, PeaksInside* inside)
      : island_(island),
        islands_(islands),
        inside_(*inside),
        memory_(island.slots.size(), kUncounted) {}

  /// Without what is live there.
  IslandPeak Find() {
    AddParameters();
    IslandPeak peak;
    peak.parameter_bytes = peak.bytes = bytes_;
    for (const IslandStep& step : island_.steps) {
      Begin(step);
      if (const double bytes = BytesIn(step); bytes > peak.bytes) {
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
    for (const IslandStep& step : island_.steps) {
      Begin(step);
      if (step.planned->instruction != at) {
        End(step);
        continue;
      }
      const Island* const callee = CalleeOf(step);
      const std::set<int32_t> passed = callee ? MemoriesOf(step) : std::set<int32_t>();
      for (size_t i = 0; i < memories_.size(); ++i) {
        const Memory& memory = memories_[i];
        if (memory.users == 0 || memory.bytes == 0) continue;
        if (passed.contains(static_cast<int32_t>(i))) continue;  // a parameter of the callee
        peak->live.push_back({memory.instruction, memory.bytes});
      }
      if (callee) AddInside(*callee, step, peak);
      return;
    }
  }

 private:
  static constexpr int32_t kUncounted = -1;
  struct Memory {
    const Instruction* instruction;
    double bytes;
    int users;  // slots
  };

  void AddInside(const Island& callee, const IslandStep& step, IslandPeak* peak) {
    IslandPeak inside = PeakOf(callee);
    if (inside.stack.empty()) return;
    PeakFinder(callee, islands_, &inside_).Explain(&inside);
    peak->stack.insert(peak->stack.end(), inside.stack.begin(), inside.stack.end());
    const std::set<const Instruction*> uncounted = UncountedOf(callee, step);
    for (const IslandPeak::Live& live : inside.live) {
      if (!uncounted.contains(live.instruction)) peak->live.push_back(live);
    }
  }

  // The parameters of what a step calls that are given what counts nothing.
  std::set<const Instruction*> UncountedOf(const Island& callee, const IslandStep& step) {
    std::set<const Instruction*> parameters;
    ForEachParameterArray(callee, [&](size_t array, const Instruction* parameter) {
      if (array >= step.operands.size()) return;
      if (MemoryOf(step.operands[array].slot) == kUncounted) parameters.insert(parameter);
    });
    return parameters;
  }

  // f(number of the array, the parameter that has it)
  template <typename F>
  static void ForEachParameterArray(const Island& island, F f) {
    size_t array = 0;
    for (const Instruction* parameter : island.plan->computation->parameters()) {
      ForEachArray(parameter->shape(), [&](const Shape&) { f(array++, parameter); });
    }
  }

  void AddParameters() {
    ForEachParameterArray(island_, [&](size_t array, const Instruction* parameter) {
      if (array >= island_.parameters.size()) return;
      const int32_t slot = island_.parameters[array];
      if (slot >= 0 && MemoryOf(slot) == kUncounted) Make(slot, parameter);
    });
  }

  int32_t& MemoryOf(int32_t slot) { return memory_[static_cast<size_t>(slot)]; }
  int64_t SizeOf(int32_t slot) const { return island_.slots[static_cast<size_t>(slot)].bytes; }
  int64_t CountedBytesOf(int32_t slot) const {
    return island_.slots[static_cast<size_t>(slot)].is_kept ? 0 : SizeOf(slot);
  }

  void Make(int32_t slot, const Instruction* instruction) {
    MemoryOf(slot) = static_cast<int32_t>(memories_.size());
    memories_.push_back({instruction, static_cast<double>(CountedBytesOf(slot)), 1});
    bytes_ += memories_.back().bytes;
  }
  void Share(int32_t slot, int32_t memory) {
    MemoryOf(slot) = memory;
    if (memory != kUncounted) ++memories_[static_cast<size_t>(memory)].users;
  }
  void Drop(int32_t slot) {
    if (MemoryOf(slot) == kUncounted) return;
    Memory& memory = memories_[static_cast<size_t>(MemoryOf(slot))];
    MemoryOf(slot) = kUncounted;
    if (--memory.users == 0) bytes_ -= memory.bytes;
  }

  // What comes out of computations may be anything that went in, more than once, or a constant.
  // What follows from constants may be there from an earlier execution.
  static bool IsUncounted(const IslandStep& step) {
    using Kind = IslandStep::Kind;
    return step.kind == Kind::kCall || step.kind == Kind::kWhile ||
           step.kind == Kind::kConditional || step.kind == Kind::kScalars ||
           step.planned->fold != Fold::kNone ||
           step.planned->instruction->opcode() == Opcode::kConstant;
  }

  void Begin(const IslandStep& step) {
    if (IsUncounted(step)) return;
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
      if (SizeOf(use.slot) == SizeOf(result)) return static_cast<int32_t>(i);
    }
    return -1;
  }

  // The computation that a step calls, if any.
  const Island* CalleeOf(const IslandStep& step) {
    return step.kind == IslandStep::Kind::kCall ? islands_.Of(*step.calls[0]) : nullptr;
  }

  const IslandPeak& PeakOf(const Island& callee) {
    const auto [inside, is_new] = inside_.try_emplace(&callee);
    if (is_new) {
      IslandPeak peak = PeakFinder(callee, islands_, &inside_).Find();
      return inside_[&callee] = std::move(peak);
    }
    return inside->second;
  }

  // The memories of its operands.
  std::set<int32_t> MemoriesOf(const IslandStep& step) {
    std::set<int32_t> memories;
    for (const SlotUse& use : step.operands) {
      if (MemoryOf(use.slot) != kUncounted) memories.insert(MemoryOf(use.slot));
    }
    return memories;
  }

  // While the step is executed. The operands of a call are the parameters of what it calls, which
  // may free them.
  double BytesIn(const IslandStep& step) {
    const Island* const callee = CalleeOf(step);
    if (callee == nullptr) return bytes_;
    double bytes = bytes_ + PeakOf(*callee).bytes;
    std::set<int32_t> passed;
    for (const SlotUse& use : step.operands) {
      const int32_t memory = MemoryOf(use.slot);
      // What counts nothing outside, as a constant does, or is passed twice, counts as a parameter
      // each time.
      const bool is_counted = memory != kUncounted && passed.insert(memory).second;
      bytes -= is_counted ? memories_[static_cast<size_t>(memory)].bytes
                          : static_cast<double>(SizeOf(use.slot));
    }
    return bytes;
  }

  const Island& island_;
  Islands& islands_;
  PeaksInside& inside_;
  std::vector<int32_t> memory_;  // by slot
  std::vector<Memory> memories_;
  double bytes_ = 0;
};

}  // namespace

IslandPeak FindPeak(const Island& island, Islands& islands) {
  PeaksInside inside;
  IslandPeak peak = PeakFinder(island, islands, &inside).Find();
  if (!peak.stack.empty()) PeakFinder(island, islands, &inside).Explain(&peak);
  std::stable_sort(peak.live.begin(), peak.live.end(),
                   [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  return peak;
}

}  // namespace hlo
