// Evaluation of the random number ops.
#ifndef HLO_ENGINE_OPS_RANDOM_RANDOM_EVAL_H_
#define HLO_ENGINE_OPS_RANDOM_RANDOM_EVAL_H_

#include <cstdint>
#include <span>

#include "engine/ops/eval.h"
#include "engine/ops/op_call.h"
#include "engine/types/shape.h"
#include "engine/types/tensor.h"

namespace hlo {

/// The words of `rng-bit-generator`'s `algorithm`.
enum class RngAlgorithm : int64_t { kDefault, kThreeFry, kPhilox };
/// The words of rng's `distribution`.
enum class RngDistribution : int64_t { kUniform, kNormal };

/// How XLA pairs the numbers that come two at a time: neighbours 2j and 2j+1 along one dimension,
/// which is the first of even size, or else the first of the largest size. The last pair may be
/// incomplete.
struct RandomPairs {
  int64_t outer = 1;  ///< elements before that dimension
  int64_t size = 1;   ///< of that dimension
  int64_t inner = 1;  ///< elements after it

  explicit RandomPairs(std::span<const int64_t> dims);
  int64_t half() const { return size / 2 + size % 2; }
  /// How many pairs there are; the first of pair (o, j, k) in row-major order is element
  /// (o, 2j, k) of [outer, size, inner].
  int64_t count() const { return outer * half() * inner; }
  /// The first element of a pair, by its number.
  int64_t FirstOf(int64_t pair) const {
    const int64_t row = pair / inner;
    return (row / half() * size + row % half() * 2) * inner + pair % inner;
  }
};

/// rng-bit-generator: (new state, bits), or the bits alone. Throws RunError(kNotExecutable) for
/// states that are not u64[2] or more, and if the bits are pred or complex.
Value EvalRngBitGenerator(const OpCall& call, std::span<Value> args, EvalContext& context);
/// rng-get-and-update-state: the random counter of this run and device, before delta is added.
Value EvalRngState(const OpCall& call, std::span<Value> args, EvalContext& context);
/// rng. Throws RunError(kRuntimeError) for an empty interval.
Value EvalRng(const OpCall& call, std::span<Value> args, EvalContext& context);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_RANDOM_RANDOM_EVAL_H_
