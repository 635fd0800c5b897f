// Arithmetic on the dimension sizes of existing arrays, whose element counts fit 64 bits, so that
// nothing here is checked (for sizes not yet validated see bits.h), and operations on lists of
// them.
#ifndef HLO_ENGINE_BASE_INDICES_H_
#define HLO_ENGINE_BASE_INDICES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/base/small_vector.h"

namespace hlo {

/// How many elements an array of these sizes has: their product; 1 for no dimensions.
inline int64_t ElementCount(std::span<const int64_t> sizes) {
  // If one size is 0, the product of the others may overflow.
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) return 0;
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  return count;
}

/// Row-major strides in elements: for each dimension the product of the sizes of the later ones.
/// All 0 where there are no elements.
inline Dims DenseStrides(std::span<const int64_t> sizes) {
  Dims strides(sizes.size(), 0);
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) return strides;
  int64_t stride = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= sizes[d];
  }
  return strides;
}

/// The sizes of these dimensions, in the order of the list.
inline Dims SizesOf(std::span<const int64_t> sizes, std::span<const int64_t> dimensions) {
  Dims chosen;
  for (int64_t d : dimensions) chosen.push_back(sizes[static_cast<size_t>(d)]);
  return chosen;
}

/// The concatenation of two lists.
inline Dims Joined(Dims first, std::span<const int64_t> second) {
  for (int64_t d : second) first.push_back(d);
  return first;
}

}  // namespace hlo

#endif  // HLO_ENGINE_BASE_INDICES_H_
