// A layout as text: printed by the command and stored in golden files.
#ifndef HLO_ENGINE_VIEWS_LAYOUT_REPORT_H_
#define HLO_ENGINE_VIEWS_LAYOUT_REPORT_H_

#include <string>

#include "engine/views/layout_view.h"

namespace hlo {

/// The subject, its sizes, padding and address formula, its properties in the terms of the
/// notation's own tools, and the layout in the other notations; a line each. Precondition: the view
/// has a map.
std::string LayoutReport(const LayoutView& view);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_LAYOUT_REPORT_H_
