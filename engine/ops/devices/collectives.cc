// Ops in which groups of devices exchange data: all-reduce, all-gather, reduce-scatter,
// collective-broadcast, collective-reduce, and the ids of devices. The others are in all_to_all.cc
// and permutes.cc.
#include "engine/ops/devices/collectives.h"

#include <fmt/format.h>

#include <utility>

#include "engine/base/bits.h"
#include "engine/ops/control/region_signatures.h"
#include "engine/ops/devices/device_groups.h"
#include "engine/ops/devices/meetings.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/shape_checks.h"

namespace hlo {

Shape OperandShapes(const OpCall& call) {
  std::vector<Shape> shapes;
  shapes.reserve(static_cast<size_t>(call.operand_count()));
  for (int i = 0; i < call.operand_count(); ++i) shapes.push_back(call.operand(i));
  return OneOrTuple(std::move(shapes));
}

namespace {

constexpr std::string_view kModes[] = {"cross_replica", "cross_partition",
                                       "cross_replica_and_partition", "flattened_id"};

constexpr AttrDef kGlobalIdsAttr{"use_global_device_ids", AttrKind::kBool, AttrUse::kOptional,
                                 "Groups number devices as replica * partitions + partition."};
constexpr AttrDef kDimensionAttr{.name = "dimensions",
                                 .kind = AttrKind::kInts,
                                 .use = AttrUse::kRequired,
                                 .doc =
                                     "The one dimension along which data is put together or "
                                     "cut.",
                                 .always_printed = true};
constexpr AttrDef kModeAttr{.name = "mode",
                            .kind = AttrKind::kWord,
                            .use = AttrUse::kOptional,
                            .doc =
                                "Accepted and ignored: the mode follows from channel_id and "
                                "use_global_device_ids.",
                            .words = kModes,
                            .noun = "collective op group mode",
                            .ignore_case = true,
                            .never_printed = true};
constexpr AttrDef kReducerAttr{"to_apply", AttrKind::kRegion, AttrUse::kRequired,
                               "Combines two elements."};

constexpr AttrDef kAllReduceAttrs[] = {kChannelIdAttr, kGroupsAttr, kConstrainAttr,
                                       kGlobalIdsAttr, kModeAttr,   kReducerAttr};
constexpr AttrDef kReduceScatterAttrs[] = {kChannelIdAttr, kGroupsAttr,    kConstrainAttr,
                                           kGlobalIdsAttr, kDimensionAttr, kModeAttr,
                                           kReducerAttr};
constexpr AttrDef kAllGatherAttrs[] = {kChannelIdAttr, kGroupsAttr, kConstrainAttr, kDimensionAttr,
                                       kGlobalIdsAttr};
constexpr AttrDef kDynamicRootAttr{
    .name = "has_dynamic_root",
    .kind = AttrKind::kBool,
    .use = AttrUse::kOptional,
    .doc = "The last operand says, per data operand, which member of the group is the root.",
    .default_text = "false",
    .always_printed = true};
constexpr AttrDef kCollectiveBroadcastAttrs[] = {kChannelIdAttr, kGroupsAttr, kDynamicRootAttr};
constexpr AttrDef kCollectiveReduceAttrs[] = {kChannelIdAttr, kGroupsAttr,      kConstrainAttr,
                                              kGlobalIdsAttr, kDynamicRootAttr, kReducerAttr};

// ---- all-reduce ---------------------------------------------------------------------------------

std::optional<Shape> InferAllReduce(const OpCall& call, Diagnostics& out) {
  CheckArrays(call, out);
  return OperandShapes(call);
}

void VerifyAllReduceStart(const OpCall& call, Diagnostics& out) {
  CheckGroups(call, GroupModeOf(call, /*partition_wide=*/false), /*uniform=*/false, out);
}

void VerifyAllReduce(const OpCall& call, Diagnostics& out) {
  if (call.attrs().Has("channel_id") && call.attrs().Int("channel_id") <= 0) {
    ReportAttr(call, "channel_id", DiagCode::kAttributeValue,
               fmt::format("All reduce channel id must be greater than 0 for {}, but is {}",
                           call.name(), call.attrs().Int("channel_id")),
               out);
  }
  VerifyAllReduceStart(call, out);
}

std::optional<Shape> InferSameAsStart(const OpCall& call, Diagnostics&) { return call.operand(0); }

// ---- all-gather, reduce-scatter -----------------------------------------------------------------

/// Part i of the written result: the tuple element if there are several operands.
const Shape* WrittenPart(const Shape& written, int count, int i) {
  if (count == 1) return &written;
  if (!written.IsTuple() || static_cast<int>(written.elements().size()) != count) return nullptr;
  return &written.elements()[static_cast<size_t>(i)];
}

/// The ratio of the larger size to the smaller one, rounded up; 1 if it is not defined.
int64_t ShardCount(int64_t large, int64_t small) {
  return large > 0 && small > 0 ? large / small + (large % small != 0) : 1;
}

/// Dimension d of one operand becomes `shards` times larger (gather) or smaller (scatter).
bool Resize(const OpCall& call, Shape* result, int d, int64_t shards, bool gather,
            Diagnostics& out) {
  const int64_t size = result->dim(d);
  if (size == Shape::kUnbounded) return true;
  int64_t resized = size / shards;
  if (gather && !MultiplyChecked(size, shards, &resized)) {
    ReportOp(call, DiagCode::kShapeInvalid,
             fmt::format("{} shards of size {} do not fit 64 bits", shards, size), out);
    return false;
  }
  if (!gather && size % shards != 0) {
    ReportOp(call, DiagCode::kShapeMismatch,
             fmt::format("ReduceScatter operand scatter dimension size {} must be dividable by "
                         "shard_count {}.",
                         size, shards),
             out);
    return false;
  }
  result->set_dim(d, resized);
  return true;
}

/// The number of shards that the first operand and the written result imply. The groups have as
/// many members, unless they have 1: then the module may not give the number of devices.
std::optional<int64_t> CheckedShardCount(const OpCall& call, int d, const Shape& written,
                                         bool gather, Diagnostics& out) {
  const int64_t group = SubgroupSize(call, GroupModeOf(call, /*partition_wide=*/false));
  if (!written.IsArray() || d >= written.rank()) {
    ReportAttr(call, "dimensions", DiagCode::kDimensionNumbers,
               fmt::format("dimension {} is out of range for the result {}", d, ShapeName(written)),
               out);
    return std::nullopt;
  }
  const int64_t size = call.operand(0).dim(d);
  const int64_t other = written.dim(d);
  const int64_t shards = gather ? ShardCount(other, size) : ShardCount(size, other);
  if (group == 1 || shards == group || size <= 0) return shards;
  ReportOp(call, DiagCode::kShapeMismatch,
           fmt::format("shard_count = {}, subgroup_size = {}: dimension {} is {} in {} and {} in "
                       "the result",
                       shards, group, d, size, OperandName(call, 0),
                       other < 0 ? "?" : std::to_string(other)),
           out);
  return std::nullopt;
}

/// XLA, hlo_verifier.cc, CheckCommonAllGatherInvariants and HandleReduceScatter.
std::optional<Shape> InferResized(const OpCall& call, const Shape& written, bool gather,
                                  Diagnostics& out) {
  if (!CheckArrays(call, out)) return std::nullopt;
  const int count = call.operand_count();
  const Shape* first = WrittenPart(written, count, 0);
  if (!first) {
    ReportOp(call, DiagCode::kShapeMismatch,
             fmt::format("the result of {} operands is a tuple of {}, not {}", count, count,
                         ShapeName(written)),
             out);
    return std::nullopt;
  }
  std::optional<int64_t> shards;
  std::vector<Shape> results;
  for (int i = 0; i < count; ++i) {
    Shape result = call.operand(i);
    const std::optional<int> d =
        CheckOneDim(call, "dimensions", result.rank(), OperandName(call, i), out);
    if (!d) return std::nullopt;
    if (!shards) shards = CheckedShardCount(call, *d, *first, gather, out);
    if (!shards || !Resize(call, &result, *d, *shards, gather, out)) return std::nullopt;
    if (result.is_unbounded(*d)) result.set_dim(*d, WrittenPart(written, count, i)->dim(*d));
    results.push_back(std::move(result));
  }
  return OneOrTuple(std::move(results));
}

std::optional<Shape> InferAllGather(const OpCall& call, Diagnostics& out) {
  if (!call.written()) return std::nullopt;
  return InferResized(call, *call.written(), /*gather=*/true, out);
}

/// (operands, results).
std::optional<Shape> InferAllGatherStart(const OpCall& call, Diagnostics& out) {
  const Shape* written = call.written();
  if (!written) return std::nullopt;
  if (!written->IsTuple() || written->elements().size() != 2) {
    out.Report(DiagCode::kShapeInvalid, call.shape_range(),
               fmt::format("all-gather-start: the result is (operand, gathered), not {}",
                           ShapeName(*written)));
    return std::nullopt;
  }
  std::optional<Shape> result = InferResized(call, written->elements()[1], /*gather=*/true, out);
  if (!result) return std::nullopt;
  return Shape::Tuple({OperandShapes(call), std::move(*result)});
}

std::optional<Shape> InferAllGatherDone(const OpCall& call, Diagnostics& out) {
  const Shape& start = call.operand(0);
  if (start.IsTuple() && start.elements().size() == 2) return start.elements()[1];
  ReportOperand(call, 0, DiagCode::kOperandInvalid,
                fmt::format("expects {} to be (operand, gathered), but it is {}",
                            OperandName(call, 0), ShapeName(start)),
                out);
  return std::nullopt;
}

void VerifyAllGather(const OpCall& call, Diagnostics& out) {
  CheckGroups(call, GroupModeOf(call, /*partition_wide=*/false), /*uniform=*/true, out);
}

std::optional<Shape> InferReduceScatter(const OpCall& call, Diagnostics& out) {
  if (!call.written()) return std::nullopt;
  return InferResized(call, *call.written(), /*gather=*/false, out);
}

// ---- Roots, ids ---------------------------------------------------------------------------------

/// Of an op whose last operand may say the roots.
std::optional<Shape> InferRooted(const OpCall& call, Diagnostics& out) {
  CheckArrays(call, out);
  if (!call.attrs().Bool("has_dynamic_root")) return OperandShapes(call);
  int data = call.operand_count() - 1;
  if (data < 1) {
    ReportOp(call, DiagCode::kOperandCount,
             "with has_dynamic_root it takes data and, last, the roots", out);
    return std::nullopt;
  }
  if (call.operand(data).IsArray()) {
    CheckOperandShape(call, data, Shape::Array(call.operand(data).element_type(), {data}), out);
  }
  std::vector<Shape> shapes;
  shapes.reserve(static_cast<size_t>(data));
  for (int i = 0; i < data; ++i) shapes.push_back(call.operand(i));
  return OneOrTuple(std::move(shapes));
}

std::optional<Shape> InferId(const OpCall&, Diagnostics&) {
  return Shape::Scalar(ElementType::kU32);
}

// ---- Evaluation ---------------------------------------------------------------------------------

/// A device in no group gets zeros.
ControlStep EnterBroadcast(const OpCall& call, std::span<Value> args, ControlState& state,
                           EvalContext& context) {
  std::vector<int64_t> members;
  if (state.step == 0) {
    const Peers& peers = context.peers();
    GroupMode mode = GroupModeOf(call, /*partition_wide=*/true);
    auto group = GroupOf(call, mode, peers.grid(), peers.device());
    if (!group) {
      ControlStep zeros;
      zeros.result = ZeroValue(call.shape(), context.budget());
      return zeros;
    }
    members = std::move(*group);
  }
  return Meet(call, args, state, context, members, TakeBroadcast);
}

Value EvalWhole(const OpCall&, std::span<Value> args, EvalContext&) { return std::move(args[0]); }

/// The result in the state (operand, result, ...).
Value EvalSecond(const OpCall&, std::span<Value> args, EvalContext&) {
  if (args[0].unique_elements()) return std::move(args[0].mutable_elements()[1]);
  return args[0].elements()[1];
}

Value EvalReplicaId(const OpCall&, std::span<Value>, EvalContext& context) {
  return Tensor::Scalar<uint32_t>(static_cast<uint32_t>(context.replica_id()), context.budget());
}

Value EvalPartitionId(const OpCall&, std::span<Value>, EvalContext& context) {
  return Tensor::Scalar<uint32_t>(static_cast<uint32_t>(context.partition_id()), context.budget());
}

/// What is put together or cut has a size for each member: the factor between the two stays.
void SizesOfExchange(const OpCall& call, SizeRules& rules) {
  for (int i = 0; i < call.operand_count(); ++i) {
    const Shape& from = call.operand(i);
    const Shape& to = PartShape(call.shape(), i);
    if (!from.IsArray() || !to.IsArray() || from.rank() != to.rank()) continue;
    for (int d = 0; d < from.rank(); ++d) {
      const int64_t small = std::min(from.dim(d), to.dim(d));
      const int64_t large = std::max(from.dim(d), to.dim(d));
      if (small == large) continue;
      if (small > 0 && large % small == 0) {
        rules.ratios.push_back({large, small});
      } else {
        rules.Keep(small);
        rules.Keep(large);
      }
    }
  }
}

}  // namespace

namespace ops {

/// What the ops of this file have in common; the rest differs.
constexpr OpDef Collective(OpDef def) {
  def.result_shape = ResultShape::kWritten;
  def.keeps_layout = true;
  if (def.types.empty()) def.types = "all array types";
  if (def.operands.empty()) def.operands = kOperand;
  def.sizes = SizesOfExchange;
  return def;
}

/// all-reduce and all-reduce-start: here the work is done at the start.
constexpr OpDef AllReduceDef(std::string_view doc, std::string_view source, bool starts) {
  return Collective({
      .doc = doc,
      .source = source,
      .differs =
          "The order in which members are combined is not specified; this engine goes through a "
          "group in its written order, starting from its first member.",
      .attrs = kAllReduceAttrs,
      .infer = InferAllReduce,
      .verify = starts ? VerifyAllReduceStart : VerifyAllReduce,
      .enter = EnterGroup<false, TakeReduced>,
      .any_precision = true,
      .has_effect = starts,
      .done = starts ? std::optional(Opcode::kAllReduceDone) : std::nullopt,
      .is_collective = !starts,
      .signature = OneCombinerSignature,
  });
}

/// The second half of an op whose first half did the work.
constexpr OpDef DoneDef(std::string_view doc, std::string_view source, std::string_view types,
                        decltype(OpDef::infer) infer, decltype(OpDef::eval) eval) {
  return Collective({.doc = doc,
                     .source = source,
                     .operands = kStart,
                     .types = types,
                     .infer = infer,
                     .eval = eval,
                     .any_precision = true,
                     .floats = FloatWidths::kAny,
                     .buffers = ResultBuffers::kStarted,
                     .has_effect = true});
}

const OpDef kAllReduce = AllReduceDef(
    "Combines the operands of all members of a group, element by element; every member gets the "
    "result.",
    "operation semantics, AllReduce and CrossReplicaSum", /*starts=*/false);

const OpDef kAllReduceStart =
    AllReduceDef("Starts an all-reduce; all-reduce-done gives the result.",
                 "XLA, hlo_verifier.cc, HandleAllReduceStart", /*starts=*/true);

const OpDef kAllReduceDone = DoneDef("The result of the all-reduce that all-reduce-start started.",
                                     "XLA, hlo_verifier.cc, HandleAllReduceDone",
                                     "the result of all-reduce-start", InferSameAsStart, EvalWhole);

const OpDef kAllGather = Collective({
    .doc = "Concatenates the operands of all members of a group along a dimension; every member "
           "gets the result.",
    .source = "operation semantics, AllGather",
    .differs = "The operation semantics document's shard_count follows from the groups.",
    .attrs = kAllGatherAttrs,
    .infer = InferAllGather,
    .verify = VerifyAllGather,
    .enter = EnterGroup<false, TakeGathered>,
    .any_precision = true,
    .is_collective = true,
});

const OpDef kAllGatherStart = Collective({
    .doc = "Starts an all-gather; all-gather-done gives the result. The state is (operand, "
           "gathered).",
    .source = "XLA, hlo_verifier.cc, HandleAllGatherStart",
    .attrs = kAllGatherAttrs,
    .infer = InferAllGatherStart,
    .verify = VerifyAllGather,
    .enter = EnterGroup<false, TakeGatheredStart>,
    .any_precision = true,
    .has_effect = true,
    .done = Opcode::kAllGatherDone,
});

const OpDef kAllGatherDone =
    DoneDef("The result of the all-gather that all-gather-start started.",
            "XLA, hlo_verifier.cc, HandleAllGatherDone", "the result of all-gather-start",
            InferAllGatherDone, EvalSecond);

const OpDef kReduceScatter = Collective({
    .doc = "An all-reduce of which member i of a group keeps block i along a dimension.",
    .source = "operation semantics, ReduceScatter",
    .attrs = kReduceScatterAttrs,
    .infer = InferReduceScatter,
    .verify = VerifyAllGather,
    .enter = EnterGroup<false, TakeScattered>,
    .is_collective = true,
    .signature = OneCombinerSignature,
});

const OpDef kCollectiveBroadcast = Collective({
    .doc = "Every member of a group gets the operand of its root: the first member, or the one the "
           "last operand names. A device in no group gets zeros.",
    .source =
        "XLA, shape_inference.cc, InferCollectiveBroadcastShape; StableHLO, collective_broadcast",
    .attrs = kCollectiveBroadcastAttrs,
    .infer = InferRooted,
    .enter = EnterBroadcast,
    .is_collective = true,
});

const OpDef kCollectiveReduce = Collective({
    .doc = "An all-reduce of which only the root of a group gets the result: the first member, or "
           "the one the last operand names. The others get zeros.",
    .source = "XLA, collective_reduce_thunk.h; StableHLO, collective_reduce",
    .differs = "XLA leaves open what all but the root get; here it is zeros, as in StableHLO.",
    .attrs = kCollectiveReduceAttrs,
    .infer = InferRooted,
    .verify = VerifyAllReduce,
    .enter = EnterGroup<false, TakeReduced>,
    .any_precision = true,
    .is_collective = true,
    .signature = OneCombinerSignature,
});

const OpDef kReplicaId{
    .doc = "The number of the replica that runs this.",
    .source = "operation semantics, ReplicaId",
    .types = "none; the result is u32[]",
    .infer = InferId,
    .eval = EvalReplicaId,
    .varies = true,
};

const OpDef kPartitionId{
    .doc = "The number of the partition that runs this.",
    .source = "XLA, hlo_verifier.cc, HandlePartitionId; StableHLO, partition_id",
    .types = "none; the result is u32[]",
    .infer = InferId,
    .eval = EvalPartitionId,
    .varies = true,
};

}  // namespace ops
}  // namespace hlo
