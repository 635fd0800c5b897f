// Cumulative folds by blocks against the same folds one by one, to the bit; sums of f32 against
// their order written out.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "doctest/doctest.h"
#include "engine/kernels/cumulative_fold.h"
#include "tests/unit/op_runner.h"
#include "tests/unit/scalar_region.h"

namespace hlo {
namespace {

constexpr size_t kLineSizes[] = {0, 1, 2, 3, 4, 5, 15, 16, 17, 31, 47, 97, 1021};

template <typename T>
bool SameLines(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// In two calls, over elements `step` apart; a negative step goes from the end.
template <typename T, typename Acc>
std::vector<T> CumulateBy(Reducer reducer, const std::vector<T>& x, int64_t step, Acc init) {
  const CumulativeFold fold = FindCumulativeFold(reducer, kTypeOf<T>);
  REQUIRE((fold != nullptr));
  const int64_t n = static_cast<int64_t>(x.size()), first = step < 0 ? (1 - n) * step : 0;
  std::vector<T> from(static_cast<size_t>(n * std::abs(step)) + 1), to(from.size());
  for (int64_t i = 0; i < n; ++i) {
    from[static_cast<size_t>(first + i * step)] = x[static_cast<size_t>(i)];
  }
  const int64_t half = n / 32 * 16;
  for (const auto& [begin, end] : {std::pair(int64_t{0}, half), std::pair(half, n)}) {
    if (begin == end) continue;
    fold(reinterpret_cast<const std::byte*>(from.data() + first + begin * step), step,
         reinterpret_cast<std::byte*>(to.data() + first + begin * step), step, end - begin,
         reinterpret_cast<std::byte*>(&init));
  }
  std::vector<T> result;
  for (int64_t i = 0; i < n; ++i) result.push_back(to[static_cast<size_t>(first + i * step)]);
  return result;
}

/// The order that engine/kernels/README.md defines.
std::vector<float> SumsByBlocks(const std::vector<float>& x, double carry) {
  std::vector<float> result;
  for (size_t begin = 0; begin < x.size(); begin += 16) {
    float before = 0, up_to[16];
    for (size_t four = 0; four < 16; four += 4) {
      float e[4];
      for (size_t i = 0; i < 4; ++i) {
        e[i] = begin + four + i < x.size() ? x[begin + four + i] : -0.0f;
      }
      const float sums[] = {e[0], e[1] + e[0], (e[2] + e[1]) + e[0], (e[3] + e[2]) + (e[1] + e[0])};
      for (size_t i = 0; i < 4; ++i) up_to[four + i] = four == 0 ? sums[i] : before + sums[i];
      before = up_to[four + 3];
    }
    for (size_t i = 0; i < 16 && begin + i < x.size(); ++i) {
      result.push_back(static_cast<float>(carry) + up_to[i]);
    }
    carry += static_cast<double>(before);
  }
  return result;
}

std::vector<float> LineOfFloats(size_t n, int round, std::mt19937& random) {
  std::vector<float> x(n);
  for (float& value : x) {
    value = std::ldexp(static_cast<float>(random() % 2001) - 1000, static_cast<int>(random() % 20));
    if (random() % 8 == 0) value = random() % 2 == 0 ? 0.0f : -0.0f;
    if (round == 1) value *= 0;
    if (round == 2 && random() % 30 == 0) value = std::numeric_limits<float>::infinity();
    if (round == 3 && random() % 30 == 0) {
      const uint32_t bits = 0x7fc00000u | (random() & 0x803fffffu);
      std::memcpy(&value, &bits, sizeof value);
    }
  }
  return x;
}

TEST_CASE("cumulative sums of f32 are taken in the order that is written down") {
  std::mt19937 random(21);
  for (const size_t n : kLineSizes) {
    for (int round = 0; round < 3; ++round) {
      const std::vector<float> x = LineOfFloats(n, round, random);
      for (const int64_t step : {1, 3, -1}) {
        for (const double init : {0.0, -0.0, 0.1}) {
          CHECK(SameLines(CumulateBy(Reducer::kAdd, x, step, init), SumsByBlocks(x, init)));
        }
      }
    }
  }
}

TEST_CASE("cumulative sums of f32 stay closer to the exact ones than those one by one") {
  std::mt19937 random(22);
  std::uniform_real_distribution<float> unit(0, 1);
  std::vector<float> x(100000);
  for (float& value : x) value = unit(random);
  const std::vector<float> sums = CumulateBy(Reducer::kAdd, x, 1, 0.0);
  double exact = 0, largest = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    exact += static_cast<double>(x[i]);
    largest = std::max(largest, std::abs(static_cast<double>(sums[i]) - exact) / exact);
  }
  CHECK(largest < 3e-7);
}

TEST_CASE("cumulative extremes of f32: the first NaN, and the first zero") {
  std::mt19937 random(23);
  for (const size_t n : kLineSizes) {
    for (int round = 0; round < 4; ++round) {
      const std::vector<float> x = LineOfFloats(n, round, random);
      for (const bool maximum : {true, false}) {
        for (const float init : {0.0f, -0.0f, -3e9f, 3e9f, std::nanf("")}) {
          std::vector<float> expected;
          float acc = init;
          for (float value : x) {
            if (acc == acc && !(maximum ? acc >= value : acc <= value)) acc = value;
            expected.push_back(acc);
          }
          const Reducer reducer = maximum ? Reducer::kMaximum : Reducer::kMinimum;
          for (const int64_t step : {1, -2}) {
            CHECK(SameLines(CumulateBy(reducer, x, step, init), expected));
          }
        }
      }
    }
  }
}

template <typename T>
void CompareLinesOfIntegers() {
  std::mt19937_64 random(24);
  for (const size_t n : kLineSizes) {
    std::vector<T> x(n), sums, products, maxima, minima;
    for (T& value : x) value = static_cast<T>(random());
    const T init = static_cast<T>(random() % 100);
    T sum = init, product = init, most = init, least = init;
    for (T value : x) {
      sums.push_back(sum = static_cast<T>(uint64_t(sum) + uint64_t(value)));
      products.push_back(product = static_cast<T>(uint64_t(product) * uint64_t(value)));
      maxima.push_back(most = std::max(most, value));
      minima.push_back(least = std::min(least, value));
    }
    for (const int64_t step : {1, -1, 5}) {
      CHECK(CumulateBy(Reducer::kAdd, x, step, init) == sums);
      CHECK(CumulateBy(Reducer::kMultiply, x, step, init) == products);
      CHECK(CumulateBy(Reducer::kMaximum, x, step, init) == maxima);
      CHECK(CumulateBy(Reducer::kMinimum, x, step, init) == minima);
    }
  }
}

TEST_CASE("cumulative folds of integers") {
  CompareLinesOfIntegers<int32_t>();
  CompareLinesOfIntegers<uint32_t>();
  CompareLinesOfIntegers<int64_t>();
  CompareLinesOfIntegers<uint64_t>();
}

/// Cumulative sums along a dimension.
std::vector<float> WindowSums(const Tensor& input, int dimension) {
  ScalarFunction<float> add([](float a, float b) { return a + b; }, Opcode::kAdd);
  TestContext context(&add);
  const ScalarRegion region = ReducerOf(ElementType::kF32);
  Window window(static_cast<size_t>(input.rank()));
  const int64_t size = input.dim(dimension);
  window[static_cast<size_t>(dimension)] = {.size = size, .pad_low = size - 1};
  TestOp op{Opcode::kReduceWindow,
            {Shape::Array(ElementType::kF32, input.dims()), Shape::Scalar(ElementType::kF32)},
            {{"window", window}, {"to_apply", static_cast<const Region*>(&region)}},
            {}};
  Diagnostics out;
  op.written = *op.Infer(out);
  return ElementsOf<float>(op.Eval({input, Tensor::Scalar<float>(0)}, context).tensor());
}

TEST_CASE("reduce-window: cumulative sums of many lines of f32") {
  std::mt19937 random(25);
  const Dims sizes = {3, 5, 37};
  const std::vector<float> x = LineOfFloats(3 * 5 * 37, 0, random);
  std::vector<float> expected;
  for (size_t line = 0; line < 15; ++line) {
    const auto begin = x.begin() + static_cast<int64_t>(line) * 37;
    for (float sum : SumsByBlocks({begin, begin + 37}, 0)) expected.push_back(sum);
  }
  CHECK(SameLines(WindowSums(MakeTestTensor<float>(sizes, x), 2), expected));
  // Lines that lie across: one after the other.
  expected = x;
  for (size_t i = 0; i < x.size(); ++i) {
    expected[i] = (i % 185 < 37 ? 0.0f : expected[i - 37]) + x[i];
  }
  CHECK(SameLines(WindowSums(MakeTestTensor<float>(sizes, x), 1), expected));
}

}  // namespace
}  // namespace hlo
