// Attribute kinds Sharding and Domain.
// Source: XLA, hlo/parser/hlo_parser.cc (ParseSharding), hlo/ir/hlo_sharding.cc (Print).
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/hlo/sharding.h"

namespace hlo {
namespace {

constexpr size_t kDevicesPerComment = 5;

// One of a few words, and what it stands for.
template <typename T>
struct Word {
  std::string_view text;
  T value;
};
using Kind = Sharding::Kind;
using Subgroup = Sharding::Subgroup;
// Of several of these words XLA heeds the first in this order.
constexpr Word<Kind> kKinds[] = {{"replicated", Kind::kReplicated},
                                 {"maximal", Kind::kMaximal},
                                 {"manual", Kind::kManual},
                                 {"unknown", Kind::kUnknown},
                                 {"unreduced", Kind::kUnreduced}};
constexpr Word<Subgroup> kSubgroups[] = {{"maximal", Subgroup::kMaximal},
                                         {"manual", Subgroup::kManual},
                                         {"unreduced", Subgroup::kUnreduced},
                                         {"replicated", Subgroup::kReplicated}};
constexpr Word<Sharding::Group> kGroups[] = {{"shard_as", Sharding::Group::kAs},
                                             {"shard_like", Sharding::Group::kLike}};

template <typename T, size_t N>
const Word<T>* Find(const Word<T> (&words)[N], std::string_view text) {
  const auto* found = std::find_if(std::begin(words), std::end(words),
                                   [&](const Word<T>& word) { return word.text == text; });
  return found == std::end(words) ? nullptr : found;
}

template <typename T, size_t N>
std::string_view TextOf(const Word<T> (&words)[N], T value) {
  const auto* found = std::find_if(std::begin(words), std::end(words),
                                   [&](const Word<T>& word) { return word.value == value; });
  return found == std::end(words) ? std::string_view() : found->text;
}

// The contents of one `{...}`, before it is known what kind of sharding that is.
struct Parts {
  const Word<Kind>* kind = nullptr;
  bool replicate_last = false;
  Dims tile;
  Range tile_range;
  DeviceList devices;
  bool has_devices = false;
  std::vector<Subgroup> subgroups;
  Sharding::Group group = Sharding::Group::kNone;
  int64_t group_id = 0;
  std::vector<KeyValues> metadata;
};

// `[2,2]0,1,2,3` or `[2,2]<=[4]`
bool ReadDevices(AttrReader& in, Parts* parts) {
  Range range = in.lex.TokenRange();
  if (in.lex.Peek() != '[') {
    return in.lex.Fail("expected '[' to start sharding devices shape");
  }
  if (!ReadIntList(in.lex, '[', ']', &parts->tile)) return false;
  range.end = in.lex.last_end();
  parts->tile_range = range;
  parts->has_devices = true;
  const std::optional<int64_t> count = DeviceCount(in, range, parts->tile);
  if (!count) return false;
  if (in.lex.Consume("<=")) return ReadIota(in, *count, kTileDevices, &parts->devices);
  std::vector<int64_t>& ids = parts->devices.ids;
  do {
    int64_t device = 0;
    if (!in.lex.ReadCount(&device)) return false;
    ids.push_back(device);
  } while (in.lex.Consume(','));
  if (*count == static_cast<int64_t>(ids.size())) return true;
  return in.FailSharding(
      range, fmt::format("sharding device count {} does not match the tile assignment size {}",
                         ids.size(), *count));
}

bool ReadSubgroups(AttrReader& in, Parts* parts) {
  return ReadList(in.lex, '{', '}', [&] {
    const Range range = in.lex.TokenRange();
    const std::string_view word = in.lex.ConsumeIdentifier();
    const Word<Subgroup>* found = Find(kSubgroups, word);
    if (found) parts->subgroups.push_back(found->value);
    return found ||
           in.FailSharding(range, fmt::format("unexpected `{}` in last_tile_dims: expects maximal, "
                                              "replicated, manual or unreduced",
                                              word));
  });
}

bool ReadNamedPart(AttrReader& in, std::string_view name, Range range, Parts* parts) {
  constexpr std::string_view kExpected = "expected device=, devices= metadata= or last_tile_dims=";
  if (name == "device") {
    int64_t device = 0;
    if (!IsDigit(in.lex.Peek()) && in.lex.Peek() != '-') {
      return in.lex.Fail("device= attribute must be an integer");
    }
    if (!in.lex.ReadInt(&device)) return false;
    parts->devices = {{}, {}, {device}};
    parts->has_devices = true;
    return true;
  }
  if (name == "devices") return ReadDevices(in, parts);
  if (name == "metadata") return ReadShardingMetadata(in, &parts->metadata);
  if (name == "last_tile_dims") return ReadSubgroups(in, parts);
  return in.FailSharding(range,
                         fmt::format("unknown attribute in sharding: {}: {}", name, kExpected));
}

bool ReadPart(AttrReader& in, Parts* parts) {
  const Range range = in.lex.TokenRange();
  const std::string_view word = in.lex.ConsumeIdentifier();
  if (!word.empty() && in.lex.Peek() == '=') {
    return in.lex.ReadEquals() && ReadNamedPart(in, word, range, parts);
  }
  if (const Word<Kind>* kind = Find(kKinds, word)) {
    if (!parts->kind || kind < parts->kind) parts->kind = kind;
    return true;
  }
  if (const Word<Sharding::Group>* group = Find(kGroups, word)) {
    parts->group = group->value;
    return in.lex.ReadCount(&parts->group_id);
  }
  if (word == "last_tile_dim_replicate") return parts->replicate_last = true;
  if (word.empty() && in.lex.Peek() == ',') {
    in.lex.diagnostics()
        .Report(DiagCode::kShardingInvalid, range,
                "unexpected token ',' in a sharding: its parts are separated by spaces")
        .fixes.push_back({"remove the comma", range, ""});
    in.lex.Consume(',');
    return true;
  }
  return in.FailSharding(range,
                         fmt::format("unexpected token `{}` in a sharding",
                                     in.lex.text().substr(range.begin, range.end - range.begin)));
}

bool CheckParts(AttrReader& in, Range range, const Parts& parts) {
  if (parts.kind && parts.kind->value == Kind::kMaximal) {
    if (!parts.has_devices || parts.devices.ids.size() != 1) {
      return in.FailSharding(range, "maximal shardings should have exactly one device assigned");
    }
    return true;
  }
  if (parts.kind) {
    if (!parts.has_devices) return true;
    return in.FailSharding(
        range, fmt::format("{} shardings should not have any devices assigned", parts.kind->text));
  }
  if (parts.tile.empty()) {
    return in.FailSharding(
        range, "non-maximal shardings must have a tile assignment list including dimensions");
  }
  if (!parts.devices.is_iota() && parts.devices.ids.size() <= 1) {
    return in.FailSharding(range, "non-maximal shardings must have more than one device assigned");
  }
  if (parts.subgroups.size() <= parts.tile.size()) return true;
  return in.FailSharding(
      range, fmt::format("last_tile_dims has {} kinds, but the tile assignment only {} dimensions",
                         parts.subgroups.size(), parts.tile.size()));
}

Sharding Assemble(Parts parts) {
  Sharding sharding;
  if (parts.kind) {
    sharding.kind = parts.kind->value;
    if (sharding.kind == Kind::kMaximal) sharding.device = parts.devices.ids[0];
  } else if (parts.replicate_last) {
    sharding = PartialTile(std::move(parts.tile), std::move(parts.devices));
  } else if (!parts.subgroups.empty()) {
    sharding = SubgroupTile(std::move(parts.tile), std::move(parts.devices), parts.subgroups);
  } else {
    sharding.kind = Kind::kTiled;
    sharding.tile = std::move(parts.tile);
    sharding.devices = std::move(parts.devices);
  }
  sharding.group = parts.group;
  sharding.group_id = parts.group_id;
  sharding.metadata = std::move(parts.metadata);
  return sharding;
}

// From the `{`, which is not read twice, to after the `}`.
bool ReadOne(AttrReader& in, Sharding* sharding) {
  Range range = in.lex.TokenRange();
  if (!in.lex.Read('{', "expected '{' to start sharding attribute")) return false;
  if (AtMesh(in)) return ReadNamedSharding(in, sharding);
  Parts parts;
  while (in.lex.Peek() != '}') {
    if (in.lex.AtEnd()) return in.lex.Fail("expected '}' to end sharding attribute");
    if (!ReadPart(in, &parts)) return false;
  }
  in.lex.Consume('}');
  range.end = in.lex.last_end();
  if (!CheckParts(in, range, parts)) return false;
  *sharding = Assemble(std::move(parts));
  return true;
}

void AppendMetadata(const std::vector<KeyValues>& metadata, std::string* out) {
  out->append("metadata={");
  for (size_t i = 0; i < metadata.size(); ++i) {
    if (i > 0) out->append(", ");
    const std::string text = MetadataText(metadata[i]);
    // A single one has no braces of its own.
    out->append(metadata.size() == 1 ? std::string_view(text).substr(1, text.size() - 2) : text);
  }
  out->push_back('}');
}

void AppendTiles(const Sharding& sharding, std::string* out) {
  out->append("devices=[");
  AppendInts(sharding.tile, out);
  out->push_back(']');
  if (sharding.devices.is_iota()) {
    out->append("<=").append(IotaText(sharding.devices));
  } else {
    const std::vector<int64_t>& ids = sharding.devices.ids;
    AppendInts({ids.begin(), ids.end()}, out);
  }
  if (sharding.replicate_last) out->append(" last_tile_dim_replicate");
  if (sharding.subgroups.empty()) return;
  out->append(" last_tile_dims={");
  for (size_t i = 0; i < sharding.subgroups.size(); ++i) {
    if (i > 0) out->append(", ");
    out->append(TextOf(kSubgroups, sharding.subgroups[i]));
  }
  out->push_back('}');
}

}  // namespace

bool operator==(const Sharding& a, const Sharding& b) {
  return a.kind == b.kind && a.device == b.device && a.tile == b.tile &&
         a.devices.Expand() == b.devices.Expand() && a.replicate_last == b.replicate_last &&
         a.subgroups == b.subgroups && a.mesh == b.mesh && a.dims == b.dims &&
         a.replicated == b.replicated && a.unreduced == b.unreduced && a.manual == b.manual &&
         a.reduction == b.reduction && a.group == b.group && a.group_id == b.group_id &&
         a.elements == b.elements;
}

std::optional<int64_t> Sharding::rank() const {
  const auto extra = static_cast<int64_t>(subgroups.size()) + (replicate_last ? 1 : 0);
  if (kind == Kind::kTiled) return static_cast<int64_t>(tile.size()) - extra;
  if (kind == Kind::kNamed && !dims.empty()) return static_cast<int64_t>(dims.size());
  return std::nullopt;
}

std::vector<int64_t> Sharding::device_ids() const {
  if (kind == Kind::kMaximal) return {device};
  if (kind == Kind::kTiled) return devices.Expand();
  return kind == Kind::kNamed ? mesh.devices.Expand() : std::vector<int64_t>();
}

std::shared_ptr<const Sharding> ReadShardingValue(AttrReader& in) {
  auto sharding = std::make_shared<Sharding>();
  const uint32_t begin = in.lex.TokenRange().begin;
  in.lex.Consume('{');
  const bool is_tuple = in.lex.Peek() == '{' || in.lex.Peek() == '}';
  in.lex.set_pos(begin);
  if (!is_tuple) return ReadOne(in, sharding.get()) ? std::move(sharding) : nullptr;
  // Tuples have one level: `{{...}, {...}}`.
  sharding->kind = Kind::kTuple;
  const bool ok =
      ReadList(in.lex, '{', '}', [&] { return ReadOne(in, &sharding->elements.emplace_back()); });
  return ok ? std::move(sharding) : nullptr;
}

void AppendSharding(const Sharding& sharding, bool metadata, std::string* out) {
  if (sharding.kind == Kind::kNamed) {
    AppendNamedSharding(sharding, out);
    if (metadata && !sharding.metadata.empty()) {
      out->append(", metadata={");
      for (size_t i = 0; i < sharding.metadata.size(); ++i) {
        out->append(i > 0 ? ", " : "").append(MetadataText(sharding.metadata[i]));
      }
      out->push_back('}');
    }
    return out->push_back('}');
  }
  out->push_back('{');
  if (sharding.kind == Kind::kTuple) {
    for (size_t i = 0; i < sharding.elements.size(); ++i) {
      if (i > 0) out->append(", ");
      if (i > 0 && i % kDevicesPerComment == 0) {
        fmt::format_to(std::back_inserter(*out), "/*index={}*/", i);
      }
      AppendSharding(sharding.elements[i], metadata, out);
    }
    return out->push_back('}');
  }
  if (sharding.kind == Kind::kTiled) {
    AppendTiles(sharding, out);
  } else {
    out->append(TextOf(kKinds, sharding.kind));
  }
  if (sharding.kind == Kind::kMaximal) {
    fmt::format_to(std::back_inserter(*out), " device={}", sharding.device);
  }
  if (sharding.group != Sharding::Group::kNone) {
    fmt::format_to(std::back_inserter(*out), " {} {}", TextOf(kGroups, sharding.group),
                   sharding.group_id);
  }
  if (metadata && !sharding.metadata.empty()) {
    out->push_back(' ');
    AppendMetadata(sharding.metadata, out);
  }
  out->push_back('}');
}

std::string ShardingText(const Sharding& sharding, bool metadata) {
  std::string text;
  AppendSharding(sharding, metadata, &text);
  return text;
}

std::shared_ptr<const Sharding> ForShape(std::shared_ptr<const Sharding> sharding,
                                         const Shape& shape) {
  if (!shape.IsTuple() || sharding->kind == Kind::kTuple) return sharding;
  auto tuple = std::make_shared<Sharding>();
  tuple->kind = Kind::kTuple;
  // An empty tuple has the sharding of nothing: one.
  tuple->elements.assign(static_cast<size_t>(std::max<int64_t>(shape.leaf_count(), 1)), *sharding);
  return tuple;
}

bool ReadSharding(AttrReader& in, const AttrDef&, AttrValue* value) {
  std::shared_ptr<const Sharding> sharding = ReadShardingValue(in);
  const bool ok = sharding != nullptr;
  if (ok) *value = std::move(sharding);
  return ok;
}
void PrintSharding(const AttrValue& value, const AttrDef&, const AttrPrinter& to,
                   std::string* out) {
  AppendSharding(*std::get<std::shared_ptr<const Sharding>>(value), to.options.metadata, out);
}

// `{kind="sharding", entry={...}, exit={...}}`, in any order.
bool ReadDomain(AttrReader& in, const AttrDef&, AttrValue* value) {
  constexpr std::string_view kKeys[] = {"kind", "entry", "exit"};
  auto& entries = value->emplace<KeyValues>();
  for (std::string_view key : kKeys) entries.push_back({std::string(key), "", key != "kind"});
  Range whole = in.lex.TokenRange();
  bool ok = ReadList(in.lex, '{', '}', [&] {
    const Range range = in.lex.TokenRange();
    const std::string_view key = in.lex.ConsumeIdentifier();
    auto entry = std::find_if(entries.begin(), entries.end(),
                              [&](const KeyValue& e) { return e.key == key; });
    if (entry == entries.end()) {
      return in.Fail(range, fmt::format("unexpected attribute \"{}\" of domain. Allowed "
                                        "attributes: entry, exit, kind",
                                        key));
    }
    if (!entry->value.empty()) {
      return in.Fail(range, fmt::format("sub-attribute '{}' already exists", key));
    }
    if (!in.lex.ReadEquals()) return false;
    const Range read = in.lex.TokenRange();
    if (!entry->raw) {
      return in.lex.ReadString(&entry->value) &&
             (entry->value == "sharding" ||
              in.Fail(read, fmt::format("unsupported domain kind: {}", entry->value)));
    }
    const std::shared_ptr<const Sharding> sharding = ReadShardingValue(in);
    if (sharding) entry->value = ShardingText(*sharding, /*metadata=*/false);
    return sharding != nullptr;
  });
  if (!ok) return false;
  whole.end = in.lex.last_end();
  for (const KeyValue& entry : entries) {
    if (!entry.value.empty()) continue;
    return in.Fail(whole,
                   fmt::format("sub-attribute {} is expected but not seen in domain", entry.key));
  }
  return true;
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
