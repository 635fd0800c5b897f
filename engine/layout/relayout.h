// Conversion from one layout to another: which elements move together.
#ifndef HLO_ENGINE_LAYOUT_RELAYOUT_H_
#define HLO_ENGINE_LAYOUT_RELAYOUT_H_

#include <cstdint>
#include <vector>

#include "engine/base/small_vector.h"
#include "engine/layout/layout_map.h"

namespace hlo {

/// A nest of loops over elements, outermost first, with the steps of each loop in both buffers.
/// All numbers count elements.
struct RelayoutBox {
  int64_t from = 0, to = 0;  ///< Offsets of the first element.
  Dims counts, from_steps, to_steps;
};

/// How to convert an array from one layout to another.
struct Relayout {
  /// The elements as boxes; none when the addresses have no common digits (`by_element`).
  std::vector<RelayoutBox> boxes;
  bool by_element = false;
};

/// Both maps have the same dims. The time does not depend on the number of elements.
Relayout PlanRelayout(const LayoutMap& from, const LayoutMap& to);

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_RELAYOUT_H_
