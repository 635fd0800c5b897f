#include "engine/plan/row_passes.h"

#include <algorithm>
#include <span>

namespace hlo {
namespace {

std::span<const int32_t> OperandsOf(const RegionStep& step) {
  return {step.args, static_cast<size_t>(step.loop.operand_count)};
}

class PassFinder {
 public:
  explicit PassFinder(const RegionSteps& program)
      : program_(program), step_of_(static_cast<size_t>(program.scalar_count), kNoStep) {
    for (size_t i = 0; i < program.steps.size(); ++i) {
      step_of_[static_cast<size_t>(program.steps[i].result)] = i;
    }
    passes_.pass.resize(step_of_.size(), 0);
    passes_.is_kept.resize(step_of_.size(), false);
  }
  PassFinder(const RegionSteps& program, const RowPasses& passes) : PassFinder(program) {
    passes_ = passes;
  }

  RowPasses Run() {
    for (const RegionStep& step : program_.steps) {
      int32_t& pass = PassOf(step.result);
      for (const int32_t operand : OperandsOf(step)) pass = std::max(pass, PassOf(operand));
      if (program_.IsFold(step)) ++pass;
      passes_.count = std::max(passes_.count, PassOf(step.result) + (IsElements(step) ? 1 : 0));
    }
    // Later passes say what earlier ones keep.
    for (int32_t pass = passes_.count; pass-- > 0;) StepsOf(pass);
    return std::move(passes_);
  }

  std::vector<size_t> StepsOf(int32_t pass) {
    std::vector<bool> wanted(program_.steps.size(), false);
    for (const RegionStep& step : program_.steps) {
      // That of a fold is the one after its operand's.
      if (program_.IsFold(step) && PassOf(step.result) == pass + 1)
        Want(step.args[0], pass, &wanted);
    }
    const auto want_own = [&](int32_t scalar) {
      if (!program_.IsRow(scalar) && PassOf(scalar) == pass) Want(scalar, pass, &wanted);
    };
    for (const RegionScalar& result : program_.results) want_own(result.id);
    for (size_t id = 0; id < passes_.is_kept.size(); ++id) {
      if (passes_.is_kept[id]) want_own(static_cast<int32_t>(id));
    }
    std::vector<size_t> steps;
    for (size_t i = program_.steps.size(); i-- > 0;) {
      if (!wanted[i]) continue;
      steps.push_back(i);
      for (const int32_t operand : OperandsOf(program_.steps[i])) Want(operand, pass, &wanted);
    }
    std::reverse(steps.begin(), steps.end());
    return steps;
  }

 private:
  static constexpr size_t kNoStep = ~size_t{0};

  int32_t& PassOf(int32_t scalar) { return passes_.pass[static_cast<size_t>(scalar)]; }
  bool IsElements(const RegionStep& step) const { return !program_.IsRow(step.result); }

  // Nothing is computed for parameters, constants and what is spread over a row.
  bool IsComputed(int32_t scalar) const {
    const size_t step = step_of_[static_cast<size_t>(scalar)];
    return step != kNoStep && !program_.IsRow(scalar) && !program_.IsSpread(program_.steps[step]);
  }

  void Want(int32_t scalar, int32_t pass, std::vector<bool>* wanted) {
    if (!IsComputed(scalar)) return;
    const size_t step = step_of_[static_cast<size_t>(scalar)];
    if (PassOf(scalar) < pass) {
      if (!IsCheap(program_.steps[step])) passes_.is_kept[static_cast<size_t>(scalar)] = true;
      if (passes_.is_kept[static_cast<size_t>(scalar)]) return;
    }
    (*wanted)[step] = true;
  }

  // Most operations on two numbers that are at hand take no longer than a store and a load.
  bool IsCheap(const RegionStep& step) const {
    const std::span<const int32_t> operands = OperandsOf(step);
    return operands.size() == 2 && std::none_of(operands.begin(), operands.end(),
                                                [&](int32_t id) { return IsComputed(id); });
  }

  const RegionSteps& program_;
  std::vector<size_t> step_of_;  // by scalar
  RowPasses passes_;
};

}  // namespace

RowPasses FindRowPasses(const RegionSteps& program) { return PassFinder(program).Run(); }

std::vector<size_t> StepsOfPass(const RegionSteps& program, const RowPasses& passes, int32_t pass) {
  return PassFinder(program, passes).StepsOf(pass);
}

}  // namespace hlo
