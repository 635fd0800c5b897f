// All functions are those of engine/lanes, which are the same bits on every platform.
#include "engine/run/expression_functions.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/lanes/f64_functions.h"

namespace hlo {
namespace {

using Complex = ExpressionFunction::Complex;
using F = ExpressionFunction;

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

constexpr std::string_view kDeviation = "its deviation is not below 0";
bool HasDeviation(const double* arguments) { return arguments[1] >= 0; }

// ---- Complex functions, made of real ones

Complex ComplexExp(Complex z) {
  const double size = f64::Exp(z.real());
  return {size * f64::Cos(z.imag()), z.imag() == 0 ? 0.0 : size * f64::Sin(z.imag())};
}
double Magnitude(Complex z) { return f64::Hypot(z.real(), z.imag()); }
Complex ComplexLog(Complex z) { return {f64::Log(Magnitude(z)), f64::Atan2(z.imag(), z.real())}; }
Complex ComplexSqrt(Complex z) {
  if (z == Complex()) return z;
  const double half = std::sqrt((Magnitude(z) + std::fabs(z.real())) / 2);
  const double other = std::fabs(z.imag()) / (2 * half);
  const double re = z.real() >= 0 ? half : other;
  return {re, std::copysign(z.real() >= 0 ? other : half, z.imag())};
}
Complex Product(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
Complex Quotient(Complex a, Complex b) {
  const double size = b.real() * b.real() + b.imag() * b.imag();
  const Complex top = Product(a, std::conj(b));
  return {top.real() / size, top.imag() / size};
}
Complex ComplexPow(Complex a, Complex b) {
  // Small whole powers are products, as exact as these are.
  constexpr int kMostProducts = 64;
  if (b.imag() == 0 && b.real() == std::floor(b.real()) && std::fabs(b.real()) <= kMostProducts) {
    Complex power(1);
    for (int i = 0; i < std::abs(static_cast<int>(b.real())); ++i) power = Product(power, a);
    return b.real() < 0 ? Quotient(Complex(1), power) : power;
  }
  return a == Complex() ? Complex() : ComplexExp(Product(b, ComplexLog(a)));
}
Complex ComplexSin(Complex z) {
  return {f64::Sin(z.real()) * f64::Cosh(z.imag()), f64::Cos(z.real()) * f64::Sinh(z.imag())};
}
Complex ComplexCos(Complex z) {
  return {f64::Cos(z.real()) * f64::Cosh(z.imag()), -f64::Sin(z.real()) * f64::Sinh(z.imag())};
}

// ---- Real functions

// As in Python and NumPy: the result has the sign of the divisor.
double FlooredRemainder(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
double RoundedToEven(double x) {
  const double down = std::floor(x);
  if (x - down != 0.5) return std::floor(x + 0.5);
  return std::fmod(down, 2) == 0 ? down : down + 1;
}
// Whole where x is a power of the base, which the quotient of two logarithms may miss by an ulp.
double LogTo(double base, double x) {
  const double power = f64::Log(x) / f64::Log(base);
  const double whole = RoundedToEven(power);
  constexpr double kNear = 1e-12;
  return std::fabs(power - whole) < kNear && f64::Pow(base, whole) == x ? whole : power;
}
double SmallerOf(double a, double b) { return a != a || b != b ? kNotANumber : std::min(a, b); }
double LargerOf(double a, double b) { return a != a || b != b ? kNotANumber : std::max(a, b); }
double SignOf(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

// Uniform in (0, 1): what logarithms are taken of.
double OpenUniform(Random& random) {
  return (static_cast<double>(random.Next() >> 11) + 0.5) * 0x1p-53;
}

double TruncatedNormal(Random& random, const double* a) {
  while (true) {
    const double z = random.Normal();
    if (std::fabs(z) <= 2) return a[0] + a[1] * z;
  }
}
double Laplace(Random& random, const double* a) {
  const double u = OpenUniform(random) - 0.5;
  return a[0] - a[1] * SignOf(u) * f64::Log1p(-2 * std::fabs(u));
}

#define REAL(expression) [](const double* a) -> double { return expression; }
#define COMPLEX(expression) [](const Complex* a) -> Complex { return expression; }
#define DRAW(expression) [](Random& r, const double* a) -> double { return (void)a, expression; }

constexpr F kFunctions[] = {
    {"+", 2, 2, "", REAL(a[0] + a[1]), COMPLEX(a[0] + a[1]), nullptr},
    {"-", 2, 2, "", REAL(a[0] - a[1]), COMPLEX(a[0] - a[1]), nullptr},
    {"*", 2, 2, "", REAL(a[0] * a[1]), COMPLEX(Product(a[0], a[1])), nullptr},
    {"/", 2, 2, "", REAL(a[0] / a[1]), COMPLEX(Quotient(a[0], a[1])), nullptr},
    {"//", 2, 2, "", REAL(std::floor(a[0] / a[1])), nullptr, nullptr},
    {"%", 2, 2, "", REAL(FlooredRemainder(a[0], a[1])), nullptr, nullptr},
    {"**", 2, 2, "", REAL(f64::Pow(a[0], a[1])), COMPLEX(ComplexPow(a[0], a[1])), nullptr},
    {"neg", 1, 1, "", REAL(-a[0]), COMPLEX(-a[0]), nullptr},
    {"!", 1, 1, "", REAL(a[0] == 0), COMPLEX(a[0] == Complex()), nullptr, true},
    {"==", 2, 2, "", REAL(a[0] == a[1]), COMPLEX(a[0] == a[1]), nullptr, true},
    {"!=", 2, 2, "", REAL(a[0] != a[1]), COMPLEX(a[0] != a[1]), nullptr, true},
    {"<", 2, 2, "", REAL(a[0] < a[1]), nullptr, nullptr},
    {"<=", 2, 2, "", REAL(a[0] <= a[1]), nullptr, nullptr},
    {">", 2, 2, "", REAL(a[0] > a[1]), nullptr, nullptr},
    {">=", 2, 2, "", REAL(a[0] >= a[1]), nullptr, nullptr},
    {"&&", 2, 2, "", REAL(a[0] != 0 && a[1] != 0), nullptr, nullptr},
    {"||", 2, 2, "", REAL(a[0] != 0 || a[1] != 0), nullptr, nullptr},
    {"where", 3, 3, "where(c, a, b): a where c is not zero, else b; also c ? a : b",
     REAL(a[0] != 0 ? a[1] : a[2]), COMPLEX(a[0] != Complex() ? a[1] : a[2]), nullptr},
    {"abs", 1, 1, "magnitude", REAL(std::fabs(a[0])), COMPLEX(Magnitude(a[0])), nullptr, true},
    {"sign", 1, 1, "-1, 0 or 1", REAL(SignOf(a[0])), nullptr, nullptr},
    {"sqrt", 1, 1, "square root", REAL(std::sqrt(a[0])), COMPLEX(ComplexSqrt(a[0])), nullptr},
    {"rsqrt", 1, 1, "1 / sqrt(x)", REAL(1 / std::sqrt(a[0])), nullptr, nullptr},
    {"cbrt", 1, 1, "cube root", REAL(f64::Cbrt(a[0])), nullptr, nullptr},
    {"exp", 1, 1, "e to the power x", REAL(f64::Exp(a[0])), COMPLEX(ComplexExp(a[0])), nullptr},
    {"exp2", 1, 1, "2 to the power x", REAL(f64::Pow(2, a[0])), nullptr, nullptr},
    {"expm1", 1, 1, "exp(x) - 1", REAL(f64::Expm1(a[0])), nullptr, nullptr},
    {"log", 1, 1, "natural logarithm", REAL(f64::Log(a[0])), COMPLEX(ComplexLog(a[0])), nullptr},
    {"log2", 1, 1, "logarithm to base 2", REAL(LogTo(2, a[0])), nullptr, nullptr},
    {"log10", 1, 1, "logarithm to base 10", REAL(LogTo(10, a[0])), nullptr, nullptr},
    {"log1p", 1, 1, "log(1 + x)", REAL(f64::Log1p(a[0])), nullptr, nullptr},
    {"sin", 1, 1, "sine", REAL(f64::Sin(a[0])), COMPLEX(ComplexSin(a[0])), nullptr},
    {"cos", 1, 1, "cosine", REAL(f64::Cos(a[0])), COMPLEX(ComplexCos(a[0])), nullptr},
    {"tan", 1, 1, "tangent", REAL(f64::Tan(a[0])), nullptr, nullptr},
    {"asin", 1, 1, "arc sine", REAL(f64::Asin(a[0])), nullptr, nullptr},
    {"acos", 1, 1, "arc cosine", REAL(f64::Acos(a[0])), nullptr, nullptr},
    {"atan", 1, 1, "arc tangent", REAL(f64::Atan(a[0])), nullptr, nullptr},
    {"atan2", 2, 2, "atan2(y, x): the angle of (x, y)", REAL(f64::Atan2(a[0], a[1])), nullptr,
     nullptr},
    {"sinh", 1, 1, "hyperbolic sine", REAL(f64::Sinh(a[0])), nullptr, nullptr},
    {"cosh", 1, 1, "hyperbolic cosine", REAL(f64::Cosh(a[0])), nullptr, nullptr},
    {"tanh", 1, 1, "hyperbolic tangent", REAL(f64::Tanh(a[0])), nullptr, nullptr},
    {"asinh", 1, 1, "inverse of sinh", REAL(f64::Asinh(a[0])), nullptr, nullptr},
    {"acosh", 1, 1, "inverse of cosh", REAL(f64::Acosh(a[0])), nullptr, nullptr},
    {"atanh", 1, 1, "inverse of tanh", REAL(f64::Atanh(a[0])), nullptr, nullptr},
    {"erf", 1, 1, "error function", REAL(f64::Erf(a[0])), nullptr, nullptr},
    {"sigmoid", 1, 1, "1 / (1 + exp(-x))", REAL(f64::Logistic(a[0])), nullptr, nullptr},
    {"relu", 1, 1, "max(x, 0)", REAL(LargerOf(a[0], 0)), nullptr, nullptr},
    {"floor", 1, 1, "largest whole number up to x", REAL(std::floor(a[0])), nullptr, nullptr},
    {"ceil", 1, 1, "smallest whole number from x on", REAL(std::ceil(a[0])), nullptr, nullptr},
    {"round", 1, 1, "nearest whole number, ties to even", REAL(RoundedToEven(a[0])), nullptr,
     nullptr},
    {"trunc", 1, 1, "without the digits after the point", REAL(std::trunc(a[0])), nullptr, nullptr},
    {"min", 2, 2, "the smaller of two", REAL(SmallerOf(a[0], a[1])), nullptr, nullptr},
    {"max", 2, 2, "the larger of two", REAL(LargerOf(a[0], a[1])), nullptr, nullptr},
    {"clamp", 3, 3, "clamp(x, low, high)", REAL(SmallerOf(LargerOf(a[0], a[1]), a[2])), nullptr,
     nullptr},
    {"pow", 2, 2, "pow(x, y): x ** y", REAL(f64::Pow(a[0], a[1])), COMPLEX(ComplexPow(a[0], a[1])),
     nullptr},
    {"mod", 2, 2, "mod(x, y): x % y, with the sign of y", REAL(FlooredRemainder(a[0], a[1])),
     nullptr, nullptr},
    {"hypot", 2, 2, "sqrt(x * x + y * y)", REAL(f64::Hypot(a[0], a[1])), nullptr, nullptr},
    {"isnan", 1, 1, "1 for NaN, else 0", REAL(a[0] != a[0]), nullptr, nullptr},
    {"isfinite", 1, 1, "1 for numbers that are finite", REAL(std::isfinite(a[0])), nullptr,
     nullptr},
    {"re", 1, 1, "real part", REAL(a[0]), COMPLEX(a[0].real()), nullptr, true},
    {"im", 1, 1, "imaginary part", REAL(((void)a, 0.0)), COMPLEX(a[0].imag()), nullptr, true},
    {"conj", 1, 1, "complex conjugate", REAL(a[0]), COMPLEX(std::conj(a[0])), nullptr},
    {"arg", 1, 1, "angle of a complex number", REAL(f64::Atan2(0, a[0])),
     COMPLEX(f64::Atan2(a[0].imag(), a[0].real())), nullptr, true},
    {"uniform",
     0,
     2,
     "uniform(low = 0, high = 1): random, low included",
     nullptr,
     nullptr,
     DRAW(a[0] + (a[1] - a[0]) * r.Uniform()),
     false,
     {0, 1}},
    {"normal",
     0,
     2,
     "normal(mean = 0, deviation = 1): random",
     nullptr,
     nullptr,
     DRAW(a[0] + a[1] * r.Normal()),
     false,
     {0, 1},
     kDeviation,
     HasDeviation},
    {"truncated_normal",
     0,
     2,
     "the same within two deviations of the mean",
     nullptr,
     nullptr,
     TruncatedNormal,
     false,
     {0, 1},
     kDeviation,
     HasDeviation},
    {"lognormal",
     0,
     2,
     "exp of normal(mean = 0, deviation = 1)",
     nullptr,
     nullptr,
     DRAW(f64::Exp(a[0] + a[1] * r.Normal())),
     false,
     {0, 1},
     kDeviation,
     HasDeviation},
    {"exponential",
     0,
     1,
     "exponential(mean = 1): random",
     nullptr,
     nullptr,
     DRAW(-a[0] * f64::Log(OpenUniform(r))),
     false,
     {1},
     "its mean is not below 0",
     [](const double* a) { return a[0] >= 0; }},
    {"laplace",
     0,
     2,
     "laplace(mean = 0, scale = 1): random",
     nullptr,
     nullptr,
     Laplace,
     false,
     {0, 1},
     "its scale is not below 0",
     HasDeviation},
    {"gumbel", 0, 0, "random, as for a choice by logits", nullptr, nullptr,
     DRAW(-f64::Log(-f64::Log(OpenUniform(r))))},
    {"bernoulli",
     0,
     1,
     "bernoulli(p = 0.5): 1 with probability p, else 0",
     nullptr,
     nullptr,
     DRAW(r.Uniform() < a[0]),
     false,
     {0.5},
     "its probability is from 0 to 1",
     [](const double* a) { return a[0] >= 0 && a[0] <= 1; }},
    {"randint",
     2,
     2,
     "randint(low, high): a random whole number, high excluded",
     nullptr,
     nullptr,
     DRAW(std::floor(a[0]) + std::floor((std::floor(a[1]) - std::floor(a[0])) * (OpenUniform(r)))),
     false,
     {},
     "low is below high",
     [](const double* a) { return std::floor(a[0]) < std::floor(a[1]); }},
};

#undef REAL
#undef COMPLEX
#undef DRAW

}  // namespace

const ExpressionFunction* FindExpressionFunction(std::string_view name) {
  const auto* found = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                   [name](const F& row) { return row.name == name; });
  return found == std::end(kFunctions) ? nullptr : found;
}

}  // namespace hlo
