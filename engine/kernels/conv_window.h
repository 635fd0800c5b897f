// A convolution as its inner loops see it: in every dimension, which input position meets which tap
// of the kernel for which output. Batch is one more such dimension, with a single tap.
#ifndef HLO_ENGINE_KERNELS_CONV_WINDOW_H_
#define HLO_ENGINE_KERNELS_CONV_WINDOW_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/base/budget.h"
#include "engine/base/small_vector.h"
#include "engine/kernels/multiply_add.h"
#include "engine/kernels/ready_elements.h"

namespace hlo {

/// Output o and tap k of this dimension meet at input position base + o * per_output + k * per_tap;
/// positions outside [0, size) are padding. per_output and per_tap are 1 or more. Strides count
/// elements.
struct ConvDim {
  int64_t outputs = 1, taps = 1;
  int64_t base = 0, per_output = 1, per_tap = 1, size = 1;
  int64_t in_stride = 0, tap_stride = 0, out_stride = 0;
};
using ConvDims = SmallVector<ConvDim, 6>;

/// Features in `groups` groups, which are next to each other in input and output; `inputs` and
/// `outputs` are those of one group. The kernel has a row of groups * outputs elements for each
/// input of a group.
struct ConvFeatures {
  int64_t groups = 1, inputs = 1, outputs = 1;
};

/// The distance in elements between the input positions under two consecutive taps. Zero where no
/// two taps can lie on the input at once, so that it never overflows.
inline int64_t TapStep(const ConvDim& dim) {
  return dim.per_tap < dim.size ? dim.per_tap * dim.in_stride : 0;
}

/// A half-open range of taps.
struct TapRange {
  int64_t begin, end;
};

/// The taps that lie on the input when the window starts at this position.
inline TapRange TapsInside(const ConvDim& dim, int64_t start) {
  if (start >= dim.size) return {0, 0};
  // Distances as unsigned numbers: a window may reach over more positions than fit an int64.
  auto before = start < 0 ? uint64_t{0} - static_cast<uint64_t>(start) : 0;
  auto after = static_cast<uint64_t>(dim.size - 1) - static_cast<uint64_t>(start);
  auto step = static_cast<uint64_t>(dim.per_tap);
  uint64_t first = step == 1 ? before : before / step + (before % step != 0);
  uint64_t last = step == 1 ? after : after / step;
  auto taps = static_cast<uint64_t>(dim.taps);
  if (first >= taps || first > last) return {0, 0};
  return {static_cast<int64_t>(first), static_cast<int64_t>(last < taps ? last + 1 : taps)};
}

/// Walks over the outputs in row-major order.
class OutputCursor {
 public:
  /// Stands at output number `first`.
  OutputCursor(std::span<const ConvDim> dims, int64_t first);
  /// Goes to the next output; false after the last one.
  bool Next();
  /// Offset of the output, in elements.
  int64_t out_offset() const { return out_offset_; }
  /// Input position where the window starts in dimension d.
  int64_t start(size_t d) const { return starts_[d]; }

 private:
  std::span<const ConvDim> dims_;
  Dims index_, starts_;
  int64_t out_offset_ = 0;
};

/// out[output][group][j] += sum over taps and inputs c of in[position][group][c] *
/// kernel[tap][c][group][j], one tap after the other in row-major order. Padding is skipped, so it
/// never meets an infinity. Right for every shape; made for few features per group. Polls the
/// budget. T and `step`: as in MultiplyMatrices. `ready`: null unless HandsOnLines
/// (conv_depthwise.h) says that there may be one, which is told of outputs that are final.
template <typename T>
void ConvolveDirect(std::span<const ConvDim> dims, const ConvFeatures& features, const T* in,
                    const T* kernel, T* out, Budget* budget,
                    MultiplyAdd step = MultiplyAdd::kSeparate,
                    const ElementsReady* ready = nullptr);

/// For outputs first, first + 1, ... (`count` of them): a row with what lies under every tap, in
/// row-major order; `chunk` consecutive elements of `width` bytes each, zeros for padding. `in`
/// points to the chunk at position 0.
void GatherPatches(std::span<const ConvDim> dims, int64_t first, int64_t count, int64_t chunk,
                   int width, const std::byte* in, std::byte* rows);

/// Copies row i, `chunk` elements of `width` bytes, to output first + i.
void ScatterOutputs(std::span<const ConvDim> dims, int64_t first, int64_t count, int64_t chunk,
                    int width, const std::byte* rows, std::byte* out);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_CONV_WINDOW_H_
