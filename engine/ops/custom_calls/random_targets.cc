// Custom-call targets that make random bits: XLA's builder library (prng.cc).
#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "engine/kernels/random_bits.h"
#include "engine/ops/custom_calls/custom_call_targets.h"

namespace hlo {
namespace {

/// A key whose halves are mixed, so that entropy in either half suffices: the last two words of its
/// Philox block start the counter, the first two are the key to use.
Value EvalScramble(const OpCall& call, std::span<Value> args, EvalContext& context) {
  constexpr uint64_t kMixingKey = 0x02461e293ec8f720;
  WantOperands(call, 1);
  const Shape key_shape = Shape::Scalar(ElementType::kU64);
  const Shape state_shape = Shape::Array(ElementType::kU64, {2});
  const bool wants_both = Shape::Compatible(call.shape(), Shape::Tuple({state_shape, key_shape}));
  if (!Shape::Compatible(call.operand(0), key_shape) ||
      (!wants_both && !Shape::Compatible(call.shape(), key_shape))) {
    RefuseCall(call, fmt::format("takes u64[] and gives u64[], or (u64[2], u64[]), not {} of {}",
                                 ShapeName(call.shape()), ShapeName(call.operand(0))));
  }
  const uint64_t key = *args[0].tensor().data<uint64_t>();
  uint32_t words[4];
  PhiloxBlocks(kMixingKey, key & 0xffffffff, key >> 32, 1, words);
  Tensor mixed =
      Tensor::Scalar<uint64_t>(uint64_t{words[0]} | uint64_t{words[1]} << 32, context.budget());
  if (!wants_both) return Value(std::move(mixed));
  Tensor state(state_shape, context.budget());
  state.mutable_data<uint64_t>()[0] = 0;
  state.mutable_data<uint64_t>()[1] = uint64_t{words[2]} | uint64_t{words[3]} << 32;
  return Value::Tuple({std::move(state), std::move(mixed)});
}

/// (key, counter) -> (bits, new counter), as rng-bit-generator with the key before the counter.
template <int64_t kCounterWords>
Value EvalBits(const OpCall& call, std::span<Value> args, EvalContext& context) {
  WantOperands(call, 2);
  const Shape& result = call.shape();
  const Shape& counter = call.operand(1);
  const auto is_words = [](const Shape& shape, int64_t count) {
    return shape.IsArray() && shape.element_type() == ElementType::kU64 &&
           shape.element_count() == count;
  };
  if (!is_words(call.operand(0), 1) || !is_words(counter, kCounterWords) || !result.IsTuple() ||
      result.elements().size() != 2 || !result.elements()[0].IsArray() ||
      !Shape::Compatible(result.elements()[1], counter)) {
    RefuseCall(call, fmt::format("takes a key u64[] and a counter of {} u64, and gives (bits, "
                                 "counter), not {}",
                                 kCounterWords, ShapeName(result)));
  }
  const Shape state_shape = Shape::Array(ElementType::kU64, {1 + kCounterWords});
  Tensor state(state_shape, context.budget());
  std::memcpy(state.mutable_bytes(), args[0].tensor().bytes(), sizeof(uint64_t));
  std::memcpy(state.mutable_data<uint64_t>() + 1, args[1].tensor().bytes(),
              kCounterWords * sizeof(uint64_t));
  Value operand[] = {std::move(state)};
  const Shape* shapes[] = {&state_shape};
  // The words of the attribute: default, three_fry, philox.
  const int64_t algorithm = kCounterWords == 1 ? 1 : 2;
  const Value made = CallOp(Opcode::kRngBitGenerator, {{"algorithm", algorithm}}, call, shapes,
                            operand, Shape::Tuple({state_shape, result.elements()[0]}), context);
  Tensor left(counter, context.budget());
  std::memcpy(left.mutable_bytes(), made.elements()[0].tensor().data<uint64_t>() + 1,
              kCounterWords * sizeof(uint64_t));
  return Value::Tuple({made.elements()[1], std::move(left)});
}

constexpr std::string_view kSource = "XLA, prng.cc";

constexpr BuiltInTarget kRandomTargets[] = {
    {.name = "xla_builder.prng.PhiloxBitGenerator",
     .operands = "key: u64[], counter: u64[2]",
     .result = "(bits, counter)",
     .doc = "rng-bit-generator by Philox, with the key apart from the counter.",
     .source = kSource,
     .eval = EvalBits<2>},
    {.name = "xla_builder.prng.ScramblePhiloxKey",
     .operands = "key: u64[]",
     .result = "u64[], or (u64[2], u64[])",
     .doc = "A key for Philox from any number, and the counter to start at.",
     .source = kSource,
     .eval = EvalScramble},
    {.name = "xla_builder.prng.ThreeFryBitGenerator",
     .operands = "key: u64[], counter: u64[] or u64[1]",
     .result = "(bits, counter)",
     .doc = "rng-bit-generator by ThreeFry, with the key apart from the counter.",
     .source = kSource,
     .eval = EvalBits<1>},
};

}  // namespace

std::span<const BuiltInTarget> RandomTargets() { return kRandomTargets; }

}  // namespace hlo
