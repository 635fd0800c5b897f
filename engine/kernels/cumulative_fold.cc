#include "engine/kernels/cumulative_fold.h"

#include "engine/kernels/fold_dispatch.h"

namespace hlo {
namespace {

template <typename Op, typename T, typename A>
struct CumulativeLoop {
  // Others are rare enough for the general way.
  template <typename Element>
  static constexpr bool kTakes = sizeof(Element) >= 4 && kClassOf<Element> != TypeClass::kComplex &&
                                 !std::is_same_v<Op, AndOp> && !std::is_same_v<Op, OrOp>;

  static void Run(const std::byte* from, int64_t from_step, std::byte* to, int64_t to_step,
                  int64_t n, std::byte* accumulator) {
    const T* source = As<T>(from);
    T* target = As<T>(to);
    T x = *As<T>(accumulator);
    for (int64_t i = 0; i < n; ++i, source += from_step, target += to_step) {
      x = static_cast<T>(Op::Run(static_cast<A>(x), static_cast<A>(*source)));
      *target = x;
    }
    *As<T>(accumulator) = x;
  }
};

}  // namespace

CumulativeFold FindCumulativeFold(Reducer reducer, ElementType type) {
  return FindFoldLoop<CumulativeFold, CumulativeLoop>(reducer, type);
}

}  // namespace hlo
