// Which element of its operand each element of a shuffle is.
#ifndef HLO_ENGINE_OPS_MOVEMENT_SHUFFLE_H_
#define HLO_ENGINE_OPS_MOVEMENT_SHUFFLE_H_

#include <cstdint>

#include "engine/base/budget.h"
#include "engine/ops/op_call.h"
#include "engine/types/tensor.h"

namespace hlo {

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

 private:
  const OpCall& call_;
  const Dims& dimensions_;
  Tensor numbers_;  // of s64
  Dims strides_;    // of the numbers, per dimension of the operand; 0 where they are the same
};

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_MOVEMENT_SHUFFLE_H_
