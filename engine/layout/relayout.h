// Conversion from one layout to another: which elements move together, and what that costs.
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

/// What it takes to convert an array from one layout to another.
struct Relayout {
  static constexpr int64_t kLineBytes = 64;
  /// No byte moves: every element has the same bits in both buffers, and they are equally long.
  bool bitcast = false;
  /// The elements as boxes; none when the addresses have no common digits (`by_element`).
  std::vector<RelayoutBox> boxes;
  bool by_element = false;
  /// The number of runs of the copy that are consecutive in both buffers, and the longest in
  /// elements.
  int64_t runs = 0;
  int64_t run_elements = 0;
  /// Cache lines of kLineBytes bytes that hold elements, counted for each nest of loops as if it
  /// began at a line: exact where tiles fill lines, as TPU's do, else an estimate like Morello's.
  /// Source: Morello, layout.rs, estimate_cache_lines.
  int64_t lines_read = 0;
  int64_t lines_written = 0;
};

/// Both maps have the same dims. The time does not depend on the number of elements, except to find
/// out whether two layouts without common digits are the same.
Relayout PlanRelayout(const LayoutMap& from, const LayoutMap& to);

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_RELAYOUT_H_
