// Where the elements of an array lie in memory: the one interface of all layout notations.
#ifndef HLO_ENGINE_LAYOUT_LAYOUT_MAP_H_
#define HLO_ENGINE_LAYOUT_LAYOUT_MAP_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/diagnostics.h"
#include "engine/base/small_vector.h"
#include "engine/layout/layout.h"

namespace hlo {

/// One tile's contribution to an address, major to minor throughout.
/// Source: XLA tiled layout, "Linear index formulas for tiling".
struct AddressStep {
  Tile tile;           ///< As written.
  Dims bounds, index;  ///< What the tile is applied to, after `*` has combined dimensions.
  /// floor(e/t) and its bounds ceil(d/t), with the dimensions in front of the tile.
  Dims tile_index, tile_bounds;
  Dims within_index, within_bounds;  ///< e mod t and t.
};

/// One term of an address that is built up part by part: "1 p(4)" and its lines.
struct AddressTerm {
  std::string part;                ///< Of the layout, as it is written.
  std::vector<std::string> lines;  ///< The formula, simplified where it can be; then the numbers.
};

/// How the address of one element comes about, with the numbers filled in.
struct AddressExplanation {
  Dims index;                           ///< The logical index, in dimension order.
  Dims ordered_index, ordered_dims;     ///< The same and the sizes, major to minor.
  std::vector<AddressStep> steps;       ///< One per tile; none for a plain layout.
  std::vector<AddressTerm> terms;       ///< Of notations that add a term for every part.
  Dims coordinates, bounds;             ///< The physical index and the physical dimensions.
  int64_t offset = 0;                   ///< In elements.
  int64_t first_bit = 0, last_bit = 0;  ///< From the start of the buffer.
  /// The same as a few lines of text, in the notation of the tiling documentation.
  std::vector<std::string> lines;
};

/// One reason for padding.
struct PaddingCause {
  Dims logical_dims;      ///< The dimensions that are padded; several when `*` combines them; none
                          ///< for a leading 1 of a long tile and for the alignment of the tail.
  int64_t size = 0;       ///< The size without this padding,
  int64_t padded_to = 0;  ///< and with it.
  std::string text;       ///< "dimension 1: 5 padded to 6 by tile (2,2)".
};

/// One digit of a logical index in mixed radix, and its term in the offset: stride * (floor(x /
/// below) mod size), with x the index in dimension `dim`. The highest digit of a dimension is not
/// reduced: its size is ceil(dimension / below).
struct LayoutDigit {
  int64_t dim = 0;
  int64_t below = 1;
  int64_t size = 1;
  int64_t stride = 0;
  friend bool operator==(const LayoutDigit&, const LayoutDigit&) = default;
};
/// A map as a sum: offset = base + the terms of all digits. The digits of a dimension cover it.
struct DigitForm {
  int64_t base = 0;
  std::vector<LayoutDigit> digits;
  friend bool operator==(const DigitForm&, const DigitForm&) = default;
};

class LayoutMap;
class StridedMap;
class TiledMap;

/// For what only some front ends do with a map, and maps therefore do not carry with them.
class LayoutMapVisitor {
 public:
  virtual ~LayoutMapVisitor() = default;
  virtual void VisitTiled(const TiledMap& map) = 0;
  virtual void VisitStrided(const StridedMap& map) = 0;
  /// Any other sum of digits.
  virtual void VisitOther(const LayoutMap& map) = 0;
};

/// A map between logical indices of an array and element offsets in its buffer. A slot is an
/// element-sized position of the buffer; offsets number the slots. Immutable; every number is known
/// to fit 64 bits (bit addresses too) once the map exists, so that no call can overflow. Tiled,
/// padded, Morello and strided maps (CuTe, numpy) implement it; notation.h lists them.
class LayoutMap {
 public:
  /// ElementsAt: the slot holds no element.
  static constexpr int64_t kPadding = -1;

  virtual ~LayoutMap() = default;
  LayoutMap(const LayoutMap&) = delete;
  LayoutMap& operator=(const LayoutMap&) = delete;

  /// Logical sizes, in dimension order.
  const Dims& dims() const { return sizes_.dims; }
  int rank() const { return static_cast<int>(sizes_.dims.size()); }
  /// Number of elements of the array.
  int64_t element_count() const { return sizes_.element_count; }
  /// Sizes of the physical array, major to minor; the offset is row-major over them.
  const Dims& physical_dims() const { return sizes_.physical_dims; }
  /// Product of physical_dims(): elements and padding.
  int64_t physical_count() const { return sizes_.physical_count; }
  /// The same rounded up to the tail alignment.
  int64_t aligned_count() const { return sizes_.aligned_count; }
  /// Bits of one stored element; the first bit of an element is its offset times this, low bits of
  /// a byte first.
  int64_t element_bits() const { return sizes_.element_bits; }
  /// Bytes of the buffer: aligned_count() elements, rounded up to whole bytes. A metadata prefix
  /// (`M`) is not counted.
  int64_t byte_size() const;
  /// Sizes, in dimension order and not below dims(), within which OffsetOf also takes indices of
  /// padding: the grid a picture can show. Padding that belongs to no such index exists too (of
  /// later tiles, of combined dimensions).
  const Dims& padded_dims() const { return sizes_.padded_dims; }

  /// The element offset of an index (one entry per dimension, each in [0, padded_dims()[i])).
  virtual int64_t OffsetOf(std::span<const int64_t> index) const = 0;
  /// The index whose element lies at an offset; false when the slot is padding or outside the
  /// buffer (`index` is then unspecified). `index` has one entry per dimension.
  virtual bool IndexAt(int64_t offset, std::span<int64_t> index) const = 0;

  /// How many levels of tiles there are: 0 for notations without tiles.
  virtual int tile_levels() const { return 0; }
  /// The number of the tile (row-major over the tiles of that level, 0 <= level < tile_levels())
  /// that an index lies in; 0 for notations without tiles.
  virtual int64_t TileOf(int level, std::span<const int64_t> index) const;
  /// Why an index has its address.
  virtual AddressExplanation Explain(std::span<const int64_t> index) const = 0;
  /// Why a slot of the buffer is padding: one sentence, empty when it holds an element.
  virtual std::string ExplainPadding(int64_t offset) const = 0;
  /// Where padding comes from, in the order it is added; empty when there is none.
  virtual std::vector<PaddingCause> PaddingCauses() const = 0;
  /// The map as a sum of digits, in any order and not merged (CanonicalDigits does that). False,
  /// with the reason as a clause in *why, when it is none; the map of an empty array has no digits.
  virtual bool Digits(DigitForm* form, std::string* why) const = 0;
  /// Shows the map as what it is.
  virtual void Show(LayoutMapVisitor& visitor) const { visitor.VisitOther(*this); }

  /// Window of the logical side: offsets of the neighbours start, start+1, ... along dimension
  /// `dim`, as many as `offsets` holds. All of them must be within padded_dims().
  void OffsetsAlong(std::span<const int64_t> start, int dim, std::span<int64_t> offsets) const;
  /// Window of the memory side: for the slots first, first+1, ... the number of the element there
  /// (row-major over dims()), or kPadding, also for slots outside the buffer.
  void ElementsAt(int64_t first, std::span<int64_t> elements) const;

 protected:
  struct Sizes {
    Dims dims;
    Dims padded_dims;
    Dims physical_dims;
    int64_t element_count = 0;
    int64_t physical_count = 0;
    int64_t aligned_count = 0;
    int64_t element_bits = 0;
  };
  LayoutMap() = default;
  /// Computes the counts of `sizes` (its dimension lists are given) and keeps it. False when a
  /// count, or the number of bits, does not fit.
  bool SetSizes(Sizes sizes, int64_t tail_alignment);
  /// Adds offset, bits and the lines about the last tile and the sum. Everything else is filled in.
  void FinishExplanation(AddressExplanation* explanation) const;
  /// The same for sums of digits, in two parts: a line for each digit of `index` and the offset as
  /// their sum; then the bits of the offset.
  static void ExplainDigits(const DigitForm& form, AddressExplanation* explanation);
  void ExplainBits(AddressExplanation* explanation) const;
  /// The cause of the tail alignment, if it adds anything.
  void AppendTailCause(std::vector<PaddingCause>* causes) const;

 private:
  Sizes sizes_;
};

/// The product of sizes, 0 when one is 0; false when it does not fit.
bool ProductChecked(std::span<const int64_t> dims, int64_t* product);

/// Makes the map of a layout. `type_bits` are the bits of a stored element (8 for pred and s4)
/// unless the layout says otherwise (`E`). Null, with diagnostics at `range`, when the layout does
/// not fit the dimensions, a dimension has no bound, or a size does not fit 64 bits.
std::unique_ptr<LayoutMap> MakeLayoutMap(std::span<const int64_t> dims, int type_bits,
                                         const Layout& layout, Range range,
                                         Diagnostics& diagnostics);

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_LAYOUT_MAP_H_
