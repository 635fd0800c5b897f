// Layouts as orders of dimensions, for what moves elements between them.
#ifndef HLO_ENGINE_OPS_MOVEMENT_PHYSICAL_ORDER_H_
#define HLO_ENGINE_OPS_MOVEMENT_PHYSICAL_ORDER_H_

#include <algorithm>

#include "engine/layout/layout.h"

namespace hlo {

/// Whether a layout only orders the dimensions: no tiles, no packing, no padding.
inline bool IsOrderOnly(const Layout& layout) {
  if (!layout.has_extras()) return true;
  const LayoutExtras& extras = layout.extras();
  return extras.tiles.empty() && extras.element_bits == 0 && extras.padded_dimensions.empty();
}

/// The dimensions from major to minor.
inline Dims PhysicalOrder(const Layout& layout) {
  Dims order = layout.minor_to_major();
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_MOVEMENT_PHYSICAL_ORDER_H_
