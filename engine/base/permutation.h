// Orders of dimensions.
#ifndef HLO_ENGINE_BASE_PERMUTATION_H_
#define HLO_ENGINE_BASE_PERMUTATION_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hlo {

/// Whether the numbers are those from 0 to count - 1, each once.
inline bool IsPermutation(std::span<const int64_t> numbers, size_t count) {
  if (numbers.size() != count) return false;
  std::vector<bool> seen(count, false);
  for (int64_t i : numbers) {
    if (i < 0 || static_cast<size_t>(i) >= count || seen[static_cast<size_t>(i)]) return false;
    seen[static_cast<size_t>(i)] = true;
  }
  return true;
}

}  // namespace hlo

#endif  // HLO_ENGINE_BASE_PERMUTATION_H_
