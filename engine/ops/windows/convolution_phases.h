// Splits one spatial dimension of a convolution into phases without base dilation.
#ifndef HLO_ENGINE_OPS_WINDOWS_CONVOLUTION_PHASES_H_
#define HLO_ENGINE_OPS_WINDOWS_CONVOLUTION_PHASES_H_

#include <cstdint>

#include "engine/kernels/conv_window.h"
#include "engine/ops/attributes.h"
#include "engine/ops/windows/window_arithmetic.h"

namespace hlo {

/// A subset of the outputs and the taps that can meet: outputs first_output + i * output_step with
/// taps first_tap + j * tap_step. `dim` gives the input position over i and j; its strides are not
/// set. Steps are 0 if there is one output or tap.
struct ConvPhase {
  ConvDim dim;
  int64_t first_output = 0, output_step = 0;
  int64_t first_tap = 0, tap_step = 0;
};

/// Base dilation puts holes between the inputs, so that an output meets only every n-th tap; which
/// taps it meets is periodic in the outputs. A phase consists of the outputs that meet the same
/// taps: a convolution without holes. Outputs and taps at the ends that only meet padding are left
/// out.
/// Source: operation semantics, ConvWithGeneralPadding.
class ConvPhases {
 public:
  /// `inputs` and `outputs`: sizes of the dimension in operand and result. Window numbers as
  /// accepted by the verifier.
  ConvPhases(const WindowDim& window, int64_t inputs, int64_t outputs);
  int64_t count() const { return count_; }
  /// Phase i, 0 <= i < count(); false if no output of it meets an input.
  bool Get(int64_t i, ConvPhase* phase) const;

 private:
  bool Trim(ConvPhase* phase, Wide base) const;

  WindowDim window_;
  int64_t inputs_, outputs_;
  int64_t output_period_, tap_period_, common_, inverse_;
  int64_t count_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_WINDOWS_CONVOLUTION_PHASES_H_
