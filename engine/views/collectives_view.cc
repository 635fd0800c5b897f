#include "engine/views/collectives_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include "engine/ops/devices/device_groups.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/names.h"
#include "engine/views/value_view.h"

namespace hlo {
namespace {

// Of a large array the first elements are written.
constexpr int64_t kMostWritten = 16;
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

std::string PartText(const TraceEntry* entry) {
  if (!entry || entry->dropped) return "(not kept)";
  return ValueText(entry->value, entry->instruction->shape(), kMostWritten);
}

std::string Braced(const std::vector<int64_t>& devices) {
  return fmt::format("{{{}}}", fmt::join(devices, ","));
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
  FindMembers(at, grid, device, &meeting);
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

std::vector<CollectiveMeeting> MeetingsOf(const RunRecord& record) {
  std::vector<CollectiveMeeting> meetings;
  // The last execution of each instruction on each device; how often a device has come.
  std::map<std::pair<const Instruction*, int64_t>, const TraceEntry*> last;
  std::map<std::pair<const Instruction*, int64_t>, int64_t> visits;
  std::map<std::tuple<const Instruction*, int64_t, std::vector<int64_t>>, size_t> known;
  for (const TraceEntry* entry : record.entries) {
    const Instruction& at = *entry->instruction;
    last[{&at, entry->device}] = entry;
    if (!at.def().is_collective) continue;
    CollectiveMeeting made;
    made.instruction = &at;
    made.round = visits[{&at, entry->device}]++;
    FindMembers(at, record.grid, entry->device, &made);
    const auto found = std::find(made.members.begin(), made.members.end(), entry->device);
    if (found == made.members.end()) continue;
    const auto rank = static_cast<size_t>(found - made.members.begin());
    made.parts.resize(made.members.size());
    const auto [place, is_new] =
        known.try_emplace({&at, made.round, made.members}, meetings.size());
    if (is_new) meetings.push_back(std::move(made));
    CollectiveMeeting::Part& part = meetings[place->second].parts[rank];
    part.result = entry;
    for (const Instruction* operand : at.operands()) {
      const auto given = last.find({operand, entry->device});
      part.operands.push_back(given == last.end() ? nullptr : given->second);
    }
  }
  return meetings;
}

std::string CollectivesText(const RunRecord& record) {
  std::string text = fmt::format("{} devices: {} replicas, {} partitions\n", record.grid.count(),
                                 record.grid.replicas, record.grid.partitions);
  auto out = std::back_inserter(text);
  for (const CollectiveMeeting& meeting : MeetingsOf(record)) {
    const Instruction& at = *meeting.instruction;
    fmt::format_to(out, "{} ({}), time {}, devices {}\n", ShownName(*record.document, at),
                   Text(at.opcode()), meeting.round + 1, Braced(meeting.members));
    for (const auto& [source, target] : meeting.pairs) {
      fmt::format_to(out, "  device {} sends to device {}\n", source, target);
    }
    for (size_t rank = 0; rank < meeting.parts.size(); ++rank) {
      const CollectiveMeeting::Part& part = meeting.parts[rank];
      std::vector<std::string> given;
      for (const TraceEntry* operand : part.operands) given.push_back(PartText(operand));
      fmt::format_to(out, "  device {} gives {}, gets {}\n", meeting.members[rank],
                     part.result ? fmt::to_string(fmt::join(given, " and ")) : "(not kept)",
                     PartText(part.result));
    }
  }
  return text;
}

std::string CollectivesJson(const RunRecord& record) {
  Json list = Json::array();
  for (const CollectiveMeeting& meeting : MeetingsOf(record)) {
    Json parts = Json::array(), pairs = Json::array();
    for (const auto& [source, target] : meeting.pairs) {
      pairs.push_back(DimsJson(Dims{source, target}));
    }
    for (size_t rank = 0; rank < meeting.parts.size(); ++rank) {
      Json given = Json::array();
      for (const TraceEntry* operand : meeting.parts[rank].operands) {
        given.push_back(PartText(operand));
      }
      parts.push_back(ObjectJson({{"device", meeting.members[rank]},
                                  {"given", std::move(given)},
                                  {"got", PartText(meeting.parts[rank].result)}}));
    }
    const Instruction& at = *meeting.instruction;
    list.push_back(
        ObjectJson({{"instruction", at.name()},
                    {"opcode", Text(at.opcode())},
                    {"computation", at.parent()->name()},
                    {"round", meeting.round},
                    {"members", DimsJson({meeting.members.begin(), meeting.members.end()})},
                    {"pairs", std::move(pairs)},
                    {"parts", std::move(parts)}}));
  }
  return JsonText(
      ObjectJson({{"ok", !record.diagnostics.has_errors()},
                  {"replicas", record.grid.replicas},
                  {"partitions", record.grid.partitions},
                  {"diagnostics", DiagnosticsJson(record.diagnostics, record.document->map())},
                  {"collectives", std::move(list)}}));
}

}  // namespace hlo
