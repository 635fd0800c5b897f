// Functions of complex numbers: four at a time against one after the other.
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "doctest/doctest.h"
#include "engine/kernels/complex_math.h"

#ifndef HLO_SMALL

namespace hlo {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
/// Where the functions have special values, or compute in another way.
constexpr double kMixedParts[] = {0,      -0.0,   1,      -1,        0.5,        -2,       1e-310,
                                  1e-200, -1e-20, 1e-8,   0.7,       1.49,       -20,      23,
                                  -710,   709.9,  800,    1e9,       -1e10,      3e20,     -1e150,
                                  1e155,  1e300,  -1e307, kInfinite, -kInfinite, kNoNumber};

/// Pairs of those, beside ordinary numbers in every order.
std::vector<Complex> MixedComplex() {
  std::mt19937_64 random(5);
  const auto number = [&] {
    const double size = std::ldexp(1.0, static_cast<int>(random() % 16) - 10);
    return (static_cast<double>(random() % 2000001) / 1e6 - 1) * size;
  };
  std::vector<Complex> numbers;
  for (const double x : kMixedParts) {
    for (const double y : kMixedParts) {
      numbers.emplace_back(x, y);
      for (size_t i = random() % 4; i > 0; --i) {
        const double real = number();
        numbers.emplace_back(real, number());
      }
    }
  }
  for (int i = 0; i < 4000; ++i) {
    const double real = number();
    numbers.emplace_back(real, number());
  }
  return numbers;
}

FourComplex FourFrom(const Complex* from) {
  FourComplex four;
  double real[4], imag[4];
  for (size_t i = 0; i < 4; ++i) {
    real[i] = from[i].real();
    imag[i] = from[i].imag();
  }
  std::memcpy(&four.real, real, sizeof real);
  std::memcpy(&four.imag, imag, sizeof imag);
  return four;
}

/// Whether they are the same bits, or NaN, of which the compiler chooses the sign.
bool IsSamePart(double a, double b) {
  return (a != a && b != b) || std::memcmp(&a, &b, sizeof a) == 0;
}

/// Counts the numbers of which a part differs from what `one(lane)` gives.
template <typename One>
int DifferingNumbers(const FourComplex& four, One one) {
  double real[4], imag[4];
  std::memcpy(real, &four.real, sizeof real);
  std::memcpy(imag, &four.imag, sizeof imag);
  int differing = 0;
  for (size_t lane = 0; lane < 4; ++lane) {
    const Complex expected = one(lane);
    differing +=
        IsSamePart(real[lane], expected.real()) && IsSamePart(imag[lane], expected.imag()) ? 0 : 1;
  }
  return differing;
}

TEST_CASE("functions of complex numbers: four at a time are the bits of one after the other") {
  struct Row {
    const char* name;
    Complex (*one)(Complex);
    FourComplex (*four)(FourComplex);
  };
  const Row rows[] = {
#define UNARY(Name, Template) {#Name, Complex##Name, Complex##Name},
#include "engine/kernels/complex_functions.def"
  };
  const std::vector<Complex> z = MixedComplex();
  for (const Row& row : rows) {
    CAPTURE(row.name);
    for (size_t i = 0; i + 4 <= z.size(); i += 4) {
      CAPTURE(i);
      REQUIRE(DifferingNumbers(row.four(FourFrom(&z[i])),
                               [&](size_t lane) { return row.one(z[i + lane]); }) == 0);
    }
  }
}

TEST_CASE("quotients of complex numbers: four at a time are the bits of one after the other") {
  const std::vector<Complex> z = MixedComplex();
  for (size_t i = 0; i + 4 <= z.size(); i += 4) {
    for (const size_t k : {i, z.size() - 4 - i, (i * 7 + 13) % (z.size() - 4)}) {
      CAPTURE(i);
      CAPTURE(k);
      REQUIRE(DifferingNumbers(ComplexDivide(FourFrom(&z[i]), FourFrom(&z[k])), [&](size_t lane) {
                return ComplexDivide(z[i + lane], z[k + lane]);
              }) == 0);
    }
  }
}

}  // namespace
}  // namespace hlo

#endif  // HLO_SMALL
