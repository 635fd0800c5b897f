#include "engine/ops/products/batch_norm_eval.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/indices.h"
#include "engine/base/pacer.h"
#include "engine/kernels/move_copy.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/shape_checks.h"
#include "engine/types/convert.h"

namespace hlo {
namespace {

/// Elements processed together by a formula.
constexpr int64_t kNormBlock = 1024;

/// The run-time sizes common to all operands with the first one's dimensions.
Dims LiveInAll(std::span<const Value> args) {
  Dims live = args[0].tensor().dims();
  for (const Value& arg : args) {
    if (arg.tensor().dims() == args[0].tensor().dims()) MeetLiveDims(arg.tensor(), &live);
  }
  return live;
}

/// Converts to the written element type, with the bounds of dynamic dimensions.
Tensor NormalisedResult(const Tensor& live, const Shape& shape, Budget* budget) {
  Tensor result = WithBounds(live, shape, budget);
  for (int d = 0; d < shape.rank(); ++d) {
    if (shape.is_dynamic(d)) return result;
  }
  result.set_dynamic_sizes({});
  return result;
}

/// A number for each feature.
class FeatureNumbers {
 public:
  FeatureNumbers(int64_t size, Budget* budget)
      : tensor_(ElementType::kF64, Dims{size}, budget), numbers_(tensor_.mutable_data<double>()) {
    std::fill_n(numbers_, size, 0.0);
  }
  explicit FeatureNumbers(Tensor tensor)
      : tensor_(std::move(tensor)), numbers_(tensor_.mutable_data<double>()) {}
  FeatureNumbers(FeatureNumbers&&) = default;
  const Tensor& tensor() const { return tensor_; }
  const double* data() const { return numbers_; }
  double* data() { return numbers_; }

 private:
  Tensor tensor_;
  double* numbers_;  // its elements; those of a given tensor are only read
};

/// Elements beside one another: of one feature, or each of the next one.
struct NormRun {
  int64_t first, step, count;
};

/// Adds term(element of the run, feature) to the feature's number in `sums`, element after element.
template <typename F>
void AddTerms(NormRun run, double* __restrict sums, F&& term) {
  if (run.step != 0) {
    for (int64_t i = 0; i < run.count; ++i) sums[run.first + i] += term(i, run.first + i);
    return;
  }
  double sum = sums[run.first];
  for (int64_t i = 0; i < run.count; ++i) sum += term(i, run.first);
  sums[run.first] = sum;
}

/// x = f(x, element of the run, feature), for each element x.
template <typename F>
void ChangeEach(NormRun run, double* __restrict row, F&& f) {
  if (run.step != 0) {
    for (int64_t i = 0; i < run.count; ++i) row[i] = f(row[i], i, run.first + i);
  } else {
    for (int64_t i = 0; i < run.count; ++i) row[i] = f(row[i], i, run.first);
  }
}

/// Shared by the three ops: arrays over the live elements, and vectors over the features.
class BatchNorm {
 public:
  BatchNorm(const OpCall& call, std::span<const Value> args, EvalContext& context)
      : budget_(context.budget()),
        live_(LiveInAll(args)),
        feature_(static_cast<size_t>(call.Int("feature_index"))),
        features_(live_[feature_]) {
    const std::span<const int64_t> sizes = live_;
    outer_ = ElementCount(sizes.first(feature_));
    inner_ = ElementCount(sizes.subspan(feature_ + 1));
    for (const Value& arg : args) {
      if (arg.tensor().element_type() == ElementType::kF64) type_ = ElementType::kF64;
    }
  }

  /// XLA keeps epsilon as f32.
  static double Epsilon(const OpCall& call) { return static_cast<float>(call.Float("epsilon")); }
  /// How many elements a feature has.
  double count() const { return static_cast<double>(outer_ * inner_); }

  /// The live elements of an operand; as f32 if no operand is f64.
  Tensor Array(const Value& value) const { return Live(value.tensor(), live_, type_); }
  Tensor NewArray() const { return Tensor(type_, live_, budget_); }
  FeatureNumbers Numbers(const Value& value) const {
    return FeatureNumbers(Live(value.tensor(), Dims{features_}, ElementType::kF64));
  }
  FeatureNumbers Zeros() const { return FeatureNumbers(features_, budget_); }
  /// f(numbers of a feature...) for every feature.
  template <typename F, typename... Vectors>
  FeatureNumbers Map(F&& f, const Vectors&... vectors) const {
    FeatureNumbers result = Zeros();
    for (int64_t i = 0; i < features_; ++i) result.data()[i] = f(vectors.data()[i]...);
    return result;
  }

  /// Calls f(run, x, y) for runs of elements, in f64, of two arrays; `y` may be null. If `result`
  /// is given, the values that f leaves in x are stored there.
  template <typename F>
  void ForEachRow(const Tensor& x, const Tensor* y, Tensor* result, F&& f) const {
    if (outer_ * inner_ * features_ == 0) return;
    // A block is `outers` x `features` x `inners`; an extent exceeds one only if the block has all
    // of the inner extents, so that it is contiguous.
    const int64_t inners = std::min(inner_, kNormBlock);
    const int64_t features =
        inners < inner_ ? 1 : std::min(features_, std::max<int64_t>(1, kNormBlock / inner_));
    const int64_t outers =
        features < features_
            ? 1
            : std::min(outer_, std::max<int64_t>(1, kNormBlock / inner_ / features_));
    double from[kNormBlock], other[kNormBlock];
    Pacer pacer(budget_);
    for (int64_t first = 0; first < features_; first += features) {
      const int64_t feature_count = std::min(features, features_ - first);
      for (int64_t o = 0; o < outer_; o += outers) {
        for (int64_t i = 0; i < inner_; i += inners) {
          const int64_t row = std::min(inners, inner_ - i);
          const int64_t rows = std::min(outers, outer_ - o) * feature_count;
          const int64_t at = (o * features_ + first) * inner_ + i;
          Load(x, at, rows * row, from);
          if (y) Load(*y, at, rows * row, other);
          if (inner_ == 1) {
            for (int64_t r = 0; r < rows; r += feature_count) {
              f({first, 1, feature_count}, from + r, other + r);
            }
          } else {
            for (int64_t r = 0; r < rows; ++r) {
              f({first + r % feature_count, 0, row}, from + r * row, other + r * row);
            }
          }
          if (result) Store(from, at, rows * row, result);
          pacer.Add(rows * row);
        }
      }
    }
  }

 private:
  Tensor Live(const Tensor& tensor, const Dims& live, ElementType type) const {
    const Tensor packed = TensorFromView(tensor, Prefix(RowMajorView(tensor.dims()), live),
                                         Shape::Array(tensor.element_type(), live), budget_);
    return ConvertTensor(packed, type, budget_);
  }
  void Load(const Tensor& tensor, int64_t at, int64_t n, double* to) const {
    ConvertElements(type_, tensor.bytes() + at * BytesOf(type_), ElementType::kF64,
                    reinterpret_cast<std::byte*>(to), n);
  }
  void Store(const double* from, int64_t at, int64_t n, Tensor* tensor) const {
    ConvertElements(ElementType::kF64, reinterpret_cast<const std::byte*>(from), type_,
                    tensor->mutable_bytes() + at * BytesOf(type_), n);
  }

  Budget* budget_;
  ElementType type_ = ElementType::kF32;
  Dims live_;
  size_t feature_;
  int64_t features_;
  int64_t outer_, inner_;  // elements around a feature: [outer, features, inner]
};

/// (x - mean) / sqrt(variance + epsilon) * scale + offset.
Tensor Normalised(const BatchNorm& norm, const Tensor& x, const FeatureNumbers& mean,
                  const FeatureNumbers& deviation, const FeatureNumbers& scale,
                  const FeatureNumbers& offset) {
  const FeatureNumbers factor = norm.Map(std::divides<double>(), scale, deviation);
  Tensor result = norm.NewArray();
  const double *m = mean.data(), *by = factor.data(), *plus = offset.data();
  norm.ForEachRow(x, nullptr, &result, [=](NormRun run, double* row, const double*) {
    ChangeEach(run, row,
               [=](double e, int64_t, int64_t f) { return (e - m[f]) * by[f] + plus[f]; });
  });
  return result;
}

/// sqrt(variance + epsilon).
FeatureNumbers Deviation(const BatchNorm& norm, const OpCall& call,
                         const FeatureNumbers& variance) {
  const double epsilon = BatchNorm::Epsilon(call);
  return norm.Map([=](double v) { return std::sqrt(v + epsilon); }, variance);
}

}  // namespace

Value EvalBatchNormTraining(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const BatchNorm norm(call, args, context);
  const Tensor x = norm.Array(args[0]);
  const auto average = [&](double sum) { return sum / norm.count(); };
  FeatureNumbers sum = norm.Zeros(), squares = norm.Zeros();
  double* const sums = sum.data();
  norm.ForEachRow(x, nullptr, nullptr, [=](NormRun run, double* row, const double*) {
    AddTerms(run, sums, [=](int64_t i, int64_t) { return row[i]; });
  });
  const FeatureNumbers mean = norm.Map(average, sum);
  const double* const m = mean.data();
  double* const square_sums = squares.data();
  norm.ForEachRow(x, nullptr, nullptr, [=](NormRun run, double* row, const double*) {
    AddTerms(run, square_sums,
             [=](int64_t i, int64_t f) { return (row[i] - m[f]) * (row[i] - m[f]); });
  });
  const FeatureNumbers variance = norm.Map(average, squares);
  const Tensor result = Normalised(norm, x, mean, Deviation(norm, call, variance),
                                   norm.Numbers(args[1]), norm.Numbers(args[2]));
  const std::vector<Shape>& shapes = call.shape().elements();
  Budget* budget = context.budget();
  return Value::Tuple({NormalisedResult(result, shapes[0], budget),
                       NormalisedResult(mean.tensor(), shapes[1], budget),
                       NormalisedResult(variance.tensor(), shapes[2], budget)});
}

Value EvalBatchNormInference(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const BatchNorm norm(call, args, context);
  const Tensor result = Normalised(norm, norm.Array(args[0]), norm.Numbers(args[3]),
                                   Deviation(norm, call, norm.Numbers(args[4])),
                                   norm.Numbers(args[1]), norm.Numbers(args[2]));
  return NormalisedResult(result, call.shape(), context.budget());
}

Value EvalBatchNormGrad(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const BatchNorm norm(call, args, context);
  const Tensor x = norm.Array(args[0]), gradient = norm.Array(args[4]);
  const FeatureNumbers scale = norm.Numbers(args[1]), mean = norm.Numbers(args[2]);
  const FeatureNumbers deviation = Deviation(norm, call, norm.Numbers(args[3]));
  // Sums of the gradients, and of the gradients times x - mean.
  FeatureNumbers sum = norm.Zeros(), weighted = norm.Zeros();
  const double* const m = mean.data();
  double *const sums = sum.data(), *const weighted_sums = weighted.data();
  norm.ForEachRow(x, &gradient, nullptr, [=](NormRun run, double* row, const double* g) {
    AddTerms(run, sums, [=](int64_t i, int64_t) { return g[i]; });
    AddTerms(run, weighted_sums, [=](int64_t i, int64_t f) { return g[i] * (row[i] - m[f]); });
  });
  const FeatureNumbers by_scale = norm.Map(std::divides<double>(), weighted, deviation);
  const FeatureNumbers factor = norm.Map(std::divides<double>(), scale, deviation);
  const FeatureNumbers d = norm.Map([&](double s) { return s / norm.count(); }, sum);
  const FeatureNumbers c =
      norm.Map([&](double w, double s) { return w / (s * s) / norm.count(); }, weighted, deviation);
  Tensor result = norm.NewArray();
  const double *by = factor.data(), *less = d.data(), *slope = c.data();
  norm.ForEachRow(x, &gradient, &result, [=](NormRun run, double* row, const double* g) {
    ChangeEach(run, row, [=](double e, int64_t i, int64_t f) {
      return by[f] * (g[i] - less[f] - slope[f] * (e - m[f]));
    });
  });
  const std::vector<Shape>& shapes = call.shape().elements();
  Budget* budget = context.budget();
  return Value::Tuple({NormalisedResult(result, shapes[0], budget),
                       NormalisedResult(by_scale.tensor(), shapes[1], budget),
                       NormalisedResult(sum.tensor(), shapes[2], budget)});
}

}  // namespace hlo
