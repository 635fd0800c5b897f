// The functions of f64 against the C library's of long double, where that has 64 bits: spread over
// all bit patterns, and over each power of two near 1. `make ulp` takes a thousand times as many.
// Then four at a time against one after the other.
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/lanes/f64_functions.h"
#include "tests/unit/ulps.h"

namespace hlo::f64 {
namespace {

using Long = long double;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

constexpr double kSpecial[] = {
    0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 6, 10, 27, 1e10, 0x1p-28, 0x1p-54, 0x1p20, 0x1p30,
    5e-324, 2.2250738585072014e-308, 2.2250738585072009e-308, 1.7976931348623157e308,
    // Ends of exp's range.
    709.78271289338397, 709.78271289338409, 745.13321910194122, 745.13321910194110, 708.3964,
    // The f64 nearest to a multiple of pi / 2, for its size.
    6381956970095103.0 * 0x1p797, 1.5707963267948966, 3.1415926535897931, 1e22, kInfinity, kNaN};

uint64_t SampleFactor() { return std::getenv("HLO_ULP_STEP") != nullptr ? 1000 : 1; }

/// Numbers of a kind, always the same ones.
class Samples {
 public:
  uint64_t Bits() {
    state_ += 0x9e3779b97f4a7c15;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// One of any size in eight, else one that is not far from 1; or one whose neighbours are
  /// special.
  double Next() {
    const uint64_t kind = Bits() % 32;
    uint64_t bits = Bits();
    if (kind == 0) {
      double special = kSpecial[Bits() % std::size(kSpecial)];
      std::memcpy(&bits, &special, sizeof(bits));
      bits += Bits() % 9 - 4;
      bits ^= Bits() << 63;
    } else if (kind > 4) {
      const uint64_t exponent = kind < 12 ? 1023 - 60 + Bits() % 120 : 1023 - 6 + Bits() % 17;
      bits = (bits & ~(uint64_t{0x7ff} << 52)) | exponent << 52;
    }
    double value = 0;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }

 private:
  uint64_t state_ = 0;
};

struct Worst {
  double ulps = 0, x = 0, y = 0;
  void Add(double got, Long wanted, double at_x, double at_y = 0) {
    const double far = UlpsBetween(got, wanted);
    if (far > ulps) *this = {far, at_x, at_y};
  }
  void Check(const char* name, double most) const {
    if (SampleFactor() > 1) std::printf("%-6s %.3f ulp\n", name, ulps);
    CAPTURE(x);
    CAPTURE(y);
    CAPTURE(std::string(name));
    CHECK(ulps <= most);
  }
};

#if LDBL_MANT_DIG == 64

void CheckUnary(const char* name, double (*function)(double), Long (*wanted)(Long), double most) {
  Worst worst;
  for (double x : kSpecial) {
    worst.Add(function(x), wanted(x), x);
    worst.Add(function(-x), wanted(-x), -x);
  }
  Samples samples;
  for (uint64_t i = 0; i < 20000 * SampleFactor(); ++i) {
    const double x = samples.Next();
    worst.Add(function(x), wanted(x), x);
  }
  worst.Check(name, most);
}

void CheckBinary(const char* name, double (*function)(double, double), Long (*wanted)(Long, Long),
                 double most, double (*second)(double x, Samples& samples)) {
  Worst worst;
  for (double x : kSpecial) {
    for (double y : kSpecial) {
      for (int signs = 0; signs < 4; ++signs) {
        const double a = (signs & 1) != 0 ? -x : x, b = (signs & 2) != 0 ? -y : y;
        worst.Add(function(a, b), wanted(a, b), a, b);
      }
    }
  }
  Samples samples;
  for (uint64_t i = 0; i < 20000 * SampleFactor(); ++i) {
    const double x = samples.Next(), any = samples.Next();
    worst.Add(function(x, any), wanted(x, any), x, any);
    const double y = second(x, samples);
    worst.Add(function(x, y), wanted(x, y), x, y);
  }
  worst.Check(name, most);
}

TEST_CASE("functions of f64 are within an ulp of the exact ones") {
  const auto check = [](const char* name, double (*function)(double), Long (*wanted)(Long),
                        double most) {
    SUBCASE(name) { CheckUnary(name, function, wanted, most); }
  };
  check(
      "acos", f64::Acos, [](Long x) { return std::acos(x); }, 0.55);
  check(
      "acosh", f64::Acosh, [](Long x) { return std::acosh(x); }, 0.55);
  check(
      "asin", f64::Asin, [](Long x) { return std::asin(x); }, 0.55);
  check(
      "asinh", f64::Asinh, [](Long x) { return std::asinh(x); }, 0.55);
  check(
      "atan", f64::Atan, [](Long x) { return std::atan(x); }, 0.55);
  check(
      "atanh", f64::Atanh, [](Long x) { return std::atanh(x); }, 0.55);
  check(
      "cbrt", f64::Cbrt, [](Long x) { return std::cbrt(x); }, 0.55);
  check(
      "cos", f64::Cos, [](Long x) { return std::cos(x); }, 0.75);
  check(
      "cosh", f64::Cosh, [](Long x) { return std::cosh(x); }, 0.55);
  check(
      "erf", f64::Erf, [](Long x) { return std::erf(x); }, 0.9);
  check(
      "erfc", f64::Erfc, [](Long x) { return std::erfc(x); }, 1.2);
  check(
      "exp", f64::Exp, [](Long x) { return std::exp(x); }, 0.76);
  check(
      "expm1", f64::Expm1, [](Long x) { return std::expm1(x); }, 0.6);
  check(
      "log", f64::Log, [](Long x) { return std::log(x); }, 0.55);
  check(
      "log1p", f64::Log1p, [](Long x) { return std::log1p(x); }, 0.55);
  check(
      "logistic", f64::Logistic, [](Long x) { return 1 / (1 + std::exp(-x)); }, 0.76);
  check(
      "sin", f64::Sin, [](Long x) { return std::sin(x); }, 0.75);
  check(
      "sinh", f64::Sinh, [](Long x) { return std::sinh(x); }, 0.6);
  check(
      "tan", f64::Tan, [](Long x) { return std::tan(x); }, 0.83);
  check(
      "tanh", f64::Tanh, [](Long x) { return std::tanh(x); }, 0.6);
}

TEST_CASE("functions of two f64 are within an ulp of the exact ones") {
  SUBCASE("pow") {
    // The second one makes a result of any size.
    CheckBinary(
        "pow", f64::Pow, [](Long x, Long y) { return x == 1 || y == 0 ? Long{1} : std::pow(x, y); },
        0.8,
        [](double x, Samples& samples) {
          const double part = static_cast<double>(samples.Bits()) * 0x1p-63 - 1;
          return 745 * part / std::log(std::fabs(x));
        });
  }
  const auto near = [](double x, Samples& samples) {
    return x * (0.5 + static_cast<double>(samples.Bits()) * 0x1p-62);
  };
  SUBCASE("atan2") {
    CheckBinary(
        "atan2", f64::Atan2, [](Long y, Long x) { return std::atan2(y, x); }, 0.55, near);
  }
  SUBCASE("hypot") {
    CheckBinary(
        "hypot", f64::Hypot, [](Long x, Long y) { return std::hypot(x, y); }, 0.76, near);
  }
}

#endif

// ---- Four numbers at a time ---------------------------------------------------------------------

/// Numbers of any size, special values among them, beside others of all kinds; after some of them.
std::vector<double> MixedNumbers(int skipped) {
  Samples samples;
  std::vector<double> numbers;
  for (int i = 0; i < skipped; ++i) samples.Next();
  for (double x : kSpecial) {
    for (double y : kSpecial) numbers.insert(numbers.end(), {x, -y, samples.Next(), y});
  }
  for (int i = 0; i < 8000; ++i) {
    numbers.push_back(samples.Next());
    // Among those most functions are not trivial.
    numbers.push_back(static_cast<double>(samples.Bits()) * 0x1p-62 - 2);
  }
  return numbers;
}

FourLanes<double> LoadFour(const double* from) {
  FourLanes<double> four;
  std::memcpy(&four, from, sizeof four);
  return four;
}

/// Whether they are the same bits, or NaN, of which the compiler chooses the sign.
bool IsSame(double a, double b) { return (a != a && b != b) || std::memcmp(&a, &b, sizeof a) == 0; }

/// Counts the lanes that differ from what `one(lane)` gives.
template <typename One>
int Differing(const FourLanes<double>& four, One one) {
  double lanes[4];
  std::memcpy(lanes, &four, sizeof lanes);
  int differing = 0;
  for (size_t lane = 0; lane < 4; ++lane) differing += IsSame(lanes[lane], one(lane)) ? 0 : 1;
  return differing;
}

TEST_CASE("functions of f64: four numbers at a time are the same bits as one after the other") {
  struct Row {
    const char* name;
    double (*one)(double);
    FourLanes<double> (*four)(FourLanes<double>);
  };
  const Row rows[] = {
#define UNARY(Function) {#Function, Function, Function},
#define BINARY(Function)
#include "engine/lanes/f64_four_lanes.def"
  };
  const std::vector<double> x = MixedNumbers(0);
  for (const Row& row : rows) {
    CAPTURE(row.name);
    for (size_t i = 0; i + 4 <= x.size(); i += 4) {
      CAPTURE(i);
      REQUIRE(Differing(row.four(LoadFour(&x[i])),
                        [&](size_t lane) { return row.one(x[i + lane]); }) == 0);
    }
  }
}

TEST_CASE("functions of two f64: four at a time are the same bits as one after the other") {
  struct Row {
    const char* name;
    double (*one)(double, double);
    FourLanes<double> (*four)(FourLanes<double>, FourLanes<double>);
  };
  const Row rows[] = {
#define UNARY(Function)
#define BINARY(Function) {#Function, Function, Function},
#include "engine/lanes/f64_four_lanes.def"
  };
  const std::vector<double> x = MixedNumbers(0), y = MixedNumbers(1);
  for (const Row& row : rows) {
    CAPTURE(row.name);
    for (size_t i = 0; i + 4 <= x.size(); i += 4) {
      for (const size_t k : {i, x.size() - 4 - i}) {
        CAPTURE(i);
        CAPTURE(k);
        REQUIRE(Differing(row.four(LoadFour(&x[i]), LoadFour(&y[k])),
                          [&](size_t lane) { return row.one(x[i + lane], y[k + lane]); }) == 0);
      }
    }
  }
}

}  // namespace
}  // namespace hlo::f64
