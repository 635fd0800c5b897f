// Sorted items, by one thread and by several.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "doctest/doctest.h"
#include "engine/kernels/sort_items.h"
#include "tests/unit/thread_scope.h"

namespace hlo {
namespace {

/// More than threads begin to share, and no whole number of pieces.
constexpr int64_t kMany = 140'001;

struct Distribution {
  const char* name;
  std::function<uint64_t(std::mt19937_64&)> key;
};

const std::vector<Distribution>& Distributions() {
  static const std::vector<Distribution> all = {
      {"of all bits", [](auto& random) { return random(); }},
      {"all the same", [](auto&) { return uint64_t{7} << 20; }},
      {"of the lowest bits alone", [](auto& random) { return 0x8000'0000 | random() % 1000; }},
      {"of middle bits alone", [](auto& random) { return random() % 1000 << 12; }},
      {"of the highest bits alone", [](auto& random) { return random() << 27; }},
      {"nearly all in one bucket",
       [](auto& random) { return random() % 100 == 0 ? random() : random() % (1 << 20); }},
      {"of few values", [](auto& random) { return random() % 3 << 30; }},
  };
  return all;
}

template <typename Item>
void CheckSorted(const Distribution& distribution) {
  CAPTURE(distribution.name);
  std::mt19937_64 random(1);
  std::vector<Item> items, other(kMany);
  for (int64_t i = 0; i < kMany; ++i) {
    const auto key = static_cast<typename Item::Key>(distribution.key(random));
    if constexpr (requires { Item::Make(key, uint32_t{}); }) {
      items.push_back(Item::Make(key, static_cast<uint32_t>(i)));
    } else {
      items.push_back({key});
    }
  }
  std::vector<Item> expected = items;
  std::sort(expected.begin(), expected.end());
  const std::vector<Item> given = items;
  for (int threads : {1, 2}) {
    CAPTURE(threads);
    const ThreadScope scope(threads);
    items = given;
    Budget budget;
    const Item* const sorted = SortItems(items.data(), other.data(), kMany, &budget);
    const bool is_sorted =
        std::equal(expected.begin(), expected.end(), sorted,
                   [](const Item& a, const Item& b) { return !(a < b || b < a); });
    CHECK(is_sorted);
  }
}

TEST_CASE("sorted items: the same by one thread and by several") {
  for (const Distribution& distribution : Distributions()) {
    CheckSorted<NarrowItem>(distribution);
    CheckSorted<WideItem>(distribution);
    CheckSorted<KeyItem<uint32_t>>(distribution);
    CheckSorted<KeyItem<uint64_t>>(distribution);
  }
}

}  // namespace
}  // namespace hlo
