// Long transforms against the definition, number by number.
#include <algorithm>
#include <cmath>
#include <complex>
#include <random>
#include <vector>

#include "doctest/doctest.h"
#include "engine/kernels/fourier.h"

namespace hlo {
namespace {

using Complex = std::complex<double>;

std::vector<Complex> RandomLine(int64_t length) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> numbers(-1, 1);  // exact as f32
  std::vector<Complex> line(static_cast<size_t>(length));
  for (Complex& x : line) x = {numbers(random), numbers(random)};
  return line;
}

/// Result n of the transform.
Complex Definition(const std::vector<Complex>& line, int64_t n, bool inverse) {
  const auto length = static_cast<int64_t>(line.size());
  std::complex<long double> sum = 0;
  for (int64_t k = 0; k < length; ++k) {
    const long double turn = static_cast<long double>(k * n % length) / length;
    const long double angle = (inverse ? 2 : -2) * 3.14159265358979323846264L * turn;
    const Complex x = line[static_cast<size_t>(k)];
    sum += std::complex<long double>(x.real(), x.imag()) *
           std::complex<long double>(std::cos(angle), std::sin(angle));
  }
  if (inverse) sum /= static_cast<long double>(length);
  return {static_cast<double>(sum.real()), static_cast<double>(sum.imag())};
}

TEST_CASE("fourier: long powers of two are what the definition says") {
  for (const int64_t length : {int64_t{1} << 14, int64_t{1} << 15, int64_t{1} << 17}) {
    for (const bool inverse : {false, true}) {
      const std::vector<Complex> line = RandomLine(length);
      std::vector<Complex> result = line;
      Budget budget;
      FourierPlan plan(length, &budget);
      plan.Transform(result.data(), inverse);
      const double most = std::sqrt(static_cast<double>(length)) / (inverse ? length : 1.0);
      for (const int64_t n : {int64_t{0}, int64_t{1}, int64_t{2}, int64_t{77}, length / 4,
                              length / 2 + 3, length - 130, length - 1}) {
        CHECK(std::abs(result[static_cast<size_t>(n)] - Definition(line, n, inverse)) <
              1e-14 * most);
      }
    }
  }
}

TEST_CASE("fourier: lines of c64 give the results of c128, rounded once") {
  const int64_t length = int64_t{1} << 15;
  for (const bool inverse : {false, true}) {
    std::vector<Complex> wide = RandomLine(length);
    std::vector<std::complex<float>> from(wide.begin(), wide.end()), to(wide.size());
    Budget budget;
    FourierPlan plan(length, &budget);
    REQUIRE(FourierPlan::TakesNarrow(length));
    plan.TransformNarrow(from.data(), to.data(), inverse);
    plan.Transform(wide.data(), inverse);
    const bool is_same =
        std::equal(to.begin(), to.end(), wide.begin(), [](std::complex<float> x, Complex y) {
          return x ==
                 std::complex<float>(static_cast<float>(y.real()), static_cast<float>(y.imag()));
        });
    CHECK(is_same);
    // In place.
    plan.TransformNarrow(from.data(), from.data(), inverse);
    CHECK(from == to);
  }
}

TEST_CASE("fourier: a long line of zeros keeps their signs") {
  const int64_t length = int64_t{1} << 14;
  Budget budget;
  FourierPlan plan(length, &budget);
  std::vector<std::complex<float>> from(static_cast<size_t>(length), {-0.0F, 0.0F}),
      to(from.size());
  plan.TransformNarrow(from.data(), to.data(), /*inverse=*/false);
  CHECK(std::all_of(to.begin(), to.end(),
                    [](std::complex<float> x) { return x == 0.0F && std::signbit(x.real()); }));
}

}  // namespace
}  // namespace hlo
