// The loop of a common reducer for elements of a type, for kernels that fold elements one by one.
#ifndef HLO_ENGINE_KERNELS_FOLD_DISPATCH_H_
#define HLO_ENGINE_KERNELS_FOLD_DISPATCH_H_

#include <type_traits>

#include "engine/kernels/reduce_fold.h"
#include "engine/kernels/scalar_binary.h"
#include "engine/kernels/typed_loops.h"

namespace hlo {

/// `Loop<Op, T, A>::Run`, which folds elements of T and does the arithmetic on them as A; null
/// where the op has no such elements or the loop does not take them (`kTakes<T>`): pred, integers
/// of 8 bits and more, floats of 16 bits and more have loops, bitwise reducers not on floats.
template <typename Function, template <typename, typename, typename> class Loop, typename Op>
Function FoldLoopOf(ElementType type) {
  return DispatchType(type, [](auto tag) -> Function {
    using T = typename decltype(tag)::type;
    if constexpr (!Contains(Op::kTypes, kClassOf<T>) || !Loop<Op, T, T>::template kTakes<T>) {
      return nullptr;
    } else if constexpr (std::is_same_v<T, BF16> || std::is_same_v<T, F16>) {
      return Loop<Op, T, float>::Run;
    } else if constexpr (kIsNative<T>) {
      using L = typename decltype(LoopTypeOf<Op, T>())::type;
      return Loop<Op, L, L>::Run;
    } else {
      return nullptr;
    }
  });
}

/// The same by reducer.
template <typename Function, template <typename, typename, typename> class Loop>
Function FindFoldLoop(Reducer reducer, ElementType type) {
  switch (reducer) {
    case Reducer::kAdd:
      return FoldLoopOf<Function, Loop, AddOp>(type);
    case Reducer::kMultiply:
      return FoldLoopOf<Function, Loop, MultiplyOp>(type);
    case Reducer::kMaximum:
      return FoldLoopOf<Function, Loop, MaximumOp>(type);
    case Reducer::kMinimum:
      return FoldLoopOf<Function, Loop, MinimumOp>(type);
    case Reducer::kAnd:
      return FoldLoopOf<Function, Loop, AndOp>(type);
    case Reducer::kOr:
      return FoldLoopOf<Function, Loop, OrOp>(type);
  }
  return nullptr;
}

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_FOLD_DISPATCH_H_
