#include "engine/layout/tiled_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/bits.h"
#include "engine/base/indices.h"
#include "engine/layout/address_text.h"
#include "engine/layout/layout_text.h"

namespace hlo {
namespace {

// The exact base-2 logarithm, or -1.
int32_t ExactLog2(int64_t value) {
  if ((value & (value - 1)) != 0) return -1;
  int32_t log = 0;
  while ((int64_t{1} << log) != value) ++log;
  return log;
}

// The number of leading entries that tiles longer than the list they are applied to need; the list
// has `rank` entries and grows by each tile's entries that are not `*` (those vanish).
size_t CountLeading(size_t rank, const std::vector<Tile>& tiles) {
  size_t leading = 0;
  size_t size = rank;
  for (const Tile& tile : tiles) {
    if (tile.dims.size() > size) {
      leading += tile.dims.size() - size;
      size = tile.dims.size();
    }
    const size_t combined =
        static_cast<size_t>(std::count(tile.dims.begin(), tile.dims.end(), Tile::kCombine));
    size += tile.dims.size() - 2 * combined;
    if (size > TiledMap::kMostPhysicalDims) break;
  }
  return leading;
}

}  // namespace

std::unique_ptr<TiledMap> TiledMap::Make(std::span<const int64_t> dims, int64_t element_bits,
                                         const Layout& layout) {
  std::unique_ptr<TiledMap> map(new TiledMap);
  if (!map->Build(dims, element_bits, layout)) return nullptr;
  return map;
}

bool TiledMap::Build(std::span<const int64_t> dims, int64_t element_bits, const Layout& layout) {
  const std::vector<Tile>& tiles = layout.tiles();
  leading_ = CountLeading(dims.size(), tiles);
  if (tiles.size() > kMostTiles || leading_ + dims.size() > kMostPhysicalDims) return false;
  Dims list(leading_, 1);
  const Dims& order = layout.minor_to_major();
  for (size_t i = order.size(); i-- > 0;) {
    order_.push_back(static_cast<size_t>(order[i]));
    list.push_back(dims[order_.back()]);
  }
  longest_ = list.size();
  size_t hidden = leading_;
  for (const Tile& tile : tiles) {
    if (tile.dims.size() > list.size() - hidden) hidden = list.size() - tile.dims.size();
    if (!AddLevel(tile, &list, hidden)) return false;
  }
  Sizes sizes;
  sizes.dims = Dims(dims);
  sizes.physical_dims = list;
  sizes.element_bits = element_bits;
  if (!SetPaddedDims(&sizes)) return false;
  if (!SetSizes(std::move(sizes), layout.extras().tail_alignment)) return false;
  strides_ = DenseStrides(physical_dims());
  if (levels_.empty()) {
    logical_strides_.resize(dims.size());
    for (size_t i = 0; i < order_.size(); ++i) logical_strides_[order_[i]] = strides_[i];
  }
  return true;
}

bool TiledMap::AddLevel(const Tile& tile, Dims* list, size_t hidden) {
  Level level;
  level.tile = tile;
  level.first = list->size() - tile.dims.size();
  level.bounds = *list;
  level.hidden = hidden;
  Part part;
  part.entries = 0;
  for (size_t i = 0; i < tile.dims.size(); ++i) {
    ++part.entries;
    if (!MultiplyChecked(part.bound, (*list)[level.first + i], &part.bound)) return false;
    if (tile.dims[i] == Tile::kCombine) continue;
    part.tile = tile.dims[i];
    part.quotient = CeilDiv(part.bound, part.tile);
    part.shift = ExactLog2(part.tile);
    level.parts.push_back(part);
    part = Part{};
    part.entries = 0;
  }
  list->resize(level.first);
  for (const Part& p : level.parts) list->push_back(p.quotient);
  for (const Part& p : level.parts) list->push_back(p.tile);
  longest_ = std::max(longest_, list->size());
  levels_.push_back(std::move(level));
  return longest_ <= kMostPhysicalDims;
}

bool TiledMap::SetPaddedDims(Sizes* sizes) const {
  sizes->padded_dims = sizes->dims;
  if (levels_.empty()) return true;
  const Level& level = levels_.front();
  size_t at = level.first;
  for (const Part& part : level.parts) {
    const bool is_dimension = part.entries == 1 && at >= leading_;
    if (is_dimension &&
        !MultiplyChecked(part.quotient, part.tile, &sizes->padded_dims[order_[at - leading_]])) {
      return false;
    }
    at += static_cast<size_t>(part.entries);
  }
  return true;
}

void TiledMap::Order(std::span<const int64_t> index, int64_t* list) const {
  std::fill(list, list + leading_, 0);
  for (size_t i = 0; i < order_.size(); ++i) list[leading_ + i] = index[order_[i]];
}

void TiledMap::Combine(const Level& level, int64_t* list) {
  const int64_t* bound = level.bounds.data() + level.first;
  const int64_t* in = list + level.first;
  int64_t* out = list + level.first;
  for (const Part& part : level.parts) {
    int64_t value = *in++;
    ++bound;
    for (int32_t i = 1; i < part.entries; ++i) value = value * *bound++ + *in++;
    *out++ = value;
  }
}

void TiledMap::Split(const Level& level, int64_t* list) {
  int64_t* outer = list + level.first;
  int64_t* inner = outer + level.parts.size();
  for (const Part& part : level.parts) {
    const int64_t value = *outer;
    const int64_t quotient = part.shift >= 0 ? value >> part.shift : value / part.tile;
    *outer++ = quotient;
    *inner++ = value - quotient * part.tile;
  }
}

int64_t TiledMap::OffsetOf(std::span<const int64_t> index) const {
  if (levels_.empty()) return StridedOffset(index, logical_strides_);
  Scratch scratch(*this);
  int64_t* list = scratch.data();
  Order(index, list);
  for (const Level& level : levels_) {
    Combine(level, list);
    Split(level, list);
  }
  return StridedOffset({list, strides_.size()}, strides_);
}

bool TiledMap::Undo(int64_t offset, int64_t* values, Miss* miss) const {
  if (offset < 0 || offset >= physical_count()) return false;
  Unravel(offset, physical_dims(), values);
  for (size_t l = levels_.size(); l-- > 0;) {
    const Level& level = levels_[l];
    const size_t parts = level.parts.size();
    int64_t* outer = values + level.first;
    for (size_t p = 0; p < parts; ++p) {
      outer[p] = outer[p] * level.parts[p].tile + outer[parts + p];
      if (outer[p] >= level.parts[p].bound) {
        *miss = {static_cast<int>(l), p, outer[p]};
        return false;
      }
    }
    // Combined entries are separated from the last to the first, into the following places.
    size_t to = level.bounds.size();
    for (size_t p = parts; p-- > 0;) {
      int64_t value = outer[p];
      for (int32_t i = 1; i < level.parts[p].entries; ++i) {
        --to;
        values[to] = value % level.bounds[to];
        value /= level.bounds[to];
      }
      values[--to] = value;
    }
  }
  return true;
}

bool TiledMap::IndexAt(int64_t offset, std::span<int64_t> index) const {
  Scratch scratch(*this);
  int64_t* list = scratch.data();
  Miss miss;
  if (!Undo(offset, list, &miss)) return false;
  for (size_t i = 0; i < order_.size(); ++i) index[order_[i]] = list[leading_ + i];
  return true;
}

int64_t TiledMap::TileOf(int level, std::span<const int64_t> index) const {
  Scratch scratch(*this);
  int64_t* list = scratch.data();
  Order(index, list);
  for (int l = 0; l <= level; ++l) {
    Combine(levels_[static_cast<size_t>(l)], list);
    Split(levels_[static_cast<size_t>(l)], list);
  }
  const Level& last = levels_[static_cast<size_t>(level)];
  int64_t tile = 0;
  for (size_t i = 0; i < last.first; ++i) tile = tile * last.bounds[i] + list[i];
  for (size_t p = 0; p < last.parts.size(); ++p) {
    tile = tile * last.parts[p].quotient + list[last.first + p];
  }
  return tile;
}

AddressExplanation TiledMap::Explain(std::span<const int64_t> index) const {
  AddressExplanation explanation;
  explanation.index = Dims(index);
  for (size_t dim : order_) {
    explanation.ordered_index.push_back(index[dim]);
    explanation.ordered_dims.push_back(dims()[dim]);
  }
  Scratch scratch(*this);
  int64_t* list = scratch.data();
  Order(index, list);
  for (const Level& level : levels_) {
    AddressStep step;
    step.tile = level.tile;
    step.bounds = Dims(level.bounds.begin() + level.hidden, level.bounds.begin() + level.first);
    step.tile_bounds = step.bounds;
    for (const Part& part : level.parts) {
      step.bounds.push_back(part.bound);
      step.tile_bounds.push_back(part.quotient);
      step.within_bounds.push_back(part.tile);
    }
    Combine(level, list);
    const size_t inner = level.first + level.parts.size();
    step.index = Dims(list + level.hidden, list + inner);
    Split(level, list);
    step.tile_index = Dims(list + level.hidden, list + inner);
    step.within_index = Dims(list + inner, list + inner + level.parts.size());
    explanation.steps.push_back(std::move(step));
  }
  explanation.bounds = physical_dims();
  explanation.coordinates = Dims(list, list + physical_dims().size());
  FinishExplanation(&explanation);
  return explanation;
}

std::vector<TiledMap::Axis> TiledMap::FirstAxes() const {
  std::vector<Axis> axes(leading_, Axis{{}, DimensionsText({})});
  for (size_t dim : order_) {
    const Dims own = {static_cast<int64_t>(dim)};
    axes.push_back({own, DimensionsText(own)});
  }
  return axes;
}

std::vector<TiledMap::Axis> TiledMap::TakeAxes(const Level& level, std::vector<Axis>* axes) {
  std::vector<Axis> taken;
  size_t at = level.first;
  for (const Part& part : level.parts) {
    Axis axis = (*axes)[at++];
    for (int32_t i = 1; i < part.entries; ++i, ++at) {
      const Axis& minor = (*axes)[at];
      for (int64_t dim : minor.logical_dims) axis.logical_dims.push_back(dim);
      axis.name = axis.logical_dims.size() == static_cast<size_t>(part.entries)
                      ? DimensionsText(axis.logical_dims)
                      : fmt::format("{} combined with {}", axis.name, minor.name);
    }
    taken.push_back(std::move(axis));
  }
  axes->resize(level.first);
  return taken;
}

void TiledMap::SplitAxes(const Level& level, const std::vector<Axis>& taken,
                         std::vector<Axis>* axes) {
  const std::string tile = TileText(level.tile);
  for (const Axis& axis : taken) {
    axes->push_back({axis.logical_dims, fmt::format("tiles {} along {}", tile, axis.name)});
  }
  for (const Axis& axis : taken) {
    axes->push_back({axis.logical_dims, fmt::format("{} within tile {}", axis.name, tile)});
  }
}

std::string TiledMap::ExplainPadding(int64_t offset) const {
  Scratch scratch(*this);
  Miss miss;
  if (Undo(offset, scratch.data(), &miss)) return "";
  if (miss.level < 0) {
    return offset >= physical_count() && offset < aligned_count() ? "padding of the tail alignment"
                                                                  : "outside the buffer";
  }
  std::vector<Axis> axes = FirstAxes();
  for (size_t l = 0; true; ++l) {
    const Level& level = levels_[l];
    const std::vector<Axis> taken = TakeAxes(level, &axes);
    if (l == static_cast<size_t>(miss.level)) {
      return fmt::format("padding of tile {}: {} would be at {}, past its size {}",
                         TileText(level.tile), taken[miss.part].name, miss.value,
                         level.parts[miss.part].bound);
    }
    SplitAxes(level, taken, &axes);
  }
}

std::vector<PaddingCause> TiledMap::PaddingCauses() const {
  std::vector<PaddingCause> causes;
  std::vector<Axis> axes = FirstAxes();
  for (const Level& level : levels_) {
    const std::vector<Axis> taken = TakeAxes(level, &axes);
    for (size_t p = 0; p < level.parts.size(); ++p) {
      const Part& part = level.parts[p];
      if (part.bound % part.tile == 0) continue;
      const int64_t padded = part.quotient * part.tile;
      causes.push_back({taken[p].logical_dims, part.bound, padded,
                        fmt::format("{}: {} padded to {} by tile {}", taken[p].name, part.bound,
                                    padded, TileText(level.tile))});
    }
    SplitAxes(level, taken, &axes);
  }
  AppendTailCause(&causes);
  return causes;
}

}  // namespace hlo
