// Last uses and elements that move out of tuples.
#include "engine/plan/plan.h"

#include <memory>
#include <string>

#include "doctest/doctest.h"
#include "engine/hlo/parser.h"

namespace hlo {
namespace {

struct Planned {
  std::unique_ptr<Module> module;
  std::unique_ptr<Plan> plan;
  explicit Planned(const char* text) {
    Diagnostics diagnostics;
    module = ParseModule(text, diagnostics);
    for (const Diagnostic& diagnostic : diagnostics.list()) FAIL(diagnostic.message);
    plan = std::make_unique<Plan>(*module);
  }
  const PlannedInstruction& operator[](const char* name) const {
    const Instruction* instruction = module->entry()->Find(name);
    REQUIRE(instruction != nullptr);
    return plan->For(*module->entry()).instructions[static_cast<size_t>(instruction->index())];
  }
};

TEST_CASE("the last use of a value, and none for the root") {
  const Planned p(
      "ENTRY e { a = s32[] parameter(1)  b = s32[] parameter(0)  c = s32[] add(a, b)\n"
      " ROOT d = s32[] add(a, a)  unused = s32[] negate(d) }");
  CHECK(p["a"].parameter == 1);
  CHECK(p["b"].parameter == 0);
  CHECK(p["c"].parameter == -1);
  CHECK(!p["c"].operands[0].last);
  CHECK(p["c"].operands[1].last);
  CHECK(!p["d"].operands[0].last);
  CHECK(p["d"].operands[1].last);
  CHECK(!p["unused"].operands[0].last);
  CHECK(p["unused"].unused);
  CHECK(p["c"].unused);
  CHECK(!p["d"].unused);
}

TEST_CASE("elements move out of tuples that nothing else uses") {
  const Planned p(
      "ENTRY e { t = (s32[], f32[2], f32[2]) parameter(0)\n"
      " a = s32[] get-tuple-element(t), index=0\n"
      " b = f32[2] get-tuple-element(t), index=1\n"
      " c = s32[] get-tuple-element(t), index=0\n"
      " ROOT r = (s32[], s32[], f32[2]) tuple(a, c, b) }");
  CHECK(p["a"].taken_element == -1);
  CHECK(p["b"].taken_element == 1);
  CHECK(p["c"].taken_element == 0);
  CHECK(!p["b"].operands[0].last);
  CHECK(p["c"].operands[0].last);
}

TEST_CASE("a tuple that is used whole keeps its elements") {
  const Planned p(
      "ENTRY e { t = (s32[]) parameter(0)  a = s32[] get-tuple-element(t), index=0\n"
      " ROOT r = (s32[], (s32[])) tuple(a, t) }");
  CHECK(p["a"].taken_element == -1);
  const Planned root(
      "ENTRY e { ROOT t = (s32[]) parameter(0)  a = s32[] get-tuple-element(t), index=0 }");
  CHECK(root["a"].taken_element == -1);
  CHECK(!root["a"].operands[0].last);
}

}  // namespace
}  // namespace hlo
