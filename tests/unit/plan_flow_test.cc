// Whole loops of islands as generated code: what they are made of, and that a loop gives the same
// whether it is run step by step or not. Natively no code runs; as Wasm it does.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
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
std::string LoopOf(const std::string& body, int n, const std::string& others = "") {
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
struct Planned {
  std::unique_ptr<Module> module;
  Plan plan;
  Islands islands;
  std::unique_ptr<const Flow> flow;

  explicit Planned(const std::string& text)
      : module(Parse(text)), plan(*module, nullptr, /*joins_loops=*/true), islands(&plan) {
    const Island* const island = islands.Of(*module->entry());
    REQUIRE(island != nullptr);
    for (const IslandStep& step : island->steps) {
      if (step.kind == IslandStep::Kind::kWhile) flow = FlowOf(*island, step, &islands);
    }
  }
  std::optional<FlowModule> Code() const { return flow ? ModuleOf(*flow) : std::nullopt; }
};

/// Results and the number of steps, or the error, of an execution.
struct Outcome {
  std::vector<std::vector<std::byte>> arrays;
  uint64_t steps = 0;
  std::string error;
  bool operator==(const Outcome&) const = default;
};

std::vector<std::byte> BytesOf(const Value& value) {
  const std::byte* const bytes = value.tensor().bytes();
  return {bytes, bytes + value.tensor().byte_count()};
}

// Run as a whole, and with every value recorded.
Outcome OutcomeOf(const std::string& text, bool is_traced, Budget::Limits limits = {}) {
  auto module = Parse(text);
  Budget budget(limits);
  std::vector<Value> inputs;
  for (int p = 0; p < 2; ++p) {
    Tensor x(ElementType::kF32, std::vector<int64_t>{37}, &budget);
    for (int i = 0; i < 37; ++i) {
      x.mutable_data<float>()[i] = static_cast<float>((p + 1) * (i - 11)) * 0.125f;
    }
    inputs.emplace_back(std::move(x));
  }
  Executor executor(*module, std::move(inputs), &budget, nullptr);
  Outcome outcome;
  const Executor::Status status = is_traced ? StepThrough(&executor) : executor.Run();
  outcome.steps = budget.steps_used();
  if (status != Executor::Status::kDone) {
    outcome.error = executor.failure()->message;
    return outcome;
  }
  for (const Value& element : executor.result().elements()) {
    outcome.arrays.push_back(BytesOf(element));
  }
  return outcome;
}

}  // namespace
}  // namespace hlo
