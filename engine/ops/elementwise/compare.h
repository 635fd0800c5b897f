// Defaults of compare's attributes.
#ifndef HLO_ENGINE_OPS_ELEMENTWISE_COMPARE_H_
#define HLO_ENGINE_OPS_ELEMENTWISE_COMPARE_H_

#include <string_view>

#include "engine/ops/op_call.h"
#include "engine/types/element_type.h"

namespace hlo {

/// The default comparison order (`type`) for this element type: "SIGNED".
/// Source: XLA, comparison_util.cc, DefaultComparisonType.
std::string_view DefaultOrderText(ElementType type);
/// The `type` of a comparison whether it is written, implied or said by `order`; empty for the weak
/// order, which has none. Source: XLA, comparison_util.cc, ComparisonTypeToOrder.
std::string_view ComparisonTypeText(const OpCall& call);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_ELEMENTWISE_COMPARE_H_
