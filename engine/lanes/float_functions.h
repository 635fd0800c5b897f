// Functions of an f32, computed in f64 without a branch, a table or a call, so that a compiler
// makes vectors of them: the same bits natively and as Wasm, since only IEEE operations are used
// (and none of them may be contracted to a fused multiply-add). Arguments are values of f32.
// Results are within 10^-11 of the exact ones, relatively: rounded to f32 they are the exact
// result's rounding, but for arguments whose result lies that close to the middle of two floats.
// NaN gives NaN.
//
// Polynomials are Chebyshev fits (mpmath, chebyfit); the comment beside each says its largest
// relative error.
#ifndef HLO_ENGINE_LANES_FLOAT_FUNCTIONS_H_
#define HLO_ENGINE_LANES_FLOAT_FUNCTIONS_H_

#include <cmath>
#include <cstdint>
#include <limits>

/// Compilers would rather call these than make vectors of them. The functions without it are rare.
#define HLO_LANE [[gnu::always_inline]]

namespace hlo::lanes {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kLn2 = 0.693147180559945309417;
inline constexpr double kHalfPi = 1.57079632679489661923;
/// Added to a number of less than 2^51 it leaves the nearest integer in the low bits.
inline constexpr double kRounder = 0x1.8p52;

HLO_LANE inline uint64_t BitsOf(double x) { return __builtin_bit_cast(uint64_t, x); }
HLO_LANE inline double FromBits(uint64_t bits) { return __builtin_bit_cast(double, bits); }

/// The number with the sign of another one.
HLO_LANE inline double WithSign(double x, double sign) {
  constexpr uint64_t kSign = uint64_t{1} << 63;
  return FromBits((BitsOf(x) & ~kSign) | (BitsOf(sign) & kSign));
}
/// b where the lowest bit is set, else a.
HLO_LANE inline double Choose(uint64_t bit, double a, double b) {
  const uint64_t mask = 0 - (bit & 1);
  return FromBits((BitsOf(a) & ~mask) | (BitsOf(b) & mask));
}

/// a[From] + a[From + 1] x + ... Not a loop: inside of a loop that would not become vectors.
template <int From = 0, int N>
HLO_LANE inline double Polynomial(const double (&a)[N], double x) {
  if constexpr (From == N - 1) {
    return a[From];
  } else {
    return Polynomial<From + 1>(a, x) * x + a[From];
  }
}

// ---- Exponentials -------------------------------------------------------------------------------

/// e^x = power * (1 + rest), with a power of two and |rest| < 0.42.
struct ExpParts {
  double power, rest;
};
HLO_LANE inline ExpParts SplitExp(double x) {
  constexpr double kMost = 120;  // beyond it f32 has infinity and 0
  // Of (e^r - 1) / r; 8e-14.
  constexpr double kRest[] = {1.0,
                              0.49999999999797772614,
                              0.16666666666648288149,
                              0.041666666891091695904,
                              0.0083333333537293971516,
                              0.0013888821650717690694,
                              0.00019841208732536383125,
                              0.000024876178959085512327,
                              2.762511557828762934e-6};
  x = x < -kMost ? -kMost : x;
  x = x > kMost ? kMost : x;
  const double rounded = x * (1 / kLn2) + kRounder;
  const double r = x - (rounded - kRounder) * kLn2;
  constexpr uint64_t kBias = 1023;
  return {FromBits((BitsOf(rounded) + kBias) << 52), r * Polynomial(kRest, r)};
}

HLO_LANE inline double Exponential(double x) {
  const ExpParts e = SplitExp(x);
  return e.power + e.power * e.rest;
}

HLO_LANE inline double ExponentialMinusOne(double x) {
  const ExpParts e = SplitExp(x);
  const double result = e.power * e.rest + (e.power - 1);
  return x == 0 ? x : result;
}

HLO_LANE inline double Logistic(double x) { return 1 / (1 + Exponential(-x)); }

HLO_LANE inline double Tanh(double x) {
  const double e = ExponentialMinusOne(2 * std::fabs(x));
  return WithSign(e / (e + 2), x);
}

inline double Sinh(double x) {
  const double e = ExponentialMinusOne(std::fabs(x));
  return WithSign(0.5 * (e + e / (e + 1)), x);
}

inline double Cosh(double x) {
  const double e = Exponential(std::fabs(x));
  return 0.5 * (e + 1 / e);
}

// ---- Logarithms ---------------------------------------------------------------------------------

/// Of a normal number above 0.
HLO_LANE inline double LogOfNormal(double x) {
  // Of atanh(s) / s in s^2, for numbers between the square roots of 1/2 and 2; 3e-14.
  constexpr double kAtanh[] = {0.99999999999997343312, 0.33333333339822477099,
                               0.19999997435489684896, 0.14286084207101691053,
                               0.11087075399026866687, 0.098047961825792028877};
  constexpr uint64_t kRootOfHalf = 0x3fe6a09e667f3bcd, kShift = 1024;
  const uint64_t exponent = (BitsOf(x) - kRootOfHalf + (kShift << 52)) >> 52;
  const double m = FromBits(BitsOf(x) - ((exponent - kShift) << 52));
  // An integer in the low bits of 2^52.
  const double k = FromBits(BitsOf(0x1p52) | exponent) - (0x1p52 + static_cast<double>(kShift));
  const double s = (m - 1) / (m + 1);
  return k * kLn2 + 2 * s * Polynomial(kAtanh, s * s);
}

inline double Log(double x) {
  const double result = x < kInfinity ? LogOfNormal(x) : x;
  return x > 0 ? result : x == 0 ? -kInfinity : kNaN;
}

/// Also of sums of f64: x is at least 2^-1022, or 0, in magnitude.
inline double LogPlusOne(double x) {
  const double sum = 1 + x;
  const double lost = (x - (sum - 1)) / sum;
  const double result = sum > 0 && x < kInfinity ? LogOfNormal(sum) + lost : Log(sum);
  return x == 0 ? x : result;
}

inline double Asinh(double x) {
  const double a = std::fabs(x);
  const double result = LogPlusOne(a + a * a / (1 + std::sqrt(1 + a * a)));
  return a < kInfinity ? WithSign(result, x) : x;
}

inline double Acosh(double x) {
  const double above = x - 1;
  const double result = LogPlusOne(above + std::sqrt(above * (above + 2)));
  return x >= 1 ? result : kNaN;
}

inline double Atanh(double x) {
  const double a = std::fabs(x);
  return a <= 1 ? WithSign(0.5 * LogPlusOne(2 * a / (1 - a)), x) : kNaN;
}

inline double Cbrt(double x) {
  const double a = std::fabs(x);
  const double result = WithSign(Exponential(LogOfNormal(a) * (1.0 / 3)), x);
  return a > 0 && a < kInfinity ? result : x;
}

/// x to the power of y, for finite x > 0 and finite y.
HLO_LANE inline double PowerOfPositive(double x, double y) {
  return Exponential(y * LogOfNormal(x));
}

// ---- Trigonometric functions --------------------------------------------------------------------

/// Angles up to here are reduced by parts of pi / 2.
inline constexpr double kLargestAngle = 0x1p20;

/// The angle less a multiple of pi / 2, and the lowest bits of that multiple.
struct Angle {
  double rest;
  uint64_t quadrant;
};
HLO_LANE inline Angle ReduceAngle(double x) {
  // pi / 2 in parts of 33, 33 and 53 bits, so that their multiples are exact.
  constexpr double kPart1 = 0x1.921fb544p+0, kPart2 = 0x1.0b4611a6p-34,
                   kPart3 = 0x1.3198a2e037073p-69;
  const double rounded = x * (1 / kHalfPi) + kRounder;
  const double n = rounded - kRounder;
  return {((x - n * kPart1) - n * kPart2) - n * kPart3, BitsOf(rounded)};
}
/// Also of infinities and NaN.
HLO_LANE inline bool IsLargeAngle(float x) { return !(std::fabs(x) <= kLargestAngle); }
/// The same for any f32: with as many bits of 2 / pi as it takes. The rest of an infinity is NaN.
Angle ReduceAnyAngle(float x);

HLO_LANE inline double SineOfRest(double r) {
  constexpr double kSine[] = {0.99999999999999571293,   -0.16666666666616635037,
                              0.0083333333238705991293, -0.00019841263294474436195,
                              2.7555271077319582586e-6, -2.4756499984297800763e-8};  // 4e-15
  return r * Polynomial(kSine, r * r);
}
HLO_LANE inline double CosineOfRest(double r) {
  constexpr double kCosine[] = {0.99999999999999995278,     -0.4999999999999924988,
                                0.041666666666472111691,    -0.0013888888869963557782,
                                0.000024801578533318056688, -2.755523305360796299e-7,
                                2.0630405385441118714e-9};  // 5e-17
  return Polynomial(kCosine, r * r);
}

HLO_LANE inline double Sine(Angle angle) {
  const double value = Choose(angle.quadrant, SineOfRest(angle.rest), CosineOfRest(angle.rest));
  return FromBits(BitsOf(value) ^ ((angle.quadrant & 2) << 62));
}
inline double Tan(double x) {
  const Angle angle = ReduceAnyAngle(static_cast<float>(x));
  const double sine = SineOfRest(angle.rest), cosine = CosineOfRest(angle.rest);
  return Choose(angle.quadrant, sine, -cosine) / Choose(angle.quadrant, cosine, sine);
}

inline double Atan(double x) {
  // Of atan(z) / z in z^2, up to tan(pi / 8); 3e-14.
  constexpr double kAtan[] = {
      0.99999999999997300659,  -0.33333333330784720332,  0.19999999602363222547,
      -0.14285690294890238233, 0.11110381840871641932,   -0.090783490785510367336,
      0.075633857856944791546, -0.058732884125488157963, 0.030643576430440983617};
  constexpr double kTanOfEighth = 0.41421356237309504880;
  const double a = std::fabs(x);
  const double y = a > 1 ? 1 / a : a;
  const double z = y > kTanOfEighth ? (y - 1) / (y + 1) : y;
  const double base = y > kTanOfEighth ? kHalfPi / 2 : 0;
  const double angle = base + z * Polynomial(kAtan, z * z);
  return WithSign(a > 1 ? kHalfPi - angle : angle, x);
}

inline double Asin(double x) { return Atan(x / std::sqrt((1 - x) * (1 + x))); }
inline double Acos(double x) { return 2 * Atan(std::sqrt((1 - x) / (1 + x))); }

// ---- The error function -------------------------------------------------------------------------

inline double Erf(double x) {
  // Of erf(x) / x in x^2, up to 1; 2e-14.
  constexpr double kSmall[] = {1.128379167095493825,      -0.37612638902808613566,
                               0.11283791658548712804,    -0.026866169050599323908,
                               0.0052239671935438997183,  -0.00085479337365196331564,
                               0.00012046261269779797407, -0.000014795031400662044644,
                               1.530637316364108433e-6,   -1.0469110332151208431e-7};
  // Of erfc(x) e^(x^2) in 1 / (1 + x / 2), from 1 to 4.2; 2e-14.
  constexpr double kLarge[] = {
      3.8637074899238844174e-6, 0.28200499735586650187,  0.28300906681303520006,
      0.24157713788977776092,   0.19421975345250611587,  0.052413564019035086499,
      -0.012222547228922980796, 0.13001482482271917699,  -0.52901764928674038568,
      0.59794327135979623307,   -0.29848193792416351679, 0.058545170269802638732};
  constexpr double kOne = 4;  // from here on f32 has 1
  double a = std::fabs(x);
  a = a > kOne ? kOne : a;
  const double square = a * a;
  const double large = 1 - Exponential(-square) * Polynomial(kLarge, 1 / (1 + 0.5 * a));
  return WithSign(a > 1 ? large : a * Polynomial(kSmall, square), x);
}

}  // namespace hlo::lanes

#undef HLO_LANE

#endif  // HLO_ENGINE_LANES_FLOAT_FUNCTIONS_H_
