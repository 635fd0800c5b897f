// XLA's layout for any nesting of strides: which tiles lead from whole dimensions to the order that
// the parts of the dimensions have in memory.
//
// The list of sizes that tiles work on is followed backwards. A tile (t1, ..., tk) makes of the
// last k entries their quotients, then their remainders, so undoing one means: take the last parts
// S of the list and those in front of them Q, shuffle them into one list in which each keeps its
// order, and where a part of S is the lower neighbour of a part of Q merge the two. When all
// dimensions are whole, what is left is their order.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/base/stable_sort.h"
#include "engine/layout/layout_text.h"
#include "engine/layout/notation_writers.h"
#include "engine/layout/tiled_map.h"

namespace hlo {
namespace {

using Parts = std::vector<LayoutDigit>;  // strides are not looked at

// One tile, undone.
struct Undone {
  Parts list;                 // before the tile
  size_t first = 0;           // the first entry it takes
  std::vector<int64_t> tile;  // its sizes for the entries from there on
  size_t merged = 0;          // how many parts became one with their neighbour
};

bool IsLowerNeighbour(const LayoutDigit& low, const LayoutDigit& high) {
  return low.dim == high.dim && high.below == low.below * low.size;
}

// The list before the tile that left [.., Q, S] with S from `split` and Q from `first` on.
Undone Undo(const Parts& list, size_t first, size_t split) {
  Undone undone;
  undone.first = first;
  undone.list.assign(list.begin(), list.begin() + static_cast<ptrdiff_t>(first));
  size_t q = first;
  for (size_t s = split; s < list.size(); ++s) {
    size_t partner = q;
    while (partner < split && !IsLowerNeighbour(list[s], list[partner])) ++partner;
    LayoutDigit part = list[s];
    if (partner < split) {
      for (; q < partner; ++q) {
        undone.list.push_back(list[q]);
        undone.tile.push_back(1);
      }
      part.size *= list[q++].size;
      ++undone.merged;
    }
    undone.list.push_back(part);
    undone.tile.push_back(list[s].size);
  }
  for (; q < split; ++q) {
    undone.list.push_back(list[q]);
    undone.tile.push_back(1);
  }
  return undone;
}

class TileSearch {
 public:
  // `list` has the parts from the slowest to the fastest.
  explicit TileSearch(const Parts& list) {
    for (const LayoutDigit& part : list) {
      if (sizes_.size() <= static_cast<size_t>(part.dim)) {
        sizes_.resize(static_cast<size_t>(part.dim) + 1, 1);
      }
      sizes_[static_cast<size_t>(part.dim)] *= part.size;
    }
  }

  // Finds the tiles that lead to the list; false when there would be more than kMostTiles.
  bool Solve(const Parts& list) {
    for (int tiles = 0; tiles <= kMostSearched; ++tiles) {
      if (Search(list, tiles)) {
        std::reverse(steps_.begin(), steps_.end());  // the last tile comes first
        return true;
      }
    }
    return Descend(list);
  }
  const std::vector<Undone>& steps() const { return steps_; }

 private:
  static constexpr int kMostSearched = 3;
  static constexpr int kMostLooks = 20000;

  bool IsWhole(const Parts& list) const {
    return std::all_of(list.begin(), list.end(), [&](const LayoutDigit& part) {
      return part.size == sizes_[static_cast<size_t>(part.dim)];
    });
  }

  // All tiles that may have been the last and join parts, the shortest and smallest first.
  std::vector<Undone> LastTiles(const Parts& list) {
    std::vector<Undone> tiles;
    for (size_t first = list.size(); first-- > 0;) {
      for (size_t split = first + 1; split < list.size(); ++split) {
        ++looks_;
        Undone undone = Undo(list, first, split);
        if (undone.merged > 0) tiles.push_back(std::move(undone));
      }
    }
    StableSort(tiles.begin(), tiles.end(), [](const Undone& a, const Undone& b) {
      auto sum = [](const Undone& u) {
        return std::accumulate(u.tile.begin(), u.tile.end(), int64_t{0});
      };
      return a.tile.size() != b.tile.size() ? a.tile.size() < b.tile.size() : sum(a) < sum(b);
    });
    return tiles;
  }

  // Exactly so many tiles, with the last as short as possible. The depth is `tiles`, at most 3.
  bool Search(const Parts& list, int tiles) {
    if (IsWhole(list)) return true;
    if (tiles == 0 || looks_ > kMostLooks) return false;
    for (Undone& undone : LastTiles(list)) {
      if (!Search(undone.list, tiles - 1)) continue;
      steps_.push_back(std::move(undone));
      return true;
    }
    return false;
  }

  // Some tiles: as many merges at a time as possible. Where every lower part precedes its upper
  // neighbour they are swapped first.
  bool Descend(Parts list) {
    steps_.clear();
    while (!IsWhole(list)) {
      if (steps_.size() == TiledMap::kMostTiles) return false;
      Undone best;
      for (Undone& undone : LastTiles(list)) {
        if (undone.merged > best.merged) best = std::move(undone);
      }
      if (best.merged == 0 && !ChangePlaces(list, &best)) return false;
      list = best.list;
      steps_.push_back(std::move(best));
    }
    return true;
  }

  static bool ChangePlaces(const Parts& list, Undone* step) {
    for (size_t low = 0; low < list.size(); ++low) {
      for (size_t high = low + 1; high < list.size(); ++high) {
        if (!IsLowerNeighbour(list[low], list[high])) continue;
        *step = Undo(list, low, high);
        return true;
      }
    }
    return false;
  }

  std::vector<int64_t> sizes_;  // of the dimensions, with what they are padded to
  int looks_ = 0;
  std::vector<Undone> steps_;
};

// Applies tiles to the actual list of sizes, which also has entries of one value in between.
class TileList {
 public:
  // The list starts as the dimensions, from the slowest to the fastest.
  TileList(const Dims& minor_to_major, const Dims& dims) {
    for (size_t i = minor_to_major.size(); i-- > 0;) {
      has_values_.push_back(dims[static_cast<size_t>(minor_to_major[i])] > 1);
    }
  }

  // A tile with these sizes for the last entries that have several values.
  void Apply(const std::vector<int64_t>& sizes, const Parts& list, size_t first) {
    size_t begin = has_values_.size();
    for (size_t left = sizes.size(); left > 0;) left -= has_values_[--begin] ? 1 : 0;
    // To keep the list short, entries of one value are combined with the next.
    const bool combine = has_values_.size() > kLongList;
    Tile tile;
    std::vector<bool> outer, within;
    size_t next = 0;
    for (size_t i = begin; i < has_values_.size(); ++i) {
      const bool is_part = has_values_[i];
      if (!is_part && combine && i + 1 < has_values_.size()) {
        tile.dims.push_back(Tile::kCombine);
        continue;
      }
      tile.dims.push_back(is_part ? sizes[next] : 1);
      outer.push_back(is_part && sizes[next] < list[first + next].size);
      within.push_back(is_part && sizes[next] > 1);
      if (is_part) ++next;
    }
    has_values_.resize(begin);
    has_values_.insert(has_values_.end(), outer.begin(), outer.end());
    has_values_.insert(has_values_.end(), within.begin(), within.end());
    tiles_.push_back(std::move(tile));
  }

  // Pads the parts to sizes that may be larger than they are.
  void Pad(const Parts& list, const std::vector<int64_t>& radices) {
    size_t first = 0;
    while (first < list.size() && radices[first] == list[first].size) ++first;
    if (first == list.size()) return;
    Apply({radices.begin() + static_cast<ptrdiff_t>(first), radices.end()}, list, first);
  }

  // Leaves holes of `size` - 1 slots between neighbours.
  void Spread(int64_t size) {
    Tile tile;
    tile.dims = Dims(has_values_.size() + 1, 1);
    tile.dims[0] = size;
    tiles_.push_back(std::move(tile));
  }

  std::vector<Tile> Take() { return std::move(tiles_); }

 private:
  static constexpr size_t kLongList = 40;
  std::vector<bool> has_values_;
  std::vector<Tile> tiles_;
};

}  // namespace

Written WriteXla(const WriteRequest& request) {
  Written none;
  none.reason = NoSum(request, "XLA");
  if (!none.reason.empty()) return none;
  const Dims& dims = request.canonical.dims;
  const Parts parts = BySpeed(*request.canonical.form);
  int64_t innermost = 1;
  const auto radices = Radices(request, parts, "XLA", &innermost, &none.reason);
  if (!none.reason.empty()) return none;
  TileSearch search(parts);
  if (!search.Solve(parts)) {
    none.reason = fmt::format("It takes more than {} tiles.", TiledMap::kMostTiles);
    return none;
  }
  const auto& steps = search.steps();
  const Parts& whole = steps.empty() ? parts : steps.back().list;
  Dims slowest_first;
  for (const LayoutDigit& part : whole) slowest_first.push_back(part.dim);
  Dims minor_to_major = MinorToMajor(slowest_first, dims);
  TileList tiles(minor_to_major, dims);
  for (size_t i = steps.size(); i-- > 0;) tiles.Apply(steps[i].tile, steps[i].list, steps[i].first);
  tiles.Pad(parts, radices);
  if (innermost > 1) tiles.Spread(innermost);
  LayoutExtras extras;
  extras.tiles = tiles.Take();
  if (request.map.element_bits() != request.element_bits) {
    extras.element_bits = request.map.element_bits();
  }
  const Layout layout(std::move(minor_to_major), std::move(extras));
  Diagnostics faults;
  const auto map = MakeLayoutMap(dims, static_cast<int>(request.element_bits), layout, {}, faults);
  return Checked(request, LayoutText(layout), map.get());
}

}  // namespace hlo
