// Attribute kinds Sharding and Domain. A sharding is checked and kept as its text: a program on one
// device does not act on it.
// Source: XLA, hlo_parser.cc, ParseSingleSharding.
#include <fmt/format.h>

#include <algorithm>

#include "engine/hlo/device_mesh.h"
#include "engine/hlo/sharding.h"

namespace hlo {
namespace {

bool Fail(AttrReader& in, Range range, std::string message) {
  in.lex.diagnostics().Report(DiagCode::kShardingInvalid, range, std::move(message));
  return false;
}

using Form = ShardingPart::Form;

// What was read of one `{...}` so far.
struct PartReader {
  DeviceMesh mesh;
  bool has_mesh = false;
  ShardingPart part;
};

bool ReadNothing(AttrReader&, PartReader&) { return true; }

bool ReadGroupId(AttrReader& in, PartReader&) {
  int64_t group = 0;
  return in.lex.ReadCount(&group);
}

bool ReadMaximal(AttrReader&, PartReader& reader) {
  reader.part.form = Form::kMaximal;
  return true;
}

bool ReadDevice(AttrReader& in, PartReader& reader) {
  reader.part.form = Form::kMaximal;
  return in.lex.Read('=', "expects '='") && in.lex.ReadInt(&reader.part.devices.emplace_back());
}

// `devices=[2,2]0,1,2,3` or `devices=[2,2]<=[4]`
bool ReadDevices(AttrReader& in, PartReader& reader) {
  ShardingPart& part = reader.part;
  part.form = Form::kTiled;
  if (!in.lex.Read('=', "expects '='")) return false;
  IotaDevices iota;
  Range range = in.lex.TokenRange();
  if (!ReadIntList(in.lex, '[', ']', &iota.tile)) return false;
  range.end = in.lex.last_end();
  part.tile = iota.tile;
  if (in.lex.Peek() == '<') {
    if (!ReadIotaTail(in, range, &iota)) return false;
    std::optional<int64_t> count = DeviceCount(in, range, iota.tile);
    if (!count) return false;
    part.device_count = *count;
    part.is_listed = false;
    part.devices = iota.Expand();
    return true;
  }
  do {
    if (!in.lex.ReadInt(&part.devices.emplace_back())) return false;
  } while (in.lex.Consume(','));
  const int64_t listed = static_cast<int64_t>(part.devices.size());
  std::optional<int64_t> count = DeviceCount(in, range, iota.tile);
  if (!count) return false;
  part.device_count = *count;
  if (*count == listed) return true;
  return Fail(
      in, range,
      fmt::format("the number of devices, {}, does not match the tile assignment dimensions "
                  "product, {}",
                  listed, *count));
}

bool ReadLastReplicated(AttrReader&, PartReader& reader) {
  reader.part.subgroups = 1;
  reader.part.words = "replicated";
  return true;
}

bool ReadTileDims(AttrReader& in, PartReader& reader) {
  constexpr std::string_view kWords[] = {"maximal", "replicated", "manual", "unknown", "unreduced"};
  if (!in.lex.Read('=', "expects '='")) return false;
  return ReadList(in.lex, '{', '}', [&] {
    ++reader.part.subgroups;
    const auto consume = [&](std::string_view word) {
      if (!in.lex.ConsumeWord(word)) return false;
      if (!reader.part.words.empty()) reader.part.words += ',';
      reader.part.words += word;
      return true;
    };
    return std::any_of(std::begin(kWords), std::end(kWords), consume) ||
           in.lex.Fail("expects replicated, manual, unknown, unreduced or maximal");
  });
}

bool ReadShardingMetadata(AttrReader& in, PartReader&) {
  if (!in.lex.Read('=', "expects '='")) return false;
  uint32_t begin = in.lex.TokenRange().begin;
  AttrValue entries;
  auto read = [&] { return ReadMetadata(in, AttrDef{}, &entries); };
  if (!in.lex.Read('{', "expects '{'")) return false;
  bool several = in.lex.Peek() == '{';
  in.lex.set_pos(begin);
  return several ? ReadList(in.lex, '{', '}', read) : read();
}

bool ReadShardingMesh(AttrReader& in, PartReader& reader) {
  reader.has_mesh = true;
  if (!ReadMesh(in, &reader.mesh)) return false;
  reader.part.device_count = static_cast<int64_t>(reader.mesh.ids.size());
  return true;
}

bool ReadMaximalMesh(AttrReader& in, PartReader& reader) {
  reader.has_mesh = true;
  if (!in.lex.Read('[', "expects '['")) return false;
  return (in.lex.ConsumeWord("device_id") || in.lex.Fail("expects device_id")) &&
         ReadDevice(in, reader) && in.lex.Read(']', "expects ']'");
}

// `{'a', 'b':(2)2, ?}`. `used`: there is an axis in it.
bool ReadAxes(AttrReader& in, PartReader& reader, bool* used = nullptr) {
  return ReadList(in.lex, '{', '}', [&] {
    MeshAxis axis;
    if (in.lex.Consume('?')) return true;
    if (used) *used = true;
    return ReadMeshAxis(in, reader.mesh, &axis);
  });
}

// `replicated`, or `replicated={'a'}` of the named form; unreduced may say how:
// `unreduced=max{...}`.
bool ReadAxesIfAny(AttrReader& in, PartReader& reader) {
  if (!reader.has_mesh || !in.lex.Consume('=')) return true;
  in.lex.ConsumeIdentifier();
  return ReadAxes(in, reader);
}

struct Item {
  std::string_view word;
  bool (*read)(AttrReader& in, PartReader& reader);
};
constexpr Item kItems[] = {
    {"replicated", ReadAxesIfAny},    {"manual", ReadAxesIfAny},
    {"unreduced", ReadAxesIfAny},     {"unknown", ReadNothing},
    {"maximal", ReadMaximal},         {"device", ReadDevice},
    {"devices", ReadDevices},         {"last_tile_dim_replicate", ReadLastReplicated},
    {"last_tile_dims", ReadTileDims}, {"shard_as", ReadGroupId},
    {"shard_like", ReadGroupId},      {"metadata", ReadShardingMetadata},
    {"mesh", ReadShardingMesh},       {"maximal_mesh", ReadMaximalMesh},
};

// `[{'a'}, {}]`: an entry for each dimension.
bool ReadMeshDims(AttrReader& in, PartReader& reader) {
  bool used = false;
  const bool ok = ReadList(in.lex, '[', ']', [&] {
    reader.part.tile.push_back(1);
    bool read = ReadAxes(in, reader, &used);
    if (read && in.lex.Peek() == 'p') in.lex.ConsumeIdentifier();  // a priority: `{'a'}p0`
    return read;
  });
  if (used) reader.part.form = Form::kNamed;
  return ok;
}

bool ReadItem(AttrReader& in, PartReader& reader) {
  if (reader.has_mesh && in.lex.Peek() == '[') return ReadMeshDims(in, reader);
  Range range = in.lex.TokenRange();
  std::string_view word = in.lex.ConsumeIdentifier();
  for (const Item& item : kItems) {
    const bool is_whole = item.read == ReadAxesIfAny || item.read == ReadNothing;
    if (item.word == word && is_whole) reader.part.words = word;
    if (item.word == word) return item.read(in, reader);
  }
  std::string_view found = in.lex.text().substr(range.begin, range.end - range.begin);
  return Fail(in, range, fmt::format("unexpected `{}` in a sharding", found));
}

bool ReadPart(AttrReader& in, ShardingPart* part) {
  PartReader reader;
  const uint32_t begin = in.lex.TokenRange().begin;
  if (!in.lex.Read('{', "expects '{' before a sharding")) return false;
  while (in.lex.Peek() != '}') {
    if (!ReadItem(in, reader)) return false;
    in.lex.Consume(',');
  }
  if (!in.lex.Read('}', "expects '}' after a sharding")) return false;
  *part = std::move(reader.part);
  part->text = in.lex.text().substr(begin, in.lex.last_end() - begin);
  return true;
}

// Tuples have one level: `{{...},{...}}`.
bool ReadWhole(AttrReader& in, Sharding* sharding) {
  const uint32_t begin = in.lex.TokenRange().begin;
  if (!in.lex.Read('{', "expects '{' before a sharding")) return false;
  sharding->is_tuple = in.lex.Peek() == '{' || in.lex.Peek() == '}';
  in.lex.set_pos(begin);
  const auto read = [&] { return ReadPart(in, &sharding->parts.emplace_back()); };
  return sharding->is_tuple ? ReadList(in.lex, '{', '}', read) : read();
}

// Shardings name neither computations nor instructions.
class TextReader final : public AttrReader {
 public:
  using AttrReader::AttrReader;
  const Region* ReadRegion() override { return nullptr; }
  std::optional<uint32_t> ReadInstruction() override { return std::nullopt; }
};

}  // namespace

bool SameSharding(const Sharding& a, const Sharding& b) {
  const auto same = [](const ShardingPart& x, const ShardingPart& y) {
    if (x.text == y.text) return true;
    return x.form == y.form && x.form != Form::kNamed && x.tile == y.tile &&
           x.subgroups == y.subgroups && x.devices == y.devices && x.words == y.words;
  };
  return a.is_tuple == b.is_tuple &&
         std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(), same);
}

std::optional<Sharding> ParseSharding(std::string_view text) {
  Diagnostics ignored;
  Lexer lexer(text, &ignored);
  TextReader in(&lexer, nullptr);
  Sharding sharding;
  if (!ReadWhole(in, &sharding)) return std::nullopt;
  return sharding;
}

bool ReadShardingText(AttrReader& in, std::string* text) {
  uint32_t begin = in.lex.TokenRange().begin;
  Sharding sharding;
  if (!ReadWhole(in, &sharding)) return false;
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
