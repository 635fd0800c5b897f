// Reads a view part by part, in the order of its elements: for loops over elements that take an
// operand repeated, sliced or reversed, without making an array of it.
#ifndef HLO_ENGINE_KERNELS_VIEW_READER_H_
#define HLO_ENGINE_KERNELS_VIEW_READER_H_

#include <cstddef>
#include <cstdint>

#include "engine/kernels/move_view.h"

namespace hlo {

class ViewReader {
 public:
  explicit ViewReader(const StridedView& view);

  /// Copies elements [begin, begin + count) of the view to `out`. `source` is the buffer that the
  /// view is laid over; its elements have `width` bytes: 1, 2, 4, 8 or 16.
  void Read(int64_t begin, int64_t count, int width, const std::byte* source, std::byte* out) const;
  /// Where elements [begin, begin + count) lie one after the other, if they do; null elsewhere.
  const std::byte* Find(int64_t begin, int64_t count, int width, const std::byte* source) const;
  /// Every element is the same one.
  bool is_uniform() const { return runs_.dims.empty(); }
  /// The elements are the first so many of them over and over: all of them at most.
  int64_t period() const;
  /// The elements in order.
  const StridedView& runs() const { return runs_; }
  /// How many elements follow one another at a fixed distance, and that distance.
  int64_t run_length() const { return is_uniform() ? 1 : runs_.dims.back(); }
  int64_t run_stride() const { return is_uniform() ? 0 : runs_.strides.back(); }

 private:
  StridedView runs_;  // dimensions that continue one another are one; none of size 1
};

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_VIEW_READER_H_
