#include "engine/ops/sorting/sort_values.h"

#ifndef HLO_SMALL

#include <algorithm>

#include "engine/kernels/move_loops.h"
#include "engine/kernels/sort_items.h"
#include "engine/threads/pieces.h"

namespace hlo {
namespace {

int64_t KeyBytes(ElementOrder order) { return HasWideKeys(order.type) ? 8 : 4; }

}  // namespace

/// Where the elements of one key belong in a sorted line.
struct ValueSorter::EqualRange {
  int64_t begin = 0, end = 0;

  template <typename Key>
  static EqualRange Of(Key key, const Key* sorted, int64_t length) {
    const auto [first, last] = std::equal_range(sorted, sorted + length, key);
    return {first - sorted, last - sorted};
  }
  bool is_empty() const { return begin == end; }
  /// Of the next element, in the order in which they stood, or the opposite one.
  int64_t Take(bool is_reversed) { return is_reversed ? --end : begin++; }
};

ValueSorter::ValueSorter(ElementOrder order, bool reverses_equals, int64_t length, int64_t group,
                         Budget* budget)
    : order_(order),
      reverses_equals_(reverses_equals),
      length_(length),
      group_(group),
      budget_(budget) {
  const int64_t line_bytes = length * KeyBytes(order);
  keys_ = Buffer::Allocate(static_cast<size_t>(group * line_bytes), budget);
  if (BytesOf(order.type) < KeyBytes(order)) {
    other_ = Buffer::Allocate(static_cast<size_t>(line_bytes), budget);
  }
}

ValueSorter ValueSorter::Another() const {
  return {order_, reverses_equals_, length_, group_, budget_};
}

void ValueSorter::Sort(const std::byte* from, int64_t lines, std::byte* to) {
  if (HasWideKeys(order_.type)) return SortBy<uint64_t>(from, lines, to);
  SortBy<uint32_t>(from, lines, to);
}

template <typename Key>
void ValueSorter::SortBy(const std::byte* from, int64_t lines, std::byte* to) {
  using Item = KeyItem<Key>;
  const int64_t count = lines * length_, width = BytesOf(order_.type);
  Key* const keys = reinterpret_cast<Key*>(keys_->data());
  const auto each_part = [&](int64_t n, auto body) {
    RunRanges(n, kPollElements, n, budget_, [&](PieceRange part, int, Budget* own) {
      body(part.begin, part.end - part.begin);
      own->Poll();
    });
  };
  const std::byte zero_bytes[sizeof(Key)] = {};
  Key zero = 0;
  WriteOrderKeys(order_, zero_bytes, 1, &zero);
  each_part(count, [&](int64_t begin, int64_t n) {
    WriteOrderKeys(order_, from + begin * width, n, keys + begin);
  });
  for (int64_t line = 0; line < lines; ++line) {
    std::byte* const out = to + line * length_ * width;
    Item* const other = reinterpret_cast<Item*>(other_ ? other_->data() : out);
    Item* const items = reinterpret_cast<Item*>(keys + line * length_);
    const Key* const sorted = reinterpret_cast<Key*>(SortItems(items, other, length_, budget_));
    EqualRange zeros, nans;
    if (HasEqualKeys(order_)) {
      zeros = EqualRange::Of(zero, sorted, length_);
      nans = EqualRange::Of(static_cast<Key>(~Key{0}), sorted, length_);
    }
    each_part(length_, [&](int64_t begin, int64_t n) {
      ReadOrderKeys(order_, sorted + begin, n, out + begin * width);
    });
    if (zeros.is_empty() && nans.is_empty()) continue;
    const std::byte* const line_from = from + line * length_ * width;
    ForEachKey<Key>(line_from, [&](int64_t i, Key key) {
      if (key != zero && key != ~Key{0}) return;
      const int64_t at = (key == zero ? zeros : nans).Take(reverses_equals_);
      std::copy_n(line_from + i * width, width, out + at * width);
    });
  }
}

/// Calls body(position, key) for the elements of a line.
template <typename Key, typename Body>
void ValueSorter::ForEachKey(const std::byte* from, Body body) {
  constexpr int64_t kBlock = 512;
  Key block[kBlock];
  for (int64_t done = 0; done < length_; done += kBlock) {
    if (done % kPollElements == 0) budget_->Poll();
    const int64_t count = std::min(kBlock, length_ - done);
    WriteOrderKeys(order_, from + done * BytesOf(order_.type), count, block);
    for (int64_t i = 0; i < count; ++i) body(done + i, block[i]);
  }
}

}  // namespace hlo

#endif  // HLO_SMALL
