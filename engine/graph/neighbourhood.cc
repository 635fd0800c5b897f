#include "engine/graph/neighbourhood.h"

#include <algorithm>

#include "engine/base/work_limit.h"

namespace hlo {
namespace {

/// What was met, and the last ring on either side.
class Growth {
 public:
  Growth(const FoldedValues& folded, const Instruction& centre)
      : folded_(folded), met_(centre.parent()->instructions().size()) {
    Meet(centre);
    last_[0] = last_[1] = {&centre};
  }

  /// The next ring on a side.
  Ring Next(bool is_users, int distance) {
    Ring ring{is_users, distance, {}};
    const auto add = [&](const Instruction& each) {
      CountWork();
      if (Meet(each)) ring.instructions.push_back(&each);
    };
    for (const Instruction* from : last_[is_users ? 1 : 0]) {
      if (is_users) {
        folded_.ForEachUser(*from, add);
      } else {
        folded_.ForEachOperand(*from, [&](const Instruction& operand, int) { add(operand); });
      }
    }
    std::sort(ring.instructions.begin(), ring.instructions.end(),
              [](const Instruction* a, const Instruction* b) { return a->index() < b->index(); });
    last_[is_users ? 1 : 0] = ring.instructions;
    return ring;
  }

 private:
  bool Meet(const Instruction& instruction) {
    auto seen = met_[static_cast<size_t>(instruction.index())];
    if (seen) return false;
    seen = true;
    return true;
  }

  const FoldedValues& folded_;
  std::vector<bool> met_;  // by index in the computation
  std::vector<const Instruction*> last_[2];
};

}  // namespace

std::vector<Ring> RingsAround(const FoldedValues& folded, const Instruction& centre, int radius) {
  Growth growth(folded, centre);
  std::vector<Ring> rings;
  for (int distance = 1; distance <= radius; ++distance) {
    for (const bool is_users : {false, true}) {
      Ring ring = growth.Next(is_users, distance);
      if (!ring.instructions.empty()) rings.push_back(std::move(ring));
    }
  }
  return rings;
}

}  // namespace hlo
