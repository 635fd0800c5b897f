// Copies an array from one layout into another.
#ifndef HLO_ENGINE_OPS_MOVEMENT_RELAYOUT_COPY_H_
#define HLO_ENGINE_OPS_MOVEMENT_RELAYOUT_COPY_H_

#include <cstddef>

#include "engine/base/budget.h"
#include "engine/layout/layout_map.h"

namespace hlo {

/// Copies every element from its address in one map to its address in the other; padding is not
/// written. The maps have the same dims, the buffers byte_size() bytes each, and do not overlap. If
/// element widths differ, the low bits are copied, and bits that only the wider element has become
/// 0. Polls the budget (not null).
void CopyRelayout(const LayoutMap& from, const std::byte* source, const LayoutMap& to,
                  std::byte* target, Budget* budget);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_MOVEMENT_RELAYOUT_COPY_H_
