// Layouts as orders of dimensions, for what moves elements between them.
#ifndef HLO_ENGINE_OPS_MOVEMENT_PHYSICAL_ORDER_H_
#define HLO_ENGINE_OPS_MOVEMENT_PHYSICAL_ORDER_H_

#include "engine/layout/layout.h"

namespace hlo {

/// Whether a layout only orders the dimensions: no tiles, no packing, no padding.
bool IsOrderOnly(const Layout& layout);

/// The dimensions from major to minor.
Dims PhysicalOrder(const Layout& layout);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_MOVEMENT_PHYSICAL_ORDER_H_
