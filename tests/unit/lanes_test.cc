// The functions of f32 against those of f64 in the C library, rounded: every 4,999th float, and all
// of them with HLO_ULP_STEP=1 (`make ulp`).
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <thread>
#include <vector>

#include "doctest/doctest.h"
#include "engine/base/bits.h"
#include "engine/kernels/scalar_binary.h"
#include "engine/kernels/scalar_unary.h"
#include "engine/kernels/typed_loops.h"
#include "tests/unit/ulps.h"

namespace hlo {
namespace {

uint64_t UlpStep() {
  const char* step = std::getenv("HLO_ULP_STEP");
  return step ? std::strtoull(step, nullptr, 10) : 4999;
}

/// The result that is furthest from the exact one.
struct Worst {
  double ulps = 0.5;  // of a result that is the exact one, rounded: at most that
  float at = 0;
};

/// Of the floats with these bits, every `step`-th.
Worst FindWorst(const ElementLoop& loop, double (*wanted)(double), uint64_t begin, uint64_t end,
                uint64_t step) {
  constexpr size_t kLanes = 512;
  float in[kLanes], out[kLanes];
  Worst worst;
  for (uint64_t bits = begin; bits < end;) {
    size_t n = 0;
    for (; n < kLanes && bits < end; ++n, bits += step) {
      const auto word = static_cast<uint32_t>(bits);
      std::memcpy(&in[n], &word, sizeof(word));
    }
    const std::byte* args[] = {reinterpret_cast<const std::byte*>(in), nullptr, nullptr};
    loop.Run(static_cast<int64_t>(n), args, reinterpret_cast<std::byte*>(out));
    for (size_t i = 0; i < n; ++i) {
      const double exact = wanted(static_cast<double>(in[i]));
      // Most are; the distance of the others takes longer to find than the function does.
      if (out[i] == static_cast<float>(exact) && out[i] != 0) continue;
      const double ulps = UlpsBetween(out[i], exact);
      if (ulps > worst.ulps) worst = {ulps, in[i]};
    }
  }
  return worst;
}

/// Threads share what is checked.
void CheckLoop(const ElementLoop& loop, double (*wanted)(double), double most) {
  constexpr uint64_t kAll = uint64_t{1} << 32;
  const uint64_t step = UlpStep(), count = (kAll + step - 1) / step;
#ifdef __EMSCRIPTEN__  // where unit tests have no threads
  const uint64_t threads = 1;
#else
  const uint64_t threads = std::max(1u, std::thread::hardware_concurrency());
#endif
  std::vector<Worst> found(threads);
  std::vector<std::thread> others;
  const auto find = [&](uint64_t i) {
    const uint64_t begin = count * i / threads * step;
    found[i] =
        FindWorst(loop, wanted, begin, std::min(kAll, count * (i + 1) / threads * step), step);
  };
  for (uint64_t i = 1; i < threads; ++i) others.emplace_back(find, i);
  find(0);
  for (std::thread& other : others) other.join();
  for (const Worst& worst : found) {
    CAPTURE(worst.at);
    CHECK(worst.ulps <= most);
  }
}

TEST_CASE("functions of f32 are the exact ones, rounded") {
  const auto check = [](const char* name, const ElementLoop& loop, double (*wanted)(double),
                        double most = 0.52) {
    SUBCASE(name) { CheckLoop(loop, wanted, most); }
  };
  constexpr ElementType kType = ElementType::kF32;
  check("acos", UnaryLoop<AcosOp>(kType), [](double x) { return std::acos(x); });
  check("acosh", UnaryLoop<AcoshOp>(kType), [](double x) { return AcoshOp::Run(x); });
  check("asin", UnaryLoop<AsinOp>(kType), [](double x) { return std::asin(x); });
  check("asinh", UnaryLoop<AsinhOp>(kType), [](double x) { return std::asinh(x); });
  check("atan", UnaryLoop<AtanOp>(kType), [](double x) { return std::atan(x); });
  check("atanh", UnaryLoop<AtanhOp>(kType), [](double x) { return std::atanh(x); });
  check("cbrt", UnaryLoop<CbrtOp>(kType), [](double x) { return std::cbrt(x); });
  check("cosh", UnaryLoop<CoshOp>(kType), [](double x) { return std::cosh(x); });
  check(
      "cosine", UnaryLoop<CosineOp>(kType), [](double x) { return std::cos(x); }, 0.61);
  check("erf", UnaryLoop<ErfOp>(kType), [](double x) { return std::erf(x); });
  check(
      "exponential", UnaryLoop<ExponentialOp>(kType), [](double x) { return std::exp(x); }, 0.98);
  check("exponential-minus-one", UnaryLoop<ExponentialMinusOneOp>(kType),
        [](double x) { return std::expm1(x); });
  check("log", UnaryLoop<LogOp>(kType), [](double x) { return std::log(x); });
  check("log-plus-one", UnaryLoop<LogPlusOneOp>(kType), [](double x) { return std::log1p(x); });
  check("logistic", UnaryLoop<LogisticOp>(kType), [](double x) { return LogisticOp::Run(x); });
  check(
      "sine", UnaryLoop<SineOp>(kType), [](double x) { return std::sin(x); }, 0.61);
  check("sinh", UnaryLoop<SinhOp>(kType), [](double x) { return std::sinh(x); });
  check(
      "tan", UnaryLoop<TanOp>(kType), [](double x) { return std::tan(x); }, 0.64);
  check(
      "tanh", UnaryLoop<TanhOp>(kType), [](double x) { return std::tanh(x); }, 1);
}

TEST_CASE("powers of f32 are the exact ones, rounded") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  const float bases[] = {0,          -0.0f,       1,          -1,   2,    -2,     0.5f,
                         1.0000001f, 0.99999994f, 3,          -3,   10,   1e-40f, 1e38f,
                         -1e38f,     kInfinity,   -kInfinity, kNaN, 7.25f};
  const float exponents[] = {0,    -0.0f, 1,   -1,   2,         3,          0.5f, -0.5f,    -3,
                             1e9f, -1e9f, 127, -149, kInfinity, -kInfinity, kNaN, 16777216, 0.333f};
  for (float a : bases) {
    for (float b : exponents) {
      CAPTURE(a);
      CAPTURE(b);
      const double wanted = PowerOp::Run(static_cast<double>(a), static_cast<double>(b));
      CHECK(UlpsBetween(PowerOp::Run(a, b), wanted) <= 0.52);
    }
  }
}

TEST_CASE("angles of points in f32 are the exact ones, rounded") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> numbers = {0,     -0.0f,        1,      -1,        0.5f,       3,
                                -3e7f, 1e-45f,       3e38f,  kInfinity, -kInfinity, kNaN,
                                0.4f,  -0.41421357f, -1e38f, 1e-38f};
  const auto check = [](float y, float x) {
    CAPTURE(y);
    CAPTURE(x);
    const double wanted = std::atan2(static_cast<double>(y), static_cast<double>(x));
    CHECK(UlpsBetween(Atan2Op::Run(y, x), wanted) <= 0.52);
  };
  for (const float y : numbers) {
    for (const float x : numbers) check(y, x);
  }
  // Floats of any size, and near one another.
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    const float y = BitCast<float>(static_cast<uint32_t>(random()));
    check(y, BitCast<float>(static_cast<uint32_t>(random())));
    check(y, y * (0.2f + static_cast<float>(random() % 4096) / 1024));
  }
}

TEST_CASE("sizes of c64 are the exact ones, rounded: nothing overflows on the way") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  const float parts[] = {
      0,     -0.0f,         1,         -3,         4,   0.1f, 1e-45f, 1e-40f, 2e-23f,
      7e20f, 3.4028235e38f, kInfinity, -kInfinity, kNaN};
  for (const float x : parts) {
    for (const float y : parts) {
      CAPTURE(x);
      CAPTURE(y);
      const double wanted = AbsOp::Run(Complex(x, y));
      CHECK(UlpsBetween(AbsOp::Run(std::complex<float>(x, y)), wanted) <= 0.5001);
    }
  }
  CHECK(AbsOp::Run(std::complex<float>(3, -4)) == 5);
  CHECK(AbsOp::Run(std::complex<float>(kNaN, -kInfinity)) == kInfinity);
}

TEST_CASE("an angle of any size is reduced with as many digits as it takes") {
  // Exact ones by mpmath with 60 digits.
  CHECK(UlpsBetween(SineOp::Run(0x1p20f), 0.33049314002173467) <= 0.61);
  CHECK(lanes::Sine(0x1.000002p20f) == doctest::Approx(0.44558358244124718).epsilon(1e-12));
  CHECK(lanes::Sine(1e22f) == doctest::Approx(-0.73408153529610153).epsilon(1e-11));
  CHECK(lanes::Sine(-3.4028235e38f) == doctest::Approx(0.52187652333365854).epsilon(1e-11));
}

}  // namespace
}  // namespace hlo
