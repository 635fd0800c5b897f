// The services that the evaluation of ops needs from the run.
#ifndef HLO_ENGINE_OPS_EVAL_H_
#define HLO_ENGINE_OPS_EVAL_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/budget.h"
#include "engine/kernels/multiply_add.h"
#include "engine/ops/attributes.h"
#include "engine/ops/opcode.h"
#include "engine/types/tensor.h"

namespace hlo {

class OpCall;
struct ComparatorKeys;  // engine/ops/sorting/comparator.h
struct PairReducer;     // engine/ops/products/pair_reducer.h

class RegionFunction;

/// The same function over and over, for threads that apply it to parts of the same arrays at once
/// (threads/pieces.h).
class RegionCopies {
 public:
  virtual ~RegionCopies() = default;
  /// The one of a thread, while it runs a piece; it charges steps to `budget`. Makes no code.
  virtual RegionFunction& Of(int thread, Budget* budget) = 0;
};

/// A region with scalar (or tuple of scalar) parameters and result, compiled once and applied to
/// many elements.
class RegionFunction {
 public:
  virtual ~RegionFunction() = default;
  /// Applies the region to n argument tuples. `args[i]` points to n consecutive elements of
  /// parameter i's type, `results[j]` to room for n elements of result j's type (a scalar result is
  /// result 0). Results may alias arguments exactly (same pointer) but not overlap otherwise.
  virtual void Apply(int64_t n, std::span<const std::byte* const> args,
                     std::span<std::byte* const> results) = 0;

  // What is known about the region; by default nothing.

  /// The region is exactly `opcode(parameter 0, parameter 1)` in this order (or swapped, for a
  /// commutative op): used to choose kernels for the common reducers. Null for other regions.
  virtual const Opcode* BinaryOpcode() const { return nullptr; }
  /// The region consists of scalar operations only, so that applying it is quick, has no side
  /// effects and does not block.
  virtual bool is_scalar_program() const { return false; }
  /// Machine code has been made for parts of it, which run that from now on.
  virtual bool has_code() const { return false; }
  /// The number of the parameter that result i always is; -1 when it is computed.
  virtual int ResultParameter(int) const { return -1; }
  /// The keys of a comparator that is a lexicographic comparison of key(a0, a1, ...) with
  /// key(b0, b1, ...); null for others. The function owns what it returns.
  virtual const ComparatorKeys* Keys() { return nullptr; }
  /// What a reducer of (value, index) pairs that finds where an extreme is does; null for others.
  virtual const PairReducer* Pairs() { return nullptr; }
  /// For so many threads: with code, if the function has some; null as long as it may still get
  /// code, or if there is no memory for them, which `budget` is charged for. They stay until the
  /// function goes, or is asked again.
  virtual RegionCopies* Copies(int, Budget*) { return nullptr; }
};

/// The counter from which a run draws random numbers: 128 bits, one per device, with the same
/// initial value in every run. Source: XLA, rng_expander.cc.
struct RngState {
  uint64_t low = 0x7012395;
  uint64_t high = 0;

  /// Adds `delta` modulo 2^128 and returns the counter as it was before.
  RngState Advance(uint64_t delta) {
    const RngState before = *this;
    low += delta;
    high += low < delta ? 1 : 0;
    return before;
  }
};

/// What goes on with the result of an op while that is still being computed: parts of it, each as
/// soon as it is final.
class ResultPieces {
 public:
  virtual ~ResultPieces() = default;
  /// Before the first part. `result` is where the elements of the result are, densely; false where
  /// no part is wanted after all.
  virtual bool Begin(std::byte* result) = 0;
  /// As kernels/ready_elements.h has it: the elements [begin, begin + count), which it may change,
  /// on the thread that has just computed them. Every element once.
  virtual void Take(int64_t begin, int64_t count, int thread, Budget* budget) = 0;
};

class Peers;
class Replica;

class EvalContext;
/// Evaluates a call in place of its OpDef::eval (products/product_rounding.h).
using ProductRounding = Value (*)(const OpCall& call, std::span<Value> args, EvalContext& context);

/// The run in which an op is evaluated.
class EvalContext {
 public:
  virtual ~EvalContext() = default;
  /// Never null: every allocation of values is charged to it.
  virtual Budget* budget() = 0;
  /// The compiled form of a region; cached by the run.
  virtual RegionFunction& Function(const Region& region) = 0;
  /// The run's seed, for rng.
  virtual uint64_t seed() const = 0;
  /// The random counter of this device; ops that draw random numbers advance it.
  virtual RngState& rng() = 0;
  /// The index of the instruction being evaluated among all of the module, in text order: it
  /// distinguishes the random numbers of one instruction from those of another.
  virtual int64_t instruction_number() const = 0;
  virtual int64_t replica_id() const = 0;
  virtual int64_t partition_id() const = 0;
  /// The other devices of the run, and the host (engine/ops/devices/peers.h), as the instruction
  /// that is being evaluated sees them.
  virtual Peers& peers() = 0;
  /// For an async op: the computation that its async-start names; null if the chain passed through
  /// a loop or a call.
  virtual const Region* async_computation() const = 0;
  /// A value of this shape in place of one that nothing in the run gives, for runs that allow that;
  /// null where the run fails instead. `is_awaited`: another device may still give it.
  virtual const Value* StandIn(const Shape&, bool is_awaited) {
    static_cast<void>(is_awaited);
    return nullptr;
  }
  /// How products are evaluated that hardware may compute in fewer bits
  /// (products/product_rounding.h); null: like every other op.
  virtual ProductRounding products() const { return nullptr; }
  /// How sums of products are rounded.
  virtual MultiplyAdd multiply_add() const { return MultiplyAdd::kSeparate; }
  /// The run (engine/run/replica.h), for calls that reach into it; null where an op is evaluated
  /// outside of one.
  virtual Replica* replica() { return nullptr; }

  /// What is to be given parts of the result of the next op, which takes it if it can: an op with
  /// OpDef::result_unit. Null for none.
  void OfferResultPieces(ResultPieces* pieces) { result_pieces_ = pieces; }
  ResultPieces* TakeResultPieces() { return std::exchange(result_pieces_, nullptr); }

 private:
  ResultPieces* result_pieces_ = nullptr;
};

/// The state of a control-flow op between its steps.
struct ControlState {
  int step = 0;               ///< 0 at the first call; the op counts it up as it likes
  std::vector<Value> values;  ///< whatever it keeps
  Value returned;             ///< the result of the region that was run last
  int64_t meeting = 0;        ///< of a collective: the number of the meeting it takes part in
};

/// What a control-flow op wants next.
struct ControlStep {
  enum class Kind : uint8_t {
    kCall,  ///< run `region` on `args`, then enter again with its result in `state.returned`
    kDone,  ///< the instruction's value is `result`
    kWait,  ///< park this replica until a peer arrives (collectives, channels)
  };
  Kind kind = Kind::kDone;
  const Region* region = nullptr;
  std::vector<Value> args;
  Value result;
};

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_EVAL_H_
