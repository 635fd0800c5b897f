// The programs of the benchmark suite on timelines: going back has to give the states of a straight
// run. Prints what it took.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

#include "engine/views/document.h"
#include "engine/views/run_view.h"
#include "tests/all_targets.h"
#include "tests/conformance/suites.h"
#include "tests/replay/replay.h"

namespace hlo {
namespace {

constexpr std::string_view kBenchmarks = "backends__cpu__benchmarks__hlo__";

/// How much of each program is replayed: the environment's number, if it gives one.
int64_t ReplayCount(const char* name, int64_t otherwise) {
  const char* const text = std::getenv(name);
  return text ? std::max<int64_t>(1, std::atoll(text)) : otherwise;
}

std::string ReplayModule(const std::filesystem::path& file, std::string_view name) {
  RunRequest request;
  request.options = OptionsWithTargets();
  request.options.seed = 1;
  request.options.fill_elided = Fill::Kind::kIota;
  // Against a hang, not a measure of speed.
  request.limits.seconds = 3600;
  request.limits.memory_bytes = uint64_t{3500} << 20;
  ReplayOptions options;
  options.most_steps = ReplayCount("HLO_REPLAY_STEPS", 100'000);
  options.positions = ReplayCount("HLO_REPLAY_POSITIONS", 6);
  options.compares_trace = false;  // the values of all instructions do not fit
  ReplayTimes times;
  std::string fault =
      ReplayFault(std::make_shared<const Document>(ReadFile(file)), request, options, &times);
  if (fault.empty()) {
    fmt::print(
        "  {}: {} steps, recorded in {:.2f} s, to a step in {:.0f} ms, one back in {:.0f} ms\n",
        name, times.steps, times.record_seconds, times.slowest_jump * 1e3,
        times.slowest_back * 1e3);
  }
  return fault;
}

}  // namespace

std::vector<CaseResult> RunReplaySuite(const std::filesystem::path& corpus, std::string_view) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(corpus / "hlo/files", error)) {
    if (entry.path().stem().string().starts_with(kBenchmarks)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<CaseResult> results;
  for (const auto& file : files) {
    const std::string name = file.stem().string().substr(kBenchmarks.size());
    results.push_back(RunGuarded(name, [&] { return ReplayModule(file, name); }));
  }
  return results;
}

}  // namespace hlo
