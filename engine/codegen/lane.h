// Numbers of generated code: the algebra of engine/lanes (algebra.h) on values whose operations
// write instructions, so that its functions write code.
#ifndef HLO_ENGINE_CODEGEN_LANE_H_
#define HLO_ENGINE_CODEGEN_LANE_H_

#include <cstdint>
#include <type_traits>

#include "engine/base/bits.h"
#include "engine/codegen/lane_code.h"
#include "engine/lanes/algebra.h"

namespace hlo::lanes {

template <typename T>
inline constexpr LaneKind kLaneKind = std::is_same_v<T, float>    ? LaneKind::kF32
                                      : std::is_same_v<T, double> ? LaneKind::kF64
                                      : std::is_same_v<T, bool>   ? LaneKind::kPred
                                      : sizeof(T) == 8            ? LaneKind::kI64
                                                                  : LaneKind::kI32;

/// The lanes of a T: f32, f64, integers of 32 and 64 bits, bool.
template <typename T>
struct Lane {
  LaneCode* code;
  LaneValue value;

  /// The same number in all lanes.
  Lane Number(T number) const {
    if constexpr (sizeof(T) == 8) {
      return {code, code->ConstantOfBits(kLaneKind<T>, BitCast<uint64_t>(number))};
    } else {
      return {code, code->ConstantOfBits(kLaneKind<T>, BitCast<uint32_t>(number))};
    }
  }
};

/// A number of C++ beside a Lane<T>.
template <typename T>
using NumberOf = std::type_identity_t<T>;

/// The operation on a T.
template <typename T>
LaneOp OpFor(LaneOp op) {
  return std::is_unsigned_v<T> ? UnsignedOf(op) : op;
}

#define HLO_LANE_OPERATOR(symbol, op, Result)                                \
  template <typename T>                                                      \
  Lane<Result> operator symbol(Lane<T> a, Lane<T> b) {                       \
    return {a.code, a.code->Binary(OpFor<T>(LaneOp::op), a.value, b.value)}; \
  }                                                                          \
  template <typename T>                                                      \
  Lane<Result> operator symbol(Lane<T> a, NumberOf<T> b) {                   \
    return a symbol a.Number(b);                                             \
  }                                                                          \
  template <typename T>                                                      \
  Lane<Result> operator symbol(NumberOf<T> a, Lane<T> b) {                   \
    return b.Number(a) symbol b;                                             \
  }

HLO_LANE_OPERATOR(+, kAdd, T)
HLO_LANE_OPERATOR(-, kSubtract, T)
HLO_LANE_OPERATOR(*, kMultiply, T)
HLO_LANE_OPERATOR(/, kDivide, T)
HLO_LANE_OPERATOR(&, kAnd, T)
HLO_LANE_OPERATOR(|, kOr, T)
HLO_LANE_OPERATOR(^, kXor, T)
HLO_LANE_OPERATOR(==, kEq, bool)
HLO_LANE_OPERATOR(!=, kNe, bool)
HLO_LANE_OPERATOR(>=, kGe, bool)
HLO_LANE_OPERATOR(>, kGt, bool)
HLO_LANE_OPERATOR(<=, kLe, bool)
HLO_LANE_OPERATOR(<, kLt, bool)
#undef HLO_LANE_OPERATOR

template <typename T>
Lane<T> operator-(Lane<T> a) {
  return {a.code, a.code->Unary(LaneOp::kNegate, a.value)};
}
/// Both are computed, as of any other operator.
inline Lane<bool> operator&&(Lane<bool> a, Lane<bool> b) { return a & b; }
inline Lane<bool> operator||(Lane<bool> a, Lane<bool> b) { return a | b; }
inline Lane<bool> operator!(Lane<bool> a) { return {a.code, a.code->Not(a.value)}; }
template <typename T>
Lane<T> operator<<(Lane<T> a, int amount) {
  return {a.code, a.code->ShiftBy(LaneOp::kShiftLeft, a.value, amount)};
}
template <typename T>
Lane<T> operator>>(Lane<T> a, int amount) {
  return {a.code, a.code->ShiftBy(OpFor<T>(LaneOp::kShiftRight), a.value, amount)};
}

template <typename To, typename T>
Lane<To> Reinterpreted(Lane<T> a) {
  return {a.code, a.code->Reinterpret(a.value, kLaneKind<To>)};
}
inline Lane<uint32_t> BitsOf(Lane<float> a) { return Reinterpreted<uint32_t>(a); }
inline Lane<uint64_t> BitsOf(Lane<double> a) { return Reinterpreted<uint64_t>(a); }
inline Lane<float> FromBits(Lane<uint32_t> a) { return Reinterpreted<float>(a); }
inline Lane<double> FromBits(Lane<uint64_t> a) { return Reinterpreted<double>(a); }
inline Lane<uint32_t> AsUnsigned(Lane<int32_t> a) { return {a.code, a.value}; }
inline Lane<int32_t> AsSigned(Lane<uint32_t> a) { return {a.code, a.value}; }

inline Lane<double> Widened(Lane<float> a) {
  return {a.code, a.code->Convert(a.value, LaneKind::kF64, false)};
}
inline Lane<float> Narrowed(Lane<double> a) {
  return {a.code, a.code->Convert(a.value, LaneKind::kF32, false)};
}

// In one lane only.
inline Lane<double> AsDouble(Lane<uint64_t> a) {
  return {a.code, a.code->Convert(a.value, LaneKind::kF64, false)};
}
inline Lane<uint64_t> ShiftedLeft(Lane<uint64_t> a, Lane<uint64_t> bits) {
  return {a.code, a.code->Binary(LaneOp::kShiftLeft, a.value, bits.value)};
}
inline Lane<uint64_t> ShiftedRight(Lane<uint64_t> a, Lane<uint64_t> bits) {
  return {a.code, a.code->Binary(LaneOp::kShiftRightU, a.value, bits.value)};
}
inline Lane<uint64_t> LeadingZeros(Lane<uint64_t> a) {
  return {a.code, a.code->Unary(LaneOp::kCountLeadingZeros, a.value)};
}

template <typename T>
Lane<T> Abs(Lane<T> a) {
  return {a.code, a.code->Unary(LaneOp::kAbs, a.value)};
}
template <typename T>
Lane<T> Sqrt(Lane<T> a) {
  return {a.code, a.code->Unary(LaneOp::kSqrt, a.value)};
}

inline RoundedParts<Lane<float>> Rounded(Lane<float> a) {
  const Lane<float> whole = {a.code, a.code->Unary(LaneOp::kNearest, a.value)};
  return {whole, whole + kFloatRounder};
}

template <typename T>
Lane<T> Select(Lane<bool> condition, Lane<T> on_true, Lane<T> on_false) {
  return {condition.code, condition.code->Select(condition.value, on_true.value, on_false.value)};
}
template <typename T>
Lane<T> Select(Lane<bool> condition, NumberOf<T> on_true, Lane<T> on_false) {
  return Select(condition, on_false.Number(on_true), on_false);
}
template <typename T>
Lane<T> Select(Lane<bool> condition, Lane<T> on_true, NumberOf<T> on_false) {
  return Select(condition, on_true, on_true.Number(on_false));
}
template <typename T>
requires std::is_arithmetic_v<T> Lane<T> Select(Lane<bool> condition, T on_true, T on_false) {
  const Lane<T> number = Lane<T>{condition.code, {}}.Number(on_true);
  return Select(condition, number, on_false);
}

// ---- Of one lane --------------------------------------------------------------------------------

inline Lane<double> Like(Lane<double> x, double number) { return x.Number(number); }
inline Lane<double> Floor(Lane<double> a) {
  return {a.code, a.code->Unary(LaneOp::kFloor, a.value)};
}
inline Lane<bool> HasSign(Lane<double> x) { return (BitsOf(x) >> 63) != uint64_t{0}; }
inline Lane<double> CopySign(Lane<double> size, Lane<double> sign) {
  constexpr uint64_t kSign = uint64_t{1} << 63;
  return FromBits((BitsOf(size) & ~kSign) | (BitsOf(sign) & kSign));
}
inline Lane<int64_t> AsInteger(Lane<double> a) {
  return {a.code, a.code->Convert(a.value, LaneKind::kI64, false)};
}
inline Lane<double> AsDouble(Lane<int64_t> a) {
  return {a.code, a.code->Convert(a.value, LaneKind::kF64, false)};
}
inline Lane<uint64_t> AsUnsigned(Lane<int64_t> a) { return {a.code, a.value}; }
inline Lane<int64_t> AsSigned(Lane<uint64_t> a) { return {a.code, a.value}; }
inline Lane<int64_t> ExponentOf(Lane<double> x) {
  constexpr int64_t kBias = 1023, kDigits = 54;
  const Lane<bool> is_small = Abs(x) < 0x1p-1022;
  const Lane<double> normal = Select(is_small, x * 0x1p54, x);
  const Lane<int64_t> exponent = AsSigned((BitsOf(normal) << 1) >> 53) - kBias;
  return Select(is_small, exponent - kDigits, exponent);
}
/// Large steps first, of which none ends among the subnormals but the last one.
inline Lane<double> Shifted(Lane<double> x, Lane<int64_t> exponent) {
  constexpr int64_t kUp = 1023, kDown = 1022 - 53;
  Lane<double> y = x;
  Lane<int64_t> rest = exponent;
  for (int step = 0; step < 2; ++step) {
    const Lane<bool> is_high = rest > kUp, is_low = rest < -1022;
    y = Select(is_high, y * 0x1p1023, Select(is_low, y * 0x1p-969, y));
    rest = Select(is_high, rest - kUp, Select(is_low, rest + kDown, rest));
  }
  rest = Select(rest > kUp, kUp, Select(rest < -1022, int64_t{-1022}, rest));
  return y * FromBits(AsUnsigned(rest + kUp) << 52);
}
inline Lane<double> Shifted(Lane<double> x, int64_t exponent) {
  return Shifted(x, Lane<int64_t>{x.code, {}}.Number(exponent));
}
template <typename T>
inline constexpr bool kIsLane = false;
template <typename T>
inline constexpr bool kIsLane<Lane<T>> = true;

/// Locals for a number, or for a pair of what has locals.
template <typename T>
void MakeLocals(LaneCode* code, Lane<T>* to) {
  *to = {code, code->New(kLaneKind<T>)};
}
template <typename T>
void SetLocals(const Lane<T>& to, const Lane<T>& from) {
  to.code->Assign(to.value, from.value);
}
template <typename P>
requires(!kIsLane<P>) void MakeLocals(LaneCode* code, P* to) {
  auto& [first, second] = *to;
  MakeLocals(code, &first);
  MakeLocals(code, &second);
}
template <typename P>
requires(!kIsLane<P>) void SetLocals(const P& to, const P& from) {
  const auto& [first, second] = to;
  const auto& [from_first, from_second] = from;
  SetLocals(first, from_first);
  SetLocals(second, from_second);
}

template <typename OnTrue, typename OnFalse>
auto Either(Lane<bool> condition, OnTrue on_true, OnFalse on_false) {
  LaneCode* const code = condition.code;
  decltype(on_true()) result;
  MakeLocals(code, &result);
  code->PushAny(condition.value);
  code->writer().Open(Code::kIf);
  SetLocals(result, on_true());
  code->writer().Write(Code::kElse);
  SetLocals(result, on_false());
  code->writer().Write(Code::kEnd);
  return result;
}

template <typename T>
Lane<T> Min(Lane<T> x, NumberOf<T> y) {
  const Lane<T> other = x.Number(y);
  if (!x.code->is_vector()) return Select(other < x, other, x);
  return {x.code, x.code->Binary(LaneOp::kPmin, x.value, other.value)};
}
template <typename T>
Lane<T> Max(Lane<T> x, NumberOf<T> y) {
  const Lane<T> other = x.Number(y);
  if (!x.code->is_vector()) return Select(x < other, other, x);
  return {x.code, x.code->Binary(LaneOp::kPmax, x.value, other.value)};
}

}  // namespace hlo::lanes

#endif  // HLO_ENGINE_CODEGEN_LANE_H_
