// A stable sort whose code is not instantiated per element type: for the short lists that most of
// the engine sorts. (Kernels sort elements with code of their own.)
#ifndef HLO_ENGINE_BASE_STABLE_SORT_H_
#define HLO_ENGINE_BASE_STABLE_SORT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "engine/base/function_ref.h"

namespace hlo {

/// The positions 0 to count - 1, sorted by `is_less`, which compares the elements at two positions;
/// equal elements keep their order. O(n log n) comparisons.
std::vector<uint32_t> StableOrder(size_t count, FunctionRef<bool(uint32_t, uint32_t)> is_less);

/// std::stable_sort of less than 2^32 elements; moves each of them twice.
template <typename Iterator, typename Less>
void StableSort(Iterator begin, Iterator end, Less is_less) {
  const std::vector<uint32_t> order =
      StableOrder(static_cast<size_t>(end - begin), [&](uint32_t a, uint32_t b) {
        return is_less(std::as_const(begin[a]), std::as_const(begin[b]));
      });
  std::vector<typename std::iterator_traits<Iterator>::value_type> sorted;
  sorted.reserve(order.size());
  for (const uint32_t at : order) sorted.push_back(std::move(begin[at]));
  std::move(sorted.begin(), sorted.end(), begin);
}

}  // namespace hlo

#endif  // HLO_ENGINE_BASE_STABLE_SORT_H_
