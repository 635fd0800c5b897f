// rng-bit-generator: bits from a state.
// Source: XLA, prng.cc.
#include "engine/kernels/random_bits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "engine/base/bits.h"
#include "engine/base/indices.h"
#include "engine/ops/random/random_eval.h"
#include "engine/ops/shape_checks.h"
#include "engine/threads/pieces.h"
#include "engine/types/six_bits.h"

namespace hlo {
namespace {

/// Blocks between two polls of the clock, and in a buffer.
constexpr int64_t kRandomChunk = 1024;

/// The leading words of a state; the others are left unchanged.
struct Counter {
  uint64_t key = 0;
  uint64_t low = 0;
  uint64_t high = 0;

  /// So many blocks further on.
  Counter After(int64_t blocks) const {
    const uint64_t sum = low + static_cast<uint64_t>(blocks);
    return {key, sum, high + (sum < low ? 1 : 0)};
  }
};

/// What a word costs, beside the load of an element.
constexpr int64_t kWordWork = 4;

void CheckMeaning(const OpCall& call, const Tensor& state, ElementType bits) {
  if (state.element_type() != ElementType::kU64 || state.rank() != 1 || state.dim(0) < 2) {
    throw RunError(DiagCode::kNotExecutable,
                   fmt::format("a state is u64[2] (ThreeFry, Philox) or u64[3] (Philox), not {}",
                               ShapeName(call.operand(0))));
  }
  if (ClassOf(bits) == TypeClass::kPred || IsComplex(bits)) {
    throw RunError(
        DiagCode::kNotExecutable,
        fmt::format("there are no random bits of {}: integers and floats only", Text(bits)));
  }
}

/// Keeps the bits that a type of less than a byte has.
void CutToType(ElementType type, std::byte* bytes, int64_t count) {
  const int bits = HasSixBits(type) ? 6 : BitsOf(type);
  if (bits >= 8) return;
  const int unused = 8 - bits;
  for (int64_t i = 0; i < count; ++i) {
    const auto high = static_cast<uint8_t>(std::to_integer<int>(bytes[i]) << unused);
    // Signed types are stored with their sign extended.
    bytes[i] = IsSigned(type) ? static_cast<std::byte>(static_cast<int8_t>(high) >> unused)
                              : static_cast<std::byte>(high >> unused);
  }
}

/// The low bits of n words as elements of `width` bytes, 1 to 4.
template <typename T>
void Narrow(const uint32_t* words, int64_t n, std::byte* to) {
  T* const out = reinterpret_cast<T*>(to);
  for (int64_t i = 0; i < n; ++i) out[i] = static_cast<T>(words[i]);
}
void NarrowWords(int width, const uint32_t* words, int64_t n, std::byte* to) {
  if (width == 1) return Narrow<uint8_t>(words, n, to);
  if (width == 2) return Narrow<uint16_t>(words, n, to);
  std::memcpy(to, words, static_cast<size_t>(n) * 4);
}

// ---- Philox -------------------------------------------------------------------------------------

void FillByPhilox(Counter* counter, Tensor* bits, Budget* budget) {
  const int width = std::min(BytesOf(bits->element_type()), 4);
  // An element of 8 bytes is two words, low half first: as they lie in memory.
  const int64_t words = bits->byte_size() / width;
  std::byte* const to = bits->mutable_bytes();
  const Counter first = *counter;
  RunRanges(words, 4 * kRandomChunk, words * kWordWork, budget,
            [=](PieceRange piece, int, Budget* own) {
              std::array<uint32_t, 4 * kRandomChunk> buffer;
              const int64_t n = piece.end - piece.begin;
              const Counter at = first.After(piece.begin / 4);
              PhiloxBlocks(at.key, at.low, at.high, CeilDiv(n, 4), buffer.data());
              NarrowWords(width, buffer.data(), n, to + piece.begin * width);
              own->Poll();
            });
  *counter = first.After(CeilDiv(words, 4));
}

// ---- ThreeFry -----------------------------------------------------------------------------------

/// One block per element: its first word is the low half.
void FillWordsByThreeFry(Counter* counter, Tensor* bits, Budget* budget) {
  uint64_t* const to = bits->mutable_data<uint64_t>();
  const Counter start = *counter;
  const int64_t count = bits->element_count();
  RunRanges(count, kRandomChunk, count * 2 * kWordWork, budget,
            [=](PieceRange piece, int, Budget* own) {
              std::array<uint32_t, kRandomChunk> first, second;
              const auto n = static_cast<size_t>(piece.end - piece.begin);
              ThreeFryBlocks(start.key, start.After(piece.begin).low, piece.end - piece.begin,
                             first.data(), second.data());
              for (size_t i = 0; i < n; ++i) {
                to[piece.begin + static_cast<int64_t>(i)] = uint64_t{second[i]} << 32 | first[i];
              }
              own->Poll();
            });
  *counter = start.After(count);
}

/// Writes n pairs, from this one on.
template <typename T>
class PairWriter {
 public:
  PairWriter(const RandomPairs& pairs, int64_t pair, std::byte* to)
      : pairs_(pairs),
        to_(reinterpret_cast<T*>(to)),
        at_(pairs.FirstOf(pair)),
        j_(pair / pairs.inner % pairs.half()),
        k_(pair % pairs.inner) {}
  void Write(const uint32_t* first, const uint32_t* second, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      to_[at_] = static_cast<T>(first[i]);
      if (2 * j_ + 1 < pairs_.size) to_[at_ + pairs_.inner] = static_cast<T>(second[i]);
      ++at_;
      if (++k_ < pairs_.inner) continue;
      k_ = 0;
      const bool has_second = 2 * j_ + 1 < pairs_.size;
      if (has_second) at_ += pairs_.inner;
      if (++j_ == pairs_.half()) j_ = 0;
    }
  }

 private:
  const RandomPairs pairs_;
  T* const to_;
  int64_t at_;  // where the next first word goes
  int64_t j_, k_;
};

/// A block for two elements.
template <typename T>
void FillPairsByThreeFry(Counter* counter, Tensor* bits, Budget* budget) {
  const RandomPairs pairs(bits->dims());
  std::byte* const to = bits->mutable_bytes();
  const Counter start = *counter;
  RunRanges(pairs.count(), kRandomChunk, pairs.count() * 2 * kWordWork, budget,
            [=](PieceRange piece, int, Budget* own) {
              std::array<uint32_t, kRandomChunk> first, second;
              const int64_t n = piece.end - piece.begin;
              ThreeFryBlocks(start.key, start.After(piece.begin).low, n, first.data(),
                             second.data());
              PairWriter<T>(pairs, piece.begin, to).Write(first.data(), second.data(), n);
              own->Poll();
            });
  *counter = start.After(pairs.count());
}

void FillByThreeFry(Counter* counter, Tensor* bits, Budget* budget) {
  switch (BytesOf(bits->element_type())) {
    case 1:
      return FillPairsByThreeFry<uint8_t>(counter, bits, budget);
    case 2:
      return FillPairsByThreeFry<uint16_t>(counter, bits, budget);
    case 4:
      return FillPairsByThreeFry<uint32_t>(counter, bits, budget);
    default:
      return FillWordsByThreeFry(counter, bits, budget);
  }
}

/// What "default" means depends on the state: two words select ThreeFry, as in the modules of XLA's
/// expander; three select Philox.
bool IsThreeFry(const OpCall& call, const Tensor& state) {
  const auto algorithm = static_cast<RngAlgorithm>(call.Word("algorithm"));
  if (algorithm == RngAlgorithm::kDefault) return state.dim(0) == 2;
  return algorithm == RngAlgorithm::kThreeFry;
}

}  // namespace

RandomPairs::RandomPairs(std::span<const int64_t> dims) {
  if (dims.empty()) return;
  auto split = std::find_if(dims.begin(), dims.end(), [](int64_t size) { return size % 2 == 0; });
  if (split == dims.end()) split = std::max_element(dims.begin(), dims.end());
  outer = ElementCount({dims.begin(), split});
  size = *split;
  inner = ElementCount({split + 1, dims.end()});
}

Value EvalRngBitGenerator(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const bool is_tuple = call.shape().IsTuple();
  const Shape& shape = is_tuple ? call.shape().elements()[1] : call.shape();
  const Tensor& state = args[0].tensor();
  CheckMeaning(call, state, shape.element_type());
  const uint64_t* const words = state.data<uint64_t>();
  Counter counter{.key = words[0], .low = words[1]};
  const bool is_three_fry = IsThreeFry(call, state);
  const bool has_high_word = !is_three_fry && state.dim(0) > 2;
  // A short state of Philox repeats the key in the counter.
  if (!is_three_fry) counter.high = has_high_word ? words[2] : words[0];
  Tensor bits(shape, context.budget());
  (is_three_fry ? FillByThreeFry : FillByPhilox)(&counter, &bits, context.budget());
  CutToType(bits.element_type(), bits.mutable_bytes(), bits.element_count());
  if (!is_tuple) return bits;
  Tensor next(ElementType::kU64, state.dims(), context.budget());
  std::memcpy(next.mutable_bytes(), state.bytes(), static_cast<size_t>(state.byte_size()));
  next.mutable_data<uint64_t>()[1] = counter.low;
  if (has_high_word) next.mutable_data<uint64_t>()[2] = counter.high;
  return Value::Tuple({std::move(next), std::move(bits)});
}

}  // namespace hlo
