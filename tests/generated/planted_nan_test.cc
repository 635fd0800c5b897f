// A NaN is planted in generated programs; what is said to have made it first must be the division
// that did.
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/types/convert.h"
#include "engine/why/first.h"
#include "engine/why/origin.h"
#include "tests/all_targets.h"
#include "tests/generated/outcome.h"
#include "tests/generated/planting.h"
#include "tests/unit/sanitizers.h"

namespace hlo {
namespace {

constexpr Budget::Limits kPlantedLimits{.memory_bytes = 256 << 20, .steps = 200'000, .seconds = 20};

bool HoldsNan(const RunRecord& record) {
  for (const TraceEntry* entry : record.entries) {
    std::vector<Value> leaves{entry->value};
    for (size_t i = 0; i < leaves.size(); ++i) {
      const Value leaf = leaves[i];
      if (leaf.is_tuple())
        leaves.insert(leaves.end(), leaf.elements().begin(), leaf.elements().end());
      if (!leaf.is_array() || !IsFloat(leaf.tensor().element_type())) continue;
      const Tensor& array = leaf.tensor();
      std::vector<double> numbers(static_cast<size_t>(array.element_count()));
      ConvertElements(array.element_type(), array.bytes(), ElementType::kF64,
                      reinterpret_cast<std::byte*>(numbers.data()), array.element_count());
      for (const double number : numbers) {
        if (number != number) return true;
      }
    }
  }
  return false;
}

// ---- Who made it --------------------------------------------------------------------------------

// What is said to have made the first NaN of each device's result; nothing when none has one.
std::vector<Maker> MakersOf(const Document& document, const RunRecord& record) {
  Budget budget(kPlantedLimits);
  RunOptions options = OptionsWithTargets();
  options.replicas = record.grid.replicas;
  options.partitions = record.grid.partitions;
  Timeline timeline(*document.module(), options, &budget);
  std::vector<std::vector<Value>> args;
  for (const RunRecord::Device& device : record.devices) args.push_back(device.inputs);
  if (args.empty()) args.push_back(record.inputs);
  timeline.Start(std::move(args));
  while (!timeline.Record(100)) {
  }
  std::vector<Maker> makers;
  if (timeline.failure()) return makers;
  Origins origins(timeline);
  for (int64_t device = 0; device < timeline.grid().count(); ++device) {
    const auto step =
        timeline.LastValueOf(*document.module()->entry()->root(), device, timeline.length());
    if (!step) continue;
    const auto place = origins.FirstNonFinite(*step);
    if (!place) continue;
    const Value result = origins.Facts(*step).value;
    // Infinities may have other makers.
    if (!ElementText(*ArrayAt(result, place->path), place->index).ends_with("nan")) continue;
    const Origins::Path path = origins.FirstMade(*place);
    CHECK(path.complete);
    const StepFacts made = origins.Facts(path.places.back().step);
    makers.push_back({std::string(made.instruction->parent()->name()),
                      std::string(made.instruction->name()), made.device});
  }
  return makers;
}

TEST_CASE("origin: a planted NaN was first made by what planted it") {
  const char* const first = std::getenv("HLO_PLANTED_SEED");
  const char* const wanted = std::getenv("HLO_PLANTED_NANS");
  const uint64_t begin = first ? std::strtoull(first, nullptr, 10) : 1;
  const int most = wanted ? std::atoi(wanted) : Rounds(200);
  int programs = 0, devices = 0, crossed = 0, loops = 0, branches = 0, calls = 0, async = 0;
  int regions = 0;
  uint64_t seed = begin;
  // Few are planted in a branch: it is gone on until enough are.
  const int fewest = most < 200 ? 0 : 11;
  for (; seed < begin + 100'000 && (programs < most || branches < fewest); ++seed) {
    auto made = MakePlanted(seed);
    if (!made || !made->document->ok()) continue;
    const Outcome outcome = RunIt(made->document, made->program, kPlantedLimits, true);
    if (!outcome.error.empty() || !HoldsNan(*outcome.record)) continue;
    const Outcome before = RunIt(made->plain, made->program, kPlantedLimits, true);
    if (!before.error.empty() || HoldsNan(*before.record)) continue;
    const std::vector<Maker> makers = MakersOf(*made->document, *outcome.record);
    if (makers.empty()) continue;
    ++programs;
    devices += outcome.record->devices.size() > 1 ? 1 : 0;
    loops += made->spot.in_loop;
    branches += made->spot.in_branch;
    calls += made->spot.in_call;
    async += made->spot.in_async;
    regions += made->spot.part_of != nullptr;
    for (size_t i = 0; i < makers.size(); ++i) {
      Maker expected = made->expected;
      if (expected.device < 0) expected.device = makers[i].device;
      crossed += made->is_on_one && makers.size() > 1 ? 1 : 0;
      // A scan is one step, or one for each instruction of its body.
      const Instruction* const step = made->spot.step_of_scan;
      const bool is_right =
          made->spot.is_scan && makers[i].name == (step ? step->name() : "planted");
      CHECK_MESSAGE((is_right || makers[i] == expected), "seed " << seed << ": " << makers[i]
                                                                 << ", not " << expected << "\n"
                                                                 << made->document->text());
    }
  }
  MESSAGE("seeds " << begin << " to " << seed - 1 << ": " << programs
                   << " programs with a planted NaN; in loops " << loops << ", in branches "
                   << branches << ", in calls and fusions " << calls << ", in asynchronous ones "
                   << async << ", in regions " << regions << "; on several devices " << devices
                   << ", results that got it from another device " << crossed);
  CHECK(programs >= most);
  if (most < 200) return;
  CHECK(devices > 30);
  CHECK(crossed > 5);
  CHECK(loops > 10);
  CHECK(branches >= fewest);
  CHECK(calls > 10);
  CHECK(async > 2);
  CHECK(regions > 5);
}

// Divides zero by zero in the third iteration of a loop, in a computation that its body calls, in
// one branch of a conditional; another device gets it by an all-reduce.
constexpr char kNested[] = R"(
HloModule nested, replica_count=2
sum { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = f32[] add(a, b) }
bad { x = f32[2] parameter(0)  z = f32[2] subtract(x, x)  ROOT made = f32[2] divide(z, z) }
good { x = f32[2] parameter(0)  ROOT twice = f32[2] add(x, x) }
inner { x = f32[2] parameter(0)  i = s32[] parameter(1)  two = s32[] constant(2)
        r = u32[] replica-id()  n = u32[] constant(0)  mine = pred[] compare(r, n), direction=EQ
        third = pred[] compare(i, two), direction=EQ  both = pred[] and(mine, third)
        ROOT c = f32[2] conditional(both, x, x), true_computation=bad, false_computation=good }
cond { s = (s32[], f32[2]) parameter(0)  i = s32[] get-tuple-element(s), index=0
       n = s32[] constant(6)  ROOT lt = pred[] compare(i, n), direction=LT }
body { s = (s32[], f32[2]) parameter(0)  i = s32[] get-tuple-element(s), index=0
       x = f32[2] get-tuple-element(s), index=1  one = s32[] constant(1)  j = s32[] add(i, one)
       y = f32[2] call(x, i), to_apply=inner  ROOT t = (s32[], f32[2]) tuple(j, y) }
ENTRY e {
  zero = s32[] constant(0)
  x = f32[2] constant({1, 2})
  s = (s32[], f32[2]) tuple(zero, x)
  w = (s32[], f32[2]) while(s), condition=cond, body=body
  y = f32[2] get-tuple-element(w), index=1
  ROOT r = f32[2] all-reduce(y), replica_groups={{0,1}}, to_apply=sum
}
)";

TEST_CASE("origin: through loops, calls, branches and other devices") {
  const auto document = std::make_shared<const Document>(kNested);
  REQUIRE(document->ok());
  Program none;
  const Outcome outcome = RunIt(document, none, kPlantedLimits, false);
  REQUIRE(outcome.error.empty());
  const std::vector<Maker> makers = MakersOf(*document, *outcome.record);
  CHECK(makers == std::vector<Maker>{{"bad", "made", 0}, {"bad", "made", 0}});
}

}  // namespace
}  // namespace hlo
