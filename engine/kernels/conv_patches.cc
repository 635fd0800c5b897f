#include <algorithm>
#include <cstring>

#include "engine/kernels/conv_window.h"

namespace hlo {

OutputCursor::OutputCursor(std::span<const ConvDim> dims, int64_t first)
    : dims_(dims), index_(dims.size()), starts_(dims.size()) {
  for (size_t d = dims.size(); d-- > 0;) {
    index_[d] = first % dims[d].outputs;
    first /= dims[d].outputs;
    starts_[d] = dims[d].base + index_[d] * dims[d].per_output;
    out_offset_ += index_[d] * dims[d].out_stride;
  }
}

bool OutputCursor::Next() {
  for (size_t d = dims_.size(); d-- > 0;) {
    const ConvDim& dim = dims_[d];
    if (++index_[d] < dim.outputs) {
      starts_[d] += dim.per_output;
      out_offset_ += dim.out_stride;
      return true;
    }
    out_offset_ -= (dim.outputs - 1) * dim.out_stride;
    starts_[d] = dim.base;
    index_[d] = 0;
  }
  return false;
}

namespace {

/// Copies the taps of the last dimension: a run of them at once when they are neighbours.
class RowCopier {
 public:
  RowCopier(const ConvDim& dim, int64_t chunk, int width)
      : dim_(dim),
        bytes_(static_cast<size_t>(chunk) * static_cast<size_t>(width)),
        step_(TapStep(dim) * width),
        dense_(TapStep(dim) == chunk) {}

  size_t row_bytes() const { return bytes_ * static_cast<size_t>(dim_.taps); }

  /// `line` points to position 0 of the last dimension.
  void Copy(const std::byte* line, int64_t start, TapRange taps, int64_t in_stride_bytes,
            std::byte* to) const {
    size_t begin = static_cast<size_t>(taps.begin), end = static_cast<size_t>(taps.end);
    if (begin >= end) {
      std::memset(to, 0, row_bytes());
      return;
    }
    if (begin > 0) std::memset(to, 0, begin * bytes_);
    const std::byte* from = line + (start + taps.begin * dim_.per_tap) * in_stride_bytes;
    if (dense_) {
      std::memcpy(to + begin * bytes_, from, (end - begin) * bytes_);
    } else {
      for (size_t k = begin; k < end; ++k) {
        std::memcpy(to + k * bytes_, from + static_cast<int64_t>(k - begin) * step_, bytes_);
      }
    }
    if (end * bytes_ < row_bytes()) std::memset(to + end * bytes_, 0, row_bytes() - end * bytes_);
  }

 private:
  const ConvDim& dim_;
  size_t bytes_;
  int64_t step_;
  bool dense_;
};

}  // namespace

void GatherPatches(std::span<const ConvDim> dims, int64_t first, int64_t count, int64_t chunk,
                   int width, const std::byte* in, std::byte* rows) {
  const size_t outer = dims.size() - 1;
  const ConvDim& last = dims[outer];
  RowCopier copier(last, chunk, width);
  OutputCursor cursor(dims, first);
  Dims taps(outer);
  for (int64_t i = 0; i < count; ++i, cursor.Next()) {
    TapRange range = TapsInside(last, cursor.start(outer));
    std::fill(taps.begin(), taps.end(), 0);
    bool more = true;
    while (more) {
      bool inside = true;
      int64_t offset = 0;
      for (size_t d = 0; d < outer; ++d) {
        // Unsigned: far outside the sum may wrap, but never into the input.
        uint64_t position = static_cast<uint64_t>(cursor.start(d)) +
                            static_cast<uint64_t>(taps[d]) * static_cast<uint64_t>(dims[d].per_tap);
        if (position >= static_cast<uint64_t>(dims[d].size)) {
          inside = false;
          break;
        }
        offset += static_cast<int64_t>(position) * dims[d].in_stride;
      }
      copier.Copy(inside ? in + offset * width : in, cursor.start(outer),
                  inside ? range : TapRange{0, 0}, last.in_stride * width, rows);
      rows += copier.row_bytes();
      more = false;
      for (size_t d = outer; d-- > 0 && !more;) {
        more = ++taps[d] < dims[d].taps;
        if (!more) taps[d] = 0;
      }
    }
  }
}

void ScatterOutputs(std::span<const ConvDim> dims, int64_t first, int64_t count, int64_t chunk,
                    int width, const std::byte* rows, std::byte* out) {
  size_t bytes = static_cast<size_t>(chunk) * static_cast<size_t>(width);
  OutputCursor cursor(dims, first);
  for (int64_t i = 0; i < count; ++i, cursor.Next()) {
    std::memcpy(out + cursor.out_offset() * width, rows + static_cast<size_t>(i) * bytes, bytes);
  }
}

}  // namespace hlo
