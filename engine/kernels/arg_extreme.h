// Reductions of two arrays together, of which one is the maximum or minimum and the other tells
// where it is.
#ifndef HLO_ENGINE_KERNELS_ARG_EXTREME_H_
#define HLO_ENGINE_KERNELS_ARG_EXTREME_H_

#include <cstddef>
#include <cstdint>

#include "engine/base/budget.h"
#include "engine/kernels/move_view.h"
#include "engine/types/element_type.h"

namespace hlo {

/// How the value so far, on the left, and the next one stand to each other. Integers have the first
/// three alone.
enum class Standing : uint8_t { kLess, kEqual, kGreater, kLeftNan, kRightNan, kBothNan };
inline constexpr int kStandings = 6;

/// A reducer of (value, index) pairs that keeps or replaces what it has so far: which it does
/// depends on how the values stand and on how the indices do (less, equal, greater).
struct ExtremeRule {
  bool maximum = true;                   ///< the greater value stays or replaces; else the less one
  bool takes_value[kStandings][3] = {};  ///< the next value replaces the one so far
  bool takes_index[kStandings][3] = {};
};

/// Two arrays of the same dimensions, dense. Of indices that change along one dimension alone,
/// those of that dimension are enough.
struct ArgArrays {
  ElementType value_type = {};
  ElementType index_type = {};
  const std::byte* values = nullptr;
  const std::byte* indices = nullptr;
  /// Where there are `index_extent` > 0 indices alone: the index of element i is that at
  /// i / index_inner % index_extent.
  int64_t index_inner = 1;
  int64_t index_extent = 0;
};

/// A single pair, that does not change.
struct ArgInit {
  const std::byte* value = nullptr;
  const std::byte* index = nullptr;
};

/// Where the results go: dense arrays.
struct ArgResults {
  std::byte* value = nullptr;
  std::byte* index = nullptr;
};

/// Whether FoldArgExtreme does this: values are f64, f32, f16, bf16 or s32, indices integers of 8
/// bits and more.
bool CanFoldArgExtreme(ElementType value_type, ElementType index_type);

/// Like FoldView (reduce_fold.h), of pairs: starting with `init`, an element each, the rule is
/// applied to the pairs of every result in row-major order.
void FoldArgExtreme(const ExtremeRule& rule, const ArgArrays& from, const StridedView& kept,
                    const StridedView& reduced, const ArgInit& init, const ArgResults& to,
                    Budget* budget);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_ARG_EXTREME_H_
