// Statistics, histograms and blocks of an array.
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "doctest/doctest.h"
#include "engine/views/json.h"
#include "engine/views/number_view.h"
#include "engine/views/value_figures.h"
#include "engine/views/value_image.h"

namespace hlo {
namespace {

Tensor FigureArray(const std::vector<float>& numbers, Dims dims = {}) {
  if (dims.empty()) dims.push_back(static_cast<int64_t>(numbers.size()));
  Tensor tensor(ElementType::kF32, dims, nullptr);
  std::copy(numbers.begin(), numbers.end(), tensor.mutable_data<float>());
  return tensor;
}
constexpr float kFigureInf = std::numeric_limits<float>::infinity();
constexpr float kFigureNan = std::numeric_limits<float>::quiet_NaN();

TEST_CASE("figures of an array: what is finite, and what is not") {
  const ValueFigures figures = MakeValueFigures(
      FigureArray({1, 2, 3, 4, 0, -0.0f, kFigureNan, kFigureInf, -kFigureInf, 1e-40f, 4, 4}));
  CHECK(figures.count == 12);
  CHECK(figures.finite == 9);
  CHECK(figures.mean == doctest::Approx(2));
  CHECK(figures.deviation == doctest::Approx(std::sqrt(26.0 / 9)));
  CHECK(figures.min == 0);
  CHECK(figures.max == 4);
  CHECK(figures.zeros == 2);
  CHECK(figures.negative_zeros == 1);
  CHECK(figures.nans == 1);
  CHECK(figures.infinities == 1);
  CHECK(figures.negative_infinities == 1);
  CHECK(figures.denormals == 1);
  CHECK(figures.least_magnitude == 1e-40f);
  CHECK(figures.distinct == 6);
  CHECK_FALSE(figures.more_distinct);
  CHECK(figures.exact_quantiles);
  REQUIRE(figures.quantiles.size() == kQuantiles.size());
  CHECK(figures.quantiles[3] == 2);
  const Json json = ParseJson(ValueFiguresJson(figures));
  CHECK(json["quantiles"][3] == Json({{"share", 0.5}, {"value", 2.0}}));
}

TEST_CASE("figures without a finite element, and without any") {
  const ValueFigures none = MakeValueFigures(FigureArray({kFigureNan, kFigureNan}));
  CHECK(none.finite == 0);
  CHECK(none.quantiles.empty());
  CHECK(MakeValueFigures(Tensor(ElementType::kF32, Dims{0}, nullptr)).count == 0);
}

TEST_CASE("quantiles of a large array are near, and within its extremes") {
  std::vector<float> numbers(static_cast<size_t>(2 * kMostSorted));
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i) - 1000;
  const ValueFigures figures = MakeValueFigures(FigureArray(numbers));
  CHECK_FALSE(figures.exact_quantiles);
  CHECK(figures.distinct == kMostDistinct);
  CHECK(figures.more_distinct);
  const double last = static_cast<double>(numbers.size() - 1);
  for (size_t q = 0; q < kQuantiles.size(); ++q) {
    CHECK(figures.quantiles[q] == doctest::Approx(kQuantiles[q] * last - 1000).epsilon(0.004));
  }
  // Zeros are no denormals, whatever their sign.
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = i % 2 == 0 ? 0.0f : -0.0f;
  numbers[0] = -1;
  numbers[1] = 1;
  const ValueFigures sparse = MakeValueFigures(FigureArray(numbers));
  CHECK(sparse.quantiles == std::vector<double>(kQuantiles.size(), 0));
}

TEST_CASE("a histogram counts every finite element once") {
  const Tensor array = FigureArray({0, 1, 2, 3, 4, 4, kFigureNan, -kFigureInf});
  const ValueHistogram linear = MakeValueHistogram(array, BinScale::kLinear, 4);
  CHECK(linear.edges == std::vector<double>{0, 1, 2, 3, 4});
  CHECK(linear.counts == std::vector<double>{1, 1, 1, 3});
  CHECK(linear.left_out == 2);
  const ValueHistogram log =
      MakeValueHistogram(FigureArray({-1, 5, 50, 1000, 0}), BinScale::kLog, 3);
  CHECK(log.counts == std::vector<double>{2, 1, 1});
  CHECK(log.edges[3] == doctest::Approx(1000));
  CHECK(log.left_out == 1);
  CHECK(MakeValueHistogram(FigureArray({7, 7}), BinScale::kLinear, 9).counts ==
        std::vector<double>{2});
  CHECK(MakeValueHistogram(FigureArray({0}), BinScale::kLog, 9).counts.empty());
}

TEST_CASE("tiles: blocks of a slice, with marks for what is not finite") {
  Tensor array(ElementType::kF32, Dims{2, 3, 5}, nullptr);
  for (int i = 0; i < 30; ++i) array.mutable_data<float>()[i] = static_cast<float>(i);
  array.mutable_data<float>()[16] = kFigureNan;
  const WindowSpec plane{.origin = {1, 0, 0}, .row_dim = 1, .col_dim = 2, .rows = 3, .cols = 5};
  const ValueTiles tiles = MakeValueTiles(array, plane, 2, 3);
  CHECK(tiles.rows == 2);
  CHECK(tiles.cols == 3);
  CHECK(tiles.row_step == 2);
  CHECK(tiles.col_step == 2);
  CHECK(tiles.mean[0] == doctest::Approx((15 + 20 + 21) / 3.0));
  CHECK(tiles.min[5] == 29);
  CHECK(tiles.max[1] == 23);
  CHECK(tiles.marks == std::vector<uint8_t>{kTileNan, 0, 0, 0, 0, 0});
  // Across a dimension that is not the last one.
  const WindowSpec column{.origin = {0, 1, 2}, .row_dim = -1, .col_dim = 0, .rows = 1, .cols = 9};
  CHECK(MakeValueTiles(array, column, 9, 9).mean == std::vector<double>{7, 22});
  CHECK(MakeValueTiles(array, {.origin = {5, 0, 0}}, 9, 9).rows == 0);
  // A million elements across are one picture.
  Tensor wide(ElementType::kPred, Dims{3'000'000}, nullptr);
  std::fill_n(wide.mutable_data<bool>(), wide.element_count(), false);
  const WindowSpec all{.origin = {0}, .row_dim = -1, .col_dim = 0, .rows = 1, .cols = 3'000'000};
  CHECK(MakeValueTiles(wide, all, 1, 1000).col_step == 3000);
}

TEST_CASE("tiles: shares of zeros, and rows and columns of zeros alone") {
  const Tensor array = FigureArray({0, 0, 0, 1, 0, -0.0f, 0, kFigureNan, 0, 2, 3, 0}, {3, 4});
  const WindowSpec all{.origin = {}, .row_dim = 0, .col_dim = 1, .rows = 3, .cols = 4};
  const ValueTiles tiles = MakeValueTiles(array, all, 3, 2);
  CHECK(tiles.zeros == std::vector<double>{1, 0.5, 1, 0.5, 0.5, 0.5});
  CHECK(tiles.zero_rows == 0);
  CHECK(tiles.zero_cols == 1);
  CHECK(MakeValueTiles(array, all, 3, 1).zeros == std::vector<double>{0.75, 0.75, 0.5});
}

TEST_CASE("of complex elements every part has its figures") {
  Tensor array(ElementType::kC64, Dims{2}, nullptr);
  array.mutable_data<std::complex<float>>()[0] = {3, -4};
  array.mutable_data<std::complex<float>>()[1] = {-2, 0};
  CHECK(MakeValueFigures(array).max == 5);
  CHECK(MakeValueFigures(array, NumberPart::kReal).min == -2);
  CHECK(MakeValueFigures(array, NumberPart::kImaginary).min == -4);
  CHECK(MakeValueFigures(array, NumberPart::kPhase).max == doctest::Approx(std::acos(-1)));
  CHECK(MakeValueHistogram(array, BinScale::kLinear, 2, NumberPart::kReal).edges[2] == 3);
  const WindowSpec row{.origin = {}, .row_dim = -1, .col_dim = 0, .rows = 1, .cols = 2};
  CHECK(MakeValueTiles(array, row, 1, 2, NumberPart::kImaginary).mean ==
        std::vector<double>{-4, 0});
  CHECK(NumberPartFromText("phase") == NumberPart::kPhase);
  CHECK_FALSE(NumberPartFromText("angle"));
}

TEST_CASE("an image: grey, in colours, with what is no number left out") {
  const Tensor grey = FigureArray({0, 0.5, 1, 2, kFigureNan, -kFigureInf}, {2, 3});
  ImageSpec spec{.window = {.origin = {}, .row_dim = 0, .col_dim = 1, .rows = 9, .cols = 9}};
  const ValueImage image = MakeValueImage(grey, spec, 100, 100);
  CHECK(image.rows == 2);
  CHECK(image.cols == 3);
  CHECK(image.channels == 1);
  CHECK(image.nans == 1);
  REQUIRE(image.pixels.size() == 24);
  CHECK(image.pixels[4] == 128);  // half, rounded
  CHECK(image.pixels[12] == 255);
  CHECK(std::vector<uint8_t>(image.pixels.begin() + 16, image.pixels.end()) ==
        std::vector<uint8_t>{0, 0, 0, 0, 0, 0, 0, 255});

  // Colours along the first dimension; every second element where there is no room.
  Tensor planes(ElementType::kU8, Dims{3, 4, 5}, nullptr);
  for (int i = 0; i < 60; ++i) planes.mutable_data<uint8_t>()[i] = static_cast<uint8_t>(i);
  spec = ParseImageSpec(R"({"rowDim":1,"colDim":2,"rows":4,"cols":5,"channelDim":0,"high":255})");
  const ValueImage colours = MakeValueImage(planes, spec, 2, 3);
  CHECK(colours.channels == 3);
  CHECK(colours.step == 2);
  CHECK(std::vector<uint8_t>(colours.pixels.begin(), colours.pixels.begin() + 8) ==
        std::vector<uint8_t>{0, 20, 40, 255, 2, 22, 42, 255});
  CHECK(MakeValueImage(planes, ParseImageSpec("[]"), 9, 9).rows == 1);
  CHECK(MakeValueImage(planes, {.window = {.origin = {9}}}, 9, 9).rows == 0);
}

TEST_CASE("a number in every float type, as JSON") {
  const auto given = ParseNumber("0.1");
  REQUIRE(given);
  const Json json = NumberPartsJson(*given, PartsInFloatTypes(*given), PartsInIntegerTypes("0.1"));
  CHECK(json["types"][0]["type"] == "f64");
  CHECK(json["integers"].empty());
  const Json whole = NumberPartsJson(-3, {}, PartsInIntegerTypes("-3"));
  CHECK(whole["integers"][0]["type"] == "s64");
  CHECK_FALSE(ParseNumber("0.1 and more"));
}

}  // namespace
}  // namespace hlo
