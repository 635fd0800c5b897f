// Morello layouts: text, validity, addresses. Figures of the data layouts document, and properties.
#include <set>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/layout/morello_analysis.h"
#include "engine/layout/morello_layout.h"
#include "engine/layout/morello_map.h"

namespace hlo {
namespace {

std::unique_ptr<MorelloMap> Map(std::string_view text, Dims dims, Diagnostics& out) {
  auto layout = ParseMorelloLayout(text, out);
  if (!layout) return nullptr;
  return MorelloMap::Make(dims, 32, *layout, {0, static_cast<uint32_t>(text.size())}, out);
}

TEST_CASE("Morello layouts read and print in their short form") {
  for (const char* text : {"[0, 1]", "[1, 0, 1 p(4)]", "NHWC", "[0, 0 oe(8)]", "[]",
                           "([0, 1, 0 p(2)], c1)", "(NHWC, c2)"}) {
    Diagnostics out;
    auto layout = ParseMorelloLayout(text, out);
    REQUIRE(layout);
    CHECK(MorelloLayoutText(*layout) == text);
  }
  Diagnostics out;
  CHECK(MorelloLayoutText(*ParseMorelloLayout("[0,2,3,1]", out)) == "NHWC");
}

TEST_CASE("what is no Morello layout is refused on its character") {
  struct Bad {
    const char* text;
    uint32_t at;
    const char* words;
  };
  for (const Bad& bad : std::vector<Bad>{{"", 0, "expected '['"},
                                         {"[0", 2, "expected ']'"},
                                         {"[0, x]", 4, "expected a number"},
                                         {"[0 p(1)]", 5, "2 or more"},
                                         {"[0 oe(3)]", 6, "even number"},
                                         {"[0] 1", 4, "nothing may follow"},
                                         {"([0], c2)", 7, "2 contiguous dimensions of 1"},
                                         {"[99999999999999999999]", 1, "too large"}}) {
    INFO(bad.text);
    Diagnostics out;
    CHECK(!ParseMorelloLayout(bad.text, out));
    REQUIRE(out.size() == 1);
    CHECK(out.list()[0].range.begin == bad.at);
    CHECK(out.list()[0].message.find(bad.words) != std::string::npos);
  }
}

TEST_CASE("the packed 6x8 of the data layouts document") {
  // d1 % 4 + 4 * d0 + 24 * floor(d1 / 4); the document counts the first term twice.
  Diagnostics out;
  auto map = Map("[1, 0, 1 p(4)]", {6, 8}, out);
  REQUIRE(map);
  CHECK(map->physical_dims() == Dims{2, 6, 4});
  for (int64_t i = 0; i < 6; ++i) {
    for (int64_t j = 0; j < 8; ++j) {
      CHECK(map->OffsetOf(Dims{i, j}) == j % 4 + 4 * i + 24 * (j / 4));
    }
  }
  CHECK(map->Explain(Dims{5, 7}).offset == 47);
}

TEST_CASE("odd-even strips hold the evens, then the odds") {
  Diagnostics out;
  auto map = Map("[0 oe(8)]", {8}, out);
  REQUIRE(map);
  std::vector<int64_t> offsets;
  for (int64_t i = 0; i < 8; ++i) offsets.push_back(map->OffsetOf(Dims{i}));
  CHECK(offsets == std::vector<int64_t>{0, 4, 1, 5, 2, 6, 3, 7});
}

TEST_CASE("layouts that do not apply to a shape say which part is wrong") {
  struct Bad {
    const char* text;
    Dims dims;
    uint32_t at;
    const char* words;
  };
  for (const Bad& bad :
       std::vector<Bad>{{"[0 p(2)]", {6}, 0, "are not covered"},
                        {"[0 oe(4)]", {2}, 1, "more than the 2 values"},
                        {"[1, 0, 1 p(4)]", {5, 6}, 7, "does not divide"},
                        {"[0, 2]", {2, 2}, 4, "no dimension 2"},
                        {"[0, 0]", {4}, 1, "covered already"},
                        {"[0 p(4), 0 p(4)]", {2}, 1, "more than the 1 values"},
                        {"[0]", {0}, 0, "has size 0"},
                        {"[0, 1]", {int64_t{1} << 40, int64_t{1} << 40}, 0, "64 bits"}}) {
    INFO(bad.text);
    Diagnostics out;
    CHECK(!Map(bad.text, bad.dims, out));
    REQUIRE(out.size() == 1);
    CHECK(out.list()[0].range.begin == bad.at);
    CHECK(out.list()[0].message.find(bad.words) != std::string::npos);
  }
}

TEST_CASE("Morello maps are bijections") {
  struct Good {
    const char* text;
    Dims dims;
  };
  for (const Good& good : std::vector<Good>{{"[0, 1]", {6, 8}},
                                            {"NHWC", {2, 3, 4, 5}},
                                            {"[0, 1, 2, 3, 1 p(4)]", {1, 8, 2, 2}},
                                            {"[0, 1, 2, 2 oe(16)]", {1, 2, 32}},
                                            {"[1, 0 oe(4), 0 p(2)]", {8, 3}},
                                            {"[1, 0, 1 p(4), 0 p(2), 1 p(4)]", {10, 8}},
                                            {"[0 p(4), 1]", {1, 64}},
                                            {"[]", {}},
                                            {"[1]", {1, 7}}}) {
    INFO(good.text);
    Diagnostics out;
    auto map = Map(good.text, good.dims, out);
    REQUIRE(map);
    std::set<int64_t> offsets;
    Dims index(good.dims.size());
    for (int64_t slot = 0; slot < map->physical_count(); ++slot) {
      REQUIRE(map->IndexAt(slot, {index.data(), index.size()}));
      CHECK(map->OffsetOf(index) == slot);
      for (size_t i = 0; i < index.size(); ++i) CHECK(index[i] < good.dims[i]);
    }
    CHECK(map->physical_count() == map->element_count());
    CHECK(!map->IndexAt(map->physical_count(), {index.data(), index.size()}));
  }
}

TEST_CASE("Morello's analyses: order, contiguity, cache lines") {
  Diagnostics out;
  auto layout = [&](const char* text) { return *ParseMorelloLayout(text, out); };
  CHECK(IsRowMajor(layout("[0, 2, 3]")));
  CHECK(IsRowMajor(layout("[]")));
  CHECK(!IsRowMajor(layout("[0, 1, 0 p(2)]")));
  CHECK(IsColMajor(layout("[2, 1, 0]")));
  CHECK(!IsColMajor(layout("[1, 2, 0]")));
  CHECK(IsFullyContiguous(layout("[1, 0]")));
  CHECK(!IsFullyContiguous(layout("([1, 0], c1)")));
  auto lines = [&](const char* text, const Dims& dims) {
    return EstimateCacheLines(layout(text), *Map(text, dims, out), 64).value_or(-1);
  };
  CHECK(lines("[0, 1]", {128, 16}) == 128);
  CHECK(lines("([0, 1], c1)", {6, 128}) == 48);
  CHECK(lines("[0, 1]", {3, 3}) == 1);
  CHECK(lines("([0, 1], c1)", {3, 3}) == 3);
  CHECK(lines("[2, 1, 2 p(16)]", {1, 128, 2048}) == 16384);
  CHECK(lines("([0, 1], c0)", {3, 3}) == 9);
}

TEST_CASE("Morello's layout of a tile") {
  Diagnostics out;
  auto tiled = [&](const char* text, const Dims& parent, const Dims& tile) {
    std::string reason;
    const auto layout = UpdateForTiling(*ParseMorelloLayout(text, out), parent, tile, &reason);
    return layout ? MorelloLayoutText(*layout) : "no: " + reason;
  };
  CHECK(tiled("[1, 0]", {128, 128}, {8, 1}) == "[0]");
  CHECK(tiled("[0, 1]", {8, 8}, {8, 8}) == "[0, 1]");
  CHECK(tiled("[0, 1]", {8, 8}, {4, 8}) == "[0, 1]");
  CHECK(tiled("[0, 1]", {8, 8}, {8, 4}) == "([0, 1], c1)");
  CHECK(tiled("[0, 2, 1, 2 p(32)]", {2, 4, 64}, {1, 4, 16}) == "([1, 2], c1)");
  // A tile as wide as the pack is a matrix of whole packs.
  CHECK(tiled("[1, 0, 1 p(4)]", {64, 64}, {16, 4}) == "[0, 1]");
  CHECK(tiled("[1, 0, 1 p(4)]", {64, 64}, {16, 2}) == "([0, 1], c1)");
  CHECK(tiled("[0, 1 p(2)]", {4, 2}, {4, 3}) ==
        "no: the layout does not apply to the shape: 3 values of dimension 1 are left, which 2 "
        "does not divide");
}

TEST_CASE("Morello layouts that its constructor would not take are warned of or refused") {
  Diagnostics out;
  CHECK(Map("[0, 0 p(4)]", {8}, out) != nullptr);
  REQUIRE(out.size() == 1);
  CHECK(out.list()[0].severity == Severity::kWarning);
  CHECK(out.list()[0].range == Range{4, 10});
  CHECK(out.list()[0].message.find("one physical dimension") != std::string::npos);
  Diagnostics refused;
  CHECK(Map("[0 oe(4), 0 oe(2)]", {8}, refused) == nullptr);
  REQUIRE(refused.size() == 1);
  CHECK(refused.list()[0].range == Range{1, 8});
  Diagnostics quirk;
  CHECK(Map("[0 oe(4), 1, 0 p(2)]", {8, 3}, quirk) != nullptr);
  REQUIRE(quirk.size() == 1);
  CHECK(quirk.list()[0].severity == Severity::kWarning);
  CHECK(quirk.list()[0].message.find("two elements to one address") != std::string::npos);
}

}  // namespace
}  // namespace hlo
