// Golden files: cases of text in, text out. The format is in tests/data/README.md.
#ifndef HLO_TESTS_GOLDEN_GOLDEN_CASE_H_
#define HLO_TESTS_GOLDEN_GOLDEN_CASE_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/hlo/printer.h"
#include "engine/hlo/verifier.h"
#include "engine/run/compare.h"
#include "engine/views/run_view.h"
#include "tests/all_targets.h"

namespace hlo {

/// One case: a chunk of a golden file. Its header is the comment lines it begins with.
struct GoldenCase {
  enum class Mode { kNone, kRun, kCheck, kPrint, kConvert, kBad, kLayout, kCost };

  std::vector<std::string> lines;  ///< the whole chunk
  size_t first_line = 1;           ///< in the file
  size_t header_lines = 0;
  Mode mode = Mode::kNone;
  std::vector<std::string> inputs;
  std::vector<DeviceInput> device_inputs;
  std::optional<std::string> output;              ///< of every device
  std::map<int64_t, std::string> device_outputs;  ///< of one device
  std::vector<std::string> host_outputs;          ///< of each value for the host, in order
  std::vector<std::string> bad;                   ///< fragments of diagnostics
  std::vector<std::string> fails;                 ///< fragments of the diagnostics of a run
  std::vector<std::string> rules;                 ///< rows of the folder's RULES.md that it shows
  std::vector<std::string> printed;
  PrintOptions print_options;          ///< of kPrint
  TextKind dialect = TextKind::kMlir;  ///< of kConvert
  Tolerance tolerance;
  RunOptions options = OptionsWithTargets();
  Budget::Limits limits;
  VerifierOptions verifier;
  std::string problem;  ///< why the header is not understood

  std::string Text() const;
};

/// Cuts a golden file at its `// -----` lines and reads the headers.
std::vector<GoldenCase> ReadGoldenCases(std::string_view text);

/// What came of a case.
struct GoldenResult {
  bool passed = true;
  std::string failure;  ///< for people
  /// The header lines that would make it pass, in place of the expectations it has.
  std::vector<std::string> expectations;
};
GoldenResult RunGoldenCase(const GoldenCase& golden);

/// The chunk with its expectations replaced.
std::vector<std::string> UpdatedLines(const GoldenCase& golden, const GoldenResult& result);

}  // namespace hlo

#endif  // HLO_TESTS_GOLDEN_GOLDEN_CASE_H_
