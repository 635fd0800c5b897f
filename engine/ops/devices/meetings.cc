#include "engine/ops/devices/meetings.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/shape_checks.h"

namespace hlo {

ControlStep Meet(const OpCall& call, std::span<Value> args, ControlState& state,
                 EvalContext& context, const std::vector<int64_t>& members, TakeResult take) {
  enum { kArriving, kWaiting };
  ControlStep step;
  std::vector<Value> operands;
  if (state.step == kArriving) {
    operands.assign(std::make_move_iterator(args.begin()), std::make_move_iterator(args.end()));
    if (members.size() == 1) {  // nobody to wait for
      Meeting alone{members, {std::move(operands)}, std::nullopt};
      step.result = take(call, alone, 0, context);
      return step;
    }
    state.meeting = context.peers().Join(call, members, std::move(operands));
    state.step = kWaiting;
  }
  Peers& peers = context.peers();
  Meeting* meeting = peers.Assembled(state.meeting);
  if (!meeting) {
    step.kind = ControlStep::Kind::kWait;
    return step;
  }
  auto own = std::find(meeting->members.begin(), meeting->members.end(), peers.device());
  step.result = take(call, *meeting, static_cast<size_t>(own - meeting->members.begin()), context);
  peers.Leave(state.meeting);
  return step;
}

std::vector<int64_t> OwnGroup(const OpCall& call, bool partition_wide, EvalContext& context) {
  Peers& peers = context.peers();
  GroupMode mode = GroupModeOf(call, partition_wide);
  auto group = GroupOf(call, mode, peers.grid(), peers.device());
  if (group) return std::move(*group);
  throw RunError(DiagCode::kNotExecutable,
                 fmt::format("{} is in no group of replica_groups ({} mode)",
                             DeviceName(peers.device(), peers.grid()), GroupModeText(mode)));
}

Tensor Concatenated(const std::vector<Tensor>& pieces, size_t d, const Shape& shape,
                    EvalContext& context) {
  Dims live = LiveDims(pieces[0]);
  int64_t room = 0;
  live[d] = 0;
  for (const Tensor& piece : pieces) {
    live[d] += LiveDims(piece)[d];
    room += piece.dims()[d];
  }
  if (room != shape.dims()[d]) {
    throw RunError(DiagCode::kRuntimeError,
                   fmt::format("the result has size {} in dimension {}, but the blocks of the {} "
                               "devices in the group make {}",
                               shape.dims()[d], d, pieces.size(), room));
  }
  Tensor result = MakeTensor(shape, live, context.budget());
  Dims starts(live.size(), 0);
  for (const Tensor& piece : pieces) {
    Tensor converted = ConvertTensor(piece, shape.element_type(), context.budget());
    Dims counts = LiveDims(converted);
    CopyInto(converted, &result, Slice(RowMajorView(result.dims()), starts, counts),
             context.budget());
    starts[d] += counts[d];
  }
  return result;
}

Tensor BlockOf(const Tensor& array, size_t d, int64_t number, int64_t count, EvalContext& context) {
  if (array.dims()[d] % count != 0) {
    throw RunError(
        DiagCode::kRuntimeError,
        fmt::format("dimension {} of size {} cannot be cut into {} equal blocks, one for "
                    "each device in the group",
                    d, array.dims()[d], count));
  }
  Dims starts(array.dims().size(), 0);
  Dims counts = array.dims();
  counts[d] /= count;
  starts[d] = number * counts[d];
  StridedView view = Slice(RowMajorView(array.dims()), starts, counts);
  Dims live = LiveDims(array);
  live[d] = std::clamp<int64_t>(live[d] - starts[d], 0, counts[d]);
  return TensorFromView(array, Prefix(view, live), Shape::Array(array.element_type(), counts),
                        context.budget());
}

}  // namespace hlo
