#include "engine/hlo/sharding_pieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/base/indices.h"
#include "engine/base/work_limit.h"

namespace hlo {
namespace {

using Kind = Sharding::Kind;

// What there is to say of the devices that have the same piece.
std::string HoldersText(const Sharding& sharding, int64_t holders) {
  if (holders == 1) return "each device has a piece of its own";
  std::string text = fmt::format("{} devices have each piece", holders);
  using Subgroup = Sharding::Subgroup;
  const auto has = [&](Subgroup kind) {
    return std::find(sharding.subgroups.begin(), sharding.subgroups.end(), kind) !=
           sharding.subgroups.end();
  };
  if (has(Subgroup::kUnreduced) || !sharding.unreduced.empty()) {
    text += ", unreduced: the array is the sum (or other reduction) of theirs";
  }
  if (has(Subgroup::kManual) || !sharding.manual.empty()) {
    text += ", in part manual: their values may differ";
  }
  return text;
}

// The piece at a position among the tiles.
ShardPiece PieceAt(const ShardedLeaf& leaf, int64_t device, Dims tile) {
  ShardPiece piece{device, std::move(tile), {}, {}, {}};
  for (int d = 0; d < static_cast<int>(piece.tile.size()); ++d) {
    const auto at = static_cast<size_t>(d);
    const int64_t size = leaf.dims[at];
    const int64_t tile_size = leaf.tile_sizes[at];
    // Products do not overflow: an index times its size is at most the array's size plus a tile.
    const int64_t start = piece.tile[at] == 0 ? 0
                          : tile_size == 0 || piece.tile[at] > size / tile_size
                              ? size
                              : std::min(piece.tile[at] * tile_size, size);
    const int64_t limit = start + std::min(tile_size, size - start);
    piece.start.push_back(start);
    piece.limit.push_back(limit);
    piece.padding.push_back(tile_size - (limit - start));
  }
  return piece;
}

void SetTiles(ShardedLeaf* leaf, Dims tiles) {
  leaf->tiles = std::move(tiles);
  leaf->tile_sizes.clear();
  for (size_t d = 0; d < leaf->tiles.size(); ++d) {
    int64_t& size = leaf->dims[d];
    if (leaf->is_piece && __builtin_mul_overflow(size, leaf->tiles[d], &size)) {
      size = std::numeric_limits<int64_t>::max();
    }
    leaf->tile_sizes.push_back(size / leaf->tiles[d] + (size % leaf->tiles[d] != 0 ? 1 : 0));
  }
}

void CountPieces(size_t count, size_t rank) {
  CountWork(count * (rank + 1));
  CountBytes(count * (sizeof(ShardPiece) + 4 * rank * sizeof(int64_t)));
}

// The same piece, all of the array, on each of these devices.
void AddWhole(ShardedLeaf* leaf, const std::vector<int64_t>& devices) {
  const auto rank = leaf->shape->IsArray() ? static_cast<size_t>(leaf->shape->rank()) : 0;
  CountPieces(devices.size(), rank);
  SetTiles(leaf, Dims(rank, 1));
  for (int64_t device : devices) leaf->pieces.push_back(PieceAt(*leaf, device, Dims(rank, 0)));
  leaf->holders = std::max<int64_t>(1, static_cast<int64_t>(devices.size()));
}

void AddTiled(ShardedLeaf* leaf, const Sharding& sharding, size_t rank) {
  const std::vector<int64_t> ids = sharding.devices.Expand();
  CountPieces(ids.size(), rank);
  SetTiles(leaf, Dims(sharding.tile.begin(), sharding.tile.begin() + static_cast<ptrdiff_t>(rank)));
  leaf->holders =
      static_cast<int64_t>(ids.size()) / std::max<int64_t>(1, ElementCount(leaf->tiles));
  Dims index(sharding.tile.size(), 0);
  for (int64_t id : ids) {
    Dims tile(index.begin(), index.begin() + static_cast<ptrdiff_t>(rank));
    leaf->pieces.push_back(PieceAt(*leaf, id, std::move(tile)));
    NextIndex(index, sharding.tile);
  }
}

// Along the axes of a mesh: of an axis in parts the first one is the most significant.
void AddNamed(ShardedLeaf* leaf, const Sharding& sharding, size_t rank) {
  const DeviceMesh& mesh = sharding.mesh;
  const std::vector<int64_t> ids = mesh.devices.Expand();
  CountPieces(ids.size(), rank + mesh.sizes.size());
  Dims tiles;
  for (const DimSharding& dim : sharding.dims) {
    int64_t count = 1;
    for (const MeshAxis& axis : dim.axes) count *= axis.size;
    tiles.push_back(count);
  }
  SetTiles(leaf, std::move(tiles));
  leaf->holders =
      static_cast<int64_t>(ids.size()) / std::max<int64_t>(1, ElementCount(leaf->tiles));
  Dims place(mesh.sizes.size(), 0);
  for (int64_t id : ids) {
    Dims tile;
    for (const DimSharding& dim : sharding.dims) {
      int64_t at = 0;
      for (const MeshAxis& axis : dim.axes) {
        const int64_t behind = mesh.sizes[axis.axis] / (axis.before * axis.size);
        at = at * axis.size + place[axis.axis] / behind % axis.size;
      }
      tile.push_back(at);
    }
    leaf->pieces.push_back(PieceAt(*leaf, id, std::move(tile)));
    NextIndex(place, mesh.sizes);
  }
}

std::vector<int64_t> FirstDevices(int64_t count) {
  CountBytes(static_cast<size_t>(count) * sizeof(int64_t));
  std::vector<int64_t> devices;
  for (int64_t i = 0; i < count; ++i) devices.push_back(i);
  return devices;
}

// Sharding kinds under which no array is divided.
bool AddUndivided(ShardedLeaf* leaf, const Sharding& sharding, int64_t partitions) {
  switch (sharding.kind) {
    case Kind::kMaximal:
      AddWhole(leaf, {sharding.device});
      leaf->words = fmt::format("device {} alone has the whole array", sharding.device);
      return true;
    case Kind::kReplicated:
      AddWhole(leaf, FirstDevices(partitions));
      leaf->words = "replicated: every device has the whole array";
      return true;
    case Kind::kManual:
      AddWhole(leaf, FirstDevices(partitions));
      leaf->words = "manual: every device has an array of this shape, whose values may differ";
      return true;
    case Kind::kUnreduced:
      AddWhole(leaf, FirstDevices(partitions));
      leaf->words = "unreduced: every device has a summand of the whole array";
      return true;
    case Kind::kUnknown:
      leaf->words = "unknown: the compiler chooses";
      return true;
    default:
      return false;
  }
}

void AddPieces(ShardedLeaf* leaf, const Sharding& sharding, int64_t partitions) {
  leaf->sharding = &sharding;
  if (AddUndivided(leaf, sharding, partitions)) return;
  const size_t rank = leaf->shape->IsArray() ? static_cast<size_t>(leaf->shape->rank()) : 0;
  if (sharding.kind == Kind::kNamed && sharding.dims.empty()) {
    const std::vector<int64_t> ids = sharding.mesh.devices.Expand();
    AddWhole(leaf, ids);
    leaf->words = sharding.mesh.is_maximal()
                      ? fmt::format("device {} alone has the whole array", ids[0])
                      : HoldersText(sharding, leaf->holders);
  } else if (static_cast<int64_t>(rank) != sharding.rank()) {
    leaf->words = "the sharding does not fit the array";
    return;
  } else {
    sharding.kind == Kind::kNamed ? AddNamed(leaf, sharding, rank) : AddTiled(leaf, sharding, rank);
    leaf->words = HoldersText(sharding, leaf->holders);
    if (leaf->is_piece) leaf->words += "; the program is partitioned, so this is a piece's shape";
  }
  std::sort(leaf->pieces.begin(), leaf->pieces.end(),
            [](const ShardPiece& a, const ShardPiece& b) { return a.device < b.device; });
}

void CollectShardLeaves(const Shape& shape, bool are_pieces, Dims& index,
                        std::vector<ShardedLeaf>* leaves) {
  if (!shape.IsTuple()) {
    ShardedLeaf& leaf = leaves->emplace_back();
    leaf.index = index;
    leaf.shape = &shape;
    leaf.is_piece = are_pieces;
    if (shape.IsArray()) leaf.dims.assign(shape.dims().begin(), shape.dims().end());
    return;
  }
  for (size_t i = 0; i < shape.elements().size(); ++i) {
    index.push_back(static_cast<int64_t>(i));
    CollectShardLeaves(shape.elements()[i], are_pieces, index, leaves);
    index.pop_back();
  }
}

}  // namespace

std::vector<ShardedLeaf> ShardPieces(const Sharding& sharding, const Shape& shape,
                                     int64_t partitions, bool are_pieces) {
  std::vector<ShardedLeaf> leaves;
  Dims index;
  CollectShardLeaves(shape, are_pieces, index, &leaves);
  const bool is_tuple = sharding.kind == Kind::kTuple;
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (is_tuple && i >= sharding.elements.size()) break;
    AddPieces(&leaves[i], is_tuple ? sharding.elements[i] : sharding,
              std::clamp<int64_t>(partitions, 1, kMostDevices));
  }
  return leaves;
}

}  // namespace hlo
