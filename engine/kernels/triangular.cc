// Both are written as rows minus multiples of rows, so that memory is read in order and the
// compiler can make vectors of it.
#include "engine/kernels/triangular.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "engine/base/bits.h"
#include "engine/base/pacer.h"
#include "engine/kernels/complex_math.h"
#include "engine/threads/pieces.h"

namespace hlo {
namespace {

/// Rows that are solved together: they stay in the second-level cache while t passes by.
constexpr int64_t kTogether = 8;

double Conjugate(double a) { return a; }
double Divide(double a, double b) { return a / b; }
/// y - a * x. The complex product is written out: std::complex's checks for infinities at every
/// step.
double MinusProduct(double y, double a, double x) { return y - a * x; }

#ifndef HLO_SMALL
Complex Conjugate(Complex a) { return std::conj(a); }
Complex Divide(Complex a, Complex b) { return ComplexDivide(a, b); }
Complex MinusProduct(Complex y, Complex a, Complex x) {
  return {y.real() - (a.real() * x.real() - a.imag() * x.imag()),
          y.imag() - (a.real() * x.imag() + a.imag() * x.real())};
}
#endif

/// y[j] -= a * x[j] for j < n.
template <typename T>
void SubtractMultiple(T a, const T* x, T* y, int64_t n) {
  for (int64_t j = 0; j < n; ++j) y[j] = MinusProduct(y[j], a, x[j]);
}

/// Four at once: y is loaded and stored once. Row i of x starts at x + i * stride.
template <typename T>
void SubtractMultiples(const T (&a)[4], const T* x, int64_t stride, T* y, int64_t n) {
  const T *x0 = x, *x1 = x + stride, *x2 = x1 + stride, *x3 = x2 + stride;
  for (int64_t j = 0; j < n; ++j) {
    T z = MinusProduct(MinusProduct(y[j], a[0], x0[j]), a[1], x1[j]);
    y[j] = MinusProduct(MinusProduct(z, a[2], x2[j]), a[3], x3[j]);
  }
}

/// Work that a thread takes at a time.
constexpr int64_t kTriangularPiece = int64_t{1} << 16;

template <typename T>
void FactorOne(T* a, int64_t n, Pacer& pacer) {
  for (int64_t i = 0; i < n; ++i) {
    T* row = a + i * n;
    int64_t k = 0;
    for (; k + 4 <= i; k += 4) {
      const T* above = a + k * n + i;
      const T factors[4] = {Conjugate(above[0]), Conjugate(above[n]), Conjugate(above[2 * n]),
                            Conjugate(above[3 * n])};
      SubtractMultiples(factors, above, n, row + i, n - i);
    }
    for (; k < i; ++k) {
      const T* above = a + k * n + i;
      SubtractMultiple(Conjugate(above[0]), above, row + i, n - i);
    }
    pacer.Add((i + 1) * (n - i));
    // Of a pivot of zero the row becomes infinities and NaN, and then the next pivot has no root.
    double root = std::sqrt(std::real(row[i]));
    if (root != root) {
      std::fill_n(a, n * n, T(std::numeric_limits<double>::quiet_NaN()));
      return;
    }
    row[i] = root;
    for (int64_t j = i + 1; j < n; ++j) row[j] /= root;
  }
  for (int64_t i = 1; i < n; ++i) std::fill_n(a + i * n, i, T{});
}

/// Of some rows, together.
template <typename T>
void SolveTogether(const T* t, int64_t n, bool upper, bool unit_diagonal, T* rows, int64_t count,
                   Pacer& pacer) {
  for (int64_t step = 0; step < n; ++step) {
    const int64_t j = upper ? step : n - 1 - step;
    // The unknowns that are still to be found.
    const int64_t begin = upper ? j + 1 : 0, end = upper ? n : j;
    const T* const coefficients = t + j * n;
    for (int64_t r = 0; r < count; ++r) {
      T* const row = rows + r * n;
      if (!unit_diagonal) row[j] = Divide(row[j], coefficients[j]);
      SubtractMultiple(row[j], coefficients + begin, row + begin, end - begin);
    }
    pacer.Add(count * (end - begin + 1));
  }
}

/// Calls body(unit, pacer) for units of `each` multiplications, in pieces that threads share.
template <typename Body>
void ForEachUnit(int64_t units, int64_t each, Budget* budget, Body body) {
  const int64_t together = std::max<int64_t>(kTriangularPiece / std::max<int64_t>(each, 1), 1);
  RunRanges(units, together, units * each, budget, [&](PieceRange piece, int, Budget* own) {
    Pacer pacer(own);
    for (int64_t unit = piece.begin; unit < piece.end; ++unit) body(unit, pacer);
  });
}

}  // namespace

template <typename T>
void FactorUpper(T* matrices, int64_t n, int64_t count, Budget* budget) {
  ForEachUnit(count, n * n * n / 6, budget,
              [=](int64_t i, Pacer& pacer) { FactorOne(matrices + i * n * n, n, pacer); });
}

template <typename T>
void SolveRows(const T* matrices, int64_t n, int64_t count, bool upper, bool unit_diagonal, T* rows,
               int64_t rows_each, Budget* budget) {
  const int64_t parts = CeilDiv(rows_each, kTogether);
  ForEachUnit(count * parts, n * n * kTogether / 2, budget, [=](int64_t unit, Pacer& pacer) {
    const int64_t matrix = unit / parts, first = unit % parts * kTogether;
    SolveTogether(matrices + matrix * n * n, n, upper, unit_diagonal,
                  rows + (matrix * rows_each + first) * n, std::min(kTogether, rows_each - first),
                  pacer);
  });
}

template void FactorUpper<double>(double*, int64_t, int64_t, Budget*);
template void SolveRows<double>(const double*, int64_t, int64_t, bool, bool, double*, int64_t,
                                Budget*);
#ifdef HLO_SMALL
// As all that is complex (complex_math.cc).
template <>
void FactorUpper<Complex>(Complex*, int64_t, int64_t, Budget*) {
  ThrowComplexAbsent();
}
template <>
void SolveRows<Complex>(const Complex*, int64_t, int64_t, bool, bool, Complex*, int64_t, Budget*) {
  ThrowComplexAbsent();
}
#else
template void FactorUpper<Complex>(Complex*, int64_t, int64_t, Budget*);
template void SolveRows<Complex>(const Complex*, int64_t, int64_t, bool, bool, Complex*, int64_t,
                                 Budget*);
#endif

}  // namespace hlo
