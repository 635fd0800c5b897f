// Whether a layout fits the dimensions of an array.
#ifndef HLO_ENGINE_LAYOUT_LAYOUT_VALIDITY_H_
#define HLO_ENGINE_LAYOUT_LAYOUT_VALIDITY_H_

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/diagnostics.h"
#include "engine/layout/layout.h"

namespace hlo {

/// The places of the numbers of a layout in its text, to report faults at the exact character.
/// Lists run parallel to those of the layout.
struct LayoutPlaces {
  std::vector<Range> dims;  ///< Of minor_to_major.
  Range padding;            ///< All padded dimensions.
  std::vector<Range> padded_dims;
  Range padding_value;
  std::vector<Range> splits;  ///< The dimension of each split, followed by its indices.
};

/// Checks a layout against an array with dimensions `dims` (a negative size is a dimension without
/// a bound). Every fault is one kLayoutInvalid diagnostic at its place, or at `range` without
/// places, in XLA's words where XLA has the check; true when there is none.
/// Source: XLA, layout_util.cc, ValidateLayoutForShape; shapes and layout, "Padding".
/// Differs from XLA: `*` as the last entry of a tile, which combines with nothing, is refused.
bool ValidateLayout(const Layout& layout, std::span<const int64_t> dims, Range range,
                    Diagnostics& diagnostics, const LayoutPlaces* places = nullptr);

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_LAYOUT_VALIDITY_H_
