// engine/precision: expected results, runs with other inputs, programs in other dialects, and where
// control flow parts.
#include <memory>
#include <string>

#include "doctest/doctest.h"
#include "engine/views/convert_view.h"
#include "engine/views/precision_view.h"
#include "tests/all_targets.h"

namespace hlo {
namespace {

PrecisionView RunAgainst(const std::string& text, const PrecisionReference& reference,
                         const RunRequest& request = {}) {
  return MakePrecisionView(std::make_shared<const Document>(text), reference, request);
}

const InstructionError* FindError(const PrecisionView& view, std::string_view computation,
                                  std::string_view name) {
  for (const InstructionError& each : view.report.instructions) {
    if (each.first->name() == name && each.first->parent()->name() == computation) return &each;
  }
  return nullptr;
}

PrecisionReference Expecting(std::string text, std::vector<int64_t> path = {}) {
  PrecisionReference reference;
  reference.expected.push_back({std::move(path), std::move(text), std::nullopt});
  return reference;
}

constexpr char kPairOfArrays[] = R"(ENTRY e {
  a = bf16[4] constant({0.1, 0.2, 0.3, 0.4})
  b = s32[2] constant({7, 9})
  ROOT t = (bf16[4], s32[2]) tuple(a, b)
})";

TEST_CASE("precision: a result against what it should be, written more precisely") {
  const PrecisionView view = RunAgainst(kPairOfArrays, Expecting("{0.1, 0.2, 0.3, 0.4}", {0}));
  REQUIRE(view.ok);
  REQUIRE(view.report.arrays.size() == 1);
  const ValueError& error = view.report.arrays[0].error;
  CHECK(error.differing == 4);
  CHECK(error.ulp <= 0.5);
  REQUIRE(error.worst_elements.size() == 4);
  CHECK(error.worst_elements[0].index[0] == 2);
  CHECK(error.worst_elements[0].second == 0.3);
  CHECK(error.worst_elements[0].ulp == doctest::Approx(0.4));
  CHECK(error.worst_elements[1].ulp <= error.worst_elements[0].ulp);
}

TEST_CASE("precision: expected tuples, types, integers") {
  const PrecisionView exact =
      RunAgainst(kPairOfArrays, Expecting("(bf16[4] {0.1, 0.2, 0.3, 0.4}, s32[2] {7, 9})"));
  REQUIRE(exact.ok);
  CHECK(PrecisionSummary(exact) == "result: no element differs");
  const PrecisionView off = RunAgainst(kPairOfArrays, Expecting("{7, 8}", {1}));
  REQUIRE(off.report.arrays.size() == 1);
  CHECK(off.report.arrays[0].error.worst_elements[0].first == 9);
  CHECK(off.report.arrays[0].error.absolute == 1);
  CHECK(PrecisionSummary(off).find("at {1}[1]: 9, expected 8") != std::string::npos);
}

TEST_CASE("precision: what cannot be expected is refused in words") {
  const auto fault = [](const PrecisionReference& reference) {
    const PrecisionView view = RunAgainst(kPairOfArrays, reference);
    CHECK_FALSE(view.ok);
    REQUIRE_FALSE(view.faults.list().empty());
    return std::string(view.faults.list().front().message);
  };
  CHECK(fault(Expecting("f32[3] {1, 2, 3}", {0})) ==
        "the expected value of element {0}: it is f32[3], but the result is bf16[4]");
  CHECK(fault(Expecting("{1, 2}", {0})).find("expects 4 elements") != std::string::npos);
  CHECK(fault(Expecting("1", {2})) ==
        "the expected value of element {2}: the result is (bf16[4], s32[2])");
  CHECK(fault(Expecting(" ", {0})).find("nothing is given") != std::string::npos);
  PrecisionReference file;
  file.expected.push_back({{0}, "", std::vector<std::byte>(7)});
  CHECK(fault(file).starts_with("the expected value of element {0}: "));
  file.expected[0].path.clear();
  CHECK(fault(file).find("say which element") != std::string::npos);
}

TEST_CASE("precision: integers of 64 bits that f64 cannot tell apart differ") {
  const PrecisionView view = RunAgainst("ENTRY e { ROOT c = s64[] constant(9007199254740993) }",
                                        Expecting("s64[] 9007199254740992"));
  REQUIRE(view.report.results.size() == 1);
  CHECK(view.report.results[0].differing == 1);
  CHECK(view.report.results[0].absolute == 1);
}

constexpr char kTwoParameters[] = R"(ENTRY e {
  p = f32[4] parameter(0)
  q = f32[4] parameter(1)
  n = f32[4] negate(p)
  ROOT r = f32[4] add(n, q)
})";

TEST_CASE("precision: the same program on other inputs, and with another seed") {
  RunRequest request;
  request.inputs = {"{1, 2, 3, 4}", "{1, 1, 1, 1}"};
  PrecisionReference reference;
  reference.changes.emplace().given.inputs = {"", "{1, 1, 2, 1}"};
  const PrecisionView view = RunAgainst(kTwoParameters, reference, request);
  REQUIRE(view.ok);
  CHECK(view.other_name == "the other run");
  CHECK(view.report.results[0].differing == 1);
  CHECK(view.report.results[0].index[0] == 2);
  CHECK(FindError(view, "e", "p")->worst.differing == 0);
  CHECK(FindError(view, "e", "q")->worst.differing == 1);

  PrecisionReference seeded;
  seeded.changes.emplace().seed = 5;
  CHECK(RunAgainst(kTwoParameters, seeded).report.results[0].differing == 4);
  seeded.changes->seed = 0;
  CHECK(RunAgainst(kTwoParameters, seeded).report.results[0].differing == 0);
}

TEST_CASE("precision: the same program on another number of devices") {
  constexpr char kSum[] = R"(
add { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT s = f32[] add(x, y) }
ENTRY e {
  p = f32[] constant(1)
  ROOT r = f32[] all-reduce(p), replica_groups={}, to_apply=add
})";
  RunRequest request;
  request.options.replicas = 2;
  PrecisionReference reference;
  reference.changes.emplace().replicas = 4;
  const PrecisionView view = RunAgainst(kSum, reference, request);
  REQUIRE(view.report.results.size() == 2);
  CHECK(view.report.results[1].worst_first == 2);
  CHECK(view.report.results[1].worst_second == 4);
}

TEST_CASE("precision: the same program as HLO and as StableHLO has no error, value by value") {
  constexpr char kText[] = R"(HloModule m
add { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT s = f32[] add(x, y) }
cond {
  s = (s32[], f32[8]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(5)
  ROOT less = pred[] compare(i, n), direction=LT
}
body {
  s = (s32[], f32[8]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  v = f32[8] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  w = f32[8] tanh(v)
  ROOT t = (s32[], f32[8]) tuple(j, w)
}
ENTRY e {
  p = f32[8] parameter(0)
  z = s32[] constant(0)
  zero = f32[] constant(0)
  t = (s32[], f32[8]) tuple(z, p)
  l = (s32[], f32[8]) while(t), condition=cond, body=body
  v = f32[8] get-tuple-element(l), index=1
  x = f32[8] exponential(v)
  ROOT r = f32[] reduce(x, zero), dimensions={0}, to_apply=add
})";
  const auto document = std::make_shared<const Document>(kText);
  const ConvertView other = ConvertDocument(*document, TextKind::kMlir);
  REQUIRE(other.ok);
  PrecisionReference reference;
  reference.other = std::make_shared<const Document>(other.text);
  REQUIRE(reference.other->ok());
  const PrecisionView view = MakePrecisionView(document, reference, {});
  REQUIRE(view.ok);
  CHECK(PrecisionText(view).starts_with("result: no element differs\n"));
  CHECK(view.report.not_compared == 0);
  for (const auto& [computation, name, times] :
       {std::tuple("body", "w", 5), std::tuple("e", "x", 1), std::tuple("e", "r", 1)}) {
    const InstructionError* const error = FindError(view, computation, name);
    REQUIRE(error);
    CHECK(error->compared == times);
    CHECK(error->worst.differing == 0);
  }
}

// A loop whose state grows by a step, and a computation that loop and entry both call.
std::string LoopCalling(const std::string& step, const std::string& limit) {
  return R"(
f { x = bf16[] parameter(0)  ROOT y = bf16[] multiply(x, x) }
cond {
  s = (bf16[], s32[]) parameter(0)
  v = bf16[] get-tuple-element(s), index=0
  n = bf16[] constant()" +
         limit + R"()
  ROOT less = pred[] compare(v, n), direction=LT
}
body {
  s = (bf16[], s32[]) parameter(0)
  v = bf16[] get-tuple-element(s), index=0
  i = s32[] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  step = bf16[] constant()" +
         step + R"()
  q = bf16[] call(v), to_apply=f
  w = bf16[] add(v, step)
  ROOT t = (bf16[], s32[]) tuple(w, j)
}
ENTRY e {
  z = bf16[] constant(0)
  k = s32[] constant(0)
  t = (bf16[], s32[]) tuple(z, k)
  l = (bf16[], s32[]) while(t), condition=cond, body=body
  n = s32[] get-tuple-element(l), index=1
  g = bf16[] constant(3)
  ROOT h = bf16[] call(g), to_apply=f
})";
}

TEST_CASE("precision: where a loop ends earlier in one of the runs, and what follows") {
  const PrecisionView view = RunAgainst(LoopCalling("0.1001", "14"), {});
  REQUIRE(view.ok);
  REQUIRE(view.report.parted == 1);
  const Parting& parting = view.report.partings[0];
  CHECK(parting.instruction->name() == "l");
  CHECK(parting.first + parting.second == 1);
  CHECK(PrecisionText(view).find("control flow parts at l (line 22): after ") != std::string::npos);
  // What both call is compared with itself: the call of the entry is exact, in spite of the calls
  // of the iterations that only one of the runs has.
  CHECK(view.report.results[0].differing == 0);
  const InstructionError* const call = FindError(view, "e", "h");
  REQUIRE(call);
  CHECK(call->worst.differing == 0);
  const InstructionError* const called = FindError(view, "f", "y");
  CHECK(called->compared == parting.iteration + 1);
  CHECK(called->first_count != called->second_count);
}

TEST_CASE("precision: loops of very different lengths keep what follows paired") {
  PrecisionReference reference;
  reference.other = std::make_shared<const Document>(LoopCalling("0.001", "2"));
  // 20 iterations, and thousands: bf16 stalls at 0.25, so the limit has to be below.
  reference.other = std::make_shared<const Document>(LoopCalling("0.0009765625", "0.2"));
  const PrecisionView view = RunAgainst(LoopCalling("0.01", "0.2"), reference);
  REQUIRE(view.ok);
  CHECK(view.report.parted == 1);
  REQUIRE(FindError(view, "e", "h"));
  CHECK(FindError(view, "e", "h")->compared == 1);
  CHECK(view.report.results[0].differing == 0);
}

TEST_CASE("precision: a conditional that takes another branch") {
  const PrecisionView view = RunAgainst(R"(
f { x = f32[] parameter(0)  ROOT y = f32[] multiply(x, x) }
a { x = f32[] parameter(0)  ROOT y = f32[] call(x), to_apply=f }
b { x = f32[] parameter(0)  n = f32[] negate(x)  ROOT y = f32[] call(n), to_apply=f }
ENTRY e {
  c = f32[] constant(1.0000001)
  h = bf16[] convert(c)
  i = f32[] convert(h)
  one = f32[] constant(1)
  p = pred[] compare(i, one), direction=GT
  k = f32[] conditional(p, c, c), true_computation=a, false_computation=b
  ROOT r = f32[] call(c), to_apply=f
})",
                                        {});
  REQUIRE(view.ok);
  REQUIRE(view.report.partings.size() == 1);
  CHECK(view.report.partings[0].instruction->name() == "k");
  CHECK(view.report.partings[0].first == 1);
  CHECK(view.report.partings[0].second == 0);
  CHECK(PrecisionText(view).find("control flow parts at k (line 11): branch 1, and branch 0 in the "
                                 "program in f64") != std::string::npos);
  // Of the calls of f that of the entry alone.
  CHECK(FindError(view, "f", "y")->compared == 1);
}

TEST_CASE("precision: the error along the run has a bounded number of points, in order") {
  const PrecisionView view = RunAgainst(LoopCalling("0.0009765625", "0.24"), {});
  const auto& growth = view.report.growth;
  REQUIRE(growth.size() > 1000);
  CHECK(growth.size() <= Growth::kMostPoints);
  int64_t next = 0;
  for (const GrowthPoint& point : growth) {
    CHECK(point.begin == next);
    next += point.count;
    CHECK(point.instruction);
  }
  CHECK(growth.back().count >= 1);
}

}  // namespace
}  // namespace hlo
