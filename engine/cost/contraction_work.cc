#include "engine/cost/contraction_work.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <utility>

#include "engine/base/work_limit.h"

namespace hlo {
namespace {

constexpr double kPerTerm = 2;  // a multiplication and an addition

double LastSize(const Shape& array) { return SizeOf(array, array.rank() - 1); }

int64_t FloorDivide(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
int64_t CeilDivide(int64_t a, int64_t b) { return -FloorDivide(-a, b); }

// x with a * x = 1 modulo m, for coprime a and m.
int64_t Inverse(int64_t a, int64_t m) {
  int64_t r = m, next_r = a % m, t = 0, next_t = 1;
  while (next_r != 0) {
    const int64_t q = r / next_r;
    r = std::exchange(next_r, r - q * next_r);
    t = std::exchange(next_t, t - q * next_t);
  }
  return t < 0 ? t + m : t;
}

// Places at equal distances: n of them, `step` apart.
struct Steps {
  int64_t count = 0;
  int64_t step = 1;
};

// How many places of `steps`, moved by `shift`, lie in [0, end) and are multiples of `dilation`.
class MeetingPlaces {
 public:
  MeetingPlaces(Steps steps, int64_t dilation, int64_t end)
      : steps_(steps),
        end_(end),
        common_(std::gcd(steps.step, dilation)),
        period_(dilation / common_),
        inverse_(period_ == 1 ? 0 : Inverse(steps.step / common_, period_)) {}

  int64_t Count(int64_t shift) const {
    if (shift % common_ != 0) return 0;
    // The first place that is a multiple; the others follow it at every period_-th place.
    const int64_t rest = (((-shift / common_) % period_) + period_) % period_;
    const int64_t start = rest * inverse_ % period_;
    const int64_t least = std::max<int64_t>(0, CeilDivide(-shift, steps_.step));
    const int64_t most = std::min(steps_.count - 1, FloorDivide(end_ - 1 - shift, steps_.step));
    const int64_t first =
        start + std::max<int64_t>(0, CeilDivide(least - start, period_)) * period_;
    return first > most ? 0 : (most - first) / period_ + 1;
  }

 private:
  Steps steps_;
  int64_t end_, common_, period_, inverse_;
};

// Pairs of kernel and output positions of one dimension that meet an input element: none is padding
// or lies between dilated elements. Takes time in proportion to the smaller of the two.
double MeetingPairs(const WindowDim& window, int64_t input, int64_t kernel, int64_t output) {
  constexpr double kMostPlace = 1e18;
  constexpr int64_t kMostDilation = int64_t{1} << 31;  // products of two remainders fit 64 bits
  Steps few{kernel, window.window_dilation};
  Steps many{output, window.stride};
  if (many.count < few.count) std::swap(few, many);
  const int64_t dilation = window.base_dilation;
  if (few.step < 1 || many.step < 1 || dilation < 1 || dilation > kMostDilation || input < 1 ||
      static_cast<double>(few.count) * static_cast<double>(few.step) > kMostPlace ||
      static_cast<double>(many.count) * static_cast<double>(many.step) > kMostPlace ||
      static_cast<double>(input) * static_cast<double>(dilation) > kMostPlace) {
    return 0;
  }
  const MeetingPlaces places(many, dilation, (input - 1) * dilation + 1);
  double pairs = 0;
  for (int64_t i = 0; i < few.count; ++i) {
    CountWork();
    pairs += static_cast<double>(places.Count(i * few.step - window.pad_low));
  }
  return pairs;
}

}  // namespace

double SizeOf(const Shape& array, int64_t dim) {
  const bool has = dim >= 0 && dim < array.rank();
  return has ? static_cast<double>(std::max<int64_t>(array.dim(static_cast<int>(dim)), 0)) : 1;
}

double ElementCount(const Shape& array) {
  if (!array.IsArray() && !array.IsBuffer()) return 0;
  double count = 1;
  for (int i = 0; i < array.rank(); ++i) count *= SizeOf(array, i);
  return count;
}

Work DotWork(const CostCall& call) {
  double terms = ElementCount(call.call().shape());
  for (int64_t d : call.call().Ints("lhs_contracting_dims")) {
    terms *= SizeOf(call.call().operand(0), d);
  }
  return {.flops = kPerTerm * terms};
}

Work RaggedDotWork(const CostCall& call) {
  const Dims& ragged = call.call().Ints("lhs_ragged_dims");
  const Dims& contracted = call.call().Ints("lhs_contracting_dims");
  const bool by_group = ragged.size() == 1 && std::find(contracted.begin(), contracted.end(),
                                                        ragged[0]) != contracted.end();
  const double groups = by_group ? std::max(1.0, SizeOf(call.call().shape(), 0)) : 1;
  return DotWork(call) * (1 / groups);
}

Work ConvolutionWork(const CostCall& call) {
  const OpCall& conv = call.call();
  const ConvDimLabels& labels = conv.attrs().DimLabels("dim_labels");
  const Window& window = conv.GetWindow();
  const Shape& input = conv.operand(0);
  const Shape& kernel = conv.operand(1);
  double terms = SizeOf(conv.shape(), labels.output_feature) * SizeOf(input, labels.input_feature) /
                 static_cast<double>(std::max<int64_t>(1, conv.Int("feature_group_count", 1))) *
                 SizeOf(input, labels.input_batch) /
                 static_cast<double>(std::max<int64_t>(1, conv.Int("batch_group_count", 1)));
  const size_t count = std::min({window.size(), labels.input_spatial.size(),
                                 labels.kernel_spatial.size(), labels.output_spatial.size()});
  for (size_t i = 0; i < count; ++i) {
    terms *= MeetingPairs(window[i], static_cast<int64_t>(SizeOf(input, labels.input_spatial[i])),
                          static_cast<int64_t>(SizeOf(kernel, labels.kernel_spatial[i])),
                          static_cast<int64_t>(SizeOf(conv.shape(), labels.output_spatial[i])));
  }
  return {.flops = kPerTerm * terms};
}

Work FftWork(const CostCall& call) {
  constexpr double kTermsPerProduct = 4;  // of complex numbers
  double steps = 1;
  for (int64_t length : call.call().Ints("fft_length")) {
    steps *= std::bit_width(static_cast<uint64_t>(std::max<int64_t>(length, 1))) - 1;
  }
  return {.flops = kPerTerm * kTermsPerProduct * steps * ElementCount(call.call().operand(0))};
}

Work SolveWork(const CostCall& call) {
  return {.flops =
              kPerTerm * LastSize(call.call().operand(0)) * ElementCount(call.call().operand(1))};
}

Work CholeskyWork(const CostCall& call) {
  const Shape& a = call.call().operand(0);
  return {.flops = ElementCount(a) * LastSize(a) / 3};
}

}  // namespace hlo
