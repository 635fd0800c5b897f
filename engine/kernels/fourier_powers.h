// Transforms whose length is a power of two.
#ifndef HLO_ENGINE_KERNELS_FOURIER_POWERS_H_
#define HLO_ENGINE_KERNELS_FOURIER_POWERS_H_

#include <complex>
#include <cstdint>
#include <optional>

#include "engine/base/pacer.h"
#include "engine/kernels/fourier_matrix.h"
#include "engine/types/tensor.h"

namespace hlo {

/// From here on a line is taken as a matrix: with its scratch memory it leaves the nearer caches.
inline constexpr int64_t kFourierMatrix = int64_t{1} << 14;

/// Of one length, with its roots of unity and scratch memory: passes of radix 4 in Stockham's
/// order, or a matrix.
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

  /// The roots that it reads, unless it is a matrix: the first three quarters.
  const Tensor& roots() const { return roots_; }
  /// Null: the line is short.
  FourierMatrix* matrix() { return matrix_ ? &*matrix_ : nullptr; }
  const FourierMatrix* matrix() const { return matrix_ ? &*matrix_ : nullptr; }

 private:
  int64_t length_ = 0;
  Tensor roots_;    ///< the first three quarters
  Tensor scratch_;  ///< one line
  std::optional<FourierMatrix> matrix_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_FOURIER_POWERS_H_
