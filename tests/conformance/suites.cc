#include "tests/conformance/suites.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "engine/views/json.h"

namespace hlo {
namespace {

constexpr Suite kSuites[] = {
    {"hlo/parser_ok", RunHloSuite},
    {"hlo/parser_bad", RunHloSuite},
    {"hlo/verifier_ok", RunHloSuite},
    {"hlo/verifier_bad", RunHloSuite},
    {"hlo/embedded", RunHloSuite},
    {"hlo/embedded_headerless", RunHloSuite},
    {"hlo/embedded_templated", RunHloSuite},
    {"hlo/files", RunHloSuite},
    {"hlo/files_large", RunHloSuite},
    {"hlo/files_proto", RunHloSuite},
    {"exec", RunExecSuite},
    {"exec_auto", RunExecSuite},
    {"exec_rng_expanded", RunExpandedRngSuite},
    {"benchmarks", RunBenchmarkSuite},
    {"replay", RunReplaySuite},
    {"layout", RunLayoutSuite},
    {"stablehlo/interpret", RunStablehloSuite},
    {"stablehlo/math", RunStablehloSuite},
    {"stablehlo/testdata", RunStablehloSuite},
    {"stablehlo/printed", RunPrintedSuite},
};

// A message as XLA's parser gives it: place, line and caret. Cases may expect any part of it.
std::string XlaText(Range range, std::string_view message, const LineTable& lines) {
  const Position at = lines.At(range.begin);
  return fmt::format("was parsing {}:{}: error: {}\n{}\n{}^", at.line, at.column, message,
                     lines.Line(at.line), std::string(at.column - 1, ' '));
}

bool Says(const Diagnostic& diagnostic, const std::string& substring, const LineTable& lines) {
  if (diagnostic.severity != Severity::kError) return false;
  const auto says = [&](Range range, const std::string& message) {
    return XlaText(range, message, lines).find(substring) != std::string::npos;
  };
  return says(diagnostic.range, diagnostic.message) ||
         std::any_of(diagnostic.notes.begin(), diagnostic.notes.end(),
                     [&](const Note& note) { return says(note.range, note.message); });
}

}  // namespace

std::span<const Suite> Suites() { return kSuites; }

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw std::runtime_error("the file cannot be read");
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

nlohmann::json ReadJson(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return {};
  auto json = nlohmann::json::parse(ReadFile(path), nullptr, /*allow_exceptions=*/false);
  return json.is_discarded() ? nlohmann::json() : json;
}

CaseResult RunGuarded(std::string name, const std::function<std::string()>& run) {
  std::string failure;
  try {
    failure = run();
  } catch (const std::exception& error) {
    failure = fmt::format("malformed case: {}", error.what());
  }
  std::replace(failure.begin(), failure.end(), '\n', ' ');
  return {std::move(name), std::move(failure)};
}

std::vector<nlohmann::json> ReadIndex(const std::filesystem::path& path,
                                      std::vector<CaseResult>* results) {
  const nlohmann::json index = ReadJson(path);
  if (index.is_array()) return {index.begin(), index.end()};
  results->push_back({path.filename().string(), "no list of cases can be read from it"});
  return {};
}

std::string FirstError(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics.list()) {
    if (diagnostic.severity != Severity::kError) continue;
    std::string line = fmt::format("{}: {}", GetDiagInfo(diagnostic.code).id, diagnostic.message);
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line;
  }
  return "no error";
}

std::string MissingSubstring(const Diagnostics& diagnostics, std::string_view text,
                             const std::vector<std::string>& substrings) {
  const LineTable lines(text);
  for (const std::string& substring : substrings) {
    const auto& list = diagnostics.list();
    if (std::none_of(list.begin(), list.end(), [&](const Diagnostic& diagnostic) {
          return Says(diagnostic, substring, lines);
        })) {
      return fmt::format("'{}' is not said, but: {}", substring, FirstError(diagnostics));
    }
  }
  return "";
}

}  // namespace hlo
