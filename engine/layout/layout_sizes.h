// How many bytes an array takes: the exact size, and what XLA's size routines report.
#ifndef HLO_ENGINE_LAYOUT_LAYOUT_SIZES_H_
#define HLO_ENGINE_LAYOUT_LAYOUT_SIZES_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/layout/layout.h"
#include "engine/layout/layout_map.h"

namespace hlo {

// The three routines of XLA. All take bounded dimensions, the bits of a stored element without `E`
// (a multiple of 8), and a layout that is valid for the dimensions; the answer is in bytes, empty
// when it does not fit 64 bits.
// Source: XLA, shape_util.cc, ArraySize and ByteSizeOf.

/// ShapeUtil::ByteSizeOf of an array: the logical elements alone, at the width of `E`; tiles and
/// alignment are ignored.
std::optional<int64_t> ByteSizeOf(std::span<const int64_t> dims, int type_bits,
                                  const Layout& layout);

/// ShapeUtil::ArraySize: with the padding of the first tile and the tail alignment; ByteSizeOf
/// without tiles. A split dimension counts with its largest piece. Empty also when the first tile
/// combines dimensions, which XLA does not define.
std::optional<int64_t> ArraySize(std::span<const int64_t> dims, int type_bits,
                                 const Layout& layout);

/// ShapeUtil::ArrayDataSize: up to and with the last element, by XLA's linear index, which uses the
/// first tile only, and none below rank 2. Empty also when the first tile combines dimensions. For
/// an empty array with tiles the formula gives a number without meaning, as in XLA; use
/// LayoutMap::byte_size.
std::optional<int64_t> ArrayDataSize(std::span<const int64_t> dims, int type_bits,
                                     const Layout& layout);

/// The size of the largest piece that the cuts of a physical dimension (0 is the most major) leave
/// of `size`; `size` itself when it is not cut.
int64_t MaxSplit(const Layout& layout, int64_t physical_dim, int64_t size);

/// What padding costs.
struct PaddingReport {
  int64_t unpadded_bytes = 0;        ///< Of the elements alone, as they are stored.
  int64_t padding_bytes = 0;         ///< What the buffer takes beyond that.
  double expansion = 1;              ///< Buffer / unpadded; 1 without padding, 0 for padding alone.
  std::vector<PaddingCause> causes;  ///< Dimension by dimension.
  /// In XLA's words: "Unpadded size 60B, extra memory due to padding 36B (1.6x expansion)"; "no
  /// padding" when there is none.
  std::string text;
};
PaddingReport ReportPadding(const LayoutMap& map);

/// A size as XLA's memory reports write it: "60B", "276.0K", "672.00M", "14.00G", "1.25T".
std::string BytesText(int64_t bytes);

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_LAYOUT_SIZES_H_
