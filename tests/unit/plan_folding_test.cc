#include <doctest/doctest.h>

#include <map>
#include <string>

#include "engine/plan/folding.h"
#include "engine/run/executor.h"
#include "engine/views/document.h"

namespace hlo {
namespace {

std::map<std::string, Fold> FoldsOf(const Document& document, std::string_view computation) {
  REQUIRE(document.ok());
  Plan plan(*document.module());
  for (const Computation& c : document.module()->computations()) {
    if (c.name() != computation) continue;
    std::map<std::string, Fold> folds;
    for (const PlannedInstruction& planned : plan.For(c).instructions) {
      folds[std::string(planned.instruction->name())] = planned.fold;
    }
    return folds;
  }
  return {};
}

// Sums i * i over 0 ... 999, and adds the sum to an accumulator 1000 times.
constexpr char kSquaresLoop[] = R"(
sum { a = s32[] parameter(0)  b = s32[] parameter(1)  ROOT r = s32[] add(a, b) }
body {
  s = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  acc = s32[] get-tuple-element(s), index=1
  numbers = s32[1000] iota(), iota_dimension=0
  squares = s32[1000] multiply(numbers, numbers)
  zero = s32[] constant(0)
  total = s32[] reduce(squares, zero), dimensions={0}, to_apply=sum
  more = s32[] add(acc, total)
  one = s32[] constant(1)
  next = s32[] add(i, one)
  ROOT t = (s32[], s32[]) tuple(next, more)
}
condition {
  s = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(5)
  ROOT r = pred[] compare(i, n), direction=LT
}
ENTRY e {
  z = s32[] constant(0)
  s = (s32[], s32[]) tuple(z, z)
  ROOT w = (s32[], s32[]) while(s), condition=condition, body=body
}
)";

}  // namespace

TEST_CASE("folding: what follows from constants is kept, what only leads to it is skipped") {
  const Document document(kSquaresLoop);
  const std::map<std::string, Fold> folds = FoldsOf(document, "body");
  CHECK(folds.at("total") == Fold::kKept);
  CHECK(folds.at("one") == Fold::kKept);
  for (const char* name : {"numbers", "squares", "zero"}) CHECK(folds.at(name) == Fold::kSkipped);
  for (const char* name : {"s", "i", "acc", "more", "next", "t"}) {
    CHECK(folds.at(name) == Fold::kNone);
  }
}

TEST_CASE("folding: random numbers, the device and the root are computed every time") {
  const Document document(R"(
ENTRY e {
  low = f32[] constant(0)
  high = f32[] constant(1)
  drawn = f32[4] rng(low, high), distribution=rng_uniform
  id = u32[] replica-id()
  large = f32[4096,1024] broadcast(low), dimensions={}
  used = f32[4096,1024] negate(large)
  ROOT t = (f32[4], u32[], f32[4096,1024]) tuple(drawn, id, used)
}
)");
  const std::map<std::string, Fold> folds = FoldsOf(document, "e");
  CHECK(folds.at("drawn") == Fold::kNone);
  CHECK(folds.at("id") == Fold::kNone);
  CHECK(folds.at("t") == Fold::kNone);
  // Too large to keep: computed again, from what is.
  CHECK(folds.at("used") == Fold::kNone);
  CHECK(folds.at("large") == Fold::kNone);
  CHECK(folds.at("low") == Fold::kKept);
}

TEST_CASE("folding: what leaves the program leaves it every time") {
  const Document document(R"(
ENTRY e {
  data = f32[] constant(1)
  first = token[] after-all()
  out = token[] outfeed(data, first)
  ROOT t = (token[]) tuple(out)
}
)");
  CHECK(FoldsOf(document, "e").at("out") == Fold::kNone);
}

TEST_CASE("folding: a loop computes what does not change twice, with the same result") {
  const Document document(kSquaresLoop);
  REQUIRE(document.ok());
  Budget budget;
  Executor executor(*document.module(), {}, &budget, nullptr);
  REQUIRE(executor.Start({}) == Executor::Status::kRunning);
  REQUIRE(executor.Run() == Executor::Status::kDone);
  const Value& result = executor.result();
  CHECK(result.elements()[0].tensor().data<int32_t>()[0] == 5);
  CHECK(result.elements()[1].tensor().data<int32_t>()[0] == 5 * 332833500);
  // 11 instructions of the body: all of them in two executions, 6 in the other three.
  CHECK(budget.steps_used() == 3 + 2 * 11 + 3 * 6 + 2 * 4 + 4 * 3);
}

}  // namespace hlo
