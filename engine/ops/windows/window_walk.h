// Iterates over the elements of sliding windows, many windows at a time.
// Source: operation semantics, ReduceWindow.
#ifndef HLO_ENGINE_OPS_WINDOWS_WINDOW_WALK_H_
#define HLO_ENGINE_OPS_WINDOWS_WINDOW_WALK_H_

#include <cstdint>
#include <span>

#include "engine/base/budget.h"
#include "engine/base/function_ref.h"
#include "engine/kernels/move_view.h"
#include "engine/ops/attributes.h"

namespace hlo {

/// The maximum number of windows in a block.
inline constexpr int64_t kWindowBlock = 1024;

/// Windows along one dimension that advance together.
struct WindowBlock {
  int64_t count;
  int64_t result;       ///< offset of the first window's result
  int64_t result_step;  ///< from one window's result to the next one's
  /// Each window has the elements of the same window of the previous block, in that order, followed
  /// by those visited now.
  bool extends;
};

/// One element of each of several adjacent windows of a block, or a position where they have none.
struct WindowRun {
  int64_t begin;   ///< number of the first window in the block
  int64_t count;   ///< of windows
  bool element;    ///< false in padding and in gaps of the base, where offset and step are 0
  int64_t offset;  ///< of the first window's element in the input
  int64_t step;    ///< from one window's element to the next one's
};

/// Callbacks of a walk. For every block: Begin, Take for each run, End.
class WindowVisitor {
 public:
  virtual ~WindowVisitor() = default;
  virtual void Begin(const WindowBlock& block) = 0;
  virtual void Take(const WindowRun& run) = 0;
  virtual void End(const WindowBlock& block) = 0;
};

/// The window positions that have no element: in padding, or in gaps of a dilated base.
enum class WindowGaps : uint8_t {
  kNone,
  kLeading,  ///< at most before all elements of the window, or in place of all of them
  kAnywhere,
};
/// Positions without an element, for windows over arrays of these sizes. Conservative: may return a
/// later category than necessary.
WindowGaps FindWindowGaps(const Window& window, std::span<const int64_t> sizes);

/// The number of window positions per dimension, over arrays of these sizes.
Dims WindowCounts(const Window& window, std::span<const int64_t> sizes);

/// Visits all windows over `input`, each in some block once; a window's elements come in row-major
/// order of the window, without the positions that lie in padding or in gaps of the base. `result`
/// has the dims WindowCounts(window, input.dims) or smaller ones. The cost is proportional to the
/// elements in windows, even if padding makes a dimension huge. Polls the budget.
void WalkWindows(const Window& window, const StridedView& input, const StridedView& result,
                 WindowVisitor& visitor, Budget* budget);

/// The same with all positions of every window, including those without an element; no block
/// extends another. The cost is proportional to the windows' sizes, even if there is nothing but
/// padding.
void WalkWholeWindows(const Window& window, const StridedView& input, const StridedView& result,
                      WindowVisitor& visitor, Budget* budget);

/// How the positions of windows without an element are met: WalkWindows, or WalkWholeWindows.
enum class WindowWalk : uint8_t { kElements, kWhole };

#ifndef HLO_SMALL

/// The same walk in pieces that threads share, with a visitor for each thread, which is asked for
/// at each piece. False, with nothing done, where they share nothing.
bool ShareWalk(WindowWalk walk, const Window& window, const StridedView& input,
               const StridedView& result, Budget* budget,
               FunctionRef<WindowVisitor&(int thread, Budget* budget)> visitor_of);
/// Whether ShareWalk divides the walk among threads.
bool IsWalkShared(const Window& window, const StridedView& result);

#endif  // HLO_SMALL

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_WINDOWS_WINDOW_WALK_H_
