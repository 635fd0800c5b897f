#include "engine/why/exchanged.h"

#include <algorithm>
#include <optional>

#include "engine/base/indices.h"
#include "engine/ops/devices/device_groups.h"
#include "engine/ops/op_def.h"
#include "engine/why/flow.h"
#include "engine/why/rule.h"

namespace hlo {
namespace {

// One dimension of a result that is put together of blocks, or of an operand that is cut.
struct BlockAt {
  size_t dim;
  int64_t size;  // of a block
};

// The dimension along which a collective cuts or concatenates; nothing where sizes are not known.
std::optional<BlockAt> BlocksOf(const MeetingOf& at, int operand) {
  const OpCall& call = at.call;
  const Shape& shape = call.operand(operand);
  const Dims& dims = call.Ints("dimensions");
  if (dims.empty() || shape.has_dynamic_dims() || dims[0] >= shape.rank()) return std::nullopt;
  const auto d = static_cast<size_t>(dims[0]);
  const auto members = static_cast<int64_t>(at.members.size());
  const bool cuts = call.opcode() != Opcode::kAllGather && call.opcode() != Opcode::kAllGatherStart;
  const int64_t size = cuts ? shape.dims()[d] / members : shape.dims()[d];
  return size > 0 ? std::optional(BlockAt{d, size}) : std::nullopt;
}

int64_t RankIn(const MeetingOf& at, int64_t device) {
  return std::find(at.members.begin(), at.members.end(), device) - at.members.begin();
}

bool StartsWithState(Opcode opcode) {
  return opcode == Opcode::kAllGatherStart || opcode == Opcode::kCollectivePermuteStart;
}

bool IsOneDevicesPart(const OpCall& call) {
  return call.opcode() == Opcode::kAllToAll && !call.Has("dimensions");
}

// Of collective-permute: the device that this one gets its result from; -1: none, it gets zeros.
int64_t SenderTo(const MeetingOf& at) {
  const auto pairs = DevicePairs(at.call.IntLists("source_target_pairs"),
                                 GroupModeOf(at.call, /*partition_wide=*/true), at.grid, at.device);
  for (const auto& [source, target] : pairs) {
    if (target == at.device) return source;
  }
  return -1;
}

bool IsPermute(Opcode opcode) {
  return opcode == Opcode::kCollectivePermute || opcode == Opcode::kCollectivePermuteStart;
}

// Whether which elements go where is told by numbers in operands.
bool IsByNumbers(const OpCall& call) {
  if (call.opcode() == Opcode::kRaggedAllToAll) return true;
  return IsPermute(call.opcode()) && !call.IntLists("slice_sizes").empty();
}

// All elements of all operands of all members.
std::vector<GivenElements> AllGiven(const MeetingOf& at) {
  std::vector<GivenElements> found;
  for (const int64_t member : at.members) {
    std::vector<Elements> all;
    for (int i = 0; i < at.call.operand_count(); ++i) {
      AddAll(at.call, i, i > 1 ? SourceRole::kPlace : SourceRole::kValue, &all);
    }
    for (Elements& each : all) found.push_back({member, std::move(each)});
  }
  return found;
}

bool HasDynamicRoot(const OpCall& call) { return call.attrs().Bool("has_dynamic_root"); }

// Whether this device gets zeros, which come from nobody: the root alone gets the result.
bool GetsZeros(const MeetingOf& at) {
  return at.call.opcode() == Opcode::kCollectiveReduce && !HasDynamicRoot(at.call) &&
         at.device != at.members[0];
}

// Whether elements of all members at one place are combined.
bool CombinesInPlace(Opcode opcode) {
  return opcode == Opcode::kAllReduce || opcode == Opcode::kAllReduceStart ||
         opcode == Opcode::kCollectiveReduce;
}

}  // namespace

bool MeetsOthers(const Instruction& instruction) {
  const Opcode opcode = instruction.opcode();
  return instruction.def().is_collective || opcode == Opcode::kAllReduceStart ||
         opcode == Opcode::kAllGatherStart || opcode == Opcode::kCollectivePermuteStart;
}

namespace {

// May throw AbsentDevice.
std::vector<int64_t> MembersOf(const OpCall& call, DeviceGrid grid, int64_t device) {
  if (!IsPermute(call.opcode())) {
    const auto& rows = call.def().attrs;
    const bool partition_wide = std::none_of(rows.begin(), rows.end(), [](const AttrDef& row) {
      return row.name == "use_global_device_ids";
    });
    const auto group = GroupOf(call, GroupModeOf(call, partition_wide), grid, device);
    return group.value_or(std::vector<int64_t>{device});
  }
  std::vector<int64_t> members;
  for (const auto& [source, target] :
       DevicePairs(call.IntLists("source_target_pairs"), GroupModeOf(call, true), grid, device)) {
    members.push_back(source);
    members.push_back(target);
  }
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  if (!std::binary_search(members.begin(), members.end(), device)) return {device};
  return members;
}

}  // namespace

MeetingOf MeetingAt(const OpCall& call, DeviceGrid grid, int64_t device) {
  MeetingOf at{call, grid, device};
  try {
    at.members = MembersOf(call, grid, device);
  } catch (const AbsentDevice&) {
    at.members.clear();
  }
  return at;
}

std::vector<GivenElements> ExchangedSources(const MeetingOf& at, const Dims& path,
                                            const Dims& index) {
  const OpCall& call = at.call;
  std::vector<GivenElements> found;
  if (at.members.empty()) return found;
  Dims inner = path;
  if (StartsWithState(call.opcode())) {
    if (path.empty() || path[0] > 1) return found;
    inner = Rest(path, 1);
    if (path[0] == 0) {  // its own operands
      const bool is_tuple = call.operand_count() > 1 && !IsByNumbers(call);
      const int own = is_tuple && !inner.empty() ? static_cast<int>(inner[0]) : 0;
      found.push_back({at.device, {own, is_tuple ? Rest(inner, 1) : inner, BoxOf(index)}});
      return found;
    }
  }
  if (IsByNumbers(call)) return AllGiven(at);
  const int operand = inner.empty() ? 0 : static_cast<int>(inner[0]);
  const auto add = [&](int64_t member, int from, const Dims& place) {
    found.push_back({member, {from, {}, BoxOf(place)}});
  };
  if (IsOneDevicesPart(call)) {
    const int64_t rank = RankIn(at, at.device);
    if (static_cast<size_t>(operand) < at.members.size()) {
      add(at.members[static_cast<size_t>(operand)], static_cast<int>(rank), index);
    }
    return found;
  }
  if (IsPermute(call.opcode())) {
    const int64_t sender = SenderTo(at);
    if (sender >= 0) add(sender, operand, index);
    return found;
  }
  if (call.opcode() == Opcode::kCollectiveBroadcast && !HasDynamicRoot(call)) {
    add(at.members[0], operand, index);
    return found;
  }
  if (GetsZeros(at)) return found;
  if (CombinesInPlace(call.opcode()) || HasDynamicRoot(call)) {
    for (const int64_t member : at.members) add(member, operand, index);
    if (!HasDynamicRoot(call)) return found;
    std::vector<Elements> root;
    AddAll(call, call.operand_count() - 1, SourceRole::kPlace, &root);
    for (Elements& each : root) found.push_back({at.device, std::move(each)});
    return found;
  }
  const auto blocks = BlocksOf(at, operand);
  if (!blocks) return AllGiven(at);
  const size_t d = blocks->dim;
  Dims place = index;
  if (call.opcode() == Opcode::kReduceScatter) {
    place[d] += RankIn(at, at.device) * blocks->size;
    for (const int64_t member : at.members) add(member, operand, place);
    return found;
  }
  // Blocks of all members, one after another.
  const auto from = static_cast<size_t>(index[d] / blocks->size);
  if (from >= at.members.size()) return found;
  place[d] %= blocks->size;
  if (call.opcode() == Opcode::kAllToAll) place[d] += RankIn(at, at.device) * blocks->size;
  add(at.members[from], operand, place);
  return found;
}

std::vector<Elements> ExchangedReach(const MeetingOf& at, int64_t member, int operand,
                                     const Dims& path, const Dims& index) {
  const OpCall& call = at.call;
  std::vector<Elements> found;
  if (at.members.empty()) return found;
  const bool has_state = StartsWithState(call.opcode());
  if (IsByNumbers(call)) {
    AddAll(call, -1, operand > 1 ? SourceRole::kPlace : SourceRole::kValue, &found);
    return found;
  }
  if (HasDynamicRoot(call) && operand == call.operand_count() - 1) {
    if (member == at.device) AddAll(call, -1, SourceRole::kPlace, &found);
    return found;
  }
  const auto add = [&](int part, const Dims& place) {
    const Shape& result = has_state ? call.shape().elements()[1] : call.shape();
    Dims to;
    if (has_state) to.push_back(1);
    if (result.IsTuple()) to.push_back(part);
    found.push_back({-1, to, BoxOf(place), SourceRole::kValue});
  };
  if (has_state && member == at.device) {
    Dims own{0};
    if (call.operand_count() > 1) own.push_back(operand);
    found.push_back({-1, Joined(own, path), BoxOf(index), SourceRole::kValue});
  }
  const int64_t rank = RankIn(at, at.device), from = RankIn(at, member);
  if (IsOneDevicesPart(call)) {
    if (operand == rank) add(static_cast<int>(from), index);
    return found;
  }
  if (IsPermute(call.opcode())) {
    if (SenderTo(at) == member) add(operand, index);
    return found;
  }
  if (call.opcode() == Opcode::kCollectiveBroadcast) {
    if (HasDynamicRoot(call) || member == at.members[0]) add(operand, index);
    return found;
  }
  if (CombinesInPlace(call.opcode())) {
    if (!GetsZeros(at)) add(operand, index);
    return found;
  }
  const auto blocks = BlocksOf(at, operand);
  if (!blocks) {
    AddAll(call, -1, SourceRole::kValue, &found);
    return found;
  }
  Dims place = index;
  const size_t d = blocks->dim;
  if (call.opcode() != Opcode::kAllGather && call.opcode() != Opcode::kAllGatherStart) {
    // It is cut: this device gets one of the blocks.
    if (index[d] / blocks->size != rank) return found;
    place[d] %= blocks->size;
  }
  if (call.opcode() != Opcode::kReduceScatter) place[d] += from * blocks->size;
  add(operand, place);
  return found;
}

}  // namespace hlo
