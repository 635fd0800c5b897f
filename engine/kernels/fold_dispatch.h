// The operation of a common reducer, and loops of it that fold elements one by one.
#ifndef HLO_ENGINE_KERNELS_FOLD_DISPATCH_H_
#define HLO_ENGINE_KERNELS_FOLD_DISPATCH_H_

#include <type_traits>

#include "engine/kernels/reduce_fold.h"
#include "engine/kernels/scalar_binary.h"
#include "engine/kernels/typed_loops.h"

namespace hlo {

/// What `visit.operator()<Op>()` returns for the operation of a reducer.
template <typename Visit>
auto WithOpOf(Reducer reducer, Visit visit) {
  switch (reducer) {
    case Reducer::kAdd:
      return visit.template operator()<AddOp>();
    case Reducer::kMultiply:
      return visit.template operator()<MultiplyOp>();
    case Reducer::kMaximum:
      return visit.template operator()<MaximumOp>();
    case Reducer::kMinimum:
      return visit.template operator()<MinimumOp>();
    case Reducer::kAnd:
      return visit.template operator()<AndOp>();
    default:
      return visit.template operator()<OrOp>();
  }
}

/// `Loop<Op, T, A>::Run`, which folds elements of T and does the arithmetic on them as A; null
/// where the op has no such elements or the loop does not take them (`kTakes<T>`): pred, integers
/// of 8 bits and more, floats of 16 bits and more have loops, bitwise reducers not on floats.
template <typename Function, template <typename, typename, typename> class Loop>
Function FindFoldLoop(Reducer reducer, ElementType type) {
  return WithOpOf(reducer, [&]<typename Op>() {
    return DispatchType(type, [](auto tag) -> Function {
      using T = typename decltype(tag)::type;
      constexpr bool kTaken =
          Contains(Op::kTypes, kClassOf<T>) && Loop<Op, T, T>::template kTakes<T>;
      if constexpr (kTaken && (std::is_same_v<T, BF16> || std::is_same_v<T, F16>)) {
        return Loop<Op, T, float>::Run;
      } else if constexpr (kTaken && kIsNative<T>) {
        using L = typename decltype(LoopTypeOf<Op, T>())::type;
        return Loop<Op, L, L>::Run;
      } else {
        return nullptr;
      }
    });
  });
}

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_FOLD_DISPATCH_H_
