// A program that cannot fit in memory is not started, and the message says what lives at the peak.
#include <string>

#include "doctest/doctest.h"
#include "engine/run/executor.h"
#include "engine/run/fill.h"
#include "engine/run/inputs.h"
#include "tests/unit/program_cases.h"

namespace hlo {
namespace {

// Products of matrices of 40,000 bytes; the first lives until the end.
constexpr char kProducts[] = R"(
ENTRY e {
  a = f32[100,100] parameter(0)
  d = f32[100,100] dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  p = f32[100,100] dot(d, d), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  q = f32[100,100] dot(p, d), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT r = f32[100,100] add(q, d)
}
)";

struct Ending {
  Executor::Status status;
  std::string message;
  std::string at;
  uint64_t steps = 0;
};

Ending RunWithin(const std::string& text, uint64_t bytes) {
  const auto module = Parse(text);
  Budget budget({.memory_bytes = bytes});
  Executor executor(*module, {}, &budget, nullptr);
  std::vector<Value> args;
  for (int i = 0; i < module->entry()->parameter_count(); ++i) {
    args.push_back(MakeFilled(module->entry()->parameter_shape(i), {}, 1, &budget));
  }
  executor.Start(std::move(args));
  Ending ending{executor.Run(), executor.failure().message, "", budget.steps_used()};
  if (!executor.failure().stack.empty()) ending.at = executor.failure().stack.back()->name();
  return ending;
}

}  // namespace

TEST_CASE("memory: what cannot fit is not started, and what lives at the peak is named") {
  const Ending ending = RunWithin(kProducts, 100'000);
  CHECK(ending.status == Executor::Status::kFailed);
  CHECK(ending.at == "q");
  CHECK(ending.steps == 0);
  CHECK(Contains(ending.message, "needs 117.2 KiB at one time"));
  // The parameter is not read any more once there is d.
  CHECK(Contains(ending.message, "live here: d (39.1 KiB), p (39.1 KiB), q (39.1 KiB)"));
}

TEST_CASE("memory: more than the whole limit is said to be that") {
  const Ending ending = RunWithin("ENTRY e { ROOT r = f32[1000] iota(), iota_dimension=0 }", 1000);
  CHECK(Contains(ending.message,
                 "needs 3.9 KiB at one time, more than the memory limit of 1000 bytes: "));
}

TEST_CASE("memory: what fits runs") {
  CHECK(RunWithin(kProducts, 200'000).status == Executor::Status::kDone);
}

TEST_CASE("memory: branches and loops that may not run are not counted") {
  const std::string text = R"(
small { x = f32[] parameter(0) ROOT r = f32[] negate(x) }
large { x = f32[] parameter(0) b = f32[100000] broadcast(x), dimensions={}
  c = f32[100000] sort(b), dimensions={0}, to_apply={ p = f32[] parameter(0) q = f32[] parameter(1)
    ROOT l = pred[] compare(p, q), direction=LT }
  s = f32[1] slice(c), slice={[0:1]} ROOT r = f32[] reshape(s) }
ENTRY e { t = pred[] constant(true) x = f32[] parameter(0)
  ROOT r = f32[] conditional(t, x, x), true_computation=small, false_computation=large }
)";
  CHECK(RunWithin(text, 10'000).status == Executor::Status::kDone);
}

TEST_CASE("memory: a constant that is passed to a computation is not counted there") {
  std::string numbers = "0";
  for (int i = 1; i < 1000; ++i) numbers += "," + std::to_string(i);
  const std::string text = R"(
f { x = f32[1000] parameter(0)  r = f32[1000] reverse(x), dimensions={0}
  ROOT s = s16[1000] convert(r) }
ENTRY e { b = f32[1000] constant({)" +
                           numbers + R"(})  ROOT v = s16[1000] call(b), to_apply=f }
)";
  const Ending ending = RunWithin(text, 1000);
  CHECK(Contains(ending.message, "needs 2 KiB at one time"));
  CHECK(Contains(ending.message, "live here: s (2 KiB)"));
}

TEST_CASE("memory: a result may have the memory of what follows from constants") {
  const std::string text = R"(
up { a = s8[] parameter(0)  b = s8[] parameter(1)  i = s32[] parameter(2)  j = s32[] parameter(3)
  ROOT l = pred[] compare(a, b), direction=LT }
ENTRY e { x = s8[1000] parameter(0)  i = s32[1000] iota(), iota_dimension=0
  s = (s8[1000], s32[1000]) sort(x, i), dimensions={0}, is_stable=true, to_apply=up
  ROOT r = s32[1000] get-tuple-element(s), index=1 }
)";
  // There is room for x alone. That there is none for i too, no check before the run can know.
  CHECK(RunWithin(text, 1000).message.find("at one time") == std::string::npos);
}

}  // namespace hlo
