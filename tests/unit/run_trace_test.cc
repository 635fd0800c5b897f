// What a trace keeps, and what it lets go first.
#include <memory>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/hlo/parser.h"
#include "engine/run/executor.h"

namespace hlo {
namespace {

constexpr char kTracedLoop[] = R"(
cond { i = s32[] parameter(0)  n = s32[] constant(100)  ROOT lt = pred[] compare(i, n), direction=LT }
body { i = s32[] parameter(0)  one = s32[] constant(1)  ROOT next = s32[] add(i, one) }
ENTRY e {
  z = s32[] constant(0)
  w = s32[] while(z), condition=cond, body=body
  ROOT b = s32[1000] broadcast(w), dimensions={}
}
)";

struct Traced {
  std::unique_ptr<Module> module;
  Budget budget;
  Trace trace;
  explicit Traced(Trace::Limits limits, const char* text = kTracedLoop) : trace(limits) {
    Diagnostics diagnostics;
    module = ParseModule(text, diagnostics);
    REQUIRE(!diagnostics.has_errors());
    Executor executor(*module, {}, &budget, &trace);
    executor.Start({});
    CHECK(executor.Run() == Executor::Status::kDone);
  }
};

TEST_CASE("a trace has every execution in order, with depth and iterations") {
  const Traced run({});
  const auto entries = run.trace.Entries();
  REQUIRE(entries.size() == 3 + 101 * 3 + 100 * 3);
  CHECK(run.trace.count() == static_cast<int64_t>(entries.size()));
  for (size_t i = 0; i < entries.size(); ++i) {
    CHECK(entries[i]->id == static_cast<int64_t>(i));
    CHECK(!entries[i]->dropped);
    CHECK(run.trace.Find(entries[i]->id) == entries[i]);
  }
  CHECK(entries[0]->iterations == nullptr);
  CHECK(entries[1]->depth == 1);
  CHECK(*entries[1]->iterations == std::vector<int64_t>{0});
  CHECK(entries[4]->instruction->parent()->name() == "body");
  CHECK(*entries[4]->iterations == std::vector<int64_t>{0});
  CHECK(*entries[7]->iterations == std::vector<int64_t>{1});
  CHECK(run.trace.Find(-1) == nullptr);
  CHECK(run.trace.Find(run.trace.count()) == nullptr);
}

TEST_CASE("the steps of a scan are iterations, unless its body is a program of scalars") {
  const Traced rows({}, R"(
body {
  x = s32[2] parameter(0)
  c = s32[2] parameter(1)
  s = s32[2] add(c, x)
  ROOT t = (s32[2], s32[2]) tuple(s, s)
}
ENTRY e {
  p = s32[3,2] iota(), iota_dimension=0
  z = s32[2] constant({0,0})
  ROOT r = (s32[3,2], s32[2]) scan(p, z), dimensions={0}, num_carries=1, to_apply=body
}
)");
  const auto entries = rows.trace.Entries();
  REQUIRE(entries.size() == 3 + 3 * 4);
  CHECK(entries[2]->depth == 1);
  CHECK(*entries[2]->iterations == std::vector<int64_t>{0});
  CHECK(*entries[13]->iterations == std::vector<int64_t>{2});
  const Traced scalars({}, R"(
body {
  x = s32[] parameter(0)
  c = s32[] parameter(1)
  s = s32[] add(c, x)
  ROOT t = (s32[], s32[]) tuple(s, s)
}
ENTRY e {
  p = s32[3] iota(), iota_dimension=0
  z = s32[] constant(0)
  ROOT r = (s32[3], s32[]) scan(p, z), dimensions={0}, num_carries=1, to_apply=body
}
)");
  CHECK(scalars.trace.Entries().size() == 3);
}

TEST_CASE("beyond the byte limit the oldest iterations lose their values") {
  const Traced run({.bytes = 10000, .entries = 20000});
  const auto entries = run.trace.Entries();
  REQUIRE(entries.size() == 606);
  CHECK(!entries.front()->dropped);
  CHECK(!entries.back()->dropped);
  CHECK(entries[1]->dropped);
  CHECK(entries[1]->value.is_token());
  CHECK(!entries[603]->dropped);
}

TEST_CASE("beyond the limit of entries the oldest iterations go altogether") {
  const Traced run({.bytes = 1 << 20, .entries = 50});
  const auto entries = run.trace.Entries();
  CHECK(entries.size() == 50);
  CHECK(run.trace.count() == 606);
  CHECK(entries.front()->instruction->name() == "z");
  CHECK(entries.back()->instruction->name() == "b");
  CHECK(entries.back()->id == 605);
  CHECK(run.trace.Find(5) == nullptr);
  CHECK(run.trace.Find(603) != nullptr);
}

TEST_CASE("a buffer that several entries hold counts once") {
  const char* text =
      "ENTRY e { z = s32[] constant(0)  b = s32[1000] broadcast(z), dimensions={}\n"
      " t = (s32[1000], s32[1000]) tuple(b, b)  ROOT g = s32[1000] get-tuple-element(t), index=1 }";
  Traced run({.bytes = 6000, .entries = 100}, text);
  for (const TraceEntry* entry : run.trace.Entries()) CHECK(!entry->dropped);
  run.trace.Release(1);
  CHECK(run.trace.Find(0)->dropped);
  run.trace.Release(1000);
  for (const TraceEntry* entry : run.trace.Entries()) CHECK(entry->dropped);
}

}  // namespace
}  // namespace hlo
