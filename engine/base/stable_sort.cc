#include "engine/base/stable_sort.h"

#include <numeric>

namespace hlo {

std::vector<uint32_t> StableOrder(size_t count, FunctionRef<bool(uint32_t, uint32_t)> is_less) {
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), is_less);
  return order;
}

}  // namespace hlo
