// The algebra that the functions of engine/lanes are written in, on values of C++. The same
// functions are templates over their type of number: generated code has numbers of its own
// (engine/codegen/lane.h), on which the operations of this file write instructions. What C++ has
// operators for (arithmetic, comparisons, bits) is an operator in both.
#ifndef HLO_ENGINE_LANES_ALGEBRA_H_
#define HLO_ENGINE_LANES_ALGEBRA_H_

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>

/// Compilers would rather call these than make vectors of them. The functions without it are rare.
#define HLO_LANE [[gnu::always_inline]]

namespace hlo::lanes {

HLO_LANE inline uint32_t BitsOf(float x) { return __builtin_bit_cast(uint32_t, x); }
HLO_LANE inline uint64_t BitsOf(double x) { return __builtin_bit_cast(uint64_t, x); }
HLO_LANE inline float FromBits(uint32_t bits) { return __builtin_bit_cast(float, bits); }
HLO_LANE inline double FromBits(uint64_t bits) { return __builtin_bit_cast(double, bits); }
HLO_LANE inline uint32_t AsUnsigned(int32_t x) { return static_cast<uint32_t>(x); }
HLO_LANE inline int32_t AsSigned(uint32_t x) { return static_cast<int32_t>(x); }

HLO_LANE inline double Widened(float x) { return x; }
HLO_LANE inline float Narrowed(double x) { return static_cast<float>(x); }

/// Numbers below 2^63.
HLO_LANE inline double AsDouble(uint64_t x) { return static_cast<double>(x); }
/// By fewer than 64 bits.
HLO_LANE inline uint64_t ShiftedLeft(uint64_t x, uint64_t bits) { return x << bits; }
HLO_LANE inline uint64_t ShiftedRight(uint64_t x, uint64_t bits) { return x >> bits; }
/// Of a number that is not 0.
HLO_LANE inline uint64_t LeadingZeros(uint64_t x) {
  return static_cast<uint64_t>(__builtin_clzll(x));
}

// By bits: Clang makes no vectors of a loop that calls fabs of f32.
HLO_LANE inline float Abs(float x) { return FromBits(BitsOf(x) & 0x7fffffffu); }
HLO_LANE inline double Abs(double x) { return std::fabs(x); }
HLO_LANE inline float Sqrt(float x) { return std::sqrt(x); }
HLO_LANE inline double Sqrt(double x) { return std::sqrt(x); }

/// The smaller and the larger one; `x` if either is NaN.
HLO_LANE inline float Min(float x, float y) { return y < x ? y : x; }
HLO_LANE inline double Min(double x, double y) { return y < x ? y : x; }
HLO_LANE inline float Max(float x, float y) { return x < y ? y : x; }
HLO_LANE inline double Max(double x, double y) { return x < y ? y : x; }

/// A number of less than 2^22 rounded to the nearest integer, and with a number added that leaves
/// that integer in the low bits.
inline constexpr float kFloatRounder = 0x1.8p23f;
template <typename F>
struct RoundedParts {
  F whole, shifted;
};
HLO_LANE inline RoundedParts<float> Rounded(float x) {
  const float shifted = x + kFloatRounder;
  return {shifted - kFloatRounder, shifted};
}

/// An f32, or several of them that have these operations: what functions of f32 are templates over.
template <typename F>
concept SingleNumber = requires(F x) {
  { Narrowed(Widened(x)) } -> std::same_as<F>;
};

/// `on_true` where the condition holds.
template <typename T>
HLO_LANE inline T Select(bool condition, T on_true, T on_false) {
  return condition ? on_true : on_false;
}

// ---- Of an f64, or of one lane of them ----------------------------------------------------------

/// A number beside another one.
HLO_LANE inline double Like(double, double number) { return number; }
HLO_LANE inline double Floor(double x) { return std::floor(x); }
HLO_LANE inline double CopySign(double size, double sign) { return std::copysign(size, sign); }
HLO_LANE inline bool HasSign(double x) { return std::signbit(x); }
/// A whole number, and back.
HLO_LANE inline int64_t AsInteger(double x) { return static_cast<int64_t>(x); }
HLO_LANE inline double AsDouble(int64_t x) { return static_cast<double>(x); }
HLO_LANE inline uint64_t AsUnsigned(int64_t x) { return static_cast<uint64_t>(x); }
HLO_LANE inline int64_t AsSigned(uint64_t x) { return static_cast<int64_t>(x); }
/// The e of 2^e <= |x| < 2^(e + 1); of a finite number that is not 0.
inline int64_t ExponentOf(double x) { return std::ilogb(x); }
/// x 2^exponent, rounded once.
inline double Shifted(double x, int64_t exponent) {
  return std::ldexp(x, static_cast<int>(exponent));
}
/// An element of a table.
template <typename T, size_t N>
HLO_LANE inline T ElementOf(const std::array<T, N>& table, uint64_t index) {
  return table[index];
}
/// What one of two functions computes, which is not called otherwise.
template <typename OnTrue, typename OnFalse>
HLO_LANE inline auto Either(bool condition, OnTrue on_true, OnFalse on_false) {
  return condition ? on_true() : on_false();
}

}  // namespace hlo::lanes

#endif  // HLO_ENGINE_LANES_ALGEBRA_H_
