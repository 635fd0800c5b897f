// Indices in row-major order, for tests that write an op out as loops.
#ifndef HLO_TESTS_UNIT_INDICES_H_
#define HLO_TESTS_UNIT_INDICES_H_

#include <cstddef>
#include <cstdint>

#include "engine/types/shape.h"

namespace hlo {

inline int64_t CountOf(const Dims& dims) {
  int64_t count = 1;
  for (int64_t size : dims) count *= size;
  return count;
}

/// The number of the element at an index.
inline int64_t ElementNumber(const Dims& dims, const Dims& index) {
  int64_t number = 0;
  for (size_t d = 0; d < dims.size(); ++d) number = number * dims[d] + index[d];
  return number;
}

/// The index of element number i.
inline Dims IndexOf(const Dims& dims, int64_t i) {
  Dims index(dims.size());
  for (size_t d = dims.size(); d-- > 0; i /= dims[d]) index[d] = i % dims[d];
  return index;
}

/// The next index; false after the last one. All sizes are positive.
inline bool NextIndex(const Dims& dims, Dims* index) {
  for (size_t d = dims.size(); d-- > 0;) {
    if (++(*index)[d] < dims[d]) return true;
    (*index)[d] = 0;
  }
  return false;
}

}  // namespace hlo

#endif  // HLO_TESTS_UNIT_INDICES_H_
