// Attribute kind ReplicaGroups: explicit lists, the iota form, and axes of a mesh.
// Source: XLA, hlo/parser/hlo_parser.cc (ParseCollectiveDeviceListBase), hlo/ir/replica_group.cc.
#include <fmt/format.h>

#include "engine/base/work_limit.h"
#include "engine/hlo/device_mesh.h"

namespace hlo {
namespace {

/// Gives the groups the lists of their compact text, which are expanded unless they were lately.
template <typename Expand>
void Share(AttrReader& in, ReplicaGroups* groups, const Expand& expand) {
  constexpr size_t kMostKept = 16;
  std::vector<ReplicaGroups>& recent = in.recent_groups;
  for (const ReplicaGroups& each : recent) {
    if (each.compact_text == groups->compact_text) {
      groups->lists = each.lists;
      return;
    }
  }
  groups->lists = std::make_shared<const ReplicaGroups::Lists>(expand());
  if (recent.size() == kMostKept) recent.erase(recent.begin());
  recent.push_back(*groups);
}

// `[2,4]<=[8]`
bool ReadIotaGroups(AttrReader& in, ReplicaGroups* result) {
  Range range = in.lex.TokenRange();
  Dims tile;
  if (!ReadIntList(in.lex, '[', ']', &tile)) return false;
  range.end = in.lex.last_end();
  if (tile.size() != 2) {
    return in.Fail(
        range,
        fmt::format("expects [number of groups, group size], but found {} numbers", tile.size()));
  }
  DeviceList devices;
  const std::optional<int64_t> count = DeviceCount(in, range, tile);
  if (!count) return false;
  if (!in.lex.Consume("<=")) return in.lex.Fail("expects '<='");
  if (!ReadIota(in, *count, kTileDevices, &devices)) return false;
  result->compact_text = fmt::format("[{},{}]<={}", tile[0], tile[1], IotaText(devices));
  result->is_permutation = true;
  Share(in, result, [&] {
    const std::vector<int64_t> ids = devices.Expand();
    const auto size = static_cast<ptrdiff_t>(tile[1]);
    CountBytes(static_cast<uint64_t>(tile[0]) * sizeof(Dims));
    ReplicaGroups::Lists lists;
    lists.reserve(static_cast<size_t>(tile[0]));
    for (auto at = ids.begin(); at != ids.end(); at += size) lists.emplace_back(at, at + size);
    return lists;
  });
  return true;
}

// `mesh['x'=2,'y'=4] {'x'}`
bool ReadMeshGroups(AttrReader& in, ReplicaGroups* result) {
  DeviceMesh mesh;
  if (!ReadMesh(in, &mesh)) return false;
  in.lex.Consume(',');
  Range range = in.lex.TokenRange();
  std::vector<MeshAxis> axes;
  bool ok =
      ReadList(in.lex, '{', '}', [&] { return ReadMeshAxis(in, mesh, &axes.emplace_back()); });
  if (!ok) return false;
  range.end = in.lex.last_end();
  if (const std::string fault = AxesFault(mesh, axes); !fault.empty()) return in.Fail(range, fault);
  result->compact_text = MeshText(mesh) + " {";
  AppendAxes(mesh, axes, ",", &result->compact_text);
  result->compact_text.push_back('}');
  Share(in, result, [&] { return GroupsAlong(mesh, axes); });
  const ReplicaGroups::Lists& lists = result->groups();
  if (!mesh.is_maximal() && !lists.empty() && lists[0].size() < 2) {
    return in.Fail(range, "MeshAxesReplicaGroupList: Number of devices per group must be > 1");
  }
  return true;
}

// Documents write `{0, 2}, {1, 3}`: the braces around the list are missing.
bool ReadBareGroups(AttrReader& in, ReplicaGroups::Lists* result) {
  Range range = in.lex.TokenRange();
  uint32_t end = 0;
  do {
    if (!ReadIntList(in.lex, '{', '}', &result->emplace_back())) return false;
    end = in.lex.last_end();
    range.end = end;
  } while (in.lex.Consume(',') && in.lex.Peek() == '{');
  // The comma that was read last separates the next attribute from this one.
  in.lex.set_pos(end);
  const std::string_view text = in.lex.text().substr(range.begin, end - range.begin);
  in.lex.diagnostics()
      .Report(DiagCode::kAttributeValue, range, "expects '{' before the groups: a list of lists")
      .fixes.push_back({"put braces around the groups", range, fmt::format("{{{}}}", text)});
  return true;
}

bool AtBareGroups(AttrReader& in) {
  const uint32_t begin = in.lex.TokenRange().begin;
  in.lex.Consume('{');
  const bool is_bare = IsDigit(in.lex.Peek());
  in.lex.set_pos(begin);
  return is_bare;
}

}  // namespace

bool ReadReplicaGroups(AttrReader& in, const AttrDef&, AttrValue* value) {
  auto& result = value->emplace<ReplicaGroups>();
  char first = in.lex.Peek();
  if (first == '[') return ReadIotaGroups(in, &result);
  if (first != '{') return ReadMeshGroups(in, &result);
  ReplicaGroups::Lists lists;
  const bool ok = AtBareGroups(in) ? ReadBareGroups(in, &lists) : ReadList(in.lex, '{', '}', [&] {
    return ReadIntList(in.lex, '{', '}', &lists.emplace_back());
  });
  result = ReplicaGroups(std::move(lists));
  return ok;
}

void PrintReplicaGroups(const AttrValue& value, const AttrDef&, const AttrPrinter&,
                        std::string* out) {
  const auto& groups = std::get<ReplicaGroups>(value);
  if (!groups.compact_text.empty()) {
    out->append(groups.compact_text);
    return;
  }
  out->push_back('{');
  const ReplicaGroups::Lists& lists = groups.groups();
  for (size_t i = 0; i < lists.size(); ++i) {
    out->append(i > 0 ? ",{" : "{");
    AppendInts(lists[i], out);
    out->push_back('}');
  }
  out->push_back('}');
}

}  // namespace hlo
