#include "engine/ops/movement/physical_order.h"

#include <algorithm>

namespace hlo {

bool IsOrderOnly(const Layout& layout) {
  if (!layout.has_extras()) return true;
  const LayoutExtras& extras = layout.extras();
  return extras.tiles.empty() && extras.element_bits == 0 && extras.padded_dimensions.empty();
}

Dims PhysicalOrder(const Layout& layout) {
  Dims order = layout.minor_to_major();
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace hlo
