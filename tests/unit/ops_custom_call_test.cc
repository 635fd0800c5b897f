// Custom-call targets that a program adds: the operation semantics document's form, the form
// on values, steps.
#include <cstring>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

#include "doctest/doctest.h"
#include "engine/hlo/parser.h"
#include "engine/hlo/verifier.h"
#include "engine/ops/custom_calls/custom_call_targets.h"
#include "engine/ops/custom_calls/custom_calls.h"
#include "engine/plan/region_program.h"
#include "engine/run/executor.h"
#include "engine/types/literal.h"
#include "engine/views/session.h"
#include "tests/unit/op_runner.h"

namespace hlo {
namespace {

/// The text of the entry's value, or of the failure.
std::string Outcome(const CustomCallTargets& targets, const std::string& text) {
  Diagnostics diagnostics;
  auto module = ParseModule(text, diagnostics);
  if (module && !diagnostics.has_errors()) VerifyModule(*module, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.list()) FAIL(diagnostic.message);
  Budget budget;
  RunOptions options;
  options.custom_calls = &targets;
  Executor executor(*module, options, &budget, nullptr);
  executor.Start({});
  if (executor.Run() != Executor::Status::kDone) return executor.failure().message;
  return LiteralText(executor.result(), module->entry()->root()->shape());
}

// The document's example: x[1] + y[1][0] into z[0][0].
void DocumentExample(void* out, void** in) {
  float(&x)[2] = *static_cast<float(*)[2]>(in[0]);
  float(&y)[2][3] = *static_cast<float(*)[2][3]>(in[1]);
  float(&z)[3][3] = *static_cast<float(*)[3][3]>(out);
  z[0][0] = x[1] + y[1][0];
  z[2][1] = y[0][2];
}

void CopyBytes(void* out, const void** in) { std::memcpy(out, in[0], 6 * sizeof(float)); }

void SwapParts(void* out, const void** in) {
  auto** parts = static_cast<void**>(out);
  const auto* const* from = static_cast<const void* const*>(in[0]);
  std::memcpy(parts[0], from[1], sizeof(int32_t));
  std::memcpy(parts[1], from[0], 2 * sizeof(float));
}

void WriteAnyBits(void* out, const void**) { std::memset(out, 0x17, 2); }

TEST_CASE("the document's form: pointers to operands, room for the result") {
  CustomCallTargets targets;
  targets.Add("myfunc", RawCustomCallOfDocument{DocumentExample});
  CHECK(
      Outcome(targets,
              "ENTRY e { x = f32[2] constant({1, 2})  y = f32[2,3] constant({{10, 20, 30}, {40, "
              "50, 60}})  ROOT z = f32[3,3] custom-call(x, y), custom_call_target=\"myfunc\" }") ==
      "{ { 42, 0, 0 }, { 0, 0, 0 }, { 0, 30, 0 } }");
}

TEST_CASE("arrays lie as their layouts say") {
  CustomCallTargets targets;
  targets.Add("copy_bytes", RawCustomCall{CopyBytes});
  CHECK(Outcome(targets,
                "ENTRY e { y = f32[2,3]{0,1} constant({{1, 2, 3}, {4, 5, 6}})  ROOT z = f32[6] "
                "custom-call(y), custom_call_target=\"copy_bytes\" }") == "{1, 4, 2, 5, 3, 6}");
  CHECK(Outcome(targets,
                "ENTRY e { y = f32[2,3] constant({{1, 2, 3}, {4, 5, 6}})  ROOT z = f32[2,3]{0,1} "
                "custom-call(y), custom_call_target=\"copy_bytes\" }") ==
        "{ { 1, 3, 5 }, { 2, 4, 6 } }");
}

TEST_CASE("tuples are arrays of pointers") {
  CustomCallTargets targets;
  targets.Add("swap", RawCustomCall{SwapParts});
  CHECK(Outcome(targets,
                "ENTRY e { x = f32[2] constant({1, 2})  n = s32[] constant(7)  t = (f32[2], s32[]) "
                "tuple(x, n)  ROOT z = (s32[], f32[2]) custom-call(t), "
                "custom_call_target=\"swap\" }") == "( 7, {1, 2} )");
}

TEST_CASE("bits that a type does not have are dropped") {
  CustomCallTargets targets;
  targets.Add("bits", RawCustomCall{WriteAnyBits});
  CHECK(
      Outcome(targets, "ENTRY e { ROOT z = pred[2] custom-call(), custom_call_target=\"bits\" }") ==
      "{1, 1}");
  CHECK(Outcome(targets, "ENTRY e { ROOT z = s4[2] custom-call(), custom_call_target=\"bits\" }") ==
        "{7, 7}");
}

TEST_CASE("the form on values sees the instruction") {
  CustomCallTargets targets;
  targets.Add("scale", [](const OpCall& call, std::span<Value> args, EvalContext&) {
    const bool effect = call.Bool("custom_call_has_side_effect");
    const size_t aliases = call.Aliases("output_to_operand_aliasing").size();
    const auto* literal = call.GetLiteral("literal");
    const float factor = *literal->literal.value.tensor().data<float>();
    const float extra = static_cast<float>((effect ? 100 : 0) + 10 * static_cast<int>(aliases));
    Tensor result = MakeTestTensor<float>({2}, {0, 0});
    for (int i = 0; i < 2; ++i) {
      result.mutable_data<float>()[i] = args[0].tensor().data<float>()[i] * factor + extra;
    }
    return Value(result);
  });
  CHECK(Outcome(targets,
                "ENTRY e { x = f32[2] constant({1, 2})  ROOT z = f32[2] custom-call(x), "
                "custom_call_target=\"scale\", custom_call_has_side_effect=true, literal=f32[] 3, "
                "output_to_operand_aliasing={{}: (0, {})} }") == "{113, 116}");
}

TEST_CASE("failures and misfits are errors of the run") {
  const std::string text = "ENTRY e { ROOT z = f32[2] custom-call(), custom_call_target=\"bad\" }";
  CustomCallTargets targets;
  CHECK(Outcome(targets, text).find("custom-call target \"bad\"") != std::string::npos);
  targets.Add("bad", [](const OpCall&, std::span<Value>, EvalContext&) -> Value {
    throw std::runtime_error("no luck");
  });
  CHECK(Outcome(targets, text) == "custom-call to bad failed: no luck");
  for (auto [value, said] : {std::pair<Value, const char*>{Value(), "a token"},
                             {Value::Tuple({}), "a tuple"},
                             {Value(Tensor()), "nothing"},
                             {Value(MakeTestTensor<float>({3}, {1, 2, 3})), "f32[3]"},
                             {Value(MakeTestTensor<int32_t>({2}, {1, 2})), "s32[2]"}}) {
    targets.Add("bad", [v = value](const OpCall&, std::span<Value>, EvalContext&) { return v; });
    CHECK(Outcome(targets, text) ==
          std::string("custom-call to bad must give f32[2], but gave ") + said);
  }
}

ControlStep CallTwice(const OpCall& call, std::span<Value> args, ControlState& state,
                      EvalContext&) {
  ControlStep step;
  if (state.step == 2) {
    step.result = std::move(state.returned);
    return step;
  }
  step.kind = ControlStep::Kind::kCall;
  step.region = call.Regions("called_computations")[0];
  step.args.push_back(state.step++ == 0 ? std::move(args[0]) : std::move(state.returned));
  return step;
}

TEST_CASE("a target may run the computations it is called with") {
  CustomCallTargets targets;
  targets.Add("twice", CustomCallSteps{CallTwice});
  CHECK(Outcome(targets,
                "sq { x = f32[] parameter(0)  ROOT y = f32[] multiply(x, x) }  ENTRY e { a = f32[] "
                "constant(3)  ROOT b = f32[] custom-call(a), custom_call_target=\"twice\", "
                "called_computations={sq} }") == "81");
}

TEST_CASE("what is added hides what is built in, until it is removed, and in one set only") {
  const std::string text =
      "ENTRY e { a = f32[] constant(3)  ROOT b = f32[] custom-call(a), "
      "custom_call_target=\"Sharding\" }";
  CustomCallTargets targets(AllTargets());
  const CustomCallTargets others(AllTargets());
  CHECK(Outcome(targets, text) == "3");
  targets.Add("Sharding", [](const OpCall&, std::span<Value>, EvalContext&) {
    return Value(Tensor::Scalar<float>(5));
  });
  CHECK(Outcome(targets, text) == "5");
  CHECK(Outcome(others, text) == "3");
  CHECK(targets.Remove("Sharding"));
  CHECK_FALSE(targets.Remove("Sharding"));
  CHECK(Outcome(targets, text) == "3");
}

TEST_CASE("a run finds the families that it is given, in compiled regions too") {
  const std::string text =
      "f { x = f32[] parameter(0)  ROOT y = f32[] custom-call(x), "
      "custom_call_target=\"mhlo.tan\" }  ENTRY e { a = f32[1] constant({0})  ROOT b = f32[1] "
      "map(a), dimensions={0}, to_apply=f }";
  CHECK(Outcome(CustomCallTargets(AllTargets()), text) == "{0}");
  CHECK(Outcome(CustomCallTargets(SmallTargets()), text).find("no function is known") == 0);
  Diagnostics faults;
  const auto module = ParseModule(text, faults);
  const Region& region = *module->FindComputation("f");
  Budget budget;
  const CustomCallTargets all(AllTargets());
  CHECK(CompileRegion(region, &budget, &all) != nullptr);
  CHECK(CompileRegion(region, &budget) == nullptr);
}

TEST_CASE("a session's targets are its own") {
  const std::string text = "ENTRY e { ROOT z = f32[] custom-call(), custom_call_target=\"five\" }";
  Session session, other;
  session.custom_calls().Add("five", [](const OpCall&, std::span<Value>, EvalContext&) {
    return Value(Tensor::Scalar<float>(5));
  });
  CHECK(session.Run(text, "{}", {}).find("\"ok\":true") != std::string::npos);
  CHECK(other.Run(text, "{}", {}).find("\"ok\":false") != std::string::npos);
}

TEST_CASE("built-in targets have names of their own, what the table of ops says, one way to run") {
  std::set<std::string> names;
  for (const TargetFamily family : AllTargets()) {
    for (const BuiltInTarget& target : family()) {
      CAPTURE(std::string(target.name));
      for (const std::string& name : NamesOf(target)) CHECK(names.insert(name).second);
      CHECK_FALSE(target.operands.empty());
      CHECK_FALSE(target.result.empty());
      CHECK_FALSE(target.doc.empty());
      CHECK_FALSE(target.source.empty());
      CHECK((target.eval != nullptr) + (target.enter != nullptr) + (target.loop != nullptr) == 1);
      CHECK(FindTarget(family(), target.name) == &target);
    }
  }
  const auto math = MathTargets();
  CHECK(FindTarget(math, "mhlo.erf_inv") == FindTarget(math, "chlo.erf_inv"));
  CHECK(FindTarget(math, "no.such") == nullptr);
}

}  // namespace
}  // namespace hlo
