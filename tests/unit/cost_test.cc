// Costs: machines, rooflines, trip counts, answers.
#include <doctest/doctest.h>

#include <string>

#include "engine/cost/roofline.h"
#include "engine/cost/savings.h"
#include "engine/cost/trip_count.h"
#include "engine/views/cost_view.h"
#include "engine/views/document.h"
#include "engine/views/json.h"
#include "engine/views/profile_trace.h"

namespace hlo {
namespace {

std::string Loop(const std::string& first, const std::string& bound, const std::string& direction,
                 const std::string& step) {
  return "c { s = (s32[]) parameter(0)  i = s32[] get-tuple-element(s), index=0  n = s32[] "
         "constant(" +
         bound + ")  ROOT r = pred[] compare(i, n), direction=" + direction +
         " }\nb { s = (s32[]) parameter(0)  i = s32[] get-tuple-element(s), index=0  k = s32[] " +
         "constant(" + step +
         ")  j = s32[] add(k, i)  ROOT r = (s32[]) tuple(j) }\nENTRY e { f = " + "s32[] constant(" +
         first + ")  t = (s32[]) tuple(f)  ROOT w = (s32[]) while(t), " + "condition=c, body=b }";
}

int64_t CountOf(const std::string& text) {
  const Document document(text);
  REQUIRE(document.ok());
  return TripCountOf(*document.module()->entry()->root()).value_or(-1);
}

TEST_CASE("trip counts of loops that count") {
  CHECK(CountOf(Loop("0", "10", "LT", "1")) == 10);
  CHECK(CountOf(Loop("0", "10", "LE", "1")) == 11);
  CHECK(CountOf(Loop("0", "10", "LT", "4")) == 3);
  CHECK(CountOf(Loop("10", "0", "GT", "-3")) == 4);
  CHECK(CountOf(Loop("10", "0", "GE", "-5")) == 3);
  CHECK(CountOf(Loop("0", "6", "NE", "2")) == 3);
  CHECK(CountOf(Loop("5", "5", "LT", "1")) == 0);
  // They go on until the counter wraps, or for ever.
  CHECK(CountOf(Loop("0", "5", "NE", "2")) == -1);
  CHECK(CountOf(Loop("0", "5", "LT", "-1")) == -1);
  CHECK(CountOf(Loop("0", "5", "LT", "0")) == -1);
  CHECK(CountOf(Loop("0", "5", "EQ", "1")) == -1);
  CHECK(CountOf(Loop("2147483640", "2147483647", "LT", "7")) == 1);
  CHECK(CountOf(Loop("2147483640", "2147483647", "LT", "5")) == -1);
  CHECK(CountOf(Loop("2147483640", "2147483647", "LE", "1")) == -1);
}

TEST_CASE("trip counts through conversions") {
  // The start of the loop, of 200 iterations if it is 100.
  const auto from = [](const std::string& start) {
    std::string text = Loop("100", "300", "LT", "1");
    const std::string made = "s32[] constant(100)";
    return text.replace(text.find(made), made.size(), start);
  };
  CHECK(CountOf(from("s32[] convert(s8[] constant(100))")) == 200);
  CHECK(CountOf(from("s32[] convert(u16[] constant(100))")) == 200);
  CHECK(CountOf(from("s32[] convert(s8[] convert(s32[] constant(100)))")) == -1);
  CHECK(CountOf(from("s32[] convert(u32[] constant(100))")) == -1);
  CHECK(CountOf(from("s32[] bitcast(f32[] constant(100))")) == -1);
}

TEST_CASE("machines have figures for every type") {
  for (const Machine& machine : KnownMachines()) {
    CAPTURE(machine.id);
    CHECK(machine.IsUsable());
    CHECK(!machine.source.empty());
    for (ElementType type : {ElementType::kF64, ElementType::kF32, ElementType::kBF16,
                             ElementType::kS8, ElementType::kC64, ElementType::kPred}) {
      CHECK(machine.PeakOf(type) > 0);
    }
  }
  CHECK(FindMachine("v5e")->PeakOf(ElementType::kBF16) == 197e12);
  CHECK(FindMachine("v5e")->PeakOf(ElementType::kS8) == 393e12);
  CHECK(FindMachine("h100")->PeakOf(ElementType::kF32) == 67e12);
  CHECK(FindMachine("a100")->bandwidth == 2039e9);
  CHECK(FindMachine("none") == nullptr);
}

TEST_CASE("the slower of operations and bytes bounds an instruction") {
  const Document document(
      "ENTRY e { a = f32[64,64] parameter(0)  d = f32[64,64] dot(a, a), lhs_contracting_dims={1}, "
      "rhs_contracting_dims={0}  ROOT n = f32[64,64] negate(d) }");
  REQUIRE(document.ok());
  const CostAnalysis costs(*document.module());
  // 2 x 64^3 operations, 3 x 16 KiB; 1 operation per byte is where they meet.
  Machine machine;
  machine.peak.bits32 = 1e6;
  machine.bandwidth = 1e6;
  const Roofline roofline(costs, machine);
  const Instruction& dot = *document.module()->entry()->Find("d");
  const Instruction& negate = *document.module()->entry()->Find("n");
  CHECK(roofline.Of(dot).bound == Bound::kCompute);
  CHECK(roofline.Of(dot).seconds == doctest::Approx(0.524288));
  CHECK(roofline.Of(negate).bound == Bound::kMemory);
  CHECK(roofline.Of(negate).seconds == doctest::Approx(0.032768));
  CHECK(roofline.total_seconds() == doctest::Approx(0.557056));
}

TEST_CASE("what is in the memory on a chip takes none of the time of its other memory") {
  const Document document(
      "ENTRY e { a = f32[1024] parameter(0)  s = f32[1024]{0:S(1)} copy(a)  "
      "n = f32[1024]{0:S(1)} negate(s)  ROOT r = f32[1024] abs(n) }");
  REQUIRE(document.ok());
  const CostAnalysis costs(*document.module());
  Machine machine;
  machine.peak.bits32 = 1e12;
  machine.bandwidth = 4096;
  // 4 KiB are read, and 4 KiB written, at 4 KiB a second; without such memory three times as much.
  CHECK(Roofline(costs, machine).total_seconds() == doctest::Approx(6));
  machine.has_vmem = true;
  const Roofline roofline(costs, machine);
  CHECK(roofline.total_seconds() == doctest::Approx(2));
  const Instruction& negate = *document.module()->entry()->Find("n");
  CHECK(roofline.Of(negate).bound == Bound::kCompute);
  CHECK(costs.Of(negate).cost.traffic.moved() == 8192);  // as XLA counts
  // No point lies above the roof: operations per byte are of the memory whose rate the roof has.
  const Instruction& abs = *document.module()->entry()->Find("r");
  CHECK(IntensityOn(machine, costs.Of(abs).cost) == 0.25);
  CHECK(IntensityOn(machine, costs.Of(negate).cost) == 0);
  machine.has_vmem = false;
  CHECK(IntensityOn(machine, costs.Of(abs).cost) == 0.125);
  CHECK(costs.NoteOn(negate).find("8 KiB of it in S(1)") == 0);
  // Fusing within that memory saves nothing of the other; fusing the last one with it does not,
  // either.
  CHECK(FindSavings(costs).empty());
}

TEST_CASE("padding is saved where it is written and read, not where an array is only named") {
  const Document document(
      "ENTRY e { a = s8[1000,300] parameter(0)  n = s8[1000,300]{1,0:T(32,128)(4,1)} copy(a)  "
      "ROOT t = (s8[1000,300]{1,0:T(32,128)(4,1)}) tuple(n) }");
  REQUIRE(document.ok());
  const std::vector<Saving> savings = FindSavings(CostAnalysis(*document.module()));
  REQUIRE(savings.size() == 1);
  CHECK(savings[0].kind == Saving::Kind::kLayout);
  // 1024 x 384 B, where the other order would take 304 x 1024: written once, and only named then.
  CHECK(savings[0].bytes == 1024 * 384 - 304 * 1024);
}

TEST_CASE("answers about costs are sorted, in windows, and find an instruction") {
  const Document document(
      "ENTRY e { a = f32[4] parameter(0)  b = f32[4] abs(a)  c = f32[8] concatenate(b, b), "
      "dimensions={0}  ROOT d = f32[8] exponential(c) }");
  const auto costs = CostsOf(document);
  REQUIRE(costs);
  const Json answer = ParseJson(
      CostJson(document, costs.get(),
               R"({"by":"read","begin":0,"count":2,"focus":{"name":"%b","computation":"e"}})"));
  CHECK(answer["count"] == 4);
  REQUIRE(answer["rows"].size() == 2);
  CHECK(answer["rows"][0]["name"] == "c");
  CHECK(answer["rows"][1]["name"] == "d");
  CHECK(answer["focus"]["index"] == 2);
  CHECK(answer["focus"]["row"]["flops"] == 4);
  CHECK(answer["focus"]["work"] == "1 per element of the result");
  const Json up = ParseJson(CostJson(document, costs.get(), R"({"by":"name","ascending":false})"));
  CHECK(up["rows"][0]["name"] == "a");
  // Nonsense is as if nothing was said.
  for (const char* bad : {"", "[]", "{\"machine\":7}", "{\"machine\":{\"bandwidth\":-1}}",
                          "{\"by\":3,\"focus\":1,\"begin\":-5}"}) {
    CAPTURE(bad);
    CHECK(ParseJson(CostJson(document, costs.get(), bad))["machine"]["id"] == "v5e");
  }
  const Document none("not a program");
  CHECK(ParseJson(CostJson(none, nullptr, "{}"))["ok"] == false);
}

TEST_CASE("measured times become a tree and trace events") {
  const Json plan = ParseJson(
      R"({"islands":[{"seconds":10}],"steps":[{"shown":"a","computation":"e","seconds":1},)"
      R"({"shown":"b","computation":"body","seconds":6,"times":3},)"
      R"({"shown":"c","computation":"e","seconds":2}],"executor":null})");
  const Json tree = ProfileTreeJson(plan);
  CHECK(tree["seconds"] == 10);
  REQUIRE(tree["nodes"].size() == 7);
  CHECK(tree["nodes"][1]["name"] == "body");
  CHECK(tree["nodes"][3]["name"] == "e");
  CHECK(tree["nodes"][3]["begin"] == 6);
  CHECK(tree["nodes"][4]["name"] == "c");
  CHECK(tree["nodes"][4]["parent"] == 3);
  // Nine of ten seconds are of steps.
  CHECK(tree["nodes"][6]["parent"] == 0);
  CHECK(tree["nodes"][6]["begin"] == 9);
  CHECK(tree["nodes"][6]["seconds"] == 1);
  const Json trace = ParseJson(ProfileTraceText(plan));
  int complete = 0;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] != "X") continue;
    ++complete;
    CHECK(event["dur"] >= 0);
    CHECK(event["ts"].get<double>() + event["dur"].get<double>() <= 10e6);
  }
  CHECK(complete == 7);
  CHECK(ProfileTreeJson(ParseJson("[]"))["nodes"].empty());
  CHECK(ProfileTreeJson(ParseJson(R"({"steps":[7,{"seconds":"x"}]})"))["seconds"] == 0);
}

}  // namespace
}  // namespace hlo
