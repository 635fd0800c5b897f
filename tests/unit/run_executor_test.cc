// Stepping, limits, failures, in-place updates: what golden files cannot say.
#include <memory>
#include <string>

#include "doctest/doctest.h"
#include "engine/run/executor.h"
#include "engine/views/document.h"
#include "tests/unit/program_cases.h"

namespace hlo {
namespace {

constexpr char kLongLoop[] = R"(
cond { i = s32[] parameter(0)  n = s32[] constant(1000)  ROOT lt = pred[] compare(i, n), direction=LT }
body { i = s32[] parameter(0)  one = s32[] constant(1)  ROOT next = s32[] add(i, one) }
ENTRY e { z = s32[] constant(0)  ROOT w = s32[] while(z), condition=cond, body=body }
)";

// A while loop that writes one element of a large array per iteration.
std::string RowLoop(int64_t size, int64_t iterations) {
  const std::string array = "f32[" + std::to_string(size) + "]";
  const std::string state = "(s32[], " + array + ")";
  return "cond { s = " + state +
         " parameter(0)  i = s32[] get-tuple-element(s), index=0\n n = s32[] constant(" +
         std::to_string(iterations) + ")  ROOT lt = pred[] compare(i, n), direction=LT }\n" +
         "body { s = " + state +
         " parameter(0)  i = s32[] get-tuple-element(s), index=0\n x = " + array +
         " get-tuple-element(s), index=1\n u = f32[1] constant({1})\n y = " + array +
         " dynamic-update-slice(x, u, i)\n one = s32[] constant(1)  j = s32[] add(i, one)\n ROOT t "
         "= " +
         state + " tuple(j, y) }\n" +
         "ENTRY e { z = s32[] constant(0)  f = f32[] constant(0)\n a = " + array +
         " broadcast(f), dimensions={}\n init = " + state + " tuple(z, a)\n ROOT w = " + state +
         " while(init), condition=cond, body=body }\n";
}

TEST_CASE("steps one instruction at a time") {
  auto module =
      Parse("ENTRY e { a = s32[] constant(1)  b = s32[] add(a, a)  ROOT c = s32[] negate(b) }");
  Budget budget;
  Executor executor(*module, {}, &budget, nullptr);
  CHECK(executor.Start({}) == Executor::Status::kRunning);
  for (const char* name : {"a", "b", "c"}) {
    REQUIRE(executor.next());
    CHECK(executor.next()->name() == name);
    executor.Step();
  }
  CHECK(executor.status() == Executor::Status::kDone);
  CHECK(executor.next() == nullptr);
  CHECK(*executor.result().tensor().data<int32_t>() == -2);
  CHECK(budget.steps_used() == 3);
  CHECK(executor.Step() == Executor::Status::kDone);
}

TEST_CASE("a size that is left open is said, and is no fault of the engine") {
  const Document document(
      "ENTRY e { a = s32[2] constant({1,2})  b = s32[?] copy(a)  ROOT t = (s32[?]) tuple(b) }");
  REQUIRE(document.ok());
  Budget budget;
  Executor executor(*document.module(), {}, &budget, nullptr);
  executor.Start({});
  CHECK(executor.Run() == Executor::Status::kFailed);
  CHECK(executor.failure().code == DiagCode::kNotExecutable);
  CHECK(executor.failure().message.find("s32[?] leaves a size open") != std::string::npos);
}

TEST_CASE("runs to an instruction, again and again") {
  auto module = Parse(kLongLoop);
  const Instruction* add = module->FindComputation("body")->Find("next");
  Budget budget;
  RunOptions options;
  options.join_loops = false;
  Executor executor(*module, options, &budget, nullptr);
  executor.Start({});
  int stops = 0;
  while (executor.RunTo(*add) == Executor::Status::kRunning) {
    CHECK(executor.next() == add);
    ++stops;
  }
  CHECK(stops == 1000);
  CHECK(*executor.result().tensor().data<int32_t>() == 1000);
}

TEST_CASE("a run can be started again") {
  auto module = Parse(kLongLoop);
  Budget budget;
  Executor executor(*module, {}, &budget, nullptr);
  for (int round = 0; round < 2; ++round) {
    executor.Start({});
    for (int i = 0; i < 10; ++i) executor.Step();
  }
  executor.Start({});
  CHECK(executor.Run() == Executor::Status::kDone);
}

TEST_CASE("cancel, time and step limits end a loop and name where it was") {
  auto module = Parse(
      "c { i = s32[] parameter(0)  ROOT t = pred[] constant(true) }\n"
      "b { ROOT i = s32[] parameter(0) }\n"
      "ENTRY e { z = s32[] constant(0)  ROOT w = s32[] while(z), condition=c, body=b }");
  auto fails_with = [&](Budget::Limits limits, bool cancel) {
    Budget budget(limits);
    if (cancel) budget.Cancel();
    Executor executor(*module, {}, &budget, nullptr);
    executor.Start({});
    CHECK(executor.Run() == Executor::Status::kFailed);
    CHECK(executor.Run() == Executor::Status::kFailed);
    REQUIRE(executor.failure().stack.size() >= 1);
    CHECK(executor.failure().stack.front()->name() == "w");
    return executor.failure().code;
  };
  CHECK(fails_with({.steps = 500}, false) == DiagCode::kStepsExceeded);
  CHECK(fails_with({.seconds = 0.02}, false) == DiagCode::kTimeExceeded);
  CHECK(fails_with({}, true) == DiagCode::kCancelled);
}

TEST_CASE("a failure in a computation notes its callers") {
  auto module = Parse(
      "f { p = f32[] parameter(0)  ROOT b = f32[1000] broadcast(p), dimensions={} }\n"
      "ENTRY e { z = f32[] constant(0)  ROOT c = f32[1000] call(z), to_apply=f }");
  Budget budget({.memory_bytes = 1000});
  Executor executor(*module, {}, &budget, nullptr);
  executor.Start({});
  REQUIRE(executor.Run() == Executor::Status::kFailed);
  Diagnostics diagnostics;
  ReportFailure(executor.failure(), diagnostics);
  REQUIRE(diagnostics.size() == 1);
  const Diagnostic& diagnostic = diagnostics.list()[0];
  CHECK(diagnostic.code == DiagCode::kMemoryExceeded);
  CHECK(diagnostic.message.find("b (broadcast f32[1000])") == 0);
  CHECK(diagnostic.range == module->FindComputation("f")->Find("b")->places().whole);
  REQUIRE(diagnostic.notes.size() == 1);
  CHECK(diagnostic.notes[0].message == "called from c (call)");
}

TEST_CASE("a loop updates its array in place and holds it once") {
  const int64_t size = 1 << 18;
  auto module = Parse(RowLoop(size, 5000));
  // Room for one array and the small things, not for two.
  Budget budget({.memory_bytes = static_cast<uint64_t>(4 * size + 4 * size / 2)});
  Executor executor(*module, {}, &budget, nullptr);
  executor.Start({});
  const Executor::Status status = executor.Run();
  if (status == Executor::Status::kFailed) FAIL(executor.failure().message);
  const Tensor& array = executor.result().elements()[1].tensor();
  CHECK(array.data<float>()[4999] == 1);
  CHECK(array.data<float>()[5000] == 0);
}

TEST_CASE("values are freed after their last use") {
  std::string text =
      "ENTRY e {\n x0 = f32[] parameter(0)\n y0 = f32[1000] broadcast(x0), dimensions={}\n";
  for (int i = 1; i < 100; ++i) {
    const std::string n = std::to_string(i);
    text += " y" + n + " = f32[1000] transpose(y" + std::to_string(i - 1) + "), dimensions={0}\n";
  }
  text += " ROOT r = f32[1000] negate(y99)\n}";
  auto module = Parse(text);
  Budget budget({.memory_bytes = 20000});
  Executor executor(*module, {}, &budget, nullptr);
  executor.Start({Value(Tensor::Scalar<float>(2))});
  CHECK(executor.Run() == Executor::Status::kDone);
}

TEST_CASE("regions that do not compile are interpreted") {
  auto module = Parse(R"(
twice { a = s32[] parameter(0)  ROOT b = s32[] add(a, a) }
f { a = s32[] parameter(0)  b = s32[] parameter(1)
  p = pred[] compare(a, b), direction=LT
  ROOT r = s32[] conditional(p, b, a), true_computation=twice, false_computation=twice }
ENTRY e { c = s32[3] constant({5,1,7})  d = s32[3] constant({4,4,4})  ROOT m = s32[3] map(c, d), dimensions={0}, to_apply=f }
)");
  Budget budget;
  Executor executor(*module, {}, &budget, nullptr);
  executor.Start({});
  executor.Run();
  if (executor.status() == Executor::Status::kFailed) FAIL(executor.failure().message);
  const Tensor& result = executor.result().tensor();
  CHECK(result.data<int32_t>()[0] == 10);
  CHECK(result.data<int32_t>()[1] == 8);
  CHECK(result.data<int32_t>()[2] == 14);
}

TEST_CASE("deep call chains do not use the C++ stack") {
  std::string text = "f_0 { ROOT x = s32[] parameter(0) }\n";
  const int depth = 20000;
  for (int i = 1; i < depth; ++i) {
    text += "f_" + std::to_string(i) +
            " { x = s32[] parameter(0)  ROOT c = s32[] call(x), to_apply=f_" +
            std::to_string(i - 1) + " }\n";
  }
  text += "ENTRY e { x = s32[] constant(3)  ROOT c = s32[] call(x), to_apply=f_" +
          std::to_string(depth - 1) + " }\n";
  auto module = Parse(text);
  Budget budget;
  Executor executor(*module, {}, &budget, nullptr);
  executor.Start({});
  CHECK(executor.Run() == Executor::Status::kDone);
  CHECK(*executor.result().tensor().data<int32_t>() == 3);
}

}  // namespace
}  // namespace hlo
