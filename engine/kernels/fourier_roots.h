// Roots of unity, and what else all Fourier transforms share.
#ifndef HLO_ENGINE_KERNELS_FOURIER_ROOTS_H_
#define HLO_ENGINE_KERNELS_FOURIER_ROOTS_H_

#include <complex>
#include <cstdint>

#include "engine/base/budget.h"
#include "engine/types/tensor.h"

namespace hlo {

/// std::complex's product checks for infinities at every step.
inline std::complex<double> PlainProduct(std::complex<double> a, std::complex<double> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// So many complex numbers.
Tensor MakeLine(int64_t length, Budget* budget);

/// exp(-2 pi i k / n), 0 <= k < n: the angle is brought into the first octant before it is
/// rounded, so that symmetric roots are symmetric to the last bit.
std::complex<double> RootOfUnity(int64_t k, int64_t n);

/// RootOfUnity(k, n) for all k < count; polls the budget.
Tensor RootsOfUnity(int64_t count, int64_t n, Budget* budget);

/// The first three quarters of the roots of n, a power of two.
Tensor RootsOfPower(int64_t n, Budget* budget);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_FOURIER_ROOTS_H_
