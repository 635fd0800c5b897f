// Along one dimension, output o and window position w meet the base at o * stride + w *
// window_dilation - pad_low; there is an element if that is a multiple of the base dilation and in
// bounds. So the window positions with an element are equally spaced, and so are the elements: a
// window is a box of equally spaced elements, found by a division, not by trying positions.
#include "engine/ops/windows/window_axis.h"

#include <algorithm>
#include <numeric>

namespace hlo {
namespace {

Wide DivideWide(Wide a, int64_t b) { return b == 1 ? a : a / b; }

}  // namespace

WindowAxis::WindowAxis(const WindowDim& dim, int64_t input_size, int64_t input_stride,
                       int64_t count, int64_t step_of_result)
    : window(dim),
      size(input_size),
      stride(input_stride),
      outputs(count),
      result_stride(step_of_result),
      common(std::gcd(dim.base_dilation, dim.window_dilation)),
      hit_step(dim.base_dilation / common),
      cell_step(dim.window_dilation / common),
      inverse(InverseModulo(cell_step, hit_step)) {
  int64_t shared = std::gcd(dim.base_dilation, dim.stride);
  period = dim.base_dilation / shared;
  advance = dim.stride / shared;
}

WindowCells CellsOf(const WindowAxis& axis, int64_t output, int64_t outputs) {
  const int64_t dilation = axis.window.base_dilation;
  const Wide start = Wide{output} * axis.window.stride - axis.window.pad_low;
  Wide skipped = 0;
  if (dilation > 1) {
    const int64_t rest = static_cast<int64_t>(start % dilation);
    const int64_t missing = rest > 0 ? dilation - rest : -rest;
    if (missing % axis.common != 0) return {};
    skipped = Wide{missing / axis.common} * axis.inverse % axis.hit_step;
  }
  if (skipped >= axis.window.size) return {};
  const Wide hits = DivideWide(axis.window.size - 1 - skipped, axis.hit_step) + 1;
  const Wide index = DivideWide(start + skipped * axis.window.window_dilation, dilation);
  const Wide last_index = index + Wide{outputs - 1} * axis.advance;
  const int64_t step = axis.cell_step;
  const Wide begin = last_index < 0 ? DivideWide(-last_index + step - 1, step) : 0;
  if (index >= axis.size) return {};
  const Wide end = std::min(hits, DivideWide(axis.size - 1 - index, step) + 1);
  if (begin >= end) return {};
  return {static_cast<int64_t>(end - begin), static_cast<int64_t>(index + begin * step)};
}

std::optional<int64_t> IndexAt(const WindowAxis& axis, int64_t output, int64_t place) {
  constexpr Wide kFar = Wide{1} << 62;  // farther than any element
  const Wide at = Wide{output} * axis.window.stride + Wide{place} * axis.window.window_dilation -
                  axis.window.pad_low;
  const int64_t dilation = axis.window.base_dilation;
  if (dilation > 1 && at % dilation != 0) return std::nullopt;
  return static_cast<int64_t>(std::clamp(DivideWide(at, dilation), -kFar, kFar));
}

}  // namespace hlo
