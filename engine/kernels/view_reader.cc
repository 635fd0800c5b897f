#include "engine/kernels/view_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/base/indices.h"
#include "engine/kernels/element_width.h"
#include "engine/kernels/typed_loops.h"

namespace hlo {
namespace {

// `stride` is not 1.
void ReadRun(const std::byte* source, int64_t stride, int64_t count, int width, std::byte* out) {
  DispatchWidth(width, [&](auto element) {
    using T = decltype(element);
    const T* from = reinterpret_cast<const T*>(source);
    T* const to = reinterpret_cast<T*>(out);
    HLO_SHORT_CODE
    for (int64_t i = 0; i < count; ++i, from += stride) to[i] = *from;
  });
}

// Dimensions from the outermost on, joined where one step of the outer one is all of the inner one.
StridedView Joined(const StridedView& view) {
  StridedView joined{{}, {}, view.offset};
  for (size_t d = 0; d < view.dims.size(); ++d) {
    if (view.dims[d] == 1) continue;
    if (!joined.dims.empty() && joined.strides.back() == view.strides[d] * view.dims[d]) {
      joined.dims.back() *= view.dims[d];
      joined.strides.back() = view.strides[d];
    } else {
      joined.dims.push_back(view.dims[d]);
      joined.strides.push_back(view.strides[d]);
    }
  }
  if (joined.dims.size() == 1 && joined.strides[0] == 0) {
    joined.dims.clear();
    joined.strides.clear();
  }
  return joined;
}

}  // namespace

ViewReader::ViewReader(const StridedView& view) : runs_(Joined(view)) {}

void ViewReader::Read(int64_t begin, int64_t count, int width, const std::byte* source,
                      std::byte* out) const {
  if (count == 0) return;
  if (is_uniform()) return ReadRun(source + runs_.offset * width, 0, count, width, out);
  const size_t last = runs_.dims.size() - 1;
  const int64_t stride = runs_.strides[last];
  Dims index = Unravel(begin, runs_.dims);
  int64_t at = runs_.offset + StridedOffset(index, runs_.strides);
  for (;;) {
    const int64_t run = std::min(count, runs_.dims[last] - index[last]);
    if (stride == 1) {
      std::memcpy(out, source + at * width, static_cast<size_t>(run * width));
    } else {
      ReadRun(source + at * width, stride, run, width, out);
    }
    count -= run;
    if (count == 0) return;
    out += run * width;
    at -= index[last] * stride;
    index[last] = 0;
    for (size_t d = last; d-- > 0;) {
      at += runs_.strides[d];
      if (++index[d] < runs_.dims[d]) break;
      at -= runs_.dims[d] * runs_.strides[d];
      index[d] = 0;
    }
  }
}

const std::byte* ViewReader::Find(int64_t begin, int64_t count, int width,
                                  const std::byte* source) const {
  if (run_stride() != 1 || begin % run_length() + count > run_length()) return nullptr;
  const Dims index = Unravel(begin, runs_.dims);
  return source + (runs_.offset + StridedOffset(index, runs_.strides)) * width;
}

int64_t ViewReader::period() const {
  size_t first = 0;
  while (first < runs_.dims.size() && runs_.strides[first] == 0) ++first;
  int64_t period = 1;
  for (; first < runs_.dims.size(); ++first) period *= runs_.dims[first];
  return period;
}

}  // namespace hlo
