// Source: S. Boldo, G. Melquiond, Emulation of a FMA and correctly rounded sums: proved algorithms
// using rounding to odd, IEEE Transactions on Computers 57(4), 2008.
#include "engine/standalone/multiply_add.h"

#include <limits>

#include "engine/lanes/f64_angles.h"
#include "engine/standalone/number_digits.h"

namespace hlo {
namespace {

using lanes::Lane;
using Bits = Lane<uint64_t>;

// ---- f32 ----------------------------------------------------------------------------------------

/// Products of f32 are exact in f64. The sum is rounded to odd: of the two numbers around it,
/// unless it is one, that whose last bit is set. From there rounding to f32 goes where rounding the
/// exact sum would, since f64 has more than two bits more.
LaneValue SoftwareStep(LaneValue sum, LaneValue a, LaneValue b, LaneCode* code) {
  const auto wide = [&](LaneValue x) { return Widened(Lane<float>{code, x}); };
  const Lane<double> product = wide(a) * wide(b), addend = wide(sum), nearest = product + addend;
  // What rounding took away; NaN where the sum is infinite.
  const Lane<double> of_addend = nearest - product;
  const Lane<double> error = (product - (nearest - of_addend)) + (addend - of_addend);
  const Bits bits = BitsOf(nearest), is_even = (bits & uint64_t{1}) ^ uint64_t { 1 };
  const Bits is_inward = (BitsOf(error) ^ bits) >> 63;
  const Bits odd = bits + (is_even - ((is_even & is_inward) << 1));
  const Lane<bool> is_inexact = (error < 0.0) | (error > 0.0);
  return Narrowed(FromBits(Select(is_inexact, odd, bits))).value;
}

// ---- f64 ----------------------------------------------------------------------------------------

/// A number of 128 bits, times a power of two.
struct Wide {
  Bits high, low;
  Lane<int64_t> exponent;
};

Wide Chosen(const Lane<bool>& first, const Wide& a, const Wide& b) {
  return {Select(first, a.high, b.high), Select(first, a.low, b.low),
          Select(first, a.exponent, b.exponent)};
}

Bits OneIf(const Lane<bool>& condition, const Bits& like) {
  return Select(condition, like.Number(1), like.Number(0));
}

/// By fewer than 64 bits to the right; what is lost sets the last bit.
Wide MovedRight(const Wide& x, const Bits& bits) {
  // In two steps, since a shift by 64 is one by 0.
  const Bits back = bits ^ uint64_t { 63 };
  const Bits lost = ShiftedLeft(x.low << 1, back), carried = ShiftedLeft(x.high << 1, back);
  // Of no bits nothing is lost.
  return {ShiftedRight(x.high, bits),
          ShiftedRight(x.low, bits) | carried | OneIf(lost != uint64_t{0}, bits), x.exponent};
}

/// The same number with another, larger exponent.
Wide Aligned(const Wide& x, const Lane<int64_t>& exponent) {
  const Lane<int64_t> distance = exponent - x.exponent;
  const Bits zero = x.low.Number(0);
  // By a whole word first; what is further away is less than the last bit.
  const Bits sticky = OneIf(x.low != uint64_t{0}, x.low);
  const Lane<bool> is_far = distance >= int64_t{64}, is_gone = distance >= int64_t{128};
  const Wide word = {Select(is_far, zero, x.high), Select(is_far, x.high | sticky, x.low),
                     exponent};
  const Wide moved = MovedRight(word, AsUnsigned(distance) & uint64_t{63});
  return {Select(is_gone, zero, moved.high), Select(is_gone, zero.Number(1), moved.low), exponent};
}

/// The nearest f64, ties to even, of a number that is not 0, without its sign.
Number Nearest(const Wide& x) {
  const Lane<bool> is_low = x.high == uint64_t{0};
  const Bits first = Select(is_low, x.low, x.high), second = Select(is_low, x.low.Number(0), x.low);
  const Bits zeros = LeadingZeros(first);
  const Bits rest = ShiftedRight(second >> 1, zeros ^ uint64_t{63});
  const Bits lost = ShiftedLeft(second, zeros);
  // 62 bits and one that says whether there are more.
  Bits digits = ShiftedLeft(first, zeros) | rest;
  digits = (digits >> 1) | (digits & uint64_t{1}) | OneIf(lost != uint64_t{0}, lost);
  const Lane<int64_t> exponent =
      Select(is_low, x.exponent, x.exponent + int64_t{64}) - AsSigned(zeros) + int64_t{1};
  // The last digit of subnormals is that of 2^-1074.
  const Lane<int64_t> least = int64_t{-1074} - exponent;
  const Lane<int64_t> dropped = Select(least > int64_t{10}, least, int64_t{10});
  const Lane<bool> is_tiny = dropped > int64_t{63};
  digits = Select(is_tiny, digits.Number(1), digits);
  const Bits bits = AsUnsigned(Select(is_tiny, int64_t{63}, dropped));
  const Bits kept = ShiftedRight(digits, bits);
  const Bits left = digits - ShiftedLeft(kept, bits);
  const Bits half = ShiftedLeft(digits.Number(1), bits - uint64_t{1});
  const Lane<bool> is_up = (left > half) | ((left == half) & ((kept & uint64_t{1}) != uint64_t{0}));
  const Bits rounded = kept + OneIf(is_up, kept);
  // The first digit counts as one of the exponent's; a carry goes there, too.
  const Lane<int64_t> field = exponent + int64_t{1084};
  const Bits base = AsUnsigned(Select(field > int64_t{0}, field, int64_t{0})) << 52;
  return Select(field > int64_t{2045}, std::numeric_limits<double>::infinity(),
                FromBits(base + rounded));
}

Number ExactSum(const Number& a, const Number& b, const Number& c) {
  const Digits x = DigitsOf(Abs(a)), y = DigitsOf(Abs(b)), z = DigitsOf(Abs(c));
  constexpr int64_t kUnit = -1075;
  // Both with their first digit among the bits 124 and 125, and zeros below, so that a bit that
  // stands for what is lost is never in doubt.
  const auto [high, low] = f64::Multiplied(x.digits, y.digits);
  const Wide product = {(high << 20) | (low >> 44), low << 20,
                        x.exponent + y.exponent + (2 * kUnit - 20)};
  const Wide addend = {z.digits << 8, z.digits.Number(0), z.exponent + (kUnit - 72)};
  const Lane<bool> is_product = product.exponent > addend.exponent;
  const Wide larger = Chosen(is_product, product, addend);
  const Wide smaller = Aligned(Chosen(is_product, addend, product), larger.exponent);
  const Bits product_sign = (BitsOf(a) ^ BitsOf(b)) >> 63, sign = BitsOf(c) >> 63;
  const Bits larger_sign = Select(is_product, product_sign, sign);
  const Bits flip = sign.Number(0) - (product_sign ^ sign);
  // One minus the other is one plus the other's complement and 1.
  const Bits other_low = (smaller.low ^ flip) - flip;
  const Bits borrow = flip & OneIf(smaller.low != uint64_t{0}, flip);
  const Bits other_high = (smaller.high ^ flip) - flip - borrow;
  Bits sum_low = larger.low + other_low;
  Bits sum_high = larger.high + other_high + OneIf(sum_low < other_low, sum_low);
  const Bits is_below = sum_high >> 63, turn = is_below.Number(0) - is_below;
  sum_low = (sum_low ^ turn) - turn;
  sum_high = (sum_high ^ turn) + (is_below & OneIf(sum_low == uint64_t{0}, turn));
  const Lane<bool> is_zero = (sum_low | sum_high) == uint64_t{0};
  const Number size = Nearest({sum_high, sum_low, larger.exponent});
  const Number result = FromBits(BitsOf(size) | ((larger_sign ^ is_below) << 63));
  return Select(is_zero, 0.0, result);
}

}  // namespace

Number FusedMultiplyAdd(Number a, Number b, Number c) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Number product = a * b;
  const Lane<bool> has_finite = (Abs(a) < kInfinity) & (Abs(b) < kInfinity);
  const Lane<bool> is_finite = Abs(c) < kInfinity, has_product = (a != 0.0) & (b != 0.0);
  const auto plain = [&] {
    // A product alone is rounded once; its sign is right even where it becomes 0.
    const Number sum = Select(has_product & (c == 0.0), product, product + c);
    // It is finite even where it is rounded to infinity here.
    return Select(has_finite & !is_finite, c, sum);
  };
  const Lane<bool> is_usual = has_finite & is_finite & has_product & (c != 0.0);
  return Either(
      is_usual, [&] { return ExactSum(a, b, c); }, plain);
}

LaneValue AddedProduct(LaneValue sum, LaneValue a, LaneValue b, ProductStep step, LaneCode* code) {
  const bool is_float = sum.kind == LaneKind::kF32 || sum.kind == LaneKind::kF64;
  if (!is_float || step == ProductStep::kSeparate) {
    return code->Binary(LaneOp::kAdd, sum, code->Binary(LaneOp::kMultiply, a, b));
  }
  if (step == ProductStep::kFused) return code->RelaxedMultiplyAdd(a, b, sum);
  if (sum.kind == LaneKind::kF32) return SoftwareStep(sum, a, b, code);
  const LaneValue args[] = {a, b, sum};
  return code->ByLane(LaneKind::kF64, args, [&](LaneCode* one, std::span<const LaneValue> lane) {
    LaneValue result;
    CallScalar(kFusedMultiplyAdd, lane, {&result, 1}, one);
    return result;
  });
}

CodeBytes WriteFusionTrial() {
  FunctionWriter writer(0);
  LaneCode one(&writer, 1);
  // (1 + e)^2 - (1 + 2 e) is e^2, which two roundings lose.
  const auto is_fused = [&](LaneKind kind, double e) {
    const LaneValue factor = one.Constant(kind, 1 + e);
    const LaneValue rest = one.RelaxedMultiplyAdd(factor, factor, one.Constant(kind, -(1 + 2 * e)));
    return one.Binary(LaneOp::kEq, rest, one.Constant(kind, e * e));
  };
  writer.Get(
      one.Binary(LaneOp::kAnd, is_fused(LaneKind::kF32, 0x1p-20), is_fused(LaneKind::kF64, 0x1p-40))
          .local);
  return writer.Finish();
}

}  // namespace hlo
