#include "engine/mlir/ops/groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/base/work_limit.h"
#include "engine/mlir/export/op_export.h"
#include "engine/mlir/import/op_import.h"
#include "engine/mlir/ops/mesh_groups.h"
#include "engine/mlir/text/mlir_text.h"
#include "engine/ops/devices/device_groups.h"

namespace hlo::mlir {

// ---- Import -------------------------------------------------------------------------------------

namespace {

constexpr int64_t kMostDevices = 1 << 16;

// Groups of replicas across all partitions, as flattened ids: the replicas of a partition side by
// side, or the partitions of a replica.
ReplicaGroups AcrossPartitions(const ReplicaGroups& groups, int64_t partitions, bool by_partition) {
  ReplicaGroups::Lists all;
  for (const Dims& group : groups.groups()) {
    const uint64_t count = group.size() * static_cast<uint64_t>(partitions);
    CountWork(count);
    CountBytes(count * sizeof(int64_t));
    Dims& members = all.emplace_back();
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t replica =
          by_partition ? i % group.size() : i / static_cast<uint64_t>(partitions);
      const uint64_t partition =
          by_partition ? i / group.size() : i % static_cast<uint64_t>(partitions);
      members.push_back(group[replica] * partitions + static_cast<int64_t>(partition));
    }
  }
  return ReplicaGroups(std::move(all));
}

// No device is in two groups, and unless some may be left out every one from 0 on is in one.
// Source: StableHLO, TypeInference.cpp, verifyReplicaGroups, verifyCollectiveBroadcastOp.
bool AreWhole(OpImport& op, const ReplicaGroups::Lists& groups, bool may_leave_out) {
  std::vector<bool> seen;
  size_t count = 0;
  for (const Dims& group : groups) {
    for (int64_t id : group) {
      const auto i = static_cast<size_t>(id);
      if (i >= seen.size()) seen.resize(i + 1);
      if (seen[i]) {
        return op.Fail(DiagCode::kAttributeValue,
                       fmt::format("replica id #{} seen more than once", id));
      }
      seen[i] = true;
      ++count;
    }
  }
  if (may_leave_out || count == seen.size()) return true;
  const auto missing = std::find(seen.begin(), seen.end(), false) - seen.begin();
  return op.Fail(DiagCode::kAttributeValue,
                 fmt::format("replica id #{} not seen in replica groups", missing));
}

}  // namespace

ReplicaGroups GroupsFrom(OpImport& op, const std::vector<Dims>& rows, bool may_pad) {
  ReplicaGroups::Lists groups;
  for (const Dims& row : rows) {
    Dims group;
    for (int64_t id : row) {
      // One report for the list: the ids behind a large one are most often larger.
      if (id >= kMostDevices) {
        op.Fail(DiagCode::kAttributeValue, fmt::format("device {} is too large a number", id));
        return {};
      }
      if (id < (may_pad ? -1 : 0)) {
        op.Fail(DiagCode::kAttributeValue, fmt::format("Invalid replica id {}", id));
        return {};
      }
      if (id >= 0) group.push_back(id);  // -1 pads shorter groups
    }
    groups.push_back(group);
  }
  return ReplicaGroups(std::move(groups));
}

namespace {

// Whether groups may be of different sizes. Source: StableHLO, TypeInference.cpp,
// verifyReplicaGroups and its callers, verifyCollectiveBroadcastOp.
bool MayPad(const OpRow& row) {
  constexpr std::string_view kOfOneSize[] = {"all_gather", "all_to_all", "collective_broadcast",
                                             "reduce_scatter"};
  return std::find(std::begin(kOfOneSize), std::end(kOfOneSize), row.name) == std::end(kOfOneSize);
}

}  // namespace

ReplicaGroups GroupsOf(OpImport& op) {
  const Attr* attr = op.Needed({"replica_groups"});
  if (attr && attr->kind == Attr::Kind::kDense && attr->type &&
      attr->type->kind == Type::Kind::kShape && attr->type->shape.rank() != 2) {
    op.Fail(DiagCode::kAttributeValue, "replica groups should be a rank 2 tensor", attr->range);
  }
  if (attr && attr->name == "stablehlo.replica_group_mesh_axes") {
    std::string problem;
    const auto groups = MeshGroups(*attr, op.MeshText(*attr), op.FunctionMesh(*attr), &problem);
    if (!groups) op.Fail(DiagCode::kAttributeValue, problem, attr->range);
    return GroupsFrom(op, groups.value_or(std::vector<Dims>()));
  }
  ReplicaGroups groups = GroupsFrom(op, op.RowsOf(attr), MayPad(op.row()));
  AreWhole(op, groups.groups(), op.row().name.starts_with("collective_"));
  return groups;
}

bool AreOfSize(OpImport& op, const ReplicaGroups& groups, int64_t size) {
  for (const Dims& group : groups.groups()) {
    if (static_cast<int64_t>(group.size()) == size) continue;
    return op.Fail(DiagCode::kAttributeValue,
                   fmt::format("group size of replica_groups must be {}", size));
  }
  return true;
}

// The channel's number; 0 when there is none.
int64_t ChannelOf(OpImport& op) {
  const Attr* channel = op.Find({"channel_handle"});
  const Attr* handle = channel ? channel->Find("handle") : nullptr;
  return handle ? handle->integer : 0;
}

// Groups, the channel, and whether ids number devices (replicas and partitions together).
Attrs GroupAttrs(OpImport& op, bool has_global_ids) {
  Attrs attrs;
  ReplicaGroups groups = GroupsOf(op);
  const int64_t channel = ChannelOf(op);
  bool is_global = has_global_ids && op.Bool({"use_global_device_ids"});
  const int64_t partitions = op.partition_count();
  if (channel > 0 && has_global_ids && !is_global && partitions > 1 && !groups.groups().empty()) {
    // HLO could express it with the groups alone, but StableHLO orders the members by partition
    // first.
    groups = AcrossPartitions(groups, partitions, /*by_partition=*/true);
    is_global = true;
  }
  attrs.Add({"replica_groups", groups});
  if (channel > 0) attrs.Add({"channel_id", channel});
  if (is_global) attrs.Add({"use_global_device_ids", true});
  return attrs;
}

// ---- Export -------------------------------------------------------------------------------------

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

namespace {

// Whether groups of replicas extend over all partitions. The order of members then differs, so they
// are written as device ids.
bool IsAcross(OpExport& op) {
  return op.call().num_partitions() > 1 && !op.call().Groups().groups().empty() &&
         GroupModeOf(op.call(), false) == GroupMode::kCrossReplicaAndPartition;
}

}  // namespace

// The groups of some ops always have one kind of id.
std::string GroupsText(OpExport& op, bool is_partition_wide) {
  const bool is_across = !is_partition_wide && IsAcross(op);
  const ReplicaGroups& written = op.call().Groups();
  const ReplicaGroups groups =
      is_across ? AcrossPartitions(written, op.call().num_partitions(), /*by_partition=*/false)
                : written;
  size_t width = 0;
  for (const Dims& group : groups.groups()) width = std::max(width, group.size());
  return "replica_groups = " + DenseRows(groups.groups(), width);
}

std::string GlobalIds(OpExport& op) {
  return op.call().Bool("use_global_device_ids") || IsAcross(op) ? ", use_global_device_ids" : "";
}

}  // namespace hlo::mlir
