// The suites of an outside corpus and what of them holds. The corpus's own README says what its
// files mean.
#ifndef HLO_TESTS_CONFORMANCE_SUITES_H_
#define HLO_TESTS_CONFORMANCE_SUITES_H_

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/diagnostics.h"

namespace hlo {

/// One case of a suite.
struct CaseResult {
  std::string name;     ///< within the suite, without the file's extension
  std::string failure;  ///< one line; empty when it holds
};

/// A folder of cases; `run` gets the corpus folder and the folder's name in it.
struct Suite {
  std::string_view name;
  std::vector<CaseResult> (*run)(const std::filesystem::path& corpus, std::string_view name);
};
std::span<const Suite> Suites();

// The suites, by the form of their files.
std::vector<CaseResult> RunHloSuite(const std::filesystem::path& corpus, std::string_view name);
std::vector<CaseResult> RunExecSuite(const std::filesystem::path& corpus, std::string_view name);
std::vector<CaseResult> RunExpandedRngSuite(const std::filesystem::path& corpus,
                                            std::string_view name);
/// Not a folder of its own: StableHLO programs that are exported again.
std::vector<CaseResult> RunPrintedSuite(const std::filesystem::path& corpus, std::string_view name);
/// Not a folder of its own: the runnable programs of hlo/files.
std::vector<CaseResult> RunBenchmarkSuite(const std::filesystem::path& corpus,
                                          std::string_view name);
/// The same programs on timelines, which go back as well as on.
std::vector<CaseResult> RunReplaySuite(const std::filesystem::path& corpus, std::string_view name);
std::vector<CaseResult> RunLayoutSuite(const std::filesystem::path& corpus, std::string_view name);
std::vector<CaseResult> RunStablehloSuite(const std::filesystem::path& corpus,
                                          std::string_view name);

/// A case whose failure `run` gives. What it throws is a failure too: a case file may be anything.
CaseResult RunGuarded(std::string name, const std::function<std::string()>& run);
/// What a case may take, in seconds: against a hang, not a measure of speed.
inline constexpr double kCaseTimeLimit = 20;
/// The entries of an index file; a failed case where it cannot be read or is no list.
std::vector<nlohmann::json> ReadIndex(const std::filesystem::path& path,
                                      std::vector<CaseResult>* results);
/// The bytes of a file; throws std::runtime_error when it cannot be read.
std::string ReadFile(const std::filesystem::path& path);
/// A JSON file; null when it cannot be read or is no JSON.
nlohmann::json ReadJson(const std::filesystem::path& path);
/// "id: message" of the first error, on one line; "no error" if there is none.
std::string FirstError(const Diagnostics& diagnostics);
/// Empty when every substring is part of some error's message or notes, in the form that XLA's
/// parser gives them in; else which one is not.
std::string MissingSubstring(const Diagnostics& diagnostics, std::string_view text,
                             const std::vector<std::string>& substrings);

}  // namespace hlo

#endif  // HLO_TESTS_CONFORMANCE_SUITES_H_
