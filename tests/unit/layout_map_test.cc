// engine/layout: the figures and formulas of the layout documentation, and what holds for all maps.
#include <algorithm>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "tests/unit/layout_cases.h"
#include "tests/unit/sanitizers.h"

namespace hlo {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

// Memory as text: the letter of each element in row-major order, '.' for padding.
std::string Memory(const LayoutMap& map) {
  std::vector<int64_t> elements(static_cast<size_t>(map.aligned_count()));
  map.ElementsAt(0, elements);
  std::string text;
  for (int64_t e : elements) text += e < 0 ? '.' : static_cast<char>('a' + e);
  return text;
}

TEST_CASE("shapes documentation: the orders of a 2 by 3 array") {
  CHECK(Memory(*MapOf({2, 3}, "{0,1}")) == "adbecf");
  CHECK(Memory(*MapOf({2, 3}, "{1,0}")) == "abcdef");
}

TEST_CASE("shapes documentation: padding to 3 by 5") {
  CHECK(Memory(*MapOf({2, 3}, "{0,1:PAD(3,5;0)}")) == "ad.be.cf.......");
  const auto map = MapOf({2, 3}, "{1,0:PAD(3,5;0)}");
  // The same order as the 3 by 5 array the documentation compares it with.
  CHECK(Memory(*map) == "abc..def.......");
  const auto equivalent = MapOf({3, 5}, "{1,0}");
  CHECK(map->physical_dims() == Dims({3, 5}));
  CHECK(map->padded_dims() == Dims({3, 5}));
  CHECK(map->physical_count() == 15);
  CHECK(map->byte_size() == 60);
  Dims index = {0, 0};
  do {
    CHECK(map->OffsetOf(View(index)) == equivalent->OffsetOf(View(index)));
  } while (NextIndex({3, 5}, &index));
  CHECK(map->OffsetOf(View(Dims{1, 2})) == 7);
  CHECK(map->ExplainPadding(3) ==
        "padding: dimension 1 would be at 3, past its size 3; it holds "
        "the padding value 0");
  CHECK(map->ExplainPadding(7).empty());
  CHECK(map->Explain(View(Dims{1, 2})).offset == 7);
  CHECK(MapOf({2, 3}, "{1,0:PAD(3,5)}")->ExplainPadding(10) ==
        "padding: dimension 0 would be at 2, past its size 2; its content is not specified");
  const auto causes = map->PaddingCauses();
  REQUIRE(causes.size() == 2);
  CHECK(causes[0].text == "dimension 0: 2 padded to 3 by the padded dimensions");
  CHECK(causes[1].logical_dims == Dims({1}));
}

TEST_CASE("a layout introduction: the right sum for [2,3] at (1,2) is 1*3+2") {
  const AddressExplanation why = MapOf({2, 3}, "{1,0}")->Explain(View(Dims{1, 2}));
  const std::vector<std::string> lines = {"index (1,2), major to minor (1,2) in (2,3)",
                                          "linear_index((1,2), (2,3))", "= 1 * 3 + 2", "= 5",
                                          "bits 160 to 191, byte 20"};
  CHECK(why.lines == lines);
}

TEST_CASE("tiled layout, figure 1: 3 by 5 in tiles of 2 by 2") {
  const auto map = MapOf({3, 5}, "{1,0:(2,2)}");
  CHECK(Memory(*map) == "abfgcdhie.j.kl..mn..o...");
  CHECK(map->padded_dims() == Dims({4, 6}));
  const AddressExplanation why = map->Explain(View(Dims{2, 3}));
  const std::vector<std::string> lines = {
      "index (2,3), major to minor (2,3) in (3,5)",
      "tile (2,2): tile index (1,1) of (2,3), within-tile index (0,1) of (2,2)",
      "linear_index_with_tile((2,3), (3,5), (2,2))",
      "= linear_index((1,1,0,1), (2,3,2,2))",
      "= linear_index((1,1), (2,3)) * 2 * 2 + linear_index((0,1), (2,2))",
      "= (1 * 3 + 1) * 2 * 2 + (0 * 2 + 1)",
      "= 17",
      "bits 544 to 575, byte 68"};
  CHECK(why.lines == lines);
  REQUIRE(why.steps.size() == 1);
  CHECK(why.steps[0].tile_index == Dims({1, 1}));
  CHECK(why.steps[0].tile_bounds == Dims({2, 3}));
  CHECK(why.steps[0].within_index == Dims({0, 1}));
  CHECK(map->TileOf(0, View(Dims{2, 3})) == 4);
  CHECK(map->ExplainPadding(9) ==
        "padding of tile (2,2): dimension 1 would be at 5, past its size 5");
  CHECK(map->ExplainPadding(24) == "outside the buffer");
  CHECK(map->ExplainPadding(-1) == "outside the buffer");
}

TEST_CASE("tiled layout, figure 2: 4 by 8 in (2,4)(2,1)") {
  // The numbers of the figure, row by row: each pair of rows of a tile is interleaved.
  const int64_t figure[4][8] = {{0, 2, 4, 6, 8, 10, 12, 14},
                                {1, 3, 5, 7, 9, 11, 13, 15},
                                {16, 18, 20, 22, 24, 26, 28, 30},
                                {17, 19, 21, 23, 25, 27, 29, 31}};
  const auto map = MapOf({4, 8}, "{1,0:(2,4)(2,1)}");
  for (int64_t row = 0; row < 4; ++row) {
    std::vector<int64_t> offsets(8);
    map->OffsetsAlong(View(Dims{row, 0}), 1, offsets);
    CHECK(std::equal(offsets.begin(), offsets.end(), figure[row]));
  }
  CHECK(map->tile_levels() == 2);
  CHECK(map->TileOf(0, View(Dims{1, 7})) == 1);
  CHECK(map->TileOf(1, View(Dims{1, 7})) == 7);
}

TEST_CASE("tiled layout: the formula with a tile is linear_index of tiles and of what is within") {
  const auto map = MapOf({5, 7, 9}, "{2,1,0:T(2,3,4)}");
  Dims e = {0, 0, 0};
  do {
    const int64_t tile = ((e[0] / 2) * 3 + e[1] / 3) * 3 + e[2] / 4;
    const int64_t within = ((e[0] % 2) * 3 + e[1] % 3) * 4 + e[2] % 4;
    CHECK(map->OffsetOf(View(e)) == tile * 24 + within);
    CHECK(map->TileOf(0, View(e)) == tile);
  } while (NextIndex({5, 7, 9}, &e));
}

TEST_CASE("tiled layout: tiling is pad, reshape, transpose") {
  const int64_t d[] = {5, 7};
  const int64_t t[] = {2, 3};
  const int64_t n[] = {3, 3};
  // Transpose of the reshaped padded array: read in the order (tile row, tile column, row, column).
  std::vector<int64_t> expected;
  for (int64_t i = 0; i < n[0]; ++i) {
    for (int64_t j = 0; j < n[1]; ++j) {
      for (int64_t k = 0; k < t[0]; ++k) {
        for (int64_t l = 0; l < t[1]; ++l) {
          const int64_t row = i * t[0] + k;
          const int64_t column = j * t[1] + l;
          const bool is_padding = row >= d[0] || column >= d[1];
          expected.push_back(is_padding ? LayoutMap::kPadding : row * d[1] + column);
        }
      }
    }
  }
  std::vector<int64_t> elements(expected.size());
  MapOf({5, 7}, "{1,0:T(2,3)}")->ElementsAt(0, elements);
  CHECK(elements == expected);
}

TEST_CASE("tiled layout: `*` is a tile of the combined array") {
  const auto map = MapOf({2, 7, 8, 11, 10}, "{4,3,2,1,0:T(*,*,2,*,3)}");
  const auto combined = MapOf({112, 110}, "{1,0:T(2,3)}");
  CHECK(map->physical_dims() == combined->physical_dims());
  CHECK(map->padded_dims() == map->dims());  // padding has no index of five numbers
  Dims e = {0, 0, 0, 0, 0};
  do {
    const Dims c = {(e[0] * 7 + e[1]) * 8 + e[2], e[3] * 10 + e[4]};
    REQUIRE(map->OffsetOf(View(e)) == combined->OffsetOf(View(c)));
  } while (NextIndex({2, 7, 8, 11, 10}, &e));
  const auto why = map->Explain(View(Dims{1, 6, 7, 10, 9}));
  CHECK(why.lines[1] ==
        "'*' combines: (1,6,7,10,9) in (2,7,8,11,10) becomes (111,109) in (112,110)");
  const auto causes = map->PaddingCauses();
  REQUIRE(causes.size() == 1);
  CHECK(causes[0].text == "dimensions 3 and 4 combined: 110 padded to 111 by tile (*,*,2,*,3)");
  CHECK(causes[0].logical_dims == Dims({3, 4}));
}

TEST_CASE("tiled layout: a later tile may reach the dimensions across tiles") {
  const auto map = MapOf({16, 16}, "{1,0:T(4,4)(2,4,4)}");
  // Two tiles of a row of tiles are neighbours, as without the second tile.
  const auto simple = MapOf({16, 16}, "{1,0:T(4,4)}");
  Dims e = {0, 0};
  do {
    CHECK(map->OffsetOf(View(e)) == simple->OffsetOf(View(e)));
  } while (NextIndex({16, 16}, &e));
  // With 2 rows of tiles in place of 2 columns they are not.
  CHECK(MapOf({16, 16}, "{1,0:T(4,4)(2,1,4,4)}")->OffsetOf(View(Dims{4, 0})) == 16);
}

TEST_CASE("tiled layout: a tile longer than the rank meets leading 1s") {
  const auto map = MapOf({8}, "{0:T(2,2)}");
  CHECK(map->physical_dims() == Dims({1, 4, 2, 2}));
  CHECK(Memory(*map) == "ab..cd..ef..gh..");
  const auto why = map->Explain(View(Dims{5}));
  CHECK(why.lines[1] == "leading 1s: (5) in (8) becomes (0,5) in (1,8)");
  CHECK(map->ExplainPadding(2) ==
        "padding of tile (2,2): a leading 1 would be at 1, past its size 1");
  // Only the second tile needs them; the first step shows the list without.
  const auto later = MapOf({8}, "{0:T(2)(1,4,1)}");
  CHECK(later->physical_dims() == Dims({1, 1, 2, 1, 4, 1}));
  CHECK(later->Explain(View(Dims{5})).steps[0].bounds == Dims({8}));
  CHECK(later->Explain(View(Dims{5})).steps[1].bounds == Dims({1, 4, 2}));
}

TEST_CASE("tiled layout: the tail is aligned") {
  const auto map = MapOf({10}, "{0:T(4)L(8)}");
  CHECK(Memory(*map) == "abcdefghij......");
  CHECK(map->physical_count() == 12);
  CHECK(map->ExplainPadding(13) == "padding of the tail alignment");
  const auto causes = map->PaddingCauses();
  REQUIRE(causes.size() == 2);
  CHECK(causes[1].text == "12 elements padded to 16 by the tail alignment");
}

TEST_CASE("tiled layout: padding of a later tile is named") {
  const auto map = MapOf({7, 9}, "{1,0:T(4,4)(3,1)}");
  const auto causes = map->PaddingCauses();
  REQUIRE(causes.size() == 3);
  CHECK(causes[2].text == "dimension 0 within tile (4,4): 4 padded to 6 by tile (3,1)");
  CHECK(map->ExplainPadding(13) ==
        "padding of tile (3,1): dimension 0 within tile (4,4) would be at 4, past its size 4");
}

TEST_CASE("packed elements: bits count from the low end") {
  const auto map = MapOf({5}, "{0:E(4)}", 8);
  const AddressExplanation why = map->Explain(View(Dims{3}));
  CHECK(why.first_bit == 12);
  CHECK(why.last_bit == 15);
  CHECK(why.lines.back() == "bits 12 to 15, byte 1 bit 4");
  CHECK(map->byte_size() == 3);
}

TEST_CASE("layout maps: scalars and empty arrays") {
  const auto scalar = MapOf({}, "");
  CHECK(scalar->element_count() == 1);
  CHECK(scalar->OffsetOf({}) == 0);
  CHECK(scalar->IndexAt(0, {}));
  CHECK_FALSE(scalar->IndexAt(1, {}));
  CHECK(Memory(*scalar) == "a");
  CHECK(scalar->Explain({}).lines.back() == "bits 0 to 31, byte 0");
  const auto empty = MapOf({0, 5}, "{1,0:T(2,2)}");
  CHECK(empty->byte_size() == 0);
  CHECK(empty->padded_dims() == Dims({0, 6}));
  Dims index(2);
  CHECK_FALSE(empty->IndexAt(0, View(&index)));
  CHECK(empty->ExplainPadding(0) == "outside the buffer");
  CHECK(MapOf({0, kMax, kMax}, "{2,1,0}")->byte_size() == 0);
}

TEST_CASE("layout maps: arrays of any size answer at once") {
  const int64_t big = int64_t{1} << 28;
  const auto map = MapOf({big, big}, "{1,0:T(8,128)}");
  const Dims last = {big - 1, big - 1};
  CHECK(map->OffsetOf(View(last)) == big * big - 1);
  Dims back(2);
  CHECK(map->IndexAt(big * big - 1, View(&back)));
  CHECK(back == last);
  std::vector<int64_t> window(16);
  map->ElementsAt(big * big - 8, window);
  CHECK(window[7] == big * big - 1);
  CHECK(window[8] == LayoutMap::kPadding);
  map->ElementsAt(kMax - 3, window);
  CHECK(window == std::vector<int64_t>(16, LayoutMap::kPadding));
}

TEST_CASE("layout maps: what does not fit 64 bits is refused with a reason") {
  struct {
    Dims dims;
    const char* layout;
    DiagCode code;
    const char* message;
  } const cases[] = {
      {{kMax}, "{0}", DiagCode::kTooLarge, "is too large"},  // the elements fit, their bits do not
      {{int64_t{1} << 32, int64_t{1} << 32}, "{1,0}", DiagCode::kTooLarge, "is too large"},
      {{1}, "{0:T(9223372036854775807)}", DiagCode::kTooLarge, "is too large"},
      {{1}, "{0:T(9223372036854775807,2)}", DiagCode::kTooLarge, "is too large"},
      {{3}, "{0:L(9223372036854775807)}", DiagCode::kTooLarge, "is too large"},
      {{3}, "{0:E(9223372036854775807)}", DiagCode::kTooLarge, "is too large"},
      {{3}, "{0:PAD(9223372036854775807)}", DiagCode::kTooLarge, "is too large"},
      {{kMax, kMax}, "{1,0:T(*,2)}", DiagCode::kTooLarge, "is too large"},
      {{0, kMax}, "{1,0:T(1,2)}", DiagCode::kTooLarge, "is too large"},
      {{4, -1}, "{1,0}", DiagCode::kLayoutInvalid, "dimension 1 has no bound"},
      {{4}, "{1}", DiagCode::kLayoutInvalid, "out-of-bounds value"},
  };
  for (const auto& c : cases) {
    INFO(c.layout);
    Diagnostics diagnostics;
    CHECK(MakeLayoutMap(View(c.dims), 32, LayoutOf(c.layout), {}, diagnostics) == nullptr);
    REQUIRE(diagnostics.size() == 1);
    CHECK(diagnostics.list()[0].code == c.code);
    INFO(diagnostics.list()[0].message);
    CHECK(diagnostics.list()[0].message.find(c.message) != std::string::npos);
  }
}

// ---- Properties of random layouts ---------------------------------------------------------------

// The rules of the reference, as slowly and as plainly as they are written there.
int64_t PlainOffset(const Dims& dims, const Layout& layout, const Dims& index) {
  const Dims& sizes =
      layout.extras().padded_dimensions.empty() ? dims : layout.extras().padded_dimensions;
  std::vector<int64_t> d, e;
  for (size_t i = dims.size(); i-- > 0;) {
    d.push_back(sizes[static_cast<size_t>(layout.minor_to_major()[i])]);
    e.push_back(index[static_cast<size_t>(layout.minor_to_major()[i])]);
  }
  for (const Tile& tile : layout.tiles()) {
    std::vector<int64_t> t(tile.dims.begin(), tile.dims.end());
    while (d.size() < t.size()) {
      d.insert(d.begin(), 1);
      e.insert(e.begin(), 0);
    }
    for (size_t i = 0; i < t.size();) {
      if (t[i] != Tile::kCombine) {
        ++i;
        continue;
      }
      const size_t at = d.size() - t.size() + i;
      e[at + 1] += e[at] * d[at + 1];
      d[at + 1] *= d[at];
      d.erase(d.begin() + static_cast<ptrdiff_t>(at));
      e.erase(e.begin() + static_cast<ptrdiff_t>(at));
      t.erase(t.begin() + static_cast<ptrdiff_t>(i));
    }
    const size_t first = d.size() - t.size();
    for (size_t i = 0; i < t.size(); ++i) {
      d.push_back(t[i]);
      e.push_back(e[first + i] % t[i]);
      d[first + i] = (d[first + i] + t[i] - 1) / t[i];
      e[first + i] /= t[i];
    }
  }
  int64_t offset = 0;
  for (size_t i = 0; i < d.size(); ++i) offset = offset * d[i] + e[i];
  return offset;
}

void CheckProperties(const RandomCase& c) {
  Diagnostics diagnostics;
  const auto map = MakeLayoutMap(View(c.dims), 16, c.layout, {}, diagnostics);
  REQUIRE(map != nullptr);
  REQUIRE(LayoutOf(LayoutText(c.layout)) == c.layout);
  REQUIRE(map->aligned_count() % c.layout.extras().tail_alignment == 0);
  std::vector<bool> used(static_cast<size_t>(map->aligned_count()));
  Dims index(c.dims.size());
  Dims back(c.dims.size());
  int64_t count = 0;
  do {
    const int64_t offset = map->OffsetOf(View(index));
    REQUIRE(offset == PlainOffset(c.dims, c.layout, index));
    REQUIRE(offset >= 0);
    REQUIRE(offset < map->physical_count());
    REQUIRE(!used[static_cast<size_t>(offset)]);
    used[static_cast<size_t>(offset)] = true;
    REQUIRE(map->IndexAt(offset, View(&back)));
    REQUIRE(back == index);
    ++count;
  } while (NextIndex(c.dims, &index));
  REQUIRE(count == map->element_count());
  REQUIRE(map->Explain(View(back)).offset == map->OffsetOf(View(back)));
  std::vector<int64_t> elements(used.size() + 2);
  map->ElementsAt(-1, elements);
  REQUIRE(elements.front() == LayoutMap::kPadding);
  REQUIRE(elements.back() == LayoutMap::kPadding);
  for (size_t i = 0; i < used.size(); ++i) {
    REQUIRE((elements[i + 1] != LayoutMap::kPadding) == used[i]);
    REQUIRE(map->ExplainPadding(static_cast<int64_t>(i)).empty() == used[i]);
  }
  REQUIRE(map->PaddingCauses().empty() == (map->aligned_count() == map->element_count()));
}

// Within padded_dims() an index beyond dims() is the address of a slot of padding, each its own.
void CheckPaddedGrid(const RandomCase& c) {
  Diagnostics diagnostics;
  const auto map = MakeLayoutMap(View(c.dims), 16, c.layout, {}, diagnostics);
  REQUIRE(map != nullptr);
  std::set<int64_t> seen;
  Dims index(c.dims.size());
  Dims back(c.dims.size());
  do {
    const int64_t offset = map->OffsetOf(View(index));
    bool is_element = true;
    for (size_t i = 0; i < index.size(); ++i) is_element &= index[i] < c.dims[i];
    REQUIRE(offset < map->physical_count());
    REQUIRE(seen.insert(offset).second);
    REQUIRE(map->IndexAt(offset, View(&back)) == is_element);
  } while (NextIndex(map->padded_dims(), &index));
}

TEST_CASE("layout maps: random layouts are injective, in range, and have their inverse") {
  std::mt19937 random(20260822);
  for (int i = 0; i < Rounds(3000); ++i) {
    const RandomCase c = MakeRandomCase(&random);
    std::string shape;
    for (int64_t size : c.dims) shape += std::to_string(size) + " ";
    INFO(shape << LayoutText(c.layout));
    Diagnostics diagnostics;
    const auto map = MakeLayoutMap(View(c.dims), 16, c.layout, {}, diagnostics);
    REQUIRE(map != nullptr);
    if (map->aligned_count() > 4000) continue;
    CheckProperties(c);
    CheckPaddedGrid(c);
  }
}

}  // namespace
}  // namespace hlo
