// Several devices, channels and the host.
#include <fmt/format.h>

#include <algorithm>

#include "engine/mlir/mesh_groups.h"
#include "engine/mlir/op_rows.h"

namespace hlo::mlir {
namespace {

constexpr int64_t kMostDevices = 1 << 16;

ReplicaGroups GroupsFrom(OpImport& op, const std::vector<Dims>& rows) {
  ReplicaGroups groups;
  for (const Dims& row : rows) {
    Dims group;
    for (int64_t id : row) {
      if (id >= kMostDevices) {
        op.Fail(DiagCode::kAttributeValue, fmt::format("device {} is too large a number", id));
      } else if (id < -1) {
        op.Fail(DiagCode::kAttributeValue, fmt::format("Invalid replica id {}", id));
      } else if (id >= 0) {
        group.push_back(id);  // -1 pads shorter groups
      }
    }
    groups.groups.push_back(group);
  }
  return groups;
}

ReplicaGroups GroupsOf(OpImport& op) {
  const Attr* attr = op.Find({"replica_groups"});
  if (attr && attr->kind == Attr::Kind::kDense && attr->type &&
      attr->type->kind == Type::Kind::kShape && attr->type->shape.rank() != 2) {
    op.Fail(DiagCode::kAttributeValue, "replica groups should be a rank 2 tensor", attr->range);
  }
  if (attr && attr->name == "stablehlo.replica_group_mesh_axes") {
    std::string problem;
    const auto groups = MeshGroups(*attr, op.MeshText(*attr), &problem);
    if (!groups) op.Fail(DiagCode::kAttributeValue, problem, attr->range);
    return GroupsFrom(op, groups.value_or(std::vector<Dims>()));
  }
  return GroupsFrom(op, op.RowsOf(attr));
}

Tensor IntegersOf(const Dims& numbers) {
  Tensor tensor(ElementType::kS32, Dims{static_cast<int64_t>(numbers.size())}, nullptr);
  std::copy(numbers.begin(), numbers.end(), tensor.mutable_data<int32_t>());
  return tensor;
}

// The channel's number; 0 when there is none.
int64_t ChannelOf(OpImport& op) {
  const Attr* channel = op.Find({"channel_handle"});
  const Attr* handle = channel ? channel->Find("handle") : nullptr;
  return handle ? handle->integer : 0;
}

// Groups of replicas of all partitions, as flattened ids. HLO could say it with the groups alone,
// but StableHLO orders the members by partition first.
ReplicaGroups AcrossPartitions(const ReplicaGroups& groups, int64_t partitions) {
  ReplicaGroups all;
  for (const Dims& group : groups.groups) {
    Dims members;
    for (int64_t partition = 0; partition < partitions; ++partition) {
      for (int64_t replica : group) members.push_back(replica * partitions + partition);
    }
    all.groups.push_back(members);
  }
  return all;
}

// Groups, the channel, and whether ids are of replicas and partitions together.
Attrs GroupAttrs(OpImport& op, bool has_global_ids) {
  Attrs attrs;
  ReplicaGroups groups = GroupsOf(op);
  const int64_t channel = ChannelOf(op);
  bool is_global = has_global_ids && op.Bool({"use_global_device_ids"});
  const int64_t partitions = op.partition_count();
  if (channel > 0 && has_global_ids && !is_global && partitions > 1 && !groups.groups.empty()) {
    groups = AcrossPartitions(groups, partitions);
    is_global = true;
  }
  attrs.Add({"replica_groups", groups});
  if (channel > 0) attrs.Add({"channel_id", channel});
  if (is_global) attrs.Add({"use_global_device_ids", true});
  return attrs;
}

void EmitCollective(OpImport& op, Opcode opcode, Attrs attrs) {
  const auto results = op.AllResults();
  op.SplitResult(op.Emit(opcode, op.operands, std::move(attrs), results ? &*results : nullptr));
}

}  // namespace

void EmitAllGather(OpImport& op) {
  auto attrs = GroupAttrs(op, true);
  attrs.Add({"dimensions", Dims{op.Int({"all_gather_dim"})}});
  EmitCollective(op, Opcode::kAllGather, std::move(attrs));
}

void EmitAllReduce(OpImport& op) {
  auto attrs = GroupAttrs(op, true);
  attrs.Add({"to_apply", op.RegionOf(0)});
  EmitCollective(op, Opcode::kAllReduce, std::move(attrs));
}

// An op of before all_reduce had a region: the sum.
void EmitCrossReplicaSum(OpImport& op) {
  if (!op.Expect(1)) return;
  Attrs attrs = GroupAttrs(op, false);
  attrs.Add(
      {"to_apply", op.AppliedRegion("add", Shape::Scalar(op.operands[0]->shape().element_type()))});
  EmitCollective(op, Opcode::kAllReduce, std::move(attrs));
}

void EmitReduceScatter(OpImport& op) {
  auto attrs = GroupAttrs(op, true);
  attrs.Add({"dimensions", Dims{op.Int({"scatter_dimension"})}});
  attrs.Add({"to_apply", op.RegionOf(0)});
  EmitCollective(op, Opcode::kReduceScatter, std::move(attrs));
}

// HLO has no cut along one dimension and joining along another: the shares are cut first, sent,
// and then joined.
void EmitAllToAll(OpImport& op) {
  const Dims both = {op.Int({"split_dimension"})};
  if (both[0] == op.Int({"concat_dimension"})) {
    Values results;
    for (Instruction* operand : op.operands) {
      Attrs attrs = GroupAttrs(op, false);
      attrs.Add({"dimensions", both});
      results.push_back(op.Emit(Opcode::kAllToAll, {operand}, std::move(attrs)));
    }
    return op.Results(std::move(results));
  }
  const int64_t split = op.Int({"split_dimension"}), concat = op.Int({"concat_dimension"});
  const int64_t count = op.Int({"split_count"}, 1);
  Values results;
  for (Instruction* operand : op.operands) {
    const Shape& shape = operand->shape();
    if (split < 0 || split >= shape.rank() || concat < 0 || concat >= shape.rank() || count < 1 ||
        count > (1 << 16) || shape.dim(static_cast<int>(split)) % count != 0) {
      op.Fail(DiagCode::kDimensionNumbers,
              fmt::format("{} cannot be cut into {} parts along dimension {}", ShapeName(shape),
                          count, split));
      return;
    }
    Values parts;
    const int64_t size = shape.dim(static_cast<int>(split)) / count;
    for (int64_t i = 0; i < count; ++i) {
      std::vector<SliceDim> slices;
      for (int64_t size_of_dim : shape.dims()) slices.push_back({0, size_of_dim, 1});
      slices[static_cast<size_t>(split)] = {i * size, (i + 1) * size, 1};
      parts.push_back(op.Emit(Opcode::kSlice, {operand}, {{"slice", std::move(slices)}}));
    }
    std::vector<Shape> shapes;
    for (const Instruction* part : parts) {
      if (!part) return;
      shapes.push_back(part->shape());
    }
    const Shape written = Shape::Tuple(std::move(shapes));
    Instruction* sent = op.Emit(Opcode::kAllToAll, parts, GroupAttrs(op, false), &written);
    if (!sent) return;
    results.push_back(op.Emit(Opcode::kConcatenate, op.Elements(sent, parts.size()),
                              {{"dimensions", Dims{concat}}}));
  }
  op.Results(std::move(results));
}

void EmitCollectiveBroadcast(OpImport& op) {
  Attrs attrs = GroupAttrs(op, false);
  attrs.Add({"has_dynamic_root", op.Bool({"has_dynamic_root"})});
  EmitCollective(op, Opcode::kCollectiveBroadcast, std::move(attrs));
}

// HLO has none: everyone gets the sum, and all but the root of each group replace it by zeros. The
// root is the first member, or the one whose number in the group the last operand gives.
void EmitCollectiveReduce(OpImport& op) {
  Instruction* roots = nullptr;
  if (op.Bool({"has_dynamic_root"}) && op.operands.size() > 1) {
    roots = op.operands.back();
    op.operands.pop_back();
  }
  Attrs attrs = GroupAttrs(op, true);
  const bool is_partitioned = ChannelOf(op) > 0;
  attrs.Add({"to_apply", op.RegionOf(0)});
  const ReplicaGroups groups = GroupsOf(op);
  const Shape scalar = Shape::Scalar(ElementType::kS32);
  // By id of the device: its group, and its number in it.
  Dims group_of, number_of;
  for (size_t g = 0; g < groups.groups.size(); ++g) {
    for (size_t k = 0; k < groups.groups[g].size(); ++k) {
      const size_t id = static_cast<size_t>(groups.groups[g][k]);
      if (id >= group_of.size()) {
        group_of.resize(id + 1, 0);
        number_of.resize(id + 1, -1);
      }
      group_of[id] = static_cast<int64_t>(g);
      number_of[id] = static_cast<int64_t>(k);
    }
  }
  if (group_of.empty()) {
    op.Fail(DiagCode::kAttributeMissing, "expects replica_groups");
    return;
  }
  const auto entry = [&](Instruction* table, Instruction* index) {
    return op.Emit(
        Opcode::kReshape,
        {op.Emit(Opcode::kDynamicSlice, {table, index}, {{"dynamic_slice_sizes", Dims{1}}})}, {},
        &scalar);
  };
  Instruction* id = op.Emit(
      Opcode::kConvert, {op.Emit(is_partitioned ? Opcode::kPartitionId : Opcode::kReplicaId, {})},
      {}, &scalar);
  Instruction* number = entry(op.Constant(IntegersOf(number_of)), id);
  Instruction* root = roots ? entry(roots, entry(op.Constant(IntegersOf(group_of)), id))
                            : op.Constant(Tensor::Scalar<int32_t>(0));
  Instruction* is_root = op.Emit(Opcode::kCompare, {number, root}, {{"direction", "EQ"}});
  Values results;
  for (Instruction* sum : op.Elements(op.Emit(Opcode::kAllReduce, op.operands, std::move(attrs)),
                                      op.operands.size())) {
    if (!sum) return;
    Instruction* zeros =
        op.Emit(Opcode::kBroadcast, {op.Constant(NumberOf(sum->shape().element_type(), 0))},
                {{"dimensions", Dims{}}}, &sum->shape());
    const Shape mask = Shape::Array(ElementType::kPred, sum->shape().dims());
    results.push_back(op.Emit(
        Opcode::kSelect,
        {op.Emit(Opcode::kBroadcast, {is_root}, {{"dimensions", Dims{}}}, &mask), sum, zeros}));
  }
  op.Results(std::move(results));
}

void EmitCollectivePermute(OpImport& op) {
  Attrs attrs = {{"source_target_pairs", op.Rows({"source_target_pairs"})}};
  if (const int64_t channel = ChannelOf(op); channel > 0) attrs.Add({"channel_id", channel});
  EmitCollective(op, Opcode::kCollectivePermute, std::move(attrs));
}

// A custom call in StableHLO: the groups and the channel are in its configuration.
void EmitRaggedAllToAll(OpImport& op) {
  const Attr* config = op.Find({"backend_config"});
  Attrs attrs;
  if (const Attr* groups = config ? config->Find("replica_groups") : nullptr) {
    attrs.Add({"replica_groups", GroupsFrom(op, op.RowsOf(groups))});
  }
  const Attr* channel = config ? config->Find("channel_id") : nullptr;
  if (channel && channel->integer > 0) attrs.Add({"channel_id", channel->integer});
  op.Result(op.Emit(Opcode::kRaggedAllToAll, op.operands, std::move(attrs), op.ResultShape()));
}

// HLO gives the data as one value beside the token; one array as it is.
void EmitInfeed(OpImport& op) {
  const size_t count = op.result_count();
  std::vector<Shape> data;
  for (size_t i = 0; i + 1 < count; ++i) {
    const Shape* shape = op.ResultShape(i);
    if (!shape) return;
    data.push_back(*shape);
  }
  const Shape written =
      Shape::Tuple({data.size() == 1 ? data[0] : Shape::Tuple(std::move(data)), Shape::Token()});
  Instruction* infeed =
      op.Emit(Opcode::kInfeed, op.operands,
              {{"infeed_config", std::string(op.Word({"infeed_config"}))}}, &written);
  if (!infeed) return;
  const Values halves = op.Elements(infeed, 2);
  Values results = op.Elements(halves[0], count - 1);
  results.push_back(halves[1]);
  op.Results(std::move(results));
}

void EmitOutfeed(OpImport& op) {
  if (op.operands.empty()) return;
  Values data(op.operands.begin(), op.operands.end() - 1);
  Instruction* tuple = data.size() == 1 ? data[0] : op.Tuple(data);
  if (!tuple) return;
  const Shape token = Shape::Token();
  op.Result(op.Emit(Opcode::kOutfeed, {tuple, op.operands.back()},
                    {{"outfeed_shape", tuple->shape()},
                     {"outfeed_config", std::string(op.Word({"outfeed_config"}))}},
                    &token));
}

namespace {

Attrs ChannelAttrs(OpImport& op) {
  return {{"channel_id", ChannelOf(op)}, {"is_host_transfer", op.Bool({"is_host_transfer"})}};
}

// With the pairs of devices, which HLO has among the attributes of frontends.
Attrs TransferAttrs(OpImport& op) {
  Attrs attrs = ChannelAttrs(op);
  const std::vector<Dims> pairs = op.Rows({"source_target_pairs"});
  if (pairs.empty()) return attrs;
  std::string text;
  for (const Dims& pair : pairs) {
    text += fmt::format("{}{{{}}}", text.empty() ? "" : ",", fmt::join(pair, ","));
  }
  attrs.Add({"frontend_attributes",
             KeyValues{{"_xla_send_recv_source_target_pairs", "{" + text + "}", true}}});
  return attrs;
}

}  // namespace

void EmitSend(OpImport& op) {
  if (op.operands.empty()) return;
  Values data(op.operands.begin(), op.operands.end() - 1);
  Instruction* value = data.size() == 1 ? data[0] : op.Tuple(data);
  if (!value) return;
  const Shape written =
      Shape::Tuple({value->shape(), Shape::Scalar(ElementType::kU32), Shape::Token()});
  Instruction* send =
      op.Emit(Opcode::kSend, {value, op.operands.back()}, TransferAttrs(op), &written);
  const Shape token = Shape::Token();
  op.Result(op.Emit(Opcode::kSendDone, {send}, ChannelAttrs(op), &token));
}

void EmitRecv(OpImport& op) {
  const size_t count = op.result_count();
  std::vector<Shape> parts;
  for (size_t i = 0; i + 1 < count; ++i) {
    const Shape* part = op.ResultShape(i);
    if (!part) return;
    parts.push_back(*part);
  }
  const size_t arrays = parts.size();
  const Shape data = arrays == 1 ? parts[0] : Shape::Tuple(std::move(parts));
  const Shape written = Shape::Tuple({data, Shape::Scalar(ElementType::kU32), Shape::Token()});
  Instruction* recv = op.Emit(Opcode::kRecv, op.operands, TransferAttrs(op), &written);
  const Shape done = Shape::Tuple({data, Shape::Token()});
  recv = op.Emit(Opcode::kRecvDone, {recv}, ChannelAttrs(op), &done);
  if (!recv) return;
  const Values halves = op.Elements(recv, 2);
  Values results = op.Elements(halves[0], arrays);
  results.push_back(halves[1]);
  op.Results(std::move(results));
}

}  // namespace hlo::mlir
