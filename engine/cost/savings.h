// What a program would save if it were fused further, or laid out otherwise.
#ifndef HLO_ENGINE_COST_SAVINGS_H_
#define HLO_ENGINE_COST_SAVINGS_H_

#include <optional>
#include <string>
#include <vector>

#include "engine/cost/cost_analysis.h"
#include "engine/types/shape.h"

namespace hlo {

/// A change, and the bytes that would not cross memory in one execution of the program.
struct Saving {
  enum class Kind : uint8_t { kFuse, kLayout };
  Kind kind = Kind::kFuse;
  const Instruction* instruction = nullptr;
  std::vector<const Instruction*> with;  ///< kFuse: its users
  double bytes = 0;
  std::string change;  ///< In words.
};

/// At most so many of each kind are looked at, those that could save the most.
inline constexpr size_t kMostSavings = 100;

/// Those of a module, the largest first. Fusing: an element-wise instruction (or a broadcast, an
/// iota, a reshape, a fusion of such) whose users are all such or reductions, so that its result
/// need not be written and read. Layouts: arrays whose padding another order of the dimensions, or
/// other tiles, would save.
std::vector<Saving> FindSavings(const CostAnalysis& costs);

/// Another layout of an array that takes fewer bytes.
struct BetterLayout {
  Shape shape;
  double bytes = 0;    ///< That it saves.
  std::string change;  ///< "swap dimensions 0 and 1", "use other tiles"
};
/// The best one for an array of so many bytes with its padding; nothing where none saves a
/// sixteenth of it.
std::optional<BetterLayout> BetterLayoutFor(const Shape& shape, int64_t bytes);

}  // namespace hlo

#endif  // HLO_ENGINE_COST_SAVINGS_H_
