// Generated code for complex numbers, beside the block program.
#include <complex>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/codegen/segment.h"
#include "engine/plan/region_code.h"
#include "engine/plan/region_compiler.h"
#include "tests/unit/compiled_region.h"

namespace hlo {
namespace {

// Products of these overflow, and infinities meet zeros and NaNs in them.
template <typename T>
std::vector<std::complex<T>> ComplexElements(size_t count, unsigned seed) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  constexpr T kSpecial[] = {0,
                            -T(0),
                            1,
                            kInfinity,
                            -kInfinity,
                            std::numeric_limits<T>::quiet_NaN(),
                            std::numeric_limits<T>::max()};
  std::mt19937_64 random(seed);
  const auto number = [&] {
    return random() % 4 == 0 ? kSpecial[random() % std::size(kSpecial)]
                             : static_cast<T>(static_cast<double>(random() % 100000) / 997 - 50);
  };
  std::vector<std::complex<T>> elements(count);
  for (std::complex<T>& element : elements) {
    const T real = number();
    element = {real, number()};
  }
  return elements;
}

/// NaNs are equal: which of two a product takes over is the compiler's choice.
template <typename T>
bool SameNumber(T a, T b) {
  return (a != a && b != b) || std::memcmp(&a, &b, sizeof a) == 0;
}

/// Before and after code is made for it.
template <typename T>
void CheckComplex(const std::string& type, const std::string& instructions, unsigned seed) {
  CAPTURE(type);
  CAPTURE(instructions);
  CompiledRegion p(RegionOf(type, instructions));
  REQUIRE(p.function);
  const std::optional<RegionSteps> steps = CompileSteps(*p.region, nullptr);
  const std::vector<Segment> segments = FindSegments(*steps);
  REQUIRE(segments.size() == 1);
  CHECK(segments[0].end - segments[0].begin == steps->steps.size());
  if (TheRegionCodeMaker()) REQUIRE(TheRegionCodeMaker()->Make(*steps) != nullptr);
  constexpr size_t kCount = 1023;
  const auto x = ComplexElements<T>(kCount, seed), y = ComplexElements<T>(kCount, seed + 1);
  std::vector<std::complex<T>> first;
  const int64_t wanted = TheRegionCodeMaker() ? TheRegionCodeMaker()->worthwhile() : 0;
  for (int64_t done = 0; done <= wanted + 2 * 1023; done += 1023) {
    const std::vector<std::complex<T>> results = p.Apply(x, y);
    if (first.empty()) first = results;
    for (size_t i = 0; i < kCount; ++i) {
      const bool same = SameNumber(first[i].real(), results[i].real()) &&
                        SameNumber(first[i].imag(), results[i].imag());
      if (same) continue;
      INFO("x = ", x[i], ", y = ", y[i]);
      CHECK(first[i] == results[i]);
      return;
    }
  }
}

template <typename T>
void CheckTypeOfComplex(const std::string& t, const std::string& part) {
  unsigned seed = 1;
  for (const std::string op : {"add(x, y)", "subtract(x, y)", "multiply(x, y)", "negate(x)"}) {
    CheckComplex<T>(t, "  ROOT a = " + t + "[] " + op, seed += 2);
    CheckComplex<T>(t, "  a = " + t + "[] " + op + "\n  ROOT b = " + t + "[] multiply(a, a)",
                    seed += 2);
  }
  const std::string parts = "  r = " + part + "[] real(x)\n  i = " + part +
                            "[] imag(y)\n  n = " + part + "[] negate(i)\n";
  CheckComplex<T>(t, parts + "  ROOT c = " + t + "[] complex(n, r)", seed += 2);
  for (const std::string direction : {"EQ", "NE"}) {
    CheckComplex<T>(t,
                    "  p = pred[] compare(x, y), direction=" + direction + "\n  d = " + t +
                        "[] subtract(x, x)\n  ROOT s = " + t + "[] select(p, d, y)",
                    seed += 2);
  }
}

}  // namespace

TEST_CASE("generated code gives what the block program gives: complex numbers in regions") {
  CheckTypeOfComplex<float>("c64", "f32");
  CheckTypeOfComplex<double>("c128", "f64");
}

TEST_CASE(
    "generated code gives what the block program gives: widths of complex numbers in regions") {
  CheckComplex<float>("c64",
                      "  w = c128[] convert(x)\n  v = c128[] convert(y)\n  p = c128[] "
                      "multiply(w, v)\n  ROOT r = c64[] convert(p)",
                      3);
  CheckComplex<float>("c64",
                      "  a = f32[] real(x)\n  c = c64[] convert(a)\n  ROOT r = c64[] add(c, y)", 5);
}

TEST_CASE("generated code gives what the block program gives: sizes of c64 in regions") {
  CheckComplex<float>("c64", "  a = f32[] abs(x)  b = f32[] abs(y)  ROOT r = c64[] complex(a, b)",
                      7);
}

TEST_CASE("generated code: functions of complex numbers stay with the kernels in regions") {
  const CompiledRegion p(
      RegionOf("c64",
               "  a = c64[] add(x, y)\n  b = c64[] multiply(a, x)\n  e = c64[] exponential(b)\n"
               "  ROOT r = c64[] negate(e)"));
  const std::vector<Segment> segments = FindSegments(*CompileSteps(*p.region, nullptr));
  REQUIRE(segments.size() == 1);
  CHECK(segments[0].end == 2);
}

}  // namespace hlo
