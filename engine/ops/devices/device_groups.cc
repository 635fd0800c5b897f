#include "engine/ops/devices/device_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "engine/base/bits.h"
#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

constexpr std::string_view kGroups = "replica_groups";
constexpr std::string_view kPairs = "source_target_pairs";

int64_t SaturatingProduct(int64_t a, int64_t b) {
  int64_t product = 0;
  return MultiplyChecked(a, b, &product) ? product : std::numeric_limits<int64_t>::max();
}

/// How many devices the groups must list; 1 if the module does not say.
int64_t ParticipantCount(const OpCall& call, GroupMode mode) {
  switch (mode) {
    case GroupMode::kCrossReplica:
    case GroupMode::kCrossReplicaAndPartition:
      return call.replica_count();
    case GroupMode::kCrossPartition:
      return call.num_partitions();
    case GroupMode::kFlattenedId:
      return SaturatingProduct(call.replica_count(), call.num_partitions());
  }
  return 1;
}

/// The ids are 0 ... n-1, each once.
bool CheckIds(const OpCall& call, const std::vector<Dims>& groups, int64_t* count,
              Diagnostics& out) {
  std::vector<int64_t> ids;
  for (const Dims& group : groups) {
    if (group.empty()) {
      ReportAttr(call, kGroups, DiagCode::kAttributeValue,
                 "Instruction cannot have an empty replica group", out);
      return false;
    }
    ids.insert(ids.end(), group.begin(), group.end());
  }
  *count = static_cast<int64_t>(ids.size());
  const auto fail = [&](std::string_view message) {
    ReportAttr(call, kGroups, DiagCode::kAttributeValue, message, out);
    return false;
  };
  std::vector<bool> seen(ids.size());
  for (int64_t id : ids) {
    if (id < 0 || id >= *count) {
      return fail(
          fmt::format("Replica {} is out of range (should be in [0, {}) range) in "
                      "instruction's replica-groups: {}",
                      id, *count, call.name()));
    }
    if (seen[static_cast<size_t>(id)]) {
      return fail(fmt::format("Replica {} is repeated in instruction's replica-groups: {}", id,
                              call.name()));
    }
    seen[static_cast<size_t>(id)] = true;
  }
  return true;
}

/// XLA's name of a mode: CollectiveOpGroupModeToString.
std::string XlaName(GroupMode mode) {
  std::string name(GroupModeText(mode));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// What the ids in groups of this mode number.
std::string_view IdWord(GroupMode mode) {
  if (mode == GroupMode::kFlattenedId) return "flattened IDs";
  return mode == GroupMode::kCrossPartition ? "partitions" : "replicas";
}

}  // namespace

std::string_view GroupModeText(GroupMode mode) {
  constexpr std::string_view kTexts[] = {"cross-replica", "cross-partition",
                                         "cross-replica-and-partition", "flattened-id"};
  return kTexts[static_cast<size_t>(mode)];
}

GroupMode GroupModeOf(const OpCall& call, bool partition_wide) {
  if (!call.attrs().Has("channel_id")) return GroupMode::kCrossReplica;
  if (call.attrs().Bool("use_global_device_ids")) return GroupMode::kFlattenedId;
  return partition_wide ? GroupMode::kCrossPartition : GroupMode::kCrossReplicaAndPartition;
}

int64_t SubgroupSize(const OpCall& call, GroupMode mode) {
  const std::vector<Dims>& groups = call.Groups().groups();
  int64_t size =
      groups.empty() ? ParticipantCount(call, mode) : static_cast<int64_t>(groups[0].size());
  if (mode == GroupMode::kCrossReplicaAndPartition) {
    size = SaturatingProduct(size, call.num_partitions());
  }
  return size;
}

bool CheckGroups(const OpCall& call, GroupMode mode, bool uniform, Diagnostics& out) {
  bool ok = true;
  if (call.attrs().Bool("use_global_device_ids") && !call.attrs().Has("channel_id")) {
    ReportAttr(call, "use_global_device_ids", DiagCode::kAttributeValue,
               "Cannot have use_global_device_ids=true without channel_id", out);
    ok = false;
  }
  const std::vector<Dims>& groups = call.Groups().groups();
  if (groups.empty()) {
    if (mode != GroupMode::kFlattenedId) return ok;
    ReportAttr(call, kGroups, DiagCode::kAttributeValue,
               "Replica groups must be specified in flattened-id mode", out);
    return false;
  }
  // What the iota form says need not be checked.
  auto count = static_cast<int64_t>(groups.size() * groups[0].size());
  if (!call.Groups().is_permutation && !CheckIds(call, groups, &count, out)) return false;
  int64_t expected = ParticipantCount(call, mode);
  if (expected != 1 && count != expected) {
    ReportAttr(call, kGroups, DiagCode::kAttributeValue,
               fmt::format("In {} mode, replica groups should contain {} {}, but found {}",
                           XlaName(mode), expected, IdWord(mode), count),
               out);
    ok = false;
  }
  if (!uniform) return ok;
  for (const Dims& group : groups) {
    if (group.size() == groups[0].size()) continue;
    ReportAttr(call, kGroups, DiagCode::kAttributeValue,
               fmt::format("Replica groups expected to be of uniform size, but there are {} and {}",
                           groups[0].size(), group.size()),
               out);
    return false;
  }
  return ok;
}

bool CheckPairs(const OpCall& call, int most, Diagnostics& out) {
  constexpr std::string_view kSides[] = {"Source", "Target"};
  GroupMode mode = GroupModeOf(call, /*partition_wide=*/true);
  int64_t limit = ParticipantCount(call, mode);
  bool ok = true;
  auto fail = [&](const std::string& message) {
    ReportAttr(call, kPairs, DiagCode::kAttributeValue, message, out);
    ok = false;
  };
  std::vector<int64_t> ids[2];
  for (const Dims& pair : call.IntLists(kPairs)) {
    if (pair.size() != 2) {
      fail(fmt::format("expects pairs {{source,target}}, but there is {}", DimsText(pair)));
      return false;
    }
    for (size_t side = 0; side < 2; ++side) {
      ids[side].push_back(pair[side]);
      if (pair[side] < 0) {
        fail(fmt::format("{} {} in the instruction's source-target pair must be >= 0", kSides[side],
                         pair[side]));
      } else if (limit != 1 && pair[side] >= limit) {
        fail(fmt::format("{} {} in the instruction's source-target pair must be < {}", kSides[side],
                         pair[side], limit));
      }
    }
  }
  for (size_t side = 0; side < 2; ++side) {
    std::sort(ids[side].begin(), ids[side].end());
    size_t step = static_cast<size_t>(most);
    for (size_t i = step; i < ids[side].size(); ++i) {
      if (ids[side][i] != ids[side][i - step]) continue;
      const std::string times = most == 1 ? "once" : fmt::format("{} times", most);
      fail(fmt::format("{} {} appears more than {} in instruction's source-target pairs: {}",
                       kSides[side], ids[side][i], times, call.name()));
      break;
    }
  }
  return ok;
}

const std::string* TransferPairsText(const KeyValues& attributes) {
  for (const KeyValue& entry : attributes) {
    if (entry.key == "_xla_send_recv_source_target_pairs") return &entry.value;
  }
  return nullptr;
}

std::optional<std::vector<Dims>> ParsePairs(std::string_view text) {
  constexpr int64_t kMost = int64_t{1} << 40;
  std::vector<Dims> pairs;
  int depth = 0;
  bool in_number = false;
  for (char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (c == '{') {
      if (++depth > 2) return std::nullopt;
      if (depth == 2) pairs.emplace_back();
    } else if (c == '}') {
      if (--depth < 0) return std::nullopt;
    } else if (digit && depth == 2) {
      if (!in_number) pairs.back().push_back(0);
      pairs.back().back() = std::min(pairs.back().back() * 10 + (c - '0'), kMost);
    } else if (c != ',' && c != ' ') {
      return std::nullopt;
    }
    in_number = digit;
  }
  for (const Dims& pair : pairs) {
    if (pair.size() != 2) return std::nullopt;
  }
  if (depth != 0) return std::nullopt;
  return pairs;
}

std::optional<DeviceGrid> DevicesNamed(const OpCall& call, int64_t replicas) {
  int64_t largest = -1;
  const auto note = [&](const std::vector<Dims>& lists) {
    for (const Dims& ids : lists) {
      for (int64_t id : ids) largest = std::max(largest, id);
    }
  };
  if (call.attrs().Has("replica_groups")) note(call.Groups().groups());
  if (call.attrs().Has(kPairs)) note(call.IntLists(kPairs));
  if (largest < 0) return std::nullopt;
  // So that one more is a number, too.
  largest = std::min(largest, std::numeric_limits<int64_t>::max() - 1);
  // Where groups may number all devices, a channel alone means replicas.
  const auto& rows = call.def().attrs;
  const bool partition_wide = std::none_of(rows.begin(), rows.end(), [](const AttrDef& row) {
    return row.name == "use_global_device_ids";
  });
  switch (GroupModeOf(call, partition_wide)) {
    case GroupMode::kCrossPartition:
      return DeviceGrid{1, largest + 1};
    case GroupMode::kFlattenedId:
      return DeviceGrid{1, largest / replicas + 1};
    default:
      return DeviceGrid{largest + 1, 1};
  }
}

// ---- At run time --------------------------------------------------------------------------------

namespace {

/// The number of ids of this kind.
int64_t IdCount(GroupMode mode, DeviceGrid grid) {
  if (mode == GroupMode::kFlattenedId) return grid.count();
  return mode == GroupMode::kCrossPartition ? grid.partitions : grid.replicas;
}

/// The id by which groups name a device.
int64_t IdOf(GroupMode mode, DeviceGrid grid, int64_t device) {
  if (mode == GroupMode::kFlattenedId) return device;
  return mode == GroupMode::kCrossPartition ? device % grid.partitions : device / grid.partitions;
}

void CheckIdExists(int64_t id, GroupMode mode, DeviceGrid grid) {
  if (id >= 0 && id < IdCount(mode, grid)) return;
  // The attribute that makes it the number of a device is easily forgotten.
  constexpr std::string_view kNames[] = {"it names replica", "it names partition",
                                         "without use_global_device_ids it names replica",
                                         "it names device"};
  throw AbsentDevice(
      DiagCode::kNotExecutable,
      fmt::format("{} {}, but the run has {} x {} devices (replicas x "
                  "partitions): choose more",
                  kNames[static_cast<size_t>(mode)], id, grid.replicas, grid.partitions));
}

/// The devices that an id denotes, as seen from `device`.
void AppendDevices(int64_t id, GroupMode mode, DeviceGrid grid, int64_t device,
                   std::vector<int64_t>* devices) {
  CheckIdExists(id, mode, grid);
  switch (mode) {
    case GroupMode::kCrossReplica:
      return devices->push_back(id * grid.partitions + device % grid.partitions);
    case GroupMode::kCrossPartition:
      return devices->push_back(device / grid.partitions * grid.partitions + id);
    case GroupMode::kCrossReplicaAndPartition:
      for (int64_t p = 0; p < grid.partitions; ++p) devices->push_back(id * grid.partitions + p);
      return;
    case GroupMode::kFlattenedId:
      return devices->push_back(id);
  }
}

}  // namespace

std::optional<std::vector<int64_t>> GroupOf(const OpCall& call, GroupMode mode, DeviceGrid grid,
                                            int64_t device) {
  std::vector<int64_t> members;
  const std::vector<Dims>& groups = call.Groups().groups();
  if (groups.empty()) {
    for (int64_t id = 0; id < IdCount(mode, grid); ++id) {
      AppendDevices(id, mode, grid, device, &members);
    }
    return members;
  }
  for (const Dims& group : groups) {
    if (!Contains(group, IdOf(mode, grid, device))) continue;
    for (int64_t id : group) AppendDevices(id, mode, grid, device, &members);
    std::vector<int64_t> sorted = members;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) return members;
    throw RunError(DiagCode::kRuntimeError,
                   fmt::format("the group {} names a device twice", DimsText(group)));
  }
  return std::nullopt;
}

std::vector<std::pair<int64_t, int64_t>> DevicePairs(const std::vector<Dims>& pairs, GroupMode mode,
                                                     DeviceGrid grid, int64_t device) {
  std::vector<std::pair<int64_t, int64_t>> result;
  for (const Dims& pair : pairs) {
    std::vector<int64_t> ends;
    for (int64_t id : pair) AppendDevices(id, mode, grid, device, &ends);
    if (ends.size() == 2) result.emplace_back(ends[0], ends[1]);
  }
  return result;
}

}  // namespace hlo
