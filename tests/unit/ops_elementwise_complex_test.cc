// Complex element-wise ops: values against a table from a multi-precision calculator, special
// values, inverses of each other.
#include <cmath>
#include <complex>
#include <string_view>
#include <vector>

#include "doctest/doctest.h"
#include "engine/kernels/complex_math.h"
#include "engine/kernels/constants.h"
#include "engine/ops/op_def.h"
#include "tests/unit/op_runner.h"
#include "tests/unit/ops_complex_values.h"

namespace hlo {
namespace {

using ComplexFunction = Complex (*)(Complex);

// Within a few units in the last place of each part, or of the whole number for parts far smaller.
bool Close(Complex a, Complex b, double epsilon = 2e-15) {
  const auto part = [&](double x, double y) {
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
    return x == y || std::fabs(x - y) <= epsilon * std::fabs(y);
  };
  return part(a.real(), b.real()) && part(a.imag(), b.imag());
}

struct ComplexCase {
  std::string_view name;
  ComplexFunction function;
  Complex z, expected;
};

TEST_CASE("complex functions, against rounded values") {
  for (const ComplexValue& row : kComplexValues) {
    const Complex z(row.x, row.y), expected(row.re, row.im);
    const Complex actual = row.function(z);
    INFO(row.name << z << " = " << actual << ", expected " << expected);
    CHECK(Close(actual, expected));
    // All of them commute with conjugation.
    CHECK(Close(row.function(std::conj(z)), std::conj(expected)));
  }
}

TEST_CASE("special values") {
  const ComplexCase rows[] = {
      {"exp", ComplexExp, {-kInfinity, kInfinity}, {kNan, kNan}},
      {"exp", ComplexExp, {kInfinity, kInfinity}, {kNan, kNan}},
      {"exp", ComplexExp, {kNan, 0}, {kNan, 0}},
      {"log", ComplexLog, {0, 0}, {-kInfinity, 0}},
      {"log", ComplexLog, {-kInfinity, kInfinity}, {kInfinity, 0.75 * kPi}},
      {"sqrt", ComplexSqrt, {-kInfinity, 1}, {0, kInfinity}},
      {"sqrt", ComplexSqrt, {kNan, kInfinity}, {kInfinity, kInfinity}},
      {"tanh", ComplexTanh, {kInfinity, 1}, {1, 0}},
      {"tanh", ComplexTanh, {1, kInfinity}, {kNan, kNan}},
      {"tan", ComplexTan, {1, kInfinity}, {0, 1}},
      {"tan", ComplexTan, {kInfinity, kInfinity}, {0, 1}},
      {"sinh", ComplexSinh, {kInfinity, 0}, {kInfinity, 0}},
      {"cosh", ComplexCosh, {kInfinity, kInfinity}, {kInfinity, kNan}},
      {"asin", ComplexAsin, {kInfinity, kInfinity}, {kPi / 4, kInfinity}},
      {"acos", ComplexAcos, {-kInfinity, 1}, {kPi, -kInfinity}},
      {"asinh", ComplexAsinh, {kInfinity, kNan}, {kInfinity, kNan}},
      {"acosh", ComplexAcosh, {0, kInfinity}, {kInfinity, kPi / 2}},
      {"atanh", ComplexAtanh, {1, 0}, {kInfinity, 0}},
      {"atanh", ComplexAtanh, {kInfinity, 1}, {0, kPi / 2}},
      {"log1p", ComplexLog1p, {-1, 0}, {-kInfinity, 0}},
      {"expm1", ComplexExpm1, {-kInfinity, 0}, {-1, 0}},
  };
  for (const ComplexCase& row : rows) {
    const Complex actual = row.function(row.z);
    INFO(row.name << row.z << " = " << actual << ", expected " << row.expected);
    CHECK(Close(actual, row.expected));
  }
}

TEST_CASE("division: infinities, zeros and numbers near the ends of the range") {
  CHECK(Close(ComplexDivide(Complex{1, 2}, {3, -4}), {-0.2, 0.4}));
  CHECK(std::isinf(ComplexDivide(Complex{1, 1}, {0, 0}).real()));
  CHECK(ComplexDivide(Complex{1, 1}, {kInfinity, 2}) == Complex(0, 0));
  CHECK(std::isinf(ComplexDivide(Complex{kInfinity, 1}, {2, 3}).real()));
  CHECK(Close(ComplexDivide(Complex{1e300, 1e300}, {1e300, 1e300}), {1, 0}));
  CHECK(Close(ComplexDivide(Complex{1e-300, 0}, {1e-300, 1e-300}), {0.5, -0.5}));
}

TEST_CASE("powers") {
  CHECK(ComplexPower({kNan, kNan}, 0) == Complex(1));
  CHECK(ComplexPower(1, {kInfinity, kNan}) == Complex(1));
  CHECK(ComplexPower({kInfinity, 0}, 2) == Complex(kInfinity, 0));
  CHECK(ComplexPower({kInfinity, 0}, -2) == Complex(0, 0));
  CHECK(ComplexPower(0, 2) == Complex(0));
  CHECK(ComplexPower(0, {2, 1}) == Complex(0));
  CHECK(Close(ComplexPower({0, 1}, {0, 1}), {0.20787957635076193, 0}));
  CHECK(Close(ComplexPower({1, 2}, {3, -1}), {-27.43638199160605, 19.789310365010714}, 1e-14));
}

TEST_CASE("c64 is computed in c128 and rounded once") {
  TestContext context;
  const Shape shape = Shape::Array(ElementType::kC64, {2});
  // e^89 alone overflows f32; times the cosine it does not.
  const Tensor z = MakeTestTensor<std::complex<float>>({2}, {{89.0f, 1.5f}, {1.0f, 1.0f}});
  const Value result = TestOp{Opcode::kExponential, {shape}, {}, shape}.Eval({z}, context);
  const std::complex<float> large = result.tensor().data<std::complex<float>>()[0];
  CHECK(large.real() == static_cast<float>(std::exp(89.0) * std::cos(1.5)));
  CHECK(std::isinf(large.imag()));
  const Value abs =
      TestOp{Opcode::kAbs, {shape}, {}, Shape::Array(ElementType::kF32, {2})}.Eval({z}, context);
  CHECK(abs.tensor().data<float>()[1] == static_cast<float>(std::sqrt(2.0)));
}

}  // namespace
}  // namespace hlo
