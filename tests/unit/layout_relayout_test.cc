// engine/layout, engine/ops: relayouts against the plain loop, there and back.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/base/bits.h"
#include "engine/base/budget.h"
#include "engine/layout/relayout.h"
#include "engine/layout/relayout_cost.h"
#include "engine/ops/movement/relayout_copy.h"
#include "tests/unit/layout_cases.h"
#include "tests/unit/sanitizers.h"

namespace hlo {
namespace {

// The bits of the element at an offset.
uint64_t BitsAt(const std::vector<std::byte>& buffer, int64_t offset, int64_t bits) {
  uint64_t value = 0;
  for (int64_t i = std::min<int64_t>(bits, 64); i-- > 0;) {
    const int64_t bit = offset * bits + i;
    const auto byte = static_cast<uint8_t>(buffer[static_cast<size_t>(bit / 8)]);
    value = 2 * value + ((byte >> (bit % 8)) & 1);
  }
  return value;
}

std::vector<std::byte> RandomBytes(int64_t size, std::mt19937* random) {
  std::vector<std::byte> bytes(static_cast<size_t>(size));
  for (std::byte& byte : bytes) byte = static_cast<std::byte>((*random)());
  return bytes;
}

// Pieces that are consecutive on both sides, in the order of the source.
int64_t CountRuns(const LayoutMap& from, const LayoutMap& to) {
  std::vector<std::pair<int64_t, int64_t>> places;
  Dims index(from.dims().size());
  do {
    places.emplace_back(from.OffsetOf(View(index)), to.OffsetOf(View(index)));
  } while (NextIndex(from.dims(), &index));
  std::sort(places.begin(), places.end());
  int64_t runs = 1;
  for (size_t i = 1; i < places.size(); ++i) {
    runs +=
        places[i].first != places[i - 1].first + 1 || places[i].second != places[i - 1].second + 1
            ? 1
            : 0;
  }
  return runs;
}

RelayoutCost CostOf(const Dims& dims, std::string_view from, std::string_view to, int bits = 32) {
  return CostOfRelayout(*MapOf(dims, from, bits), *MapOf(dims, to, bits));
}

TEST_CASE("relayouts: what is a bitcast") {
  CHECK(CostOf({4, 6}, "{1,0}", "{1,0}").bitcast);
  CHECK(!CostOf({4, 6}, "{1,0}", "{0,1}").bitcast);
  // Orders differ only in dimensions of size 1.
  CHECK(CostOf({4, 1, 6}, "{2,1,0}", "{1,2,0}").bitcast);
  // Tiles as wide as the array are rows.
  CHECK(CostOf({16, 128}, "{1,0}", "{1,0:T(8,128)}").bitcast);
  CHECK(!CostOf({16, 256}, "{1,0}", "{1,0:T(8,128)}").bitcast);
  // The same places in a longer buffer.
  CHECK(!CostOf({10}, "{0}", "{0:L(8)}").bitcast);
  CHECK(CostOf({0, 3}, "{1,0}", "{0,1}").bitcast);
  // No digits in common, and still the same: the layouts are.
  CHECK(CostOf({5, 7}, "{1,0:T(4,4)(3,1)}", "{1,0:T(4,4)(3,1)}").bitcast);
  CHECK(CostOf({100, 700, 900}, "{2,1,0:T(*,*,999)}", "{2,1,0:T(*,*,999)}").bitcast);
}

TEST_CASE("relayouts: runs and lines") {
  const RelayoutCost tiles = CostOf({16, 256}, "{1,0}", "{1,0:T(8,128)}");
  // Each row of each tile, but for the last of one and the first of another, which meet.
  CHECK(tiles.runs == 31);
  CHECK(tiles.run_elements == 256);
  CHECK(tiles.lines_read == 16 * 256 * 4 / 64);
  CHECK(tiles.lines_written == 16 * 256 * 4 / 64);
  const RelayoutCost transpose = CostOf({16, 256}, "{1,0}", "{0,1}");
  CHECK(transpose.runs == 4096);
  CHECK(transpose.run_elements == 1);
  // One element per row of 128: 8 lines of data in 8 KB that are one tile.
  const RelayoutCost thin = CostOf({16, 1}, "{1,0}", "{1,0:T(8,128)}");
  CHECK(thin.lines_read == 1);
  CHECK(thin.lines_written == 16);
  CHECK(CostOf({3, 5}, "{1,0}", "{1,0}").runs == 1);
  // Addresses without common digits.
  const RelayoutCost combined =
      CostOf({2, 7, 8, 11, 10}, "{4,3,2,1,0:T(*,*,2,*,3)}", "{4,3,2,1,0}");
  CHECK(combined.runs == 4144);
  CHECK(combined.run_elements == 3);
  // Words of two rows, one of which is there alone.
  const RelayoutCost odd =
      CostOf({3, 9, 100}, "{2,1,0:T(8,128)(2,1)}", "{1,2,0:T(8,128)(2,1)}", 16);
  CHECK(odd.lines_written == 150);
  CHECK(CostOf({37, 9}, "{1,0:T(8,128)(2,1)}", "{0,1:T(8,128)(2,1)}", 16).lines_read == 19);
  // Elements across the ends of lines.
  CHECK(CostOf({3, 64}, "{1,0}", "{0,1}", 24).lines_read == 9);
}

TEST_CASE("relayouts: of many elements runs and lines are estimated") {
  const RelayoutCost tiles = CostOf({1024, 1024}, "{1,0}", "{1,0:T(8,128)}");
  CHECK(!tiles.is_exact);
  CHECK(tiles.runs == 8192);
  CHECK(tiles.lines_written == 1024 * 1024 * 4 / 64);
  const RelayoutCost unknown = CostOf({1500, 1000}, "{1,0:T(4,4)(3,1)}", "{1,0}");
  CHECK(!unknown.is_exact);
  CHECK(unknown.runs == 0);
  CHECK(unknown.lines_written == 1500 * 1000 * 4 / 64);
}

TEST_CASE("relayouts: any width, packed elements too") {
  std::mt19937 random(7);
  const Dims dims = {5, 9};
  Budget budget;
  for (int bits : {1, 2, 4, 8, 16, 24, 32, 64, 128}) {
    INFO(bits);
    const auto from = MapOf(dims, "{1,0:T(2,4)}", bits);
    const auto to = MapOf(dims, "{0,1:T(4)(2,1)}", bits);
    const auto source = RandomBytes(from->byte_size(), &random);
    std::vector<std::byte> target(static_cast<size_t>(to->byte_size()));
    CopyRelayout(*from, source.data(), *to, target.data(), &budget);
    Dims index(2);
    do {
      REQUIRE(BitsAt(source, from->OffsetOf(View(index)), bits) ==
              BitsAt(target, to->OffsetOf(View(index)), bits));
    } while (NextIndex(dims, &index));
  }
  // Four bits in a byte of their own, and packed.
  const auto wide = MapOf(dims, "{1,0}", 8);
  const auto packed = MapOf(dims, "{0,1:E(4)}", 8);
  const auto source = RandomBytes(packed->byte_size(), &random);
  std::vector<std::byte> middle(static_cast<size_t>(wide->byte_size()), std::byte{0xff});
  std::vector<std::byte> back(source.size());
  CopyRelayout(*packed, source.data(), *wide, middle.data(), &budget);
  CHECK((middle[0] & std::byte{0xf0}) == std::byte{0});
  CopyRelayout(*wide, middle.data(), *packed, back.data(), &budget);
  for (int64_t i = 0; i < 45; ++i) REQUIRE(BitsAt(source, i, 4) == BitsAt(back, i, 4));
}

TEST_CASE("relayouts: large transposes and tiles, by the plain loop") {
  std::mt19937 random(8);
  Budget budget;
  for (const Dims& dims : {Dims{300, 517}, Dims{3, 129, 70}, Dims{1, 70000}, Dims{70000, 2}}) {
    const std::string down = dims.size() == 2 ? "1,0" : "2,1,0";
    const std::string up = dims.size() == 2 ? "0,1" : "0,2,1";
    for (int bits : {8, 16, 32, 64, 128}) {
      for (const std::string& layout : {"{" + up + "}", "{" + down + ":T(8,128)(4,1)}",
                                        "{" + up + ":T(8,128)}", "{" + down + ":T(8,128)(2,1)}"}) {
        INFO(layout << " " << bits << " " << dims[0]);
        const auto from = MapOf(dims, "{" + down + "}", bits);
        const auto to = MapOf(dims, layout, bits);
        const auto source = RandomBytes(from->byte_size(), &random);
        std::vector<std::byte> target(static_cast<size_t>(to->byte_size()));
        std::vector<std::byte> back(source.size());
        CopyRelayout(*from, source.data(), *to, target.data(), &budget);
        CopyRelayout(*to, target.data(), *from, back.data(), &budget);
        REQUIRE(back == source);
        Dims index(dims.size());
        const int64_t width = bits / 8;
        int64_t wrong = 0;
        do {
          wrong += std::equal(source.begin() + from->OffsetOf(View(index)) * width,
                              source.begin() + (from->OffsetOf(View(index)) + 1) * width,
                              target.begin() + to->OffsetOf(View(index)) * width)
                       ? 0
                       : 1;
        } while (NextIndex(dims, &index));
        REQUIRE(wrong == 0);
      }
    }
  }
}

TEST_CASE("relayouts: random layouts, there and back") {
  std::mt19937 random(20261122);
  Budget budget;
  int bitcasts = 0;
  int by_element = 0;
  constexpr int kWidths[] = {4, 8, 16, 32, 64, 128};
  for (int i = 0; i < Rounds(100000); ++i) {
    Dims dims;
    for (unsigned rank = random() % 4; rank > 0; --rank) dims.push_back(1 + random() % 5);
    const Layout a = RandomLayout(dims, &random);
    const Layout b = random() % 16 == 0 ? a : RandomLayout(dims, &random);
    const int bits = kWidths[random() % 6];
    Diagnostics diagnostics;
    const auto from = MakeLayoutMap(View(dims), bits, a, {}, diagnostics);
    const auto to = MakeLayoutMap(View(dims), bits, b, {}, diagnostics);
    INFO(LayoutText(a) << " to " << LayoutText(b) << " of rank " << dims.size());
    REQUIRE(from != nullptr);
    REQUIRE(to != nullptr);
    const std::vector<std::byte> source = RandomBytes(from->byte_size(), &random);
    std::vector<std::byte> target(static_cast<size_t>(to->byte_size()));
    std::vector<std::byte> back(source.size());
    CopyRelayout(*from, source.data(), *to, target.data(), &budget);
    CopyRelayout(*to, target.data(), *from, back.data(), &budget);
    bool same_places = from->byte_size() == to->byte_size();
    Dims index(dims.size());
    bool good = true;
    do {
      const int64_t at = from->OffsetOf(View(index));
      const int64_t there = to->OffsetOf(View(index));
      same_places = same_places && at == there;
      good = good && BitsAt(source, at, bits) == BitsAt(target, there, bits) &&
             BitsAt(source, at, bits) == BitsAt(back, at, bits);
    } while (NextIndex(dims, &index));
    REQUIRE(good);
    if (i % 10 != 0) continue;
    const RelayoutCost cost = CostOfRelayout(*from, *to);
    REQUIRE(cost.bitcast == same_places);
    REQUIRE(cost.runs == CountRuns(*from, *to));
    REQUIRE(cost.run_elements >= CeilDiv(from->element_count(), cost.runs));
    bitcasts += cost.bitcast ? 1 : 0;
    by_element += PlanRelayout(*from, *to).by_element ? 1 : 0;
  }
  CHECK(bitcasts > Rounds(500));
  CHECK(by_element > Rounds(100));
  CHECK(by_element < 5000);
}

}  // namespace
}  // namespace hlo
