// Programs of StableHLO operations alone, imported and exported again: what comes out is what
// StableHLO's own printer prints, which wrote most of them.
#include <fmt/format.h>

#include "engine/mlir/text/parser.h"
#include "engine/views/convert_view.h"
#include "engine/views/document.h"
#include "tests/conformance/printed_text.h"
#include "tests/conformance/stablehlo_files.h"
#include "tests/conformance/suites.h"

namespace hlo {
namespace {

bool IsStablehloAlone(const std::vector<mlir::Op>& ops) {
  for (const mlir::Op& op : ops) {
    const bool is_known = op.name.starts_with("stablehlo.") || op.name.starts_with("func.") ||
                          op.name == "builtin.module" || op.name == "return" || op.name == "call";
    if (!is_known) return false;
    for (const mlir::Region& region : op.regions) {
      for (const mlir::Block& block : region.blocks) {
        if (!IsStablehloAlone(block.ops)) return false;
      }
    }
  }
  return true;
}

bool IsStablehloAlone(const std::string& text) {
  Diagnostics faults;
  const mlir::Program program = mlir::ParseProgram(text, faults);
  return !program.ops.empty() && IsStablehloAlone(program.ops);
}

std::string RunProgram(const std::string& text) {
  const Document document(text);
  const ConvertView view = ConvertDocument(document, TextKind::kMlir);
  return view.ok ? DifferenceFromSource(text, view.text) : FirstError(view.diagnostics);
}

}  // namespace

std::vector<CaseResult> RunPrintedSuite(const std::filesystem::path& corpus, std::string_view) {
  std::vector<CaseResult> results;
  std::vector<CaseResult> malformed;  // of the suites that run the files
  for (const StablehloFile& file : StablehloFiles(corpus, "", &malformed)) {
    bool has_programs = false;
    CaseResult result = RunGuarded(file.name, [&] {
      std::vector<std::string> programs = ModulesOf(ReadFile(file.path));
      std::erase_if(programs, [](const std::string& text) { return !IsStablehloAlone(text); });
      has_programs = !programs.empty();
      for (size_t i = 0; i < programs.size(); ++i) {
        const std::string difference = RunProgram(programs[i]);
        if (difference.empty()) continue;
        return programs.size() == 1 ? difference : fmt::format("program {}: {}", i + 1, difference);
      }
      return std::string();
    });
    if (has_programs || !result.failure.empty()) results.push_back(std::move(result));
  }
  return results;
}

}  // namespace hlo
