// The canonical form of tile assignments with groups. Source: XLA, hlo/ir/hlo_sharding.cc
// (PartialTile, Subgroup), hlo/ir/tile_assignment.cc (IotaTileAssignment::Transpose).
#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/base/indices.h"
#include "engine/hlo/sharding.h"

namespace hlo {
namespace {

Sharding OfKind(Sharding::Kind kind) {
  Sharding sharding;
  sharding.kind = kind;
  return sharding;
}

Sharding Tiled(Dims tile, DeviceList devices) {
  Sharding sharding = OfKind(Sharding::Kind::kTiled);
  sharding.tile = std::move(tile);
  sharding.devices = std::move(devices);
  return sharding;
}

// Sorts each group of `size` devices that follow one another, keeping an iota where that is one of
// whole dimensions, or of a part of one. False when it is not.
bool SortGroups(DeviceList* devices, int64_t size) {
  const Dims& reshape = devices->reshape;
  const Dims& permutation = devices->permutation;
  if (reshape[static_cast<size_t>(permutation.back())] == size) return true;
  size_t first = permutation.size();  // where the dimensions of a group begin in the permutation
  int64_t split = -1;                 // the one that is only partly in a group
  while (size > 1 && first > 0) {
    const int64_t dim = permutation[--first];
    const int64_t extent = reshape[static_cast<size_t>(dim)];
    if (extent > size) {
      if (extent % size != 0) return false;
      split = dim;
      break;
    }
    if (size % extent != 0) return false;
    size /= extent;
  }
  if (split >= 0) {
    Dims sizes, order;
    for (size_t i = 0; i < reshape.size(); ++i) {
      const bool here = static_cast<int64_t>(i) == split;
      sizes.push_back(here ? reshape[i] / size : reshape[i]);
      if (here) sizes.push_back(size);
    }
    for (int64_t dim : permutation) {
      order.push_back(dim > split ? dim + 1 : dim);
      if (dim == split) order.push_back(dim + 1);
    }
    *devices = {std::move(sizes), std::move(order), {}};
    ++first;
  }
  std::sort(devices->permutation.begin() + static_cast<ptrdiff_t>(first),
            devices->permutation.end());
  devices->Canonicalize();
  return true;
}

enum class Move : uint8_t { kNone, kOnesOnly, kReal };

// What a permutation does to an array of these sizes.
Move MoveOf(const Dims& sizes, const Dims& permutation) {
  Move move = Move::kNone;
  int64_t before = -1;
  for (size_t i = 0; i < permutation.size(); ++i) {
    const int64_t dim = permutation[i];
    if (sizes[static_cast<size_t>(dim)] == 1) {
      if (dim != static_cast<int64_t>(i) && sizes[i] != 1) move = Move::kOnesOnly;
      continue;
    }
    if (dim <= before) return Move::kReal;
    before = dim;
  }
  return move;
}

// An iota of the sizes `tile`, its dimensions permuted, as an iota; nothing where XLA has none.
std::optional<DeviceList> TransposedIota(const Dims& tile, const DeviceList& devices,
                                         const Dims& permutation) {
  if (MoveOf(tile, permutation) != Move::kReal) return devices;
  DeviceList moved;
  if (devices.reshape.size() == 1) {
    moved = {tile, permutation, {}};
    moved.Canonicalize();
    return moved;
  }
  Dims place(tile.size(), -1);
  size_t kept = 0;
  for (size_t i = 0; i < tile.size(); ++i) {
    if (tile[i] == 1) continue;
    const bool same = kept < devices.reshape.size() &&
                      devices.reshape[static_cast<size_t>(devices.permutation[kept])] == tile[i];
    if (!same) return std::nullopt;
    place[i] = static_cast<int64_t>(kept++);
  }
  if (kept != devices.reshape.size()) return std::nullopt;
  moved.reshape = devices.reshape;
  for (int64_t dim : permutation) {
    const int64_t at = place[static_cast<size_t>(dim)];
    if (at >= 0) moved.permutation.push_back(devices.permutation[static_cast<size_t>(at)]);
  }
  moved.Canonicalize();
  return moved;
}

// A list of the sizes `tile`, its dimensions permuted.
DeviceList TransposedList(const Dims& tile, const DeviceList& devices, const Dims& permutation) {
  const std::vector<int64_t> ids = devices.Expand();
  const Dims sizes = SizesOf(tile, permutation);
  const Dims strides = SizesOf(DenseStrides(tile), permutation);
  DeviceList moved;
  moved.ids.resize(ids.size());
  Dims index(tile.size(), 0);
  for (int64_t& id : moved.ids) {
    id = ids[static_cast<size_t>(StridedOffset(index, strides))];
    NextIndex(index, sizes);
  }
  return moved;
}

Sharding WithSubgroups(Dims tile, DeviceList devices, std::vector<Sharding::Subgroup> subgroups) {
  using Subgroup = Sharding::Subgroup;
  if (subgroups.size() == 1 && subgroups[0] == Subgroup::kReplicated) {
    return PartialTile(std::move(tile), std::move(devices));
  }
  if (subgroups.size() == 1 && subgroups[0] == Subgroup::kManual &&
      ElementCount(tile) == tile.back()) {
    return OfKind(Sharding::Kind::kManual);
  }
  Sharding sharding = !subgroups.empty() && subgroups.back() == Subgroup::kReplicated
                          ? PartialTile(std::move(tile), std::move(devices))
                          : Tiled(std::move(tile), std::move(devices));
  sharding.replicate_last = false;
  sharding.subgroups = std::move(subgroups);
  return sharding;
}

}  // namespace

Sharding PartialTile(Dims tile, DeviceList devices) {
  const int64_t group = tile.back();
  if (tile.size() == 1 || group == ElementCount(tile)) {
    return OfKind(Sharding::Kind::kReplicated);
  }
  if (group == 1) {
    tile.pop_back();
    return Tiled(std::move(tile), std::move(devices));
  }
  if (!devices.is_iota() || !SortGroups(&devices, group)) {
    devices = {{}, {}, devices.Expand()};
    for (auto at = devices.ids.begin(); at != devices.ids.end(); at += group) {
      std::sort(at, at + group);
    }
  }
  Sharding sharding = Tiled(std::move(tile), std::move(devices));
  sharding.replicate_last = true;
  return sharding;
}

Sharding SubgroupTile(Dims tile, DeviceList devices,
                      const std::vector<Sharding::Subgroup>& subgroups) {
  using Subgroup = Sharding::Subgroup;
  const size_t data = tile.size() - subgroups.size();
  const bool one_kind = std::all_of(subgroups.begin(), subgroups.end(),
                                    [&](Subgroup s) { return s == subgroups[0]; });
  if (one_kind && ElementCount({tile.data(), data}) == 1) {
    if (subgroups[0] == Subgroup::kManual) return OfKind(Sharding::Kind::kManual);
    if (subgroups[0] == Subgroup::kReplicated) return OfKind(Sharding::Kind::kReplicated);
    if (subgroups[0] == Subgroup::kUnreduced) return OfKind(Sharding::Kind::kUnreduced);
  }
  // Groups of one device are redundant; those of one kind become one dimension, in the kinds'
  // order.
  Dims permutation(data), merged(tile.begin(), tile.begin() + static_cast<ptrdiff_t>(data));
  std::iota(permutation.begin(), permutation.end(), 0);
  std::vector<Subgroup> kinds;
  Dims ones;
  for (Subgroup kind :
       {Subgroup::kMaximal, Subgroup::kManual, Subgroup::kUnreduced, Subgroup::kReplicated}) {
    int64_t size = 1;
    for (size_t i = 0; i < subgroups.size(); ++i) {
      const auto dim = static_cast<int64_t>(data + i);
      if (subgroups[i] != kind || tile[data + i] == 1) continue;
      permutation.push_back(dim);
      size *= tile[data + i];
    }
    if (size == 1) continue;
    merged.push_back(size);
    kinds.push_back(kind);
  }
  for (size_t i = data; i < tile.size(); ++i) {
    if (tile[i] == 1) ones.push_back(static_cast<int64_t>(i));
  }
  for (int64_t dim : ones) permutation.push_back(dim);
  if (devices.is_iota()) {
    if (auto moved = TransposedIota(tile, devices, permutation)) {
      return WithSubgroups(std::move(merged), std::move(*moved), std::move(kinds));
    }
  }
  devices = TransposedList(tile, devices, permutation);
  return WithSubgroups(std::move(merged), std::move(devices), std::move(kinds));
}

}  // namespace hlo
