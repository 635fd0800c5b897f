// engine/why: through asynchronous halves, messages and groups of devices, back and forward.
#include <fmt/format.h>

#include <memory>
#include <set>
#include <string>

#include "doctest/doctest.h"
#include "engine/views/why_view.h"
#include "tests/all_targets.h"

namespace hlo {
namespace {

struct AskedRun {
  std::unique_ptr<WhyRun> run;

  explicit AskedRun(const std::string& text) {
    RunRequest request;
    request.options = OptionsWithTargets();
    run = std::make_unique<WhyRun>(std::make_shared<const Document>(text), request);
    REQUIRE_MESSAGE(run->timeline(), text);
    REQUIRE(!run->timeline()->failure());
  }

  // Where the chain of an element ends: "name[2] on device 1".
  std::string Origin(const std::string& element, int64_t device) const {
    WhyQuestion question = *WhyQuestionFromText(element);
    question.device = device;
    const WhyAnswer answer = run->Ask(question);
    if (!answer.problem.empty()) return answer.problem;
    const PlaceInRun& place = answer.chain.links.back().place;
    const StepFacts facts = run->origins().Facts(place.step);
    return fmt::format("{}[{}] on device {}", facts.instruction->name(),
                       fmt::join(place.index, ","), facts.device);
  }

  // What of the devices' results is reached: "0:[0,2] 1:[1]", each by its boxes.
  std::string Reached(const std::string& element, int64_t device) const {
    WhyQuestion question = *WhyQuestionFromText(element);
    question.device = device;
    question.reach = true;
    const WhyAnswer answer = run->Ask(question);
    if (!answer.problem.empty()) return answer.problem;
    REQUIRE(answer.reach);
    std::string text;
    for (const ReachedStep& result : answer.reach->results) {
      for (const ReachedPart& part : result.parts) {
        text +=
            fmt::format("{}{}:", text.empty() ? "" : " ", run->origins().Facts(result.step).device);
        if (!part.path.empty()) text += fmt::format("({})", fmt::join(part.path, ","));
        for (const Box& box : part.boxes) text += BoxText(box);
      }
    }
    return text;
  }
};

// Device d gives 10 d + 1, 10 d + 2: the larger ones come from higher devices.
std::string OnDevices(int replicas, int partitions, const std::string& body,
                      const std::string& computations = "") {
  return fmt::format(
      "HloModule m, replica_count={}, num_partitions={}\n{}\n"
      "ENTRY e {{\n  r = u32[] replica-id()\n  p = u32[] partition-id()\n"
      "  np = u32[] constant({})\n  rp = u32[] multiply(r, np)\n  d = u32[] add(rp, p)\n"
      "  f = f32[] convert(d)\n  ten = f32[] constant(10)\n  t = f32[] multiply(f, ten)\n"
      "  tt = f32[2] broadcast(t), dimensions={{}}\n  c = f32[2] constant({{1000, 1}})\n"
      "  x = f32[2] add(c, tt)\n{}}}\n",
      replicas, partitions, computations, partitions, body);
}

constexpr char kAddTwo[] =
    "sum { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }";

TEST_CASE("flow: the groups of a collective, in every form") {
  // Device 0 meets 1 alone, by listed groups, by an iota and by global numbers.
  for (const char* const groups : {"replica_groups={{0,1},{2,3}}", "replica_groups=[2,2]<=[4]"}) {
    const AskedRun run(OnDevices(
        4, 1, fmt::format("  ROOT g = f32[4] all-gather(x), {}, dimensions={{0}}\n", groups)));
    CHECK(run.Origin("g[2]", 0) == "c[0] on device 1");
    CHECK(run.Origin("g[0]", 3) == "c[0] on device 2");
    CHECK(run.Reached("x[1]", 2) == "2:[1] 3:[1]");
    CHECK(run.Reached("x[1]", 1) == "0:[3] 1:[3]");
  }
  const AskedRun transposed(OnDevices(
      4, 1,
      "  ROOT g = f32[4] all-gather(x), replica_groups=[2,2]<=[2,2]T(1,0), dimensions={0}\n"));
  CHECK(transposed.Origin("g[2]", 0) == "c[0] on device 2");
  const AskedRun global(OnDevices(2, 2,
                                  "  ROOT g = f32[4] all-gather(x), channel_id=1, "
                                  "use_global_device_ids=true, replica_groups={{0,3},{1,2}}, "
                                  "dimensions={0}\n"));
  CHECK(global.Origin("g[2]", 0) == "c[0] on device 3");
  CHECK(global.Origin("g[0]", 2) == "c[0] on device 1");
  // Without them a number is a replica, for each partition apart.
  const AskedRun replicas(
      OnDevices(2, 2, "  ROOT g = f32[4] all-gather(x), replica_groups={}, dimensions={0}\n"));
  CHECK(replicas.Origin("g[2]", 1) == "c[0] on device 3");
  CHECK(replicas.Reached("x[0]", 0) == "0:[0] 2:[0]");
}

TEST_CASE("flow: cut, exchanged, permuted and sent to all") {
  const AskedRun scattered(OnDevices(
      2, 1,
      "  ROOT s = f32[1] reduce-scatter(x), replica_groups={}, dimensions={0}, to_apply=sum\n",
      kAddTwo));
  CHECK(scattered.Reached("x[1]", 0) == "1:[0]");
  CHECK(scattered.Origin("e/s[0]", 0) == "c[0] on device 1");
  const AskedRun exchanged(
      OnDevices(2, 1, "  ROOT a = f32[2] all-to-all(x), replica_groups={}, dimensions={0}\n"));
  CHECK(exchanged.Reached("x[1]", 0) == "1:[0]");
  CHECK(exchanged.Origin("a[1]", 0) == "c[0] on device 1");
  const AskedRun permuted(OnDevices(
      3, 1, "  ROOT p2 = f32[2] collective-permute(x), source_target_pairs={{0,2},{2,1}}\n"));
  CHECK(permuted.Origin("p2[0]", 1) == "c[0] on device 2");
  CHECK(permuted.Origin("p2[0]", 0) == "p2[0] on device 0");
  CHECK(permuted.Reached("x[0]", 0) == "2:[0]");
  CHECK(permuted.Reached("x[0]", 1) == "");
  const AskedRun spread(
      OnDevices(2, 1, "  ROOT b = f32[2] collective-broadcast(x), replica_groups={{1,0}}\n"));
  CHECK(spread.Origin("b[0]", 0) == "c[0] on device 1");
  const AskedRun rooted(OnDevices(
      2, 1, "  ROOT m = f32[2] collective-reduce(x), replica_groups={{1,0}}, to_apply=sum\n",
      kAddTwo));
  CHECK(rooted.Origin("m[0]", 1) == "c[0] on device 1");
  CHECK(rooted.Origin("m[0]", 0) == "m[0] on device 0");
  CHECK(rooted.Reached("x[0]", 0) == "1:[0]");
}

TEST_CASE("flow: the halves of asynchronous collectives and copies") {
  const AskedRun gathered(OnDevices(2, 1,
                                    "  s = (f32[2], f32[4]) all-gather-start(x), replica_groups={},"
                                    " dimensions={0}\n  ROOT g = f32[4] all-gather-done(s)\n"));
  CHECK(gathered.Origin("g[2]", 0) == "c[0] on device 1");
  CHECK(gathered.Reached("x[1]", 1) == "0:[3] 1:[3]");
  const AskedRun reduced(
      OnDevices(2, 1,
                "  s = f32[2] all-reduce-start(x), replica_groups={}, to_apply=sum\n"
                "  ROOT g = f32[2] all-reduce-done(s)\n",
                kAddTwo));
  CHECK(reduced.Origin("g[0]", 0) == "c[0] on device 1");
  const AskedRun permuted(
      OnDevices(2, 1,
                "  s = (f32[2], f32[2], u32[], u32[]) collective-permute-start(x), "
                "source_target_pairs={{0,1}}\n  ROOT g = f32[2] collective-permute-done(s)\n"));
  CHECK(permuted.Origin("g[0]", 1) == "c[0] on device 0");
  CHECK(permuted.Reached("x[1]", 0) == "1:[1]");
  const AskedRun copied(OnDevices(
      1, 1, "  s = (f32[2], f32[2], u32[]) copy-start(x)\n  ROOT g = f32[2] copy-done(s)\n"));
  CHECK(copied.Origin("g[0]", 0) == "c[0] on device 0");
  CHECK(copied.Reached("x[1]", 0) == "0:[1]");
}

TEST_CASE("flow: what runs between async-start and async-done, with a collective in it") {
  const std::string text = OnDevices(
      2, 1,
      "  s = ((f32[2]), f32[4], u32[]) async-start(x), calls=inner\n"
      "  v = ((f32[2]), f32[4], u32[]) async-update(s)\n  ROOT g = f32[4] async-done(v)\n",
      "inner { q = f32[2] parameter(0)\n  n = f32[2] negate(q)\n"
      "  ROOT g2 = f32[4] all-gather(n), replica_groups={}, dimensions={0} }");
  const AskedRun run(text);
  CHECK(run.Origin("g[2]", 0) == "c[0] on device 1");
  CHECK(run.Reached("x[0]", 1) == "0:[2] 1:[2]");
}

TEST_CASE("flow: send and recv, in a loop") {
  const std::string text = R"(HloModule m, replica_count=2
cond { s = (s32[], f32[2]) parameter(0)  i = s32[] get-tuple-element(s), index=0
       n = s32[] constant(3)  ROOT lt = pred[] compare(i, n), direction=LT }
body { s = (s32[], f32[2]) parameter(0)  i = s32[] get-tuple-element(s), index=0
  x = f32[2] get-tuple-element(s), index=1  one = s32[] constant(1)  j = s32[] add(i, one)
  k = token[] after-all()
  rv = (f32[2], u32[], token[]) recv(k), channel_id=0, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1},{1,0}}"}
  sd = (f32[2], u32[], token[]) send(x, k), channel_id=0, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1},{1,0}}"}
  rd = (f32[2], token[]) recv-done(rv), channel_id=0
  sn = token[] send-done(sd), channel_id=0
  y = f32[2] get-tuple-element(rd), index=0
  ROOT t = (s32[], f32[2]) tuple(j, y) }
ENTRY e {
  zero = s32[] constant(0)  r = u32[] replica-id()  f = f32[] convert(r)
  b = f32[2] broadcast(f), dimensions={}  c = f32[2] constant({5, 7})  x = f32[2] add(c, b)
  s = (s32[], f32[2]) tuple(zero, x)  w = (s32[], f32[2]) while(s), condition=cond, body=body
  ROOT y = f32[2] get-tuple-element(w), index=1 })";
  const AskedRun run(text);
  // Three exchanges: what device 0 has in the end was device 1's.
  CHECK(run.Origin("e/y[1]", 0) == "c[1] on device 1");
  CHECK(run.Origin("e/y[1]", 1) == "c[1] on device 0");
  CHECK(run.Reached("e/x[0]", 0) == "1:[0]");
}

TEST_CASE("flow: forward through loops, branches, calls and tuples, element by element") {
  const std::string text = R"(HloModule m
half { p = f32[] parameter(0)  h = f32[] constant(2)  ROOT m = f32[] multiply(p, h) }
turn { p = f32[3] parameter(0)  ROOT r = f32[3] reverse(p), dimensions={0} }
keep { p = f32[3] parameter(0)  ROOT c = f32[3] copy(p) }
cond { s = (s32[], f32[3], f32[3]) parameter(0)  i = s32[] get-tuple-element(s), index=0
       n = s32[] constant(3)  ROOT lt = pred[] compare(i, n), direction=LT }
body { s = (s32[], f32[3], f32[3]) parameter(0)  i = s32[] get-tuple-element(s), index=0
       x = f32[3] get-tuple-element(s), index=1  z = f32[3] get-tuple-element(s), index=2
       one = s32[] constant(1)  j = s32[] add(i, one)
       y = f32[3] conditional(i, x, x, x), branch_computations={turn, keep, turn}
       v = f32[3] map(y), dimensions={0}, to_apply=half
       ROOT t = (s32[], f32[3], f32[3]) tuple(j, v, z) }
ENTRY e { zero = s32[] constant(0)  x = f32[3] constant({1, 2, 3})  z = f32[3] constant({0, 0, 0})
  s = (s32[], f32[3], f32[3]) tuple(zero, x, z)
  w = (s32[], f32[3], f32[3]) while(s), condition=cond, body=body
  y = f32[3] get-tuple-element(w), index=1  u = f32[3] get-tuple-element(w), index=2
  k = f32[2] slice(y), slice={[0:2]}  ROOT q = (f32[2], f32[3]) tuple(k, u) })";
  const AskedRun run(text);
  // Reversed, kept, reversed.
  CHECK(run.Reached("e/x[0]", 0) == "0:(0)[0]");
  CHECK(run.Reached("e/x[2]", 0) == "");
  CHECK(run.Reached("e/z[2]", 0) == "0:(1)[2]");
  const WhyAnswer answer = [&] {
    WhyQuestion question = *WhyQuestionFromText("e/x[0]");
    question.reach = true;
    return run.run->Ask(question);
  }();
  std::set<std::string> reached;
  for (const ReachedStep& step : answer.reach->steps) {
    reached.emplace(run.run->origins().Facts(step.step).instruction->name());
  }
  CHECK(reached.count("v") == 1);
  CHECK(reached.count("z") == 0);
  CHECK(reached.count("j") == 0);
}

TEST_CASE("flow: into the branch that was taken, also of two that are one computation") {
  const AskedRun twice(R"(f { x = f32[] parameter(0) ROOT n = f32[] negate(x) }
ENTRY e {
  i = s32[] constant(1)
  a = f32[] constant(2)
  b = f32[] constant(3)
  ROOT c = f32[] conditional(i, a, b), branch_computations={f, f}
}
)");
  CHECK(twice.Origin("c[]", 0) == "b[] on device 0");
  const AskedRun swapped(R"(t { x = f32[] parameter(0) ROOT n = f32[] negate(x) }
f { y = f32[] parameter(0) ROOT m = f32[] negate(y) }
ENTRY e {
  i = pred[] constant(false)
  a = f32[] constant(2)
  b = f32[] constant(3)
  ROOT c = f32[] conditional(i, a, b), false_computation=f, true_computation=t
}
)");
  CHECK(swapped.Origin("c[]", 0) == "b[] on device 0");
}

TEST_CASE("flow: through shuffles") {
  const AskedRun run(R"(ENTRY e {
  x = f32[3,2] constant({{1,2},{3,4},{5,6}})
  a = f32[3,2] shuffle(x), dimensions={0,1}, mode=rotate, shifts={1,-1}
  b = f32[3,2] shuffle(a), dimensions={0}, mode=permute, indices=s32[3,1]{1,0} {{2},{2},{0}}
  ROOT c = f32[3,2] shuffle(b), dimensions={1}, mode=multi_rotate, multi_shifts=s32[3,1]{1,0} {{0},{1},{0}} })");
  // c is {{2, 1}, {1, 2}, {4, 3}}.
  CHECK(run.Origin("e/c[1,1]", 0) == "x[0,1] on device 0");
  CHECK(run.Origin("e/c[2,0]", 0) == "x[1,1] on device 0");
  CHECK(run.Reached("e/x[0,1]", 0) == "0:[0,0][1,1]");
  CHECK(run.Reached("e/x[2,0]", 0) == "");
}

TEST_CASE("flow: an element that is repeated along the run-time size of the other operand") {
  const AskedRun run(
      "ENTRY e {\n  one = s32[] constant(1)\n  three = s32[] constant(3)\n"
      "  c = f32[3] constant({7, 8, 9})\n  d = f32[3] constant({1, 2, 3})\n"
      "  x = f32[<=3] set-dimension-size(c, one), dimensions={0}\n"
      "  y = f32[<=3] set-dimension-size(d, three), dimensions={0}\n"
      "  ROOT m = f32[<=3] maximum(x, y)\n}\n");
  CHECK(run.Origin("m[2]", 0) == "c[0] on device 0");
  CHECK(run.Reached("c[0]", 0) == "0:[0:3]");
  CHECK(run.Reached("d[1]", 0) == "0:[1]");
}

}  // namespace
}  // namespace hlo
