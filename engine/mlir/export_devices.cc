// Several devices, channels and the host.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/mlir/export_rows.h"
#include "engine/ops/device_groups.h"

namespace hlo::mlir {
namespace {

enum ChannelType : int { kDeviceToDevice = 1, kDeviceToHost = 2, kHostToDevice = 3 };

std::string ChannelText(int64_t channel, int type) {
  return fmt::format("channel_handle = #stablehlo.channel_handle<handle = {}, type = {}>", channel,
                     type);
}

// `channel_handle = ..., ` where the op has a channel.
std::string ChannelPrefix(OpExport& op) {
  const int64_t channel = op.call().Int("channel_id");
  if (op.call().Has("channel_id") && channel <= 0) {
    op.NoCounterpart(fmt::format("channel {}, which means none there", channel));
  }
  return channel > 0 ? ChannelText(channel, kDeviceToDevice) + ", " : "";
}

// Whether groups of replicas stand for all partitions of them. There the members are in another
// order then, so they are written as numbers of devices.
bool IsAcross(OpExport& op) {
  const bool is_partition_wide =
      op.op().opcode() == Opcode::kAllToAll || op.op().opcode() == Opcode::kCollectiveBroadcast;
  return !is_partition_wide && op.call().num_partitions() > 1 &&
         !op.call().Groups().groups.empty() &&
         GroupModeOf(op.call(), false) == GroupMode::kCrossReplicaAndPartition;
}

// Shorter groups are filled up with -1.
std::string GroupsText(OpExport& op) {
  std::vector<Dims> groups = op.call().Groups().groups;
  if (IsAcross(op)) {
    const int64_t partitions = op.call().num_partitions();
    for (Dims& group : groups) {
      const Dims replicas = group;
      group = Dims();
      for (int64_t replica : replicas) {
        for (int64_t p = 0; p < partitions; ++p) group.push_back(replica * partitions + p);
      }
    }
  }
  size_t width = 0;
  for (const Dims& group : groups) width = std::max(width, group.size());
  for (Dims& group : groups) group.resize(width, -1);
  return "replica_groups = " + DenseRows(groups, width);
}

std::string GlobalIds(OpExport& op) {
  return op.call().Bool("use_global_device_ids") || IsAcross(op) ? ", use_global_device_ids" : "";
}

}  // namespace

void WriteAllGather(OpExport& op) {
  op.Set(op.Write({"stablehlo.all_gather", op.Filled("all_gather_dim = @dimensions : i64, ") +
                                               ChannelPrefix(op) + GroupsText(op) + GlobalIds(op)},
                  op.Operands()));
}

void WriteAllReduce(OpExport& op) {
  op.Set(op.Write({"stablehlo.all_reduce",
                   ChannelPrefix(op) + GroupsText(op) + GlobalIds(op),
                   {&op.Region("to_apply")}},
                  op.Operands()));
}

// One operand there.
void WriteReduceScatter(OpExport& op) {
  const Leaves operands = op.Operands(), types = op.ResultLeaves();
  Leaves results;
  for (size_t i = 0; i < operands.size(); ++i) {
    results.push_back(
        op.Write({"stablehlo.reduce_scatter",
                  ChannelPrefix(op) + GroupsText(op) +
                      op.Filled(", scatter_dimension = @dimensions : i64") + GlobalIds(op),
                  {&op.Region("to_apply")}},
                 {operands[i]}, {types[i]})[0]);
  }
  op.Set(std::move(results));
}

// Without a dimension it takes one operand for each member and gives one result from each: they
// are put together along a first dimension, exchanged, and taken apart.
void WriteAllToAll(OpExport& op) {
  const auto exchange = [&](const Leaves& operands, int64_t dim, int64_t count) {
    return op.Write(
        {"stablehlo.all_to_all",
         ChannelPrefix(op) + fmt::format("concat_dimension = {} : i64, {}, split_count = {} : i64, "
                                         "split_dimension = {} : i64",
                                         dim, GroupsText(op), count, dim)},
        operands, operands);
  };
  const Leaves operands = op.Operands();
  if (op.call().Has("dimensions")) {
    const int64_t count = SubgroupSize(op.call(), GroupModeOf(op.call(), true));
    return op.Set(exchange(operands, op.call().Ints("dimensions")[0], count));
  }
  const Shape& part = *operands[0].type;
  Dims dims = part.dims();
  dims.insert(dims.begin(), 1);
  Leaves rows;
  for (const Ssa& operand : operands) {
    rows.push_back(
        op.Make("stablehlo.reshape", {operand}, Shape::Array(part.element_type(), dims)));
  }
  const int64_t count = static_cast<int64_t>(operands.size());
  dims[0] = count;
  const Ssa all = op.Make("stablehlo.concatenate", rows, Shape::Array(part.element_type(), dims),
                          "dimension = 0 : i64");
  const Ssa sent = exchange({all}, 0, count)[0];
  dims[0] = 1;
  Leaves results;
  for (int64_t i = 0; i < count; ++i) {
    Dims starts(dims.size(), 0), limits = dims;
    starts[0] = i;
    limits[0] = i + 1;
    const Ssa row = op.Make("stablehlo.slice", {sent}, Shape::Array(part.element_type(), dims),
                            SliceAttrs(starts, limits, Dims(dims.size(), 1)));
    results.push_back(op.Make("stablehlo.reshape", {row}, part));
  }
  op.Set(std::move(results));
}

void WriteCollectiveBroadcast(OpExport& op) {
  std::string attrs = ChannelPrefix(op);
  if (op.call().Bool("has_dynamic_root")) attrs += "has_dynamic_root = true, ";
  op.Set(op.Write({"stablehlo.collective_broadcast", attrs + GroupsText(op)}, op.Operands()));
}

void WriteCollectivePermute(OpExport& op) {
  if (!op.call().IntLists("slice_sizes").empty()) {
    return op.NoCounterpart("the form in place, with slices");
  }
  const Leaves operands = op.Operands();
  Leaves results;
  for (const Ssa& operand : operands) {
    results.push_back(op.Write({"stablehlo.collective_permute",
                                ChannelPrefix(op) + "source_target_pairs = " +
                                    DenseRows(op.call().IntLists("source_target_pairs"), 2)},
                               {operand}, {operand})[0]);
  }
  op.Set(std::move(results));
}

// XLA knows it as a call of this name.
void WriteRaggedAllToAll(OpExport& op) {
  std::string config = GroupsText(op);
  if (const int64_t channel = op.call().Int("channel_id"); channel > 0) {
    fmt::format_to(std::back_inserter(config), ", channel_id = {} : i64", channel);
  }
  op.Set(op.Write({"stablehlo.custom_call", "api_version = 4 : i32, backend_config = {" + config +
                                                "}, call_target_name = \"ragged_all_to_all\""},
                  op.Operands()));
}

void WriteInfeed(OpExport& op) {
  op.Set(op.Write(
      {"stablehlo.infeed", "infeed_config = " + op.AttrText("infeed_config") + ", layout = []"},
      op.Operands()));
}

void WriteOutfeed(OpExport& op) {
  op.Set(op.Write({"stablehlo.outfeed", "outfeed_config = " + op.AttrText("outfeed_config")},
                  op.Operands()));
}

namespace {

// Of the op that starts the transfer, where HLO has the pairs of devices.
std::string TransferAttrs(OpExport& op, const OpCall& start, int host_type) {
  const bool is_host = start.Bool("is_host_transfer");
  std::string text =
      ChannelText(start.Int("channel_id"), is_host ? host_type : int{kDeviceToDevice}) +
      fmt::format(", is_host_transfer = {}", is_host);
  if (const std::string* pairs = TransferPairsText(start.Keys("frontend_attributes"))) {
    const auto rows = ParsePairs(*pairs);
    if (!rows) op.NoCounterpart(fmt::format("the source-target pairs {}", *pairs));
    if (rows) text += ", source_target_pairs = " + DenseRows(*rows, 2);
  }
  return text;
}

}  // namespace

// There sending is one op, and so is receiving: what stands between the start and the end moves
// behind the one and before the other.
void WriteSend(OpExport& op) {
  const Shape& token = op.shape().elements()[2];
  op.Set(op.Write({"stablehlo.send", TransferAttrs(op, op.call(), kDeviceToHost)}, op.Operands(),
                  {{{}, 0, &token}}));
}

void WriteRecvDone(OpExport& op) {
  const OpCall start = op.op().operand(0)->Call();
  op.Set(op.Write({"stablehlo.recv", TransferAttrs(op, start, kHostToDevice)}, op.Operands()));
}

}  // namespace hlo::mlir
