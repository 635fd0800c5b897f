#include "engine/layout/digit_map.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/base/small_vector.h"
#include "engine/base/stable_sort.h"

namespace hlo {

namespace {

/// Whether digit `i` is the highest of its dimension, the one that is not reduced modulo its size
/// (there may be several digits of one value).
bool IsTop(const DigitForm& form, size_t i) {
  const LayoutDigit& digit = form.digits[i];
  for (size_t k = 0; k < form.digits.size(); ++k) {
    const LayoutDigit& other = form.digits[k];
    if (other.dim != digit.dim || k == i) continue;
    if (other.below != digit.below ? other.below > digit.below
                                   : other.size > digit.size || (other.size == digit.size && k < i))
      return false;
  }
  return true;
}

}  // namespace

void DigitMap::SetDigits(DigitForm form) {
  form_ = std::move(form);
  first_ = last_ = form_.base;
  const bool is_empty = std::any_of(form_.digits.begin(), form_.digits.end(),
                                    [](const LayoutDigit& digit) { return digit.size == 0; });
  for (size_t i = 0; i < form_.digits.size(); ++i) {
    const LayoutDigit& digit = form_.digits[i];
    is_top_.push_back(IsTop(form_, i));
    if (is_empty || digit.size == 1) continue;
    const bool is_reversed = digit.stride < 0;
    (is_reversed ? first_ : last_) += digit.stride * (digit.size - 1);
    steps_.push_back(
        {i, digit.size, is_reversed ? -digit.stride : digit.stride, 0, 0, is_reversed});
  }
  StableSort(steps_.begin(), steps_.end(),
             [](const Step& a, const Step& b) { return a.stride > b.stride; });
  int64_t reach = 0, divisor = 0;
  for (size_t i = steps_.size(); i-- > 0;) {
    is_nested_ &= steps_[i].stride > reach;
    reach += steps_[i].stride * (steps_[i].size - 1);
    divisor = std::gcd(divisor, steps_[i].stride);
    steps_[i].reach = reach;
    steps_[i].divisor = divisor;
  }
}

int64_t DigitMap::OffsetOf(std::span<const int64_t> index) const {
  int64_t offset = form_.base;
  for (size_t i = 0; i < form_.digits.size(); ++i) {
    const LayoutDigit& digit = form_.digits[i];
    const int64_t value = index[static_cast<size_t>(digit.dim)] / digit.below;
    offset += digit.stride * (is_top_[i] ? value : value % digit.size);
  }
  return offset;
}

// The values of steps whose strides nest: there is at most one solution.
bool DigitMap::FindNested(int64_t rest, int64_t* values) const {
  for (size_t k = 0; k < steps_.size(); ++k) {
    values[k] = rest / steps_[k].stride;
    if (values[k] >= steps_[k].size) return false;
    rest -= values[k] * steps_[k].stride;
  }
  return rest == 0;
}

// Depth first, pruned by the range of values that the later steps can still compensate.
bool DigitMap::FindByTrial(int64_t offset, int64_t* values) const {
  const size_t n = steps_.size();
  SmallVector<int64_t, 8> least(n), rest(n + 1);
  rest[0] = offset;
  size_t k = 0;
  while (k < n) {
    const Step& step = steps_[k];
    const int64_t after = k + 1 < n ? steps_[k + 1].reach : 0;
    values[k] = std::min(step.size - 1, rest[k] / step.stride) + 1;
    least[k] = std::max<int64_t>(0, CeilDivSigned(rest[k] - after, step.stride));
    if (rest[k] % step.divisor != 0) least[k] = values[k];
    while (values[k] <= least[k]) {
      if (k-- == 0) return false;
    }
    --values[k];
    rest[k + 1] = rest[k] - values[k] * steps_[k].stride;
    ++k;
  }
  return rest[n] == 0;
}

bool DigitMap::IndexAt(int64_t offset, std::span<int64_t> index) const {
  if (offset < first_ || offset > last_ || element_count() == 0) return false;
  SmallVector<int64_t, 8> values(steps_.size());
  const int64_t rest = offset - first_;
  if (!(is_nested_ ? FindNested(rest, values.data()) : FindByTrial(rest, values.data()))) {
    return false;
  }
  std::fill(index.begin(), index.end(), 0);
  for (size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    const LayoutDigit& digit = form_.digits[step.digit];
    index[static_cast<size_t>(digit.dim)] +=
        digit.below * (step.is_reversed ? step.size - 1 - values[i] : values[i]);
  }
  return true;
}

bool DigitMap::Digits(DigitForm* form, std::string*) const {
  *form = form_;
  return true;
}

}  // namespace hlo
