#include "engine/kernels/fourier_powers.h"

#ifndef HLO_SMALL

#include <algorithm>
#include <utility>

#include "engine/kernels/fourier_roots.h"
#include "engine/kernels/vectors.h"

namespace hlo {
namespace {

using Complex = std::complex<double>;
/// A complex number.
using Pair = Vector<double>;

Pair Load(const Complex* from) { return LoadVector(reinterpret_cast<const double*>(from)); }
void Store(Pair x, Complex* to) { StoreVector<double>(x, reinterpret_cast<double*>(to)); }

Pair Times(Pair x, Complex w) {
  const Pair swapped = {x[1], x[0]};
  const Pair imaginary = {-w.imag(), w.imag()};
  return x * Splat(w.real()) + swapped * imaginary;
}
/// By i.
Pair Turned(Pair x) { return Pair{-x[1], x[0]}; }

/// Roots of unity as passes read them: those of `table` that are `step` apart.
struct RootsOfPass {
  const Complex* table;
  int64_t step;
  Complex At(int64_t k) const { return table[k * step]; }
};

/// One pass over `stride` lines side by side, of which n elements are still to be combined.
void PassByFour(const Complex* from, Complex* to, int64_t n, int64_t stride, RootsOfPass roots) {
  const int64_t quarter = n / 4, apart = stride * quarter;
  for (int64_t p = 0; p < quarter; ++p) {
    const Complex* x = from + stride * p;
    Complex* y = to + 4 * stride * p;
    const Complex w1 = roots.At(p), w2 = roots.At(2 * p), w3 = roots.At(3 * p);
    for (int64_t q = 0; q < stride; ++q, ++x, ++y) {
      const Pair a = Load(x), b = Load(x + apart), c = Load(x + 2 * apart), d = Load(x + 3 * apart);
      const Pair even = a + c, odd = a - c, sum = b + d, turned = Turned(b - d);
      Store(even + sum, y);
      if (p == 0) {
        Store(odd - turned, y + stride);
        Store(even - sum, y + 2 * stride);
        Store(odd + turned, y + 3 * stride);
      } else {
        Store(Times(odd - turned, w1), y + stride);
        Store(Times(even - sum, w2), y + 2 * stride);
        Store(Times(odd + turned, w3), y + 3 * stride);
      }
    }
  }
}

void LastPassByTwo(const Complex* from, Complex* to, int64_t stride) {
  for (int64_t q = 0; q < stride; ++q) {
    const Pair a = Load(from + q), b = Load(from + q + stride);
    Store(a + b, to + q);
    Store(a - b, to + q + stride);
  }
}

/// Where the result is: in x or in y.
Complex* TransformLine(Complex* x, Complex* y, int64_t n, const Complex* roots) {
  int64_t stride = 1;
  for (; n >= 4; n /= 4, stride *= 4) {
    PassByFour(x, y, n, stride, {roots, stride});
    std::swap(x, y);
  }
  if (n == 2) {
    LastPassByTwo(x, y, stride);
    std::swap(x, y);
  }
  return x;
}

}  // namespace

PowerOfTwoTransform::PowerOfTwoTransform(int64_t length, Budget* budget) : length_(length) {
  if (length < 2) return;
  if (length >= kFourierMatrix) {
    matrix_.emplace(length, budget);
  } else {
    roots_ = RootsOfPower(length, budget);
    scratch_ = MakeLine(length, budget);
  }
}

PowerOfTwoTransform PowerOfTwoTransform::Another(Budget* budget) const {
  PowerOfTwoTransform another = *this;
  if (matrix_) another.matrix_ = matrix_->Another(budget);
  if (scratch_) another.scratch_ = MakeLine(length_, budget);
  return another;
}

void PowerOfTwoTransform::Run(std::complex<double>* line, Pacer* pacer) {
  if (length_ < 2) return;
  if (matrix_) return matrix_->Run(line, line, /*inverse=*/false, pacer->budget());
  const Complex* const result =
      TransformLine(line, scratch_.mutable_data<Complex>(), length_, roots_.data<Complex>());
  if (result != line) std::copy_n(result, length_, line);
  pacer->Add(length_);
}

}  // namespace hlo

#endif  // HLO_SMALL
