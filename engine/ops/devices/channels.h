// The part of send and recv that other files use.
#ifndef HLO_ENGINE_OPS_DEVICES_CHANNELS_H_
#define HLO_ENGINE_OPS_DEVICES_CHANNELS_H_

#include <cstdint>
#include <optional>

#include "engine/ops/eval.h"
#include "engine/types/shape.h"
#include "engine/types/tensor.h"

namespace hlo {

/// The message a recv asked for, by its receipt; nothing before it has arrived. Throws RunError if
/// its shape differs, since the sender need not be the instruction that the receiver was meant for.
std::optional<Value> Collected(uint32_t receipt, const Shape& shape, EvalContext& context);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_DEVICES_CHANNELS_H_
