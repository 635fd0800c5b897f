// What calls of libraries cost that XLA's compilers write in place of products and convolutions.
#ifndef HLO_ENGINE_COST_LIBRARY_WORK_H_
#define HLO_ENGINE_COST_LIBRARY_WORK_H_

#include <optional>

#include "engine/cost/array_bytes.h"
#include "engine/cost/cost.h"
#include "engine/ops/op_call.h"

namespace hlo {

/// The cost of a custom-call to such a library: that of the product or convolution alone, and the
/// bytes of the operands and of the first part of the result. Nothing for other calls, and where
/// operands or result are no arrays. Source: XLA, gpu_hlo_cost_analysis.cc (HandleCustomCall).
std::optional<Cost> LibraryCost(const OpCall& call, ShapeBytes* bytes);

}  // namespace hlo

#endif  // HLO_ENGINE_COST_LIBRARY_WORK_H_
