// The longest rising part of a sequence.
#ifndef HLO_ENGINE_BASE_RISING_H_
#define HLO_ENGINE_BASE_RISING_H_

#include <algorithm>
#include <cstddef>
#include <vector>

namespace hlo {

/// Which items belong to a longest strictly rising subsequence. n log n.
template <typename T>
std::vector<bool> LongestRising(const std::vector<T>& items) {
  constexpr size_t kNoItem = ~size_t{0};
  std::vector<size_t> last;  // by length: the item that ends a run of it, as small as possible
  std::vector<size_t> previous(items.size(), kNoItem);
  for (size_t i = 0; i < items.size(); ++i) {
    const auto place =
        std::lower_bound(last.begin(), last.end(), items[i],
                         [&](size_t index, T value) { return items[index] < value; });
    if (place != last.begin()) previous[i] = *(place - 1);
    if (place == last.end()) {
      last.push_back(i);
    } else {
      *place = i;
    }
  }
  std::vector<bool> is_rising(items.size(), false);
  for (size_t i = last.empty() ? kNoItem : last.back(); i != kNoItem; i = previous[i]) {
    is_rising[i] = true;
  }
  return is_rising;
}

}  // namespace hlo

#endif  // HLO_ENGINE_BASE_RISING_H_
