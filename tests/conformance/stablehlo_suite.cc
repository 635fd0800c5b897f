// StableHLO's own test programs: MLIR text that carries its inputs and what is expected.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <unordered_map>

#include "engine/hlo/printer.h"
#include "engine/views/document.h"
#include "engine/views/json.h"
#include "engine/views/run_view.h"
#include "tests/all_targets.h"
#include "tests/conformance/stablehlo_files.h"
#include "tests/conformance/suites.h"

namespace hlo {
namespace {

bool SaysSomething(const std::string& chunk) {
  size_t begin = 0;
  while (begin < chunk.size()) {
    const size_t end = std::min(chunk.find('\n', begin), chunk.size());
    const std::string line = chunk.substr(begin, end - begin);
    const size_t first = line.find_first_not_of(" \t\r");
    if (first != std::string::npos && line.compare(first, 2, "//") != 0) return true;
    begin = end + 1;
  }
  return false;
}

// Every program imports, verifies and, where it is meant to be run, holds.
std::string RunStaticCase(const std::string& text, bool is_run) {
  const std::vector<std::string> chunks = ModulesOf(text);
  for (size_t i = 0; i < chunks.size(); ++i) {
    if (!SaysSomething(chunks[i])) continue;
    const auto document = std::make_shared<const Document>(chunks[i]);
    std::string failure;
    if (!document->ok()) {
      failure = FirstError(document->diagnostics());
    } else if (is_run) {
      RunRequest request;
      request.options = OptionsWithTargets();
      request.trace = false;
      request.limits.seconds = kCaseTimeLimit;
      const auto record = RunDocument(document, request);
      if (!record->output) failure = FirstError(record->diagnostics);
    }
    if (!failure.empty()) {
      return chunks.size() == 1 ? failure : fmt::format("program {}: {}", i + 1, failure);
    }
  }
  return "";
}

// Inputs for a program of JAX whose sizes are not known. Its first arguments, single integers, are
// the sizes, and each `?` of another argument is the next one of them.
std::vector<std::string> SizedInputs(const std::string& text) {
  constexpr int kSizes[] = {6, 7, 9};
  std::vector<std::string> inputs;
  size_t sizes = 0;
  size_t at = text.find("@main(");
  const size_t end = text.find(") ->", at);
  while ((at = text.find(": tensor<", at)) < end) {
    at += 2;
    std::string type = text.substr(at, text.find_first_of(" ,)", at) - at);
    if (type == "tensor<i64>" && sizes == inputs.size() && sizes < std::size(kSizes)) {
      inputs.push_back(std::to_string(kSizes[sizes++]));
      continue;
    }
    size_t next = 0;
    for (size_t mark = type.find('?'); sizes > 0 && mark != std::string::npos;
         mark = type.find('?')) {
      type.replace(mark, 1, std::to_string(kSizes[next++ % sizes]));
    }
    inputs.push_back(std::move(type));
  }
  return inputs;
}

// Without the arguments' types every one that is not known is asked for; with them the program is
// static, is printed, reads back, and runs.
std::string RunDynamicCase(const std::string& text) {
  const auto bare = std::make_shared<const Document>(text);
  const std::string fault = FirstError(bare->diagnostics());
  if (bare->ok() || fault.find("give input") == std::string::npos) {
    return fmt::format("without types: {}", bare->ok() ? "no error" : fault);
  }
  RunRequest request;
  request.options = OptionsWithTargets();
  request.trace = false;
  request.limits.seconds = kCaseTimeLimit;
  request.inputs = SizedInputs(text);
  const auto record = RunDocument(bare, request);
  if (!record->document->ok()) return FirstError(record->document->diagnostics());
  const std::string printed = PrintModule(*record->document->module());
  const Document again(printed);
  if (!again.ok()) return "printed: " + FirstError(again.diagnostics());
  if (printed.find("[?") != std::string::npos || printed.find("<=") != std::string::npos) {
    return "a size is left open";
  }
  return record->output ? "" : FirstError(record->diagnostics);
}

}  // namespace

std::vector<CaseResult> RunStablehloSuite(const std::filesystem::path& corpus,
                                          std::string_view name) {
  const std::string folder = std::string(name.substr(name.find('/') + 1));
  std::vector<CaseResult> results;
  for (const StablehloFile& file : StablehloFiles(corpus, folder, &results)) {
    if (!file.disabled.empty()) continue;
    results.push_back(RunGuarded(file.name, [&] {
      const std::string text = ReadFile(file.path);
      return file.is_dynamic ? RunDynamicCase(text) : RunStaticCase(text, file.is_run);
    }));
  }
  return results;
}

}  // namespace hlo
