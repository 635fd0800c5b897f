#include "engine/kernels/fourier.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/lanes/f64_functions.h"

namespace hlo {
namespace {

using Complex = std::complex<double>;

/// Up to here n^2 is as fast as anything else, and more exact.
constexpr int64_t kShort = 32;

bool IsPowerOfTwo(int64_t n) { return (n & (n - 1)) == 0; }

/// std::complex's product checks for infinities at every step.
Complex Times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// exp(-2 pi i k / n), 0 <= k < n: the angle is brought into the first octant before it is
/// rounded, so that symmetric roots are symmetric to the last bit.
Complex Root(int64_t k, int64_t n) {
  constexpr double kOctant = 0.78539816339744830962;
  int64_t octant = 8 * k / n;
  int64_t rest = 8 * k - octant * n;
  if (octant % 2 != 0) rest = n - rest;
  double angle = kOctant * (static_cast<double>(rest) / static_cast<double>(n));
  double x = f64::Cos(angle), y = f64::Sin(angle);
  if (octant % 4 == 1 || octant % 4 == 2) std::swap(x, y);
  if (octant >= 2 && octant < 6) x = -x;
  return {x, octant < 4 ? -y : y};
}

Tensor MakeLine(int64_t length, Budget* budget) {
  const int64_t dims[] = {length};
  return Tensor(ElementType::kC128, dims, budget);
}

/// Roots 0 to count - 1 of n.
Tensor Roots(int64_t count, int64_t n, Budget* budget) {
  Tensor roots = MakeLine(count, budget);
  for (int64_t k = 0; k < count; ++k) {
    if (k % Pacer::kPollWork == 0) budget->Poll();
    roots.mutable_data<Complex>()[k] = Root(k, n);
  }
  return roots;
}

/// Moves element i to the position whose number is i with its bits reversed.
void ReverseBits(Complex* line, int64_t length) {
  int64_t reversed = 0;
  for (int64_t i = 0; i < length; ++i) {
    if (i < reversed) std::swap(line[i], line[reversed]);
    int64_t bit = length / 2;
    for (; (reversed & bit) != 0; bit /= 2) reversed ^= bit;
    reversed |= bit;
  }
}

}  // namespace

FourierPlan::FourierPlan(int64_t length, Budget* budget) : length_(length), pacer_(budget) {
  if (IsPowerOfTwo(length)) {
    roots_ = Roots(length / 2, length, budget);
    return;
  }
  if (length <= kShort) {
    roots_ = Roots(length, length, budget);
    scratch_ = MakeLine(length, budget);
    return;
  }
  chirp_ = MakeLine(length, budget);
  padded_ = 1;
  while (padded_ < 2 * length - 1) padded_ *= 2;
  filter_ = MakeLine(padded_, budget);
  scratch_ = MakeLine(padded_, budget);
  roots_ = Roots(padded_ / 2, padded_, budget);
  Complex* chirp = chirp_.mutable_data<Complex>();
  Complex* filter = filter_.mutable_data<Complex>();
  std::fill_n(filter, padded_, Complex{});
  // square is k^2 modulo 2 * length.
  for (int64_t k = 0, square = 0; k < length; ++k) {
    if (k % Pacer::kPollWork == 0) budget->Poll();
    chirp[k] = Root(square, 2 * length);
    filter[k] = filter[k == 0 ? 0 : padded_ - k] = std::conj(chirp[k]);
    square = (square + 2 * k + 1) % (2 * length);
  }
  ByHalves(filter, padded_);
}

void FourierPlan::ByHalves(Complex* line, int64_t length) {
  ReverseBits(line, length);
  const Complex* roots = roots_.data<Complex>();
  for (int64_t half = 1; half < length; half *= 2) {
    int64_t step = length / (2 * half);
    for (int64_t first = 0; first < length; first += 2 * half) {
      for (int64_t j = 0; j < half; ++j) {
        Complex a = line[first + j];
        Complex b = Times(line[first + half + j], roots[j * step]);
        line[first + j] = a + b;
        line[first + half + j] = a - b;
      }
    }
    pacer_.Add(length / 2);
  }
}

void FourierPlan::ByDefinition(Complex* line) {
  const Complex* roots = roots_.data<Complex>();
  Complex* sums = scratch_.mutable_data<Complex>();
  for (int64_t n = 0; n < length_; ++n) {
    Complex sum = 0;
    for (int64_t k = 0, turn = 0; k < length_; ++k) {
      sum += Times(line[k], roots[turn]);
      turn += n;
      if (turn >= length_) turn -= length_;
    }
    sums[n] = sum;
  }
  std::copy_n(sums, length_, line);
  pacer_.Add(length_ * length_);
}

void FourierPlan::ByConvolution(Complex* line) {
  const Complex* chirp = chirp_.data<Complex>();
  const Complex* filter = filter_.data<Complex>();
  Complex* padded = scratch_.mutable_data<Complex>();
  for (int64_t k = 0; k < length_; ++k) padded[k] = Times(line[k], chirp[k]);
  std::fill(padded + length_, padded + padded_, Complex{});
  ByHalves(padded, padded_);
  // The inverse transform is that of the conjugate, conjugated.
  for (int64_t k = 0; k < padded_; ++k) padded[k] = std::conj(Times(padded[k], filter[k]));
  ByHalves(padded, padded_);
  double scale = 1.0 / static_cast<double>(padded_);
  for (int64_t k = 0; k < length_; ++k) {
    line[k] = Times(std::conj(padded[k]) * scale, chirp[k]);
  }
}

void FourierPlan::Forward(Complex* line) {
  if (padded_ != 0) {
    ByConvolution(line);
  } else if (IsPowerOfTwo(length_)) {
    ByHalves(line, length_);
  } else {
    ByDefinition(line);
  }
}

void FourierPlan::Transform(Complex* line, bool inverse) {
  pacer_.Add(length_ + 1);
  if (std::all_of(line, line + length_, [](Complex x) { return x == 0.0; })) return;
  if (!inverse) return Forward(line);
  for (int64_t k = 0; k < length_; ++k) line[k] = std::conj(line[k]);
  Forward(line);
  double length = static_cast<double>(length_);
  for (int64_t k = 0; k < length_; ++k) line[k] = std::conj(line[k]) / length;
}

}  // namespace hlo
