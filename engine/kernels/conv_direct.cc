// Convolution tap by tap, without patches.
#include <algorithm>
#include <complex>
#include <type_traits>

#include "engine/base/pacer.h"
#include "engine/kernels/conv_depthwise.h"
#include "engine/kernels/conv_window.h"
#include "engine/kernels/product_loops.h"

namespace hlo {
namespace {

/// What one tap adds to one output.
template <typename T>
struct SeparateTap {
  void operator()(const ConvFeatures& features, const T* in, const T* kernel, T* out) const {
    product_loops::AddTap<T, SeparateStep>(features, in, kernel, out);
  }
};

/// The taps inside the input for one output, in row-major order. `AddTap`: SeparateTap, or a
/// function like it.
template <typename T, typename AddTap>
class TapLoop {
 public:
  TapLoop(AddTap add_tap, std::span<const ConvDim> dims, const ConvFeatures& features,
          Budget* budget)
      : add_tap_(add_tap),
        dims_(dims),
        features_(features),
        pacer_(budget),
        ranges_(dims.size()),
        index_(dims.size() - 1),
        tap_work_(features.groups * features.inputs * features.outputs + 1),
        piece_(std::max<int64_t>(Pacer::kPollWork / tap_work_, 1)) {}

  void Add(const OutputCursor& cursor, const T* in, const T* kernel, T* out) {
    pacer_.Add(tap_work_);
    const size_t outer = dims_.size() - 1;
    for (size_t d = 0; d < dims_.size(); ++d) {
      TapRange taps = TapsInside(dims_[d], cursor.start(d));
      if (taps.begin >= taps.end) return;
      ranges_[d] = taps;
      in += (cursor.start(d) + taps.begin * dims_[d].per_tap) * dims_[d].in_stride;
      kernel += taps.begin * dims_[d].tap_stride;
      if (d < outer) index_[d] = taps.begin;
    }
    while (true) {
      AddLine(in, kernel, out);
      size_t d = outer;
      for (; d > 0; --d) {
        const ConvDim& dim = dims_[d - 1];
        const TapRange& range = ranges_[d - 1];
        if (++index_[d - 1] < range.end) {
          in += TapStep(dim);
          kernel += dim.tap_stride;
          break;
        }
        const int64_t back = range.end - 1 - range.begin;
        in -= back * TapStep(dim);
        kernel -= back * dim.tap_stride;
        index_[d - 1] = range.begin;
      }
      if (d == 0) return;
    }
  }

 private:
  /// The taps of the last dimension, in pieces between which the budget is asked.
  void AddLine(const T* in, const T* kernel, T* out) {
    const TapRange& range = ranges_[dims_.size() - 1];
    const int64_t count = range.end - range.begin;
    const int64_t step = TapStep(dims_.back()), tap_stride = dims_.back().tap_stride;
    for (int64_t k = 0; k < count;) {
      const int64_t stop = std::min(count, k + piece_);
      pacer_.Add((stop - k) * tap_work_);
      for (; k < stop; ++k) add_tap_(features_, in + k * step, kernel + k * tap_stride, out);
    }
  }

  AddTap add_tap_;
  std::span<const ConvDim> dims_;
  const ConvFeatures& features_;
  Pacer pacer_;
  SmallVector<TapRange, 6> ranges_;
  Dims index_;
  int64_t tap_work_, piece_;
};

template <typename T, typename AddTap>
HLO_INLINED void AddAllTaps(AddTap add_tap, std::span<const ConvDim> dims,
                            const ConvFeatures& features, const T* in, const T* kernel, T* out,
                            Budget* budget) {
  TapLoop<T, AddTap> taps(add_tap, dims, features, budget);
  OutputCursor cursor(dims, 0);
  do {
    taps.Add(cursor, in, kernel, out + cursor.out_offset());
  } while (cursor.Next());
}

}  // namespace

template <typename T>
void ConvolveDirect(std::span<const ConvDim> dims, const ConvFeatures& features, const T* in,
                    const T* kernel, T* out, Budget* budget, [[maybe_unused]] MultiplyAdd step,
                    [[maybe_unused]] const ElementsReady* ready) {
#ifndef HLO_SMALL
  if constexpr (std::is_arithmetic_v<T>) {
    const FusedLoops<T>* const fused = FusedLoopsOf<T>(step);
    if (IsDepthwise(features)) {
      return ConvolveDepthwise(dims, features.groups, in, kernel, out, budget, fused, ready);
    }
    if (GroupsPay(dims, features, sizeof(T))) {
      return ConvolveGroups(dims, features, in, kernel, out, budget, fused, ready);
    }
    if (fused) return AddAllTaps(fused->add_tap, dims, features, in, kernel, out, budget);
  }
#endif
  AddAllTaps(SeparateTap<T>(), dims, features, in, kernel, out, budget);
}

#define HLO_CONVOLVE(T)                                                                        \
  template void ConvolveDirect<T>(std::span<const ConvDim> dims, const ConvFeatures& features, \
                                  const T* in, const T* kernel, T* out, Budget* budget,        \
                                  MultiplyAdd step, const ElementsReady* ready);
HLO_CONVOLVE(float)
HLO_CONVOLVE(double)
HLO_CONVOLVE(uint32_t)
HLO_CONVOLVE(uint64_t)
HLO_CONVOLVE(std::complex<float>)
HLO_CONVOLVE(std::complex<double>)
#undef HLO_CONVOLVE

}  // namespace hlo
