// rng and the counter it draws from, as in XLA's compiled programs: Philox bits.
// Source: XLA, rng_expander.cc and prng.cc.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "engine/base/bits.h"
#include "engine/kernels/constants.h"
#include "engine/kernels/random_bits.h"
#include "engine/lanes/f64_functions.h"
#include "engine/lanes/four_lanes.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/random/random_eval.h"
#include "engine/threads/pieces.h"
#include "engine/types/convert.h"
#include "engine/types/literal.h"

namespace hlo {
namespace {

/// The key and counter for the words of one instruction.
struct Stream {
  uint64_t key;
  RngState counter;
};

/// Takes as many values of the run's counter as there are words in n elements of `bytes` bytes.
Stream OpenStream(EvalContext& context, int64_t n, int bytes) {
  const uint64_t number = static_cast<uint64_t>(context.instruction_number());
  const uint64_t key = context.seed() ^ ((number * 0x9E3779B97F4A7C15) >> 32) ^
                       static_cast<uint64_t>(context.replica_id()) ^
                       static_cast<uint64_t>(context.partition_id()) << 32;
  const uint64_t units = static_cast<uint64_t>(n) * static_cast<uint64_t>(bytes / 4);
  return {key, context.rng().Advance(units)};
}

/// Blocks of words in a buffer.
constexpr int64_t kBlocks = 512;

/// Calls write(words, first, n) for blocks of elements, which threads share: n elements of `bytes`
/// (4 or 8) bytes, the first of which is element number `first`.
template <typename F>
void ForEachBlock(const Stream& stream, int64_t count, int64_t bytes, Budget* budget, F&& write) {
  const int64_t step = 16 * kBlocks / bytes;
  RunRanges(count, step, count * bytes, budget, [&](PieceRange piece, int, Budget* own) {
    std::array<uint32_t, 4 * kBlocks> words;
    const int64_t n = piece.end - piece.begin;
    RngState counter = stream.counter;
    counter.Advance(static_cast<uint64_t>(piece.begin * bytes / 16));
    PhiloxBlocks(stream.key, counter.low, counter.high, CeilDiv(n * bytes, 16), words.data());
    write(words.data(), piece.begin, n);
    own->Poll();
  });
}

uint64_t WordAt(const uint32_t* words, int64_t i, uint64_t /*type*/) {
  return uint64_t{words[2 * i + 1]} << 32 | words[2 * i];
}
uint32_t WordAt(const uint32_t* words, int64_t i, uint32_t /*type*/) { return words[i]; }

/// In [0, 1): a multiple of 2^-52 or 2^-23.
double FractionAt(const uint32_t* words, int64_t i, double /*type*/) {
  return static_cast<double>(WordAt(words, i, uint64_t{}) >> 12) * 0x1p-52;
}
float FractionAt(const uint32_t* words, int64_t i, float /*type*/) {
  return static_cast<float>(words[i] >> 9) * 0x1p-23f;
}

[[noreturn]] void ThrowEmpty(std::span<const Value> args) {
  std::string low, high;
  AppendElement(args[0].tensor(), 0, &low);
  AppendElement(args[1].tensor(), 0, &high);
  throw RunError(DiagCode::kRuntimeError,
                 fmt::format("the lower bound of a uniform distribution must lie below the upper "
                             "one, both finite, but they are {} and {}",
                             low, high));
}

// ---- Uniform floats -----------------------------------------------------------------------------

/// Rounds a value to a type, and back.
double RoundedTo(ElementType type, double value) {
  alignas(16) std::byte element[16];
  double rounded = 0;
  ConvertElements(ElementType::kF64, reinterpret_cast<const std::byte*>(&value), type, element, 1);
  ConvertElements(type, element, ElementType::kF64, reinterpret_cast<std::byte*>(&rounded), 1);
  return rounded;
}

/// The largest float in [low, high) that remains below `high` when rounded to the result's type:
/// the interval is half-open, and rounding must not close it. `high` itself if there is none.
float LargestBelow(float high, float low, ElementType type) {
  // Rounding is monotonic, so a binary search finds it.
  float good = low, bad = high;
  if (!(RoundedTo(type, good) < high)) return high;
  while (true) {
    const float next = std::nextafter(bad, good);
    if (next == good) return good;
    if (RoundedTo(type, next) < high) return next;
    float middle = good / 2 + bad / 2;
    if (!(middle > good && middle < bad)) middle = next;
    (RoundedTo(type, middle) < high ? good : bad) = middle;
  }
}
double LargestBelow(double high, double low, ElementType /*type*/) {
  return std::nextafter(high, low);
}

template <typename T>
Tensor UniformFloats(const OpCall& call, T low, T high, EvalContext& context) {
  const ElementType type = call.shape().element_type();
  Tensor result(kTypeOf<T>, call.shape().dims(), context.budget());
  const T width = high - low;
  const bool is_wide = !std::isfinite(width);
  const T most = LargestBelow(high, low, type);
  T* const to = result.mutable_data<T>();
  ForEachBlock(OpenStream(context, result.element_count(), sizeof(T)), result.element_count(),
               sizeof(T), context.budget(), [&](const uint32_t* words, int64_t first, int64_t n) {
                 for (int64_t i = 0; i < n; ++i) {
                   const T part = FractionAt(words, i, T{});
                   // Of numbers so far apart the signs differ, and the sum is between them.
                   const T value = is_wide ? part * high + (1 - part) * low : part * width + low;
                   to[first + i] = value > most ? most : value;
                 }
               });
  return result;
}

// ---- Uniform integers ---------------------------------------------------------------------------

/// Bounds and results as the unsigned type of their width.
template <typename T>
Tensor UniformIntegers(const OpCall& call, T low, T high, EvalContext& context) {
  Tensor result(kTypeOf<T>, call.shape().dims(), context.budget());
  const T range = high - low;
  T* const to = result.mutable_data<T>();
  ForEachBlock(OpenStream(context, result.element_count(), sizeof(T)), result.element_count(),
               sizeof(T), context.budget(), [&](const uint32_t* words, int64_t first, int64_t n) {
                 for (int64_t i = 0; i < n; ++i) {
                   to[first + i] = low + WordAt(words, i, T{}) % range;
                 }
               });
  return result;
}

// ---- Normal -------------------------------------------------------------------------------------

/// Normal numbers from uniform ones x and y (Box-Muller), of a D or of lanes. Computed in f64 for
/// f32 too, so that differences between C libraries do not show.
template <typename D>
std::pair<D, D> NormalPair(D x, D y) {
  const D radius = lanes::Sqrt(f64::Log(x) * -2.0);
  const D angle = y * (2 * kPi);
  return {radius * f64::Sin(angle), radius * f64::Cos(angle)};
}

/// Pairs of uniform numbers, in memory, of which normal ones are made in their place.
template <typename T>
class PairMaker {
 public:
  PairMaker(const RandomPairs& pairs, T mean, T deviation, T* numbers)
      : pairs_(pairs), mean_(mean), deviation_(deviation), numbers_(numbers) {}

  void Run(int64_t begin, int64_t end) const {
    int64_t pair = begin;
#ifndef HLO_SMALL
    using Numbers = std::array<double, 4>;
    using Four = lanes::FourLanes<double>;
    for (; pair + 4 <= end; pair += 4) {
      Numbers x, y;
      for (int i = 0; i < 4; ++i) {
        x[static_cast<size_t>(i)] = First(pair + i);
        y[static_cast<size_t>(i)] = Second(pair + i);
      }
      const auto [a, b] = NormalPair(BitCast<Four>(x), BitCast<Four>(y));
      x = BitCast<Numbers>(a);
      y = BitCast<Numbers>(b);
      for (int i = 0; i < 4; ++i) {
        Set(pair + i, x[static_cast<size_t>(i)], y[static_cast<size_t>(i)]);
      }
    }
#endif
    for (; pair < end; ++pair) {
      const auto [a, b] = NormalPair(First(pair), Second(pair));
      Set(pair, a, b);
    }
  }

 private:
  int64_t PlaceOf(int64_t pair) const {
    return pair / pairs_.inner * 2 * pairs_.inner + pair % pairs_.inner;
  }
  double First(int64_t pair) const { return std::max<double>(numbers_[PlaceOf(pair)], 1e-7f); }
  double Second(int64_t pair) const { return numbers_[PlaceOf(pair) + pairs_.inner]; }
  void Set(int64_t pair, double a, double b) const {
    numbers_[PlaceOf(pair)] = static_cast<T>(a) * deviation_ + mean_;
    numbers_[PlaceOf(pair) + pairs_.inner] = static_cast<T>(b) * deviation_ + mean_;
  }

  const RandomPairs& pairs_;
  T mean_, deviation_;
  T* numbers_;
};

/// Neighbours along the pairs' dimension are made from each other; those beyond the dimension's end
/// are discarded.
template <typename T>
Tensor Normals(const OpCall& call, T mean, T deviation, EvalContext& context) {
  Budget* const budget = context.budget();
  const RandomPairs pairs(call.shape().dims());
  const int64_t doubled[] = {pairs.outer, 2 * pairs.half(), pairs.inner};
  Tensor numbers(kTypeOf<T>, doubled, budget);
  T* const to = numbers.mutable_data<T>();
  const int64_t elements = pairs.outer * pairs.size * pairs.inner;
  ForEachBlock(OpenStream(context, elements, sizeof(T)), numbers.element_count(), sizeof(T), budget,
               [&](const uint32_t* words, int64_t first, int64_t n) {
                 for (int64_t i = 0; i < n; ++i) to[first + i] = FractionAt(words, i, T{});
               });
  // As they lie in `numbers`, all pairs are complete.
  constexpr int64_t kPairs = 1024, kPairWork = 32;
  const PairMaker<T> maker(pairs, mean, deviation, to);
  RunRanges(pairs.count(), kPairs, pairs.count() * kPairWork, budget,
            [&](PieceRange piece, int, Budget* own) {
              maker.Run(piece.begin, piece.end);
              own->Poll();
            });
  if (doubled[1] == pairs.size) return numbers.Reinterpreted(kTypeOf<T>, call.shape().dims());
  const StridedView kept =
      Prefix(RowMajorView(doubled), Dims{pairs.outer, pairs.size, pairs.inner});
  return TensorFromView(numbers, kept, Shape::Array(kTypeOf<T>, kept.dims), budget)
      .Reinterpreted(kTypeOf<T>, call.shape().dims());
}

// ---- rng ----------------------------------------------------------------------------------------

template <typename T>
T BoundAs(const Value& value, Budget* budget) {
  return *ConvertTensor(value.tensor(), kTypeOf<T>, budget).template data<T>();
}

template <typename T>
Tensor Floats(const OpCall& call, std::span<const Value> args, EvalContext& context) {
  const T a = BoundAs<T>(args[0], context.budget());
  const T b = BoundAs<T>(args[1], context.budget());
  if (static_cast<RngDistribution>(call.Word("distribution")) == RngDistribution::kNormal) {
    return Normals<T>(call, a, b, context);
  }
  if (!(a < b) || std::isinf(a) || std::isinf(b)) ThrowEmpty(args);
  return UniformFloats<T>(call, a, b, context);
}

/// Integers and pred; those narrower than 64 bits are computed in 32.
Tensor Integers(const OpCall& call, std::span<const Value> args, EvalContext& context) {
  const ElementType type = call.shape().element_type();
  if (type == ElementType::kU64) {
    const auto low = BoundAs<uint64_t>(args[0], context.budget());
    const auto high = BoundAs<uint64_t>(args[1], context.budget());
    if (low >= high) ThrowEmpty(args);
    return UniformIntegers<uint64_t>(call, low, high, context);
  }
  const auto low = BoundAs<int64_t>(args[0], context.budget());
  const auto high = BoundAs<int64_t>(args[1], context.budget());
  if (low >= high) ThrowEmpty(args);
  return BitsOf(type) == 64 ? UniformIntegers<uint64_t>(call, static_cast<uint64_t>(low),
                                                        static_cast<uint64_t>(high), context)
                            : UniformIntegers<uint32_t>(call, static_cast<uint32_t>(low),
                                                        static_cast<uint32_t>(high), context);
}

}  // namespace

Value EvalRngState(const OpCall& call, std::span<Value>, EvalContext& context) {
  const RngState before = context.rng().Advance(static_cast<uint64_t>(call.Int("delta")));
  Tensor result(call.shape(), context.budget());
  result.mutable_data<uint64_t>()[0] = before.low;
  result.mutable_data<uint64_t>()[1] = before.high;
  return result;
}

Value EvalRng(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const ElementType type = call.shape().element_type();
  Tensor result = !IsFloat(type)              ? Integers(call, args, context)
                  : type == ElementType::kF64 ? Floats<double>(call, args, context)
                                              : Floats<float>(call, args, context);
  return ConvertTensor(result, type, context.budget());
}

}  // namespace hlo
