// Morello's layouts: an ordered list of physical dimensions.
// Source: Morello, data layouts; layout.rs.
#ifndef HLO_ENGINE_LAYOUT_MORELLO_LAYOUT_H_
#define HLO_ENGINE_LAYOUT_MORELLO_LAYOUT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/diagnostics.h"
#include "engine/base/small_vector.h"
#include "engine/layout/cursor.h"

namespace hlo {

/// One physical dimension.
struct MorelloDim {
  enum class Kind : uint8_t {
    kDynamic,  ///< What is left of the logical dimension.
    kPacked,   ///< A fixed number of its values.
    kOddEven,  ///< Strips of `size` values: the even-numbered ones, then the odd-numbered ones.
  };
  int64_t logical = 0;  ///< The logical dimension it is part of.
  Kind kind = Kind::kDynamic;
  int64_t size = 0;  ///< Of kPacked (at least 2) and kOddEven (even).
  Range range = {};  ///< In the text it was read from; no part of equality.

  friend bool operator==(const MorelloDim& a, const MorelloDim& b) {
    return a.logical == b.logical && a.kind == b.kind && a.size == b.size;
  }
};

/// Physical dimensions, slowest first, and how many of the fastest are known to be contiguous.
struct MorelloLayout {
  std::vector<MorelloDim> dims;
  int64_t contiguous = 0;

  friend bool operator==(const MorelloLayout&, const MorelloLayout&) = default;
};

/// Reads a layout to the end of the text: the short form `[0, 1 p(4), 2 oe(16)]`, `NHWC`, `NCHW`,
/// `([0, 1], c1)`; Rust's `Layout::new(vec![(0, PhysDim::Dynamic), (1,
/// PhysDim::Packed(nz!(4u32)))])` or the list of it alone; `NCHWc(4)`; and, where the sizes are
/// known, `row_major`, `col_major`, `batched_col_major` and `nhwc`, which leave out dimensions of
/// size 1. Sizes that no layout may have (p(1), an odd oe) are refused here, what depends on a
/// shape by MorelloMap.
std::optional<MorelloLayout> ParseMorelloLayout(Cursor& in, const Dims* dims);
std::optional<MorelloLayout> ParseMorelloLayout(std::string_view text, Diagnostics& diagnostics);

/// Whether a text begins with a layout that has a name: `NCHW`, `NHWC`, `NCHWc`, `row_major`, ...
bool IsMorelloName(std::string_view text);

/// The short form: `NHWC` for [0, 2, 3, 1]; with the count when not everything is contiguous.
std::string MorelloLayoutText(const MorelloLayout& layout);

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_MORELLO_LAYOUT_H_
