// How a collective is evaluated: the devices of a group contribute their operands to a meeting (a
// rendezvous), and each takes its result from it.
#ifndef HLO_ENGINE_OPS_DEVICES_MEETINGS_H_
#define HLO_ENGINE_OPS_DEVICES_MEETINGS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/ops/devices/device_groups.h"
#include "engine/ops/devices/peers.h"
#include "engine/ops/eval.h"
#include "engine/ops/op_call.h"

namespace hlo {

/// The value that the member of this rank gets from a complete meeting.
using TakeResult = Value (*)(const OpCall& call, Meeting& meeting, size_t rank,
                             EvalContext& context);

/// One step of a collective over `members`, which include this device (only read in the first
/// step).
ControlStep Meet(const OpCall& call, std::span<Value> args, ControlState& state,
                 EvalContext& context, const std::vector<int64_t>& members, TakeResult take);

/// The same over the group of `replica_groups` that this device is in.
template <bool kPartitionWide, TakeResult kTake>
ControlStep EnterGroup(const OpCall& call, std::span<Value> args, ControlState& state,
                       EvalContext& context);

/// The group this device is in; throws RunError when it is in none.
std::vector<int64_t> OwnGroup(const OpCall& call, bool partition_wide, EvalContext& context);

/// Array i of a member's contribution.
inline const Tensor& Given(const Meeting& meeting, size_t rank, int i) {
  return meeting.given[rank][static_cast<size_t>(i)].tensor();
}

/// The live parts of arrays concatenated along dimension d, with the shape's type. Throws RunError
/// if they do not fit it.
Tensor Concatenated(const std::vector<Tensor>& pieces, size_t d, const Shape& shape,
                    EvalContext& context);

/// Block `number` of `count` equal ones along dimension d, with the shape's type. Throws RunError
/// if the dimension is not divisible.
Tensor BlockOf(const Tensor& array, size_t d, int64_t number, int64_t count, EvalContext& context);

template <bool kPartitionWide, TakeResult kTake>
ControlStep EnterGroup(const OpCall& call, std::span<Value> args, ControlState& state,
                       EvalContext& context) {
  std::vector<int64_t> members;
  if (state.step == 0) members = OwnGroup(call, kPartitionWide, context);
  return Meet(call, args, state, context, members, kTake);
}

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_DEVICES_MEETINGS_H_
