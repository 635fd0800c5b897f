#include "engine/kernels/scatter_fold.h"

#include "engine/kernels/fold_dispatch.h"

namespace hlo {
namespace {

template <typename Op, typename T, typename A>
struct ScatterLoop {
  template <typename>
  static constexpr bool kTakes = true;
  static void Run(const std::byte* from, std::span<const int64_t> sources, std::byte* to,
                  std::span<const int64_t> targets) {
    const T* const source = As<T>(from);
    T* const target = As<T>(to);
    for (size_t i = 0; i < targets.size(); ++i) {
      T& place = target[targets[i]];
      place = static_cast<T>(Op::Run(static_cast<A>(place), static_cast<A>(source[sources[i]])));
    }
  }
};

template <typename Op, typename T, typename A>
struct ScatterRowLoop {
  template <typename>
  static constexpr bool kTakes = true;
  static void Run(const std::byte* from, std::byte* to, int64_t n) {
    const T* const source = As<T>(from);
    T* const target = As<T>(to);
    HLO_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < n; ++i) {
      target[i] = static_cast<T>(Op::Run(static_cast<A>(target[i]), static_cast<A>(source[i])));
    }
  }
};

}  // namespace

ScatterFold FindScatterFold(Reducer reducer, ElementType type) {
  return FindFoldLoop<ScatterFold, ScatterLoop>(reducer, type);
}

ScatterRowFold FindScatterRowFold(Reducer reducer, ElementType type) {
  return FindFoldLoop<ScatterRowFold, ScatterRowLoop>(reducer, type);
}

}  // namespace hlo
