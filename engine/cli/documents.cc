#include "engine/cli/documents.h"

#include <fmt/format.h>

#include <utility>

#include "engine/base/promotion.h"
#include "engine/cli/files.h"
#include "engine/cli/programs.h"
#include "engine/cli/reporting.h"
#include "engine/cli/run_arguments.h"
#include "engine/views/run_inputs.h"
#include "engine/views/run_view.h"

namespace hlo {

std::string DisplayName(const std::string& path) { return path == "-" ? "<stdin>" : path; }

namespace {

VerifierOptions VerifierOf(const Options& options) {
  VerifierOptions verifier = options.verifier;
  verifier.allow_mixed_precision = !options.same_precision;
  return verifier;
}

std::shared_ptr<const Document> DocumentOf(std::string text, const Options& options,
                                           CommandResult& result) {
  RunRequest request;
  std::string problem;
  for (const std::string& input : options.inputs) {
    if (AddInput(input, request, &problem)) continue;
    Fail(result, kExitUsage, problem);
    return nullptr;
  }
  return std::make_shared<const Document>(std::move(text), VerifierOf(options), InputsOf(request));
}

}  // namespace

std::optional<ProgramFile> ReadProgramFile(const std::string& path, CommandResult& result) {
  std::string problem;
  auto bytes = ReadWhole(path, &problem);
  if (!bytes) {
    Fail(result, kExitUsage, problem);
    return std::nullopt;
  }
  Diagnostics faults;
  auto file = ProgramFileOf(std::move(*bytes), faults);
  for (const Diagnostic& fault : faults.list()) {
    // Without a place: they are about bytes.
    Fail(result, fault.severity == Severity::kError ? kExitDiagnostics : 0,
         fmt::format("{}: {}", DisplayName(path), fault.message));
  }
  return file;
}

bool IsOneProgram(const std::string& text, const std::string& path, CommandResult& result) {
  const size_t count = ProgramsOf(text).size();
  if (count < 2) return true;
  Fail(result, kExitUsage,
       fmt::format("{} holds {} programs, separated by lines `// -----`; this command takes one",
                   DisplayName(path), count));
  return false;
}

std::shared_ptr<const Document> ReadDocument(const std::string& path, const Options& options,
                                             CommandResult& result) {
  auto file = ReadProgramFile(path, result);
  if (!file || !IsOneProgram(file->text, path, result)) return nullptr;
  return DocumentOf(std::move(file->text), options, result);
}

std::shared_ptr<const Document> Load(const std::string& path, const Options& options,
                                     CommandResult& result) {
  auto document = ReadDocument(path, options, result);
  if (document) {
    Report(result, document->diagnostics(), DisplayName(path), document->text(), options.json);
  }
  return document;
}

std::shared_ptr<const Document> LoadAs(const std::string& path, std::string text,
                                       std::vector<std::string> inputs, const Options& options,
                                       CommandResult& result) {
  auto document =
      std::make_shared<const Document>(std::move(text), VerifierOf(options), std::move(inputs));
  Report(result, document->diagnostics(), DisplayName(path), document->text(), options.json);
  return document->diagnostics().has_errors() ? nullptr : document;
}

std::vector<std::shared_ptr<const Document>> LoadPrograms(const std::string& path,
                                                          const Options& options,
                                                          CommandResult& result) {
  auto file = ReadProgramFile(path, result);
  if (!file) return {};
  std::vector<std::shared_ptr<const Document>> documents;
  for (std::string& program : ProgramsOf(file->text)) {
    documents.push_back(DocumentOf(std::move(program), options, result));
    if (!documents.back()) return {};
  }
  for (const auto& document : documents) {
    Diagnostics faults = document->diagnostics();
    // What was found while reading, too: the verifier makes errors of its own warnings alone.
    if (options.verifier.strict) {
      faults = {};
      ReportAsErrors(document->diagnostics(), faults);
    }
    Report(result, faults, DisplayName(path), document->text());
  }
  return documents;
}

void FailWithoutProgram(const Options& options, CommandResult& result) {
  Fail(result, kExitDiagnostics, fmt::format("{}: no program", DisplayName(options.file)));
}

}  // namespace hlo
