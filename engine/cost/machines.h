// What machines can do at most: peak rates by width of the elements, and memory bandwidth.
#ifndef HLO_ENGINE_COST_MACHINES_H_
#define HLO_ENGINE_COST_MACHINES_H_

#include <span>
#include <string>
#include <string_view>

#include "engine/types/element_type.h"

namespace hlo {

/// How the figures of a machine are known.
enum class FiguresFrom : uint8_t { kDatasheet, kAssumed, kMeasured, kTyped };

/// Operations per second for elements of 64, 32, 16 and 8 bits; 0: the vendor gives none, and those
/// of the next width that has some count.
struct PeakRates {
  double bits64 = 0, bits32 = 0, bits16 = 0, bits8 = 0;
};

/// A machine.
struct Machine {
  std::string id;    ///< "v5e"
  std::string name;  ///< "TPU v5e"
  FiguresFrom from = FiguresFrom::kTyped;
  std::string source;  ///< of the figures, in a sentence
  PeakRates peak;
  double bandwidth = 0;   ///< Bytes per second.
  bool has_vmem = false;  ///< Memory space 1 is on the chip, and no part of that bandwidth.

  /// Of arithmetic on this type.
  double PeakOf(ElementType type) const;
  bool IsUsable() const;
};

/// The machines whose figures are known, in the order in which they are offered.
std::span<const Machine> KnownMachines();
/// The machine of this id; null if there is none.
const Machine* FindMachine(std::string_view id);
/// The id of the machine that is meant when none is named.
inline constexpr std::string_view kUsualMachine = "v5e";

/// "datasheet", "assumed", "measured", "typed"
std::string_view Text(FiguresFrom from);

}  // namespace hlo

#endif  // HLO_ENGINE_COST_MACHINES_H_
