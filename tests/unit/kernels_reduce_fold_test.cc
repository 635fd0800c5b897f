// Folds of many elements at a time against the same folds one by one, to the bit.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "doctest/doctest.h"
#include "engine/kernels/reduce_fold.h"

namespace hlo {
namespace {

constexpr float kFoldInfinity = std::numeric_limits<float>::infinity();

constexpr int64_t kFoldedSizes[] = {0,  1,  2,  3,  7,  15, 16,   17,
                                    23, 31, 32, 33, 64, 97, 1021, 65536 + 37};

/// Numbers whose sums round, among them zeros of both signs, and NaNs that tell who they are.
std::vector<float> FoldedFloats(size_t n, double nans, std::mt19937& random) {
  std::vector<float> x(n);
  std::uniform_real_distribution<double> unit(0, 1);
  for (float& value : x) {
    const double kind = unit(random);
    value =
        std::ldexp(static_cast<float>(unit(random) - 0.5), static_cast<int>(random() % 60) - 30);
    if (kind < 0.2) value = 0;
    if (kind < 0.1) value = -0.0f;
    if (kind > 1 - nans) {
      const uint32_t bits = 0x7fc00000u | (random() & 0x803fffffu);
      std::memcpy(&value, &bits, sizeof value);
    }
  }
  return x;
}

template <typename T>
bool SameFoldBits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// The rows of [rows, columns] (`along`), or its columns.
template <typename T, typename Acc = T>
std::vector<Acc> FoldSides(Reducer reducer, ElementType type, const std::vector<T>& x, int64_t rows,
                           int64_t columns, bool along, Acc init) {
  Budget budget;
  const StridedView row{{rows}, {columns}, 0}, column{{columns}, {1}, 0};
  std::vector<Acc> result(static_cast<size_t>(along ? rows : columns));
  FoldView(reducer, type, reinterpret_cast<const std::byte*>(x.data()), along ? row : column,
           along ? column : row, reinterpret_cast<const std::byte*>(&init),
           reinterpret_cast<std::byte*>(result.data()), &budget);
  return result;
}

/// The order of the sum of a run that engine/kernels/README.md defines.
double SumInParts(const float* x, int64_t n, double acc) {
  constexpr int64_t kPart = 65536;
  for (int64_t begin = 0; begin < n; begin += kPart) {
    const int64_t end = std::min(n, begin + kPart);
    int64_t i = begin;
    if (end - begin >= 16) {
      double sums[8];
      std::fill_n(sums, 8, -0.0);
      for (; i + 8 <= end; ++i) sums[(i - begin) % 8] += static_cast<double>(x[i]);
      // Until a whole group of eight is no longer left.
      for (; (i - begin) % 8 != 0; ++i) sums[(i - begin) % 8] += static_cast<double>(x[i]);
      for (double sum : sums) acc += sum;
    }
    for (; i < end; ++i) acc += static_cast<double>(x[i]);
  }
  return acc;
}

TEST_CASE("sums of f32 are taken in the order that is written down") {
  std::mt19937 random(3);
  for (const int64_t n : kFoldedSizes) {
    const std::vector<float> x = FoldedFloats(static_cast<size_t>(2 * n), 0, random);
    for (const double init : {-0.0, 0.3}) {
      const std::vector<double> expected = {SumInParts(x.data(), n, init),
                                            SumInParts(x.data() + n, n, init)};
      CHECK(
          SameFoldBits(FoldSides(Reducer::kAdd, ElementType::kF32, x, 2, n, true, init), expected));
      std::vector<double> sums(static_cast<size_t>(n), init);
      for (size_t i = 0; i < x.size(); ++i) {
        sums[i % sums.size()] += static_cast<double>(x[i]);
      }
      CHECK(SameFoldBits(FoldSides(Reducer::kAdd, ElementType::kF32, x, 2, n, false, init), sums));
      if (n < 4 || n > 1021) continue;
      std::vector<double> columns(2, init);
      for (size_t i = 0; i < x.size(); ++i) columns[i % 2] += static_cast<double>(x[i]);
      CHECK(
          SameFoldBits(FoldSides(Reducer::kAdd, ElementType::kF32, x, n, 2, false, init), columns));
    }
  }
}

TEST_CASE("sums of f32 of several rows: three at a time, and what is left over") {
  std::mt19937 random(5);
  for (const int64_t rows : {3, 4, 5, 9}) {
    for (const int64_t n : kFoldedSizes) {
      const std::vector<float> x = FoldedFloats(static_cast<size_t>(rows * n), 0, random);
      std::vector<double> expected;
      for (int64_t row = 0; row < rows; ++row) {
        expected.push_back(SumInParts(x.data() + row * n, n, 0.3));
      }
      CHECK(SameFoldBits(FoldSides(Reducer::kAdd, ElementType::kF32, x, rows, n, true, 0.3),
                         expected));
    }
  }
}

TEST_CASE("sums of f32 side by side: each one after the other") {
  std::mt19937 random(4);
  for (const int64_t columns : {4, 5, 7, 64, 4096, 4099}) {
    for (const int64_t rows : {1, 7, 8, 9, 31, 70}) {
      const std::vector<float> x = FoldedFloats(static_cast<size_t>(rows * columns), 0, random);
      std::vector<double> expected(static_cast<size_t>(columns), 0.1);
      for (size_t i = 0; i < x.size(); ++i) {
        expected[i % expected.size()] += static_cast<double>(x[i]);
      }
      CHECK(SameFoldBits(FoldSides(Reducer::kAdd, ElementType::kF32, x, rows, columns, false, 0.1),
                         expected));
    }
  }
}

template <typename T>
T FirstExtreme(bool maximum, T acc, T x) {
  if (acc != acc) return acc;
  return (maximum ? acc >= x : acc <= x) ? acc : x;
}

void CompareExtremeFolds(bool maximum, const std::vector<float>& x, float init) {
  const Reducer reducer = maximum ? Reducer::kMaximum : Reducer::kMinimum;
  const int64_t n = static_cast<int64_t>(x.size());
  float expected = init;
  for (float value : x) expected = FirstExtreme(maximum, expected, value);
  CHECK(SameFoldBits(FoldSides(reducer, ElementType::kF32, x, 1, n, true, init), {expected}));
  const std::vector<double> wide(x.begin(), x.end());
  double wide_expected = init;
  for (double value : wide) wide_expected = FirstExtreme(maximum, wide_expected, value);
  CHECK(SameFoldBits(
      FoldSides(reducer, ElementType::kF64, wide, 1, n, true, static_cast<double>(init)),
      {wide_expected}));
}

TEST_CASE("extremes of floats: the first NaN, and the first zero") {
  std::mt19937 random(5);
  for (const int64_t n : kFoldedSizes) {
    for (int round = 0; round < 20; ++round) {
      std::vector<float> x =
          FoldedFloats(static_cast<size_t>(n), round % 2 == 0 ? 0 : 0.02, random);
      // Zeros are the extremes of these.
      if (round % 4 >= 2) {
        for (float& value : x) value = round % 8 < 4 ? -std::abs(value) : value * 0;
      }
      for (const float init : {-kFoldInfinity, kFoldInfinity, 0.0f, -0.0f, std::nanf("")}) {
        CompareExtremeFolds(true, x, init);
        CompareExtremeFolds(false, x, init);
      }
      if (n > 1021) break;
    }
  }
}

template <typename T>
void CompareIntegerFolds(ElementType type) {
  const std::pair<Reducer, std::function<T(T, T)>> reducers[] = {
      {Reducer::kAdd, [](T a, T b) { return static_cast<T>(uint64_t(a) + uint64_t(b)); }},
      {Reducer::kMultiply, [](T a, T b) { return static_cast<T>(uint64_t(a) * uint64_t(b)); }},
      {Reducer::kMaximum, [](T a, T b) { return std::max(a, b); }},
      {Reducer::kMinimum, [](T a, T b) { return std::min(a, b); }},
      {Reducer::kAnd, [](T a, T b) { return static_cast<T>(a & b); }},
      {Reducer::kOr, [](T a, T b) { return static_cast<T>(a | b); }},
  };
  std::mt19937_64 random(6);
  for (const int64_t n : kFoldedSizes) {
    std::vector<T> x(static_cast<size_t>(n));
    for (T& value : x) value = static_cast<T>(random() | 1);
    for (const auto& [reducer, apply] : reducers) {
      const T init = static_cast<T>(random() | 1);
      T expected = init;
      for (T value : x) expected = apply(expected, value);
      CHECK(FoldSides(reducer, type, x, 1, n, true, init)[0] == expected);
    }
  }
}

TEST_CASE("folds of integers") {
  CompareIntegerFolds<int8_t>(ElementType::kS8);
  CompareIntegerFolds<uint8_t>(ElementType::kU8);
  CompareIntegerFolds<int16_t>(ElementType::kS16);
  CompareIntegerFolds<uint16_t>(ElementType::kU16);
  CompareIntegerFolds<int32_t>(ElementType::kS32);
  CompareIntegerFolds<uint32_t>(ElementType::kU32);
  CompareIntegerFolds<int64_t>(ElementType::kS64);
  CompareIntegerFolds<uint64_t>(ElementType::kU64);
}

}  // namespace
}  // namespace hlo
