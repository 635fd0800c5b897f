#include "engine/kernels/scatter_fold.h"

#include <cstring>

#include "engine/kernels/fold_dispatch.h"

namespace hlo {
namespace {

template <typename Op, typename T, typename A>
struct ScatterLoop {
  template <typename>
  static constexpr bool kTakes = true;

  /// What is loaded before anything is stored: two of the longest lines that caches have.
  static constexpr ptrdiff_t kTogether = 128 / sizeof(T);

  static T Folded(T place, T value) {
    return static_cast<T>(Op::Run(static_cast<A>(place), static_cast<A>(value)));
  }

  static void FoldRow(const T* from, T* to, ptrdiff_t count) {
    ptrdiff_t i = 0;
#ifndef HLO_SMALL
    for (; i + kTogether <= count; i += kTogether) {
      T places[kTogether], values[kTogether];
      std::memcpy(places, to + i, sizeof places);
      std::memcpy(values, from + i, sizeof values);
      HLO_INDEPENDENT_ITERATIONS
      for (ptrdiff_t k = 0; k < kTogether; ++k) places[k] = Folded(places[k], values[k]);
      std::memcpy(to + i, places, sizeof places);
    }
#endif
    HLO_INDEPENDENT_ITERATIONS
    for (ptrdiff_t k = i; k < count; ++k) to[k] = Folded(to[k], from[k]);
  }

  static void Run(const std::byte* from, std::span<const int64_t> sources, std::byte* to,
                  std::span<const int64_t> targets, int64_t count) {
    const T* const source = As<T>(from);
    T* const target = As<T>(to);
    for (size_t i = 0; i < targets.size(); ++i) {
      FoldRow(source + sources[i], target + targets[i], static_cast<ptrdiff_t>(count));
    }
  }
};

}  // namespace

ScatterFold FindScatterFold(Reducer reducer, ElementType type) {
  return FindFoldLoop<ScatterFold, ScatterLoop>(reducer, type);
}

}  // namespace hlo
