#include "engine/kernels/conv_depthwise.h"

#ifndef HLO_SMALL

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "engine/base/bits.h"
#include "engine/base/pacer.h"
#include "engine/kernels/conv_lines.h"
#include "engine/kernels/product_loops.h"
#include "engine/threads/pieces.h"
#include "engine/types/convert.h"
#include "engine/types/tensor.h"

namespace hlo {
namespace {

/// What lanes go through. Of an input that lies there as it is, `copies` is null, and `inputs` 1.
template <typename T>
struct Lanes {
  int64_t count;   ///< features that are outputs
  int64_t inputs;  ///< of a group, each beside all outputs
  int64_t row;     ///< elements of the kernel for one input
  const T* in;     ///< the input, or the first copy
  const T* kernel;
  LineCopies<T>* copies;
};

template <typename T>
class DepthwiseLoop {
 public:
  DepthwiseLoop(std::span<const ConvDim> dims, const Lanes<T>& lanes, Budget* budget,
                const FusedLoops<T>* fused)
      : dims_(dims),
        last_(dims.back()),
        lanes_(lanes),
        position_(lanes.copies ? lanes.count * lanes.inputs : last_.in_stride),
        in_step_(static_cast<ptrdiff_t>(last_.per_output < last_.size ? last_.per_output * position_
                                                                      : 0)),
        out_step_(static_cast<ptrdiff_t>(last_.out_stride)),
        features_(static_cast<ptrdiff_t>(lanes.count)),
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
    FindLines(cursor);
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
      if (ranges_[at].begin < ranges_[at].end) AddOutputs(start, count, out);
      o += count;
      out += count * out_step_;
    }
  }

 private:
  /// A line of the input that the outputs of this line meet, and the kernel's part for it.
  struct Meeting {
    int64_t in, kernel;
  };

  /// All of them, in row-major order of the taps.
  void FindLines(const OutputCursor& cursor) {
    meetings_.clear();
    if (lanes_.copies) lanes_.copies->Next();
    const size_t outer = dims_.size() - 1;
    for (size_t d = 0; d < outer; ++d) index_[d] = ranges_[d].begin;
    for (bool more = true; more; more = NextIndex(ranges_, outer, &index_)) {
      Meeting line = {0, 0};
      for (size_t d = 0; d < outer; ++d) {
        line.in += (cursor.start(d) + index_[d] * dims_[d].per_tap) * dims_[d].in_stride;
        line.kernel += index_[d] * dims_[d].tap_stride;
      }
      if (lanes_.copies) line.in = lanes_.copies->Find(line.in);
      meetings_.push_back(line);
      pacer_.Add(1);
    }
  }

  /// Outputs that all have the taps of ranges_; the first one's window starts at `start`.
  void AddOutputs(int64_t start, int64_t count, T* out) {
    const TapRange& range = ranges_[dims_.size() - 1];
    size_t n = 0;
    for (const Meeting& line : meetings_) {
      for (int64_t tap = range.begin; tap < range.end; ++tap) {
        const int64_t in = line.in + (start + tap * last_.per_tap) * position_;
        const int64_t kernel = line.kernel + tap * last_.tap_stride;
        for (int64_t c = 0; c < lanes_.inputs; ++c) {
          taps_[n++] = {static_cast<ptrdiff_t>(in + c * lanes_.count),
                        static_cast<ptrdiff_t>(kernel + c * lanes_.row)};
          if (n < kTapsTogether) continue;
          AddTapsTo(taps_, count, out);
          n = 0;
        }
      }
    }
    if (n > 0) AddTapsTo({taps_.data(), n}, count, out);
  }

  void AddTapsTo(std::span<const DepthwiseTap> taps, int64_t count, T* out) {
    const T* in = lanes_.in;
    const auto number = static_cast<ptrdiff_t>(taps.size());
    const int64_t work = static_cast<int64_t>(taps.size()) * features_;
    int64_t o = 0;
    for (; o + kOutputsTogether <= count; o += kOutputsTogether) {
      add_to_some_(taps.data(), number, in, in_step_, lanes_.kernel, out, out_step_, features_);
      in += kOutputsTogether * in_step_;
      out += kOutputsTogether * out_step_;
      pacer_.Add(kOutputsTogether * work);
    }
    for (; o < count; ++o, in += in_step_, out += out_step_) {
      add_to_one_(taps.data(), number, in, in_step_, lanes_.kernel, out, out_step_, features_);
      pacer_.Add(work);
    }
  }

  std::span<const ConvDim> dims_;
  const ConvDim& last_;
  Lanes<T> lanes_;
  int64_t position_;  // elements of the input, or of a copy, for a position
  ptrdiff_t in_step_, out_step_, features_;
  decltype(&AddFeatures<T, 1>) add_to_some_, add_to_one_;
  Pacer pacer_;
  SmallVector<TapRange, 6> ranges_;
  Dims index_;
  std::vector<Meeting> meetings_;
  std::array<DepthwiseTap, kTapsTogether> taps_;
};

/// Bytes of copies of lines that stay in the second-level cache.
constexpr int64_t kMostCopies = int64_t{1} << 19;

/// Lines of another type.
template <typename T>
class ConvertedLines final : public LineCopies<T> {
 public:
  ConvertedLines(int64_t count, int64_t size, T* room, ElementType from, const std::byte* in,
                 ElementType to)
      : LineCopies<T>(count, size, room), size_(size), in_(in), from_(from), to_(to) {}

 private:
  void Copy(int64_t offset, T* to) const override {
    ConvertElements(from_, in_ + offset * BytesOf(from_), to_, reinterpret_cast<std::byte*>(to),
                    size_);
  }
  int64_t size_;
  const std::byte* in_;
  ElementType from_, to_;
};

/// Lines with every input of a group beside every output of it: position by position [c][g][j] has
/// what was [g][c].
template <typename T>
class SpreadLines final : public LineCopies<T> {
 public:
  SpreadLines(int64_t count, const ConvDim& dim, const ConvFeatures& features, const T* in, T* room)
      : LineCopies<T>(count, dim.size * features.groups * features.inputs * features.outputs, room),
        positions_(dim.size),
        step_(dim.in_stride),
        features_(features),
        in_(in) {}

 private:
  void Copy(int64_t offset, T* to) const override {
    switch (features_.outputs) {
      case 1:
        return Spread<1>(in_ + offset, to);
      case 2:
        return Spread<2>(in_ + offset, to);
      case 4:
        return Spread<4>(in_ + offset, to);
      default:
        return Spread<0>(in_ + offset, to);
    }
  }

  /// kOutputs: zero for a number that the compiler does not know.
  template <int kOutputs>
  void Spread(const T* line, T* to) const {
    const int64_t inputs = features_.inputs, outputs = kOutputs > 0 ? kOutputs : features_.outputs;
    for (int64_t x = 0; x < positions_; ++x, line += step_) {
      for (int64_t c = 0; c < inputs; ++c) {
        for (int64_t g = 0; g < features_.groups; ++g, to += outputs) {
          for (int64_t j = 0; j < outputs; ++j) to[j] = line[g * inputs + c];
        }
      }
    }
  }

  int64_t positions_, step_;
  ConvFeatures features_;
  const T* in_;
};

/// How many groups go together: as many as there is room for, but vectors of lanes; zero where
/// that takes too much.
int64_t GroupsTogether(std::span<const ConvDim> dims, const ConvFeatures& features, int64_t width) {
  const ConvDim& last = dims.back();
  const double bytes = static_cast<double>(OutputLines(dims).needed) *
                       static_cast<double>(last.size * width) *
                       static_cast<double>(features.inputs * features.outputs);
  const int64_t least = CeilDiv(32 / width, features.outputs);
  const auto fit = static_cast<int64_t>(static_cast<double>(kMostCopies) / bytes);
  const int64_t groups = std::min(std::max(fit / least, int64_t{1}) * least, features.groups);
  return bytes * static_cast<double>(groups) > static_cast<double>(kMostCopies) ? 0 : groups;
}

template <typename T>
void ConvolveNarrow(std::span<const ConvDim> dims, int64_t features, ElementType sum_type,
                    ElementType type, const std::byte* in, const T* kernel, std::byte* out,
                    Budget* budget, const FusedLoops<T>* fused, const ElementsReady* ready) {
  const OutputLines lines(dims);
  const ConvDim& last = dims.back();
  const int64_t line = last.size * features, sums = last.outputs * features;
  const int64_t room = lines.needed * line + sums, width = BytesOf(type);
  const auto scratch =
      Buffer::Allocate(static_cast<size_t>(PieceThreads() * room) * sizeof(T), budget);
  lines.Run(
      sums * lines.taps * last.taps, lines.Many(), budget, ready,
      [&](OutputCursor cursor, int thread, Budget* own, int64_t count) {
        T* const copies = reinterpret_cast<T*>(scratch->data()) + thread * room;
        T* const sum = copies + lines.needed * line;
        ConvertedLines<T> kept(lines.needed, line, copies, type, in, sum_type);
        DepthwiseLoop<T> loop(dims, {features, 1, features, copies, kernel, &kept}, own, fused);
        for (int64_t i = 0; i < count; ++i, cursor.Next()) {
          std::fill_n(sum, sums, T{});
          loop.AddLine(cursor, sum);
          ConvertElements(sum_type, reinterpret_cast<const std::byte*>(sum), type,
                          out + cursor.out_offset() * width, sums);
        }
      });
}

template <typename T, ElementType kSum>
void ConvolveNarrowAs(std::span<const ConvDim> dims, int64_t features, ElementType type,
                      const std::byte* in, const std::byte* kernel, std::byte* out, Budget* budget,
                      MultiplyAdd step, const ElementsReady* ready) {
  ConvolveNarrow(dims, features, kSum, type, in, reinterpret_cast<const T*>(kernel), out, budget,
                 FusedLoopsOf<T>(step), ready);
}

}  // namespace

NarrowConvolution FindNarrowConvolution(ElementType sum_type) {
  switch (sum_type) {
    case ElementType::kF32:
      return ConvolveNarrowAs<float, ElementType::kF32>;
    case ElementType::kS32:
      return ConvolveNarrowAs<uint32_t, ElementType::kS32>;
    case ElementType::kU32:
      return ConvolveNarrowAs<uint32_t, ElementType::kU32>;
    default:
      return nullptr;
  }
}

template <typename T>
void ConvolveDepthwise(std::span<const ConvDim> dims, int64_t features, const T* in,
                       const T* kernel, T* out, Budget* budget, const FusedLoops<T>* fused,
                       const ElementsReady* ready) {
  const OutputLines lines(dims);
  lines.Run(dims.back().outputs * features * lines.taps * dims.back().taps, 1, budget, ready,
            [&](OutputCursor cursor, int, Budget* own, int64_t count) {
              DepthwiseLoop<T> loop(dims, {features, 1, features, in, kernel, nullptr}, own, fused);
              for (int64_t i = 0; i < count; ++i, cursor.Next()) {
                loop.AddLine(cursor, out + cursor.out_offset());
              }
            });
}

bool GroupsPay(std::span<const ConvDim> dims, const ConvFeatures& features, int64_t width) {
  // Of fewer lanes vectors are not full; a product of more outputs has blocks that are.
  const int64_t lanes = features.groups * features.outputs;
  return features.groups > 1 && features.outputs <= kMostGroupOutputs && lanes * width >= 32 &&
         GroupsTogether(dims, features, width) > 0;
}

bool HandsOnLines(std::span<const ConvDim> dims, const ConvFeatures& features, int64_t width) {
  return IsDepthwise(features) || (GroupsPay(dims, features, width) &&
                                   GroupsTogether(dims, features, width) >= features.groups);
}

template <typename T>
void ConvolveGroups(std::span<const ConvDim> dims, const ConvFeatures& features, const T* in,
                    const T* kernel, T* out, Budget* budget, const FusedLoops<T>* fused,
                    const ElementsReady* ready) {
  const OutputLines lines(dims);
  const ConvDim& last = dims.back();
  const int64_t together = GroupsTogether(dims, features, sizeof(T));
  const int64_t row = features.groups * features.outputs;
  const int64_t room = lines.needed * last.size * together * features.inputs * features.outputs;
  const auto scratch =
      Buffer::Allocate(static_cast<size_t>(PieceThreads() * room) * sizeof(T), budget);
  for (int64_t group = 0; group < features.groups; group += together) {
    const ConvFeatures part = {std::min(together, features.groups - group), features.inputs,
                               features.outputs};
    const int64_t lanes = part.groups * part.outputs, first = group * part.outputs;
    lines.Run(last.outputs * lanes * part.inputs * lines.taps * last.taps, lines.Many(), budget,
              ready, [&](OutputCursor cursor, int thread, Budget* own, int64_t count) {
                T* const copies = reinterpret_cast<T*>(scratch->data()) + thread * room;
                SpreadLines<T> kept(lines.needed, last, part, in + group * part.inputs, copies);
                DepthwiseLoop<T> loop(
                    dims, {lanes, part.inputs, row, copies, kernel + first, &kept}, own, fused);
                for (int64_t i = 0; i < count; ++i, cursor.Next()) {
                  loop.AddLine(cursor, out + cursor.out_offset() + first);
                }
              });
  }
}

#define HLO_DEPTHWISE(T)                                                                        \
  template void ConvolveDepthwise<T>(std::span<const ConvDim>, int64_t, const T*, const T*, T*, \
                                     Budget*, const FusedLoops<T>*, const ElementsReady*);      \
  template void ConvolveGroups<T>(std::span<const ConvDim>, const ConvFeatures&, const T*,      \
                                  const T*, T*, Budget*, const FusedLoops<T>*,                  \
                                  const ElementsReady*);
HLO_DEPTHWISE(float)
HLO_DEPTHWISE(double)
HLO_DEPTHWISE(uint32_t)
HLO_DEPTHWISE(uint64_t)
#undef HLO_DEPTHWISE

}  // namespace hlo

#endif  // HLO_SMALL
