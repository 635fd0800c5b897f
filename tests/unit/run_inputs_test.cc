// Input specifications and the numbers they make.
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>

#include "doctest/doctest.h"
#include "engine/io/npy.h"
#include "engine/run/fill.h"
#include "engine/run/inputs.h"
#include "engine/run/random.h"
#include "tests/unit/literal_cases.h"

namespace hlo {
namespace {

std::string Made(const char* spec, const char* shape, int64_t number = 0, uint64_t seed = 0) {
  Diagnostics diagnostics;
  Budget budget;
  auto value = MakeInput(spec, ShapeOf(shape), number, seed, &budget, diagnostics);
  if (!value) return "";
  return LiteralText(*value, ShapeOf(shape), {.hlo_spacing = false});
}

TEST_CASE("rules and literals") {
  CHECK(Made("iota", "s32[2,2]") == "{{0, 1}, {2, 3}}");
  CHECK(Made(" iota ", "pred[3]") == "{0, 1, 0}");
  CHECK(Made("iota", "u2[6]") == "{0, 1, 2, 3, 0, 1}");
  CHECK(Made("zero", "c64[1]") == "{(0, 0)}");
  CHECK(Made("constant:-2.5", "f32[2]") == "{-2.5, -2.5}");
  CHECK(Made("constant: true", "pred[]") == "true");
  CHECK(Made("{1,2}", "s32[2]") == "{1, 2}");
  CHECK(Made("s32[2] {1,2}", "s32[2]") == "{1, 2}");
  CHECK(Made("s32[2]{0} {1,2}", "s32[2]") == "{1, 2}");
  CHECK(Made("  7 ", "s8[]") == "7");
  CHECK(Made("(1, {2})", "(s32[], s32[1])") == Made("(s32[] 1, s32[1] {2})", "(s32[], s32[1])"));
  CHECK(Made("iota", "(s32[2], token[], (s32[1]))") != "");
}

TEST_CASE("random numbers depend on a seed and the parameter alone") {
  CHECK(Made("", "f32[4]") == Made("random", "f32[4]"));
  CHECK(Made("random", "f32[4]", 0, 1) == Made("random", "f32[4]", 0, 1));
  CHECK(Made("random", "f32[4]", 0, 1) != Made("random", "f32[4]", 1, 1));
  CHECK(Made("random", "f32[4]", 0, 1) != Made("random", "f32[4]", 0, 2));
  // SplitMix64's published first outputs for seed 1234567.
  Random random(1234567);
  CHECK(random.Next() == 6457827717110365317u);
  CHECK(random.Next() == 3203168211198807973u);
}

TEST_CASE("random numbers are where they should be") {
  Random random(3);
  double sum = 0;
  double squares = 0;
  const int n = 100000;
  for (int i = 0; i < n; ++i) {
    const double uniform = random.Uniform();
    CHECK_UNARY(uniform >= 0 && uniform < 1);
    const double normal = random.Normal();
    sum += normal;
    squares += normal * normal;
  }
  CHECK(std::fabs(sum / n) < 0.02);
  CHECK(std::fabs(squares / n - 1) < 0.02);
  Budget budget;
  const Value value = MakeFilled(Shape::Array(ElementType::kU1, {1000}), {}, 1, &budget);
  for (int i = 0; i < 1000; ++i) CHECK(value.tensor().data<uint8_t>()[i] <= 1);
  const Value bounded =
      MakeFilled(Shape::Array(ElementType::kF32, {1000}),
                 {.kind = Fill::Kind::kUniform, .low = -3, .high = 5}, 1, &budget);
  for (int i = 0; i < 1000; ++i) {
    CHECK_UNARY(bounded.tensor().data<float>()[i] >= -3 && bounded.tensor().data<float>()[i] <= 5);
  }
}

TEST_CASE("faults of specifications are diagnostics, each with its place") {
  struct Case {
    const char* spec;
    const char* shape;
    const char* says;
  };
  const Case cases[] = {
      {"{1,2,3}", "s32[2]", ""},
      {"f32[2] {1,2}", "s32[2]", "the input is f32[2], but the parameter is s32[2]"},
      {"{1,2} 3", "s32[2]", "unexpected '3'"},
      {"constant:", "f32[2]", ""},
      {"constant:1 2", "f32[2]", "expects one f32 value"},
      {"uniform(1)", "f32[2]", "expects uniform(low, high)"},
      {"uniform(2,1)", "f32[2]", "empty interval"},
      {"uniform(nan,1)", "f32[2]", "empty interval"},
      {"{...}", "f32[2]", "elided"},
      {"frobnicate", "f32[2]", ""},
      {"{{{{{{{{", "f32[2]", ""},
      {"f32[", "f32[2]", ""},
      {"\xff\xfe", "f32[2]", ""},
  };
  for (const Case& c : cases) {
    INFO(c.spec);
    Diagnostics diagnostics;
    Budget budget;
    CHECK(!MakeInput(c.spec, ShapeOf(c.shape), 0, 0, &budget, diagnostics));
    REQUIRE(diagnostics.has_errors());
    const Diagnostic& first = diagnostics.list()[0];
    CHECK(first.message.find(c.says) != std::string::npos);
    CHECK(first.range.end <= std::strlen(c.spec));
  }
}

TEST_CASE("memory is asked of the budget") {
  Diagnostics diagnostics;
  Budget budget({.memory_bytes = 1000});
  CHECK(!MakeInput("", ShapeOf("f32[1000000,1000000]"), 0, 0, &budget, diagnostics));
  CHECK(diagnostics.list()[0].code == DiagCode::kMemoryExceeded);
}

TEST_CASE(".npy bytes") {
  Budget budget;
  Diagnostics diagnostics;
  const Value iota = MakeFilled(ShapeOf("f32[2,3]"), {.kind = Fill::Kind::kIota}, 0, &budget);
  std::string file = NpyHeader(iota.tensor());
  file.append(reinterpret_cast<const char*>(iota.tensor().bytes()), 24);
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(file.data()),
                                         file.size());
  auto value = MakeInputFromNpy(bytes, ShapeOf("f32[2,3]"), &budget, diagnostics);
  REQUIRE(value.has_value());
  CHECK(value->tensor().data<float>()[5] == 5);
  CHECK(!MakeInputFromNpy(bytes, ShapeOf("f32[3,2]"), &budget, diagnostics));
  CHECK(!MakeInputFromNpy(bytes, ShapeOf("s32[2,3]"), &budget, diagnostics));
  CHECK(!MakeInputFromNpy(bytes, ShapeOf("(f32[2,3])"), &budget, diagnostics));
  CHECK(!MakeInputFromNpy(bytes.first(20), ShapeOf("f32[2,3]"), &budget, diagnostics));
  CHECK(diagnostics.error_count() == 4);
}

TEST_CASE("cells written over an .npy file; other text beside a file counts for nothing") {
  Budget budget;
  Diagnostics diagnostics;
  const Value zeros = MakeFilled(ShapeOf("f32[2,2]"), {.kind = Fill::Kind::kZero}, 0, &budget);
  std::string file = NpyHeader(zeros.tensor());
  file.append(reinterpret_cast<const char*>(zeros.tensor().bytes()), 16);
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(file.data()),
                                         file.size());
  auto made = [&](std::string_view cells) {
    return MakeInputFromNpy(bytes, ShapeOf("f32[2,2]"), &budget, diagnostics, cells,
                            &AllInputForms());
  };
  CHECK(made(" with [1,0] = 3")->tensor().data<float>()[2] == 3);
  CHECK(made("iota")->tensor().data<float>()[3] == 0);
  CHECK(diagnostics.size() == 0);
  CHECK_FALSE(made("with [2,0] = 3"));
  CHECK(diagnostics.list()[0].range.begin == 6);
}

TEST_CASE("faults of a specification are told without making a value") {
  auto fault = [](const char* spec, const char* shape = "f32[1000000,1000000]") -> std::string {
    Diagnostics faults;
    CheckInput(spec, ShapeOf(shape), faults, &AllInputForms());
    return faults.size() == 0
               ? ""
               : std::to_string(faults.list()[0].range.begin) + ": " + faults.list()[0].message;
  };
  for (const char* const good :
       {"", "iota", "sin(i0) + 0.1*i1", "constant:2", "uniform(0, 2)", "5", "normal(0, 1)",
        "iota with [999999,3] = nan", "f32[1000000,1000000] iota", "f32[1000000,1000000] 5"}) {
    CAPTURE(good);
    CHECK(fault(good) == "");
  }
  CHECK(fault("sin(i0) + sn(i1)").starts_with("10: "));
  CHECK(fault("iota with [1000000,0] = 5").starts_with("11: "));
  CHECK(fault("iota with [0,0] = five").starts_with("18: "));
  CHECK(fault("uniform(2, 0)").find("empty interval") != std::string::npos);
  CHECK(fault("{1, 2", "s32[2]") != "");
  CHECK(fault("{1, 2}", "s32[2]") == "");
  CHECK(fault("{1, 2, 3}", "s32[2]") != "");
  CHECK(fault("s32[3] {1, 2, 3}", "s32[2]") != "");
}

}  // namespace
}  // namespace hlo
