// Addresses under XLA's layouts: dimension order and tiles.
#ifndef HLO_ENGINE_LAYOUT_TILED_MAP_H_
#define HLO_ENGINE_LAYOUT_TILED_MAP_H_

#include <memory>
#include <string>
#include <vector>

#include "engine/layout/film.h"
#include "engine/layout/layout_map.h"

namespace hlo {

/// `minor_to_major`, tiles applied left to right, `*`, tail alignment.
///
/// Each tile works on the whole list of sizes its predecessors left: it takes the last k entries
/// (a list shorter than k gets leading 1s), combines those marked `*` with their next more minor
/// neighbour, and replaces the rest d by ceil(d/t) for all, then t for all. The offset is row-major
/// over the final list.
/// Source: XLA tiled layout. Differs from XLA: open-source XLA computes no addresses for `*`; the
/// formula is that of the documentation.
class TiledMap final : public LayoutMap {
 public:
  /// Limits on the length of the list of sizes and on the number of tiles: far beyond practical
  /// use, and they bound the size of explanations.
  static constexpr size_t kMostPhysicalDims = 1024;
  static constexpr size_t kMostTiles = 64;

  /// The layout must be valid for the dimensions (ValidateLayout), all of which are bounded. Null
  /// when a size does not fit 64 bits or a limit is passed.
  static std::unique_ptr<TiledMap> Make(std::span<const int64_t> dims, int64_t element_bits,
                                        const Layout& layout);

  int64_t OffsetOf(std::span<const int64_t> index) const override;
  bool IndexAt(int64_t offset, std::span<int64_t> index) const override;
  int tile_levels() const override { return static_cast<int>(levels_.size()); }
  int64_t TileOf(int level, std::span<const int64_t> index) const override;
  AddressExplanation Explain(std::span<const int64_t> index) const override;
  std::string ExplainPadding(int64_t offset) const override;
  std::vector<PaddingCause> PaddingCauses() const override;
  bool Digits(DigitForm* form, std::string* why) const override;
  void Show(LayoutMapVisitor& visitor) const override { visitor.VisitTiled(*this); }
  /// How the layout comes about: StepsOf (film.h).
  std::vector<LayoutStep> Steps() const;

 private:
  // One entry of a tile that is not `*`, with those combined into it.
  struct Part {
    int64_t bound = 1;     // product of the entries combined
    int64_t tile = 1;      // t
    int64_t quotient = 1;  // ceil(bound / tile)
    int32_t entries = 1;   // how many are combined
    int32_t shift = -1;    // log2(tile) if that is exact: division is most of the work
  };
  // One tile. Lists are handled in place: entries before `first` are unchanged.
  struct Level {
    Tile tile;
    size_t first = 0;  // position of the first entry that is taken
    std::vector<Part> parts;
    Dims bounds;        // of the list before, combined entries still apart
    size_t hidden = 0;  // leading 1s that only later tiles need
  };
  // What an entry of a list stands for, in words.
  struct Axis {
    Dims logical_dims;
    std::string name;
  };
  // Where undoing the tiles met padding.
  struct Miss {
    int level = -1;  // -1: outside the buffer
    size_t part = 0;
    int64_t value = 0;
  };
  // Room for the longest list. Left uninitialised: clearing it would cost as much as the address.
  class Scratch {
   public:
    explicit Scratch(const TiledMap& map) {
      if (map.longest_ > kInline) heap_ = std::make_unique<int64_t[]>(map.longest_);
    }
    int64_t* data() { return heap_ ? heap_.get() : inline_; }

   private:
    static constexpr size_t kInline = 32;
    std::unique_ptr<int64_t[]> heap_;
    int64_t inline_[kInline];
  };

  TiledMap() = default;
  bool Build(std::span<const int64_t> dims, int64_t element_bits, const Layout& layout);
  void Order(std::span<const int64_t> index, int64_t* list) const;
  // The two halves of applying a tile to a list of indices.
  static void Combine(const Level& level, int64_t* list);
  static void Split(const Level& level, int64_t* list);
  bool AddLevel(const Tile& tile, Dims* list, size_t hidden);
  bool SetPaddedDims(Sizes* sizes) const;
  bool Undo(int64_t offset, int64_t* values, Miss* miss) const;
  // Names for the entries of the list as tiles are applied: of the list before the first tile; of
  // what a tile takes off the list (combined); of what it puts there instead.
  std::vector<Axis> FirstAxes() const;
  static std::vector<Axis> TakeAxes(const Level& level, std::vector<Axis>* axes);
  static void SplitAxes(const Level& level, const std::vector<Axis>& taken,
                        std::vector<Axis>* axes);

  std::vector<size_t> order_;  // logical dimension at each place, major to minor
  size_t leading_ = 0;         // 1s in front, as many as the longest tile needs
  size_t longest_ = 0;         // entries of the longest list
  std::vector<Level> levels_;
  Dims logical_strides_;  // without tiles, an offset is the inner product with these
  Dims strides_;          // of the final list
};

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_TILED_MAP_H_
