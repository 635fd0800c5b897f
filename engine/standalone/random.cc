// rng-bit-generator: the blocks of kernels/random_bits.h, one after the other.
#include <algorithm>
#include <array>

#include "engine/codegen/lane.h"
#include "engine/ops/op_def.h"
#include "engine/ops/random/random_eval.h"
#include "engine/ops/shape_checks.h"
#include "engine/standalone/operation.h"

namespace hlo {
namespace {

using Word = lanes::Lane<uint32_t>;
using WideWord = lanes::Lane<uint64_t>;

WideWord Wide(Word x) { return {x.code, x.code->Convert(x.value, LaneKind::kI64, true)}; }
Word LowWord(WideWord x) { return {x.code, x.code->Convert(x.value, LaneKind::kI32, true)}; }
Word HighWord(WideWord x) { return LowWord(x >> 32); }
Word RotatedLeft(Word word, int bits) { return (word << bits) | (word >> (32 - bits)); }

std::array<Word, 4> PhiloxBlock(WideWord key, WideWord low, WideWord high) {
  Word k0 = LowWord(key), k1 = HighWord(key);
  std::array<Word, 4> c = {LowWord(low), HighWord(low), LowWord(high), HighWord(high)};
  for (int round = 0; round < 10; ++round) {
    const WideWord p0 = Wide(c[0]) * uint64_t{0xD2511F53}, p1 = Wide(c[2]) * uint64_t{0xCD9E8D57};
    c = {HighWord(p1) ^ c[1] ^ k0, LowWord(p1), HighWord(p0) ^ c[3] ^ k1, LowWord(p0)};
    k0 = k0 + 0x9E3779B9u;
    k1 = k1 + 0xBB67AE85u;
  }
  return c;
}

std::array<Word, 2> ThreeFryBlock(WideWord key, WideWord counter) {
  constexpr int kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const Word low = LowWord(key), high = HighWord(key);
  const Word keys[] = {low, high, (low ^ high) ^ 0x1BD11BDAu};
  Word a = LowWord(counter) + keys[0], b = HighWord(counter) + keys[1];
  for (uint32_t group = 0; group < 5; ++group) {
    for (const int bits : kRotations[group % 2]) {
      a = a + b;
      b = RotatedLeft(b, bits) ^ a;
    }
    a = a + keys[(group + 1) % 3];
    b = b + keys[(group + 2) % 3] + (group + 1);
  }
  return {a, b};
}

class RandomBitsCode {
 public:
  RandomBitsCode(const Operation& operation, const Shape& shape, KernelCode* code)
      : operation_(operation),
        shape_(shape),
        width_(BytesOf(shape.element_type())),
        code_(*code),
        one_(code->one()),
        writer_(code->writer()) {}

  /// Parameters are the state, the next state if there is one, and the bits.
  void Write(bool has_state) {
    const Shape& state = operation_.call->operand(0);
    const auto algorithm = static_cast<RngAlgorithm>(operation_.call->Word("algorithm"));
    const bool is_three_fry = algorithm == RngAlgorithm::kDefault
                                  ? state.dim(0) == 2
                                  : algorithm == RngAlgorithm::kThreeFry;
    const bool has_high = !is_three_fry && state.dim(0) > 2;
    key_ = LoadWide(0);
    low_ = Variable(LoadWide(1));
    // A short state of Philox repeats the key in the counter.
    high_ = Variable(LoadWide(has_high ? 2 : 0));
    to_ = code_.Sum(has_state ? 2 : 1, 0);
    if (shape_.element_count() > 0) {
      if (!is_three_fry) {
        FillByPhilox();
      } else if (width_ == 8) {
        FillByThreeFry();
      } else {
        FillPairsByThreeFry();
      }
    }
    if (!has_state) return;
    const StridedView all{{state.dim(0)}, {1}, 0};
    code_.CopyView(0, all, 1, all, sizeof(uint64_t));
    StoreWide(1, low_, sizeof(uint64_t));
    if (has_high) StoreWide(1, high_, 2 * sizeof(uint64_t));
  }

 private:
  WideWord LoadWide(uint32_t number) {
    const WideWord word{&one_, one_.New(LaneKind::kI64)};
    writer_.Get(0);
    writer_.Memory(Code::kI64Load, number * uint32_t{sizeof(uint64_t)});
    writer_.Set(word.value.local);
    return word;
  }
  WideWord Variable(WideWord start) {
    const WideWord variable{&one_, one_.New(LaneKind::kI64)};
    one_.Assign(variable.value, start.value);
    return variable;
  }
  void StoreWide(uint32_t address, WideWord word, uint32_t offset) {
    writer_.Get(address);
    writer_.Get(word.value.local);
    writer_.Memory(Code::kI64Store, offset);
  }
  /// The low bits of a word, as an element of up to four bytes so many bytes further.
  void StoreWord(Word word, int64_t offset) {
    LaneValue value = word.value;
    if (BitsOf(shape_.element_type()) < 8) value = one_.Wrap(value, shape_.element_type());
    writer_.Get(to_);
    writer_.Get(value.local);
    writer_.Memory(width_ == 1   ? Code::kI32Store8
                   : width_ == 2 ? Code::kI32Store16
                                 : Code::kI32Store,
                   static_cast<uint32_t>(offset));
  }

  void CountOn() {
    one_.Assign(low_.value, (low_ + uint64_t{1}).value);
    const lanes::Lane<bool> carries = low_ == uint64_t{0};
    one_.Assign(high_.value, Select(carries, high_ + uint64_t{1}, high_).value);
  }

  void FillByPhilox() {
    const int64_t width = std::min(width_, 4);
    const int64_t words = shape_.element_count() * width_ / width;
    const auto block = [&](int64_t count) {
      const std::array<Word, 4> bits = PhiloxBlock(key_, low_, high_);
      for (int64_t i = 0; i < count; ++i) StoreWord(bits[static_cast<size_t>(i)], i * width);
      code_.Advance(to_, count * width);
      CountOn();
    };
    if (words / 4 > 0) code_.Repeat(words / 4, [&] { block(4); });
    if (words % 4 != 0) block(words % 4);
  }

  void FillByThreeFry() {
    code_.Repeat(shape_.element_count(), [&] {
      const auto [first, second] = ThreeFryBlock(key_, low_);
      StoreWide(to_, (Wide(second) << 32) | Wide(first), 0);
      code_.Advance(to_, width_);
      CountOn();
    });
  }

  /// A block for two elements.
  void FillPairsByThreeFry() {
    const RandomPairs pairs(shape_.dims());
    const int64_t row = pairs.inner * width_;
    const auto line = [&](bool has_second) {
      code_.Repeat(pairs.inner, [&] {
        const auto [first, second] = ThreeFryBlock(key_, low_);
        StoreWord(first, 0);
        if (has_second) StoreWord(second, row);
        code_.Advance(to_, width_);
        CountOn();
      });
      if (has_second) code_.Advance(to_, row);
    };
    code_.Repeat(pairs.outer, [&] {
      if (pairs.size / 2 > 0) code_.Repeat(pairs.size / 2, [&] { line(true); });
      if (pairs.size % 2 != 0) line(false);
    });
  }

  const Operation& operation_;
  const Shape& shape_;
  const int width_;
  KernelCode& code_;
  LaneCode& one_;
  FunctionWriter& writer_;
  WideWord key_ = {}, low_ = {}, high_ = {};
  uint32_t to_ = 0;
};

}  // namespace

bool WriteRandomBits(const Operation& operation, Emitter* emitter) {
  if (operation.instruction->opcode() != Opcode::kRngBitGenerator) return false;
  const OpCall& call = *operation.call;
  const bool has_state = call.shape().IsTuple();
  const Shape& shape = has_state ? call.shape().elements()[1] : call.shape();
  const Shape& state = call.operand(0);
  const ElementType type = shape.element_type();
  if (state.element_type() != ElementType::kU64 || state.rank() != 1 || state.dim(0) < 2) {
    return false;
  }
  if (type == ElementType::kPred || IsComplex(type)) return false;
  if (BitsOf(type) < 8 && !IsIntegral(type)) return false;
  KernelCode code(has_state ? 3 : 2);
  RandomBitsCode(operation, shape, &code).Write(has_state);
  return emitter->Call(&code, operation.operands, operation.results);
}

}  // namespace hlo
