// What compare's attributes are when the text leaves them out.
#ifndef HLO_ENGINE_OPS_ELEMENTWISE_COMPARE_H_
#define HLO_ENGINE_OPS_ELEMENTWISE_COMPARE_H_

#include <string_view>

#include "engine/types/element_type.h"

namespace hlo {

/// The order that `type` of a compare of this element type has by default: "SIGNED".
/// Source: XLA, comparison_util.cc, DefaultComparisonType.
std::string_view DefaultOrderText(ElementType type);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_ELEMENTWISE_COMPARE_H_
