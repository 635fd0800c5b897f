// Which part of an array each device has under a sharding.
#ifndef HLO_ENGINE_HLO_SHARDING_PIECES_H_
#define HLO_ENGINE_HLO_SHARDING_PIECES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "engine/hlo/sharding.h"
#include "engine/types/shape.h"

namespace hlo {

/// What one device has: elements from `start` up to `limit` in every dimension. Where a tile goes
/// beyond the array, the device's part is filled up with `padding` elements at the high end.
struct ShardPiece {
  int64_t device = 0;
  Dims tile;  ///< the position of the tile among the tiles, by dimension
  Dims start, limit, padding;
};

/// An array (or another leaf of a shape) and its pieces.
struct ShardedLeaf {
  Dims index;                    ///< in tuples
  const Shape* shape = nullptr;  ///< belongs to the program
  Dims dims;                     ///< of the whole array; empty for other leaves
  bool is_piece = false;         ///< `shape` is that of a piece
  const Sharding* sharding = nullptr;
  Dims tiles;                      ///< how many tiles there are along each dimension
  Dims tile_sizes;                 ///< elements of a tile, ceil(size / tiles)
  int64_t holders = 1;             ///< how many devices have the same piece
  std::string words;               ///< who has what, in a sentence
  std::vector<ShardPiece> pieces;  ///< in the order of the devices' numbers
};

/// The leaves of a value of `shape` and their pieces. `partitions`: how many devices there are
/// where a sharding lists none. `are_pieces`: the program is partitioned, its shapes are those of
/// pieces, which are all full: XLA does not say how much of the last one is padding. Counts its
/// work (CountWork, CountBytes). The sharding has been verified to fit the shape; of one that does
/// not, the leaves it does not fit have no pieces. Source: XLA, hlo_sharding.cc
/// (TileOffsetForDevice, TileLimitForDevice); hlo_sharding_util.cc (UntileShape).
std::vector<ShardedLeaf> ShardPieces(const Sharding& sharding, const Shape& shape,
                                     int64_t partitions, bool are_pieces = false);

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_SHARDING_PIECES_H_
