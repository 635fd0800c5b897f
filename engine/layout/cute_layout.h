// CuTe's layouts as text: `(4,(2,8)):(1,(4,16))`, `Sw<3,4,3> o 0 o (8,64):(64,1)`.
// Source: CuTe layout algebra ("Shape:Stride", congruent nested tuples, colexicographic order).
#ifndef HLO_ENGINE_LAYOUT_CUTE_LAYOUT_H_
#define HLO_ENGINE_LAYOUT_CUTE_LAYOUT_H_

#include <optional>
#include <string>
#include <vector>

#include "engine/layout/cursor.h"
#include "engine/layout/strided_map.h"

namespace hlo {

/// A tuple of integers and tuples, flat: a tuple precedes its `count` parts.
struct CuteNode {
  bool is_tuple = false;
  int64_t value = 0;  ///< Of an integer; of a tuple, how many parts it has.
  Range range;        ///< In the text; no part of equality.
  friend bool operator==(const CuteNode& a, const CuteNode& b) {
    return a.is_tuple == b.is_tuple && a.value == b.value;
  }
};
using CuteTuple = std::vector<CuteNode>;

/// Shape and stride have the same nesting. The modes of the outermost tuple are the dimensions of
/// the array; within one, the leftmost integer varies fastest.
struct CuteLayout {
  CuteTuple shape, stride;
  Swizzle swizzle;
  int64_t offset = 0;  ///< Between swizzle and layout.
  Range offset_range, range;
};

/// A tuple, and a layout, may have this many integers and levels.
inline constexpr size_t kMostCuteModes = 64;

/// Reads `[Swizzle<B,M,S> o [OFFSET o]] SHAPE[:STRIDE]` to the end of the text; `Sw<` and `S<` are
/// accepted too. Without strides the layout is compact and the first mode varies fastest, as in
/// CuTe. Integers may be marked as static: `_8`. CuTe prints `smem_ptr[16b](unset)` as the offset
/// of a layout in shared memory: the swizzle is then of addresses in bytes, and the elements must
/// have these bits. Nothing, with diagnostics, when the text is not a layout. Source: CUTLASS,
/// cute/pointer_flagged.hpp, as_position_independent_swizzle_layout.
std::optional<CuteLayout> ParseCuteLayout(Cursor& in, int64_t element_bits);
std::string CuteLayoutText(const CuteLayout& layout);

/// The dimensions and modes of a layout, for StridedMap::Make.
StridedMap::Parts CuteParts(const CuteLayout& layout);

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_CUTE_LAYOUT_H_
