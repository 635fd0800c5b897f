// What the conversion from one layout to another costs.
#ifndef HLO_ENGINE_LAYOUT_RELAYOUT_COST_H_
#define HLO_ENGINE_LAYOUT_RELAYOUT_COST_H_

#include <cstdint>

#include "engine/layout/layout_map.h"

namespace hlo {

/// The cost of a conversion. All sizes count elements.
struct RelayoutCost {
  static constexpr int64_t kLineBytes = 64;
  /// Of more elements than this the runs and lines are estimated, not counted.
  static constexpr int64_t kMostCounted = int64_t{1} << 18;
  /// Every element has the same place in both buffers.
  bool same_places = false;
  /// The same, and elements and buffers have the same size: no bit moves.
  bool bitcast = false;
  /// The runs of the copy that are consecutive in both buffers, and the longest of them; 0 when
  /// there are too many elements to tell.
  int64_t runs = 0;
  int64_t run_elements = 0;
  /// Cache lines of kLineBytes bytes that hold elements.
  int64_t lines_read = 0;
  int64_t lines_written = 0;
  /// Whether runs and lines were counted. Estimates are by the boxes of PlanRelayout: runs that go
  /// on in another box count twice, and lines count for each box as if it began at a line.
  /// Source: Morello, layout.rs, estimate_cache_lines.
  bool is_exact = true;
};

/// Both maps have the same dims.
RelayoutCost CostOfRelayout(const LayoutMap& from, const LayoutMap& to);

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_RELAYOUT_COST_H_
