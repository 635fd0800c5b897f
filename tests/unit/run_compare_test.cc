// Comparison with the expected value.
#include <string>

#include "doctest/doctest.h"
#include "engine/run/compare.h"
#include "tests/unit/literal_cases.h"

namespace hlo {
namespace {

std::optional<Difference> Compared(const char* actual, const char* expected,
                                   Tolerance tolerance = {}) {
  return Compare(ValueOf(actual), ValueOf(expected), tolerance);
}

TEST_CASE("equal values") {
  CHECK(!Compared("f32[2] {1, nan}", "f32[2] {1, nan}"));
  CHECK(!Compared("f32[1] {-0}", "f32[1] {0}"));
  CHECK(!Compared("f32[2] {inf, -inf}", "f32[2] {inf, -inf}"));
  CHECK(!Compared("(s32[], (pred[2], token[]))  (1, ({true, false}, token))",
                  "(s32[], (pred[2], token[])) (1, ({true, false}, token))"));
  CHECK(!Compared("c64[1] {(nan, 1)}", "c64[1] {(nan, 1)}"));
  CHECK(!Compared("u64[1] {18446744073709551615}", "u64[1] {18446744073709551615}"));
  CHECK(!Compared("f32[0] {}", "f32[0] {}"));
}

TEST_CASE("tolerance is abs + rel * |expected|") {
  CHECK(!Compared("f32[] 1.5", "f32[] 1", {.abs = 0.5}));
  CHECK(Compared("f32[] 1.5", "f32[] 1", {.abs = 0.25}));
  CHECK(!Compared("f32[] 1.5", "f32[] 1", {.abs = 0.25, .rel = 0.25}));
  CHECK(Compared("f32[] inf", "f32[] 1", {.abs = 1e300, .rel = 1e300}));
  CHECK(Compared("f32[] 1", "f32[] inf", {.abs = 1, .rel = 1}));
  CHECK(!Compared("s32[] 5", "s32[] 4", {.abs = 1}));
  CHECK(Compared("u64[] 18446744073709551615", "u64[] 18446744073709551614"));
  CHECK(Compared("s64[] 9223372036854775807", "s64[] -9223372036854775808"));
}

TEST_CASE("NaN and signed zero") {
  CHECK(Compared("f32[] nan", "f32[] nan", {.nan_equal = false}));
  CHECK(Compared("f32[] nan", "f32[] 1"));
  CHECK(Compared("f32[] 1", "f32[] nan", {.abs = 1e9}));
  CHECK(Compared("f32[] -0", "f32[] 0", {.signed_zero = true}));
  CHECK(!Compared("f32[] -0", "f32[] -0", {.signed_zero = true}));
}

TEST_CASE("the first differing element is named, with its errors") {
  auto difference = Compared("f32[2,2] {{1,2},{3.5,5}}", "f32[2,2] {{1,2},{3,4}}");
  REQUIRE(difference.has_value());
  CHECK(difference->index == Dims{1, 0});
  CHECK(difference->differing == 2);
  CHECK(difference->max_abs == 1);
  CHECK(difference->max_rel == doctest::Approx(0.25));
  CHECK(difference->max_ulp == 1u << 21);
  CHECK(difference->message ==
        "element {1,0}: 3.5, expected 3 (absolute 0.5, relative 0.167, 2097152 ulp); 2 of 4 "
        "elements differ");
  difference = Compared("f32[] 1.00000012", "f32[] 1");
  REQUIRE(difference.has_value());
  CHECK(difference->max_ulp == 1);
  difference = Compared("(s32[], s32[1]) (1, {2})", "(s32[], s32[1]) (1, {3})");
  REQUIRE(difference.has_value());
  CHECK(difference->path == std::vector<int64_t>{1});
}

TEST_CASE("ulps are counted across zero") {
  const auto difference = Compared("f64[] 5e-324", "f64[] -5e-324");
  REQUIRE(difference.has_value());
  CHECK(difference->max_ulp == 2);
}

TEST_CASE("other shapes are told apart") {
  CHECK(Compared("f32[2] {1,2}", "f32[1,2] {{1,2}}")->message == "f32[2], expected f32[1,2]");
  CHECK(Compared("f32[2] {1,2}", "s32[2] {1,2}")->differing == 0);
  CHECK(Compared("(s32[]) (1)", "s32[] 1")->message == "a tuple, expected an array");
  CHECK(Compared("(s32[]) (1)", "(s32[], s32[]) (1, 2)"));
}

}  // namespace
}  // namespace hlo
