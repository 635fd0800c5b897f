#include "engine/ops/sorting/sort_keys.h"

#include <algorithm>
#include <utility>

#include "engine/kernels/move_loops.h"
#include "engine/kernels/sort_items.h"
#include "engine/threads/pieces.h"

namespace hlo {

KeySorter::KeySorter(const ComparatorKeys& keys, std::vector<Tensor> operands, int64_t length,
                     int64_t capacity, Budget* budget)
    : keys_(keys),
      compute_(keys.compute.get()),
      operands_(std::move(operands)),
      length_(length),
      capacity_(capacity),
      budget_(budget) {
  bool wide = false;
  for (const SortKey& key : keys_.keys) {
    wide = wide || HasWideKeys(key.order.type);
    if (key.operand != SortKey::kComputed) continue;
    computed_.push_back(
        Buffer::Allocate(static_cast<size_t>(capacity * BytesOf(key.order.type)), budget));
  }
  numbers_ = Buffer::Allocate(static_cast<size_t>(capacity) * (wide ? 8 : 4), budget);
  const size_t item_bytes = wide ? sizeof(WideItem) : sizeof(NarrowItem);
  items_ = Buffer::Allocate(static_cast<size_t>(length) * item_bytes, budget);
  other_items_ = Buffer::Allocate(static_cast<size_t>(length) * item_bytes, budget);
}

/// Calls body for the elements [0, count), in pieces that threads share.
template <typename Body>
void KeySorter::ForEachPart(int64_t count, Body body) {
  RunRanges(count, kPollElements, count, budget_, [&](PieceRange part, int, Budget* own) {
    body(part);
    own->Poll();
  });
}

void KeySorter::Sort(int64_t base, int64_t lines, uint32_t* order) {
  if (compute_ != nullptr) ComputeKeys(base, lines * length_);
  size_t computed = computed_.size();
  bool is_first = true;
  for (size_t k = keys_.keys.size(); k-- > 0;) {
    const SortKey& key = keys_.keys[k];
    const std::byte* elements =
        key.operand == SortKey::kComputed
            ? computed_[--computed]->data()
            : operands_[static_cast<size_t>(key.operand)].bytes() + base * BytesOf(key.order.type);
    if (HasWideKeys(key.order.type)) {
      SortBy<WideItem>(key.order, elements, lines, is_first, order);
    } else {
      SortBy<NarrowItem>(key.order, elements, lines, is_first, order);
    }
    is_first = false;
  }
}

void KeySorter::ComputeKeys(int64_t base, int64_t count) {
  std::vector<const std::byte*> args(operands_.size());
  std::vector<std::byte*> results(computed_.size());
  for (int64_t done = 0; done < count; done += kPollElements) {
    for (size_t i = 0; i < operands_.size(); ++i) {
      args[i] = operands_[i].bytes() + (base + done) * BytesOf(operands_[i].element_type());
    }
    size_t computed = 0;
    for (const SortKey& key : keys_.keys) {
      if (key.operand != SortKey::kComputed) continue;
      results[computed] = computed_[computed]->data() + done * BytesOf(key.order.type);
      ++computed;
    }
    compute_->Apply(std::min(kPollElements, count - done), args, results);
    budget_->Poll();
  }
}

/// Sorts the positions of every line, relative to the first element of the first line. There are
/// none yet where this `is_first`: the elements stand in their order, or in the opposite one.
template <typename Item>
void KeySorter::SortBy(ElementOrder order, const std::byte* elements, int64_t lines, bool is_first,
                       uint32_t* positions) {
  using Key = typename Item::Key;
  const int64_t count = lines * length_;
  Key* const keys = reinterpret_cast<Key*>(numbers_->data());
  ForEachPart(count, [=](PieceRange part) {
    WriteOrderKeys(order, elements + part.begin * BytesOf(order.type), part.end - part.begin,
                   keys + part.begin);
  });
  Item* const items = reinterpret_cast<Item*>(items_->data());
  Item* const other = reinterpret_cast<Item*>(other_items_->data());
  for (int64_t line = 0; line < lines; ++line) {
    uint32_t* const places = positions + line * length_;
    const auto first = static_cast<uint32_t>(line * length_);
    const auto last = static_cast<uint32_t>(first + length_ - 1);
    // Where the elements stood before the first key.
    const bool is_reversed = keys_.reverses_equals;
    const auto stood = [=](uint32_t i) { return is_reversed ? last - i : first + i; };
    ForEachPart(length_, [=](PieceRange part) {
      for (auto i = static_cast<uint32_t>(part.begin); i < part.end; ++i) {
        items[i] = Item::Make(keys[is_first ? stood(i) : places[i]], i);
      }
    });
    const Item* const sorted = SortItems(items, other, length_, budget_);
    // The buffer that does not hold the result can store the places from before.
    uint32_t* const before = reinterpret_cast<uint32_t*>(sorted == items ? other : items);
    if (!is_first) std::copy(places, places + length_, before);
    ForEachPart(length_, [=](PieceRange part) {
      for (int64_t i = part.begin; i < part.end; ++i) {
        const uint32_t index = sorted[i].index();
        places[i] = is_first ? stood(index) : before[index];
      }
    });
  }
}

}  // namespace hlo
