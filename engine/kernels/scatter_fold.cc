#include "engine/kernels/scatter_fold.h"

#include "engine/kernels/scalar_binary.h"
#include "engine/kernels/typed_loops.h"

namespace hlo {
namespace {

/// Arithmetic is done on elements as A.
template <typename Op, typename T, typename A>
void FoldElements(const std::byte* from, std::span<const int64_t> sources, std::byte* to,
                  std::span<const int64_t> targets) {
  const T* const source = As<T>(from);
  T* const target = As<T>(to);
  for (size_t i = 0; i < targets.size(); ++i) {
    T& place = target[targets[i]];
    place = static_cast<T>(Op::Run(static_cast<A>(place), static_cast<A>(source[sources[i]])));
  }
}

template <typename Op>
ScatterFold FoldOf(ElementType type) {
  return DispatchType(type, [](auto tag) -> ScatterFold {
    using T = typename decltype(tag)::type;
    if constexpr (!Contains(Op::kTypes, kClassOf<T>)) {
      return nullptr;
    } else if constexpr (std::is_same_v<T, BF16> || std::is_same_v<T, F16>) {
      return FoldElements<Op, T, float>;
    } else if constexpr (kIsNative<T>) {
      using L = typename decltype(LoopTypeOf<Op, T>())::type;
      return FoldElements<Op, L, L>;
    } else {
      return nullptr;
    }
  });
}

}  // namespace

ScatterFold FindScatterFold(Reducer reducer, ElementType type) {
  switch (reducer) {
    case Reducer::kAdd:
      return FoldOf<AddOp>(type);
    case Reducer::kMultiply:
      return FoldOf<MultiplyOp>(type);
    case Reducer::kMaximum:
      return FoldOf<MaximumOp>(type);
    case Reducer::kMinimum:
      return FoldOf<MinimumOp>(type);
    case Reducer::kAnd:
      return FoldOf<AndOp>(type);
    case Reducer::kOr:
      return FoldOf<OrOp>(type);
  }
  return nullptr;
}

}  // namespace hlo
