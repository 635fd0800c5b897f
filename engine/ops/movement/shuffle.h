// Which element of its operand each element of a shuffle is.
#ifndef HLO_ENGINE_OPS_MOVEMENT_SHUFFLE_H_
#define HLO_ENGINE_OPS_MOVEMENT_SHUFFLE_H_

#include <cstdint>

#include "engine/base/budget.h"
#include "engine/ops/op_call.h"
#include "engine/types/tensor.h"

namespace hlo {

/// By how many of `size` places a rotation moves elements to the left: in [0, size); 0 of none.
int64_t NormalShift(int64_t shift, int64_t size);

/// The places that the shifts or indices of a shuffle say, with the bounds of dynamic dimensions.
/// Source: XLA, shuffle.cc, shuffle_expander.cc.
class ShuffleMap {
 public:
  /// The call is valid and must outlive this. Throws RunError(kMemoryExceeded).
  ShuffleMap(const OpCall& call, Budget* budget);

  /// The index of the operand's element that the result has at `index`.
  Dims SourceOf(const Dims& index) const;

  /// Whether an element's place along dimension d says more about its source than that it has the
  /// same there: the dimension is shuffled, or has indices or shifts of its own.
  bool IsPlaced(size_t d) const;
  /// The sizes of the operand, with 1 for the dimensions that are not placed.
  Dims Places() const;

 private:
  const OpCall& call_;
  const Dims& dimensions_;
  Tensor numbers_;  // of s64
  Dims strides_;    // of the numbers, per dimension of the operand; 0 where they are the same
};

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_MOVEMENT_SHUFFLE_H_
