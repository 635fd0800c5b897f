// Attribute kind ReplicaGroups: explicit lists, the iota form, and axes of a mesh.
// Source: reference/hlo-text.md section 5.1.
#include <fmt/format.h>

#include "engine/hlo/device_mesh.h"

namespace hlo {
namespace {

bool ReadIotaGroups(AttrReader& in, ReplicaGroups* result) {
  Range range = in.lex.TokenRange();
  IotaDevices iota;
  if (!ReadIntList(in.lex, '[', ']', &iota.tile)) return false;
  range.end = in.lex.last_end();
  if (iota.tile.size() != 2) {
    return in.Fail(range,
                   fmt::format("expects [number of groups, group size], but found {} numbers",
                               iota.tile.size()));
  }
  if (!ReadIotaTail(in, range, &iota)) return false;
  std::vector<int64_t> ids = iota.Expand();
  auto size = static_cast<ptrdiff_t>(iota.tile[1]);
  for (auto at = ids.begin(); at != ids.end(); at += size) {
    result->groups.emplace_back(at, at + size);
  }
  result->compact_text = iota.Text();
  return true;
}

bool ReadMeshGroups(AttrReader& in, ReplicaGroups* result) {
  uint32_t begin = in.lex.TokenRange().begin;
  DeviceMesh mesh;
  if (in.lex.ConsumeWord("maximal_mesh")) {
    int64_t device = 0;
    if (!in.lex.Read('[', "expects '['") || !in.lex.ConsumeWord("device_id") ||
        !in.lex.Read('=', "expects '='") || !in.lex.ReadCount(&device) ||
        !in.lex.Read(']', "expects ']'")) {
      return false;
    }
    mesh.ids = {device};
  } else if (!in.lex.ConsumeWord("mesh")) {
    return in.lex.Fail("expects replica groups: '{', '[' or mesh");
  } else if (!ReadMesh(in, &mesh)) {
    return false;
  }
  in.lex.Consume(',');
  std::vector<MeshAxis> axes;
  bool ok =
      ReadList(in.lex, '{', '}', [&] { return ReadMeshAxis(in, mesh, &axes.emplace_back()); });
  if (!ok) return false;
  result->groups = GroupsAlong(mesh, axes);
  result->compact_text = TidyText(in.lex.text().substr(begin, in.lex.last_end() - begin));
  return true;
}

}  // namespace

bool ReadReplicaGroups(AttrReader& in, const AttrDef&, AttrValue* value) {
  auto& result = value->emplace<ReplicaGroups>();
  char first = in.lex.Peek();
  if (first == '[') return ReadIotaGroups(in, &result);
  if (first != '{') return ReadMeshGroups(in, &result);
  return ReadList(in.lex, '{', '}',
                  [&] { return ReadIntList(in.lex, '{', '}', &result.groups.emplace_back()); });
}

void PrintReplicaGroups(const AttrValue& value, const AttrDef&, const AttrPrinter&,
                        std::string* out) {
  const auto& groups = std::get<ReplicaGroups>(value);
  if (!groups.compact_text.empty()) {
    out->append(groups.compact_text);
    return;
  }
  out->push_back('{');
  for (size_t i = 0; i < groups.groups.size(); ++i) {
    out->append(i > 0 ? ",{" : "{");
    AppendInts(groups.groups[i], out);
    out->push_back('}');
  }
  out->push_back('}');
}

}  // namespace hlo
