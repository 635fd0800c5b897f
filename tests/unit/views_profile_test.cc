// What a run says of how it ran, and what tells results apart.
#include <memory>
#include <string>

#include "doctest/doctest.h"
#include "engine/views/document.h"
#include "engine/views/json.h"
#include "engine/views/run_view.h"

namespace hlo {
namespace {

Json RunOf(const std::string& program, const std::string& options) {
  const auto record =
      RunDocument(std::make_shared<const Document>(program), ParseRunRequest(options));
  return RunJson(*record, 1);
}

constexpr char kTimedProgram[] = R"(
    cond { i = s32[] parameter(0)  n = s32[] constant(9)  ROOT l = pred[] compare(i, n), direction=LT }
    body { i = s32[] parameter(0)  o = s32[] constant(1)  ROOT j = s32[] add(i, o) }
    ENTRY e {
      k = s32[] constant(0)
      w = s32[] while(k), condition=cond, body=body
      x = f32[64,64] parameter(0)
      a = f32[64,64] add(x, x)
      m = f32[64,64] multiply(a, a)
      d = f32[64,64] dot(m, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
      ROOT t = (s32[], f32[64,64]) tuple(w, d) })";

// The step that ends with an instruction.
Json StepOf(const Json& run, const std::string& name) {
  for (const Json& step : run["plan"]["steps"]) {
    if (step["shown"] == name) return step;
  }
  return Json();
}

TEST_CASE("a run without a trace says which islands, loops and operations ran, and how often") {
  const Json run = RunOf(kTimedProgram, R"({"trace": false})");
  REQUIRE(run["ok"] == true);
  const Json& plan = run["plan"];
  REQUIRE(plan["islands"].size() == 1);
  CHECK(plan["islandCount"] == 1);
  const Json& island = plan["islands"][0];
  CHECK(island["computation"] == "e");
  CHECK(island["instructions"]["count"] == 7);
  CHECK(island["steps"] == run["steps"]);
  CHECK(plan["executor"].is_null());
  CHECK(StepOf(run, "w")["how"] == "blocks");
  const Json loop = StepOf(run, "m");
  CHECK(loop["how"] == "blocks");
  CHECK(loop["instructions"]["shown"] == Json({"a", "m"}));
  CHECK(loop["times"] == 1);
  CHECK(StepOf(run, "d")["how"] == "operation");
  double inside = 0;
  for (const Json& step : plan["steps"]) inside += step["seconds"].get<double>();
  CHECK(inside > 0);
  CHECK(inside <= island["seconds"].get<double>());
  CHECK(island["seconds"].get<double>() <= run["seconds"].get<double>());
}

TEST_CASE("what an island calls again and again is counted") {
  const Json run = RunOf(R"(
    cond { s = (s32[], f32[4]) parameter(0)  i = s32[] get-tuple-element(s), index=0
      n = s32[] constant(1000)  ROOT l = pred[] compare(i, n), direction=LT }
    body { s = (s32[], f32[4]) parameter(0)  i = s32[] get-tuple-element(s), index=0
      x = f32[4] get-tuple-element(s), index=1  o = s32[] constant(1)  j = s32[] add(i, o)
      y = f32[4] sine(x)  ROOT t = (s32[], f32[4]) tuple(j, y) }
    ENTRY e { k = s32[] constant(0)  p = f32[4] parameter(0)  s = (s32[], f32[4]) tuple(k, p)
      ROOT w = (s32[], f32[4]) while(s), condition=cond, body=body })",
                         R"({"trace": false})");
  const Json sine = StepOf(run, "y");
  CHECK(sine["times"] == 1000);
  CHECK(sine["computation"] == "body");
  CHECK(sine["seconds"].get<double>() > 0);
}

TEST_CASE("what meets other devices goes instruction by instruction") {
  const Json run = RunOf(R"(HloModule m, replica_count=2
    add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = f32[] add(a, b) }
    ENTRY e { x = f32[2] parameter(0)
      ROOT s = f32[2] all-reduce(x), replica_groups={}, to_apply=add })",
                         R"({"trace": false})");
  REQUIRE(run["ok"] == true);
  CHECK(run["plan"]["islands"].empty());
  // Two instructions on two devices; the one that waits for the other is counted again.
  CHECK(run["plan"]["executor"]["steps"] == 5);
}

TEST_CASE("operations outside of islands are measured too") {
  const Json run = RunOf(R"(HloModule m, replica_count=2
    add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = f32[] add(a, b) }
    ENTRY e { x = f32[64,64] parameter(0)
      d = f32[64,64] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
      ROOT s = f32[64,64] all-reduce(d), replica_groups={}, to_apply=add })",
                         R"({"trace": false})");
  REQUIRE(run["ok"] == true);
  const Json product = StepOf(run, "d");
  CHECK(product["how"] == "operation");
  CHECK(product["times"] == 2);
  CHECK(product["seconds"].get<double>() > 0);
}

TEST_CASE("a program with elided constants runs compiled like any other") {
  const std::string program = R"(
    ENTRY e {
      c = f32[64]{0} constant({...})
      x = f32[64]{0} parameter(0)
      a = f32[64]{0} add(x, c)
      ROOT m = f32[64]{0} multiply(a, c) })";
  const auto run = [&](bool trace) {
    return RunOf(program,
                 std::string(R"({"fingerprint": true, "fillElided": "random", "trace": )") +
                     (trace ? "true}" : "false}"));
  };
  const Json compiled = run(false);
  REQUIRE(compiled["ok"] == true);
  CHECK(compiled["plan"]["islands"].size() == 1);
  CHECK(compiled["fingerprint"] == run(true)["fingerprint"]);
}

TEST_CASE("a trace goes instruction by instruction, and is measured on request only") {
  CHECK(!RunOf(kTimedProgram, "{}").contains("plan"));
  CHECK(!RunOf(kTimedProgram, R"({"trace": false, "plan": false})").contains("plan"));
  const Json run = RunOf(kTimedProgram, R"({"plan": true})");
  CHECK(run["plan"]["islands"].empty());
  CHECK(run["plan"]["executor"]["steps"] == run["steps"]);
}

TEST_CASE("fingerprints are the same for the same numbers, and tell others apart") {
  const auto of_type = [](const std::string& type, const std::string& literal, bool trace) {
    const std::string options = std::string(R"({"fingerprint": true, "trace": )") +
                                (trace ? "true" : "false") + R"(, "inputs": [")" + literal + "\"]}";
    return RunOf("ENTRY e { x = " + type + " parameter(0)  ROOT y = " + type + " copy(x) }",
                 options)["fingerprint"];
  };
  const auto of = [&](const std::string& literal, bool trace) {
    return of_type("f32[3]", literal, trace);
  };
  CHECK(of("{1, 2, 3}", true) == of("{1, 2, 3}", false));
  CHECK(of("{1, 2, 3}", true) != of("{1, 2, 4}", true));
  CHECK(of("{1, 2, 3}", true) != of("{1, 3, 2}", true));
  CHECK(of("{0, 0, 0}", true) != of("{-0, 0, 0}", true));
  // Which NaN arithmetic makes is up to the machine.
  CHECK(of("{nan, 0, 0}", true) == of("{-nan(0x400001), 0, 0}", true));
  CHECK(of("{nan, 0, 0}", true) != of("{0, nan, 0}", true));
  CHECK(of("{nan, 0, 0}", true) != of("{inf, 0, 0}", true));
  for (const std::string type : {"c64[1]", "c128[1]"}) {
    CHECK(of_type(type, "{(1, nan)}", true) == of_type(type, "{(1, -nan)}", true));
    CHECK(of_type(type, "{(nan, 1)}", true) != of_type(type, "{(1, nan)}", true));
  }
  for (const std::string type : {"f64[1]", "bf16[1]", "f8e5m2[1]"}) {
    CHECK(of_type(type, "{nan}", true) == of_type(type, "{-nan}", true));
    CHECK(of_type(type, "{1}", true) != of_type(type, "{-1}", true));
  }
  CHECK(!RunOf(kTimedProgram, "{}").contains("fingerprint"));
}

}  // namespace
}  // namespace hlo
