#include "engine/kernels/conv_depthwise.h"

#ifndef HLO_SMALL

#include <algorithm>
#include <array>
#include <cstddef>

#include "engine/base/pacer.h"
#include "engine/kernels/product_loops.h"
#include "engine/threads/pieces.h"

namespace hlo {
namespace {

/// Taps whose products are added before sums go back to memory.
constexpr size_t kTapsTogether = 64;
/// What threads share: lines of about so many products together.
constexpr int64_t kDepthwiseWork = int64_t{1} << 16;
/// Outputs that are computed together.
constexpr int kOutputsTogether = 4;

template <typename T, int kOutputs>
void AddFeatures(const DepthwiseTap* taps, ptrdiff_t count, const T* in, ptrdiff_t in_step,
                 const T* kernel, T* out, ptrdiff_t out_step, ptrdiff_t features) {
  product_loops::AddFeatures<T, kOutputs, SeparateStep>(taps, count, in, in_step, kernel, out,
                                                        out_step, features);
}

template <typename T>
class DepthwiseLoop {
 public:
  DepthwiseLoop(std::span<const ConvDim> dims, int64_t features, const T* in, const T* kernel,
                Budget* budget, const FusedLoops<T>* fused)
      : dims_(dims),
        last_(dims.back()),
        in_step_(static_cast<ptrdiff_t>(
            last_.per_output < last_.size ? last_.per_output * last_.in_stride : 0)),
        out_step_(static_cast<ptrdiff_t>(last_.out_stride)),
        features_(static_cast<ptrdiff_t>(features)),
        in_(in),
        kernel_(kernel),
        add_to_some_(fused ? fused->add_features_of_four : AddFeatures<T, kOutputsTogether>),
        add_to_one_(fused ? fused->add_features : AddFeatures<T, 1>),
        pacer_(budget),
        ranges_(dims.size()),
        index_(dims.size()) {}

  /// The outputs of a line, whose first one has the window that the cursor starts.
  void AddLine(const OutputCursor& cursor, T* out) {
    for (size_t d = 0; d + 1 < dims_.size(); ++d) {
      ranges_[d] = TapsInside(dims_[d], cursor.start(d));
      if (ranges_[d].begin >= ranges_[d].end) return pacer_.Add(1);
    }
    const size_t at = dims_.size() - 1;
    for (int64_t o = 0; o < last_.outputs;) {
      const int64_t start = last_.base + o * last_.per_output;
      ranges_[at] = TapsInside(last_, start);
      int64_t count = 1;
      // As many as have all taps inside.
      if (ranges_[at].begin == 0 && ranges_[at].end == last_.taps) {
        const int64_t room = last_.size - 1 - (start + (last_.taps - 1) * last_.per_tap);
        count = std::min(last_.outputs - o, room / last_.per_output + 1);
      }
      if (ranges_[at].begin < ranges_[at].end) AddOutputs(cursor, start, count, out);
      o += count;
      out += count * out_step_;
    }
  }

 private:
  /// Outputs that all have the taps of ranges_; the first one's window starts at `start`.
  void AddOutputs(const OutputCursor& cursor, int64_t start, int64_t count, T* out) {
    for (size_t d = 0; d < dims_.size(); ++d) index_[d] = ranges_[d].begin;
    for (bool more = true; more;) {
      size_t n = 0;
      for (; n < kTapsTogether && more; ++n) {
        int64_t in = 0, kernel = 0;
        for (size_t d = 0; d < dims_.size(); ++d) {
          const int64_t from = d + 1 < dims_.size() ? cursor.start(d) : start;
          in += (from + index_[d] * dims_[d].per_tap) * dims_[d].in_stride;
          kernel += index_[d] * dims_[d].tap_stride;
        }
        taps_[n] = {static_cast<ptrdiff_t>(in), static_cast<ptrdiff_t>(kernel)};
        more = NextTap();
      }
      AddTapsTo({taps_.data(), n}, count, out);
    }
  }

  bool NextTap() {
    for (size_t d = dims_.size(); d-- > 0;) {
      if (++index_[d] < ranges_[d].end) return true;
      index_[d] = ranges_[d].begin;
    }
    return false;
  }

  void AddTapsTo(std::span<const DepthwiseTap> taps, int64_t count, T* out) {
    const T* in = in_;
    const auto number = static_cast<ptrdiff_t>(taps.size());
    const int64_t work = static_cast<int64_t>(taps.size()) * features_;
    int64_t o = 0;
    for (; o + kOutputsTogether <= count; o += kOutputsTogether) {
      add_to_some_(taps.data(), number, in, in_step_, kernel_, out, out_step_, features_);
      in += kOutputsTogether * in_step_;
      out += kOutputsTogether * out_step_;
      pacer_.Add(kOutputsTogether * work);
    }
    for (; o < count; ++o, in += in_step_, out += out_step_) {
      add_to_one_(taps.data(), number, in, in_step_, kernel_, out, out_step_, features_);
      pacer_.Add(work);
    }
  }

  std::span<const ConvDim> dims_;
  const ConvDim& last_;
  ptrdiff_t in_step_, out_step_, features_;
  const T* in_;
  const T* kernel_;
  decltype(&AddFeatures<T, 1>) add_to_some_, add_to_one_;
  Pacer pacer_;
  SmallVector<TapRange, 6> ranges_;
  Dims index_;
  std::array<DepthwiseTap, kTapsTogether> taps_;
};

}  // namespace

template <typename T>
void ConvolveDepthwise(std::span<const ConvDim> dims, int64_t features, const T* in,
                       const T* kernel, T* out, Budget* budget, const FusedLoops<T>* fused) {
  // Lines: outputs of the last dimension.
  const std::span<const ConvDim> outer = dims.first(dims.size() - 1);
  int64_t lines = 1, taps = 1;
  for (const ConvDim& dim : outer) lines *= dim.outputs;
  for (const ConvDim& dim : dims) taps *= dim.taps;
  const int64_t line_work = std::max<int64_t>(dims.back().outputs * features * taps, 1);
  const int64_t together = std::max<int64_t>(kDepthwiseWork / line_work, 1);
  RunRanges(lines, together, lines * line_work, budget, [&](PieceRange piece, int, Budget* own) {
    DepthwiseLoop<T> loop(dims, features, in, kernel, own, fused);
    OutputCursor cursor(outer, piece.begin);
    for (int64_t line = piece.begin; line < piece.end; ++line, cursor.Next()) {
      loop.AddLine(cursor, out + cursor.out_offset());
    }
  });
}

#define HLO_DEPTHWISE(T)                                                                        \
  template void ConvolveDepthwise<T>(std::span<const ConvDim>, int64_t, const T*, const T*, T*, \
                                     Budget*, const FusedLoops<T>*);
HLO_DEPTHWISE(float)
HLO_DEPTHWISE(double)
HLO_DEPTHWISE(uint32_t)
HLO_DEPTHWISE(uint64_t)
#undef HLO_DEPTHWISE

}  // namespace hlo

#endif  // HLO_SMALL
