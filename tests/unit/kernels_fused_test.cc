// Fused multiply-adds against std::fma, in the order of the sums, bit by bit.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "doctest/doctest.h"
#include "engine/base/bits.h"
#include "engine/kernels/conv_product.h"
#include "engine/kernels/conv_window.h"
#include "engine/kernels/dot_blocks.h"
#include "engine/kernels/dot_matmul.h"
#include "engine/kernels/dot_thin.h"
#include "engine/kernels/fused_loops.h"
#include "tests/unit/product_cases.h"

namespace hlo {
namespace {

template <typename T>
using BitsOfFloat = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;

/// The same bits; any NaN is any other.
template <typename T>
bool IsSameFloat(T a, T b) {
  return (a != a && b != b) || BitCast<BitsOfFloat<T>>(a) == BitCast<BitsOfFloat<T>>(b);
}

template <typename T>
struct StepCase {
  T a, b, sum;
};

/// Any numbers; sums that cancel the product, or are half a unit away from it; the smallest and
/// largest numbers; a few bits each, whose sums are often ties.
template <typename T>
std::vector<StepCase<T>> StepCases() {
  using Bits = BitsOfFloat<T>;
  std::mt19937_64 random(7);
  const auto any = [&] { return BitCast<T>(static_cast<Bits>(random())); };
  const auto near_one = [&] {
    return static_cast<T>(
        1 + std::ldexp(static_cast<double>(random() % 4096), -12 - 12 * (random() % 2)));
  };
  const auto few_bits = [&] {
    return static_cast<T>(
        std::ldexp(static_cast<double>(random() % 31) - 15, static_cast<int>(random() % 60) - 30));
  };
  const T special[] = {0,
                       T(-0.0),
                       std::numeric_limits<T>::infinity(),
                       -std::numeric_limits<T>::infinity(),
                       std::numeric_limits<T>::quiet_NaN(),
                       std::numeric_limits<T>::max(),
                       std::numeric_limits<T>::min(),
                       std::numeric_limits<T>::denorm_min(),
                       -std::numeric_limits<T>::denorm_min(),
                       1,
                       -3};
  std::vector<StepCase<T>> cases;
  for (const T a : special) {
    for (const T b : special) {
      for (const T sum : special) cases.push_back({a, b, sum});
    }
  }
  for (int i = 0; i < 4000; ++i) {
    cases.push_back({any(), any(), any()});
    const T a = near_one(), b = near_one();
    cases.push_back({a, b, -(a * b)});
    cases.push_back({a, b, static_cast<T>(std::ldexp(T(1), std::numeric_limits<T>::digits) + 2)});
    cases.push_back({a, -b, static_cast<T>(std::ldexp(T(1), std::numeric_limits<T>::digits))});
    cases.push_back({few_bits(), few_bits(), few_bits()});
    const T tiny = std::numeric_limits<T>::min() * near_one();
    cases.push_back({tiny, near_one() - T(0.75), tiny * T(0.37)});
    cases.push_back({tiny, -near_one(), tiny});
  }
  return cases;
}

template <typename T>
void CompareSteps(const FusedLoops<T>& loops) {
  int64_t different = 0;
  for (const StepCase<T>& each : StepCases<T>()) {
    const T expected = std::fma(each.a, each.b, each.sum);
    // Vectors and what is left behind them.
    std::array<T, 9> rows, sums;
    rows.fill(each.b);
    sums.fill(each.sum);
    loops.add_scaled_row(&each.a, rows.data(), 9, 9, sums.data());
    for (const T sum : sums) different += IsSameFloat(sum, expected) ? 0 : 1;
  }
  CHECK(different == 0);
}

TEST_CASE("fused: a step is rounded once, with and without instructions of the machine") {
  CompareSteps(SoftwareLoops<float>());
  CompareSteps(SoftwareLoops<double>());
  CompareSteps(FastestFusedLoops<float>());
  CompareSteps(FastestFusedLoops<double>());
}

template <typename T>
bool AreSameSums(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), IsSameFloat<T>);
}

/// Around the sizes of blocks, parts, and of what counts as thin.
constexpr std::array<int64_t, 3> kFusedSizes[] = {
    {1, 300, 9}, {2, 19, 4100}, {3, 8, 5},   {4, 5, 4},     {5, 257, 8},   {7, 9, 3}, {8, 33, 1},
    {9, 6, 2},   {16, 4, 1},    {41, 70, 3}, {64, 300, 15}, {66, 3, 1029}, {1, 9, 1}, {2, 0, 3}};

template <typename T>
void CompareFusedProducts(ElementType type) {
  Budget budget;
  ForEachSize(kFusedSizes, [&](int64_t m, int64_t k, int64_t n) {
    const std::vector<T> a = UnevenNumbers<T>(m * k, 1), b = UnevenNumbers<T>(k * n, 2);
    const std::vector<T> expected =
        SumsInOrder(a, b, m, k, n, [](T x, T y, T sum) { return std::fma(x, y, sum); });
    std::vector<T> c(expected.size(), T(99));
    MultiplyMatrices(a.data(), b.data(), c.data(), m, k, n, &budget, MultiplyAdd::kFused);
    CHECK(AreSameSums(c, expected));
    if (k == 0) return;
    const auto bytes = [](const auto& v) { return reinterpret_cast<const std::byte*>(v.data()); };
    std::fill(c.begin(), c.end(), T(99));
    const std::vector<T> turned = Turned(b, k, n);
    if (FindLayoutProduct(type)(bytes(a), {k, 1}, bytes(turned), {1, k},
                                reinterpret_cast<std::byte*>(c.data()), m, k, n, &budget,
                                MultiplyAdd::kFused, nullptr)) {
      CHECK(AreSameSums(c, expected));
    }
    for (const FusedLoops<T>* loops : {&SoftwareLoops<T>(), &FastestFusedLoops<T>()}) {
      std::fill(c.begin(), c.end(), T(99));
      MultiplyBlocks(MatrixRows<T>(a.data(), k, 1), MatrixView<T>{b.data(), n, 1}, c.data(), n, m,
                     k, n, &budget, loops);
      CHECK(AreSameSums(c, expected));
      std::fill(c.begin(), c.end(), T(99));
      MultiplyFewRows(a.data(), b.data(), c.data(), m, k, n, &budget, loops);
      CHECK(AreSameSums(c, expected));
      std::fill(c.begin(), c.end(), T(99));
      MultiplyFewColumns(a.data(), b.data(), c.data(), m, k, n, &budget, loops);
      CHECK(AreSameSums(c, expected));
    }
  });
}

TEST_CASE("fused: products of every shape sum in order") {
  CompareFusedProducts<float>(ElementType::kF32);
  CompareFusedProducts<double>(ElementType::kF64);
}

/// One line of `size` places with `taps` taps, padded by one on each side.
template <typename T>
void CompareFusedLine(const ConvFeatures& f, ElementType type) {
  Budget budget;
  const int64_t size = 23, taps = 3, row = f.groups * f.outputs, in_row = f.groups * f.inputs;
  const std::vector<T> in = UnevenNumbers<T>(size * in_row, 3),
                       kernel = UnevenNumbers<T>(taps * f.inputs * row, 4);
  std::vector<T> expected(static_cast<size_t>(size * row));
  for (int64_t o = 0; o < size; ++o) {
    for (int64_t tap = 0; tap < taps; ++tap) {
      const int64_t x = o + tap - 1;
      if (x < 0 || x >= size) continue;
      for (int64_t j = 0; j < row; ++j) {
        T& sum = expected[static_cast<size_t>(o * row + j)];
        for (int64_t i = 0; i < f.inputs; ++i) {
          sum = std::fma(in[static_cast<size_t>(x * in_row + j / f.outputs * f.inputs + i)],
                         kernel[static_cast<size_t>((tap * f.inputs + i) * row + j)], sum);
        }
      }
    }
  }
  ConvDim image{.outputs = 1, .size = 1};
  image.in_stride = size * in_row;
  image.out_stride = size * row;
  ConvDim line{size, taps, -1, 1, 1, size};
  line.in_stride = in_row;
  line.tap_stride = f.inputs * row;
  line.out_stride = row;
  const ConvDims dims{image, line};
  std::vector<T> out(expected.size());
  ConvolveDirect(dims, f, in.data(), kernel.data(), out.data(), &budget, MultiplyAdd::kFused);
  CHECK(AreSameSums(out, expected));
  if (f.groups > 1 || f.outputs < kLeastRows) return;
  std::fill(out.begin(), out.end(), T(99));
  FindConvProduct(type)(dims,
                        {f.inputs, f.outputs, reinterpret_cast<const std::byte*>(in.data()),
                         reinterpret_cast<const std::byte*>(kernel.data()), row,
                         reinterpret_cast<std::byte*>(out.data()), row},
                        &budget, MultiplyAdd::kFused, nullptr);
  CHECK(AreSameSums(out, expected));
}

TEST_CASE("fused: convolutions as products, of single features, and tap by tap") {
  constexpr ConvFeatures kFeatures[] = {{1, 1, 1}, {2, 1, 1},  {13, 1, 1}, {8, 1, 1}, {1, 5, 1},
                                        {3, 2, 3}, {1, 33, 9}, {1, 4, 16}, {1, 3, 2}};
  for (const ConvFeatures& features : kFeatures) {
    CAPTURE(features.groups);
    CAPTURE(features.inputs);
    CAPTURE(features.outputs);
    CompareFusedLine<float>(features, ElementType::kF32);
    CompareFusedLine<double>(features, ElementType::kF64);
  }
}

}  // namespace
}  // namespace hlo
