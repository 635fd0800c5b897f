// engine/layout: the text of layouts, its faults, and whether layouts fit their shapes.
#include "engine/layout/layout_text.h"

#include <random>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "tests/unit/layout_cases.h"

namespace hlo {
namespace {

TEST_CASE("layout text: what is printed is what was read") {
  const char* const texts[] = {
      "{0}",
      "{1,0}",
      "{5,4,3,2,1,0}",
      "{11,10,9,8,7,6,5,4,3,2,1,0}",
      "{:T(256)}",
      "{:S(5)}",
      "{1,0:T(8,128)}",
      "{1,0:T(8,128)(2,1)}",
      "{4,3,2,1,0:T(*,*,2,*,3)}",
      "{0:L(1024)}",
      "{1,0:#(u32)}",
      "{1,0:*(u8)}",
      "{1,0:E(4)}",
      "{1,0:S(1)}",
      "{1,0:S(-3)}",
      "{0,1,2:SC(0:30)(1:40,130)}",
      "{1,0:P(f32[3])}",
      "{1,0:P((s32[4]{0}, f32[9]{0:T(4)}))}",
      "{1,0:M(1024)}",
      "{1,0:PAD(3,5)}",
      "{1,0:PAD(3,5;0)}",
      "{1,0:PAD(3,5;-1.5e3)}",
      "{1,0:T(8,128)(2,1)L(8)#(u32)*(u32)E(4)S(1)SC(0:30)(1:40,130)P(f32[3])M(16)PAD(3,5;0)}",
  };
  for (const char* text : texts) CHECK(LayoutText(LayoutOf(text)) == text);
  CHECK(LayoutText(Layout()).empty());
  CHECK(LayoutText(Layout::Descending(0)).empty());
  CHECK(LayoutText(Layout::Descending(3)) == "{2,1,0}");
}

TEST_CASE("layout text: other ways to write the same") {
  struct {
    const char* text;
    const char* printed;
  } const cases[] = {
      {"{1,0:(2,2)}", "{1,0:T(2,2)}"},  // tiled layout documentation
      {"{1,0:(2,4)(2,1)S(1)}", "{1,0:T(2,4)(2,1)S(1)}"},
      {"{ 1 , 0 }", "{1,0}"},
      {"{0,1,2:T(2, * , 128)}", "{0,1,2:T(2,*,128)}"},
      {"{1,0: T (8,128) (2,1) S (1)}", "{1,0:T(8,128)(2,1)S(1)}"},
      {"{1,/*most major*/0:// tiles\nT(2)}", "{1,0:T(2)}"},
      {"{1,0:}", "{1,0}"},
      {"{}", ""},
      {"{:}", ""},
      {"{01,0}", "{1,0}"},
      {"{1,0:L(1)E(0)S(0)M(0)}", "{1,0}"},
      {"{1,0:D(D,C+~)}", "{1,0}"},
      {"{2,1,0:D(H,S~,D)T(2)}", "{2,1,0:T(2)}"},
      {"{:PAD(;7)}", "{:PAD(;7)}"},
  };
  for (const auto& c : cases) CHECK(LayoutText(LayoutOf(c.text)) == c.printed);
}

TEST_CASE("layout text: what follows the layout is left alone") {
  Diagnostics diagnostics;
  CHECK(ParseLayout("{1,0} parameter(0)", 0, diagnostics).consumed == 5);
  CHECK(ParseLayout("{1,0:T(2,2)}{1}", 0, diagnostics).consumed == 12);
  CHECK(diagnostics.empty());
}

struct BadText {
  const char* text;
  const char* message;
  uint32_t begin, end;
};

TEST_CASE("layout text: every fault says what and where") {
  const BadText cases[] = {
      {"", "expects '{' at the start of the layout, but the text ends", 0, 0},
      {"[1,0]", "expects '{' at the start of the layout, but sees '['", 0, 1},
      {"{1,0", "expects '}' at the end of the layout, but the text ends", 4, 4},
      {"{1,}", "expects a dimension number, but sees '}'", 3, 4},
      {"{1 0}", "expects '}' at the end of the layout, but sees '0'", 3, 4},
      {"{1,x}", "expects a dimension number, but sees 'x'", 3, 4},
      {"{99999999999999999999}", "a dimension number must fit 64 bits", 1, 21},
      {"{-99999999999999999999,0}", "a dimension number must fit 64 bits", 1, 22},
      {"{0:Q(1)}", "expects a part of the layout (D T L # * E S SC P M PAD) or '}', but sees 'Q'",
       3, 4},
      {"{0:t(2)}", "expects a part of the layout", 3, 4},
      {"{0:TS(2)}", "expects a part of the layout", 3, 5},
      {"{0:T}", "expects '(' before a tile, but sees '}'", 4, 5},
      {"{0:T(2}", "expects ')' after a tile, but sees '}'", 6, 7},
      {"{0:T()}", "layout has invalid tiles: a tile has no sizes", 4, 6},
      {"{0:T(0)}", "layout has invalid tiles: 0 is no tile size (1 or more, or '*')", 5, 6},
      {"{0:T(2,-4)}", "layout has invalid tiles: -4 is no tile size", 7, 9},
      {"{0:T(2,*)}", "layout has invalid tiles: '*' as the last entry", 7, 8},
      {"{0:T(\u2217,2)}", "the star of a tile is '*', not '\u2217'", 5, 8},
      {"{0:T(\u00e9)}", "expects a tile size, but sees '\u00e9'", 5, 7},
      {"{0:T(2,)}", "expects a tile size, but sees ')'", 7, 8},
      {"{0:L(0)}", "tail padding alignment must be at least 1, not 0", 5, 6},
      {"{0:L 8}", "expects '(' before tail padding alignment, but sees '8'", 5, 6},
      {"{0:E(-1)}", "element size in bits must be at least 0, not -1", 5, 7},
      {"{0:E(4}", "expects ')' after element size in bits, but sees '}'", 6, 7},
      {"{0:M(-8)}", "metadata prefix bytes must be at least 0, not -8", 5, 7},
      {"{0:#(f32)}", "the index type must be an unsigned integer type, not f32", 5, 8},
      {"{0:*()}", "expects the pointer type", 5, 6},
      {"{0:SC(0,1)}", "expects ':' after the physical dimension of a split, but sees ','", 7, 8},
      {"{0:SC(0:)}", "expects a split index, but sees ')'", 8, 9},
      {"{0:P()}", "the physical shape is empty", 4, 6},
      {"{0:P(f32[", "expects ')' after the physical shape, but the text ends", 9, 9},
      {"{0:PAD(3;)}", "expects a padding value, but sees ')'", 9, 10},
      {"{0:S(1)T(2)}", "layout part 'T' cannot follow 'S'", 7, 8},
      {"{0:S(1)S(2)}", "layout part 'S' is given twice", 7, 8},
      {"{1,0:D(X,C)}", "expected a DimLevelType abbreviation (D, C, S or H), but sees 'X'", 7, 8},
      {"{1,0:D(D)}", "Dimensions size is 2, but dim level types size is 1.", 6, 9},
      {"{0:T(2)/* open", "but the text ends", 14, 14},
  };
  constexpr uint32_t kBase = 1000;
  for (const BadText& c : cases) {
    INFO(c.text);
    Diagnostics diagnostics;
    const LayoutParse parsed = ParseLayout(c.text, kBase, diagnostics);
    CHECK_FALSE(parsed.ok);
    CHECK(parsed.consumed <= std::string_view(c.text).size());
    REQUIRE(diagnostics.size() >= 1);
    const Diagnostic& fault = diagnostics.list().front();
    CHECK(fault.code == DiagCode::kLayoutInvalid);
    INFO(fault.message);
    CHECK(fault.message.find(c.message) != std::string::npos);
    CHECK(fault.range.begin == kBase + c.begin);
    CHECK(fault.range.end == kBase + c.end);
  }
}

TEST_CASE("layout text: one pass shows several faults and ends behind the layout") {
  Diagnostics diagnostics;
  const std::string_view text = "{1,0:T(0,-1)L(0)S(1)E(-2)SC(0:x)} add(a, b)";
  const LayoutParse parsed = ParseLayout(text, 0, diagnostics);
  CHECK_FALSE(parsed.ok);
  CHECK(diagnostics.size() == 6);
  CHECK(text.substr(parsed.consumed) == " add(a, b)");
}

TEST_CASE("layout text: no bytes make it read too far or stop early") {
  const std::string seed =
      "{1,0:D(D,C)T(8,*,128)(2,1)L(8)#(u32)*(u32)E(4)S(1)SC(0:30)(1:40,130)P(f32[3])M(16)"
      "PAD(3,5;0)}";
  std::mt19937 random(7);
  const std::string_view alphabet = "{}():,*#TLESPCMDA;-0123456789 /\n\x80u";
  for (int round = 0; round < 20000; ++round) {
    std::string text = seed.substr(0, random() % (seed.size() + 1));
    for (unsigned n = random() % 4; n > 0 && !text.empty(); --n) {
      text[random() % text.size()] = alphabet[random() % alphabet.size()];
    }
    INFO(text);
    // A copy of exact size, so that a sanitizer sees a read past the end.
    const std::vector<char> exact(text.begin(), text.end());
    Diagnostics diagnostics;
    const LayoutParse parsed = ParseLayout({exact.data(), exact.size()}, 0, diagnostics);
    REQUIRE(parsed.consumed <= text.size());
    REQUIRE(parsed.ok == diagnostics.empty());
    for (const Diagnostic& fault : diagnostics.list()) {
      REQUIRE(fault.range.begin <= fault.range.end);
      REQUIRE(fault.range.end <= text.size());
    }
    if (!parsed.ok) continue;
    const std::string printed = LayoutText(parsed.layout);
    if (!printed.empty()) REQUIRE(LayoutOf(printed) == parsed.layout);
  }
}

TEST_CASE("layout text: long inputs take linear time") {
  std::string text = "{";
  for (int i = 0; i < 300000; ++i) text += "{";
  Diagnostics diagnostics;
  CHECK_FALSE(ParseLayout(text, 0, diagnostics).ok);
  text = "{0:T";
  for (int i = 0; i < 300000; ++i) text += "(1)";
  text += "}";
  Diagnostics none;
  const LayoutParse parsed = ParseLayout(text, 0, none);
  CHECK(parsed.ok);
  const int64_t dims[] = {8};
  CHECK(MakeLayoutMap(dims, 32, parsed.layout, {}, none) == nullptr);
  CHECK(none.list().at(0).code == DiagCode::kTooLarge);
}

struct Misfit {
  Dims dims;
  const char* layout;
  const char* message;  // nullptr: fits
};

TEST_CASE("layout validity: what does not fit the dimensions is named") {
  const Misfit cases[] = {
      {{2, 3}, "{1,0}", nullptr},
      {{}, "{:T(256)}", nullptr},
      {{3}, "{0:T(8,128)}", nullptr},  // leading 1s
      {{-1, 4}, "{1,0:T(8,128)SC(0:7)}", nullptr},
      {{2, 3}, "{0}", "Dimensions size is 2, but minor to major size is 1."},
      {{}, "{0}", "Dimensions size is 0, but minor to major size is 1."},
      {{2, 3}, "{2,0}", "out-of-bounds value: 2 is no dimension of an array of rank 2"},
      {{2, 3}, "{-1,0}", "out-of-bounds value: -1"},
      {{2, 3}, "{1,1}", "duplicate values: dimension 1 is named twice"},
      {{2, 3},
       "{1,0:#(u32)}",
       "layout has a index_primitive_type (u32), but is not a sparse array"},
      {{2, 3}, "{1,0:*(u8)}", "layout has a pointer_primitive_type (u8), but is not a sparse"},
      {{2, 3}, "{1,0:P(f32[3])}", "Layout has physical shape, but is not for a sparse array"},
      {{2, 3}, "{1,0:SC(2:1)}", "physical dimension 2 is out of range for an array of rank 2"},
      {{2, 3}, "{1,0:SC(-1:1)}", "physical dimension -1 is out of range"},
      {{9, 3}, "{1,0:SC(0:1)(0:2)}", "physical dimension 0 is split twice"},
      {{9, 3}, "{1,0:SC(0:0)}", "index 0 does not cut physical dimension 0 (dimension 0, size 9)"},
      {{9, 3}, "{0,1:SC(0:3)}", "index 3 does not cut physical dimension 0 (dimension 1, size 3)"},
      {{9, 3}, "{1,0:SC(0:4,4)}", "must increase, but 4 follows 4"},
      {{9, 3}, "{1,0:PAD(9)}", "layout has 1 padded dimensions, but shape is rank 2"},
      {{9, 3},
       "{1,0:PAD(9,2)}",
       "for dimension 1, dimension padding (2) is smaller than the dimension size (3)"},
      {{9, 3}, "{1,0:T(2)PAD(9,4)}", "layout has padded dimensions and tiles"},
  };
  for (const Misfit& c : cases) {
    INFO(c.layout);
    Diagnostics diagnostics;
    const Range range = {5, 9};
    const bool fits = ValidateLayout(LayoutOf(c.layout), View(c.dims), range, diagnostics);
    CHECK(fits == (c.message == nullptr));
    CHECK(fits == diagnostics.empty());
    if (fits || c.message == nullptr || diagnostics.empty()) continue;
    const Diagnostic& fault = diagnostics.list().front();
    INFO(fault.message);
    CHECK(fault.message.find(c.message) != std::string::npos);
    CHECK(fault.range == range);
  }
}

TEST_CASE("layout validity: layouts made by programs are checked as texts are") {
  LayoutExtras extras;
  extras.tiles = {Tile{}, Tile{{0}}, Tile{{2, Tile::kCombine}}, Tile{{-7}}};
  extras.tail_alignment = 0;
  extras.element_bits = -1;
  extras.metadata_prefix = -1;
  Diagnostics diagnostics;
  const int64_t dims[] = {4};
  CHECK_FALSE(ValidateLayout(Layout({0}, extras), dims, {}, diagnostics));
  CHECK(diagnostics.size() == 7);
}

}  // namespace
}  // namespace hlo
