#include "engine/layout/layout_validity.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlo {
namespace {

class LayoutChecker {
 public:
  LayoutChecker(const Layout& layout, std::span<const int64_t> dims, Range range,
                Diagnostics& diagnostics, const LayoutPlaces* places)
      : layout_(layout),
        extras_(layout.extras()),
        dims_(dims),
        range_(range),
        diagnostics_(diagnostics),
        places_(places) {}

  bool Check() {
    CheckOrder();
    if (layout_.has_extras()) {
      CheckNumbers();
      CheckSparseParts();
      for (const Tile& tile : extras_.tiles) CheckTile(tile);
      CheckSplits();
      CheckPadding();
    }
    return valid_;
  }

 private:
  void Fault(std::string message) { FaultAt(range_, std::move(message)); }

  void FaultAt(Range range, std::string message) {
    valid_ = false;
    diagnostics_.Report(DiagCode::kLayoutInvalid, range.begin < range.end ? range : range_,
                        std::move(message));
  }

  // The place of the i-th number of a list; none when places are not known.
  Range PlaceIn(const std::vector<Range> LayoutPlaces::*list, size_t i) const {
    return places_ != nullptr && i < (places_->*list).size() ? (places_->*list)[i] : Range{};
  }

  void CheckOrder() {
    const Dims& order = layout_.minor_to_major();
    const int64_t rank = static_cast<int64_t>(dims_.size());
    if (order.size() != dims_.size()) {
      Fault(
          fmt::format("Dimensions size is {}, but minor to major size is {}.", rank, order.size()));
      return;
    }
    std::vector<bool> seen(dims_.size());
    for (size_t i = 0; i < order.size(); ++i) {
      const int64_t dim = order[i];
      if (dim < 0 || dim >= rank) {
        FaultAt(PlaceIn(&LayoutPlaces::dims, i),
                fmt::format("layout minor_to_major field has out-of-bounds value: {} is no "
                            "dimension of an array of rank {}",
                            dim, rank));
      } else if (seen[static_cast<size_t>(dim)]) {
        FaultAt(PlaceIn(&LayoutPlaces::dims, i),
                fmt::format(
                    "layout minor_to_major field has duplicate values: dimension {} is named twice",
                    dim));
      } else {
        seen[static_cast<size_t>(dim)] = true;
      }
    }
  }

  void CheckNumbers() {
    if (extras_.tail_alignment < 1) {
      Fault(fmt::format("layout tail_padding_alignment_in_elements field is <= 0: {{{}}}",
                        extras_.tail_alignment));
    }
    if (extras_.element_bits < 0) {
      Fault(fmt::format("layout element_size_in_bits field is negative: {{{}}}",
                        extras_.element_bits));
    }
    if (extras_.metadata_prefix < 0) {
      Fault(fmt::format("layout dynamic_shape_metadata_prefix_bytes field is negative: {{{}}}",
                        extras_.metadata_prefix));
    }
  }

  void CheckSparseParts() {
    const std::pair<std::string_view, const std::string*> parts[] = {
        {"index_primitive_type", &extras_.index_type},
        {"pointer_primitive_type", &extras_.pointer_type},
        {"physical_shape", &extras_.physical_shape}};
    for (const auto& [name, text] : parts) {
      if (text->empty()) continue;
      if (text == &extras_.physical_shape) {
        Fault("Layout has physical shape, but is not for a sparse array");
        continue;
      }
      Fault(fmt::format("layout has a {} ({}), but is not a sparse array", name,
                        std::string_view(*text).substr(0, 100)));
    }
  }

  void CheckTile(const Tile& tile) {
    if (tile.dims.empty()) {
      Fault("layout has invalid tiles: a tile has no sizes");
      return;
    }
    for (int64_t size : tile.dims) {
      if (size > 0 || size == Tile::kCombine) continue;
      Fault(fmt::format("layout has invalid tiles: {} is no tile size (1 or more, or '*')", size));
    }
    if (tile.dims.back() == Tile::kCombine) {
      Fault(
          "layout has invalid tiles: '*' as the last entry has no more minor dimension to combine "
          "with");
    }
  }

  void CheckSplits() {
    const int64_t rank = static_cast<int64_t>(dims_.size());
    // Split dimensions are physical: looking them up needs a valid order.
    if (!valid_ && !extras_.splits.empty()) return;
    std::vector<bool> seen(dims_.size());
    size_t place = 0;  // of the split's dimension
    for (const SplitConfig& split : extras_.splits) {
      const Range where = PlaceIn(&LayoutPlaces::splits, place);
      const size_t first_index = place + 1;
      place += 1 + split.indices.size();
      if (split.dim < 0 || split.dim >= rank) {
        FaultAt(where,
                fmt::format("layout split_configs: physical dimension {} is out of range for an "
                            "array of rank {}",
                            split.dim, rank));
        continue;
      }
      if (seen[static_cast<size_t>(split.dim)]) {
        FaultAt(where, fmt::format("layout split_configs: physical dimension {} is split twice",
                                   split.dim));
      }
      seen[static_cast<size_t>(split.dim)] = true;
      CheckSplitIndices(split, first_index);
    }
  }

  void CheckSplitIndices(const SplitConfig& split, size_t place) {
    const Dims& order = layout_.minor_to_major();
    const int64_t logical = order[order.size() - 1 - static_cast<size_t>(split.dim)];
    const int64_t size = dims_[static_cast<size_t>(logical)];
    int64_t previous = 0;
    for (int64_t at : split.indices) {
      const Range where = PlaceIn(&LayoutPlaces::splits, place++);
      if (at <= 0 || (size >= 0 && at >= size)) {
        FaultAt(where,
                fmt::format("layout split_configs: index {} does not cut physical dimension {} "
                            "(dimension {}, size {}) in two",
                            at, split.dim, logical, size));
      } else if (at <= previous) {
        FaultAt(where,
                fmt::format("layout split_configs: indices of physical dimension {} must increase, "
                            "but {} follows {}",
                            split.dim, at, previous));
      }
      previous = at;
    }
  }

  void CheckPadding() {
    const Dims& padded = extras_.padded_dimensions;
    if (padded.empty()) return;
    if (!extras_.tiles.empty()) {
      Fault("layout has padded dimensions and tiles; tiles make their own padding");
    }
    if (padded.size() != dims_.size()) {
      FaultAt(places_ != nullptr ? places_->padding : Range{},
              fmt::format("layout has {} padded dimensions, but shape is rank {}", padded.size(),
                          dims_.size()));
      return;
    }
    for (size_t i = 0; i < padded.size(); ++i) {
      if (padded[i] >= dims_[i]) continue;
      FaultAt(PlaceIn(&LayoutPlaces::padded_dims, i),
              fmt::format("for dimension {}, dimension padding ({}) is smaller than the dimension "
                          "size ({}) of the "
                          "shape",
                          i, padded[i], dims_[i]));
    }
  }

  const Layout& layout_;
  const LayoutExtras& extras_;
  std::span<const int64_t> dims_;
  Range range_;
  Diagnostics& diagnostics_;
  const LayoutPlaces* places_;
  bool valid_ = true;
};

}  // namespace

bool ValidateLayout(const Layout& layout, std::span<const int64_t> dims, Range range,
                    Diagnostics& diagnostics, const LayoutPlaces* places) {
  return LayoutChecker(layout, dims, range, diagnostics, places).Check();
}

}  // namespace hlo
