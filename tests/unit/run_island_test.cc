// Islands: what golden files, which all run through them several times, cannot say.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "doctest/doctest.h"
#include "engine/plan/island.h"
#include "engine/run/executor.h"
#include "engine/views/target_families.h"
#include "tests/unit/program_cases.h"

namespace hlo {
namespace {

// The kinds of the entry's steps; nothing if it is no island.
std::vector<IslandStep::Kind> KindsOf(const std::string& text) {
  auto module = Parse(text);
  Plan plan(*module, &BuiltInTargets(), /*joins_loops=*/true);
  Islands islands(&plan);
  std::vector<IslandStep::Kind> kinds;
  if (const Island* island = islands.Of(*module->entry())) {
    for (const IslandStep& step : island->steps) kinds.push_back(step.kind);
  }
  return kinds;
}

constexpr char kVectorLoop[] = R"(
condition {
  s = (s32[], f32[64]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(100)
  ROOT less = pred[] compare(i, n), direction=LT
}
body {
  s = (s32[], f32[64]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[64] get-tuple-element(s), index=1
  one = s32[] constant(1)
  next = s32[] add(i, one)
  c = f32[] constant(0.5)
  cs = f32[64] broadcast(c), dimensions={}
  m = f32[64] multiply(x, cs)
  y = f32[64] add(m, cs)
  ROOT t = (s32[], f32[64]) tuple(next, y)
}
ENTRY e {
  x = f32[64] parameter(0)
  zero = s32[] constant(0)
  s = (s32[], f32[64]) tuple(zero, x)
  w = (s32[], f32[64]) while(s), condition=condition, body=body
  ROOT y = f32[64] get-tuple-element(w), index=1
}
)";

TEST_CASE("islands: custom-calls that mark values, compute elements or run a computation") {
  using Kind = IslandStep::Kind;
  const auto of = [](const std::string& call, const std::string& before = "") {
    return KindsOf(
        "f { x = f32[6] parameter(0)  ROOT r = f32[6] reverse(x), dimensions={0} }\n"
        "ENTRY e { x = f32[6] parameter(0)  " +
        before + "ROOT r = " + call + " }");
  };
  // What only marks a value is the value.
  for (const char* mark : {"custom-call(x), custom_call_target=\"Sharding\"", "opt-barrier(x)"}) {
    CHECK(of("f32[6] reverse(m), dimensions={0}", std::string("m = f32[6] ") + mark + "  ") ==
          std::vector<Kind>{Kind::kOperation});
  }
  for (const char* target : {"chlo.acos", "chlo.lgamma"}) {
    CHECK(of(std::string("f32[6] custom-call(x), custom_call_target=\"") + target + "\"") ==
          std::vector<Kind>{Kind::kElements});
  }
  for (const char* by : {"called_computations={f}", "to_apply=f"}) {
    CHECK(of(std::string("f32[6] custom-call(x), custom_call_target=\"xla_builder.f\", ") + by) ==
          std::vector<Kind>{Kind::kCall});
  }
  // A shard that is not the whole array, a computation that takes no operand, another target.
  CHECK(of("f32[3] custom-call(x), custom_call_target=\"SPMDFullToShardShape\"").empty());
  CHECK(of("f32[6] custom-call(), custom_call_target=\"HostExecute\", to_apply=f").empty());
  CHECK(of("f32[6] custom-call(x), custom_call_target=\"Unknown\"").empty());
}

TEST_CASE("islands: tuples and parameters are no steps") {
  using Kind = IslandStep::Kind;
  CHECK(KindsOf(kVectorLoop) == std::vector<Kind>{Kind::kOperation, Kind::kWhile});
  CHECK(KindsOf("ENTRY e { x = f32[2,3] parameter(0)  r = f32[6] reshape(x)\n"
                "ROOT n = f32[6] reverse(r), dimensions={0} }") ==
        std::vector<Kind>{Kind::kShare, Kind::kOperation});
  // Whatever only gives an array in order other dimensions.
  CHECK(KindsOf("ENTRY e { x = f32[2,1,3] parameter(0)\n"
                "ROOT t = f32[1,2,3] transpose(x), dimensions={1,0,2} }") ==
        std::vector<Kind>{Kind::kShare});
  CHECK(KindsOf("ENTRY e { x = f32[6] parameter(0)  ROOT n = f32[6] negate(x) }") ==
        std::vector<Kind>{Kind::kElements});
}

TEST_CASE("islands: not with sizes of run time, other devices or calls that are not known") {
  CHECK(KindsOf("ENTRY e { x = f32[<=4] parameter(0)  ROOT n = f32[<=4] negate(x) }").empty());
  CHECK(KindsOf("ENTRY e { x = f32[4] parameter(0)\n"
                "ROOT c = f32[4] custom-call(x), custom_call_target=\"f\" }")
            .empty());
  CHECK(KindsOf("ENTRY e { x = f32[4] parameter(0)  t = token[] after-all()\n"
                "ROOT o = token[] outfeed(x, t) }")
            .empty());
}

/// A program that runs on arrays, and one of 64 elements, all of them 3.
struct OnArrays {
  std::unique_ptr<Module> module;
  Budget budget;
  Executor executor;
  std::shared_ptr<Buffer> x = Buffer::Allocate(256, &budget);
  IslandRunner::Buffers results = {};

  explicit OnArrays(const std::string& text, Budget::Limits limits = {})
      : module(Parse(text)), budget(limits), executor(*module, {}, &budget, nullptr) {
    REQUIRE(executor.RunsOnArrays());
    std::fill_n(reinterpret_cast<float*>(x->data()), 64, 3.0f);
  }
  Executor::Status Run(IslandRunner::Buffers arguments) {
    budget.Restart();
    return executor.RunArrays(&arguments, &results);
  }
  float first() const { return *reinterpret_cast<const float*>(results.at(0)->data()); }
};

TEST_CASE("islands: executions from the third on take no memory but for what they return") {
  OnArrays loop(kVectorLoop);
  uint64_t used = 0;
  for (int i = 0; i < 6; ++i) {
    REQUIRE(loop.Run({loop.x}) == Executor::Status::kDone);
    REQUIRE(loop.results.size() == 1);
    CHECK(loop.first() == doctest::Approx(1.0));
    CHECK(*reinterpret_cast<const float*>(loop.x->data()) == 3.0f);
    if (i == 2) used = loop.budget.memory_used();
    if (i > 2) CHECK(loop.budget.memory_used() == used);
  }
}

TEST_CASE("islands: the array of the last run is written again if nobody else holds it") {
  OnArrays sum(
      "ENTRY e { x = f32[64] parameter(0)  y = f32[64] parameter(1)\n"
      "ROOT s = f32[64] add(x, y) }");
  const auto run = [&] {
    REQUIRE(sum.Run({sum.x, sum.x}) == Executor::Status::kDone);
    CHECK(sum.first() == 6.0f);
    return sum.results[0]->data();
  };
  const std::byte* const first = run();
  CHECK(run() == first);
  const auto held = sum.results[0];
  CHECK(run() != first);
}

TEST_CASE("islands: a failed run leaves nothing behind, and names where it was") {
  OnArrays loop(kVectorLoop, {.steps = 200});
  for (int i = 0; i < 3; ++i) {
    CHECK(loop.Run({loop.x}) == Executor::Status::kFailed);
    CHECK(loop.executor.failure().code == DiagCode::kStepsExceeded);
    REQUIRE(loop.executor.failure().stack.size() == 2);
    CHECK(loop.executor.failure().stack[0]->name() == "w");
  }
}

TEST_CASE("islands: a conditional chooses as it does elsewhere") {
  const auto branches = [](const char* selector, const char* text) {
    return std::string(
               "a { x = f32[64] parameter(0)  ROOT n = f32[64] negate(x) }\n"
               "b { x = f32[64] parameter(0)  ROOT s = f32[64] add(x, x) }\n"
               "ENTRY e { x = f32[64] parameter(0)  p = ") +
           selector + "  ROOT c = f32[64] conditional(p, x, x), " + text + " }";
  };
  const std::string numbered = "branch_computations={a, b}";
  for (const auto& [number, wanted] :
       {std::pair{"0", -3.0f}, {"1", 6.0f}, {"7", 6.0f}, {"-1", 6.0f}}) {
    OnArrays chosen(
        branches((std::string("s32[] constant(") + number + ")").c_str(), numbered.c_str()));
    REQUIRE(chosen.Run({chosen.x}) == Executor::Status::kDone);
    CHECK(chosen.first() == wanted);
  }
  // In the other order: attributes are a set.
  OnArrays truth(branches("pred[] constant(false)", "false_computation=b, true_computation=a"));
  REQUIRE(truth.Run({truth.x}) == Executor::Status::kDone);
  CHECK(truth.first() == 6.0f);
}

TEST_CASE("islands: a step of an executor is an instruction, also after a run") {
  auto module =
      Parse("ENTRY e { a = s32[] constant(1)  b = s32[] add(a, a)  ROOT c = s32[] negate(b) }");
  Budget budget;
  Executor executor(*module, {}, &budget, nullptr);
  executor.Start({});
  CHECK(executor.Run() == Executor::Status::kDone);
  executor.Start({});
  executor.Step();
  REQUIRE(executor.next());
  CHECK(executor.next()->name() == "b");
  CHECK(executor.Run() == Executor::Status::kDone);
  CHECK(*executor.result().tensor().data<int32_t>() == -2);
}

}  // namespace
}  // namespace hlo
