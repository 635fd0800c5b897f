// batch-norm-* against the formulas of the operation semantics document, in f64 and rounded once.
#include <cmath>
#include <cstdint>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "doctest/doctest.h"
#include "engine/ops/op_def.h"
#include "tests/unit/op_runner.h"

namespace hlo {
namespace {

/// A dense array seen as [outer, features, inner].
struct BatchNormCase {
  Dims dims;
  int feature;
};
const BatchNormCase kBatchNormCases[] = {
    {{5}, 0},          {{6, 3}, 1},       {{3, 6}, 0},     {{2, 3, 4}, 1},   {{40, 1}, 1},
    {{3, 2, 2500}, 1}, {{4, 2000}, 1},    {{300, 64}, 1},  {{2, 300, 5}, 1}, {{7, 2, 3, 11}, 2},
    {{1, 1025, 3}, 1}, {{2, 1, 1024}, 1}, {{33, 5, 7}, 0}, {{2000, 2}, 0},   {{2, 3, 0}, 1},
};

template <typename T>
class BatchNormModel {
 public:
  explicit BatchNormModel(const BatchNormCase& c) : case_(c) {
    for (size_t d = 0; d < c.dims.size(); ++d) {
      if (static_cast<int>(d) > c.feature) inner_ *= c.dims[d];
      count_ *= c.dims[d];
    }
    features_ = c.dims[static_cast<size_t>(c.feature)];
    n_ = features_ == 0 ? 0 : static_cast<double>(count_ / features_);
  }

  int64_t FeatureOf(int64_t i) const { return i / inner_ % features_; }

  /// Small multiples of 1/4, and for vectors positive ones.
  Tensor Random(const Dims& dims, bool positive = false) {
    Tensor tensor(kTypeOf<T>, dims, nullptr);
    for (int64_t i = 0; i < tensor.element_count(); ++i) {
      const float x = static_cast<float>(random_() % 17) / 4;
      tensor.mutable_data<T>()[i] = static_cast<T>(positive ? x + 0.25f : x - 2);
    }
    return tensor;
  }
  Tensor RandomArray() { return Random(case_.dims); }
  Tensor RandomVector(bool positive = false) { return Random({features_}, positive); }

  static double At(const Tensor& tensor, int64_t i) {
    return static_cast<double>(tensor.data<T>()[i]);
  }

  /// The sum of f(i) over the elements of a feature.
  template <typename F>
  std::vector<double> Sums(F f) const {
    std::vector<double> sums(static_cast<size_t>(features_), 0);
    for (int64_t i = 0; i < count_; ++i) sums[static_cast<size_t>(FeatureOf(i))] += f(i);
    return sums;
  }

  Value Run(Opcode opcode, const std::vector<Tensor>& args, double epsilon) const {
    TestOp op{opcode,
              {},
              {{"epsilon", epsilon}, {"feature_index", static_cast<int64_t>(case_.feature)}},
              {}};
    std::vector<Value> values;
    for (const Tensor& arg : args) {
      op.operands.push_back(Shape::Array(arg.element_type(), arg.dims()));
      values.emplace_back(arg);
    }
    Diagnostics out;
    op.written = *op.Infer(out);
    CHECK(out.empty());
    TestContext context;
    return op.Eval(values, context);
  }

  template <typename F>
  void CheckArray(const Value& value, F expected) const {
    CHECK(value.tensor().dims() == case_.dims);
    CheckElements(value, count_, expected);
  }
  template <typename F>
  void CheckVector(const Value& value, F expected) const {
    CheckElements(value, features_, expected);
  }

 protected:
  /// Equal up to a unit in the last place of T, and what is left of terms of the size of 100.
  template <typename F>
  static void CheckElements(const Value& value, int64_t count, F expected) {
    REQUIRE(value.tensor().element_count() == count);
    const double unit = sizeof(T) == 8             ? 1e-15
                        : std::is_same_v<T, float> ? 1.2e-7
                        : std::is_same_v<T, F16>   ? 9.8e-4
                                                   : 7.9e-3;
    int64_t wrong = 0;
    for (int64_t i = 0; i < count; ++i) {
      const double found = At(value.tensor(), i), wanted = expected(i);
      const bool close = std::fabs(found - wanted) <= unit * std::fabs(wanted) + 1e-12;
      wrong += close || (std::isnan(found) && std::isnan(wanted)) ? 0 : 1;
    }
    CHECK(wrong == 0);
  }

  BatchNormCase case_;
  int64_t inner_ = 1, count_ = 1, features_ = 0;
  double n_ = 0;
  std::mt19937 random_{17};
};

template <typename T>
struct Training : BatchNormModel<T> {
  explicit Training(const BatchNormCase& c) : BatchNormModel<T>(c) {
    const Tensor x = this->RandomArray(), scale = this->RandomVector(),
                 offset = this->RandomVector();
    const Value result = this->Run(Opcode::kBatchNormTraining, {x, scale, offset}, 0.125);
    const auto sum = this->Sums([&](int64_t i) { return this->At(x, i); });
    const auto mean = [&](int64_t f) { return sum[static_cast<size_t>(f)] / this->n_; };
    const auto distance = [&](int64_t i) { return this->At(x, i) - mean(this->FeatureOf(i)); };
    const auto squares = this->Sums([&](int64_t i) { return distance(i) * distance(i); });
    const auto variance = [&](int64_t f) { return squares[static_cast<size_t>(f)] / this->n_; };
    this->CheckVector(result.elements()[1], mean);
    this->CheckVector(result.elements()[2], variance);
    this->CheckArray(result.elements()[0], [&](int64_t i) {
      const int64_t f = this->FeatureOf(i);
      return this->At(scale, f) * distance(i) / std::sqrt(variance(f) + 0.125) +
             this->At(offset, f);
    });
  }
};

template <typename T>
struct Inference : BatchNormModel<T> {
  explicit Inference(const BatchNormCase& c) : BatchNormModel<T>(c) {
    const Tensor x = this->RandomArray(), scale = this->RandomVector(),
                 offset = this->RandomVector(), mean = this->RandomVector(),
                 variance = this->RandomVector(true);
    const Value result =
        this->Run(Opcode::kBatchNormInference, {x, scale, offset, mean, variance}, 0.1);
    this->CheckArray(result, [&](int64_t i) {
      const int64_t f = this->FeatureOf(i);
      return this->At(scale, f) * (this->At(x, i) - this->At(mean, f)) /
                 std::sqrt(this->At(variance, f) + double{0.1f}) +
             this->At(offset, f);
    });
  }
};

template <typename T>
struct Grad : BatchNormModel<T> {
  explicit Grad(const BatchNormCase& c) : BatchNormModel<T>(c) {
    const Tensor x = this->RandomArray(), gradient = this->RandomArray(),
                 scale = this->RandomVector(), mean = this->RandomVector(),
                 variance = this->RandomVector(true);
    const Value result =
        this->Run(Opcode::kBatchNormGrad, {x, scale, mean, variance, gradient}, 0.5);
    const auto distance = [&](int64_t i) {
      return this->At(x, i) - this->At(mean, this->FeatureOf(i));
    };
    const auto g = [&](int64_t i) { return this->At(gradient, i); };
    const auto shifted = [&](int64_t f) { return this->At(variance, f) + 0.5; };
    const auto sum = this->Sums(g);
    const auto c_sums =
        this->Sums([&](int64_t i) { return g(i) * distance(i) / shifted(this->FeatureOf(i)); });
    const auto by_scale = this->Sums(
        [&](int64_t i) { return g(i) * distance(i) / std::sqrt(shifted(this->FeatureOf(i))); });
    this->CheckVector(result.elements()[2], [&](int64_t f) { return sum[static_cast<size_t>(f)]; });
    this->CheckVector(result.elements()[1],
                      [&](int64_t f) { return by_scale[static_cast<size_t>(f)]; });
    this->CheckArray(result.elements()[0], [&](int64_t i) {
      const auto f = static_cast<size_t>(this->FeatureOf(i));
      const double d = sum[f] / this->n_, c_f = c_sums[f] / this->n_;
      return this->At(scale, this->FeatureOf(i)) / std::sqrt(shifted(this->FeatureOf(i))) *
             (g(i) - d - c_f * distance(i));
    });
  }
};

template <template <typename> class Op>
void CheckOp() {
  for (const BatchNormCase& c : kBatchNormCases) {
    CAPTURE(c.dims.size());
    Op<float>{c};
    Op<double>{c};
    Op<BF16>{c};
    Op<F16>{c};
  }
}

TEST_CASE("batch-norm-training by its formulas") { CheckOp<Training>(); }
TEST_CASE("batch-norm-inference by its formulas") { CheckOp<Inference>(); }
TEST_CASE("batch-norm-grad by its formulas") { CheckOp<Grad>(); }

}  // namespace
}  // namespace hlo
