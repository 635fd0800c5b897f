#include "tests/golden/repeated_runs.h"

#include <fmt/format.h>

#include <vector>

#include "engine/run/executor.h"
#include "engine/run/probes.h"
#include "tests/golden/same_bits.h"

namespace hlo {
namespace {

// What one run came to.
struct OneRun {
  std::vector<Value> values;
  std::string faults;
  uint64_t steps = 0;
  bool is_short_of_memory = false;
};

OneRun RunOnce(Executor& executor, const RunRecord& record, Budget& budget) {
  budget.Restart();
  std::vector<std::vector<Value>> args;
  for (const RunRecord::Device& device : record.devices) args.push_back(device.inputs);
  const auto started =
      args.empty() ? executor.Start(record.inputs) : executor.StartDevices(std::move(args));
  if (started == Executor::Status::kRunning) executor.Run();
  OneRun run;
  if (executor.status() == Executor::Status::kDone) run.values = Flattened(executor.results());
  Diagnostics diagnostics;
  executor.Report(diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.list()) {
    if (diagnostic.code == DiagCode::kMemoryExceeded) {
      // Where it ends depends on what is kept: an island that cannot fit is not even started.
      run.faults += "memory exceeded\n";
      run.is_short_of_memory = true;
      break;
    }
    run.faults += fmt::format("{}: {}\n", diagnostic.range.begin, diagnostic.message);
    for (const auto& note : diagnostic.notes) {
      run.faults += fmt::format("  {}: {}\n", note.range.begin, note.message);
    }
  }
  run.steps = budget.steps_used();
  return run;
}

std::string RunDifference(const OneRun& got, const OneRun& wanted) {
  if (got.faults != wanted.faults) {
    return fmt::format("it fails with\n{}and not with\n{}", got.faults, wanted.faults);
  }
  if (wanted.is_short_of_memory) return "";
  if (got.values.size() != wanted.values.size()) return "it has another number of arrays";
  for (size_t i = 0; i < got.values.size(); ++i) {
    if (SameBits(got.values[i], wanted.values[i])) continue;
    return fmt::format("array {} is {}, not {}", i, TextOf(got.values[i]),
                       TextOf(wanted.values[i]));
  }
  if (got.steps == wanted.steps) return "";
  return fmt::format("{} instructions are executed, not {}", got.steps, wanted.steps);
}

}  // namespace

std::string RepeatedRunsDifference(const RunRecord& record, const RunOptions& options,
                                   const Budget::Limits& limits) {
  if (!record.document->ok() || !record.document->module()->entry()) return "";
  if (record.inputs.empty() && record.entry().parameter_count() > 0) return "";
  if (limits.seconds < Budget::Limits{}.seconds) return "";  // where that ends is chance
  constexpr int kRuns = 4;                                   // from the third on constants are kept
  Budget plain_budget(limits), budget(limits);
  Probes plain_probes, probes;
  RunOptions plain_options = options;
  plain_options.use_islands = false;
  plain_options.probes = &plain_probes;
  RunOptions island_options = options;
  island_options.probes = &probes;
  Executor plain(*record.document->module(), plain_options, &plain_budget, nullptr);
  Executor islands(*record.document->module(), island_options, &budget, nullptr);
  if (!IsAllowed(plain.grid())) return "";
  for (int i = 0; i < kRuns; ++i) {
    const OneRun wanted = RunOnce(plain, record, plain_budget);
    const OneRun got = RunOnce(islands, record, budget);
    const std::string difference = RunDifference(got, wanted);
    if (!difference.empty()) return fmt::format("run {} of an island: {}", i + 1, difference);
  }
  return "";
}

}  // namespace hlo
