// Sets of elements of an array: for each dimension, indices at equal distances.
#ifndef HLO_ENGINE_WHY_BOXES_H_
#define HLO_ENGINE_WHY_BOXES_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/small_vector.h"

namespace hlo {

/// Indices along one dimension: `count` of them, `step` (at least 1) apart, from `first` on.
struct Steps {
  int64_t first = 0;
  int64_t count = 1;
  int64_t step = 1;
  int64_t last() const { return first + (count - 1) * step; }
  bool Contains(int64_t i) const {
    return i >= first && count > 0 && i <= last() && (i - first) % step == 0;
  }
  friend bool operator==(const Steps&, const Steps&) = default;
};

/// The elements whose indices are in the steps of each dimension. No dimensions: a scalar.
using Box = std::vector<Steps>;

/// All of an array of these sizes.
Box WholeBox(std::span<const int64_t> sizes);
/// One element.
Box BoxOf(std::span<const int64_t> index);
/// How many elements; at most INT64_MAX.
int64_t CountOf(const Box& box);
bool Contains(const Box& box, std::span<const int64_t> index);
/// The element of this number, of 0 to CountOf - 1, in row-major order.
Dims IndexIn(const Box& box, int64_t number);
/// "[3,0:4,0:8:2]": a number, or first, end and step; empty for a scalar.
std::string BoxText(const Box& box);

/// All x in [0, size) with x * divisor = base + dilation * w for a w in [0, taps): indices at equal
/// distances. divisor is positive. Where that cannot be told in short time: all of [0, size).
Steps Solve(int64_t base, int64_t dilation, int64_t taps, int64_t divisor, int64_t size);

}  // namespace hlo

#endif  // HLO_ENGINE_WHY_BOXES_H_
