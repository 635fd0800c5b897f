#include "engine/kernels/conv_planes.h"

#ifndef HLO_SMALL

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "engine/base/bits.h"
#include "engine/base/pacer.h"
#include "engine/kernels/conv_lines.h"
#include "engine/kernels/fused_loops.h"
#include "engine/threads/pieces.h"
#include "engine/types/tensor.h"

namespace hlo {
namespace {

/// Fewer outputs of a line than this are for other loops.
constexpr int64_t kLeastLine = 16;
/// Bytes of what is copied of lines and of the kernel, which then stay in the second-level cache.
constexpr double kMostPlanes = 1 << 19;
/// A line of more outputs than the first goes by parts of as many as the second.
constexpr int64_t kLongLine = 4096, kLinePart = 2048;
/// Positions that share a weight, which is there as often.
template <typename T>
constexpr int64_t kBlock = 2 * kLanesOf<T>;

/// How a line is copied: of each feature `phases` planes, of every so-manieth position each, so
/// that the positions of consecutive outputs under a tap are neighbours. Output o and tap k meet at
/// element o + k * per_tap / phases of plane k * per_tap % phases.
struct PlaneSizes {
  PlaneSizes(const ConvDim& dim, int64_t block)
      : phases(dim.outputs > 1 ? dim.per_output : 1),
        outputs(CeilDiv(dim.outputs, block) * block),
        length(outputs + (dim.taps - 1) * dim.per_tap / phases) {}
  int64_t phases, outputs, length;
};

template <typename T>
class PlaneLines final : public LineCopies<T> {
 public:
  PlaneLines(int64_t count, const ConvDim& dim, const PlaneSizes& sizes, int64_t features,
             const T* in, T* room)
      : LineCopies<T>(count, features * sizes.phases * sizes.length, room),
        dim_(dim),
        sizes_(sizes),
        features_(features),
        in_(in) {}

 private:
  void Copy(int64_t offset, T* to) const override {
    for (int64_t f = 0; f < features_; ++f) {
      for (int64_t phase = 0; phase < sizes_.phases; ++phase, to += sizes_.length) {
        const int64_t first = dim_.base + phase, step = sizes_.phases;
        // The positions inside.
        const int64_t begin =
            std::clamp<int64_t>(first < 0 ? CeilDiv(-first, step) : 0, 0, sizes_.length);
        const int64_t end = std::clamp<int64_t>(
            first < dim_.size ? CeilDiv(dim_.size - first, step) : 0, begin, sizes_.length);
        const T* from = in_ + offset + (first + begin * step) * dim_.in_stride + f;
        std::fill_n(to, begin, T{});
        for (int64_t q = begin; q < end; ++q, from += step * dim_.in_stride) to[q] = *from;
        std::fill_n(to + end, sizes_.length - end, T{});
      }
    }
  }

  const ConvDim& dim_;
  PlaneSizes sizes_;
  int64_t features_;
  const T* in_;
};

template <typename T>
class PlaneLoop {
 public:
  /// `weights`: of every tap, input of a group and output feature a block.
  PlaneLoop(std::span<const ConvDim> dims, const ConvFeatures& features, const PlaneSizes& sizes,
            const T* weights, Budget* budget, const FusedLoops<T>* fused)
      : dims_(dims),
        last_(dims.back()),
        features_(features),
        sizes_(sizes),
        weights_(weights),
        add_to_some_(fused ? fused->add_features_of_four : AddFeatures<T, kOutputsTogether>),
        add_to_one_(fused ? fused->add_features : AddFeatures<T, 1>),
        pacer_(budget),
        ranges_(dims.size()),
        index_(dims.size()) {}

  /// The outputs of a line; `sums` has room for those of one feature.
  void SetLine(const OutputCursor& cursor, LineCopies<T>* lines, const T* copies, T* sums, T* out) {
    FindLines(cursor, lines);
    for (int64_t lane = 0; lane < features_.groups * features_.outputs; ++lane) {
      std::fill_n(sums, sizes_.outputs, T{});
      AddFeature(lane, copies, sums);
      for (int64_t o = 0; o < last_.outputs; ++o) out[o * last_.out_stride + lane] = sums[o];
    }
  }

 private:
  struct Meeting {
    int64_t in, tap;
  };

  /// The lines of the input that these outputs meet, in row-major order of the taps.
  void FindLines(const OutputCursor& cursor, LineCopies<T>* lines) {
    meetings_.clear();
    lines->Next();
    const size_t outer = dims_.size() - 1;
    for (size_t d = 0; d < outer; ++d) {
      ranges_[d] = TapsInside(dims_[d], cursor.start(d));
      if (ranges_[d].begin >= ranges_[d].end) return pacer_.Add(1);
      index_[d] = ranges_[d].begin;
    }
    for (bool more = true; more; more = NextIndex(ranges_, outer, &index_)) {
      Meeting line = {0, 0};
      for (size_t d = 0; d < outer; ++d) {
        line.in += (cursor.start(d) + index_[d] * dims_[d].per_tap) * dims_[d].in_stride;
        line.tap = line.tap * dims_[d].taps + index_[d];
      }
      line.in = lines->Find(line.in);
      meetings_.push_back(line);
      pacer_.Add(1);
    }
  }

  void AddFeature(int64_t lane, const T* copies, T* sums) {
    const int64_t inputs = features_.inputs, lanes = features_.groups * features_.outputs;
    const int64_t first = lane / features_.outputs * inputs;
    size_t n = 0;
    for (const Meeting& line : meetings_) {
      for (int64_t k = 0; k < last_.taps; ++k) {
        const int64_t step = k * last_.per_tap;
        const int64_t weight = (line.tap * last_.taps + k) * inputs;
        for (int64_t c = 0; c < inputs; ++c) {
          const int64_t plane = (first + c) * sizes_.phases + step % sizes_.phases;
          taps_[n++] = {
              static_cast<ptrdiff_t>(line.in + plane * sizes_.length + step / sizes_.phases),
              static_cast<ptrdiff_t>(((weight + c) * lanes + lane) * kBlock<T>)};
          if (n < kTapsTogether) continue;
          AddTaps(n, copies, sums);
          n = 0;
        }
      }
    }
    if (n > 0) AddTaps(n, copies, sums);
  }

  void AddTaps(size_t count, const T* copies, T* sums) {
    constexpr auto kStep = static_cast<ptrdiff_t>(kBlock<T>);
    const auto number = static_cast<ptrdiff_t>(count);
    int64_t o = 0;
    for (; o + kOutputsTogether * kStep <= sizes_.outputs; o += kOutputsTogether * kStep) {
      add_to_some_(taps_.data(), number, copies + o, kStep, weights_, sums + o, kStep, kStep);
    }
    for (; o < sizes_.outputs; o += kStep) {
      add_to_one_(taps_.data(), number, copies + o, kStep, weights_, sums + o, kStep, kStep);
    }
    pacer_.Add(sizes_.outputs * number);
  }

  std::span<const ConvDim> dims_;
  const ConvDim& last_;
  ConvFeatures features_;
  PlaneSizes sizes_;
  const T* weights_;
  decltype(&AddFeatures<T, kOutputsTogether>) add_to_some_, add_to_one_;
  Pacer pacer_;
  SmallVector<TapRange, 6> ranges_;
  Dims index_;
  std::vector<Meeting> meetings_;
  std::array<DepthwiseTap, kTapsTogether> taps_;
};

/// Every weight as often as a block has positions, in row-major order of the taps.
template <typename T>
void SpreadWeights(std::span<const ConvDim> dims, int64_t row, const T* kernel, T* to) {
  SmallVector<TapRange, 6> ranges(dims.size());
  for (size_t d = 0; d < dims.size(); ++d) ranges[d] = {0, dims[d].taps};
  Dims index(dims.size());
  for (bool more = true; more; more = NextIndex(ranges, dims.size(), &index)) {
    int64_t offset = 0;
    for (size_t d = 0; d < dims.size(); ++d) offset += index[d] * dims[d].tap_stride;
    for (int64_t i = 0; i < row; ++i, to += kBlock<T>) {
      std::fill_n(to, kBlock<T>, kernel[offset + i]);
    }
  }
}

/// Outputs of a line at a time.
int64_t OutputsAtOnce(const ConvDim& last) {
  return last.outputs > kLongLine ? kLinePart : last.outputs;
}

template <typename T>
void ConvolvePart(std::span<const ConvDim> dims, const ConvFeatures& features, const std::byte* in,
                  const std::byte* kernel, std::byte* out, Budget* budget, MultiplyAdd step,
                  const ElementsReady* ready) {
  const FusedLoops<T>* const fused = FusedLoopsOf<T>(step);
  const OutputLines lines(dims);
  const ConvDim& last = dims.back();
  const PlaneSizes sizes(last, kBlock<T>);
  const int64_t inputs = features.groups * features.inputs;
  const int64_t row = inputs * features.outputs;
  const int64_t weights = lines.taps * last.taps * row * kBlock<T>;
  const int64_t copies = lines.needed * inputs * sizes.phases * sizes.length;
  const int64_t room = copies + sizes.outputs;
  const auto scratch =
      Buffer::Allocate(static_cast<size_t>(weights + PieceThreads() * room) * sizeof(T), budget);
  T* const numbers = reinterpret_cast<T*>(scratch->data());
  SpreadWeights(dims, row, reinterpret_cast<const T*>(kernel), numbers);
  lines.Run(sizes.outputs * lines.taps * last.taps * row, lines.Many(), budget, ready,
            [&](OutputCursor cursor, int thread, Budget* own, int64_t count) {
              T* const own_copies = numbers + weights + thread * room;
              PlaneLines<T> kept(lines.needed, last, sizes, inputs, reinterpret_cast<const T*>(in),
                                 own_copies);
              PlaneLoop<T> loop(dims, features, sizes, numbers, own, fused);
              for (int64_t i = 0; i < count; ++i, cursor.Next()) {
                loop.SetLine(cursor, &kept, own_copies, own_copies + copies,
                             reinterpret_cast<T*>(out) + cursor.out_offset());
              }
            });
}

template <typename T>
void ConvolvePlanes(std::span<const ConvDim> dims, const ConvFeatures& features,
                    const std::byte* in, const std::byte* kernel, std::byte* out, Budget* budget,
                    MultiplyAdd step, const ElementsReady* ready) {
  const ConvDim& last = dims.back();
  const int64_t part = OutputsAtOnce(last), parts = CeilDiv(last.outputs, part);
  if (parts == 1) return ConvolvePart<T>(dims, features, in, kernel, out, budget, step, ready);
  const OutputLines lines(dims);
  const int64_t products = lines.count * lines.taps * last.outputs * last.taps * features.groups *
                           features.inputs * features.outputs;
  RunPieces(parts, products, budget, [&](int64_t i, int thread, Budget* own) {
    ConvDims of(dims.begin(), dims.end());
    ConvDim& line = of.back();
    line.outputs = std::min(part, last.outputs - i * part);
    line.base += i * part * line.per_output;
    const int64_t first = i * part * line.out_stride;
    const auto hand_on = [&](int64_t begin, int64_t count, int, Budget* budget_of_thread) {
      (*ready)(first + begin, count, thread, budget_of_thread);
    };
    const ElementsReady of_part = hand_on;
    ConvolvePart<T>(of, features, in, kernel, out + first * static_cast<int64_t>(sizeof(T)), own,
                    step, ready == nullptr ? nullptr : &of_part);
  });
}

/// Whether vectors of positions are the way to go.
bool PlanesPay(std::span<const ConvDim> dims, const ConvFeatures& features, int64_t width) {
  const ConvDim& last = dims.back();
  if (features.groups * features.outputs * width >= 32 || last.outputs < kLeastLine) return false;
  const OutputLines lines(dims);
  const auto number = [](int64_t x) { return static_cast<double>(x); };
  const double reach = number(OutputsAtOnce(last)) * number(last.per_output) +
                       number(last.taps - 1) * number(last.per_tap);
  const double copies = number(lines.needed) * number(features.groups * features.inputs) * reach;
  const double weights = number(lines.taps) * number(last.taps) *
                         number(features.groups * features.inputs * features.outputs) * 8;
  return (copies + weights) * number(width) <= kMostPlanes;
}

}  // namespace

PlaneConvolution FindPlaneConvolution(std::span<const ConvDim> dims, const ConvFeatures& features,
                                      ElementType sum_type) {
  if (!PlanesPay(dims, features, BytesOf(sum_type))) return nullptr;
  switch (sum_type) {
    case ElementType::kF32:
      return ConvolvePlanes<float>;
    case ElementType::kF64:
      return ConvolvePlanes<double>;
    case ElementType::kS32:
    case ElementType::kU32:
      return ConvolvePlanes<uint32_t>;
    case ElementType::kS64:
    case ElementType::kU64:
      return ConvolvePlanes<uint64_t>;
    default:
      return nullptr;
  }
}

}  // namespace hlo

#endif  // HLO_SMALL
