// Whole programs that have to run to the end: the modules with which XLA times its CPU backend.
// Nothing says what they compute; they are run on seeded inputs, elided constants filled.
#include <algorithm>

#include "engine/views/document.h"
#include "engine/views/run_view.h"
#include "tests/all_targets.h"
#include "tests/conformance/suites.h"

namespace hlo {
namespace {

constexpr std::string_view kPrefix = "backends__cpu__benchmarks__hlo__";
// Against a hang, not a measure of speed: `make bench` measures.
constexpr double kModuleTimeLimit = 1800;
constexpr uint64_t kMemoryLimit = uint64_t{3500} << 20;

std::string RunModule(const std::filesystem::path& file) {
  RunRequest request;
  request.options = OptionsWithTargets();
  request.trace = false;
  request.options.seed = 1;
  request.options.fill_elided = Fill::Kind::kIota;
  request.limits.seconds = kModuleTimeLimit;
  request.limits.memory_bytes = kMemoryLimit;
  const auto record = RunDocument(std::make_shared<const Document>(ReadFile(file)), request);
  return record->output ? "" : FirstError(record->diagnostics);
}

}  // namespace

std::vector<CaseResult> RunBenchmarkSuite(const std::filesystem::path& corpus, std::string_view) {
  std::vector<CaseResult> results;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(corpus / "hlo/files", error)) {
    const std::string stem = entry.path().stem().string();
    if (!stem.starts_with(kPrefix)) continue;
    results.push_back(
        RunGuarded(stem.substr(kPrefix.size()), [&] { return RunModule(entry.path()); }));
  }
  std::sort(results.begin(), results.end(),
            [](const CaseResult& a, const CaseResult& b) { return a.name < b.name; });
  return results;
}

}  // namespace hlo
