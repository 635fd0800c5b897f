#include "engine/kernels/conv_depthwise.h"

#ifndef HLO_SMALL

#include <algorithm>
#include <array>
#include <cstddef>

#include "engine/base/pacer.h"
#include "engine/kernels/vectors.h"
#include "engine/threads/pieces.h"

namespace hlo {
namespace {

/// Where the features under a tap and those of the kernel are, for the first of several outputs.
struct DepthwiseTap {
  ptrdiff_t in, kernel;
};
/// Taps whose products are added before sums go back to memory.
constexpr size_t kTapsTogether = 64;
/// What threads share: lines of about so many products together.
constexpr int64_t kDepthwiseWork = int64_t{1} << 16;
/// Outputs that are computed together.
constexpr int kOutputsTogether = 4;

/// Adds taps to `kOutputs` outputs, `kVectors` vectors of features each.
template <typename T, int kOutputs, int kVectors>
void AddTaps(std::span<const DepthwiseTap> taps, const T* in, ptrdiff_t in_step, const T* kernel,
             T* out, ptrdiff_t out_step) {
  constexpr ptrdiff_t kLanes = kLanesOf<T>;
  Vector<T> sum[kOutputs][kVectors];
  HLO_UNROLLED
  for (int o = 0; o < kOutputs; ++o) {
    HLO_UNROLLED
    for (int x = 0; x < kVectors; ++x) sum[o][x] = LoadVector(out + o * out_step + x * kLanes);
  }
  for (const DepthwiseTap& tap : taps) {
    const T* const from = in + tap.in;
    Vector<T> weights[kVectors];
    HLO_UNROLLED
    for (int x = 0; x < kVectors; ++x) weights[x] = LoadVector(kernel + tap.kernel + x * kLanes);
    HLO_UNROLLED
    for (int o = 0; o < kOutputs; ++o) {
      HLO_UNROLLED
      for (int x = 0; x < kVectors; ++x) {
        sum[o][x] += LoadVector(from + o * in_step + x * kLanes) * weights[x];
      }
    }
  }
  HLO_UNROLLED
  for (int o = 0; o < kOutputs; ++o) {
    HLO_UNROLLED
    for (int x = 0; x < kVectors; ++x) StoreVector<T>(sum[o][x], out + o * out_step + x * kLanes);
  }
}

/// Adds taps to all features of `kOutputs` outputs.
template <typename T, int kOutputs>
void AddFeatures(std::span<const DepthwiseTap> taps, const T* in, ptrdiff_t in_step,
                 const T* kernel, T* out, ptrdiff_t out_step, ptrdiff_t features) {
  constexpr ptrdiff_t kLanes = kLanesOf<T>;
  ptrdiff_t f = 0;
  for (; f + 2 * kLanes <= features; f += 2 * kLanes) {
    AddTaps<T, kOutputs, 2>(taps, in + f, in_step, kernel + f, out + f, out_step);
  }
  for (; f + kLanes <= features; f += kLanes) {
    AddTaps<T, kOutputs, 1>(taps, in + f, in_step, kernel + f, out + f, out_step);
  }
  for (; f < features; ++f) {
    for (int o = 0; o < kOutputs; ++o) {
      T sum = out[o * out_step + f];
      for (const DepthwiseTap& tap : taps) {
        sum += in[tap.in + o * in_step + f] * kernel[tap.kernel + f];
      }
      out[o * out_step + f] = sum;
    }
  }
}

template <typename T>
class DepthwiseLoop {
 public:
  DepthwiseLoop(std::span<const ConvDim> dims, int64_t features, const T* in, const T* kernel,
                Budget* budget)
      : dims_(dims),
        last_(dims.back()),
        in_step_(static_cast<ptrdiff_t>(
            last_.per_output < last_.size ? last_.per_output * last_.in_stride : 0)),
        out_step_(static_cast<ptrdiff_t>(last_.out_stride)),
        features_(static_cast<ptrdiff_t>(features)),
        in_(in),
        kernel_(kernel),
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
    const int64_t work = static_cast<int64_t>(taps.size()) * features_;
    int64_t o = 0;
    for (; o + kOutputsTogether <= count; o += kOutputsTogether) {
      AddFeatures<T, kOutputsTogether>(taps, in, in_step_, kernel_, out, out_step_, features_);
      in += kOutputsTogether * in_step_;
      out += kOutputsTogether * out_step_;
      pacer_.Add(kOutputsTogether * work);
    }
    for (; o < count; ++o, in += in_step_, out += out_step_) {
      AddFeatures<T, 1>(taps, in, in_step_, kernel_, out, out_step_, features_);
      pacer_.Add(work);
    }
  }

  std::span<const ConvDim> dims_;
  const ConvDim& last_;
  ptrdiff_t in_step_, out_step_, features_;
  const T* in_;
  const T* kernel_;
  Pacer pacer_;
  SmallVector<TapRange, 6> ranges_;
  Dims index_;
  std::array<DepthwiseTap, kTapsTogether> taps_;
};

}  // namespace

template <typename T>
void ConvolveDepthwise(std::span<const ConvDim> dims, int64_t features, const T* in,
                       const T* kernel, T* out, Budget* budget) {
  // Lines: outputs of the last dimension.
  const std::span<const ConvDim> outer = dims.first(dims.size() - 1);
  int64_t lines = 1, taps = 1;
  for (const ConvDim& dim : outer) lines *= dim.outputs;
  for (const ConvDim& dim : dims) taps *= dim.taps;
  const int64_t line_work = std::max<int64_t>(dims.back().outputs * features * taps, 1);
  const int64_t together = std::max<int64_t>(kDepthwiseWork / line_work, 1);
  RunRanges(lines, together, lines * line_work, budget, [&](PieceRange piece, int, Budget* own) {
    DepthwiseLoop<T> loop(dims, features, in, kernel, own);
    OutputCursor cursor(outer, piece.begin);
    for (int64_t line = piece.begin; line < piece.end; ++line, cursor.Next()) {
      loop.AddLine(cursor, out + cursor.out_offset());
    }
  });
}

#define HLO_DEPTHWISE(T)                                                                        \
  template void ConvolveDepthwise<T>(std::span<const ConvDim>, int64_t, const T*, const T*, T*, \
                                     Budget*);
HLO_DEPTHWISE(float)
HLO_DEPTHWISE(double)
HLO_DEPTHWISE(uint32_t)
HLO_DEPTHWISE(uint64_t)
#undef HLO_DEPTHWISE

}  // namespace hlo

#endif  // HLO_SMALL
