// The discrete Fourier transform of a line of numbers, the inner part of fft.
#ifndef HLO_ENGINE_KERNELS_FOURIER_H_
#define HLO_ENGINE_KERNELS_FOURIER_H_

#include <complex>
#include <cstdint>

#include "engine/base/function_ref.h"
#include "engine/base/pacer.h"
#include "engine/kernels/fourier_powers.h"
#include "engine/kernels/fourier_roots.h"
#include "engine/types/tensor.h"

namespace hlo {

/// What all transforms of one length share: roots of unity and scratch memory. Powers of two take
/// radix 4, short lengths the definition, others a convolution of a power of two (Bluestein); the
/// time is n log n for every length.
class FourierPlan {
 public:
  /// The numbers that a transform reads, of which those that its way does not need are empty.
  struct Tables {
    int64_t padded = 0;  ///< the length of the convolution, or 0
    Tensor roots;        ///< of the definition
    Tensor powers;       ///< the roots of the power of two, unless it is a matrix
    FourierMatrix::Tables matrix;
    Tensor chirp, filter;
  };

  /// length >= 0. Memory is charged to the budget (not null), which must outlive the plan and is
  /// polled.
  FourierPlan(int64_t length, Budget* budget);

  /// Replaces line[n] by the sum over k of line[k] exp(-2 pi i k n / length); `inverse`: with +2,
  /// and divided by the length. A line of zeros stays unchanged.
  void Transform(std::complex<double>* line, bool inverse);

  /// Whether a length is a long power of two, for which there is TransformNarrow.
  static bool TakesNarrow(int64_t length);
  /// The transform of a line of c64, computed as of c128 and rounded once.
  void TransformNarrow(const std::complex<float>* from, std::complex<float>* to, bool inverse);

  /// Transforms some lines: `plan` is this one or one like it, `room` has numbers for as many lines
  /// as ForEachGroup was told.
  using Group = FunctionRef<void(int64_t group, FourierPlan& plan, std::complex<double>* room)>;
  /// Calls body for the groups [0, count) of `lines` lines each; 0: of one, without room. Threads
  /// share them: no two groups may touch the same numbers.
  void ForEachGroup(int64_t count, int64_t lines, Group body);

  Tables tables() const {
    const FourierMatrix* const matrix = power_.matrix();
    return {padded_, roots_, power_.roots(), matrix ? matrix->tables() : FourierMatrix::Tables{},
            chirp_,  filter_};
  }

 private:
  /// Polls now and then.
  void Forward(std::complex<double>* line);
  void ByDefinition(std::complex<double>* line);
  void ByConvolution(std::complex<double>* line);

  /// For another thread, with scratch memory of its own.
  FourierPlan Another() const;

  int64_t length_;
  int64_t padded_ = 0;  ///< length of the convolution; 0 when there is none
  Pacer pacer_;
  PowerOfTwoTransform power_;
  Tensor roots_;    ///< of the definition
  Tensor chirp_;    ///< exp(-pi i k^2 / length)
  Tensor filter_;   ///< the transform of the conjugate chirp
  Tensor scratch_;  ///< one line
};

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_FOURIER_H_
