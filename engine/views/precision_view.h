// Two runs compared (engine/precision), or one with what its results should be: as text and as
// JSON.
#ifndef HLO_ENGINE_VIEWS_PRECISION_VIEW_H_
#define HLO_ENGINE_VIEWS_PRECISION_VIEW_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/precision/paired_run.h"
#include "engine/precision/widen.h"
#include "engine/views/precision_expected.h"
#include "engine/views/run_view.h"

namespace hlo {

/// What another run of a program has that the first one has not.
struct RunChanges {
  RunRequest given;  ///< `inputs`, `files` and `device_inputs`: in place of those of the first run
  std::optional<uint64_t> seed;
  std::optional<int64_t> replicas, partitions;  ///< 0: as the module's header says
  std::optional<ProductRounding> products;
  std::optional<MultiplyAdd> multiply_add;
};
/// The request of the other run.
RunRequest Changed(const RunRequest& first, const RunChanges& changes);

/// What a run is compared with: the first of these that is given.
struct PrecisionReference {
  std::vector<ExpectedValue> expected;    ///< what its results should be
  std::shared_ptr<const Document> other;  ///< another program
  std::optional<RunChanges> changes;      ///< of the other program's run, or of one of this program
  Widening widening;                      ///< this program, in wider floats
};

/// Two runs compared, or one with expected results.
struct PrecisionView {
  std::shared_ptr<const Document> document;
  bool ok = false;           ///< what was run came to its end
  Diagnostics faults{};      ///< why not
  std::string other_name{};  ///< of what it is compared with, as in "the program in f64"
  PairedReport report{};     ///< of expected results: `results` and `arrays` alone
};

/// Runs a program and what it is compared with. Never throws.
PrecisionView MakePrecisionView(std::shared_ptr<const Document> document,
                                const PrecisionReference& reference, const RunRequest& request);
/// A summary; where the result has several arrays or differs, a line for each of its arrays with
/// its worst elements; then a line for every instruction whose values differ, those first that
/// introduced most.
std::string PrecisionText(const PrecisionView& view);
/// PrecisionResult of wasm/precision_types.ts: all of it, or as much as a page is sent.
std::string PrecisionJson(const PrecisionView& view, bool whole);
/// The view as a page is sent it. `reference` has what the options (PrecisionOptions as JSON) do
/// not say: another program, and files for the inputs of its run; `expected_files` are those of
/// `expected`, by number. Never throws but for the limits of the answer.
std::string PrecisionAnswer(std::shared_ptr<const Document> document, PrecisionReference reference,
                            std::vector<InputFile> expected_files, const RunRequest& request,
                            std::string_view options);

// Internal to engine/views: what text and JSON have in common.

/// Those whose values differ; what introduced most first.
std::vector<const InstructionError*> DifferingInstructions(const PrecisionView& view);
/// The error of the result in a sentence without its full stop.
std::string PrecisionSummary(const PrecisionView& view);
/// The result of the device where it is furthest off; null without one.
const ValueError* WorstResult(const PrecisionView& view);
/// Whether an instruction's error comes from numbers that cancel.
bool IsCancellation(const InstructionError& error);
std::string ErrorNumberText(double number);

/// Something worth knowing, and where it is.
struct PrecisionFinding {
  std::string_view kind;  ///< for pages
  std::string_view text;
  const Instruction* instruction;
  std::string note = {};
};
std::vector<PrecisionFinding> PrecisionFindings(const PrecisionView& view);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_PRECISION_VIEW_H_
