// Two layouts of one array side by side: the cost of copying from one to the other; and alternative
// layouts.
#ifndef HLO_ENGINE_VIEWS_RELAYOUT_VIEW_H_
#define HLO_ENGINE_VIEWS_RELAYOUT_VIEW_H_

#include <string>
#include <vector>

#include "engine/layout/relayout_cost.h"
#include "engine/views/layout_view.h"

namespace hlo {

/// The cost of copying an array from one layout to another.
struct RelayoutView {
  bool ok = false;
  std::string problem;   ///< why two valid layouts cannot be compared
  bool bitcast = false;  ///< no bit moves, and the buffers are in the same memory
  std::string reason;    ///< one sentence: why nothing moves, or what does
  RelayoutCost cost;
};
RelayoutView MakeRelayoutView(const LayoutView& from, const LayoutView& to);
/// The reason and the numbers as lines; none unless `ok`.
std::vector<std::string> RelayoutLines(const LayoutView& from, const LayoutView& to,
                                       const RelayoutView& view);
/// RelayoutInfo of wasm/engine_api.ts.
std::string RelayoutJson(const LayoutView& from, const LayoutView& to);

/// LayoutAdvice of wasm/engine_api.ts, for a shape with any layout.
std::string LayoutAdviceJson(const LayoutView& view);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_RELAYOUT_VIEW_H_
