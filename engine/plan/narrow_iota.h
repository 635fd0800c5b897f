// Indices that a reduction looks up instead of reading all of them.
#ifndef HLO_ENGINE_PLAN_NARROW_IOTA_H_
#define HLO_ENGINE_PLAN_NARROW_IOTA_H_

#include "engine/plan/plan.h"

namespace hlo {

/// Some iotas are read by nothing but reductions of two arrays along the iota's own dimension, as
/// in an arg-max. They are computed with that dimension alone, and the reductions repeat them along
/// the others, if they read them at all (ops/products/reductions.cc): no second array of that size
/// is made.
void NarrowIotas(ComputationPlan& plan);

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_NARROW_IOTA_H_
