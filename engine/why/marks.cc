#include "engine/why/marks.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "engine/base/indices.h"

namespace hlo {

Marks::Marks(Dims dims) : dims_(std::move(dims)) {
  for (const int64_t size : dims_) size_ *= size;
  words_.resize(static_cast<size_t>((size_ + 63) / 64));
}

void Marks::Add(int64_t number) {
  uint64_t& word = words_[static_cast<size_t>(number / 64)];
  const uint64_t bit = uint64_t{1} << (number % 64);
  count_ += (word & bit) == 0 ? 1 : 0;
  word |= bit;
}

void Marks::AddBox(const Box& box) {
  const int64_t count = CountOf(box);
  if (count == size_) return AddEverything();
  for (int64_t i = 0; i < count; ++i) Add(Ravel(IndexIn(box, i), dims_));
}

void Marks::AddAll(const Marks& other) {
  count_ = 0;
  for (size_t i = 0; i < words_.size(); ++i) {
    words_[i] |= other.words_[i];
    count_ += std::popcount(words_[i]);
  }
}

void Marks::AddEverything() {
  for (int64_t i = 0; i < size_ % 64; ++i) Add(size_ - 1 - i);
  std::fill(words_.begin(), words_.begin() + static_cast<ptrdiff_t>(size_ / 64), ~uint64_t{0});
  count_ = size_;
}

void Marks::ForEach(FunctionRef<void(int64_t number)> visit) const {
  for (size_t i = 0; i < words_.size(); ++i) {
    for (uint64_t word = words_[i]; word != 0; word &= word - 1) {
      visit(static_cast<int64_t>(i * 64) + std::countr_zero(word));
    }
  }
}

std::vector<Box> Marks::Boxes(size_t most, bool* has_more) const {
  *has_more = false;
  if (count_ == 0) return {};
  if (count_ == size_) return {WholeBox(dims_)};
  // Often it is one box: that of the least and the greatest indices.
  Dims low = dims_, high(dims_.size(), 0);
  ForEach([&](int64_t number) {
    const Dims index = Unravel(number, dims_);
    for (size_t d = 0; d < index.size(); ++d) {
      low[d] = std::min(low[d], index[d]);
      high[d] = std::max(high[d], index[d]);
    }
  });
  Box around;
  for (size_t d = 0; d < low.size(); ++d) around.push_back({low[d], high[d] - low[d] + 1, 1});
  if (CountOf(around) == count_) return {around};
  // Else runs along the last dimension.
  std::vector<Box> boxes;
  int64_t last = -2;
  const int64_t row = dims_.empty() ? 1 : dims_.back();
  ForEach([&](int64_t number) {
    const bool goes_on = number == last + 1 && number % row != 0;
    last = number;
    if (goes_on && !*has_more) {
      ++boxes.back().back().count;
    } else if (!goes_on) {
      *has_more |= boxes.size() == most;
      if (!*has_more) boxes.push_back(BoxOf(Unravel(number, dims_)));
    }
  });
  return boxes;
}

}  // namespace hlo
