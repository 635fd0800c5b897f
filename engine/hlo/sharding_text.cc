// Attribute kinds Sharding and Domain. A sharding is checked and kept as its text: a program on one
// device does not act on it.
// Source: reference/hlo-text.md section 5.2.
#include <fmt/format.h>

#include <algorithm>

#include "engine/hlo/device_mesh.h"

namespace hlo {
namespace {

bool Fail(AttrReader& in, Range range, std::string message) {
  in.lex.diagnostics().Report(DiagCode::kShardingInvalid, range, std::move(message));
  return false;
}

// What was read of one `{...}` so far.
struct Sharding {
  DeviceMesh mesh;
  bool has_mesh = false;
};

bool ReadNothing(AttrReader&, Sharding&) { return true; }

bool ReadEqualsCount(AttrReader& in, Sharding&) {
  int64_t device = 0;
  return in.lex.Read('=', "expects '='") && in.lex.ReadCount(&device);
}

bool ReadGroupId(AttrReader& in, Sharding&) {
  int64_t group = 0;
  return in.lex.ReadCount(&group);
}

// `devices=[2,2]0,1,2,3` or `devices=[2,2]<=[4]`
bool ReadDevices(AttrReader& in, Sharding&) {
  if (!in.lex.Read('=', "expects '='")) return false;
  IotaDevices iota;
  Range range = in.lex.TokenRange();
  if (!ReadIntList(in.lex, '[', ']', &iota.tile)) return false;
  range.end = in.lex.last_end();
  if (in.lex.Peek() == '<') return ReadIotaTail(in, range, &iota);
  int64_t listed = 0;
  int64_t device = 0;
  do {
    if (!in.lex.ReadCount(&device)) return false;
    ++listed;
  } while (in.lex.Consume(','));
  std::optional<int64_t> count = DeviceCount(in, range, iota.tile);
  if (!count) return false;
  if (*count == listed) return true;
  return Fail(
      in, range,
      fmt::format("the number of devices, {}, does not match the tile assignment dimensions "
                  "product, {}",
                  listed, *count));
}

bool ReadTileDims(AttrReader& in, Sharding&) {
  constexpr std::string_view kWords[] = {"maximal", "replicated", "manual", "unknown", "unreduced"};
  if (!in.lex.Read('=', "expects '='")) return false;
  return ReadList(in.lex, '{', '}', [&] {
    return std::any_of(std::begin(kWords), std::end(kWords),
                       [&](std::string_view word) { return in.lex.ConsumeWord(word); }) ||
           in.lex.Fail("expects replicated, manual, unknown, unreduced or maximal");
  });
}

bool ReadShardingMetadata(AttrReader& in, Sharding&) {
  if (!in.lex.Read('=', "expects '='")) return false;
  uint32_t begin = in.lex.TokenRange().begin;
  AttrValue entries;
  auto read = [&] { return ReadMetadata(in, AttrDef{}, &entries); };
  if (!in.lex.Read('{', "expects '{'")) return false;
  bool several = in.lex.Peek() == '{';
  in.lex.set_pos(begin);
  return several ? ReadList(in.lex, '{', '}', read) : read();
}

bool ReadShardingMesh(AttrReader& in, Sharding& sharding) {
  sharding.has_mesh = true;
  return ReadMesh(in, &sharding.mesh);
}

bool ReadMaximalMesh(AttrReader& in, Sharding& sharding) {
  sharding.has_mesh = true;
  if (!in.lex.Read('[', "expects '['")) return false;
  return (in.lex.ConsumeWord("device_id") || in.lex.Fail("expects device_id")) &&
         ReadEqualsCount(in, sharding) && in.lex.Read(']', "expects ']'");
}

// `{'a', 'b':(2)2, ?}`
bool ReadAxes(AttrReader& in, Sharding& sharding) {
  return ReadList(in.lex, '{', '}', [&] {
    MeshAxis axis;
    return in.lex.Consume('?') || ReadMeshAxis(in, sharding.mesh, &axis);
  });
}

// `replicated`, or `replicated={'a'}` of the named form; unreduced may say how:
// `unreduced=max{...}`.
bool ReadAxesIfAny(AttrReader& in, Sharding& sharding) {
  if (!sharding.has_mesh || !in.lex.Consume('=')) return true;
  in.lex.ConsumeIdentifier();
  return ReadAxes(in, sharding);
}

struct Item {
  std::string_view word;
  bool (*read)(AttrReader& in, Sharding& sharding);
};
constexpr Item kItems[] = {
    {"replicated", ReadAxesIfAny},    {"manual", ReadAxesIfAny},
    {"unreduced", ReadAxesIfAny},     {"unknown", ReadNothing},
    {"maximal", ReadNothing},         {"device", ReadEqualsCount},
    {"devices", ReadDevices},         {"last_tile_dim_replicate", ReadNothing},
    {"last_tile_dims", ReadTileDims}, {"shard_as", ReadGroupId},
    {"shard_like", ReadGroupId},      {"metadata", ReadShardingMetadata},
    {"mesh", ReadShardingMesh},       {"maximal_mesh", ReadMaximalMesh},
};

bool ReadItem(AttrReader& in, Sharding& sharding) {
  if (sharding.has_mesh && in.lex.Peek() == '[') {
    return ReadList(in.lex, '[', ']', [&] {
      bool ok = ReadAxes(in, sharding);
      if (ok && in.lex.Peek() == 'p') in.lex.ConsumeIdentifier();  // a priority: `{'a'}p0`
      return ok;
    });
  }
  Range range = in.lex.TokenRange();
  std::string_view word = in.lex.ConsumeIdentifier();
  for (const Item& item : kItems) {
    if (item.word == word) return item.read(in, sharding);
  }
  std::string_view found = in.lex.text().substr(range.begin, range.end - range.begin);
  return Fail(in, range, fmt::format("unexpected `{}` in a sharding", found));
}

// Tuples have one level: `{{...},{...}}`.
bool ReadOneSharding(AttrReader& in, bool may_be_tuple) {
  Sharding sharding;
  uint32_t begin = in.lex.TokenRange().begin;
  if (!in.lex.Read('{', "expects '{' before a sharding")) return false;
  if (may_be_tuple && (in.lex.Peek() == '{' || in.lex.Peek() == '}')) {
    in.lex.set_pos(begin);
    return ReadList(in.lex, '{', '}', [&] { return ReadOneSharding(in, false); });
  }
  while (in.lex.Peek() != '}') {
    if (!ReadItem(in, sharding)) return false;
    in.lex.Consume(',');
  }
  return in.lex.Read('}', "expects '}' after a sharding");
}

}  // namespace

bool ReadShardingText(AttrReader& in, std::string* text) {
  uint32_t begin = in.lex.TokenRange().begin;
  if (!ReadOneSharding(in, true)) return false;
  *text = TidyText(in.lex.text().substr(begin, in.lex.last_end() - begin));
  return true;
}

bool ReadSharding(AttrReader& in, const AttrDef&, AttrValue* value) {
  return ReadShardingText(in, &value->emplace<std::string>());
}
void PrintSharding(const AttrValue& value, const AttrDef&, const AttrPrinter&, std::string* out) {
  out->append(std::get<std::string>(value));
}

bool ReadDomain(AttrReader& in, const AttrDef&, AttrValue* value) {
  auto& entries = value->emplace<KeyValues>();
  return ReadList(in.lex, '{', '}', [&] {
    KeyValue& entry = entries.emplace_back();
    Range range = in.lex.TokenRange();
    entry.key = in.lex.ConsumeIdentifier();
    entry.raw = entry.key == "entry" || entry.key == "exit";
    if (!entry.raw && entry.key != "kind") {
      return in.Fail(range,
                     fmt::format("unexpected attribute `{}` in a domain: expects kind, entry "
                                 "or exit",
                                 entry.key));
    }
    if (!in.lex.Read('=', "expects '='")) return false;
    return entry.raw ? ReadShardingText(in, &entry.value) : in.lex.ReadString(&entry.value);
  });
}
void PrintDomain(const AttrValue& value, const AttrDef& def, const AttrPrinter& to,
                 std::string* out) {
  char before = '{';
  for (const KeyValue& entry : std::get<KeyValues>(value)) {
    out->push_back(before);
    if (before == ',') out->push_back(' ');
    before = ',';
    out->append(entry.key).push_back('=');
    if (entry.raw) {
      out->append(entry.value);
    } else {
      PrintString(AttrValue(entry.value), def, to, out);
    }
  }
  out->push_back('}');
}

}  // namespace hlo
