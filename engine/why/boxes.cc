#include "engine/why/boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "engine/base/bits.h"

namespace hlo {

Box WholeBox(std::span<const int64_t> sizes) {
  Box box;
  for (const int64_t size : sizes) box.push_back({0, size, 1});
  return box;
}

Box BoxOf(std::span<const int64_t> index) {
  Box box;
  for (const int64_t i : index) box.push_back({i, 1, 1});
  return box;
}

int64_t CountOf(const Box& box) {
  int64_t count = 1;
  for (const Steps& steps : box) {
    if (steps.count <= 0) return 0;
    if (!MultiplyChecked(count, steps.count, &count)) count = std::numeric_limits<int64_t>::max();
  }
  return count;
}

bool Contains(const Box& box, std::span<const int64_t> index) {
  if (box.size() != index.size()) return false;
  for (size_t d = 0; d < box.size(); ++d) {
    if (!box[d].Contains(index[d])) return false;
  }
  return true;
}

Dims IndexIn(const Box& box, int64_t number) {
  Dims index(box.size());
  for (size_t d = box.size(); d-- > 0; number /= box[d].count) {
    index[d] = box[d].first + number % box[d].count * box[d].step;
  }
  return index;
}

std::string BoxText(const Box& box) {
  if (box.empty()) return "";
  std::string text = "[";
  for (const Steps& steps : box) {
    if (text.size() > 1) text += ',';
    if (steps.count == 1) {
      text += fmt::format("{}", steps.first);
    } else {
      text += fmt::format("{}:{}", steps.first, steps.count == 0 ? steps.first : steps.last() + 1);
      if (steps.step != 1) text += fmt::format(":{}", steps.step);
    }
  }
  return text + "]";
}

Steps Solve(int64_t base, int64_t dilation, int64_t taps, int64_t divisor, int64_t size) {
  using Wide = __int128_t;
  constexpr int64_t kMostTries = 100'000;
  const Steps none{0, 0, 1};
  if (taps <= 0 || size <= 0) return none;
  const int64_t period = divisor / std::gcd(dilation, divisor);
  const int64_t tries = std::min(taps, period);
  const auto at = [&](int64_t w) { return static_cast<Wide>(base) + Wide{dilation} * w; };
  int64_t w = 0;
  while (w < tries && w < kMostTries && at(w) % divisor != 0) ++w;
  if (w == tries) return none;
  if (at(w) % divisor != 0) return {0, size, 1};
  const Wide first = at(w) / divisor;
  Wide step = Wide{dilation} * period / divisor;
  Wide count = (taps - 1 - w) / period + 1;
  Wide low = step < 0 ? first + step * (count - 1) : first;
  step = step < 0 ? -step : step;
  if (step == 0) count = step = 1;
  if (low < 0) {
    const Wide skipped = (-low + step - 1) / step;
    low += skipped * step;
    count -= skipped;
  }
  if (count <= 0 || low >= size) return none;
  count = std::min(count, (size - 1 - low) / step + 1);
  if (count == 1) step = 1;
  return {static_cast<int64_t>(low), static_cast<int64_t>(count), static_cast<int64_t>(step)};
}

}  // namespace hlo
