// Functions of an f32 without a branch, a table or a call, so that a compiler makes vectors of them
// and generated code computes lanes side by side (algebra.h). Only IEEE operations are used, and
// none of them may be contracted to a fused multiply-add: the bits are the same everywhere.
//
// exp and tanh are computed in f32, within 1 ulp of the exact result (README.md). All others are
// computed in f64 from an argument that is an f32, within 2^-30 of the exact result, relatively:
// rounded to f32 they are within 0.52 ulp. Sine and cosine, which loops are made of, make do with
// 2^-27. NaN gives NaN. Angles beyond kLargestAngle are left to f64_functions.h.
//
// Polynomials are minimax fits with coefficients of the type (Sollya, fpminimax); the comment
// beside each says its largest relative error.
#ifndef HLO_ENGINE_LANES_FLOAT_FUNCTIONS_H_
#define HLO_ENGINE_LANES_FLOAT_FUNCTIONS_H_

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "engine/lanes/algebra.h"
#include "engine/lanes/f64_functions.h"

namespace hlo::lanes {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kLn2 = 0.693147180559945309417;
inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kHalfPi = kPi / 2;
/// Added to a number of less than 2^51 it leaves the nearest integer in the low bits.
inline constexpr double kRounder = 0x1.8p52;

/// The number with the sign of another one.
template <typename D>
HLO_LANE inline D WithSign(D x, D sign) {
  constexpr uint64_t kSign = uint64_t{1} << 63;
  return FromBits((BitsOf(x) & ~kSign) | (BitsOf(sign) & kSign));
}

/// Whether an f32 is NaN or larger than the limit, above 0, in magnitude: floats without a sign are
/// in the order of their bits.
template <typename F>
HLO_LANE inline auto IsBeyond(F x, float limit) {
  return AsSigned(BitsOf(Abs(x))) > AsSigned(BitsOf(limit));
}

/// a[From] + a[From + 1] x + ... Not a loop: inside of a loop that would not become vectors.
template <int From = 0, typename T, int N, typename X>
HLO_LANE inline X Polynomial(const T (&a)[N], X x) {
  if constexpr (From == N - 2) {
    return x * a[From + 1] + a[From];
  } else {
    return Polynomial<From + 1>(a, x) * x + a[From];
  }
}

/// |x + iy|, rounded once: squares of f32 are exact in f64, and neither over- nor underflow.
/// Infinite where either part is, even beside a NaN (C99, Annex F.9.4.3).
template <typename F>
HLO_LANE inline F Hypot(F x, F y) {
  const auto a = Widened(x), b = Widened(y);
  const F size = Narrowed(Sqrt(a * a + b * b));
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  return Select(Abs(x) == kInfinite, Abs(x), Select(Abs(y) == kInfinite, Abs(y), size));
}

// ---- Exponentials -------------------------------------------------------------------------------

/// e^x = mantissa 2^n, for x from -104 to 89. `rounded` is n, with a number added that leaves it in
/// the low bits.
template <typename F>
struct ExpParts {
  F mantissa, rounded;
};
template <typename F>
HLO_LANE inline ExpParts<F> SplitExp(F x) {
  constexpr float kLog2E = 1.44269504f;
  // ln 2 in parts, of which the first has 9 bits: multiples of it are exact.
  constexpr float kPart1 = 0x1.63p-1f, kPart2 = -0x1.bd0106p-13f;
  const auto [n, rounded] = Rounded(x * kLog2E);
  const F r = (x - n * kPart1) - n * kPart2;
  const F square = r * r;
  // Of (e^r - 1 - r) / r^2; 3.9e-9 of e^r. In pairs, which do not wait for one another.
  const F rest = (r * 0x1.555494p-3f + 0x1.fffffep-2f) +
                 square * ((r * 0x1.123b04p-7f + 0x1.555a7p-5f) + square * 0x1.6818a8p-10f);
  return {(r + square * rest) + 1.0f, rounded};
}

/// Of x from -87 to 87, where the result is a normal number: the power of two is added to its
/// exponent.
inline constexpr float kMostOfSmallExp = 87;
template <typename F>
HLO_LANE inline F SmallExponential(F x) {
  const ExpParts<F> e = SplitExp(x);
  return FromBits(BitsOf(e.mantissa) + (BitsOf(e.rounded) << 23));
}

/// Of any x; the same bits where the above is defined.
template <typename F>
HLO_LANE inline F Exponential(F x) {
  constexpr float kLeast = -104, kMost = 89;  // beyond them f32 has 0 and infinity
  const ExpParts<F> e = SplitExp(Min(Max(x, kLeast), kMost));
  // In two steps, each a normal number.
  constexpr uint32_t kRounderBits = 0x4b400000, kBias = 127;
  const auto n = BitsOf(e.rounded) - kRounderBits;
  const auto half = AsUnsigned(AsSigned(n) >> 1);
  const F result = e.mantissa * FromBits((half + kBias) << 23) * FromBits((n - half + kBias) << 23);
  return Select(x == x, result, x);
}
/// Whether it is not small.
template <typename F>
HLO_LANE inline auto IsLargeExponent(F x) {
  return IsBeyond(x, kMostOfSmallExp);
}

/// e^x = power (1 + rest), with a power of two and |rest| < 0.42.
template <typename D>
struct WideExpParts {
  D power, rest;
};
template <typename D>
HLO_LANE inline WideExpParts<D> SplitWideExp(D x) {
  // Of (e^r - 1) / r; 2^-32.
  constexpr double kRest[] = {1.00000000003120126379,   0.50000000466573013558,
                              0.16666666249279576111,   0.041666354426693315375,
                              0.0083334029029723223113, 0.0013941006847171758670,
                              0.00019841251648042214795};
  const D rounded = x * (1 / kLn2) + kRounder;
  const D r = x - (rounded - kRounder) * kLn2;
  constexpr uint64_t kBias = 1023;
  return {FromBits((BitsOf(rounded) + kBias) << 52), r * Polynomial(kRest, r)};
}
/// Beyond this f32 has infinity and 0.
template <typename D>
HLO_LANE inline D ClampedForExp(D x) {
  constexpr double kMost = 120;
  return Min(Max(x, -kMost), kMost);
}

template <typename D>
HLO_LANE inline D WideExponential(D x) {
  const WideExpParts<D> e = SplitWideExp(ClampedForExp(x));
  return e.power + e.power * e.rest;
}

template <typename D>
HLO_LANE inline D ExponentialMinusOne(D x) {
  const WideExpParts<D> e = SplitWideExp(ClampedForExp(x));
  const D result = e.power * e.rest + (e.power - 1.0);
  return Select(Abs(x) > 0.0, result, x);
}

template <typename D>
HLO_LANE inline D Logistic(D x) {
  return Select(x == x, 1.0 / (WideExponential(-x) + 1.0), x);
}

/// Of an argument from 0 to 0.862.
template <typename F>
HLO_LANE inline F SmallTanh(F x) {
  // Of (tanh(x) / x - 1) / x^2 in x^2; 1.0e-9 of tanh(x).
  constexpr float kTanh[] = {-0x1.55554ep-2f, 0x1.110fap-3f,  -0x1.b9d9e6p-5f, 0x1.6372e2p-6f,
                             -0x1.10efa4p-7f, 0x1.5b1cc4p-9f, -0x1.f8aa1ep-12f};
  const F u = x * x;
  return x + x * (u * Polynomial(kTanh, u));
}

/// Of an argument from 0.857: 1 - 2 / (e^2x + 1), where an error of the quotient is little beside
/// the result.
template <typename F>
HLO_LANE inline F LargeTanh(F x) {
  // From here on f32 has 1.
  constexpr float kOne = 10;
  // An integer n with kRounder added has the exponent of 2^n in its low bits. n is -2x / ln 2 less
  // 3%, rounded: where it matters e^2x 2^n is then from 3/4 to 3/2, so that what is added to 1 for
  // it is rounded the least. Up to n = 7 the product with this half of ln 2 is exact.
  constexpr float kRounder = 0x1.8p23f + 127, kScale = -2.792f, kHalfLn2 = 0x1.62e43p-2f;
  const F a = Min(x, kOne);
  const F rounded = a * kScale + kRounder;
  const F r = a + (rounded - kRounder) * kHalfLn2;
  const F square = r * r;
  // Of ((e^2r - 1) / 2 - r) / r^2; 4e-9 of e^2r.
  const F rest = (r * 0x1.5554c2p-1f + 0x1.00000ap0f) +
                 square * ((r * 0x1.11f498p-3f + 0x1.55415cp-2f) + square * 0x1.817e06p-5f);
  const F power = FromBits(BitsOf(rounded) << 23);
  return 1.0f - power / ((power * 0.5f + 0.5f) + (r + square * rest));
}

/// At 0.86 both ways are within 0.997 ulp; elsewhere they are closer.
template <typename F>
HLO_LANE inline F Tanh(F x) {
  const F a = Abs(x);
  const F result = Select(a < 0.86f, SmallTanh(a), LargeTanh(a));
  // The sign of a NaN that was computed is the compiler's choice.
  return FromBits(BitsOf(Abs(result)) | (BitsOf(x) ^ BitsOf(a)));
}

template <typename D>
HLO_LANE inline D Sinh(D x) {
  const D e = ExponentialMinusOne(Abs(x));
  return WithSign(0.5 * (e + e / (e + 1.0)), x);
}

template <typename D>
HLO_LANE inline D Cosh(D x) {
  const D e = WideExponential(Abs(x));
  return Select(x == x, 0.5 * (e + 1.0 / e), x);
}

// ---- Logarithms ---------------------------------------------------------------------------------

/// Of a normal number above 0.
template <typename D>
HLO_LANE inline D LogOfNormal(D x) {
  // Of atanh(s) / s in s^2, for numbers between the square roots of 1/2 and 2; 2^-37.
  constexpr double kAtanh[] = {1.00000000000421263024, 0.33333332620150202263,
                               0.20000192949863762615, 0.14267491997353881658,
                               0.11808751609764980839};
  constexpr uint64_t kRootOfHalf = 0x3fe6a09e667f3bcd, kShift = 1024;
  const auto exponent = (BitsOf(x) - kRootOfHalf + (kShift << 52)) >> 52;
  const D m = FromBits(BitsOf(x) - ((exponent - kShift) << 52));
  // An integer in the low bits of 2^52.
  const D k = FromBits(exponent | BitsOf(0x1p52)) - (0x1p52 + static_cast<double>(kShift));
  const D s = (m - 1.0) / (m + 1.0);
  return k * kLn2 + (s + s) * Polynomial(kAtanh, s * s);
}

template <typename D>
HLO_LANE inline D Log(D x) {
  const D result = Select(x < kInfinity, LogOfNormal(x), x);
  return Select(x > 0.0, result, Select(x == 0.0, -kInfinity, kNaN));
}

/// Also of sums of f64: x is at least 2^-1022, or 0, in magnitude.
template <typename D>
HLO_LANE inline D LogPlusOne(D x) {
  const D sum = x + 1.0;
  const D lost = (x - (sum - 1.0)) / sum;
  const D result = Select((sum > 0.0) & (x < kInfinity), LogOfNormal(sum) + lost, Log(sum));
  return Select(x == 0.0, x, result);
}

template <typename D>
HLO_LANE inline D Asinh(D x) {
  const D a = Abs(x);
  const D result = LogPlusOne(a + a * a / (Sqrt(a * a + 1.0) + 1.0));
  return Select(a < kInfinity, WithSign(result, x), x);
}

template <typename D>
HLO_LANE inline D Acosh(D x) {
  const D above = x - 1.0;
  const D result = LogPlusOne(above + Sqrt(above * (above + 2.0)));
  return Select(x >= 1.0, result, kNaN);
}

template <typename D>
HLO_LANE inline D Atanh(D x) {
  const D a = Abs(x);
  return Select(a <= 1.0, WithSign(0.5 * LogPlusOne((a + a) / (1.0 - a)), x), kNaN);
}

template <typename D>
HLO_LANE inline D Cbrt(D x) {
  const D a = Abs(x);
  const D result = WithSign(WideExponential(LogOfNormal(a) * (1.0 / 3)), x);
  return Select((a > 0.0) & (a < kInfinity), result, x);
}

/// x to the power of y, for finite x > 0 and finite y.
template <typename D>
HLO_LANE inline D PowerOfPositive(D x, D y) {
  return WideExponential(y * LogOfNormal(x));
}

// ---- Trigonometric functions --------------------------------------------------------------------

/// Angles up to here are reduced by parts of pi.
inline constexpr float kLargestAngle = 0x1p20f;
/// Also of infinities and NaN.
template <typename F>
HLO_LANE inline auto IsLargeAngle(F x) {
  return IsBeyond(x, kLargestAngle);
}

/// The angle less a multiple of pi, from -pi / 2 to pi / 2, and in the lowest bit whether that is
/// an odd multiple.
template <typename D, typename U>
struct Angle {
  D rest;
  U turns;
};
/// The same of an f64 and of bits.
template <typename D>
using AngleOf = Angle<D, decltype(BitsOf(std::declval<D>()))>;

/// pi in two parts, of which multiples of the first one are exact.
inline constexpr double kPiHigh = 0x1.921fb544p+1, kPiLow = 0x1.0b4611a626331p-33;

/// The angle is at most kLargestAngle.
template <typename D>
HLO_LANE inline AngleOf<D> ReduceAngle(D x) {
  const D rounded = x * (1 / kPi) + kRounder;
  const D n = rounded - kRounder;
  return {(x - n * kPiHigh) - n * kPiLow, BitsOf(rounded)};
}
/// The same for multiples n - 1/2.
template <typename D>
HLO_LANE inline AngleOf<D> ReduceAngleToHalf(D x) {
  const D rounded = (x * (1 / kPi) + 0.5) + kRounder;
  const D n = (rounded - kRounder) - 0.5;
  return {(x - n * kPiHigh) - n * kPiLow, BitsOf(rounded)};
}

template <typename D, typename U>
HLO_LANE inline D SineOf(Angle<D, U> angle) {
  // Of (sin(r) / r - 1) / r^2 in r^2; 6.1e-9 of sin(r).
  constexpr double kSine[] = {-0x1.55554bc6e334ep-3, 0x1.110ed34521d1fp-7, -0x1.9f6ff352c5681p-13,
                              0x1.5dbd43507a84cp-19};
  const D u = angle.rest * angle.rest;
  const D sine = angle.rest * (u * Polynomial(kSine, u) + 1.0);
  return FromBits(BitsOf(sine) ^ (angle.turns << 63));
}

/// Of angles up to kLargestAngle.
template <typename D>
HLO_LANE inline D SmallSine(D x) {
  return SineOf(ReduceAngle(x));
}
template <typename D>
HLO_LANE inline D SmallCosine(D x) {
  return SineOf(ReduceAngleToHalf(x));  // cos(x) = sin(x - pi (n - 1/2)), n even
}

inline double Sine(float x) { return IsLargeAngle(x) ? f64::Sin(x) : SmallSine<double>(x); }
inline double Cosine(float x) { return IsLargeAngle(x) ? f64::Cos(x) : SmallCosine<double>(x); }
inline double Tan(float x) { return Sine(x) / Cosine(x); }
/// Of angles up to kLargestAngle.
template <typename D>
HLO_LANE inline D SmallTan(D x) {
  return SmallSine(x) / SmallCosine(x);
}

/// Of a number from 0 to 1.
template <typename D>
HLO_LANE inline D AtanOfPart(D y) {
  // Of atan(z) / z in z^2, up to tan(pi / 8); 2^-35.
  constexpr double kAtan[] = {0.99999999997929212014, -0.33333332134680815311,
                              0.19999886356728224785, -0.14281650550706537172,
                              0.11041180045026589840, -0.084597562823366542761,
                              0.047142450618183749655};
  constexpr double kTanOfEighth = 0.41421356237309504880;
  const auto is_far = y > kTanOfEighth;
  const D z = Select(is_far, (y - 1.0) / (y + 1.0), y);
  const D near = z * Polynomial(kAtan, z * z);
  return Select(is_far, near + kHalfPi / 2, near);
}

template <typename D>
HLO_LANE inline D Atan(D x) {
  const D a = Abs(x);
  const D angle = AtanOfPart(Select(a > 1.0, 1.0 / a, a));
  return WithSign(Select(a > 1.0, kHalfPi - angle, angle), x);
}

/// The angle of (x, y), also of zeros and infinities (C99, Annex F.9.1.4).
template <typename D>
HLO_LANE inline D Atan2(D y, D x) {
  const D across = Abs(x), up = Abs(y);
  const auto is_steep = up > across;
  const D small = Select(is_steep, across, up), large = Select(is_steep, up, across);
  // 0 / 0 is 0, and of infinities 1.
  const D part = Select(large == 0.0, 0.0, Select(small == kInfinity, 1.0, small / large));
  const D angle = AtanOfPart(part);
  const D of_half = Select(is_steep, kHalfPi - angle, angle);
  const D result = WithSign(Select(HasSign(x), kPi - of_half, of_half), y);
  return Select((x == x) & (y == y), result, kNaN);
}

template <typename D>
HLO_LANE inline D Asin(D x) {
  return Atan(x / Sqrt((1.0 - x) * (1.0 + x)));
}
template <typename D>
HLO_LANE inline D Acos(D x) {
  return 2.0 * Atan(Sqrt((1.0 - x) / (1.0 + x)));
}

// ---- The error function -------------------------------------------------------------------------

template <typename D>
HLO_LANE inline D Erf(D x) {
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
  const D a = Min(Abs(x), kOne);
  const D square = a * a;
  const D large = 1.0 - WideExponential(-square) * Polynomial(kLarge, 1.0 / (0.5 * a + 1.0));
  return WithSign(Select(a > 1.0, large, a * Polynomial(kSmall, square)), x);
}

/// The inverse of the error function. Below 0.51 ulp in f32 (kernels_special_functions_test); of
/// f64 a first approximation, within 2^-31 up to 1 - 2^-25 in magnitude.
template <typename D>
HLO_LANE inline D ErfInv(D x) {
  // Of erf_inv(x) / x in w - 3.125, for w = -log(1 - x^2) up to 6.25; 2^-32.
  constexpr double kNear[] = {
      1.653654562750436429,       0.24015818239056719038,    -0.0060336715440842421645,
      -0.00074070218241936815542, 0.00018673528439758794537, -0.000013883102114674187431,
      -1.366098269991622999e-6,   4.2383731574351036822e-7,  -2.8903761243865017515e-8,
      -4.2190021016865198312e-9,  1.0313216865427852382e-9,  -3.7803632787010182574e-11,
      -1.2396714980402452322e-11, 1.364249864459078449e-12};
  // The same in sqrt(w) - 3.325, for w up to 17.2; 2^-33.
  constexpr double kFar[] = {
      3.1593087368077516419,     1.0060052537184826541,       0.0046043022661144595312,
      -0.0030911010763499974489, 0.0019334185863145581085,    -0.0013001809735170028192,
      0.00077389058427892334489, -0.00033055594475816942486,  0.000056283455231453578675,
      0.0000410819282325806008,  -0.000033715597624137980227, 8.1232436433208475999e-6};
  const D w = -LogOfNormal((1.0 - x) * (x + 1.0));
  const D near = Polynomial(kNear, w - 3.125), far = Polynomial(kFar, Sqrt(w) - 3.325);
  const D result = x * Select(w > 6.25, far, near);
  const D beyond = Select(Abs(x) == 1.0, WithSign(Like(x, kInfinity), x), Like(x, kNaN));
  return Select(Abs(x) < 1.0, result, beyond);
}

}  // namespace hlo::lanes

#endif  // HLO_ENGINE_LANES_FLOAT_FUNCTIONS_H_
