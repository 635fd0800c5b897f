// Transforms whose length is a power of two.
#ifndef HLO_ENGINE_KERNELS_FOURIER_POWERS_H_
#define HLO_ENGINE_KERNELS_FOURIER_POWERS_H_

#include <complex>
#include <cstdint>

#include "engine/base/pacer.h"
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

/// From here on a line is taken as a matrix: with its scratch memory it leaves the nearer caches.
inline constexpr int64_t kFourierMatrix = int64_t{1} << 14;
/// Lines of a matrix that are transformed side by side: two lines of a processor's cache.
inline constexpr int64_t kLinesTogether = 8;
/// The rows of the matrix that a line is taken as.
int64_t RowsOfLine(int64_t length);

/// Of one length, with its roots of unity and scratch memory. Passes of radix 4 in Stockham's
/// order; a long line is taken as a matrix whose columns and then rows are transformed, some at a
/// time, in the nearer caches.
class PowerOfTwoTransform {
 public:
  /// For no length.
  PowerOfTwoTransform() = default;
  /// Memory is charged to the budget, which is polled and must outlive it.
  PowerOfTwoTransform(int64_t length, Budget* budget);

  /// Replaces line[n] by the sum over k of line[k] exp(-2 pi i k n / length).
  void Run(std::complex<double>* line, Pacer* pacer);

  /// For another thread: with scratch memory of its own, which is charged to the budget.
  PowerOfTwoTransform Another(Budget* budget) const;

  /// The roots that it reads: the first three quarters.
  const Tensor& roots() const { return roots_; }

 private:
  using Complex = std::complex<double>;

  void MakeScratch(Budget* budget);
  void RunAsMatrix(Complex* line, Pacer* pacer);
  Complex RootAt(int64_t k) const;

  int64_t length_ = 0;
  Tensor roots_;    ///< the first three quarters
  Tensor scratch_;  ///< one line
  Tensor lines_;    ///< of a matrix: some lines, twice
};

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_FOURIER_POWERS_H_
