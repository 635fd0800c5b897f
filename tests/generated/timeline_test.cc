// A run in which one goes back: every state equals that of a straight run, bit for bit.
#include "engine/timeline/timeline.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/hlo/parser.h"
#include "engine/views/document.h"
#include "engine/views/run_view.h"
#include "tests/all_targets.h"
#include "tests/generated/generator.h"
#include "tests/generated/outcome.h"
#include "tests/golden/same_bits.h"
#include "tests/replay/replay.h"
#include "tests/unit/sanitizers.h"

namespace hlo {
namespace {

constexpr char kTimedLoop[] = R"(
cond { s = (s32[], f32[4]) parameter(0)  i = s32[] get-tuple-element(s), index=0
       n = s32[] constant(5000)  ROOT lt = pred[] compare(i, n), direction=LT }
body { s = (s32[], f32[4]) parameter(0)  i = s32[] get-tuple-element(s), index=0
       x = f32[4] get-tuple-element(s), index=1  one = s32[] constant(1)  j = s32[] add(i, one)
       y = f32[4] sine(x)  ROOT t = (s32[], f32[4]) tuple(j, y) }
ENTRY e {
  z = s32[] constant(0)
  x = f32[4] constant({1, 2, 3, 4})
  s = (s32[], f32[4]) tuple(z, x)
  w = (s32[], f32[4]) while(s), condition=cond, body=body
  ROOT r = f32[4] get-tuple-element(w), index=1
}
)";

// A recorded timeline of a program, with its budget.
struct Timed {
  std::unique_ptr<Module> module;
  Budget budget;
  std::unique_ptr<Timeline> timeline;
  explicit Timed(const char* text, TimelineLimits limits = {}, Budget::Limits most = {},
                 RunOptions options = {})
      : budget(most) {
    Diagnostics diagnostics;
    module = ParseModule(text, diagnostics);
    REQUIRE(!diagnostics.has_errors());
    timeline = std::make_unique<Timeline>(*module, options, &budget, limits);
    timeline->Start(
        std::vector<std::vector<Value>>(static_cast<size_t>(GridOf(*module, options).count())));
    while (!timeline->Record(5)) {
    }
  }
  const Instruction* Named(std::string_view computation, std::string_view name) const {
    for (const Computation& c : module->computations()) {
      if (c.name() == computation) return c.Find(name);
    }
    return nullptr;
  }
};

TEST_CASE("timeline: steps say what was executed, and where operands came from") {
  const Timed run(kTimedLoop);
  Timeline& timeline = *run.timeline;
  // 3 values, then the loop: it begins, 5001 conditions of 4 instructions and their ends, 5000
  // bodies of 7 and their ends; the value of the root, and the end.
  CHECK(timeline.length() == 3 + 1 + 5001 * 5 + 5000 * 8 + 2);
  CHECK(timeline.failure() == nullptr);
  const Instruction* loop = run.Named("e", "w");
  const int64_t end = *timeline.LastValueOf(*loop, -1, timeline.length());
  const StepFacts facts = timeline.At(end);
  CHECK(facts.kind == StepKind::kReturn);
  CHECK(facts.left->name() == "cond");
  CHECK(facts.operands[0] == 2);
  const StepFacts last_condition = timeline.At(facts.left_entered_at);
  CHECK(last_condition.left->name() == "body");
  CHECK(timeline.At(last_condition.root_step).instruction == run.Named("body", "t"));
  CHECK(timeline.At(last_condition.root_step).iterations->back() == 4999);
  CHECK(!timeline.LastValueOf(*loop, -1, end));
  CHECK(!timeline.LastValueOf(*loop, 3, timeline.length()));
}

TEST_CASE("timeline: any order of positions gives the states of a straight run") {
  TimelineLimits limits;
  limits.milliseconds = 0;
  SUBCASE("many checkpoints") { limits.checkpoints = 1000; }
  SUBCASE("few") { limits.checkpoints = 3; }
  SUBCASE("one") { limits.checkpoints = 1; }
  const Timed run(kTimedLoop, limits);
  Timeline& timeline = *run.timeline;
  CHECK(timeline.stretch_count() <= limits.checkpoints);
  const std::vector<std::string> straight = StraightSteps(timeline);
  REQUIRE(static_cast<int64_t>(straight.size()) == timeline.length());
  Random random(7);
  for (int i = 0; i < Rounds(40); ++i) {
    const auto step = static_cast<int64_t>(random.Below(straight.size()));
    for (int64_t back = step; back > std::max<int64_t>(step - 5, -1); --back) {
      CHECK(FactsText(timeline.At(back)) == straight[static_cast<size_t>(back)]);
    }
  }
}

TEST_CASE("timeline: checkpoints give memory back that the run needs") {
  // Each iteration writes into a megabyte in place; the limit has room for four.
  constexpr char kLarge[] = R"(
cond { s = (s32[], f32[262144]) parameter(0)  i = s32[] get-tuple-element(s), index=0
       n = s32[] constant(12)  ROOT lt = pred[] compare(i, n), direction=LT }
body { s = (s32[], f32[262144]) parameter(0)  i = s32[] get-tuple-element(s), index=0
       x = f32[262144] get-tuple-element(s), index=1  one = s32[] constant(1)  j = s32[] add(i, one)
       y = f32[262144] sine(x)  ROOT t = (s32[], f32[262144]) tuple(j, y) }
ENTRY e { z = s32[] constant(0)  x = f32[262144] iota(), iota_dimension=0
  s = (s32[], f32[262144]) tuple(z, x)
  w = (s32[], f32[262144]) while(s), condition=cond, body=body
  ROOT r = f32[262144] get-tuple-element(w), index=1 }
)";
  TimelineLimits limits;
  limits.milliseconds = 0;
  const Timed run(kLarge, limits, {.memory_bytes = 4500000});
  Timeline& timeline = *run.timeline;
  CHECK(timeline.failure() == nullptr);
  const std::vector<std::string> straight = StraightSteps(timeline);
  for (int64_t step = timeline.length() - 1; step >= 0; step -= 7) {
    CHECK(FactsText(timeline.At(step)) == straight[static_cast<size_t>(step)]);
  }
}

TEST_CASE("timeline: a run that fails ends before the step that fails") {
  Budget::Limits few;
  few.steps = 1000;
  const Timed run(kTimedLoop, {}, few);
  REQUIRE(run.timeline->failure() != nullptr);
  CHECK(run.timeline->failure()->code == DiagCode::kStepsExceeded);
  CHECK(run.timeline->length() == 1000);
  CHECK(run.timeline->At(999).step == 999);
  CHECK(run.timeline->At(3).instruction == run.Named("e", "w"));
}

TEST_CASE("timeline: devices wait, and all of their steps are numbered in one order") {
  constexpr char kDevices[] = R"(
HloModule m, replica_count=3
add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = f32[] add(a, b) }
ENTRY e {
  id = u32[] replica-id()
  x = f32[] convert(id)
  sum = f32[] all-reduce(x), replica_groups={{0,1,2}}, to_apply=add
  ROOT y = f32[] add(sum, x)
}
)";
  const Timed run(kDevices);
  Timeline& timeline = *run.timeline;
  const std::vector<std::string> straight = StraightSteps(timeline);
  // Three values and an end on each device, and two of them begin to wait.
  CHECK(timeline.length() == 3 * 5 + 2);
  timeline.GoTo(6);
  CHECK(timeline.exchange().WaitOf(0)->missing == std::vector<int64_t>{2});
  for (int64_t step = timeline.length() - 1; step >= 0; --step) {
    CHECK(FactsText(timeline.At(step)) == straight[static_cast<size_t>(step)]);
  }
  REQUIRE(timeline.results().size() == 3);
  CHECK(timeline.results()[2].tensor().data<float>()[0] == 5);
}

// What is wrong with the timeline of a generated program; empty when nothing is.
std::string TimelineFaultOf(const Program& program) {
  constexpr Budget::Limits kLimits{.memory_bytes = 256 << 20, .steps = 20'000, .seconds = 20};
  const auto document = std::make_shared<const Document>(program.Text());
  if (!document->ok()) return "";
  const Outcome outcome = RunIt(document, program, kLimits, false);
  const RunRecord& record = *outcome.record;
  Budget budget(kLimits);
  RunOptions options = OptionsWithTargets();
  options.replicas = record.grid.replicas;
  options.partitions = record.grid.partitions;
  TimelineLimits limits;
  limits.milliseconds = 0;
  limits.checkpoints = 7;
  Timeline timeline(*document->module(), options, &budget, limits);
  std::vector<std::vector<Value>> args;
  for (const RunRecord::Device& device : record.devices) args.push_back(device.inputs);
  if (args.empty()) args.push_back(record.inputs);
  timeline.Start(std::move(args));
  while (!timeline.Record(5)) {
  }
  if (outcome.error.empty() != (timeline.failure() == nullptr)) return "only one of both fails";
  std::vector<Value> wanted;
  for (const RunRecord::Device& device : record.devices) {
    if (device.output) wanted.push_back(*device.output);
  }
  if (record.devices.empty() && record.output) wanted.push_back(*record.output);
  wanted = Flattened(wanted);
  const std::vector<Value> results = Flattened(timeline.results());
  if (results.size() != wanted.size()) return "another number of results";
  for (size_t i = 0; i < results.size(); ++i) {
    if (!SameBits(results[i], wanted[i])) return fmt::format("result {} differs", i);
  }
  const std::vector<std::string> straight = StraightSteps(timeline);
  const int64_t stride = std::max<int64_t>(1, timeline.length() / 60);
  for (int64_t step = timeline.length() - 1; step >= 0; step -= stride) {
    const std::string got = FactsText(timeline.At(step));
    if (got != straight[static_cast<size_t>(step)]) return got;
  }
  return "";
}

TEST_CASE("timeline: generated programs, backwards, have the states of a straight run") {
  for (uint64_t seed = 1; seed <= static_cast<uint64_t>(Rounds(1000)); ++seed) {
    GeneratorOptions options;
    options.several_devices = seed % 4 == 0;
    options.statements = 6 + static_cast<int>(seed % 24);
    const Program program = Generator(seed, options).Generate();
    INFO("seed " << seed << program.Text());
    const std::string fault = TimelineFaultOf(program);
    if (!fault.empty()) FAIL_CHECK("seed " << seed << ": " << fault << "\n" << program.Text());
  }
}

}  // namespace
}  // namespace hlo
