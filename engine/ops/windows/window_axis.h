// One dimension of a walk over sliding windows: which elements a window contains along it.
#ifndef HLO_ENGINE_OPS_WINDOWS_WINDOW_AXIS_H_
#define HLO_ENGINE_OPS_WINDOWS_WINDOW_AXIS_H_

#include <algorithm>
#include <cstdint>
#include <optional>

#include "engine/ops/attributes.h"
#include "engine/ops/windows/window_arithmetic.h"
#include "engine/ops/windows/window_walk.h"

namespace hlo {

/// One dimension, or several adjacent ones in which the window is trivial, merged into one.
struct WindowAxis {
  WindowAxis(const WindowDim& dim, int64_t input_size, int64_t input_stride, int64_t count,
             int64_t step_of_result);

  /// Whether every window has a single element along it, its own.
  bool trivial() const {
    return window.size == 1 && window.stride == 1 && window.pad_low == 0 &&
           window.base_dilation == 1 && outputs == size;
  }
  /// How many windows can advance together.
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

/// The window positions at which one of several outputs, a period apart, has an element.
struct WindowCells {
  int64_t count = 0;
  /// The index of the first output's element at the first of these positions; out of bounds if only
  /// later outputs have an element there.
  int64_t first = 0;
};

/// outputs > 1 only for a block of the axis.
WindowCells CellsOf(const WindowAxis& axis, int64_t output, int64_t outputs);

/// The index of the element at a window position of an output: nothing in a gap of the dilated
/// base, out of bounds in padding.
std::optional<int64_t> IndexAt(const WindowAxis& axis, int64_t output, int64_t place);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_WINDOWS_WINDOW_AXIS_H_
