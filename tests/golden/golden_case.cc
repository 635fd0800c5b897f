#include "tests/golden/golden_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include "engine/hlo/parser.h"
#include "engine/hlo/printer.h"
#include "engine/types/literal.h"
#include "engine/views/document.h"

namespace hlo {
namespace {

constexpr std::string_view kComment = "//";
constexpr std::string_view kBlock = "//|";  // a line of an expected text

std::string_view Trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// "key=value key=value"
std::vector<std::pair<std::string, std::string>> KeyValuesOf(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> pairs;
  while (!(text = Trim(text)).empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const size_t equals = std::min(word.find('='), word.size());
    pairs.emplace_back(word.substr(0, equals), word.substr(std::min(equals + 1, word.size())));
    text.remove_prefix(end);
  }
  return pairs;
}

void ReadTolerance(std::string_view text, GoldenCase& golden) {
  for (const auto& [key, value] : KeyValuesOf(text)) {
    if (key == "abs") {
      golden.tolerance.abs = std::strtod(value.c_str(), nullptr);
    } else if (key == "rel") {
      golden.tolerance.rel = std::strtod(value.c_str(), nullptr);
    } else if (key == "signed_zero") {
      golden.tolerance.signed_zero = true;
    } else {
      golden.problem = fmt::format("tolerance has no '{}'", key);
    }
  }
}

void ReadOptions(std::string_view text, GoldenCase& golden) {
  for (const auto& [key, value] : KeyValuesOf(text)) {
    if (key == "seed") {
      golden.options.seed = std::strtoull(value.c_str(), nullptr, 10);
    } else if (key == "fill-elided") {
      golden.options.fill_elided = FillKindFromText(value);
    } else if (key == "memory-limit") {
      golden.limits.memory_bytes = std::strtoull(value.c_str(), nullptr, 10);
    } else if (key == "step-limit") {
      golden.limits.steps = std::strtoull(value.c_str(), nullptr, 10);
    } else {
      golden.problem = fmt::format("options have no '{}'", key);
    }
  }
}

void ReadInput(std::string_view text, GoldenCase& golden) {
  const size_t colon = text.find(':');
  const size_t number = std::strtoul(std::string(text).c_str(), nullptr, 10);
  constexpr size_t kMost = 1000;
  if (colon == std::string_view::npos || number > kMost) {
    golden.problem = "expects 'input N: value'";
    return;
  }
  if (golden.inputs.size() <= number) golden.inputs.resize(number + 1);
  golden.inputs[number] = Trim(text.substr(colon + 1));
}

// A header line without its `//`. What is no directive is prose.
void ReadDirective(std::string_view line, GoldenCase& golden) {
  auto argument = [&](std::string_view word) {
    return std::string(Trim(line.substr(word.size())));
  };
  if (line == "run") {
    golden.mode = GoldenCase::Mode::kRun;
  } else if (line == "check") {
    golden.mode = GoldenCase::Mode::kCheck;
  } else if (line == "print") {
    golden.mode = GoldenCase::Mode::kPrint;
  } else if (line.starts_with("bad:")) {
    golden.mode = GoldenCase::Mode::kBad;
    golden.bad.push_back(argument("bad:"));
  } else if (line.starts_with("fails:")) {
    golden.fails.push_back(argument("fails:"));
  } else if (line.starts_with("input ")) {
    ReadInput(line.substr(6), golden);
  } else if (line.starts_with("output:")) {
    golden.output = argument("output:");
  } else if (line.starts_with("tolerance:")) {
    ReadTolerance(line.substr(10), golden);
  } else if (line.starts_with("options:")) {
    ReadOptions(line.substr(8), golden);
  }
}

void ReadHeader(GoldenCase& golden) {
  for (const std::string& line : golden.lines) {
    if (line.starts_with(kBlock)) {
      golden.printed.push_back(line.substr(std::min(kBlock.size() + 1, line.size())));
    } else if (line.starts_with(kComment)) {
      ReadDirective(Trim(std::string_view(line).substr(kComment.size())), golden);
    } else if (!Trim(line).empty()) {
      break;
    }
    ++golden.header_lines;
  }
  if (golden.mode == GoldenCase::Mode::kNone) {
    golden.problem = "the header names no mode (run, check, print, bad:)";
  }
}

std::string IdAndMessage(const Diagnostic& diagnostic) {
  return fmt::format("{}: {}", GetDiagInfo(diagnostic.code).id, diagnostic.message);
}

std::string AllMessages(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.list()) {
    text += "    " + IdAndMessage(diagnostic) + "\n";
  }
  return text.empty() ? "    (no diagnostics)\n" : text;
}

// Every fragment is part of an error; there is at least one error.
void ExpectErrors(const Diagnostics& diagnostics, const std::vector<std::string>& fragments,
                  std::string_view directive, GoldenResult& result) {
  for (const Diagnostic& diagnostic : diagnostics.list()) {
    if (diagnostic.severity != Severity::kError) continue;
    result.expectations.push_back(fmt::format("// {} {}", directive, IdAndMessage(diagnostic)));
  }
  if (!diagnostics.has_errors()) {
    result = {false, "  expected an error, found none\n", result.expectations};
    return;
  }
  for (const std::string& fragment : fragments) {
    const bool found = std::any_of(
        diagnostics.list().begin(), diagnostics.list().end(), [&](const Diagnostic& diagnostic) {
          return diagnostic.severity == Severity::kError &&
                 IdAndMessage(diagnostic).find(fragment) != std::string::npos;
        });
    if (found) continue;
    result.passed = false;
    result.failure += fmt::format("  no diagnostic says: {}\n", fragment);
  }
  if (!result.passed) result.failure += "  diagnostics:\n" + AllMessages(diagnostics);
}

void CompareOutput(const GoldenCase& golden, const RunRecord& record, std::string_view mode,
                   GoldenResult& result) {
  Diagnostics faults;
  const auto expected = golden.output ? ParseShapedLiteral(*golden.output, faults) : std::nullopt;
  if (!expected) {
    result.passed = false;
    result.failure += golden.output ? "  the expected output is no literal:\n" + AllMessages(faults)
                                    : "  no expected output is given\n";
    return;
  }
  const auto difference = Compare(*record.output, expected->literal.value, golden.tolerance);
  if (!difference) return;
  result.passed = false;
  result.failure +=
      fmt::format("  {}: {}\n  got:      {}\n  expected: {}\n", mode, difference->message,
                  LiteralText(*record.output, record.entry().result_shape(),
                              {.shape = true, .hlo_spacing = false}),
                  *golden.output);
}

// Both ways of running must give the expected output (or failure).
GoldenResult RunMode(const GoldenCase& golden, const std::shared_ptr<const Document>& document) {
  GoldenResult result;
  for (const bool trace : {false, true}) {
    RunRequest request;
    request.inputs = golden.inputs;
    request.options = golden.options;
    request.limits = golden.limits;
    request.trace = trace;
    const auto record = RunDocument(document, request);
    result.expectations.clear();
    if (!golden.fails.empty()) {
      ExpectErrors(record->diagnostics, golden.fails, "fails:", result);
    } else if (!record->output) {
      result.passed = false;
      result.failure += "  the run failed:\n" + AllMessages(record->diagnostics);
    } else {
      result.expectations.push_back("// output: " +
                                    LiteralText(*record->output, record->entry().result_shape(),
                                                {.shape = true, .hlo_spacing = false}));
      CompareOutput(golden, *record, trace ? "trace" : "run", result);
    }
    if (!result.passed) break;
  }
  return result;
}

std::vector<std::string> SplitLines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// The expected text, and that it is a fixed point.
GoldenResult PrintMode(const GoldenCase& golden, const Document& document) {
  GoldenResult result;
  const std::string printed = PrintModule(*document.module());
  const std::vector<std::string> lines = SplitLines(printed);
  for (const std::string& line : lines) {
    result.expectations.push_back(line.empty() ? std::string(kBlock)
                                               : fmt::format("{} {}", kBlock, line));
  }
  if (lines != golden.printed) {
    result.passed = false;
    result.failure = "  printed:\n" + printed + "\n";
  }
  Diagnostics faults;
  const auto again = ParseModule(printed, faults);
  if (!again || faults.has_errors() || PrintModule(*again) != printed) {
    result.passed = false;
    result.failure += "  the printed text does not parse and print to itself\n";
  }
  return result;
}

bool IsExpectation(const std::string& line) {
  if (line.starts_with(kBlock)) return true;
  const std::string_view text =
      Trim(std::string_view(line).substr(std::min<size_t>(2, line.size())));
  return text.starts_with("output:") || text.starts_with("bad:") || text.starts_with("fails:");
}

}  // namespace

std::string GoldenCase::Text() const {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::vector<GoldenCase> ReadGoldenCases(std::string_view text) {
  std::vector<GoldenCase> cases(1);
  size_t number = 0;
  for (std::string& line : SplitLines(text)) {
    ++number;
    if (line.starts_with("// -----")) {
      cases.emplace_back().first_line = number + 1;
    } else {
      cases.back().lines.push_back(std::move(line));
    }
  }
  for (GoldenCase& golden : cases) ReadHeader(golden);
  return cases;
}

GoldenResult RunGoldenCase(const GoldenCase& golden) {
  if (!golden.problem.empty()) return {false, "  " + golden.problem + "\n", {}};
  const auto document = std::make_shared<const Document>(golden.Text());
  GoldenResult result;
  if (golden.mode == GoldenCase::Mode::kBad) {
    ExpectErrors(document->diagnostics(), golden.bad, "bad:", result);
    return result;
  }
  if (!document->ok()) {
    return {false, "  the text is refused:\n" + AllMessages(document->diagnostics()), {}};
  }
  if (golden.mode == GoldenCase::Mode::kRun) return RunMode(golden, document);
  if (golden.mode == GoldenCase::Mode::kPrint) return PrintMode(golden, *document);
  return result;
}

std::vector<std::string> UpdatedLines(const GoldenCase& golden, const GoldenResult& result) {
  std::vector<std::string> lines;
  bool placed = false;
  auto place = [&] {
    if (!placed) lines.insert(lines.end(), result.expectations.begin(), result.expectations.end());
    placed = true;
  };
  for (size_t i = 0; i < golden.lines.size(); ++i) {
    if (i < golden.header_lines && IsExpectation(golden.lines[i])) {
      place();
      continue;
    }
    if (i == golden.header_lines) place();
    lines.push_back(golden.lines[i]);
  }
  return lines;
}

}  // namespace hlo
