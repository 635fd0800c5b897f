#include "engine/plan/epilogues.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/plan/island.h"

namespace hlo {
namespace {

/// A shorter result is in the first-level cache when the loop runs by itself, too.
constexpr int64_t kLeastElements = int64_t{1} << 14;
/// What a loop needs besides the product is computed earlier if it takes no more memory than this.
constexpr int64_t kMostMovedBytes = int64_t{16} << 10;

bool Reads(const IslandStep& step, int32_t slot) {
  return std::any_of(step.operands.begin(), step.operands.end(),
                     [&](const SlotUse& use) { return use.slot == slot; });
}

class Finder {
 public:
  explicit Finder(Island* island) : island_(*island), uses_(island->slots.size()) {
    for (const IslandStep& step : island_.steps) {
      for (const SlotUse& use : step.operands) ++uses_[static_cast<size_t>(use.slot)];
    }
    for (const SlotUse& use : island_.results) ++uses_[static_cast<size_t>(use.slot)];
  }

  void Run() {
    for (size_t i = 0; i < island_.steps.size(); ++i) {
      if (IsLongProduct(island_.steps[i])) i = FindFor(i);
    }
  }

 private:
  const IslandSlot& SlotAt(int32_t slot) const { return island_.slots[static_cast<size_t>(slot)]; }

  bool IsLongProduct(const IslandStep& step) const {
    const PlannedInstruction& planned = *step.planned;
    return step.kind == IslandStep::Kind::kOperation && planned.def->result_unit != nullptr &&
           planned.mixed == nullptr && planned.fold == Fold::kNone &&
           SlotAt(step.results[0]).count >= kLeastElements;
  }

  // Looks at the first loop that reads the product. Returns the step to go on after.
  size_t FindFor(size_t product) {
    const int32_t slot = island_.steps[product].results[0];
    for (size_t i = product + 1; i < island_.steps.size(); ++i) {
      const IslandStep& step = island_.steps[i];
      if (step.kind != IslandStep::Kind::kLoop || !Reads(step, slot)) continue;
      // Nothing of it is needed.
      if (step.results.empty()) return product;
      if (const std::optional<Separate> why = WhySeparate(island_.steps[product], step)) {
        island_.separate.push_back({step.planned, island_.steps[product].planned, *why});
        return product;
      }
      return MoveTogether(product, i);
    }
    return product;
  }

  std::optional<Separate> WhySeparate(const IslandStep& product, const IslandStep& loop) const {
    const int32_t slot = product.results[0];
    const int64_t unit = product.planned->def->result_unit(product.planned->call);
    if (unit == 0) return Separate::kWhole;
    const JoinedLoop& joined = *loop.planned->loop;
    for (size_t i = 0; i < joined.inputs.size(); ++i) {
      if (loop.operands[i].slot != slot) continue;
      const bool is_row = joined.steps.IsRow(static_cast<int32_t>(i));
      if (joined.inputs[i].view || is_row) return Separate::kOrder;
    }
    if (uses_[static_cast<size_t>(slot)] != 1) return Separate::kNeeded;
    if (joined.steps.row_length > 0 && unit % joined.steps.row_length != 0) return Separate::kRows;
    const bool fits = loop.results.size() == 1 &&
                      SlotAt(loop.results[0]).bytes == SlotAt(slot).bytes &&
                      SlotAt(loop.results[0]).count == SlotAt(slot).count;
    return fits ? std::nullopt : std::optional(Separate::kMemory);
  }

  // Puts the loop behind the product, and what it needs from between the two before that. Returns
  // the last of these steps.
  size_t MoveTogether(size_t product, size_t loop) {
    std::vector<IslandStep>& steps = island_.steps;
    std::vector<bool> is_needed(loop - product);
    std::set<int32_t> wanted;
    for (const SlotUse& use : steps[loop].operands) wanted.insert(use.slot);
    for (size_t i = loop; --i > product;) {
      const IslandStep& step = steps[i];
      const bool gives = std::any_of(step.results.begin(), step.results.end(),
                                     [&](int32_t slot) { return wanted.count(slot) > 0; });
      if (!gives) continue;
      if (!CanMove(step)) {
        island_.separate.push_back({steps[loop].planned, steps[product].planned, Separate::kLater});
        return product;
      }
      is_needed[i - product] = true;
      for (const SlotUse& use : step.operands) wanted.insert(use.slot);
    }
    std::vector<IslandStep> before, after;
    for (size_t i = product + 1; i < loop; ++i) {
      (is_needed[i - product] ? before : after).push_back(std::move(steps[i]));
    }
    before.push_back(std::move(steps[product]));
    before.back().has_epilogue = true;
    before.push_back(std::move(steps[loop]));
    const auto to = steps.begin() + static_cast<ptrdiff_t>(product);
    const auto next = std::move(before.begin(), before.end(), to);
    std::move(after.begin(), after.end(), next);
    return product + before.size() - 1;
  }

  // It does not need the product, whose only use is the loop.
  bool CanMove(const IslandStep& step) const {
    using Kind = IslandStep::Kind;
    if (step.kind == Kind::kShare) return true;
    if (step.kind != Kind::kOperation && step.kind != Kind::kElements && step.kind != Kind::kLoop) {
      return false;
    }
    int64_t bytes = 0;
    for (int32_t slot : step.results) bytes += SlotAt(slot).bytes;
    return bytes <= kMostMovedBytes && !step.planned->def->varies;
  }

  Island& island_;
  std::vector<int> uses_;  // by slot
};

}  // namespace

std::string_view Text(Separate why) {
  switch (why) {
    case Separate::kWhole:
      return "the product is not final in parts that are long enough";
    case Separate::kNeeded:
      return "another user needs the product";
    case Separate::kOrder:
      return "the loop reads it in another order";
    case Separate::kRows:
      return "the loop reduces rows that are longer than a part of the product";
    case Separate::kMemory:
      return "what the loop writes does not fit in the memory of the product";
    case Separate::kLater:
      break;
  }
  return "an instruction between the two computes what the loop reads";
}

void FindEpilogues(Island* island) { Finder(island).Run(); }

}  // namespace hlo
