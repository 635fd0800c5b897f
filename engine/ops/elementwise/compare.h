// Defaults of compare's attributes.
#ifndef HLO_ENGINE_OPS_ELEMENTWISE_COMPARE_H_
#define HLO_ENGINE_OPS_ELEMENTWISE_COMPARE_H_

#include <string_view>

#include "engine/types/element_type.h"

namespace hlo {

/// The default comparison order (`type`) for this element type: "SIGNED".
/// Source: XLA, comparison_util.cc, DefaultComparisonType.
std::string_view DefaultOrderText(ElementType type);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_ELEMENTWISE_COMPARE_H_
