// The figures of an array: statistics, a histogram, and a picture in blocks. Each is one pass over
// the elements and an answer of bounded size, however large the array is.
#ifndef HLO_ENGINE_VIEWS_VALUE_FIGURES_H_
#define HLO_ENGINE_VIEWS_VALUE_FIGURES_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/types/tensor.h"
#include "engine/views/number_reader.h"
#include "engine/views/value_view.h"

namespace hlo {

/// The quantiles that statistics have.
inline constexpr std::array<double, 7> kQuantiles = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};
/// Up to so many finite elements quantiles are exact; beyond, within 1/256 of themselves,
/// and 0 below 1e-310.
inline constexpr int64_t kMostSorted = int64_t{1} << 18;
/// Different values are counted up to here.
inline constexpr int64_t kMostDistinct = 10'000;

/// Of complex elements everything is about the part that is asked for.
struct ValueFigures {
  int64_t count = 0;
  int64_t finite = 0;
  double mean = 0, deviation = 0;  ///< of the finite elements; the deviation of a whole population
  double min = 0, max = 0;
  double least_magnitude = 0;     ///< the smallest that is not 0; 0 if there is none
  std::vector<double> quantiles;  ///< as kQuantiles, by linear interpolation; none without elements
  bool exact_quantiles = true;
  int64_t zeros = 0;  ///< -0 among them
  int64_t negative_zeros = 0;
  int64_t nans = 0, infinities = 0, negative_infinities = 0;  ///< `infinities` are the positive
  int64_t denormals = 0;  ///< below the smallest normal number of the element type
  int64_t distinct = 0;   ///< different finite values, 0 and -0 being one; at most kMostDistinct
  bool more_distinct = false;  ///< there are more of them
};
ValueFigures MakeValueFigures(const Tensor& tensor, NumberPart part = NumberPart::kMagnitude);
/// ValueFigures of wasm/figure_types.ts.
std::string ValueFiguresJson(const ValueFigures& figures);

/// How the bins of a histogram lie.
enum class BinScale { kLinear, kLog };

/// How many finite elements are in each of some bins. On a log scale magnitudes are counted, and
/// zeros in no bin.
struct ValueHistogram {
  std::vector<double> edges;   ///< one more than bins, ascending; the last bin has its upper edge
  std::vector<double> counts;  ///< none if nothing can be counted
  int64_t left_out = 0;        ///< NaN, infinities, and zeros on a log scale
};
/// `bins`: 1 to kMostBins. If all elements are equal there is one bin around them.
ValueHistogram MakeValueHistogram(const Tensor& tensor, BinScale scale, int64_t bins,
                                  NumberPart part = NumberPart::kMagnitude);
inline constexpr int64_t kMostBins = 1024;

/// A two-dimensional slice in blocks of elements. What is not finite counts for no mean, minimum or
/// maximum, which are NaN in a block without a finite element.
struct ValueTiles {
  int64_t rows = 0, cols = 0;            ///< of blocks
  int64_t row_step = 1, col_step = 1;    ///< elements of a block; those at the end may have fewer
  std::vector<double> mean, min, max;    ///< row-major
  std::vector<uint8_t> marks;            ///< row-major; kTileNan and kTileInfinity
  std::vector<double> zeros;             ///< row-major: the share of a block that is 0 or -0
  int64_t zero_rows = 0, zero_cols = 0;  ///< of the window: those that are zeros alone
};
inline constexpr uint8_t kTileNan = 1;
inline constexpr uint8_t kTileInfinity = 2;
/// The window clipped to the array, in at most so many blocks down and across. Empty if nothing is
/// inside.
ValueTiles MakeValueTiles(const Tensor& tensor, WindowSpec window, int64_t most_rows,
                          int64_t most_cols, NumberPart part = NumberPart::kMagnitude);
/// Blocks of an answer.
inline constexpr int64_t kMostTiles = 1 << 16;

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_VALUE_FIGURES_H_
