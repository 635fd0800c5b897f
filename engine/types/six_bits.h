// Types of which a stored element has more bits than it needs.
#ifndef HLO_ENGINE_TYPES_SIX_BITS_H_
#define HLO_ENGINE_TYPES_SIX_BITS_H_

#include "engine/types/element_type.h"

namespace hlo {

/// Whether elements are the low six bits of their bytes. A bitcast leaves the other two as they
/// are, so that bytes that differ may be the same number.
inline bool HasSixBits(ElementType type) {
  return type == ElementType::kF6E3M2FN || type == ElementType::kF6E2M3FN;
}

}  // namespace hlo

#endif  // HLO_ENGINE_TYPES_SIX_BITS_H_
