// Compiler passes keep every bit of what a program gives: generated programs, after every pass.
#include "engine/passes/passes.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/hlo/printer.h"
#include "engine/views/document.h"
#include "tests/generated/generator.h"
#include "tests/generated/outcome.h"
#include "tests/unit/sanitizers.h"

namespace hlo {
namespace {

constexpr Budget::Limits kPassLimits{.memory_bytes = 256 << 20, .steps = 200'000, .seconds = 20};

std::vector<const Pass*> AllPasses() {
  std::vector<const Pass*> all;
  for (const Pass& pass : Passes()) all.push_back(&pass);
  return all;
}

// What is wrong with a pass; empty when nothing is. `*changed` counts steps that did something.
std::string PassFaultOf(const Program& program, int* changed = nullptr) {
  const auto document = std::make_shared<const Document>(program.Text());
  if (!document->ok()) return "";
  const Outcome plain = RunIt(document, program, kPassLimits, false);
  for (const PassStep& step : RunPasses(*document->module(), AllPasses())) {
    if (!step.changed) continue;
    if (changed) ++*changed;
    const std::string text = PrintModule(*step.module);
    const auto after = std::make_shared<const Document>(text);
    if (!after->ok()) {
      return fmt::format("after {} it is refused: {}\n{}", step.pass->name,
                         FirstError(after->diagnostics()), text);
    }
    // A failure may be gone with what failed, and it names instructions.
    if (!plain.error.empty()) continue;
    const std::string difference = OutcomeDifference(
        RunIt(after, program, kPassLimits, false), plain, fmt::format("after {}", step.pass->name));
    if (!difference.empty()) return difference + "\n" + text;
  }
  return "";
}

TEST_CASE("passes: generated programs give the same bits after every pass") {
  int changed = 0;
  for (uint64_t seed = 1; seed <= static_cast<uint64_t>(Rounds(300)); ++seed) {
    GeneratorOptions options;
    options.several_devices = seed % 4 == 0;
    options.mixed_floats = seed % 3 != 0;
    options.statements = 6 + static_cast<int>(seed % 24);
    const Program program = Generator(seed, options).Generate();
    if (PassFaultOf(program, &changed).empty()) continue;
    const Program less =
        Minimised(program, [](const Program& smaller) { return !PassFaultOf(smaller).empty(); });
    FAIL_CHECK("seed " << seed << ": " << PassFaultOf(less) << "\n" << less.Text());
  }
  CHECK(changed > Rounds(300));
}

}  // namespace
}  // namespace hlo
