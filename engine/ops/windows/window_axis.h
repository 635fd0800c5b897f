// One dimension of a walk with sliding windows: which elements a window meets along it.
#ifndef HLO_ENGINE_OPS_WINDOWS_WINDOW_AXIS_H_
#define HLO_ENGINE_OPS_WINDOWS_WINDOW_AXIS_H_

#include <algorithm>
#include <cstdint>
#include <optional>

#include "engine/ops/attributes.h"
#include "engine/ops/windows/window_arithmetic.h"
#include "engine/ops/windows/window_walk.h"

namespace hlo {

/// One dimension, or several that the window leaves alone and that lie as one.
struct WindowAxis {
  WindowAxis(const WindowDim& dim, int64_t input_size, int64_t input_stride, int64_t count,
             int64_t step_of_result);

  /// The window takes every element by itself.
  bool trivial() const {
    return window.size == 1 && window.stride == 1 && window.pad_low == 0 &&
           window.base_dilation == 1 && outputs == size;
  }
  /// Windows that can advance together.
  int64_t block_size() const {
    return advance >= size ? 1 : std::min(kWindowBlock, (outputs - 1) / period + 1);
  }

  WindowDim window;
  int64_t size;    ///< of the input
  int64_t stride;  ///< in the input
  int64_t outputs;
  int64_t result_stride;
  int64_t common;
  int64_t hit_step;   ///< between window positions that meet an element
  int64_t cell_step;  ///< between the elements they meet
  int64_t inverse;    ///< of cell_step modulo hit_step
  int64_t period;     ///< outputs so far apart meet elements at the same window positions ...
  int64_t advance;    ///< ... and these are so far apart
};

/// The window positions at which one of several outputs, a period apart, meets an element.
struct WindowCells {
  int64_t count = 0;
  /// The index that the first output meets at the first of these positions; out of bounds if only
  /// later ones meet an element there.
  int64_t first = 0;
};

/// outputs > 1 only for a block of the axis.
WindowCells CellsOf(const WindowAxis& axis, int64_t output, int64_t outputs);

/// The index that an output meets at a window position: nothing in a gap of the base, out of bounds
/// in padding.
std::optional<int64_t> IndexAt(const WindowAxis& axis, int64_t output, int64_t place);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_WINDOWS_WINDOW_AXIS_H_
