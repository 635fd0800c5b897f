#include "engine/views/value_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/bits.h"
#include "engine/types/number_parts.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/number_reader.h"

namespace hlo {
namespace {

// The smallest normal number of a float type; 0 for the other types, which have no denormals.
double SmallestNormal(ElementType type) {
  if (!IsFloat(type)) return 0;
  double smallest = 1;
  while (smallest > 0 && PartsOfNumber(smallest / 2, type).kind == "normal") smallest /= 2;
  return smallest;
}

// Counts different values until there are too many of them.
class DistinctCounter {
 public:
  void Add(double value) {
    if (overflowed_) return;
    const uint64_t code = BitCast<uint64_t>(value == 0 ? 0.0 : value) + 1;  // 0: a free slot
    size_t slot = static_cast<size_t>((code * 0x9E3779B97F4A7C15u) >> (64 - kBits));
    while (slots_[slot] != 0 && slots_[slot] != code) slot = (slot + 1) & (slots_.size() - 1);
    if (slots_[slot] == code) return;
    if (count_ == kMostDistinct) {
      overflowed_ = true;
      return;
    }
    slots_[slot] = code;
    ++count_;
  }
  int64_t count() const { return count_; }
  bool overflowed() const { return overflowed_; }

 private:
  static constexpr int kBits = 15;
  std::vector<uint64_t> slots_ = std::vector<uint64_t>(size_t{1} << kBits);
  int64_t count_ = 0;
  bool overflowed_ = false;
};

// Finite numbers in order: all of them while they are few, else how many there are in bins that
// have the sign, the exponent and eight bits of the mantissa in common.
class QuantileCounter {
 public:
  void Add(double value) {
    ++count_;
    if (bins_.empty()) {
      values_.push_back(value);
      if (count_ <= kMostSorted) return;
      bins_.resize(size_t{1} << kBits);
      for (const double held : values_) ++bins_[BinOf(held)];
      values_ = {};
    } else {
      ++bins_[BinOf(value)];
    }
  }
  bool exact() const { return bins_.empty(); }
  // None without elements. What bins give is kept between the extremes.
  std::vector<double> Quantiles(double min, double max) {
    std::vector<double> quantiles;
    if (count_ == 0) return quantiles;
    std::sort(values_.begin(), values_.end());
    for (const double share : kQuantiles) {
      const double rank = share * static_cast<double>(count_ - 1);
      quantiles.push_back(exact() ? Interpolated(rank) : std::clamp(FromBins(rank), min, max));
    }
    return quantiles;
  }

 private:
  static constexpr int kBits = 20;
  static constexpr size_t kZeroBin = size_t{1} << (kBits - 1);
  static constexpr uint64_t kSign = uint64_t{1} << 63;
  // Codes of doubles in the order of their values.
  static size_t BinOf(double value) {
    const uint64_t code = BitCast<uint64_t>(value);
    return static_cast<size_t>(((code & kSign) != 0 ? ~code : code | kSign) >> (64 - kBits));
  }
  static double LowerEdge(size_t bin) {
    const uint64_t code = uint64_t{bin} << (64 - kBits);
    return BitCast<double>((code & kSign) != 0 ? code ^ kSign : ~code);
  }
  double Interpolated(double rank) const {
    const auto below = static_cast<size_t>(rank);
    const size_t above = std::min(below + 1, values_.size() - 1);
    const double share = rank - static_cast<double>(below);
    return values_[below] * (1 - share) + values_[above] * share;
  }
  double FromBins(double rank) const {
    double before = 0;
    for (size_t bin = 0; bin < bins_.size(); ++bin) {
      const auto here = static_cast<double>(bins_[bin]);
      if (here > 0 && rank < before + here) {
        // The bins on both sides of 0, where its neighbours are below 1e-310: nearly always zeros.
        if (bin == kZeroBin || bin == kZeroBin - 1) return 0;
        const double share = (rank - before) / here;
        return LowerEdge(bin) * (1 - share) + LowerEdge(bin + 1) * share;
      }
      before += here;
    }
    return std::numeric_limits<double>::infinity();
  }

  int64_t count_ = 0;
  std::vector<double> values_;
  std::vector<uint32_t> bins_;
};

// Mean and sum of squared differences in one pass. Source: B. P. Welford, 1962.
struct RunningMean {
  double mean = 0, squares = 0;
  void Add(double value, int64_t count) {
    const double difference = value - mean;
    mean += difference / static_cast<double>(count);
    squares += difference * (value - mean);
  }
};

void CountNotFinite(double value, ValueFigures& figures) {
  if (std::isnan(value)) {
    ++figures.nans;
  } else {
    ++(value > 0 ? figures.infinities : figures.negative_infinities);
  }
}

Json FigureJson(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

// What the elements of a histogram span: of their logarithms on a log scale.
struct BinSpan {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  bool empty() const { return !(low <= high); }
};

// The number that is counted; NaN if none is.
double OnScale(double value, BinScale scale) {
  if (!std::isfinite(value)) return std::numeric_limits<double>::quiet_NaN();
  if (scale == BinScale::kLinear) return value;
  return value == 0 ? std::numeric_limits<double>::quiet_NaN() : std::log10(std::fabs(value));
}

// The sums of a block of elements.
struct TileSums {
  double sum = 0;
  int64_t count = 0;
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  uint8_t marks = 0;
  int64_t elements = 0, zeros = 0;
  void Add(double value) {
    ++elements;
    if (value == 0) ++zeros;
    if (!std::isfinite(value)) {
      marks |= std::isnan(value) ? kTileNan : kTileInfinity;
      return;
    }
    sum += value;
    ++count;
    min = std::min(min, value);
    max = std::max(max, value);
  }
};

// Rows and columns of zeros alone.
class ZeroLines {
 public:
  explicit ZeroLines(int64_t cols) : has_other_(static_cast<size_t>(cols)) {}
  void NoteOther(int64_t col) { has_other_[static_cast<size_t>(col)] = row_has_other_ = true; }
  void EndRow() {
    if (!row_has_other_) ++rows_;
    row_has_other_ = false;
  }
  int64_t rows() const { return rows_; }
  int64_t cols() const { return std::count(has_other_.begin(), has_other_.end(), false); }

 private:
  std::vector<bool> has_other_;
  bool row_has_other_ = false;
  int64_t rows_ = 0;
};

}  // namespace

ValueFigures MakeValueFigures(const Tensor& tensor, NumberPart part) {
  ValueFigures figures;
  figures.count = tensor.element_count();
  const double smallest_normal = SmallestNormal(tensor.element_type());
  RunningMean running;
  DistinctCounter distinct;
  QuantileCounter quantiles;
  ForEachNumber(tensor, part, [&](double value) {
    if (!std::isfinite(value)) return CountNotFinite(value, figures);
    const double magnitude = std::fabs(value);
    ++figures.finite;
    figures.min = figures.finite == 1 ? value : std::min(figures.min, value);
    figures.max = figures.finite == 1 ? value : std::max(figures.max, value);
    running.Add(value, figures.finite);
    distinct.Add(value);
    quantiles.Add(value);
    if (magnitude == 0) {
      ++figures.zeros;
      if (std::signbit(value)) ++figures.negative_zeros;
      return;
    }
    if (figures.least_magnitude == 0 || magnitude < figures.least_magnitude) {
      figures.least_magnitude = magnitude;
    }
    if (magnitude < smallest_normal) ++figures.denormals;
  });
  if (figures.finite > 0) {
    figures.mean = running.mean;
    figures.deviation = std::sqrt(running.squares / static_cast<double>(figures.finite));
  }
  figures.exact_quantiles = quantiles.exact();
  figures.quantiles = quantiles.Quantiles(figures.min, figures.max);
  figures.distinct = distinct.count();
  figures.more_distinct = distinct.overflowed();
  return figures;
}

std::string ValueFiguresJson(const ValueFigures& figures) {
  Json quantiles = Json::array();
  for (size_t i = 0; i < figures.quantiles.size(); ++i) {
    quantiles.push_back(
        ObjectJson({{"share", kQuantiles[i]}, {"value", FigureJson(figures.quantiles[i])}}));
  }
  return JsonText(ObjectJson({{"count", figures.count},
                              {"finite", figures.finite},
                              {"mean", FigureJson(figures.mean)},
                              {"deviation", FigureJson(figures.deviation)},
                              {"min", FigureJson(figures.min)},
                              {"max", FigureJson(figures.max)},
                              {"leastMagnitude", FigureJson(figures.least_magnitude)},
                              {"quantiles", std::move(quantiles)},
                              {"exactQuantiles", figures.exact_quantiles},
                              {"zeros", figures.zeros},
                              {"negativeZeros", figures.negative_zeros},
                              {"nans", figures.nans},
                              {"infinities", figures.infinities},
                              {"negativeInfinities", figures.negative_infinities},
                              {"denormals", figures.denormals},
                              {"distinct", figures.distinct},
                              {"moreDistinct", figures.more_distinct}}));
}

ValueHistogram MakeValueHistogram(const Tensor& tensor, BinScale scale, int64_t bins,
                                  NumberPart part) {
  ValueHistogram histogram;
  BinSpan span;
  ForEachNumber(tensor, part, [&](double value) {
    const double at = OnScale(value, scale);
    if (std::isnan(at)) {
      ++histogram.left_out;
      return;
    }
    span.low = std::min(span.low, at);
    span.high = std::max(span.high, at);
  });
  if (span.empty()) return histogram;
  bins = span.low == span.high ? 1 : std::clamp<int64_t>(bins, 1, kMostBins);
  // Halves: the difference of the extremes of f64 overflows.
  const double half = span.high / 2 - span.low / 2;
  histogram.counts.resize(static_cast<size_t>(bins));
  for (int64_t i = 0; i <= bins; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(bins);
    const double edge = i == bins ? span.high : span.low + share * half + share * half;
    histogram.edges.push_back(scale == BinScale::kLog ? std::pow(10, edge) : edge);
  }
  ForEachNumber(tensor, part, [&](double value) {
    const double at = OnScale(value, scale);
    if (std::isnan(at)) return;
    const double share = half > 0 ? (at / 2 - span.low / 2) / half : 0;
    const auto bin = static_cast<int64_t>(share * static_cast<double>(bins));
    ++histogram.counts[static_cast<size_t>(std::clamp<int64_t>(bin, 0, bins - 1))];
  });
  return histogram;
}

ValueTiles MakeValueTiles(const Tensor& tensor, WindowSpec spec, int64_t most_rows,
                          int64_t most_cols, NumberPart part) {
  ValueTiles tiles;
  const WindowSpec window = ClipExtents(std::move(spec), tensor.dims());
  if (window.rows == 0 || window.cols == 0) return tiles;
  most_cols = std::clamp<int64_t>(most_cols, 1, kMostTiles);
  most_rows = std::clamp<int64_t>(most_rows, 1, kMostTiles / most_cols);
  tiles.row_step = CeilOf(window.rows, most_rows);
  tiles.col_step = CeilOf(window.cols, most_cols);
  tiles.rows = CeilOf(window.rows, tiles.row_step);
  tiles.cols = CeilOf(window.cols, tiles.col_step);
  RowReader reader(tensor, window, part);
  ZeroLines lines(window.cols);
  for (int64_t row = 0; row < window.rows; row += tiles.row_step) {
    std::vector<TileSums> sums(static_cast<size_t>(tiles.cols));
    for (int64_t r = row; r < std::min(row + tiles.row_step, window.rows); ++r) {
      reader.Read(r, [&](int64_t col, double value) {
        sums[static_cast<size_t>(col / tiles.col_step)].Add(value);
        if (value != 0) lines.NoteOther(col);
      });
      lines.EndRow();
    }
    for (const TileSums& tile : sums) {
      const double none = std::numeric_limits<double>::quiet_NaN();
      const auto count = static_cast<double>(tile.count);
      tiles.mean.push_back(tile.count > 0 ? tile.sum / count : none);
      tiles.min.push_back(tile.count > 0 ? tile.min : none);
      tiles.max.push_back(tile.count > 0 ? tile.max : none);
      tiles.marks.push_back(tile.marks);
      tiles.zeros.push_back(static_cast<double>(tile.zeros) / static_cast<double>(tile.elements));
    }
  }
  tiles.zero_rows = lines.rows();
  tiles.zero_cols = lines.cols();
  return tiles;
}

}  // namespace hlo
