// Two layouts of one array side by side: the cost of copying from one to the other; and alternative
// layouts.
#ifndef HLO_ENGINE_VIEWS_RELAYOUT_VIEW_H_
#define HLO_ENGINE_VIEWS_RELAYOUT_VIEW_H_

#include <string>

#include "engine/layout/relayout.h"
#include "engine/views/layout_view.h"

namespace hlo {

/// The cost of copying an array from one layout to another.
struct RelayoutView {
  bool ok = false;
  std::string problem;  ///< why two valid layouts cannot be compared
  std::string reason;   ///< one sentence: why nothing moves, or what does
  Relayout plan;
};
RelayoutView MakeRelayoutView(const LayoutView& from, const LayoutView& to);
/// RelayoutInfo of wasm/engine_api.ts.
std::string RelayoutJson(const LayoutView& from, const LayoutView& to);

/// LayoutAdvice of wasm/engine_api.ts, for a shape with any layout.
std::string LayoutAdviceJson(const LayoutView& view);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_RELAYOUT_VIEW_H_
