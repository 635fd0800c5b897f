#include "engine/kernels/conv_product.h"

#include <algorithm>
#include <array>
#include <complex>

#include "engine/kernels/dot_blocks.h"

namespace hlo {

#ifdef HLO_SMALL

ConvProduct FindConvProduct(ElementType) { return nullptr; }

#else

namespace {

/// Row o has what lies under every tap of output o, in row-major order.
template <typename T>
class PatchRows final : public LeftRows<T> {
 public:
  PatchRows(std::span<const ConvDim> dims, int64_t inputs, const T* in)
      : dims_(dims), inputs_(inputs), in_(in), joined_(TapStep(dims.back()) == inputs) {}

  void Pack(int64_t row, int64_t rows, int64_t column, int64_t depth, T* packed) const override {
    Window windows[kLeastRows];
    OutputCursor cursor(dims_, row);
    for (int64_t r = 0; r < rows; ++r, cursor.Next()) windows[r].Set(dims_, cursor);
    Dims taps(dims_.size());
    int64_t tap = column / inputs_, feature = column % inputs_;
    for (size_t d = dims_.size(); d-- > 0; tap /= dims_[d].taps) taps[d] = tap % dims_[d].taps;
    const T* lines[kLeastRows] = {};
    bool at_line = true;
    while (depth > 0) {
      if (at_line) {
        for (int64_t r = 0; r < rows; ++r) lines[r] = LineOf(windows[r], taps);
      }
      int64_t run = TapsTogether(windows, rows, taps.back());
      const T* from[kLeastRows] = {};
      for (int64_t r = 0; r < rows; ++r) from[r] = At(windows[r], lines[r], taps.back(), feature);
      const int64_t count = std::min(run * inputs_ - feature, depth);
      PackRuns(from, count, packed);
      packed += count * kLeastRows;
      depth -= count;
      feature = 0;
      taps.back() += run;
      at_line = taps.back() == dims_.back().taps;
      if (at_line) NextLine(&taps);
    }
  }

 private:
  /// The window of an output: where it starts, and which taps of the last dimension lie inside.
  struct Window {
    Dims starts;
    TapRange last = {0, 0};
    void Set(std::span<const ConvDim> dims, const OutputCursor& cursor) {
      for (size_t d = 0; d < dims.size(); ++d) starts.push_back(cursor.start(d));
      last = TapsInside(dims.back(), starts.back());
    }
  };

  /// Position 0 of the last dimension under the taps of the others; null in the padding.
  const T* LineOf(const Window& window, const Dims& taps) const {
    int64_t offset = 0;
    for (size_t d = 0; d + 1 < dims_.size(); ++d) {
      // Unsigned: far outside the sum may wrap, but never into the input.
      const uint64_t position =
          static_cast<uint64_t>(window.starts[d]) +
          static_cast<uint64_t>(taps[d]) * static_cast<uint64_t>(dims_[d].per_tap);
      if (position >= static_cast<uint64_t>(dims_[d].size)) return nullptr;
      offset += static_cast<int64_t>(position) * dims_[d].in_stride;
    }
    return in_ + offset;
  }

  /// A feature under a tap of the last dimension; null in the padding.
  const T* At(const Window& window, const T* line, int64_t tap, int64_t feature) const {
    if (line == nullptr || tap < window.last.begin || tap >= window.last.end) return nullptr;
    const ConvDim& last = dims_.back();
    return line + (window.starts.back() + tap * last.per_tap) * last.in_stride + feature;
  }

  /// How many taps from this one on are neighbours in the input, in all of the windows.
  int64_t TapsTogether(const Window* windows, int64_t rows, int64_t tap) const {
    if (!joined_) return 1;
    for (int64_t r = 0; r < rows; ++r) {
      if (windows[r].last.begin > tap || windows[r].last.end < dims_.back().taps) return 1;
    }
    return dims_.back().taps - tap;
  }

  void NextLine(Dims* taps) const {
    taps->back() = 0;
    for (size_t d = dims_.size() - 1; d-- > 0;) {
      if (++(*taps)[d] < dims_[d].taps) return;
      (*taps)[d] = 0;
    }
  }

  std::span<const ConvDim> dims_;
  int64_t inputs_;
  const T* in_;
  bool joined_;  // consecutive taps of the last dimension are neighbours in the input
};

template <typename T>
void MultiplyPatches(std::span<const ConvDim> dims, const ConvGroup& group, Budget* budget,
                     MultiplyAdd step, const ElementsReady* ready) {
  int64_t outputs = 1, taps = 1;
  for (const ConvDim& dim : dims) {
    outputs *= dim.outputs;
    taps *= dim.taps;
  }
  const PatchRows<T> patches(dims, group.inputs, reinterpret_cast<const T*>(group.in));
  const MatrixView<T> kernel{reinterpret_cast<const T*>(group.kernel), group.kernel_step, 1};
  MultiplyBlocks(patches, kernel, reinterpret_cast<T*>(group.out), group.out_step, outputs,
                 taps * group.inputs, group.outputs, budget, FusedLoopsOf<T>(step), ready);
}

}  // namespace

ConvProduct FindConvProduct(ElementType sum_type) {
  switch (sum_type) {
    case ElementType::kF32:
      return MultiplyPatches<float>;
    case ElementType::kF64:
      return MultiplyPatches<double>;
    case ElementType::kS32:
    case ElementType::kU32:
      return MultiplyPatches<uint32_t>;
    case ElementType::kS64:
    case ElementType::kU64:
      return MultiplyPatches<uint64_t>;
    case ElementType::kC64:
      return MultiplyPatches<std::complex<float> >;
    case ElementType::kC128:
      return MultiplyPatches<std::complex<double> >;
    default:
      return nullptr;
  }
}

#endif  // HLO_SMALL

}  // namespace hlo
