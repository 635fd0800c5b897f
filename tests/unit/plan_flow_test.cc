// Whole loops of islands as generated code: what they are made of, and that a loop gives the same
// whether it is run step by step or not. Natively no code runs; as Wasm it does.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "doctest/doctest.h"
#include "engine/codegen/code_text.h"
#include "engine/codegen/flow_code.h"
#include "engine/plan/flow.h"
#include "engine/plan/island.h"
#include "engine/run/executor.h"
#include "tests/unit/program_cases.h"

namespace hlo {
namespace {

/// A loop over (s32 i, f32[37] x, f32[37] y) with this body, until i is n.
std::string ArrayLoop(const std::string& body, int n, const std::string& others = "") {
  return others + fmt::format(R"(
condition {{
  s = (s32[], f32[37], f32[37]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant({})
  ROOT less = pred[] compare(i, n), direction=LT
}}
body {{
  s = (s32[], f32[37], f32[37]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[37] get-tuple-element(s), index=1
  y = f32[37] get-tuple-element(s), index=2
  one = s32[] constant(1)
  next = s32[] add(i, one)
{}
}}
ENTRY e {{
  x = f32[37] parameter(0)
  y = f32[37] parameter(1)
  zero = s32[] constant(0)
  s = (s32[], f32[37], f32[37]) tuple(zero, x, y)
  ROOT w = (s32[], f32[37], f32[37]) while(s), condition=condition, body=body
}}
)",
                              n, body);
}

/// The flow of the entry's first `while`, with the plan that it belongs to.
struct PlannedFlow {
  std::unique_ptr<Module> module;
  Plan plan;
  Islands islands;
  std::unique_ptr<const Flow> flow;

  explicit PlannedFlow(const std::string& text)
      : module(Parse(text)), plan(*module, nullptr, /*joins_loops=*/true), islands(&plan) {
    const Island* const island = islands.Of(*module->entry());
    REQUIRE(island != nullptr);
    for (const IslandStep& step : island->steps) {
      if (step.kind == IslandStep::Kind::kWhile) flow = FlowOf(*island, step, &islands);
    }
  }
  std::optional<FlowModule> Code() const { return flow ? ModuleOf(*flow) : std::nullopt; }
};

/// Results and the number of steps, or the error and where it was, of an execution.
struct LoopOutcome {
  std::vector<std::vector<std::byte>> arrays;
  uint64_t steps = 0;
  std::string error;
  size_t depth = 0;
  bool operator==(const LoopOutcome&) const = default;
};

/// With a limit of fewer steps no code is used, so near to the limit.
constexpr uint64_t kStepByStep = (uint64_t{1} << 20) - 1;

Value LoopInputOf(float scale, Budget* budget) {
  Tensor x(ElementType::kF32, std::vector<int64_t>{37}, budget);
  for (int i = 0; i < 37; ++i) x.mutable_data<float>()[i] = static_cast<float>(i - 11) * scale;
  return Value(std::move(x));
}

// Executed `times` times by one executor, which keeps constants and code: the last one.
LoopOutcome LoopOutcomeOf(const std::string& text, Budget::Limits limits, int times = 3,
                          bool by_steps = false) {
  auto module = Parse(text);
  Budget budget(limits);
  Executor executor(*module, {}, &budget, nullptr);
  LoopOutcome outcome;
  for (int i = 0; i < times; ++i) {
    outcome = {};
    budget.Restart();
    executor.Start({LoopInputOf(0.125f, &budget), LoopInputOf(-0.75f, &budget)});
    while (by_steps && executor.Step() == Executor::Status::kRunning) {
    }
    executor.Run();
    outcome.steps = budget.steps_used();
    if (executor.status() != Executor::Status::kDone) {
      outcome.error = executor.failure().message;
      outcome.depth = executor.failure().stack.size();
      continue;
    }
    const Value result = executor.TakeResult();
    for (const Value& element : result.elements()) {
      const std::byte* const bytes = element.tensor().bytes();
      outcome.arrays.emplace_back(bytes, bytes + element.tensor().element_count() *
                                                     BytesOf(element.tensor().element_type()));
    }
  }
  return outcome;
}

void CheckSameLoop(const std::string& text) {
  CAPTURE(text);
  // There is code for all of it.
  CHECK(PlannedFlow(text).Code().has_value());
  for (int times : {1, 3}) {
    const LoopOutcome whole = LoopOutcomeOf(text, {}, times);
    CHECK(whole.error == "");
    CHECK(whole.arrays.size() == 3);
    CHECK(whole == LoopOutcomeOf(text, {.steps = kStepByStep}, times));
    CHECK(whole.arrays == LoopOutcomeOf(text, {}, times, /*by_steps=*/true).arrays);
  }
}

const std::string kSineOfState =
    "h = f32[] constant(0.9)  hs = f32[37] broadcast(h), dimensions={}\n"
    "m = f32[37] multiply(x, hs)  z = f32[37] sine(m)\n";

TEST_CASE("flows: state that is exchanged, passed on, given twice and computed in place") {
  for (const char* state : {"next, y, x", "next, z, y", "next, z, x", "next, x, z", "next, z, z",
                            "next, y, z", "next, x, x", "next, y, y", "next, x, y"}) {
    for (int n : {0, 1, 2, 3, 100}) {
      CheckSameLoop(ArrayLoop(
          kSineOfState + "ROOT t = (s32[], f32[37], f32[37]) tuple(" + std::string(state) + ")",
          n));
    }
  }
}

TEST_CASE("flows: functions in sixteen lanes, then in eight, then one by one") {
  CheckSameLoop(
      ArrayLoop("a = f32[29] slice(x), slice={[3:32]}  b = f32[29] logistic(a)\n"
                "h = f32[] constant(0.5)  c = f32[37] pad(b, h), padding=8_0\n"
                "d = f32[12] slice(y), slice={[0:12]}  e = f32[12] exponential(d)\n"
                "f = f32[37] pad(e, h), padding=0_25\n"
                "ROOT t = (s32[], f32[37], f32[37]) tuple(next, c, f)",
                20));
}

TEST_CASE("flows: scalars of the loop are the same for all elements") {
  CheckSameLoop(
      ArrayLoop("f = f32[] convert(next)  fs = f32[37] broadcast(f), dimensions={}\n"
                "a = f32[37] add(x, fs)  b = f32[37] multiply(a, y)  c = f32[37] subtract(y, a)\n"
                "ROOT t = (s32[], f32[37], f32[37]) tuple(next, b, c)",
                20));
}

TEST_CASE("flows: constants that a body computes, and one as its result") {
  CheckSameLoop(
      ArrayLoop("r = f32[37] iota(), iota_dimension=0  a = f32[37] add(x, r)\n"
                "ROOT t = (s32[], f32[37], f32[37]) tuple(next, a, r)",
                20));
}

const std::string kLoopBranches =
    "up { x = f32[37] parameter(0)  c = f32[37] cosine(x)  ROOT n = f32[37] add(c, x) }\n"
    "same { x = f32[37] parameter(0)  ROOT c = f32[37] reshape(x) }\n"
    "fixed { x = f32[37] parameter(0)  h = f32[] constant(2)\n"
    "  b = f32[37] broadcast(h), dimensions={}  ROOT c = f32[37] reshape(b) }\n"
    "both { p = (f32[37], f32[37]) parameter(0)  x = f32[37] get-tuple-element(p), index=0\n"
    "  ROOT t = (f32[37], f32[37]) tuple(x, x) }\n"
    "cross { p = (f32[37], f32[37]) parameter(0)  x = f32[37] get-tuple-element(p), index=0\n"
    "  y = f32[37] get-tuple-element(p), index=1  ROOT t = (f32[37], f32[37]) tuple(y, x) }\n";

TEST_CASE("flows: large constants that only other constants need") {
  CheckSameLoop(
      ArrayLoop("r = f32[300000] iota(), iota_dimension=0  z = f32[] constant(0)\n"
                "t0 = f32[] reduce(r, z), dimensions={0}, to_apply=largest\n"
                "ts = f32[37] broadcast(t0), dimensions={}  a = f32[37] add(x, ts)\n"
                "ROOT t = (s32[], f32[37], f32[37]) tuple(next, a, x)",
                20,
                "largest { a = f32[] parameter(0)  b = f32[] parameter(1)\n"
                "  ROOT c = f32[] maximum(a, b) }\n"));
}

TEST_CASE("flows: conditionals, with branches that compute, pass on, or give constants") {
  const std::string chosen =
      "four = s32[] constant(4)  k = s32[] remainder(i, four)\n"
      "c = f32[37] conditional(k, x, y, x), branch_computations={up, same, fixed}\n";
  CheckSameLoop(ArrayLoop(chosen + "ROOT t = (s32[], f32[37], f32[37]) tuple(next, c, x)", 30,
                          kLoopBranches));
  CheckSameLoop(ArrayLoop(chosen + "d = f32[37] add(c, y)\n"
                                   "ROOT t = (s32[], f32[37], f32[37]) tuple(next, d, c)",
                          30, kLoopBranches));
  CheckSameLoop(
      ArrayLoop("four = s32[] constant(4)  k = s32[] remainder(i, four)\n"
                "o = s32[] constant(1)  p = pred[] compare(k, o), direction=LE\n"
                "a = (f32[37], f32[37]) tuple(x, y)\n"
                "c = (f32[37], f32[37]) conditional(p, a, a), true_computation=both,"
                " false_computation=cross\n"
                "v = f32[37] get-tuple-element(c), index=0\n"
                "w = f32[37] get-tuple-element(c), index=1\n"
                "ROOT t = (s32[], f32[37], f32[37]) tuple(next, v, w)",
                30, kLoopBranches));
}

const std::string kInnerLoop =
    "inner_condition { s = (s32[], f32[37]) parameter(0)\n"
    "  i = s32[] get-tuple-element(s), index=0  n = s32[] constant(5)\n"
    "  ROOT less = pred[] compare(i, n), direction=LT }\n"
    "inner_body { s = (s32[], f32[37]) parameter(0)  i = s32[] get-tuple-element(s), index=0\n"
    "  x = f32[37] get-tuple-element(s), index=1  o = s32[] constant(1)  j = s32[] add(i, o)\n"
    "  v = f32[37] sine(x)  w = f32[37] subtract(x, v)\n"
    "  ROOT t = (s32[], f32[37]) tuple(j, w) }\n"
    "twice { x = f32[37] parameter(0)  ROOT y = f32[37] add(x, x) }\n";

TEST_CASE("flows: loops in loops, and calls") {
  const std::string inner =
      "z = s32[] constant(0)  inner = (s32[], f32[37]) tuple(z, x)\n"
      "w = (s32[], f32[37]) while(inner), condition=inner_condition, body=inner_body\n"
      "v = f32[37] get-tuple-element(w), index=1\n";
  CheckSameLoop(
      ArrayLoop(inner + "ROOT t = (s32[], f32[37], f32[37]) tuple(next, v, y)", 9, kInnerLoop));
  CheckSameLoop(
      ArrayLoop(inner + "ROOT t = (s32[], f32[37], f32[37]) tuple(next, v, x)", 9, kInnerLoop));
  CheckSameLoop(
      ArrayLoop(inner + "a = f32[37] call(v), to_apply=twice  b = f32[37] call(a), to_apply=twice\n"
                        "ROOT t = (s32[], f32[37], f32[37]) tuple(next, b, a)",
                9, kInnerLoop));
}

TEST_CASE("flows: a loop without end ends at its limits, where it would step by step") {
  const std::string text =
      ArrayLoop(kSineOfState + "ROOT t = (s32[], f32[37], f32[37]) tuple(i, z, y)", 1);
  CHECK(PlannedFlow(text).Code().has_value());
  const LoopOutcome steps = LoopOutcomeOf(text, {.steps = 3'000'000}, 2);
  CHECK(steps.error == "stopped after the limit of 3000000 steps");
  CHECK(steps.steps == 3'000'001);
  CHECK(steps.depth == 2);
  const LoopOutcome time = LoopOutcomeOf(text, {.seconds = 0.05}, 1);
  CHECK(time.error == "stopped after the time limit of 0.05 s");
  // It is looked at inside the body and between two iterations.
  CHECK(time.depth >= 1);
  CHECK(time.depth <= 2);
}

/// A loop whose state becomes (i + 1, first, second).
std::string LoopTo(const std::string& body, const std::string& first, const std::string& second,
                   const std::string& others = "") {
  return ArrayLoop(
      body + "ROOT t = (s32[], f32[37], f32[37]) tuple(next, " + first + ", " + second + ")", 45,
      others);
}

TEST_CASE("flows: elements are moved: views, parts, joined and padded arrays") {
  for (const char* moved :
       {"m = f32[37] reverse(x), dimensions={0}",
        "a = f32[36] slice(x), slice={[1:37]}\n"
        "b = f32[1] slice(x), slice={[0:1]}  m = f32[37] concatenate(a, b), dimensions={0}",
        "a = f32[13] slice(x), slice={[0:37:3]}  z = f32[] constant(2)\n"
        "m = f32[37] pad(a, z), padding=0_0_2",
        "a = f32[36] slice(x), slice={[1:37]}  b = f32[4,9] reshape(a)\n"
        "c = f32[9,4] transpose(b), dimensions={1,0}  d = f32[36] reshape(c)  z = f32[] "
        "constant(0)\n"
        "m = f32[37] pad(d, z), padding=1_0",
        "a = f32[1] slice(x), slice={[5:6]}  b = f32[] reshape(a)\n"
        "c = f32[37] broadcast(b), dimensions={}  d = f32[37] sine(c)  m = f32[37] subtract(d, x)",
        "a = f32[9] slice(x), slice={[2:11]}  b = f32[4,9] broadcast(a), dimensions={1}\n"
        "c = f32[36] reshape(b)  d = f32[36] sine(c)  e = f32[1] slice(y), slice={[3:4]}\n"
        "m = f32[37] concatenate(e, d), dimensions={0}"}) {
    const std::string body = std::string(moved) + "\n";
    CheckSameLoop(LoopTo(body, "m", "y"));
    CheckSameLoop(LoopTo(body, "m", "x"));
    CheckSameLoop(LoopTo(body + "k = f32[37] add(m, y)\n", "y", "k"));
  }
}

TEST_CASE("flows: slices begin where the program says, inside the array") {
  for (const char* type : {"s32", "u32", "s64", "u64", "s8", "u8", "s16"}) {
    // From below the array to beyond it; unsigned, from the largest numbers.
    const std::string index = std::string("k = s32[] constant(5)  l = s32[] subtract(i, k)\n") +
                              "j = " + type + "[] convert(l)\n";
    const std::string part = index + "p = f32[6] dynamic-slice(x, j), dynamic_slice_sizes={6}\n";
    CheckSameLoop(LoopTo(part + "q = f32[37] dynamic-update-slice(y, p, j)\n", "q", "x"));
    CheckSameLoop(
        LoopTo(part + "g = f32[6] sine(p)  q = f32[37] dynamic-update-slice(x, g, j)\n", "q", "y"));
    // The operand is needed afterwards.
    CheckSameLoop(
        LoopTo(part + "q = f32[37] dynamic-update-slice(x, p, j)  r = f32[37] subtract(q, x)\n",
               "r", "q"));
    // Single elements, which are scalars.
    const std::string one = index +
                            "p = f32[1] dynamic-slice(x, j), dynamic_slice_sizes={1}\n"
                            "n = f32[] reshape(p)  g = f32[] sine(n)  u = f32[1] reshape(g)\n";
    CheckSameLoop(LoopTo(one + "q = f32[37] dynamic-update-slice(x, u, j)\n", "q", "y"));
  }
}

TEST_CASE("flows: arrays that are longer than a pass may go through are moved in parts") {
  const std::string text = R"(condition {
  s = (s32[], f32[37], f32[500000]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(50)
  ROOT less = pred[] compare(i, n), direction=LT
}
body {
  s = (s32[], f32[37], f32[500000]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[37] get-tuple-element(s), index=1
  y = f32[500000] get-tuple-element(s), index=2
  one = s32[] constant(1)
  next = s32[] add(i, one)
  k = s32[] constant(9999)
  at = s32[] multiply(i, k)
  p = f32[37] dynamic-slice(y, at), dynamic_slice_sizes={37}
  v = f32[37] add(x, p)
  w = f32[37] cosine(v)
  q = f32[500000] dynamic-update-slice(y, w, at)
  ROOT t = (s32[], f32[37], f32[500000]) tuple(next, v, q)
}
ENTRY e {
  x = f32[37] parameter(0)
  unused = f32[37] parameter(1)
  zero = s32[] constant(0)
  y = f32[500000] iota(), iota_dimension=0
  s = (s32[], f32[37], f32[500000]) tuple(zero, x, y)
  ROOT w = (s32[], f32[37], f32[500000]) while(s), condition=condition, body=body
}
)";
  CheckSameLoop(text);
  // All of it in every iteration is more than a flow does.
  std::string whole = text;
  whole.replace(whole.find("tuple(next, v, q)"), 17, "tuple(next, v, r)");
  whole.replace(
      whole.find("  ROOT t = "), 0,
      "  d = f32[1] slice(q), slice={[0:1]}  r = f32[500000] dynamic-update-slice(y, d, at)\n");
  const PlannedFlow planned(whole);
  CHECK(planned.flow != nullptr);
  CHECK(!planned.Code().has_value());
}

TEST_CASE("flows: a loop inside leaves some of its state as it is") {
  const std::string others =
      "inner_condition { s = (s32[], f32[37], f32[37], f32[37]) parameter(0)\n"
      "  i = s32[] get-tuple-element(s), index=0  n = s32[] constant(5)\n"
      "  ROOT less = pred[] compare(i, n), direction=LT }\n"
      "inner_body { s = (s32[], f32[37], f32[37], f32[37]) parameter(0)\n"
      "  i = s32[] get-tuple-element(s), index=0  x = f32[37] get-tuple-element(s), index=1\n"
      "  y = f32[37] get-tuple-element(s), index=2  z = f32[37] get-tuple-element(s), index=3\n"
      "  o = s32[] constant(1)  j = s32[] add(i, o)\n"
      "  p = f32[3] dynamic-slice(x, i), dynamic_slice_sizes={3}\n"
      "  v = f32[37] dynamic-update-slice(y, p, i)  w = f32[37] add(v, z)\n"
      "  ROOT t = (s32[], f32[37], f32[37], f32[37]) tuple(j, x, w, z) }\n";
  // The same array is given as what changes and as what does not, and is needed afterwards or not.
  for (const char* state : {"x, x, x", "x, x, y", "y, x, x", "x, y, y", "y, y, x"}) {
    const std::string inner =
        std::string(
            "zero = s32[] constant(0)\n"
            "s0 = (s32[], f32[37], f32[37], f32[37]) tuple(zero, ") +
        state +
        ")\nl = (s32[], f32[37], f32[37], f32[37]) while(s0), condition=inner_condition, "
        "body=inner_body\na = f32[37] get-tuple-element(l), index=1\n"
        "b = f32[37] get-tuple-element(l), index=2  c = f32[37] get-tuple-element(l), index=3\n"
        "d = f32[37] sine(b)\n";
    for (const auto& [first, second] :
         {std::pair("d", "x"), std::pair("a", "d"), std::pair("c", "d"), std::pair("d", "y")}) {
      CheckSameLoop(LoopTo(inner, first, second, others));
    }
  }
}

TEST_CASE("flows: elements are scattered to one place, if it is inside") {
  const std::string regions =
      "assign { a = f32[] parameter(0)  b = f32[] parameter(1)  c = f32[] add(a, b)\n"
      "  ROOT r = f32[] reshape(b) }\n"
      "mix { a = f32[] parameter(0)  b = f32[] parameter(1)  c = f32[] multiply(b, b)\n"
      "  ROOT r = f32[] subtract(c, a) }\n";
  for (const char* region : {"assign", "mix"}) {
    // One element, at an index from -5 to 39.
    const std::string one =
        std::string(
            "k = s32[] constant(5)  l = s32[] subtract(i, k)  j = s32[1] reshape(l)\n"
            "p = f32[1] dynamic-slice(y, i), dynamic_slice_sizes={1}\n"
            "v = f32[] reshape(p)  u = f32[] sine(v)\n"
            "q = f32[37] scatter(x, j, u), update_window_dims={}, inserted_window_dims={0},"
            " scatter_dims_to_operand_dims={0}, index_vector_dim=0, to_apply=") +
        region + "\n";
    CheckSameLoop(LoopTo(one, "q", "y", regions));
    CheckSameLoop(LoopTo(one + "r = f32[37] add(q, x)\n", "r", "q", regions));
    // A window of rows of a matrix.
    const std::string rows =
        std::string(
            "k = s32[] constant(5)  l = s32[] subtract(i, k)  j = s32[1] reshape(l)\n"
            "h = f32[36] slice(x), slice={[0:36]}  m = f32[9,4] reshape(h)\n"
            "p = f32[8] slice(y), slice={[20:28]}  u = f32[2,4] reshape(p)\n"
            "q = f32[9,4] scatter(m, j, u), update_window_dims={0,1},"
            " inserted_window_dims={}, scatter_dims_to_operand_dims={0},"
            " index_vector_dim=0, to_apply=") +
        region +
        "\nf = f32[36] reshape(q)  e = f32[1] slice(x), slice={[36:37]}\n"
        "z = f32[37] concatenate(f, e), dimensions={0}\n";
    CheckSameLoop(LoopTo(rows, "z", "y", regions));
    // An array of one element.
    const std::string single =
        std::string(
            "k = s32[] constant(3)  l = s32[] remainder(i, k)  j = s32[1] reshape(l)\n"
            "a = f32[1] slice(x), slice={[4:5]}  b = f32[1] slice(y), slice={[5:6]}\n"
            "v = f32[] reshape(b)\n"
            "q = f32[1] scatter(a, j, v), update_window_dims={}, inserted_window_dims={0},"
            " scatter_dims_to_operand_dims={0}, index_vector_dim=0, to_apply=") +
        region + "\nr = f32[37] dynamic-update-slice(x, q, i)\n";
    CheckSameLoop(LoopTo(single, "r", "y", regions));
  }
}

TEST_CASE("flows: sums of products") {
  CheckSameLoop(
      LoopTo("d = f32[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n"
             "g = f32[] sine(d)  t0 = f32[37] broadcast(g), dimensions={}\n"
             "q = f32[37] add(x, t0)\n",
             "q", "y"));
  const std::string matrices =
      "a = f32[36] slice(x), slice={[0:36]}  b = f32[36] slice(y), slice={[1:37]}\n"
      "c = f32[2,3,6] reshape(a)  d = f32[6,3,2] reshape(b)\n"
      "p = f32[2,3,3] dot(c, d), lhs_batch_dims={0}, rhs_batch_dims={2},"
      " lhs_contracting_dims={2}, rhs_contracting_dims={0}\n"
      "e = f32[4,9] reshape(a)  f = f32[9,4] reshape(b)\n"
      "q = f32[4,4] dot(e, f), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
      "g = f32[1] slice(x), slice={[2:3]}\n"
      "o = f32[1,36] dot(g, a), lhs_contracting_dims={}, rhs_contracting_dims={}\n"
      "p1 = f32[18] reshape(p)  q1 = f32[16] reshape(q)  o1 = f32[36] reshape(o)\n"
      "o2 = f32[3] slice(o1), slice={[7:10]}\n"
      "z = f32[37] concatenate(p1, q1, o2), dimensions={0}  r = f32[37] sine(z)\n";
  CheckSameLoop(LoopTo(matrices, "r", "x"));
  // Wider sums, of f64.
  CheckSameLoop(
      LoopTo("a = f64[37] convert(x)  b = f64[37] convert(y)\n"
             "d = f64[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n"
             "e = f32[] convert(d)  g = f32[] sine(e)  t0 = f32[37] broadcast(g), dimensions={}\n"
             "q = f32[37] add(x, t0)\n",
             "q", "y"));
}

TEST_CASE("flows: a narrow float that is moved by itself has no code") {
  const PlannedFlow planned(LoopTo(
      "h = f8e5m2[] constant(1)  a = f8e5m2[37] convert(x)  b = f8e5m2[1] slice(a), slice={[4:5]}\n"
      "c = f8e5m2[37] pad(b, h), padding=0_36  d = f8e5m2[37] negate(c)\n"
      "q = f32[37] convert(d)\n",
      "q", "y"));
  CHECK(planned.flow != nullptr);
  CHECK(!planned.Code().has_value());
}

TEST_CASE("flows: what is no pass over elements is left to the runner") {
  const std::string sorted =
      "r = f32[37] sort(x), dimensions={0}, to_apply=order\n"
      "ROOT t = (s32[], f32[37], f32[37]) tuple(next, r, y)";
  CHECK(PlannedFlow(ArrayLoop(sorted, 3,
                              "order { a = f32[] parameter(0)  b = f32[] parameter(1)\n"
                              "  ROOT c = pred[] compare(a, b), direction=LT }\n"))
            .flow == nullptr);
  // A pass, but of an operation without code.
  const std::string rounded =
      "c = f32[37] reduce-precision(x), exponent_bits=5, mantissa_bits=10\n"
      "ROOT t = (s32[], f32[37], f32[37]) tuple(next, c, y)";
  const PlannedFlow planned(ArrayLoop(rounded, 3));
  CHECK(planned.flow != nullptr);
  CHECK(!planned.Code().has_value());
}

TEST_CASE("flows: state is computed in place, or in the buffer of state that nothing needs") {
  for (const char* state : {"z, y", "z, x"}) {
    const PlannedFlow planned(ArrayLoop(
        kSineOfState + "ROOT t = (s32[], f32[37], f32[37]) tuple(next, " + state + ")", 3));
    const std::optional<FlowModule> code = planned.Code();
    REQUIRE(code.has_value());
    CHECK(code->buffers == std::vector<int64_t>{148, 148});
    // A loop over the elements in vectors, within one that goes on after rare operands; one over
    // those that are left; and the loop itself: none that copies elements.
    const std::string text = ModuleText(code->module);
    int loops = 0;
    for (size_t at = 0; (at = text.find(" loop", at)) != std::string::npos; ++at) ++loops;
    CHECK(loops == 4);
  }
}

}  // namespace
}  // namespace hlo
