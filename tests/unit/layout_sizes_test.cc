// engine/layout: bytes, as they are and as XLA counts them; what padding costs.
#include "engine/layout/layout_sizes.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "tests/unit/layout_cases.h"

namespace hlo {
namespace {

TEST_CASE("sizes: data ends with the last element of the first tile's linear index") {
  struct {
    Dims dims;
    int type_bits;
    const char* layout;
    int64_t bytes;
  } const cases[] = {
      {{}, 32, "{:T(256)}", 4},
      {{3, 5}, 32, "{1,0:T(2,2)}", 84},   // (2,4) lies at 20
      {{256}, 32, "{0:T(8,128)}", 1024},  // rank 1: the index itself
      {{10}, 32, "{0:T(4)L(8)}", 40},
      {{4, 6, 5}, 32, "{2,1,0:T(3)}", 572},
      {{100, 300}, 8, "{1,0:T(32,128)(32,1)E(1)}", 5686},
      {{0, 5}, 32, "{1,0}", 0},
  };
  for (const auto& c : cases) {
    INFO(c.layout);
    CHECK(ArrayDataSize(View(c.dims), c.type_bits, LayoutOf(c.layout)) == c.bytes);
  }
  CHECK(ArrayDataSize(View(Dims{4, 4}), 32, LayoutOf("{1,0:T(*,2)}")) == std::nullopt);
}

TEST_CASE("sizes: a split dimension counts with its largest piece") {
  const Layout layout = LayoutOf("{0,1,2:T(8,128)SC(0:30)(1:40,130)}");
  CHECK(MaxSplit(layout, 0, 100) == 70);
  CHECK(MaxSplit(layout, 1, 200) == 90);
  CHECK(MaxSplit(layout, 2, 150) == 150);
  // 70 x roundup(90, 8) x roundup(150, 128) elements.
  CHECK(ArraySize(View(Dims{150, 200, 100}), 32, layout) == int64_t{70} * 96 * 256 * 4);
}

TEST_CASE("sizes: without tiles XLA forgets the alignment, the buffer does not") {
  const Layout layout = LayoutOf("{0:L(8)}");
  CHECK(ArraySize(View(Dims{10}), 32, layout) == 40);
  CHECK(MapOf({10}, "{0:L(8)}")->byte_size() == 64);
}

TEST_CASE("sizes: the conventions of TPUs") {
  struct {
    Dims dims;
    int type_bits;
    const char* layout;
    int64_t bytes;
  } const cases[] = {
      {{8, 128}, 32, "{1,0:T(8,128)}", 4096},  // one vector register
      {{9, 129}, 32, "{1,0:T(8,128)}", 4 * 4096},
      {{1, 128}, 32, "{1,0:T(2,128)}", 1024},  // compact second minor dimension
      {{3, 128}, 32, "{1,0:T(4,128)}", 2048},
      {{8, 128}, 16, "{1,0:T(8,128)(2,1)}", 2048},       // two rows in a word
      {{8, 128}, 8, "{1,0:T(8,128)(4,1)}", 1024},        // four rows in a word
      {{32, 128}, 8, "{1,0:T(32,128)(32,1)}", 4096},     // pred is a byte
      {{32, 128}, 8, "{1,0:T(32,128)(32,1)E(1)}", 512},  // unless it is packed
      {{64, 128}, 8, "{1,0:T(64,128)(8,1)E(4)}", 4096},
  };
  for (const auto& c : cases) {
    CHECK(MapOf(c.dims, c.layout, c.type_bits)->byte_size() == c.bytes);
  }
  // The even row is in the low half of the word, the odd one in the high half.
  const auto map = MapOf({8, 128}, "{1,0:T(8,128)(2,1)}", 16);
  CHECK(map->Explain(View(Dims{4, 7})).first_bit % 32 == 0);
  CHECK(map->Explain(View(Dims{5, 7})).first_bit == map->Explain(View(Dims{4, 7})).first_bit + 16);
}

TEST_CASE("sizes: what does not fit is no number") {
  const int64_t big = std::numeric_limits<int64_t>::max();
  const Dims dims = {big};
  CHECK(ByteSizeOf(View(dims), 32, LayoutOf("{0}")) == std::nullopt);
  CHECK(ByteSizeOf(View(dims), 32, LayoutOf("{0:E(2)}")) == std::nullopt);
  CHECK(ArraySize(View(dims), 8, LayoutOf("{0:T(2)}")) == std::nullopt);
  CHECK(ArraySize(View(Dims{3}), 16, LayoutOf("{0:T(2)L(9223372036854775807)}")) == std::nullopt);
  const Dims square = {big, big};
  CHECK(ByteSizeOf(View(square), 8, LayoutOf("{1,0}")) == std::nullopt);
  CHECK(ArrayDataSize(View(square), 8, LayoutOf("{1,0}")) == std::nullopt);
  CHECK(ArrayDataSize(View(square), 8, LayoutOf("{1,0:T(8,128)}")) == std::nullopt);
}

TEST_CASE("sizes: padding in words") {
  PaddingReport report = ReportPadding(*MapOf({3, 5}, "{1,0:T(2,2)}"));
  CHECK(report.text == "Unpadded size 60B, extra memory due to padding 36B (1.6x expansion)");
  CHECK(report.unpadded_bytes == 60);
  CHECK(report.padding_bytes == 36);
  CHECK(report.expansion == doctest::Approx(1.6));
  REQUIRE(report.causes.size() == 2);
  CHECK(report.causes[0].text == "dimension 0: 3 padded to 4 by tile (2,2)");
  CHECK(report.causes[1].text == "dimension 1: 5 padded to 6 by tile (2,2)");
  report = ReportPadding(*MapOf({8, 128}, "{1,0:T(8,128)}"));
  CHECK(report.text == "no padding");
  CHECK(report.causes.empty());
  CHECK(report.expansion == 1);
  // Nothing but padding has no factor.
  report = ReportPadding(*MapOf({0, 3}, "{1,0:PAD(2,3;0)}"));
  CHECK(report.text == "Unpadded size 0B, extra memory due to padding 24B");
}

TEST_CASE("sizes: the words of memory reports of XLA on TPU") {
  struct {
    Dims dims;
    int type_bits;
    const char* layout;
    const char* size;
    const char* text;
  } const cases[] = {
      {{29360128, 10},
       32,
       "{1,0:T(8,128)}",
       "14.00G",
       "Unpadded size 1.09G, extra memory due to padding 12.91G (12.8x expansion)"},
      {{128, 256, 896, 18},
       32,
       "{0,3,2,1:T(8,128)}",
       "2.62G",
       "Unpadded size 1.97G, extra memory due to padding 672.00M (1.3x expansion)"},
      {{4, 128, 128, 9, 18},
       32,
       "{4,3,0,2,1:T(8,128)}",
       "512.00M",
       "Unpadded size 40.50M, extra memory due to padding 471.50M (12.6x expansion)"},
      {{4, 512, 512, 64},
       16,
       "{3,0,2,1:T(4,128)(2,1)}",
       "256.00M",
       "Unpadded size 128.00M, extra memory due to padding 128.00M (2.0x expansion)"},
  };
  for (const auto& c : cases) {
    const auto map = MapOf(c.dims, c.layout, c.type_bits);
    CHECK(BytesText(map->byte_size()) == c.size);
    CHECK(ReportPadding(*map).text == c.text);
  }
  CHECK(BytesText(0) == "0B");
  CHECK(BytesText(1023) == "1023B");
  CHECK(BytesText(12 << 10) == "12.0K");
  CHECK(BytesText(int64_t{5} << 40) == "5.00T");
}

}  // namespace
}  // namespace hlo
