// Layouts as text: `{1,0:T(8,128)(2,1)L(8)E(4)S(1)SC(0:30)(1:40,130)M(16)}`.
// Source: XLA, layout.cc, Layout::Print; XLA tiled layout (the form without `T`).
#ifndef HLO_ENGINE_LAYOUT_LAYOUT_TEXT_H_
#define HLO_ENGINE_LAYOUT_LAYOUT_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/diagnostics.h"
#include "engine/layout/layout.h"
#include "engine/layout/layout_validity.h"

namespace hlo {

/// The outcome of ParseLayout.
struct LayoutParse {
  Layout layout;
  uint32_t consumed = 0;  ///< Bytes of the text that belong to the layout, also when it is faulty.
  bool ok = false;        ///< Nothing was reported.
};

/// Parses the layout at the start of `text` (which begins with `{`); white space and comments may
/// separate its parts. Faults are kLayoutInvalid diagnostics with exact ranges, counted from
/// `base_offset`; parsing continues after a fault where the rest can still be understood. Does not
/// check the layout against a shape: ValidateLayout does.
///
/// Beyond what XLA writes it takes the form of the tiling documentation, `{1,0:(2,2)}`, and an
/// annotation of this engine for the legacy padding of the shapes documentation, as the last part:
/// `PAD(3,5;0)` pads dimension 0 to 3 and dimension 1 to 5 with the value 0; without `;0` the
/// content of the padding is not specified. `D(...)` is read and dropped, as in XLA.
LayoutParse ParseLayout(std::string_view text, uint32_t base_offset, Diagnostics& diagnostics);
/// The places of the numbers of a layout that ParseLayout takes without faults.
LayoutPlaces PlacesOf(std::string_view text, uint32_t base_offset);

/// Appends the text of a layout: parts in the order T L # * E S SC P M PAD, those with their
/// default values left out. Nothing for the layout of a scalar that has no such parts.
void AppendLayout(const Layout& layout, std::string* out);
std::string LayoutText(const Layout& layout);

/// `(8,128)`, `(*,2)`: the sizes of a tile.
std::string TileText(const Tile& tile);

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_LAYOUT_TEXT_H_
