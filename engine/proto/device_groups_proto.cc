// The devices of collective operations, in the four forms that XLA's versions write.
// Source: XLA, hlo/ir/replica_group.cc.
#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "engine/base/bits.h"
#include "engine/proto/attribute_proto.h"
#include "engine/proto/sharding_proto.h"

namespace hlo {
namespace {

enum GroupsField : uint32_t {
  kGroupsListed = 49,
  kGroupsCollective = 87,
  kGroupsIota = 92,
  kGroupsMesh = 93
};

// Numbers of a text, in order.
Dims NumbersIn(std::string_view text) {
  Dims numbers;
  for (size_t at = text.find_first_of("0123456789"); at != std::string_view::npos;
       at = text.find_first_of("0123456789", at)) {
    int64_t number = 0;
    const auto [stop, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
    if (error != std::errc()) break;
    numbers.push_back(number);
    at = static_cast<size_t>(stop - text.data());
  }
  return numbers;
}

std::vector<Dims> GroupsFromProto(const std::vector<WireMessage>& messages) {
  std::vector<Dims> groups;
  groups.reserve(messages.size());
  for (const WireMessage& group : messages) groups.push_back(group.Ints(1));
  return groups;
}

// The text alone: who reads it expands it.
ReplicaGroups IotaFromProto(const WireMessage& proto) {
  DeviceList devices;
  devices.reshape = proto.Ints(3);
  devices.permutation = proto.Ints(4);
  ReplicaGroups groups;
  groups.compact_text = fmt::format("[{},{}]<={}", proto.Int(1), proto.Int(2), IotaText(devices));
  return groups;
}

std::optional<ReplicaGroups> MeshGroupsFromProto(const WireMessage& proto) {
  const auto mesh = MeshFromProto(proto.Message(1));
  if (!mesh) return std::nullopt;
  const auto axes = AxesFromProto(proto.Messages(2), *mesh);
  if (!axes) return std::nullopt;
  ReplicaGroups groups;
  groups.compact_text = MeshText(*mesh) + " {";
  AppendAxes(*mesh, *axes, ",", &groups.compact_text);
  groups.compact_text.push_back('}');
  return groups;
}

}  // namespace

std::optional<ReplicaGroups> ReplicaGroupsFromProto(const WireMessage& instruction, bool* faulty) {
  if (instruction.Has(kGroupsMesh)) {
    auto groups = MeshGroupsFromProto(instruction.Message(kGroupsMesh));
    if (!groups) *faulty = true;
    return groups;
  }
  if (instruction.Has(kGroupsIota)) return IotaFromProto(instruction.Message(kGroupsIota));
  std::vector<WireMessage> listed = instruction.Messages(kGroupsListed);
  if (instruction.Has(kGroupsCollective)) {
    const WireMessage list = instruction.Message(kGroupsCollective);
    if (list.Has(2)) return IotaFromProto(list.Message(2));
    listed = list.Messages(1);
  }
  return ReplicaGroups(GroupsFromProto(listed));
}

void ReplicaGroupsToProto(const ReplicaGroups& groups, WireWriter* out) {
  if (groups.compact_text.starts_with('[')) {
    const size_t dims = groups.compact_text.find("<=");
    const size_t order = groups.compact_text.find('T');
    const std::string_view text = groups.compact_text;
    const Dims tile = NumbersIn(text.substr(0, dims));
    if (dims != std::string::npos && tile.size() == 2) {
      const Dims reshape = NumbersIn(text.substr(dims, order - dims));
      Dims permutation = order == std::string::npos ? Dims{} : NumbersIn(text.substr(order));
      if (permutation.empty()) permutation.push_back(0);
      WireWriter iota;
      iota.Int(1, tile[0]);
      iota.Int(2, tile[1]);
      iota.Ints(3, reshape);
      iota.Ints(4, permutation);
      out->Message(kGroupsIota, iota.bytes());
      return;
    }
  }
  WireWriter list;
  for (const Dims& group : groups.groups()) {
    WireWriter inner;
    inner.Ints(1, group);
    list.Message(1, inner.bytes());
  }
  if (!groups.groups().empty()) out->Message(kGroupsCollective, list.bytes());
}

}  // namespace hlo
