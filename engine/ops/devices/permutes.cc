// collective-permute: every device sends to one device and receives from one.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "engine/kernels/move_copy.h"
#include "engine/ops/devices/collectives.h"
#include "engine/ops/devices/device_groups.h"
#include "engine/ops/devices/meetings.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

constexpr AttrDef kPermuteAttrs[] = {
    kChannelIdAttr,
    {.name = "source_target_pairs",
     .kind = AttrKind::kIntLists,
     .use = AttrUse::kRequired,
     .doc = "Pairs {source,target}; each device is a source and a target at most once.",
     .always_printed = true},
    {"slice_sizes", AttrKind::kIntLists, AttrUse::kOptional,
     "The form in place: the sizes of each slice that is sent. The operands are then input, "
     "output, and where the slices start in each."},
};

bool IsStart(const OpCall& call) { return call.opcode() == Opcode::kCollectivePermuteStart; }

/// The shape received: the result, or its part of the start's state.
const Shape& PermutedShape(const OpCall& call) {
  return IsStart(call) ? call.shape().elements()[1] : call.shape();
}

bool IsInPlace(const OpCall& call) { return !call.IntLists("slice_sizes").empty(); }

/// Where slices of an array start: one number per dimension, or a tuple of such tuples, one per
/// slice. The error in XLA's words; empty if there is none.
/// Source: XLA, hlo_verifier.cc, CheckBufferOffset.
std::string_view OffsetFault(const Shape& array, const Shape& offset) {
  constexpr std::string_view kRank =
      "Buffer offset index should have the same number of elements as the buffer's rank.";
  if (!offset.IsTuple()) return "Buffer offset is not tuple.";
  const std::vector<Shape>& parts = offset.elements();
  const auto all = [&](bool (Shape::*is)() const) {
    return std::all_of(parts.begin(), parts.end(), [&](const Shape& part) { return (part.*is)(); });
  };
  if (!all(&Shape::IsArray) && !all(&Shape::IsTuple)) {
    return "Buffer offset should either be a tuple of arrays or a tuple of tuples.";
  }
  const size_t rank = array.IsArray() ? static_cast<size_t>(array.rank()) : 0;
  const auto is_index = [&](const Shape& index) {
    return index.elements().size() == rank &&
           std::all_of(index.elements().begin(), index.elements().end(), [](const Shape& number) {
             return number.IsScalar() && IsIntegral(number.element_type());
           });
  };
  if (!parts.empty() && parts[0].IsTuple()) {
    return std::all_of(parts.begin(), parts.end(), is_index) ? "" : kRank;
  }
  return is_index(offset) ? "" : kRank;
}

/// The offsets of one buffer, or of each buffer of a tuple. `side` is input or output.
bool CheckOffsets(const OpCall& call, int buffers_at, int offsets_at, std::string_view side,
                  Diagnostics& out) {
  const Shape& buffers = call.operand(buffers_at);
  const Shape& offsets = call.operand(offsets_at);
  const auto fail = [&](std::string_view message) {
    ReportOperand(
        call, offsets_at, DiagCode::kOperandInvalid,
        fmt::format("{} They are {} and {}", message, ShapeName(buffers), ShapeName(offsets)), out);
    return false;
  };
  if (!buffers.IsTuple()) {
    const std::string_view fault = OffsetFault(buffers, offsets);
    return fault.empty() || fail(fault);
  }
  if (!offsets.IsTuple() || offsets.elements().size() != buffers.elements().size()) {
    return fail(fmt::format("Unmatching {} buffers and {} offset.", side, side));
  }
  for (size_t i = 0; i < buffers.elements().size(); ++i) {
    const std::string_view fault = OffsetFault(buffers.elements()[i], offsets.elements()[i]);
    if (!fault.empty()) return fail(fault);
  }
  return true;
}

/// XLA, hlo_verifier.cc, CheckInplaceCollectivePermute.
bool CheckInPlace(const OpCall& call, Diagnostics& out) {
  if (call.operand_count() != 4) {
    ReportOp(call, DiagCode::kOperandCount,
             fmt::format("Unexpected number of operands: {}. With slice_sizes it expects 4: input, "
                         "output and where slices start in each",
                         call.operand_count()),
             out);
    return false;
  }
  const Shape& input = call.operand(0);
  const Shape& output = call.operand(1);
  const bool are_arrays = input.IsArray() && output.IsArray();
  const bool are_tuples =
      input.IsTuple() && output.IsTuple() && input.elements().size() == output.elements().size();
  if (!are_arrays && !are_tuples) {
    ReportOperand(call, 1, DiagCode::kOperandInvalid,
                  fmt::format("Unmatching input buffers and output buffers. They are {} and {}",
                              ShapeName(input), ShapeName(output)),
                  out);
    return false;
  }
  return CheckOffsets(call, 0, 2, "input", out) && CheckOffsets(call, 1, 3, "output", out);
}

std::optional<Shape> InferPermute(const OpCall& call, Diagnostics& out) {
  if (!IsInPlace(call)) {
    CheckArrays(call, out);
    return OperandShapes(call);
  }
  if (!CheckInPlace(call, out)) return std::nullopt;
  return call.operand(1);
}

/// (operand, result, contexts...): contexts are whatever u32 scalars the text has.
std::optional<Shape> InferPermuteStart(const OpCall& call, Diagnostics& out) {
  std::optional<Shape> result = InferPermute(call, out);
  if (!result) return std::nullopt;
  Shape source = IsInPlace(call) ? call.operand(0) : OperandShapes(call);
  std::vector<Shape> parts = {std::move(source), std::move(*result)};
  const Shape* written = call.written();
  for (size_t i = 2; written && written->IsTuple() && i < written->elements().size(); ++i) {
    parts.push_back(Shape::Scalar(ElementType::kU32));
  }
  return Shape::Tuple(std::move(parts));
}

std::optional<Shape> InferPermuteDone(const OpCall& call, Diagnostics& out) {
  const Shape& start = call.operand(0);
  if (start.IsTuple() && start.elements().size() >= 2) return start.elements()[1];
  ReportOperand(call, 0, DiagCode::kOperandInvalid,
                fmt::format("expects {} to be (operand, result, ...), but it is {}",
                            OperandName(call, 0), ShapeName(start)),
                out);
  return std::nullopt;
}

// ---- Evaluation ---------------------------------------------------------------------------------

using Pairs = std::vector<std::pair<int64_t, int64_t>>;

Pairs PairsOf(const OpCall& call, EvalContext& context) {
  Peers& peers = context.peers();
  return DevicePairs(call.IntLists("source_target_pairs"),
                     GroupModeOf(call, /*partition_wide=*/true), peers.grid(), peers.device());
}

/// The devices that send or receive, in ascending order.
std::vector<int64_t> Participants(const Pairs& pairs) {
  std::vector<int64_t> devices;
  for (const auto& [source, target] : pairs) {
    devices.push_back(source);
    devices.push_back(target);
  }
  std::sort(devices.begin(), devices.end());
  devices.erase(std::unique(devices.begin(), devices.end()), devices.end());
  return devices;
}

size_t RankOf(const Meeting& meeting, int64_t device) {
  auto found = std::find(meeting.members.begin(), meeting.members.end(), device);
  return static_cast<size_t>(found - meeting.members.begin());
}

/// The operand of this device's source; zeros without one.
Value TakeFromSource(const OpCall& call, Meeting& meeting, size_t rank, EvalContext& context) {
  for (const auto& [source, target] : PairsOf(call, context)) {
    if (target != meeting.members[rank]) continue;
    const Shape shape = PermutedShape(call);
    std::vector<Value> parts;
    parts.reserve(static_cast<size_t>(call.operand_count()));
    for (int i = 0; i < call.operand_count(); ++i) {
      parts.emplace_back(ConvertTensor(Given(meeting, RankOf(meeting, source), i),
                                       PartShape(shape, i).element_type(), context.budget()));
    }
    return JoinParts(shape, std::move(parts));
  }
  return ZeroValue(PermutedShape(call), context.budget());
}

// In place: slices of the source's input go into the target's output. With several slices per
// buffer: if a source has several targets, slice k goes to target k, else all go to the single one.

/// One number per dimension, clamped so that the slice is inside, like dynamic-slice.
Dims StartsOf(const Value& numbers, const Dims& dims, const Dims& sizes, EvalContext& context) {
  Dims starts;
  for (size_t d = 0; d < dims.size(); ++d) {
    Tensor wide =
        ConvertTensor(numbers.elements()[d].tensor(), ElementType::kS64, context.budget());
    starts.push_back(std::clamp<int64_t>(*wide.data<int64_t>(), 0, dims[d] - sizes[d]));
  }
  return starts;
}

/// The start indices of each slice of buffer b, out of one buffer or a tuple of them.
std::vector<Value> SliceStarts(const Value& starts, bool several_buffers, size_t b) {
  const Value& own = several_buffers ? starts.elements()[b] : starts;
  if (!own.elements().empty() && own.elements()[0].is_tuple()) return own.elements();
  return {own};
}

const Tensor& BufferOf(const Value& buffers, size_t b) {
  return buffers.is_tuple() ? buffers.elements()[b].tensor() : buffers.tensor();
}

/// The index of the pair at `at` among its source's pairs: 0 for the first.
size_t OccurrenceOf(const Pairs& pairs, size_t at) {
  size_t earlier = 0;
  for (size_t i = 0; i < at; ++i) earlier += pairs[i].first == pairs[at].first;
  return earlier;
}

size_t SendsOf(const Pairs& pairs, int64_t source) {
  size_t sends = 0;
  for (const auto& pair : pairs) sends += pair.first == source;
  return sends;
}

void CheckSlicesFit(const Dims& sizes, const Tensor& input, const Tensor& output) {
  bool fits = sizes.size() == input.dims().size() && sizes.size() == output.dims().size();
  for (size_t d = 0; fits && d < sizes.size(); ++d) {
    fits = sizes[d] >= 0 && sizes[d] <= input.dims()[d] && sizes[d] <= output.dims()[d];
  }
  if (fits) return;
  throw RunError(
      DiagCode::kRuntimeError,
      fmt::format("a slice of sizes {} does not fit into input and output", DimsText(sizes)));
}

/// Buffer b of the result; `first_size` is where its slices begin in slice_sizes.
Tensor TakeSlices(const OpCall& call, const Meeting& meeting, size_t rank, size_t b,
                  size_t* first_size, EvalContext& context) {
  const bool several = call.operand(0).IsTuple();
  const std::vector<Dims>& sizes = call.IntLists("slice_sizes");
  const Tensor& output = BufferOf(meeting.given[rank][1], b);
  const std::vector<Value> to_starts = SliceStarts(meeting.given[rank][3], several, b);
  const ElementType type = PartShape(PermutedShape(call), static_cast<int>(b)).element_type();
  Tensor result(type, output.dims(), context.budget());
  Tensor before = ConvertTensor(output, type, context.budget());
  std::memcpy(result.mutable_bytes(), before.bytes(), static_cast<size_t>(result.byte_size()));
  const Pairs pairs = PairsOf(call, context);
  for (size_t p = 0; p < pairs.size(); ++p) {
    if (pairs[p].second != meeting.members[rank]) continue;
    const std::vector<Value>& given = meeting.given[RankOf(meeting, pairs[p].first)];
    Tensor input = ConvertTensor(BufferOf(given[0], b), result.element_type(), context.budget());
    const std::vector<Value> from_starts = SliceStarts(given[2], several, b);
    if (from_starts.size() != to_starts.size() || sizes.size() < *first_size + to_starts.size()) {
      throw RunError(DiagCode::kRuntimeError,
                     "slice_sizes, input starts and output starts are not of one number");
    }
    const bool split = SendsOf(pairs, pairs[p].first) > 1 && to_starts.size() > 1;
    for (size_t s = 0; s < to_starts.size(); ++s) {
      if (split && s != OccurrenceOf(pairs, p)) continue;
      const Dims& size = sizes[*first_size + s];
      CheckSlicesFit(size, input, result);
      CopyView(BytesOf(result.element_type()), input.bytes(),
               Slice(RowMajorView(input.dims()),
                     StartsOf(from_starts[s], input.dims(), size, context), size),
               result.mutable_bytes(),
               Slice(RowMajorView(result.dims()),
                     StartsOf(to_starts[s], result.dims(), size, context), size),
               context.budget());
    }
  }
  *first_size += to_starts.size();
  return result;
}

Value TakeInPlace(const OpCall& call, Meeting& meeting, size_t rank, EvalContext& context) {
  const Value& output = meeting.given[rank][1];
  size_t first_size = 0;
  if (!output.is_tuple()) return TakeSlices(call, meeting, rank, 0, &first_size, context);
  Value::Elements parts;
  for (size_t b = 0; b < output.elements().size(); ++b) {
    parts.emplace_back(TakeSlices(call, meeting, rank, b, &first_size, context));
  }
  return Value::Tuple(std::move(parts));
}

/// The result, or for the start the state that contains it.
Value TakePermuted(const OpCall& call, Meeting& meeting, size_t rank, EvalContext& context) {
  Value source = IsInPlace(call) ? meeting.given[rank][0] : Value();
  Value result = IsInPlace(call) ? TakeInPlace(call, meeting, rank, context)
                                 : TakeFromSource(call, meeting, rank, context);
  if (!IsStart(call)) return result;
  const std::vector<Shape>& state = call.shape().elements();
  if (!IsInPlace(call)) source = JoinParts(state[0], meeting.given[rank]);
  Value::Elements parts = {std::move(source), std::move(result)};
  for (size_t i = 2; i < state.size(); ++i) {
    parts.push_back(ZeroValue(state[i], context.budget()));
  }
  return Value::Tuple(std::move(parts));
}

/// A device in no pair waits for nobody: it forms a group of its own.
ControlStep EnterPermute(const OpCall& call, std::span<Value> args, ControlState& state,
                         EvalContext& context) {
  std::vector<int64_t> members;
  if (state.step == 0) {
    const int64_t device = context.peers().device();
    members = Participants(PairsOf(call, context));
    if (!std::binary_search(members.begin(), members.end(), device)) members = {device};
  }
  return Meet(call, args, state, context, members, TakePermuted);
}

Value EvalPermuteDone(const OpCall&, std::span<Value> args, EvalContext&) {
  if (args[0].unique_elements()) return std::move(args[0].mutable_elements()[1]);
  return args[0].elements()[1];
}

// ---- Checks -------------------------------------------------------------------------------------

/// In place, a device may send and receive once per part of the offset.
int PairsPerDevice(const OpCall& call) {
  if (!IsInPlace(call)) return 1;
  const Shape* offset = &call.operand(2);
  if (call.operand(0).IsTuple() && !offset->elements().empty()) offset = &offset->elements()[0];
  return static_cast<int>(offset->elements().size());
}

void VerifyPermute(const OpCall& call, Diagnostics& out) {
  CheckPairs(call, PairsPerDevice(call), out);
}

}  // namespace

namespace ops {

const OpDef kCollectivePermute{
    .doc = "Sends the operand of each source to its target. A device that is no target gets zeros.",
    .source = "operation semantics, CollectivePermute",
    .operands = kOperand,
    .types = kAllArrayTypes,
    .attrs = kPermuteAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferPermute,
    .verify = VerifyPermute,
    .enter = EnterPermute,
    .any_precision = true,
    .keeps_layout = true,
    .is_collective = true,
};

const OpDef kCollectivePermuteStart{
    .doc =
        "Starts a collective-permute; collective-permute-done gives the result. The state is "
        "(operand, result, contexts).",
    .source = "XLA, hlo_verifier.cc, HandleCollectivePermuteStart",
    .operands = kOperand,
    .types = kAllArrayTypes,
    .attrs = kPermuteAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferPermuteStart,
    .verify = VerifyPermute,
    .enter = EnterPermute,
    .any_precision = true,
    .has_effect = true,
    .done = Opcode::kCollectivePermuteDone,
};

const OpDef kCollectivePermuteDone{
    .doc = "The result of the permutation that collective-permute-start started.",
    .source = "XLA, hlo_verifier.cc, HandleCollectivePermuteDone",
    .operands = kStart,
    .types = "the result of collective-permute-start",
    .result_shape = ResultShape::kWritten,
    .infer = InferPermuteDone,
    .eval = EvalPermuteDone,
    .any_precision = true,
    .floats = FloatWidths::kAny,
    .buffers = ResultBuffers::kStarted,
    .has_effect = true,
};

}  // namespace ops
}  // namespace hlo
