#include "engine/kernels/move_elements.h"

#include <cstring>

#include "engine/kernels/element_width.h"
#include "engine/kernels/typed_loops.h"

namespace hlo {

void CopySpaced(int width, const std::byte* from, int64_t from_step, std::byte* to, int64_t to_step,
                int64_t n) {
  if ((from_step == 1 && to_step == 1) || n == 1) {
    std::memcpy(to, from, static_cast<size_t>(n * width));
    return;
  }
  DispatchWidth(width, [&](auto element) {
    using T = decltype(element);
    const T* const in = As<T>(from);
    T* const out = As<T>(to);
    if (to_step != 1) {
      for (int64_t i = 0; i < n; ++i) out[i * to_step] = in[i * from_step];
    } else if (from_step == 2) {
      for (int64_t i = 0; i < n; ++i) out[i] = in[2 * i];
    } else {
      for (int64_t i = 0; i < n; ++i) out[i] = in[i * from_step];
    }
  });
}

void CollectElements(int width, const std::byte* from, const int64_t* offsets, int64_t n,
                     std::byte* to) {
  DispatchWidth(width, [&](auto element) {
    using T = decltype(element);
    for (int64_t i = 0; i < n; ++i) As<T>(to)[i] = As<T>(from)[offsets[i]];
  });
}

void PlaceElements(int width, const std::byte* from, const int64_t* offsets, int64_t n,
                   std::byte* to) {
  DispatchWidth(width, [&](auto element) {
    using T = decltype(element);
    for (int64_t i = 0; i < n; ++i) As<T>(to)[offsets[i]] = As<T>(from)[i];
  });
}

void ReplaceUnlessKept(int width, const bool* keep, const std::byte* from, int64_t place,
                       int64_t step, int64_t n, std::byte* to, int64_t* places) {
  for (int64_t i = 0; i < n; ++i) places[i] = keep[i] ? places[i] : place + i * step;
  DispatchWidth(width, [&](auto element) {
    using T = decltype(element);
    const T* const in = As<T>(from);
    T* const out = As<T>(to);
    HLO_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < n; ++i) out[i] = keep[i] ? out[i] : in[i];
  });
}

}  // namespace hlo
