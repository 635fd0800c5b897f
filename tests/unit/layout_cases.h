// What the tests of engine/layout share: layouts and maps from text.
#ifndef HLO_TESTS_UNIT_LAYOUT_CASES_H_
#define HLO_TESTS_UNIT_LAYOUT_CASES_H_

#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "doctest/doctest.h"
#include "engine/layout/layout_map.h"
#include "engine/layout/layout_text.h"
#include "tests/unit/indices.h"

namespace hlo {

inline std::span<const int64_t> View(const Dims& dims) { return {dims.data(), dims.size()}; }
inline std::span<int64_t> View(Dims* dims) { return {dims->data(), dims->size()}; }

/// The layout of a text that must be faultless; "" is the layout of a scalar.
inline Layout LayoutOf(std::string_view text) {
  if (text.empty()) return Layout();
  INFO(text);
  Diagnostics diagnostics;
  LayoutParse parsed = ParseLayout(text, 0, diagnostics);
  REQUIRE(parsed.ok);
  CHECK(parsed.consumed == text.size());
  CHECK(diagnostics.empty());
  return parsed.layout;
}

/// The map of a layout that must fit.
inline std::unique_ptr<LayoutMap> MapOf(const Dims& dims, std::string_view layout, int bits = 32) {
  INFO(layout);
  Diagnostics diagnostics;
  auto map = MakeLayoutMap(View(dims), bits, LayoutOf(layout), {}, diagnostics);
  REQUIRE(map != nullptr);
  CHECK(diagnostics.empty());
  return map;
}

/// The offsets of all elements in row-major order.
inline std::vector<int64_t> Offsets(const LayoutMap& map) {
  std::vector<int64_t> offsets;
  if (map.element_count() == 0) return offsets;
  Dims index(map.dims().size());
  do {
    offsets.push_back(map.OffsetOf(View(index)));
  } while (NextIndex(map.dims(), &index));
  return offsets;
}

/// A random XLA layout for an array: orders, up to three tiles with `*`, tails, padded dimensions.
inline Layout RandomLayout(const Dims& dims, std::mt19937* random) {
  auto below = [&](int n) { return static_cast<int64_t>((*random)() % static_cast<unsigned>(n)); };
  const int rank = static_cast<int>(dims.size());
  Dims order;
  for (int i = 0; i < rank; ++i) order.insert(order.begin() + below(i + 1), i);
  LayoutExtras extras;
  if (below(6) == 0) {
    for (int64_t size : dims) extras.padded_dimensions.push_back(size + below(3));
  } else {
    for (int64_t tiles = below(4); tiles > 0; --tiles) {
      Tile tile;
      for (int64_t n = below(rank + 2); n > 0; --n) {
        tile.dims.push_back(below(4) == 0 ? Tile::kCombine : 1 + below(4));
      }
      tile.dims.push_back(1 + below(4));
      extras.tiles.push_back(std::move(tile));
    }
  }
  if (below(3) == 0) extras.tail_alignment = 1 + below(20);
  return Layout(std::move(order), std::move(extras));
}

/// A small array and a layout for it.
struct RandomCase {
  Dims dims;
  Layout layout;
};
inline RandomCase MakeRandomCase(std::mt19937* random) {
  RandomCase result;
  const unsigned rank = (*random)() % 5;
  for (unsigned i = 0; i < rank; ++i) result.dims.push_back(1 + (*random)() % (rank > 3 ? 5 : 9));
  result.layout = RandomLayout(result.dims, random);
  return result;
}

}  // namespace hlo

#endif  // HLO_TESTS_UNIT_LAYOUT_CASES_H_
