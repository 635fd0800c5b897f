// Factors of products, and their sums one product after the other.
#ifndef HLO_TESTS_UNIT_PRODUCT_CASES_H_
#define HLO_TESTS_UNIT_PRODUCT_CASES_H_

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

namespace hlo {

/// Numbers whose sums depend on their order.
template <typename T>
std::vector<T> UnevenNumbers(int64_t count, uint32_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> numbers(static_cast<size_t>(count));
  for (T& x : numbers) {
    const auto fraction = [&] { return static_cast<double>(random() % 2000003) / 1000001.5 - 1; };
    if constexpr (std::is_floating_point_v<T>) {
      x = static_cast<T>(fraction());
    } else if constexpr (std::is_integral_v<T>) {
      x = static_cast<T>(random());
    } else {
      using Part = typename T::value_type;
      const double real = fraction();
      x = T(static_cast<Part>(real), static_cast<Part>(fraction()));
    }
  }
  return numbers;
}

/// body(m, k, n) for all sizes; a check that fails names them.
template <typename Sizes, typename Body>
void ForEachSize(const Sizes& all, Body body) {
  for (const std::array<int64_t, 3>& sizes : all) {
    const int64_t m = sizes[0], k = sizes[1], n = sizes[2];
    CAPTURE(m);
    CAPTURE(k);
    CAPTURE(n);
    body(m, k, n);
  }
}

/// The columns of a row-major matrix as rows.
template <typename T>
std::vector<T> Turned(const std::vector<T>& matrix, int64_t rows, int64_t columns) {
  std::vector<T> turned(matrix.size());
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) {
      turned[static_cast<size_t>(j * rows + i)] = matrix[static_cast<size_t>(i * columns + j)];
    }
  }
  return turned;
}

/// The product of a [m,k] and b [k,n]; step(x, y, sum) is what x y is added to a sum by.
template <typename T, typename Step>
std::vector<T> SumsInOrder(const std::vector<T>& a, const std::vector<T>& b, int64_t m, int64_t k,
                           int64_t n, Step step) {
  std::vector<T> c(static_cast<size_t>(m * n), T{});
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t p = 0; p < k; ++p) {
      const T factor = a[static_cast<size_t>(i * k + p)];
      for (int64_t j = 0; j < n; ++j) {
        T& sum = c[static_cast<size_t>(i * n + j)];
        sum = step(factor, b[static_cast<size_t>(p * n + j)], sum);
      }
    }
  }
  return c;
}

template <typename T>
std::vector<T> SumsInOrder(const std::vector<T>& a, const std::vector<T>& b, int64_t m, int64_t k,
                           int64_t n) {
  return SumsInOrder(a, b, m, k, n, [](T x, T y, T sum) { return static_cast<T>(sum + x * y); });
}

}  // namespace hlo

#endif  // HLO_TESTS_UNIT_PRODUCT_CASES_H_
