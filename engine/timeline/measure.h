// What is looked at of a value over a run: an element, a slice, a statistic.
#ifndef HLO_ENGINE_TIMELINE_MEASURE_H_
#define HLO_ENGINE_TIMELINE_MEASURE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.h"
#include "engine/types/shape.h"
#include "engine/types/tensor.h"

namespace hlo {

/// One number of many elements. `min`, `max`, `mean`, `sum` and `norm` leave NaNs out and see
/// infinities, or else no condition would hold where a value overflows.
enum class Statistic : uint8_t { kNone, kMin, kMax, kMean, kSum, kNorm, kNans, kInfs, kZeros };
/// The words for them, from kMin on: "min", "max", "mean", "sum", "norm", "nans", "infs", "zeros".
std::span<const std::string_view> StatisticWords();

/// "y", "y[2,3]", "y[0:4, 2]", "max y", "norm y[:, 1]": an instruction's value, a part of it, or a
/// statistic of either. Of a tuple the first indices choose the element; dimensions without an
/// index are taken whole.
struct Measure {
  struct Index {
    int64_t begin = 0;
    int64_t end = -1;  ///< not included; -1: that of the dimension
    bool is_range = false;
  };
  Statistic statistic = Statistic::kNone;
  std::string name;  ///< of the instruction, as it is written
  std::vector<Index> index;

  /// All of the value.
  bool is_whole() const { return statistic == Statistic::kNone && index.empty(); }
};

/// Nothing, with the reason, when the text is no measure.
std::optional<Measure> ParseMeasure(std::string_view text, std::string* problem);

/// Why a value of this shape has no such part, in words; empty when it has.
std::string MeasureFault(const Measure& measure, const Shape& shape);

/// A part of an array: `size` elements from `begin` on along every dimension.
struct TensorPart {
  Tensor tensor;
  Dims begin = {}, size = {};
  std::vector<bool> dropped = {};  ///< dimensions with one index, which the part does not have
  int64_t count() const;
  /// The flat offset of the first element, and that of the element of a row-major number.
  int64_t OffsetOf(int64_t number) const;
};
/// The part of an array that is measured, within its run-time sizes. Nothing when the value has no
/// such part.
std::optional<TensorPart> MeasuredPart(const Measure& measure, const Value& value);
/// The part as an array of its own.
Tensor CopyOfPart(const TensorPart& part, Budget* budget);

/// The statistic, or the only element: of pred 0 or 1, of a complex one its magnitude. Nothing when
/// there is no such part, or no statistic of several elements.
std::optional<double> MeasuredNumber(const Measure& measure, const Value& value);
/// The least, the mean and the most of the finite elements of a part, for a band in a plot; NaN
/// without any.
std::array<double, 3> FiniteBand(const TensorPart& part);
/// The first `most` elements of a part as numbers.
std::vector<double> NumbersOf(const TensorPart& part, size_t most);

/// A fingerprint of the element types, sizes and bits of the arrays that are measured; the same for
/// the same bits.
uint64_t MeasuredBits(const Measure& measure, const Value& value);

}  // namespace hlo

#endif  // HLO_ENGINE_TIMELINE_MEASURE_H_
