// Islands: what golden files, which all run through them several times, cannot say.
#include "doctest/doctest.h"
#include "engine/plan/island.h"
#include "engine/run/executor.h"
#include "tests/unit/program_cases.h"

namespace hlo {
namespace {

// The kinds of the entry's steps; nothing if it is no island.
std::vector<IslandStep::Kind> KindsOf(const std::string& text) {
  auto module = Parse(text);
  Plan plan(*module, nullptr, /*joins_loops=*/true);
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

TEST_CASE("islands: tuples and parameters are no steps") {
  using Kind = IslandStep::Kind;
  CHECK(KindsOf(kVectorLoop) == std::vector<Kind>{Kind::kOperation, Kind::kWhile});
  CHECK(KindsOf("ENTRY e { x = f32[2,3] parameter(0)  r = f32[6] reshape(x)\n"
                "ROOT n = f32[6] reverse(r), dimensions={0} }") ==
        std::vector<Kind>{Kind::kShare, Kind::kOperation});
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

TEST_CASE("islands: executions from the third on take no memory but for what they return") {
  auto module = Parse(kVectorLoop);
  Budget budget;
  Executor executor(*module, {}, &budget, nullptr);
  REQUIRE(executor.RunsOnArrays());
  const auto x = Buffer::Allocate(256, &budget);
  std::fill_n(reinterpret_cast<float*>(x->data()), 64, 3.0f);
  IslandRunner::Buffers arguments, results;
  uint64_t used = 0;
  for (int i = 0; i < 6; ++i) {
    arguments = {x};
    budget.Restart();
    REQUIRE(executor.RunArrays(&arguments, &results) == Executor::Status::kDone);
    REQUIRE(results.size() == 1);
    CHECK(*reinterpret_cast<const float*>(results[0]->data()) == doctest::Approx(1.0));
    CHECK(*reinterpret_cast<const float*>(x->data()) == 3.0f);
    if (i == 2) used = budget.memory_used();
    if (i > 2) CHECK(budget.memory_used() == used);
  }
}

TEST_CASE("islands: the array of the last run is written again if nobody else holds it") {
  auto module = Parse(
      "ENTRY e { x = f32[64] parameter(0)  y = f32[64] parameter(1)\n"
      "ROOT s = f32[64] add(x, y) }");
  Budget budget;
  Executor executor(*module, {}, &budget, nullptr);
  REQUIRE(executor.RunsOnArrays());
  const auto x = Buffer::Allocate(256, &budget);
  std::fill_n(reinterpret_cast<float*>(x->data()), 64, 3.0f);
  IslandRunner::Buffers arguments, results;
  const auto run = [&] {
    arguments = {x, x};
    REQUIRE(executor.RunArrays(&arguments, &results) == Executor::Status::kDone);
    CHECK(*reinterpret_cast<const float*>(results[0]->data()) == 6.0f);
    return results[0]->data();
  };
  const std::byte* const first = run();
  CHECK(run() == first);
  const auto held = results[0];
  CHECK(run() != first);
}

TEST_CASE("islands: a failed run leaves nothing behind, and names where it was") {
  auto module = Parse(kVectorLoop);
  Budget budget({.steps = 200});
  Executor executor(*module, {}, &budget, nullptr);
  const auto x = Buffer::Allocate(256, &budget);
  for (int i = 0; i < 3; ++i) {
    IslandRunner::Buffers arguments = {x}, results;
    budget.Restart();
    REQUIRE(executor.RunsOnArrays());
    CHECK(executor.RunArrays(&arguments, &results) == Executor::Status::kFailed);
    CHECK(executor.failure().code == DiagCode::kStepsExceeded);
    REQUIRE(executor.failure().stack.size() == 2);
    CHECK(executor.failure().stack[0]->name() == "w");
  }
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
