// A layout as text: what the command prints and golden files hold.
#ifndef HLO_ENGINE_VIEWS_LAYOUT_REPORT_H_
#define HLO_ENGINE_VIEWS_LAYOUT_REPORT_H_

#include <string>

#include "engine/views/layout_view.h"

namespace hlo {

/// The subject, its sizes, padding and address formula, what its makers would say, and the layout
/// in the other notations; a line each. The view has a map.
std::string LayoutReport(const LayoutView& view);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_LAYOUT_REPORT_H_
