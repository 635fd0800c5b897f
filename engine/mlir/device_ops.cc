// Several devices, channels and the host.
#include <fmt/format.h>

#include "engine/mlir/op_rows.h"

namespace hlo::mlir {
namespace {

ReplicaGroups GroupsFrom(const std::vector<Dims>& rows) {
  ReplicaGroups groups;
  for (const Dims& row : rows) {
    Dims group;
    for (int64_t id : row) {
      if (id >= 0) group.push_back(id);  // -1 pads shorter groups
    }
    groups.groups.push_back(group);
  }
  return groups;
}

ReplicaGroups GroupsOf(OpImport& op) { return GroupsFrom(op.Rows({"replica_groups"})); }

// Groups, the channel, and whether ids are of replicas and partitions together.
Attrs GroupAttrs(OpImport& op, bool has_global_ids) {
  Attrs attrs = {{"replica_groups", GroupsOf(op)}};
  const Attr* channel = op.Find({"channel_handle"});
  const Attr* handle = channel ? channel->Find("handle") : nullptr;
  if (handle && handle->integer > 0) attrs.Add({"channel_id", handle->integer});
  if (has_global_ids && op.Bool({"use_global_device_ids"})) {
    attrs.Add({"use_global_device_ids", true});
  }
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
  EmitCollective(op, Opcode::kCollectiveBroadcast, GroupAttrs(op, false));
}

void EmitCollectivePermute(OpImport& op) {
  Attrs attrs = {{"source_target_pairs", op.Rows({"source_target_pairs"})}};
  const Attr* channel = op.Find({"channel_handle"});
  const Attr* handle = channel ? channel->Find("handle") : nullptr;
  if (handle && handle->integer > 0) attrs.Add({"channel_id", handle->integer});
  EmitCollective(op, Opcode::kCollectivePermute, std::move(attrs));
}

// A custom call in StableHLO: the groups and the channel are in its configuration.
void EmitRaggedAllToAll(OpImport& op) {
  const Attr* config = op.Find({"backend_config"});
  Attrs attrs;
  if (const Attr* groups = config ? config->Find("replica_groups") : nullptr) {
    attrs.Add({"replica_groups", GroupsFrom(op.RowsOf(groups))});
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
  const Attr* channel = op.Find({"channel_handle"});
  const Attr* handle = channel ? channel->Find("handle") : nullptr;
  return {{"channel_id", handle ? handle->integer : int64_t{0}},
          {"is_host_transfer", op.Bool({"is_host_transfer"})}};
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
