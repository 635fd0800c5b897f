// The layout of an array shape: everything between `{` and `}` after its dimensions.
// Source: XLA, "Tiled layout", "Shapes and layout"; layout.h.
#ifndef HLO_ENGINE_LAYOUT_LAYOUT_H_
#define HLO_ENGINE_LAYOUT_LAYOUT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/small_vector.h"

namespace hlo {

/// One tile: sizes from major to minor, kCombine for `*` (merge with the next more minor
/// dimension).
struct Tile {
  static constexpr int64_t kCombine = -1;
  Dims dims;
  friend bool operator==(const Tile&, const Tile&) = default;
};

/// `SC(dim:i,j)`: physical dimension `dim` (0 is the most major) is cut at the indices.
struct SplitConfig {
  int64_t dim = 0;
  Dims indices;
  friend bool operator==(const SplitConfig&, const SplitConfig&) = default;
};

/// The parts of a layout that most layouts do not have. Immutable and shared once attached.
struct LayoutExtras {
  std::vector<Tile> tiles;          ///< T: applied left to right.
  int64_t tail_alignment = 1;       ///< L: the element count is rounded up to this.
  std::string index_type;           ///< #: element type word of sparse indices, usually empty.
  std::string pointer_type;         ///< *: element type word of sparse pointers, usually empty.
  int64_t element_bits = 0;         ///< E: bits per stored element; 0 is the type's own size.
  int64_t memory_space = 0;         ///< S.
  std::vector<SplitConfig> splits;  ///< SC.
  std::string physical_shape;       ///< P: its text, kept for printing; usually empty.
  int64_t metadata_prefix =
      0;  ///< M: bytes of dynamic-size metadata in front. No part of equality.
  /// Of the documentation of shapes: sizes the dimensions are padded to (logical order; empty if
  /// none) and the value in the padding, an element's text; empty where it is not specified. An
  /// annotation of this engine; XLA has no text form for it.
  Dims padded_dimensions;
  std::string padding_value;

  friend bool operator==(const LayoutExtras& a, const LayoutExtras& b);
};

/// Parts of a layout besides the order of the dimensions that two layouts must agree in.
struct LayoutParts {
  bool tiles = true;
  bool tail_alignment = true;
  bool element_bits = true;
  bool memory_space = true;
  bool splits = true;
  bool others = true;  ///< index and pointer types, physical shape, annotations

  /// The order of the dimensions alone.
  static constexpr LayoutParts None() { return {false, false, false, false, false, false}; }
};

/// A layout: the order of the dimensions and, rarely, more.
class Layout {
 public:
  Layout() = default;
  explicit Layout(Dims minor_to_major) : minor_to_major_(std::move(minor_to_major)) {}
  Layout(Dims minor_to_major, LayoutExtras extras);

  /// {rank-1, ..., 0}.
  static Layout Descending(int rank);

  /// Dimension numbers, the fastest varying one first.
  const Dims& minor_to_major() const { return minor_to_major_; }
  bool has_extras() const { return extras_ != nullptr; }
  /// The rare parts; a static object with defaults when there are none.
  const LayoutExtras& extras() const;
  const std::vector<Tile>& tiles() const { return extras().tiles; }
  bool IsDescending() const;

  /// The same order of dimensions, and equal in these parts.
  static bool Equal(const Layout& a, const Layout& b, const LayoutParts& parts);
  friend bool operator==(const Layout& a, const Layout& b);

 private:
  Dims minor_to_major_;
  std::shared_ptr<const LayoutExtras> extras_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_LAYOUT_H_
