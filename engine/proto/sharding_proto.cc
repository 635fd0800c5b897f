// Source: XLA, hlo/ir/hlo_sharding.cc (FromProto, ToProto), hlo/ir/named_sharding.cc.
#include "engine/proto/sharding_proto.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "engine/base/bits.h"
#include "engine/base/permutation.h"
#include "engine/proto/schema.h"

namespace hlo {
namespace {

enum OpShardingField : uint32_t {
  kShardingType = 1,
  kShardingTile = 3,
  kShardingDevices = 4,
  kShardingTuple = 5,
  kShardingReplicateLast = 6,
  kShardingMetadata = 7,
  kShardingLastTileDims = 8,
  kShardingReshape = 9,
  kShardingPermutation = 10,
  kShardingIsGroup = 11,
  kShardingGroupId = 12,
  kShardingGroupType = 13,
  kShardingNamed = 14,
};
enum NamedField : uint32_t {
  kShardingNamedTuple = 1,
  kShardingMesh = 2,
  kShardingNamedDims = 3,
  kShardingReplicatedAxes = 4,
  kShardingUnreducedAxes = 5,
  kShardingNamedMetadata = 6,
};
enum ShardingTypeNumber : int64_t {
  kShardingReplicated = 0,
  kShardingMaximal = 1,
  kShardingTupleType = 2,
  kShardingOther = 3,
  kShardingManual = 4,
  kShardingUnknown = 5,
  kShardingUnreduced = 6,
};

using Kind = Sharding::Kind;
using Subgroup = Sharding::Subgroup;

struct ShardingKindRow {
  int64_t type;
  Kind kind;
};
constexpr ShardingKindRow kShardingKinds[] = {
    {kShardingReplicated, Kind::kReplicated}, {kShardingMaximal, Kind::kMaximal},
    {kShardingTupleType, Kind::kTuple},       {kShardingOther, Kind::kTiled},
    {kShardingManual, Kind::kManual},         {kShardingUnknown, Kind::kUnknown},
    {kShardingUnreduced, Kind::kUnreduced}};
struct SubgroupRow {
  int64_t type;
  Subgroup subgroup;
};
constexpr SubgroupRow kShardingSubgroups[] = {{kShardingReplicated, Subgroup::kReplicated},
                                              {kShardingMaximal, Subgroup::kMaximal},
                                              {kShardingManual, Subgroup::kManual},
                                              {kShardingUnreduced, Subgroup::kUnreduced}};

// The product of sizes; nothing where one is below 1 or there are too many devices.
std::optional<int64_t> Product(const Dims& sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) {
    if (size < 1 || !MultiplyChecked(count, size, &count) || count > kMostDevices) return {};
  }
  return count;
}

// Devices as listed or as an iota; nothing where these are not as many as the tiles.
std::optional<DeviceList> DevicesFromProto(const WireMessage& proto, int64_t count) {
  DeviceList devices;
  devices.reshape = proto.Ints(kShardingReshape);
  if (devices.is_iota()) {
    devices.permutation = proto.Ints(kShardingPermutation);
    const bool good = Product(devices.reshape) == count &&
                      IsPermutation(devices.permutation, devices.reshape.size());
    if (!good) return std::nullopt;
    return devices;
  }
  const Dims listed = proto.Ints(kShardingDevices);
  if (static_cast<int64_t>(listed.size()) != count) return std::nullopt;
  devices.ids.assign(listed.begin(), listed.end());
  return devices;
}

bool ReadTiles(const WireMessage& proto, Sharding* sharding) {
  sharding->tile = proto.Ints(kShardingTile);
  const auto count = Product(sharding->tile);
  if (!count) return false;
  auto devices = DevicesFromProto(proto, *count);
  if (!devices) return false;
  sharding->devices = std::move(*devices);
  sharding->replicate_last = proto.Bool(kShardingReplicateLast);
  for (int64_t type : proto.Ints(kShardingLastTileDims)) {
    const auto* row = std::find_if(std::begin(kShardingSubgroups), std::end(kShardingSubgroups),
                                   [type](const SubgroupRow& each) { return each.type == type; });
    if (row == std::end(kShardingSubgroups)) return false;
    sharding->subgroups.push_back(row->subgroup);
  }
  return sharding->rank().value_or(-1) >= 0;
}

std::vector<KeyValues> MetadataList(const std::vector<WireMessage>& messages) {
  std::vector<KeyValues> list;
  list.reserve(messages.size());
  for (const WireMessage& message : messages) list.push_back(MetadataFromProto(message));
  return list;
}

std::optional<Sharding> NamedFromProto(const WireMessage& proto) {
  Sharding sharding;
  const auto elements = proto.Messages(kShardingNamedTuple);
  if (!elements.empty()) {
    sharding.kind = Kind::kTuple;
    for (const WireMessage& element : elements) {
      auto one = element.Has(kShardingNamedTuple) ? std::nullopt : NamedFromProto(element);
      if (!one) return std::nullopt;
      sharding.elements.push_back(std::move(*one));
    }
    return sharding;
  }
  sharding.kind = Kind::kNamed;
  auto mesh = MeshFromProto(proto.Message(kShardingMesh));
  if (!mesh) return std::nullopt;
  sharding.mesh = std::move(*mesh);
  for (const WireMessage& dim : proto.Messages(kShardingNamedDims)) {
    auto axes = AxesFromProto(dim.Messages(1), sharding.mesh);
    if (!axes) return std::nullopt;
    sharding.dims.push_back({std::move(*axes), !dim.Bool(2)});
  }
  auto replicated = AxesFromProto(proto.Messages(kShardingReplicatedAxes), sharding.mesh);
  auto unreduced = AxesFromProto(proto.Messages(kShardingUnreducedAxes), sharding.mesh);
  if (!replicated || !unreduced) return std::nullopt;
  sharding.replicated = std::move(*replicated);
  sharding.unreduced = std::move(*unreduced);
  sharding.metadata = MetadataList(proto.Messages(kShardingNamedMetadata));
  return sharding;
}

std::string MeshToProto(const DeviceMesh& mesh) {
  WireWriter out;
  for (size_t i = 0; i < mesh.names.size(); ++i) {
    WireWriter axis;
    axis.String(1, mesh.names[i]);
    axis.Int(2, mesh.sizes[i]);
    out.Message(1, axis.bytes());
  }
  const bool in_order = mesh.devices.is_iota() && mesh.devices.reshape.size() == 1;
  if (!in_order) out.Ints(2, mesh.devices.Expand());
  return out.Take();
}

void WriteAxes(uint32_t field, const std::vector<MeshAxis>& axes, WireWriter* out) {
  for (const MeshAxis& axis : axes) {
    WireWriter reference;
    reference.Int(1, static_cast<int64_t>(axis.axis));
    if (axis.is_sub) {
      WireWriter sub;
      sub.Int(1, axis.before);
      sub.Int(2, axis.size);
      reference.Message(2, sub.bytes());
    }
    out->Message(field, reference.bytes());
  }
}

std::string NamedToProto(const Sharding& sharding) {
  WireWriter out;
  out.Message(kShardingMesh, MeshToProto(sharding.mesh));
  for (const DimSharding& dim : sharding.dims) {
    WireWriter inner;
    WriteAxes(1, dim.axes, &inner);
    inner.Int(2, dim.is_open ? 0 : 1);
    out.Message(kShardingNamedDims, inner.bytes());
  }
  WriteAxes(kShardingReplicatedAxes, sharding.replicated, &out);
  WriteAxes(kShardingUnreducedAxes, sharding.unreduced, &out);
  for (const KeyValues& metadata : sharding.metadata) {
    out.Message(kShardingNamedMetadata, MetadataToProto(metadata));
  }
  return out.Take();
}

void WriteTiles(const Sharding& sharding, WireWriter* out) {
  out->Ints(kShardingTile, sharding.tile);
  if (sharding.devices.is_iota()) {
    out->Ints(kShardingReshape, sharding.devices.reshape);
    out->Ints(kShardingPermutation, sharding.devices.permutation);
  } else {
    out->Ints(kShardingDevices, sharding.devices.ids);
  }
  out->Int(kShardingReplicateLast, sharding.replicate_last ? 1 : 0);
  Dims types;
  for (Subgroup subgroup : sharding.subgroups) {
    for (const SubgroupRow& row : kShardingSubgroups) {
      if (row.subgroup == subgroup) types.push_back(row.type);
    }
  }
  out->Ints(kShardingLastTileDims, types);
}

}  // namespace

std::optional<DeviceMesh> MeshFromProto(const WireMessage& proto) {
  DeviceMesh mesh;
  for (const WireMessage& axis : proto.Messages(1)) {
    mesh.names.emplace_back(axis.Bytes(1));
    mesh.sizes.push_back(axis.Int(2));
  }
  const auto count = Product(mesh.sizes);
  const Dims ids = proto.Ints(2);
  if (!count || (!ids.empty() && static_cast<int64_t>(ids.size()) != *count)) return std::nullopt;
  if (ids.empty()) {
    mesh.devices = DeviceList::Iota(*count);
  } else {
    mesh.devices.ids.assign(ids.begin(), ids.end());
  }
  return mesh;
}

std::optional<std::vector<MeshAxis>> AxesFromProto(const std::vector<WireMessage>& axes,
                                                   const DeviceMesh& mesh) {
  std::vector<MeshAxis> list;
  for (const WireMessage& reference : axes) {
    const auto at = static_cast<uint64_t>(reference.Int(1));
    if (at >= mesh.sizes.size()) return std::nullopt;
    MeshAxis axis{static_cast<size_t>(at), 1, mesh.sizes[at], false};
    if (reference.Has(2)) {
      const WireMessage sub = reference.Message(2);
      axis = {axis.axis, sub.Int(1), sub.Int(2), true};
    }
    list.push_back(axis);
  }
  return list;
}

std::optional<Sharding> ShardingFromProto(const WireMessage& proto) {
  if (proto.Has(kShardingNamed)) return NamedFromProto(proto.Message(kShardingNamed));
  Sharding sharding;
  const int64_t type = proto.Int(kShardingType);
  const auto* row = std::find_if(std::begin(kShardingKinds), std::end(kShardingKinds),
                                 [type](const ShardingKindRow& each) { return each.type == type; });
  if (row == std::end(kShardingKinds)) return std::nullopt;
  sharding.kind = row->kind;
  if (sharding.kind == Kind::kTuple) {
    for (const WireMessage& element : proto.Messages(kShardingTuple)) {
      auto one = ShardingFromProto(element);
      if (!one || one->kind == Kind::kTuple) return std::nullopt;
      sharding.elements.push_back(std::move(*one));
    }
    return sharding;
  }
  if (sharding.kind == Kind::kMaximal) sharding.device = proto.Int(kShardingDevices);
  if (sharding.kind == Kind::kTiled && !ReadTiles(proto, &sharding)) return std::nullopt;
  if (proto.Bool(kShardingIsGroup)) {
    sharding.group =
        proto.Int(kShardingGroupType) == 0 ? Sharding::Group::kAs : Sharding::Group::kLike;
    sharding.group_id = proto.Int(kShardingGroupId);
  }
  sharding.metadata = MetadataList(proto.Messages(kShardingMetadata));
  return sharding;
}

std::string ShardingToProto(const Sharding& sharding) {
  WireWriter out;
  if (sharding.kind == Kind::kNamed) {
    out.Message(kShardingNamed, NamedToProto(sharding));
    return out.Take();
  }
  for (const ShardingKindRow& row : kShardingKinds) {
    if (row.kind == sharding.kind) out.Int(kShardingType, row.type);
  }
  for (const Sharding& element : sharding.elements)
    out.Message(kShardingTuple, ShardingToProto(element));
  if (sharding.kind == Kind::kMaximal) {
    out.Ints(kShardingTile, Dims{1});
    out.Ints(kShardingDevices, Dims{sharding.device});
  }
  if (sharding.kind == Kind::kTiled) WriteTiles(sharding, &out);
  for (const KeyValues& metadata : sharding.metadata) {
    out.Message(kShardingMetadata, MetadataToProto(metadata));
  }
  if (sharding.group != Sharding::Group::kNone) {
    out.Int(kShardingIsGroup, 1);
    out.Int(kShardingGroupId, sharding.group_id);
    out.Int(kShardingGroupType, sharding.group == Sharding::Group::kLike ? 1 : 0);
  }
  return out.Take();
}

KeyValues MetadataFromProto(const WireMessage& proto) {
  constexpr std::string_view kProfile = "profile_type", kLayout = "preserve_layout";
  KeyValues metadata;
  constexpr uint32_t kMostFields = 32;
  for (uint32_t number = 1; number < kMostFields; ++number) {
    const FieldRow* row = FindField(MessageType::kOpMetadata, number);
    if (!row || !proto.Has(number)) continue;
    KeyValue entry{std::string(row->name), "", row->type != FieldType::kString};
    if (row->name == kProfile) {
      entry.value = fmt::format("{{{}}}", fmt::join(proto.Ints(number), ","));
    } else if (row->name == kLayout) {
      entry.value = proto.Bool(number) ? "true" : "false";
    } else if (entry.raw) {
      entry.value = fmt::format("{}", proto.Int(number));
    } else {
      entry.value = proto.Bytes(number);
    }
    const bool says_nothing =
        entry.value.empty() ||
        (entry.raw && (entry.value == "0" || entry.value == "{}" || entry.value == "false"));
    if (!says_nothing) metadata.push_back(std::move(entry));
  }
  return metadata;
}

std::string MetadataToProto(const KeyValues& metadata) {
  WireWriter out;
  for (const KeyValue& entry : metadata) {
    const FieldRow* row = FindField(MessageType::kOpMetadata, entry.key);
    if (!row) continue;  // metadata_payload, which is no text in the message
    if (row->type == FieldType::kString) {
      out.String(row->number, entry.value);
    } else if (entry.value.starts_with('{')) {
      Dims numbers;
      for (const char *at = entry.value.data() + 1, *end = at + entry.value.size() - 1; at < end;) {
        int64_t number = 0;
        const auto [stop, error] = std::from_chars(at, end, number);
        if (error == std::errc()) numbers.push_back(number);
        at = std::max(stop, at) + 1;
      }
      out.Ints(row->number, numbers);
    } else {
      int64_t number = entry.value == "true" ? 1 : 0;
      std::from_chars(entry.value.data(), entry.value.data() + entry.value.size(), number);
      out.Int(row->number, number);
    }
  }
  return out.Take();
}

}  // namespace hlo
