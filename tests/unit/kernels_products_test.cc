// Products in blocks and thin ones against sums in ascending order of k, bit by bit.
#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "doctest/doctest.h"
#include "engine/kernels/dot_blocks.h"
#include "engine/kernels/dot_matmul.h"
#include "engine/kernels/dot_plain.h"
#include "tests/unit/product_cases.h"

namespace hlo {
namespace {

template <typename T>
bool SameBits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// Around the sizes of blocks, parts, and of what counts as thin.
constexpr std::array<int64_t, 3> kProductSizes[] = {
    {1, 300, 9},   {2, 19, 4100}, {3, 8, 5},     {3, 1, 4},      {4, 5, 4},      {5, 257, 8},
    {7, 9, 3},     {8, 33, 1},    {9, 6, 2},     {16, 4, 1},     {41, 70, 3},    {63, 256, 9},
    {64, 513, 15}, {67, 12, 7},   {66, 3, 1029}, {130, 258, 17}, {4, 260, 2050}, {1, 9, 1}};

template <typename T>
void CompareWithOrder() {
  Budget budget;
  ForEachSize(kProductSizes, [&](int64_t m, int64_t k, int64_t n) {
    const std::vector<T> a = UnevenNumbers<T>(m * k, 1), b = UnevenNumbers<T>(k * n, 2);
    const std::vector<T> expected = SumsInOrder(a, b, m, k, n);
    std::vector<T> c(expected.size(), T(99));
    MultiplyMatrices(a.data(), b.data(), c.data(), m, k, n, &budget);
    CHECK(SameBits(c, expected));
    std::fill(c.begin(), c.end(), T(99));
    plain::Multiply(a.data(), b.data(), c.data(), m, k, n, &budget);
    CHECK(SameBits(c, expected));
  });
}

/// Both sides in any layout give the same sums.
template <typename T>
void CompareLayouts() {
  Budget budget;
  ForEachSize(kProductSizes, [&](int64_t m, int64_t k, int64_t n) {
    const std::vector<T> a = UnevenNumbers<T>(m * k, 3), b = UnevenNumbers<T>(k * n, 4);
    const std::vector<T> expected = SumsInOrder(a, b, m, k, n);
    const std::vector<T> a_turned = Turned(a, m, k), b_turned = Turned(b, k, n);
    std::vector<T> c(expected.size(), T(99));
    MultiplyBlocks(MatrixRows<T>(a_turned.data(), 1, m), MatrixView<T>{b_turned.data(), 1, k},
                   c.data(), n, m, k, n, &budget);
    CHECK(SameBits(c, expected));
  });
}

/// A vector times a matrix that lies the other way, and the other way round.
void CompareVectors() {
  Budget budget;
  const LayoutProduct multiply = FindLayoutProduct(ElementType::kF32);
  const auto bytes = [](const auto& v) { return reinterpret_cast<const std::byte*>(v.data()); };
  for (const auto& sizes : {std::pair<int64_t, int64_t>{37, 21}, {8, 4100}, {1, 9}, {300, 8}}) {
    const int64_t k = sizes.first, n = sizes.second;
    CAPTURE(k);
    CAPTURE(n);
    const std::vector<float> x = UnevenNumbers<float>(k, 7), b = UnevenNumbers<float>(k * n, 8);
    const std::vector<float> turned = Turned(b, k, n), expected = SumsInOrder(x, b, 1, k, n);
    std::vector<float> c(expected.size(), 99.0F);
    auto* const to = reinterpret_cast<std::byte*>(c.data());
    CHECK(multiply(bytes(x), {k, 1}, bytes(turned), {1, k}, to, 1, k, n, &budget,
                   MultiplyAdd::kSeparate, nullptr));
    CHECK(SameBits(c, expected));
    std::fill(c.begin(), c.end(), 99.0F);
    CHECK(multiply(bytes(b), {1, n}, bytes(x), {1, 1}, to, n, k, 1, &budget, MultiplyAdd::kSeparate,
                   nullptr));
    CHECK(SameBits(c, expected));
  }
}

TEST_CASE("vectors are multiplied without turning the matrix over") { CompareVectors(); }

TEST_CASE("products sum in ascending order, whatever their shape") {
  CompareWithOrder<float>();
  CompareWithOrder<double>();
  CompareWithOrder<uint32_t>();
  CompareWithOrder<uint64_t>();
  CompareWithOrder<std::complex<float>>();
  CompareWithOrder<std::complex<double>>();
}

TEST_CASE("products in blocks take operands in any layout") {
  CompareLayouts<float>();
  CompareLayouts<double>();
  CompareLayouts<uint32_t>();
  CompareLayouts<uint64_t>();
  CompareLayouts<std::complex<float>>();
  CompareLayouts<std::complex<double>>();
}

/// Every element is handed on once, when it is final, in runs that are multiples of the unit.
template <typename T>
void CheckReady() {
  Budget budget;
  const std::array<int64_t, 3> sizes[] = {{4, 5, 4},      {67, 260, 7},   {130, 300, 256},
                                          {64, 3, 1029},  {130, 2, 300},  {515, 258, 1024},
                                          {514, 2, 1030}, {513, 257, 300}};
  ForEachSize(sizes, [&](int64_t m, int64_t k, int64_t n) {
    const std::vector<T> a = UnevenNumbers<T>(m * k, 1), b = UnevenNumbers<T>(k * n, 2);
    const std::vector<T> expected = SumsInOrder(a, b, m, k, n);
    std::vector<T> c(expected.size(), T(99)), seen(expected.size(), T(98));
    const int64_t unit = ProductUnit(m, k, n);
    bool is_whole = true;
    int64_t all = 0;
    const auto take = [&](int64_t begin, int64_t count, int, Budget*) {
      if (unit > 0) is_whole &= begin % unit == 0 && count % unit == 0;
      all += count;
      std::copy_n(c.begin() + begin, count, seen.begin() + begin);
      std::fill_n(c.begin() + begin, count, T(97));
    };
    const ElementsReady ready = take;
    MultiplyMatrices(a.data(), b.data(), c.data(), m, k, n, &budget, MultiplyAdd::kSeparate,
                     &ready);
    CHECK(is_whole);
    CHECK(all == m * n);
    CHECK(SameBits(seen, expected));
    CHECK(SameBits(c, std::vector<T>(c.size(), T(97))));
  });
}

TEST_CASE("products in blocks hand on what is final") {
  CheckReady<float>();
  CheckReady<double>();
  CheckReady<uint32_t>();
  CheckReady<std::complex<float>>();
}

/// Integers of 16 bits, whose products go by pairs: the least of them make pairs that wrap. `wide`:
/// one of each side is longer.
void ComparePairs(bool wide) {
  Budget budget;
  ForEachSize(kProductSizes, [&](int64_t m, int64_t k, int64_t n) {
    const auto numbers = [&](int64_t count, uint32_t seed) {
      std::vector<uint32_t> made = UnevenNumbers<uint32_t>(count, seed);
      for (uint32_t& x : made) x = x % 7 == 0 ? uint32_t{0} - 0x8000 : x % 0x10000 - 0x8000;
      if (wide) made.back() = seed == 1 ? 0x8000 : uint32_t{0} - 0x8001;
      return made;
    };
    const std::vector<uint32_t> a = numbers(m * k, 1), b = numbers(k * n, 2);
    std::vector<uint32_t> c(static_cast<size_t>(m * n), 99);
    MultiplyMatrices(a.data(), b.data(), c.data(), m, k, n, &budget);
    CHECK(SameBits(c, SumsInOrder(a, b, m, k, n)));
  });
}

TEST_CASE("products of small integers are those of longer ones") {
  ComparePairs(false);
  ComparePairs(true);
}

/// Infinite factors give infinite products where the sums of rounded products would be NaN.
template <typename R>
void CompareInfinities() {
  using T = std::complex<R>;
  constexpr R kInfinity = std::numeric_limits<R>::infinity();
  Budget budget;
  ForEachSize(kProductSizes, [&](int64_t m, int64_t k, int64_t n) {
    std::vector<T> a = UnevenNumbers<T>(m * k, 1), b = UnevenNumbers<T>(k * n, 2);
    a[a.size() / 2] = T(kInfinity, kInfinity);
    b[b.size() / 3] = T(-kInfinity, 0);
    b[0] = T(0, std::numeric_limits<R>::quiet_NaN());
    const std::vector<T> expected = SumsInOrder(a, b, m, k, n);
    std::vector<T> c(expected.size(), T(99));
    MultiplyMatrices(a.data(), b.data(), c.data(), m, k, n, &budget);
    const auto same = [](R x, R y) { return x == y || (x != x && y != y); };
    CHECK(std::equal(c.begin(), c.end(), expected.begin(), [&](const T& x, const T& y) {
      return same(x.real(), y.real()) && same(x.imag(), y.imag());
    }));
  });
}

TEST_CASE("products of infinite complex numbers are those of operator*") {
  CompareInfinities<float>();
  CompareInfinities<double>();
}

TEST_CASE("runs of rows are packed side by side, missing rows as zeros") {
  const std::vector<float> a = UnevenNumbers<float>(11, 5), b = UnevenNumbers<float>(11, 6);
  const float* const rows[] = {a.data(), nullptr, b.data(), nullptr};
  std::vector<float> packed(44, 99.0F);
  PackRuns(rows, 11, packed.data());
  for (size_t i = 0; i < 11; ++i) {
    CHECK(packed[4 * i] == a[i]);
    CHECK(packed[4 * i + 1] == 0);
    CHECK(packed[4 * i + 2] == b[i]);
    CHECK(packed[4 * i + 3] == 0);
  }
}

}  // namespace
}  // namespace hlo
