// Conditions on the steps of a run, measures of values, and their histories.
#include <memory>
#include <optional>
#include <string>

#include "doctest/doctest.h"
#include "engine/timeline/condition.h"
#include "engine/timeline/history.h"
#include "engine/timeline/measure.h"
#include "engine/views/debug_completion.h"
#include "engine/views/debug_view.h"

namespace hlo {
namespace {

// x goes 1, 2, ..., 6 in the first element, and does not change in the second.
constexpr char kCounting[] = R"(HloModule counting
cond {
  s = (s32[], f32[2]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(6)
  ROOT lt = pred[] compare(i, n), direction=LT
}
body {
  s = (s32[], f32[2]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[2] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one), metadata={op_name="count" source_file="/home/me/train.py" source_line=12}
  d = f32[2] constant({1, 0})
  y = f32[2] add(x, d), metadata={source_file="/home/me/model.py" source_line=7}
  half = s32[] constant(2)
  q = s32[] divide(i, half)
  ROOT t = (s32[], f32[2]) tuple(j, y)
}
ENTRY e {
  zero = s32[] constant(0)
  x = f32[2] constant({0, 5})
  s = (s32[], f32[2]) tuple(zero, x)
  w = (s32[], f32[2]) while(s), condition=cond, body=body
  ROOT r = f32[2] get-tuple-element(w), index=1
}
)";

std::shared_ptr<Debugger> Recorded(std::string text, TimelineLimits limits = {}) {
  auto debugger = std::make_shared<Debugger>(std::make_shared<const Document>(std::move(text)),
                                             RunRequest(), limits);
  REQUIRE(debugger->timeline());
  while (!debugger->timeline()->Record(100)) {
  }
  return debugger;
}

// A loop of products, behind which is an array for which there is no room: what checkpoints hold
// has to go, and then the run ends as it would without them.
constexpr char kTooLarge[] = R"(HloModule too_large
cond {
  s = (s32[], f32[250,250]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(24)
  ROOT lt = pred[] compare(i, n), direction=LT
}
body {
  s = (s32[], f32[250,250]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[250,250] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = f32[250,250] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT t = (s32[], f32[250,250]) tuple(j, y)
}
ENTRY e {
  p = f32[250,250] parameter(0)
  zero = s32[] constant(0)
  s = (s32[], f32[250,250]) tuple(zero, p)
  w = (s32[], f32[250,250]) while(s), condition=cond, body=body
  v = f32[250,250] get-tuple-element(w), index=1
  b = f32[10,250,250] broadcast(v), dimensions={1,2}
  ROOT r = f32[10,250,250] negate(b)
}
)";

TEST_CASE("timeline: a recording that is short of memory ends as the run does") {
  constexpr uint64_t kArray = 250 * 250 * sizeof(float);
  for (const uint64_t arrays : {5, 7, 8, 9}) {
    RunRequest request;
    request.limits.memory_bytes = arrays * kArray;
    TimelineLimits limits;
    limits.milliseconds = 0;
    Debugger debugger(std::make_shared<const Document>(kTooLarge), request, limits);
    REQUIRE(debugger.timeline());
    Timeline& timeline = *debugger.timeline();
    while (!timeline.Record(100)) {
    }
    REQUIRE(timeline.failure());
    CHECK(timeline.failure()->code == DiagCode::kMemoryExceeded);
    CHECK(timeline.failure()->stack.back()->name() == "b");
    // Its states are there.
    CHECK(timeline.At(timeline.length() - 1).instruction->name() == "v");
  }
}

// The lines of all steps that fulfil a condition, found going forward; going back has to find the
// same.
std::vector<std::string> AllFound(Debugger& debugger, const std::string& text) {
  std::string problem;
  const auto condition = debugger.Read(text, &problem);
  INFO(text << ": " << problem);
  REQUIRE(condition);
  std::vector<std::string> lines, back;
  int64_t position = 0;
  while (const auto found = debugger.Search({*condition}, position, false)) {
    position = *found;
    lines.push_back(debugger.StepLine(debugger.timeline()->At(position - 1)));
  }
  position = debugger.timeline()->length() + 1;
  while (const auto found = debugger.Search({*condition}, position, true)) {
    position = *found;
    back.insert(back.begin(), debugger.StepLine(debugger.timeline()->At(position - 1)));
  }
  CHECK(lines == back);
  return lines;
}

std::string ProblemOf(Debugger& debugger, const std::string& text) {
  std::string problem;
  CHECK(!debugger.Read(text, &problem));
  return problem;
}

using Lines = std::vector<std::string>;

// The counting loop, once with one state kept and once with many.
std::shared_ptr<Debugger> CountingByStates() {
  TimelineLimits limits;
  limits.milliseconds = 0;
  SUBCASE("one") { limits.checkpoints = 1; }
  SUBCASE("many") { limits.checkpoints = 1000; }
  return Recorded(kCounting, limits);
}

TEST_CASE("conditions: crossings and changes, however few states are kept") {
  const auto debugger = CountingByStates();
  Debugger& d = *debugger;
  CHECK(AllFound(d, "y[0] crosses 3.5") == Lines{"[3] body/y = {4, 5}"});
  CHECK(AllFound(d, "y[0] crosses 3") == Lines{"[2] body/y = {3, 5}"});
  CHECK(AllFound(d, "y[0] crosses 0.5") == Lines{});  // the first value has none before
  CHECK(AllFound(d, "y[1] changes") == Lines{});
  CHECK(AllFound(d, "q changes") == Lines{"[2] body/q = 1", "[4] body/q = 2"});
  CHECK(AllFound(d, "y changes and iteration 4") == Lines{"[4] body/y = {5, 5}"});
  CHECK(AllFound(d, "max y crosses 5.5") == Lines{"[5] body/y = {6, 5}"});
  CHECK(AllFound(d, "mean y[0:1] > 5") == Lines{"[5] body/y = {6, 5}"});
  CHECK(AllFound(d, "body/i crosses 4 and q == 2") == Lines{});  // they are two instructions
}

TEST_CASE("conditions: lines of the source program") {
  const auto debugger = Recorded(kCounting);
  Debugger& d = *debugger;
  CHECK(AllFound(d, "source train.py:12 and iteration 1") == Lines{"[1] body/j = 2"});
  CHECK(AllFound(d, "source me/model.py").size() == 6);
  CHECK(ProblemOf(d, "source rain.py:12") ==
        "no instruction comes from 'rain.py:12': they come from model.py, train.py");
  CHECK(ProblemOf(d, "source train.py:13") ==
        "no instruction comes from 'train.py:13': of this file there are lines 12");
}

TEST_CASE("conditions: where two runs differ") {
  const auto debugger = Recorded(kCounting);
  std::string other(kCounting);
  other.replace(other.find("divide"), 6, "shift-right-logical");
  const auto changed = Recorded(other);  // i >> 2, and not i / 2
  debugger->set_other_run([&](std::string_view name, std::string* problem) {
    *problem = "no such run";
    return name == "changed" ? changed : nullptr;
  });
  CHECK(AllFound(*debugger, "differs from changed") ==
        Lines{"[2] body/q = 1", "[3] body/q = 1", "[4] body/q = 2", "[5] body/q = 2"});
  CHECK(AllFound(*debugger, "differs from changed and y[0] == 3") == Lines{});
  CHECK(ProblemOf(*debugger, "differs from unknown") == "no such run");
  CHECK(ProblemOf(*debugger, "differs") == "another run is missing: differs from RUN is expected");
  // A run that takes a turn less: what it did not do differs.
  other = kCounting;
  other.replace(other.find("constant(6)"), 11, "constant(5)");
  const auto shorter = Recorded(other);
  debugger->set_other_run([&](std::string_view, std::string*) { return shorter; });
  CHECK(AllFound(*debugger, "differs from it and nonfinite") == Lines{});
  CHECK(AllFound(*debugger, "differs from it and y") == Lines{"[5] body/y = {6, 5}"});
}

TEST_CASE("conditions: a comparison beside a place is of the value that there is then") {
  const auto debugger = CountingByStates();
  Debugger& d = *debugger;
  // y[0] is 3 from iteration 2 on, and q becomes 2 in iteration 4.
  CHECK(AllFound(d, "q and y[0] == 3") == AllFound(d, "q and iteration 2"));
  CHECK(AllFound(d, "y and q == 2") == AllFound(d, "q == 2 and y"));
  CHECK(AllFound(d, "y and q == 2").front() == "[5] body/y = {6, 5}");
  CHECK(AllFound(d, "y[0] > 3 and q == 2").front() == "[5] body/y = {6, 5}");
  CHECK(AllFound(d, "y and y[0] == 3") == Lines{"[2] body/y = {3, 5}"});
  CHECK(AllFound(d, "op divide and y[0] > 100") == Lines{});
}

TEST_CASE("conditions: what is wrong with one is said") {
  const auto debugger = Recorded(kCounting);
  Debugger& d = *debugger;
  CHECK(ProblemOf(d, "") == "a condition is missing");
  CHECK(ProblemOf(d, "y and ") == "a condition is missing");
  CHECK(ProblemOf(d, "yy > 3") == "there is no instruction 'yy'");
  CHECK(ProblemOf(d, "y[0] > three") == "'three' is not a number");
  CHECK(ProblemOf(d, "y[0] crosses") == "a number is missing after 'crosses'");
  CHECK(ProblemOf(d, "y > 3") ==
        "'y' is f32[2]: one number is compared: an element like name[0,1], or a statistic like "
        "'max name'");
  CHECK(ProblemOf(d, "y[2] > 3") ==
        "'y' is f32[2]: 2 is outside of dimension 0, which has 2 elements");
  CHECK(ProblemOf(d, "y[0,0] changes") == "'y' is f32[2]: it has 1 dimension, and not 2");
  CHECK(ProblemOf(d, "w[2] changes") ==
        "'w' is (s32[], f32[2]): it is a tuple of 2 and has no element 2");
  CHECK(ProblemOf(d, "y[a] > 3") == "'y[a]' is no element: name[2,3] or name[0:4, 2] is expected");
  CHECK(
      ProblemOf(d, "max y") ==
      "'max y' alone is no condition: write 'max y > 0.5', 'max y crosses 0.5' or 'max y changes'");
  CHECK(ProblemOf(d, "y chnages")
            .starts_with("'y chnages' is no condition. Write, for example, NAME"));
  CHECK(ProblemOf(d, "line x") == "'x' is not a number of a line");
  CHECK(ProblemOf(d, "op nothing") == "there is no opcode 'nothing'");
}

TEST_CASE("conditions: completions end the last clause") {
  const Document document{std::string(kCounting)};
  const auto texts = [&](std::string_view text) {
    Lines found;
    for (const ConditionCompletion& each : CompleteCondition(document, text)) {
      found.push_back(each.text);
    }
    return found;
  };
  CHECK(texts("no") == Lines{"nonfinite"});
  CHECK(texts("nan and op d") == Lines{"nan and op divide"});
  CHECK(texts("source t") == Lines{"source train.py:12"});
  CHECK(texts("norm h") == Lines{"norm half"});
  CHECK(texts("y[0] cr") == Lines{"y[0] crosses "});
}

Value Numbers(const std::vector<float>& numbers, Dims dims) {
  Tensor tensor(ElementType::kF32, dims, nullptr);
  std::copy(numbers.begin(), numbers.end(), tensor.mutable_data<float>());
  return tensor;
}

TEST_CASE("measures: elements, slices and statistics") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Value value = Numbers({1, 2, 3, -4, 0, nan}, {2, 3});
  std::string problem;
  const auto number = [&](std::string_view text) {
    return MeasuredNumber(*ParseMeasure(text, &problem), value).value_or(-99);
  };
  CHECK(number("x[1,0]") == -4);
  CHECK(number("max x") == 3);
  CHECK(number("min x[0]") == 1);
  CHECK(number("sum x[:, 0]") == -3);
  CHECK(number("norm x[0:2, 0:1]") == doctest::Approx(std::sqrt(17.0)));
  CHECK(number("nans x") == 1);
  CHECK(number("nans x[0:1]") == 0);
  CHECK(number("zeros x") == 1);
  CHECK(number("mean x[0]") == 2);
  CHECK(number("x[1]") == -99);
  CHECK(number("x[2,0]") == -99);
  const auto part = MeasuredPart(*ParseMeasure("x[:, 1:3]", &problem), value);
  REQUIRE(part);
  const Tensor copy = CopyOfPart(*part, nullptr);
  CHECK(copy.dims() == Dims{2, 2});
  CHECK(copy.data<float>()[1] == 3);
  CHECK(copy.data<float>()[2] == 0);
  CHECK(!ParseMeasure("x[3:1]", &problem));
  CHECK(!ParseMeasure("x[1", &problem));
}

TEST_CASE("histories: every value, one line for each element, and points that are joined") {
  const auto debugger = Recorded(kCounting);
  std::string problem;
  const auto history = [&](std::string_view text, HistoryLimits limits = {}) {
    return *debugger->HistoryOfWatch(*ParseMeasure(text, &problem), -1, limits, &problem);
  };
  const History elements = history("y");
  REQUIRE(elements.series.size() == 2);
  CHECK(elements.series[0].label == "[0]");
  CHECK(elements.series[0].last == std::vector<double>{1, 2, 3, 4, 5, 6});
  CHECK(elements.width == 1);
  CHECK(!elements.is_sampled);
  HistoryLimits few;
  few.points = 3;
  const History joined = history("max y[0:1]", few);
  REQUIRE(joined.series.size() == 1);
  CHECK(joined.steps.size() <= 3);
  CHECK(joined.width > 1);
  CHECK(joined.series[0].last.back() == 6);
  CHECK(joined.series[0].least.front() == 1);
  CHECK(joined.series[0].most.back() == 6);
  few.elements = 1;
  CHECK(history("y", few).series[1].label == "mean");
}

}  // namespace
}  // namespace hlo
