// Sorting by keys: items of a key and an index, or of a key alone. The index makes every item
// different from all others, so that equal keys keep their order however the items are sorted.
#ifndef HLO_ENGINE_KERNELS_SORT_ITEMS_H_
#define HLO_ENGINE_KERNELS_SORT_ITEMS_H_

#include <cstdint>

#include "engine/base/budget.h"

namespace hlo {

/// A key of 32 bits.
struct NarrowItem {
  using Key = uint32_t;
  uint64_t bits;
  static NarrowItem Make(uint32_t key, uint32_t index) { return {uint64_t{key} << 32 | index}; }
  uint32_t key() const { return static_cast<uint32_t>(bits >> 32); }
  uint32_t index() const { return static_cast<uint32_t>(bits); }
  friend bool operator<(NarrowItem a, NarrowItem b) { return a.bits < b.bits; }
};

/// A key of 64 bits.
struct WideItem {
  using Key = uint64_t;
  uint64_t key_bits;
  uint32_t index_bits;
  static WideItem Make(uint64_t key, uint32_t index) { return {key, index}; }
  uint64_t key() const { return key_bits; }
  uint32_t index() const { return index_bits; }
  friend bool operator<(const WideItem& a, const WideItem& b) {
    return a.key_bits != b.key_bits ? a.key_bits < b.key_bits : a.index_bits < b.index_bits;
  }
};

/// A key alone, where nothing else distinguishes elements.
template <typename K>
struct KeyItem {
  using Key = K;
  K bits;
  K key() const { return bits; }
  friend bool operator<(KeyItem a, KeyItem b) { return a.bits < b.bits; }
};

/// Sorts n items by key; items of equal key must come in the order of their indices. Both arrays
/// have room for n items; returns the one that holds the result. Polls the budget (not null).
NarrowItem* SortItems(NarrowItem* items, NarrowItem* scratch, int64_t n, Budget* budget);
WideItem* SortItems(WideItem* items, WideItem* scratch, int64_t n, Budget* budget);
KeyItem<uint32_t>* SortItems(KeyItem<uint32_t>* items, KeyItem<uint32_t>* scratch, int64_t n,
                             Budget* budget);
KeyItem<uint64_t>* SortItems(KeyItem<uint64_t>* items, KeyItem<uint64_t>* scratch, int64_t n,
                             Budget* budget);

/// The first `count` of n items in order, the others behind them; count <= n.
void SelectItems(NarrowItem* items, int64_t n, int64_t count);
void SelectItems(WideItem* items, int64_t n, int64_t count);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_SORT_ITEMS_H_
