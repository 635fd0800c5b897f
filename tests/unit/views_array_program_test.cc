// The C++ API: programs and custom calls on arrays of xtensor. The first case is the README's.
#include <string>
#include <tuple>
#include <xtensor/xmath.hpp>

#include "doctest/doctest.h"
#include "engine/ops/custom_calls/array_call.h"
#include "engine/views/array_program.h"

namespace hlo {
namespace {

TEST_CASE("the example of the README") {
  hlo::ArrayProgram f("ENTRY e { x = f32[3] parameter(0)  ROOT y = f32[3] add(x, x) }");
  const xt::xarray<float> y = f.Call<float>(xt::xarray<float>{1, 2, 3});
  CHECK(y == xt::xarray<float>{2, 4, 6});

  hlo::CustomCallTargets targets;
  targets.Add("add_up", hlo::ArrayCall<float>([](const auto& x) { return xt::sum(x, {1}); }));
  hlo::ArrayProgram g(
      "ENTRY e { x = f32[2,3] parameter(0)  "
      "ROOT y = f32[2] custom-call(x), custom_call_target=\"add_up\" }",
      {}, targets);
  CHECK(g.Call<float>(xt::xarray<float>{{1, 2, 3}, {4, 5, 6}}) == xt::xarray<float>{6, 15});
}

/// The message of what is thrown.
template <typename Work>
std::string Fault(const Work& work) {
  try {
    work();
  } catch (const ProgramError& error) {
    CHECK(error.diagnostics().has_errors());
    return error.what();
  }
  return "";
}

TEST_CASE("array programs: tuples in and out, any expression, StableHLO") {
  ArrayProgram f(
      "ENTRY e { p = (f32[2], s32[]) parameter(0)  a = f32[2] get-tuple-element(p), index=0  b = "
      "s32[] get-tuple-element(p), index=1  ROOT t = (s32[], f32[2]) tuple(b, a) }");
  const xt::xarray<float> x{1, 2};
  for (int i = 0; i < 2; ++i) {
    const auto [b, a] = f.Call<int32_t, float>(x * 2.0f, xt::xarray<int32_t>(7));
    CHECK(b() == 7);
    CHECK(a == xt::xarray<float>{2, 4});
  }
  ArrayProgram g(
      "func.func @main(%a: tensor<2xf64>) -> tensor<2xf64> {\n"
      "  %b = chlo.square %a : tensor<2xf64> -> tensor<2xf64>\n"
      "  return %b : tensor<2xf64>\n}\n");
  CHECK(g.Call<double>(xt::xarray<double>{3, 4}) == xt::xarray<double>{9, 16});
}

TEST_CASE("array programs: what is wrong is thrown") {
  CHECK(Fault([] { ArrayProgram("ENTRY e { ROOT y = f32[3] add(x, x) }"); }) != "");
  CHECK(Fault([] { ArrayProgram("f32[2]"); }) == "the text has no program");
  ArrayProgram f("ENTRY e { x = f32[3] parameter(0)  ROOT y = f32[3] add(x, x) }");
  const xt::xarray<float> x{1, 2, 3};
  CHECK(Fault([&] { f.Call<float>(); }) == "argument 0, f32[3], is not given");
  CHECK(Fault([&] { f.Call<float>(x, x); }) == "2 arguments are given, not 1");
  CHECK(Fault([&] {
          f.Call<float>(xt::xarray<float>{1, 2});
        }) == "argument 0 is f32[3], not f32[2]");
  CHECK(Fault([&] {
          f.Call<float>(xt::xarray<double>{1, 2, 3});
        }) == "argument 0 is f32[3], not f64[3]");
  CHECK(Fault([&] { f.Call<double>(x); }) == "array 0 of the result is of f32, not of f64");
  CHECK(Fault([&] { std::ignore = f.Call<float, float>(x); }) == "the result has 1 arrays, not 2");
  CHECK(f.Call<float>(x)(2) == 6);
  RunRequest small;
  small.limits.memory_bytes = 100;
  ArrayProgram g(
      "ENTRY e { x = f32[] parameter(0)  ROOT y = f32[100] broadcast(x), dimensions={} }", small);
  CHECK(Fault([&] { g.Call<float>(xt::xarray<float>(1.0f)); }) != "");
}

TEST_CASE("custom calls on arrays say which operands they take") {
  CustomCallTargets targets;
  targets.Add("scale", ArrayCall<float, int32_t>([](const auto& x, const auto& n) {
                return xt::xarray<float>(x * static_cast<float>(n()));
              }));
  const auto outcome = [&](const std::string& operands) {
    return Fault([&] {
      ArrayProgram f(
          "ENTRY e { x = f32[2] constant({1, 2})  n = s32[] constant(3)  ROOT y = f32[2] "
          "custom-call(" +
              operands + "), custom_call_target=\"scale\" }",
          {}, targets);
      const xt::xarray<float> y = f.Call<float>();
      CHECK(y == xt::xarray<float>{3, 6});
    });
  };
  CHECK(outcome("x, n") == "");
  CHECK(outcome("x").find("custom-call to scale takes 2 operands, but has 1") != std::string::npos);
  CHECK(outcome("n, x").find("takes an array of f32 as operand 0, not s32[]") != std::string::npos);
}

}  // namespace
}  // namespace hlo
