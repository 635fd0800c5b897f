// Indices that a reduction looks up instead of reading all of them.
#ifndef HLO_ENGINE_PLAN_NARROW_IOTA_H_
#define HLO_ENGINE_PLAN_NARROW_IOTA_H_

#include "engine/plan/plan.h"

namespace hlo {

/// The iotas that nothing but reductions of two arrays along their dimension read are computed with
/// that dimension alone: the reductions take such an operand for its broadcast
/// (ops/products/reductions.cc). Arg-max over an array then makes no second array of its size.
void NarrowIotas(ComputationPlan& plan);

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_NARROW_IOTA_H_
