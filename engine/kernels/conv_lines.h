// Convolution line by line: lines of outputs, which threads share, and copies of the lines of the
// input that they need. Internal to the kernels of convolutions.
#ifndef HLO_ENGINE_KERNELS_CONV_LINES_H_
#define HLO_ENGINE_KERNELS_CONV_LINES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/small_vector.h"
#include "engine/kernels/conv_window.h"
#include "engine/kernels/product_loops.h"
#include "engine/kernels/ready_elements.h"
#include "engine/threads/pieces.h"

namespace hlo {

/// What threads share: lines of about so many products together.
inline constexpr int64_t kLineWork = int64_t{1} << 16;
/// Taps whose products are added before sums go back to memory.
inline constexpr size_t kTapsTogether = 64;
/// Outputs that are computed together.
inline constexpr int kOutputsTogether = 4;

/// product_loops::AddFeatures, separate steps.
template <typename T, int kOutputs>
void AddFeatures(const DepthwiseTap* taps, ptrdiff_t count, const T* in, ptrdiff_t in_step,
                 const T* kernel, T* out, ptrdiff_t out_step, ptrdiff_t features) {
  product_loops::AddFeatures<T, kOutputs, SeparateStep>(taps, count, in, in_step, kernel, out,
                                                        out_step, features);
}

/// The next index within these ranges, in row-major order of the first `rank` dimensions; false,
/// and back at the first, after the last one.
inline bool NextIndex(std::span<const TapRange> ranges, size_t rank, Dims* index) {
  for (size_t d = rank; d-- > 0;) {
    if (++(*index)[d] < ranges[d].end) return true;
    (*index)[d] = ranges[d].begin;
  }
  return false;
}

/// Lines of outputs, as threads share them.
struct OutputLines {
  explicit OutputLines(std::span<const ConvDim> dims)
      : outer(dims.first(dims.size() - 1)), line(dims.back().outputs * dims.back().out_stride) {
    for (const ConvDim& dim : outer) count *= dim.outputs;
    for (const ConvDim& dim : outer) {
      taps *= dim.taps;
      needed *= std::min(dim.taps, dim.size);
    }
  }
  /// body(OutputCursor, thread, budget of the thread, number of lines from that output on); `work`:
  /// products of a line. A piece has `least` lines. `ready`, if not null, is told of the outputs
  /// of each piece after it, counted from the first output of all; lines are dense then.
  template <typename Body>
  void Run(int64_t work, int64_t least, Budget* budget, const ElementsReady* ready,
           const Body& body) const {
    const int64_t together = std::max(kLineWork / std::max<int64_t>(work, 1), least);
    RunRanges(count, together, count * work, budget,
              [&](PieceRange piece, int thread, Budget* own) {
                body(OutputCursor(outer, piece.begin), thread, own, piece.end - piece.begin);
                if (ready != nullptr) HandOn(piece, *ready, thread, own);
              });
  }
  /// Lines follow one another, unless they are parts of longer ones.
  void HandOn(PieceRange lines, const ElementsReady& ready, int thread, Budget* budget) const {
    OutputCursor at(outer, lines.begin);
    const auto next = std::find_if(outer.rbegin(), outer.rend(),
                                   [](const ConvDim& dim) { return dim.outputs > 1; });
    const bool follow = next == outer.rend() || next->out_stride == line;
    const int64_t together = follow ? lines.end - lines.begin : 1;
    for (int64_t i = lines.begin; i < lines.end; i += together, at.Next()) {
      ready(at.out_offset(), together * line, thread, budget);
    }
  }
  std::span<const ConvDim> outer;
  int64_t line;  // elements from the first output of a line to behind its last
  /// Lines of a piece whose copies of the input are made anew: few of them are made twice.
  int64_t Many() const { return 8 * (needed - 1) + 1; }

  int64_t count = 1;
  int64_t taps = 1;    // of the dimensions but the last
  int64_t needed = 1;  // lines of the input for a line of outputs, at most
};

/// Copies of lines of the input, `size` elements each: as many as an output can need. What the next
/// output needs too is kept.
template <typename T>
class LineCopies {
 public:
  LineCopies(int64_t count, int64_t size, T* room)
      : size_(size), room_(room), lines_(static_cast<size_t>(count)) {}

  /// The next output: what it does not ask for may be overwritten.
  void Next() { ++turn_; }

  /// Where the copy of the line is that lies at this offset of the input, from the first copy on.
  int64_t Find(int64_t offset) {
    size_t oldest = 0;
    for (size_t i = 0; i < lines_.size(); ++i) {
      if (lines_[i].offset == offset && lines_[i].turn > 0) {
        lines_[i].turn = turn_;
        return static_cast<int64_t>(i) * size_;
      }
      if (lines_[i].turn < lines_[oldest].turn) oldest = i;
    }
    lines_[oldest] = {offset, turn_};
    const int64_t at = static_cast<int64_t>(oldest) * size_;
    Copy(offset, room_ + at);
    return at;
  }

 protected:
  ~LineCopies() = default;

 private:
  virtual void Copy(int64_t offset, T* to) const = 0;

  struct Line {
    int64_t offset = 0, turn = 0;
  };
  int64_t size_, turn_ = 0;
  T* room_;
  std::vector<Line> lines_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_CONV_LINES_H_
