// StableHLO's own test programs: MLIR text that carries its inputs and what is expected.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "engine/views/document.h"
#include "engine/views/run_view.h"
#include "tests/conformance/suites.h"

namespace hlo {
namespace {

using nlohmann::json;

constexpr double kTimeLimit = 20;

// Several programs in one file are cut by lines that begin so.
std::vector<std::string> ChunksOf(const std::string& text) {
  std::vector<std::string> chunks;
  size_t begin = 0;
  while (begin != std::string::npos) {
    const size_t end = text.find("\n// -----", begin);
    chunks.push_back(text.substr(begin, end == std::string::npos ? end : end - begin));
    begin = end == std::string::npos ? end : text.find('\n', end + 1);
  }
  return chunks;
}

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
std::string RunCase(const std::string& text, bool is_run) {
  const std::vector<std::string> chunks = ChunksOf(text);
  for (size_t i = 0; i < chunks.size(); ++i) {
    if (!SaysSomething(chunks[i])) continue;
    const auto document = std::make_shared<const Document>(chunks[i]);
    std::string failure;
    if (!document->ok()) {
      failure = FirstError(document->diagnostics());
    } else if (is_run) {
      RunRequest request;
      request.trace = false;
      request.limits.seconds = kTimeLimit;
      const auto record = RunDocument(document, request);
      if (!record->output) failure = FirstError(record->diagnostics);
    }
    if (!failure.empty()) {
      return chunks.size() == 1 ? failure : fmt::format("program {}: {}", i + 1, failure);
    }
  }
  return "";
}

}  // namespace

std::vector<CaseResult> RunStablehloSuite(const std::filesystem::path& corpus,
                                          std::string_view name) {
  const std::string folder = std::string(name.substr(name.find('/') + 1));
  std::vector<CaseResult> results;
  for (const json& entry : ReadJson(corpus / "stablehlo" / "index.json")) {
    const std::string file = entry.at("file");
    if (file.substr(0, file.find('/')) != folder || !entry.at("disabled").empty()) continue;
    const bool is_run = entry.at("interp").get<bool>();
    const std::string stem = file.substr(0, file.rfind('.'));
    results.push_back(
        {stem.substr(folder.size() + 1), RunCase(ReadFile(corpus / "stablehlo" / file), is_run)});
  }
  return results;
}

}  // namespace hlo
