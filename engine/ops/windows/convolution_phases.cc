#include "engine/ops/windows/convolution_phases.h"

#include <algorithm>
#include <numeric>

namespace hlo {
namespace {

Wide FloorQuotient(Wide a, Wide b) { return a / b - (a % b < 0 ? 1 : 0); }
Wide CeilQuotient(Wide a, Wide b) { return -FloorQuotient(-a, b); }
Wide Modulo(Wide a, Wide b) { return a - FloorQuotient(a, b) * b; }

}  // namespace

ConvPhases::ConvPhases(const WindowDim& window, int64_t inputs, int64_t outputs)
    : window_(window), inputs_(inputs), outputs_(outputs) {
  const int64_t holes = window.base_dilation;
  output_period_ = holes / std::gcd(holes, window.stride);
  common_ = std::gcd(holes, window.window_dilation);
  tap_period_ = holes / common_;
  inverse_ = InverseModulo(window.window_dilation / common_, tap_period_);
  count_ = inputs == 0 ? 0 : std::min(output_period_, outputs);
}

bool ConvPhases::Get(int64_t i, ConvPhase* phase) const {
  const WindowDim& w = window_;
  // Tap k of output i meets an input, not a hole, when start + k * window_dilation is a multiple of
  // the base dilation.
  const Wide start = static_cast<Wide>(i) * w.stride - w.pad_low;
  const Wide missing = Modulo(-start, w.base_dilation);
  if (missing % common_ != 0) return false;
  const Wide first_tap = Modulo(missing / common_ * inverse_, tap_period_);
  if (first_tap >= w.size) return false;
  phase->first_output = i;
  phase->first_tap = static_cast<int64_t>(first_tap);
  phase->output_step = output_period_;
  phase->tap_step = tap_period_;
  ConvDim& dim = phase->dim;
  dim.outputs = (outputs_ - 1 - i) / output_period_ + 1;
  dim.taps = (w.size - 1 - phase->first_tap) / tap_period_ + 1;
  dim.per_output = w.stride / (w.base_dilation / output_period_);
  dim.per_tap = w.window_dilation / common_;
  dim.size = inputs_;
  return Trim(phase, (start + first_tap * w.window_dilation) / w.base_dilation);
}

bool ConvPhases::Trim(ConvPhase* phase, Wide base) const {
  ConvDim& dim = phase->dim;
  const Wide reach = static_cast<Wide>(dim.taps - 1) * dim.per_tap;
  const Wide first = std::max<Wide>(CeilQuotient(-base - reach, dim.per_output), 0);
  const Wide last =
      std::min<Wide>(FloorQuotient(dim.size - 1 - base, dim.per_output), dim.outputs - 1);
  if (first > last) return false;
  const Wide low = base + first * dim.per_output, high = base + last * dim.per_output;
  const Wide first_tap = std::max<Wide>(CeilQuotient(-high, dim.per_tap), 0);
  const Wide last_tap =
      std::min<Wide>(FloorQuotient(dim.size - 1 - low, dim.per_tap), dim.taps - 1);
  if (first_tap > last_tap) return false;
  phase->first_output += static_cast<int64_t>(first * phase->output_step);
  phase->first_tap += static_cast<int64_t>(first_tap * phase->tap_step);
  dim.base = static_cast<int64_t>(low + first_tap * dim.per_tap);
  dim.outputs = static_cast<int64_t>(last - first) + 1;
  dim.taps = static_cast<int64_t>(last_tap - first_tap) + 1;
  if (dim.outputs == 1) phase->output_step = 0, dim.per_output = 1;
  if (dim.taps == 1) phase->tap_step = 0, dim.per_tap = 1;
  return true;
}

}  // namespace hlo
