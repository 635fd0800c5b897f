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
