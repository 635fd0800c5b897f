// In the place of engine/mlir, its views, and what tools need, in the build that a page loads
// first. Nothing of this is called: wasm/pair.ts hands MLIR text and tools to the full build.
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/layout/film.h"
#include "engine/layout/notation_writers.h"
#include "engine/mlir/importer.h"
#include "engine/mlir/text/tokens.h"
#include "engine/ops/custom_call_targets.h"
#include "engine/run/probes.h"
#include "engine/views/mlir_checks.h"
#include "engine/views/mlir_view.h"

namespace hlo {

std::unique_ptr<Module> ImportMlir(std::string, Diagnostics& diagnostics, Budget*, MlirArguments*) {
  diagnostics.Report(DiagCode::kNotExecutable, Range{},
                     "StableHLO is read by the full engine only");
  return nullptr;
}

std::vector<Token> TokenizeMlir(std::string_view) { return {}; }
std::string FormatMlir(std::string_view text) { return std::string(text); }

void AddMlirPlace(const Document&, uint32_t, PlaceView&) {}
CompletionView MakeMlirCompletion(const Document&, uint32_t) { return {}; }

// Layouts are read and looked at; films and conversions are the full build's.
Written WriteXla(const WriteRequest&) { return {}; }
Written WritePadded(const WriteRequest&) { return {}; }
Written WriteMorello(const WriteRequest&) { return {}; }
Written WriteCute(const WriteRequest&) { return {}; }
Written WriteStrides(const WriteRequest&) { return {}; }
std::vector<LayoutStep> StepsFromDigits(const LayoutMap&) { return {}; }
std::vector<LayoutStep> StepsFromDigits(const LayoutMap&, const DigitForm&) { return {}; }

// Texts with a custom call are the full build's (wasm/pair.ts).
std::span<const BuiltInTarget> MathTargets() { return {}; }
std::span<const BuiltInTarget> MatrixTargets() { return {}; }
std::span<const BuiltInTarget> SortingTargets() { return {}; }
std::span<const BuiltInTarget> RandomTargets() { return {}; }

void RegisterMlirChecks() {}
void RegisterInterpreterTargets() {}

}  // namespace hlo
