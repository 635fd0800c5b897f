// engine/layout: how layouts come about step by step, and addresses as digits.
#include <random>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/layout/film.h"
#include "engine/layout/morello_map.h"
#include "engine/views/layout_subject.h"
#include "tests/unit/layout_cases.h"
#include "tests/unit/sanitizers.h"

namespace hlo {
namespace {

// "pad 4x6 extend" per step.
std::vector<std::string> StepTexts(const LayoutMap& map) {
  constexpr const char* kKinds[] = {"start", "pad", "reshape", "transpose", "swizzle", "place"};
  constexpr const char* kEffects[] = {"bitcast", "extend", "move"};
  std::vector<std::string> lines;
  const Film film(map);
  for (size_t f = 1; f < film.frames().size(); ++f) {
    const LayoutStep& step = film.frames()[f];
    std::string line = kKinds[static_cast<size_t>(step.kind)];
    for (int64_t size : step.after) line += " " + std::to_string(size);
    lines.push_back(line + " " + kEffects[static_cast<size_t>(film.effect(f))]);
  }
  return lines;
}

std::unique_ptr<MorelloMap> MorelloOf(const Dims& dims, std::string_view text) {
  Diagnostics diagnostics;
  const auto layout = ParseMorelloLayout(text, diagnostics);
  REQUIRE(layout);
  auto map = MorelloMap::Make(View(dims), 32, *layout, {}, diagnostics);
  REQUIRE(map != nullptr);
  return map;
}

// Every frame holds every element once, the last one where the map says; digits add up to it.
void CheckFilm(const LayoutMap& map) {
  const Film film(map);
  const size_t last = film.frames().size() - 1;
  REQUIRE(last > 0);
  REQUIRE(film.frames()[0].after == map.dims());
  REQUIRE(film.frames()[last].after == Dims({map.aligned_count()}));
  DigitForm form;
  std::string why;
  const bool has_digits = map.Digits(&form, &why);
  REQUIRE(has_digits == why.empty());
  Dims back(map.dims().size());
  Dims index(map.dims().size());
  do {
    for (size_t f = 0; f <= last; ++f) {
      const Dims place = film.PlaceOf(f, View(index));
      const Dims& sizes = film.frames()[f].after;
      REQUIRE(place.size() == sizes.size());
      int64_t slot = 0;
      for (size_t i = 0; i < sizes.size(); ++i) {
        REQUIRE(place[i] >= 0);
        REQUIRE(place[i] < sizes[i]);
        slot = slot * sizes[i] + place[i];
      }
      REQUIRE(film.ElementAt(f, slot, View(&back)));
      REQUIRE(back == index);
      if (f == last) REQUIRE(slot == map.OffsetOf(View(index)));
    }
    if (!has_digits) continue;
    int64_t offset = form.base;
    for (const LayoutDigit& d : form.digits) {
      offset += d.stride * (index[static_cast<size_t>(d.dim)] / d.below % d.size);
    }
    REQUIRE(offset == map.OffsetOf(View(index)));
  } while (NextIndex(map.dims(), &index));
  for (size_t f = 0; f <= last; ++f) {
    int64_t held = 0;
    for (int64_t slot = 0; slot < film.slot_count(f); ++slot) {
      held += film.ElementAt(f, slot, View(&back)) ? 1 : 0;
    }
    REQUIRE(held == map.element_count());
    REQUIRE(!film.ElementAt(f, film.slot_count(f), View(&back)));
  }
}

TEST_CASE("tiled layout: figure 1 as pad, reshape, transpose") {
  CHECK(StepTexts(*MapOf({3, 5}, "{1,0:T(2,2)}")) ==
        std::vector<std::string>{"pad 4 6 move", "reshape 2 2 3 2 bitcast",
                                 "transpose 2 3 2 2 move", "reshape 24 bitcast"});
}

TEST_CASE("tiled layout: figure 2 repeats the steps for each tile") {
  CHECK(StepTexts(*MapOf({4, 8}, "{1,0:T(2,4)(2,1)}")) ==
        std::vector<std::string>{
            "reshape 2 2 2 4 bitcast", "transpose 2 2 2 4 move",
            // Tile (2,1) takes the last two of 2,2,2,4; (4,1) is one column of the tile.
            "reshape 2 2 1 2 4 1 bitcast", "transpose 2 2 1 4 2 1 move", "reshape 32 bitcast"});
}

TEST_CASE("tiled layout: combining is a bitcast before the padding") {
  CHECK(StepTexts(*MapOf({2, 7, 8, 11, 10}, "{4,3,2,1,0:T(*,*,2,*,3)}")) ==
        std::vector<std::string>{"reshape 112 110 bitcast", "pad 112 111 move",
                                 "reshape 56 2 37 3 bitcast", "transpose 56 37 2 3 move",
                                 "reshape 12432 bitcast"});
}

TEST_CASE("films: orders, leading 1s, tails, padding that only grows the buffer") {
  CHECK(StepTexts(*MapOf({2, 3}, "{0,1}")) ==
        std::vector<std::string>{"transpose 3 2 move", "reshape 6 bitcast"});
  CHECK(StepTexts(*MapOf({2, 3}, "{1,0}")) == std::vector<std::string>{"reshape 6 bitcast"});
  CHECK(StepTexts(*MapOf({1, 3}, "{0,1}")) ==
        std::vector<std::string>{"transpose 3 1 bitcast", "reshape 3 bitcast"});
  CHECK(StepTexts(*MapOf({10}, "{0:T(4)L(8)}")) ==
        std::vector<std::string>{"pad 12 extend", "reshape 3 4 bitcast", "reshape 12 bitcast",
                                 "pad 16 extend"});
  CHECK(StepTexts(*MapOf({8}, "{0:T(2,2)}")) ==
        std::vector<std::string>{"reshape 1 8 bitcast", "pad 2 8 extend", "reshape 1 2 4 2 bitcast",
                                 "transpose 1 4 2 2 move", "reshape 16 bitcast"});
  CHECK(StepTexts(*MapOf({2, 3}, "{0,1:PAD(3,5;0)}")) ==
        std::vector<std::string>{"transpose 3 2 move", "pad 5 3 move", "reshape 15 bitcast"});
}

TEST_CASE("films: Morello's packed 6x8 and an odd-even strip") {
  CHECK(StepTexts(*MorelloOf({6, 8}, "[1, 0, 1 p(4)]")) ==
        std::vector<std::string>{"reshape 6 2 4 bitcast", "transpose 2 6 4 move",
                                 "reshape 48 bitcast"});
  CHECK(StepTexts(*MorelloOf({16}, "[0, 0 oe(8)]")) ==
        std::vector<std::string>{"reshape 2 4 2 bitcast", "transpose 2 2 4 move",
                                 "reshape 16 bitcast"});
}

TEST_CASE("films: the last frame of random layouts is the map") {
  std::mt19937 random(20261121);
  int without_digits = 0;
  for (int i = 0; i < Rounds(1500); ++i) {
    const RandomCase c = MakeRandomCase(&random);
    std::string shape;
    for (int64_t size : c.dims) shape += std::to_string(size) + " ";
    INFO(shape << LayoutText(c.layout));
    Diagnostics diagnostics;
    const auto map = MakeLayoutMap(View(c.dims), 16, c.layout, {}, diagnostics);
    REQUIRE(map != nullptr);
    if (map->aligned_count() > 2000) continue;
    CheckFilm(*map);
    DigitForm form;
    std::string why;
    without_digits += map->Digits(&form, &why) ? 0 : 1;
  }
  CHECK(without_digits > 0);
  CHECK(without_digits < 500);
  for (std::string_view text : {"[0, 1]", "[1, 0]", "[1, 0, 1 p(4)]", "[0, 1, 0 p(2), 1 p(2)]",
                                "[0, 1, 1 oe(8)]", "[1, 0 oe(4), 0 p(2)]"}) {
    INFO(text);
    CheckFilm(*MorelloOf({8, 16}, text));
  }
}

TEST_CASE("films: CuTe with a swizzle, strides with gaps") {
  auto map_of = [](std::string_view subject) {
    Diagnostics diagnostics;
    LayoutSubject read = ReadLayoutSubject(subject, diagnostics);
    INFO(subject);
    REQUIRE(read.map != nullptr);
    return std::move(read.map);
  };
  const auto swizzled = map_of("cute: Sw<2,0,2> o 0 o (4,4):(4,1)");
  CHECK(StepTexts(*swizzled) == std::vector<std::string>{"reshape 16 bitcast", "swizzle 16 move"});
  CHECK(StepTexts(*map_of("strides: f32[2,3] (8,2)")) ==
        std::vector<std::string>{"reshape 2 3 1 bitcast", "pad 2 4 2 move", "reshape 16 bitcast",
                                 "pad 13 extend"});
  for (std::string_view subject :
       {"cute: Sw<2,0,2> o 0 o (4,4):(4,1)", "cute: Sw<1,1,2> o 0 o ((2,4),4):((1,8),2)",
        "cute: Sw<2,0,-2> o 0 o (4,4):(1,4)", "cute: ((2,2),(4,2)):((1,8),(2,16))",
        "strides: f32[4,6] (6,1)", "strides: f32[4,6] (-6,1) offset=18",
        "strides: f32[4,6] (1,4) offset=3", "strides: f32[3,2] (7,3)"}) {
    INFO(subject);
    CheckFilm(*map_of(subject));
  }
}

TEST_CASE("films: empty arrays and scalars have frames and no elements to ask for") {
  const auto empty = MapOf({0, 5}, "{1,0:T(2,2)}");
  const Film film(*empty);
  Dims index(2);
  for (size_t f = 0; f < film.frames().size(); ++f) {
    CHECK(film.slot_count(f) == 0);
    CHECK(!film.ElementAt(f, 0, View(&index)));
  }
  CHECK(StepTexts(*MapOf({}, "")) == std::vector<std::string>{"reshape 1 bitcast"});
}

}  // namespace
}  // namespace hlo
