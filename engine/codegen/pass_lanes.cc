#include "engine/codegen/pass_lanes.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "engine/codegen/step_lowering.h"
#include "engine/codegen/steps_code.h"

namespace hlo {
namespace {

/// What the code of a pass in kStepLanes lanes comes to.
struct PassSize {
  int functions = 0;           // steps that are long
  bool gains_by_lanes = true;  // none of them is longer than that, or goes lane by lane
  uint32_t vectors = 0;        // that are needed at a time, besides constants
  bool has_rare = false;       // an operand that is computed apart
};

// Measured in V8 on x86, by how often a function uses locals: in 16 lanes exp (176), sine (327),
// tanh (334), expm1 (468) and logistic (473) take 5 to 22 % less time, alone or among sums and
// products. log (496) takes the same, pow (825) and erf (1262) more, and so do two functions in a
// pass, however short: with the constants of both V8 moves vectors to memory and back. What has no
// function is as fast in either.
constexpr uint32_t kFunctionUses = 100, kMostFunctionUses = 480, kMostVectors = 24;
/// A pass that needs more vectors at a time waits for its steps, and not for memory.
constexpr uint32_t kMostLightVectors = 12;

PassSize SizeOf(const RegionSteps& program, const PassSteps& pass) {
  FunctionWriter writer(0);
  LaneCode code(&writer, kStepLanes);
  code.SetRare(LaneCode::Rare::kApart);
  StepsCode values(&program, {}, &code);
  std::set<int32_t> known;
  PassSize size;
  for (const size_t i : pass) {
    const RegionStep& step = program.steps[i];
    for (int k = 0; k < step.loop.operand_count; ++k) {
      if (!known.insert(step.args[k]).second) continue;
      values.GivePair(step.args[k], NewPair(step.loop.operands[k], &code));
    }
    known.insert(step.result);
    const uint32_t before = writer.uses();
    values.WriteStep(step);
    const uint32_t uses = writer.uses() - before;
    if (uses < kFunctionUses) continue;
    ++size.functions;
    size.gains_by_lanes &=
        uses <= kMostFunctionUses && !IsComplexStep(step) && HasVectorCode(step, kStepLanes);
  }
  size.vectors = writer.MostVectors();
  size.has_rare = code.has_rare();
  return size;
}

int LanesOf(std::span<const PassSize> passes) {
  int functions = 0;
  for (const PassSize& size : passes) {
    if (size.functions > 1 || !size.gains_by_lanes || size.vectors > kMostVectors) {
      return kStepLanes;
    }
    functions += size.functions;
  }
  return functions > 0 ? kWideStepLanes : kStepLanes;
}

}  // namespace

int PassLanes(const RegionSteps& program, std::span<const PassSteps> passes) {
  std::vector<PassSize> sizes;
  for (const PassSteps& pass : passes) sizes.push_back(SizeOf(program, pass));
  return LanesOf(sizes);
}

PassForm FormOf(const RegionSteps& program, size_t begin, size_t end) {
  PassSteps steps(end - begin);
  std::iota(steps.begin(), steps.end(), begin);
  const PassSize size = SizeOf(program, steps);
  return {LanesOf({&size, 1}),
          size.functions == 0 && !size.has_rare && size.vectors <= kMostLightVectors};
}

}  // namespace hlo
