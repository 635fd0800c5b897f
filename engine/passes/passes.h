// The passes of a compiler as steps that can be looked at.
#ifndef HLO_ENGINE_PASSES_PASSES_H_
#define HLO_ENGINE_PASSES_PASSES_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/hlo/ir.h"
#include "engine/passes/draft.h"
#include "engine/passes/report.h"

namespace hlo {

/// A pass: a row of the table.
struct Pass {
  std::string_view name;
  std::string_view title;
  std::string_view description;  ///< One sentence.
  void (*run)(Draft& draft, PassReport& report);
  bool numbers_instructions =
      true;  ///< May change how many instructions there are, or their order.
};
/// In the order in which a compiler runs them.
std::span<const Pass> Passes();
/// The pass of this name, or null.
const Pass* FindPass(std::string_view name);

/// The size of a program and what it costs.
struct PassCounts {
  int64_t instructions = 0, computations = 0, fusions = 0;
  /// Read and written by all instructions, each counted once, also those of loops; what is inside
  /// of fusions is not.
  int64_t traffic_bytes = 0;
  int64_t peak_bytes = 0;  ///< Of the main memory, in the order of the text.
};
PassCounts CountProgram(const Module& module);

/// A program after a pass.
struct PassStep {
  const Pass* pass = nullptr;
  bool changed = false;
  PassReport report;
  PassCounts counts;
  std::unique_ptr<Module> module;
};

/// Runs passes one after another. The module is one without errors that has an entry.
std::vector<PassStep> RunPasses(const Module& module, std::span<const Pass* const> passes);

// The passes themselves; `Passes` says what they do.
void InlineCalls(Draft& draft, PassReport& report);
void Simplify(Draft& draft, PassReport& report);
void FuseLoops(Draft& draft, PassReport& report);
void AssignLayouts(Draft& draft, PassReport& report);
void ScheduleProgram(Draft& draft, PassReport& report);
void AssignBuffers(Draft& draft, PassReport& report);

}  // namespace hlo

#endif  // HLO_ENGINE_PASSES_PASSES_H_
