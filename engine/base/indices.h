// Arithmetic on dimension sizes and indices. Unless a comment says otherwise the sizes are those of
// existing arrays, whose element counts fit 64 bits, so that nothing is checked.
#ifndef HLO_ENGINE_BASE_INDICES_H_
#define HLO_ENGINE_BASE_INDICES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "engine/base/bits.h"
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

/// The same for sizes that nobody has checked: nothing when one is negative or the product does not
/// fit 64 bits.
inline std::optional<int64_t> CheckedElementCount(std::span<const int64_t> sizes) {
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) return 0;
  int64_t count = 1;
  for (int64_t size : sizes) {
    if (size < 0 || !MultiplyChecked(count, size, &count)) return std::nullopt;
  }
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

/// The sum of index times stride, over all dimensions of the index.
inline int64_t StridedOffset(std::span<const int64_t> index, std::span<const int64_t> strides) {
  int64_t offset = 0;
  for (size_t d = 0; d < index.size(); ++d) offset += index[d] * strides[d];
  return offset;
}

/// The row-major position of an element of an array.
inline int64_t Ravel(std::span<const int64_t> index, std::span<const int64_t> sizes) {
  int64_t position = 0;
  for (size_t d = 0; d < sizes.size(); ++d) position = position * sizes[d] + index[d];
  return position;
}

/// The inverse, for an array that has elements: the index, of as many numbers as there are sizes.
inline void Unravel(int64_t position, std::span<const int64_t> sizes, int64_t* index) {
  for (size_t d = sizes.size(); d-- > 0; position /= sizes[d]) index[d] = position % sizes[d];
}
inline Dims Unravel(int64_t position, std::span<const int64_t> sizes) {
  Dims index(sizes.size());
  Unravel(position, sizes, index.data());
  return index;
}

/// Moves an index on to the next in row-major order. After the last one it returns false, and the
/// index is the first again.
inline bool NextIndex(std::span<int64_t> index, std::span<const int64_t> sizes) {
  for (size_t d = index.size(); d-- > 0;) {
    if (++index[d] < sizes[d]) return true;
    index[d] = 0;
  }
  return false;
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
