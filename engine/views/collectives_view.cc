#include "engine/views/collectives_view.h"

#include <algorithm>

#include "engine/ops/devices/device_groups.h"

namespace hlo {
namespace {

constexpr const char* kPairsKey = "source_target_pairs";

// Where groups may number all devices, a channel alone means replicas.
GroupMode ModeOf(const OpCall& call) {
  const auto& rows = call.def().attrs;
  return GroupModeOf(call, std::none_of(rows.begin(), rows.end(), [](const AttrDef& row) {
                       return row.name == "use_global_device_ids";
                     }));
}

void FindMembers(const Instruction& at, DeviceGrid grid, int64_t device,
                 CollectiveMeeting* meeting) {
  const OpCall call = at.Call();
  if (call.attrs().Has(kPairsKey)) {
    meeting->pairs = DevicePairs(call.IntLists(kPairsKey), ModeOf(call), grid, device);
    for (const auto& [source, target] : meeting->pairs) {
      meeting->members.insert(meeting->members.end(), {source, target});
    }
    meeting->members.push_back(device);
    std::sort(meeting->members.begin(), meeting->members.end());
    meeting->members.erase(std::unique(meeting->members.begin(), meeting->members.end()),
                           meeting->members.end());
    return;
  }
  if (auto group = GroupOf(call, ModeOf(call), grid, device)) meeting->members = std::move(*group);
}

}  // namespace

bool JoinsMeeting(const Instruction& at) {
  const OpDef& def = at.def();
  return def.is_collective ||
         (def.done && std::any_of(def.attrs.begin(), def.attrs.end(), [](const AttrDef& row) {
            return row.name == "replica_groups" || row.name == kPairsKey;
          }));
}

CollectiveMeeting MeetingAt(const Instruction& at, DeviceGrid grid, int64_t device) {
  CollectiveMeeting meeting;
  meeting.instruction = &at;
  try {
    FindMembers(at, grid, device, &meeting);
  } catch (const AbsentDevice&) {
    meeting.pairs.clear();
    meeting.members.clear();
  }
  return meeting;
}

std::vector<std::pair<int64_t, int64_t>> TransferPairs(const Instruction& at, DeviceGrid grid,
                                                       int64_t device) {
  const std::string* text = TransferPairsText(at.attrs().Keys("frontend_attributes"));
  const auto pairs = text ? ParsePairs(*text) : std::nullopt;
  if (!pairs) return {};
  return DevicePairs(
      *pairs,
      at.Call().Int("channel_id") > 0 ? GroupMode::kCrossPartition : GroupMode::kCrossReplica, grid,
      device);
}

}  // namespace hlo
