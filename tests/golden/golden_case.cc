#include "tests/golden/golden_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include "engine/hlo/parser.h"
#include "engine/hlo/printer.h"
#include "engine/types/literal.h"
#include "engine/views/convert_view.h"
#include "engine/views/cost_view.h"
#include "engine/views/document.h"
#include "engine/views/layout_compare.h"
#include "engine/views/layout_report.h"
#include "tests/golden/repeated_runs.h"

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
    } else if (key == "replicas") {
      golden.options.replicas = std::strtoll(value.c_str(), nullptr, 10);
    } else if (key == "partitions") {
      golden.options.partitions = std::strtoll(value.c_str(), nullptr, 10);
    } else if (key == "step-limit") {
      golden.limits.steps = std::strtoull(value.c_str(), nullptr, 10);
    } else if (key == "layout-sensitive") {
      golden.verifier.layout_sensitive = true;
    } else if (key == "no-mixed-precision") {
      golden.verifier.allow_mixed_precision = false;
    } else if (key == "strict") {
      golden.verifier.strict = true;
    } else {
      golden.problem = fmt::format("options have no '{}'", key);
    }
  }
}

int64_t NumberOf(std::string_view text) {
  return std::strtoll(std::string(text).c_str(), nullptr, 10);
}

// The device of "... @D:"; -1 when it names none.
int64_t DeviceOf(std::string_view head) {
  const size_t at = head.find('@');
  return at == std::string_view::npos ? -1 : NumberOf(head.substr(at + 1));
}

// The same as replica and partition; all devices when it names none.
DeviceSet DevicesOf(std::string_view head, const GoldenCase& golden) {
  const int64_t device = DeviceOf(head);
  const int64_t partitions = std::max<int64_t>(golden.options.partitions, 1);
  return device < 0 ? DeviceSet() : DeviceSet{device / partitions, device % partitions};
}

// "N: value", "N @D: value".
void ReadInput(std::string_view text, GoldenCase& golden) {
  const size_t colon = text.find(':');
  const size_t number = static_cast<size_t>(NumberOf(text));
  constexpr size_t kMost = 1000;
  if (colon == std::string_view::npos || number > kMost) {
    golden.problem = "expects 'input N: value'";
    return;
  }
  const std::string value(Trim(text.substr(colon + 1)));
  const DeviceSet devices = DevicesOf(text.substr(0, colon), golden);
  if (!devices.is_all()) {
    golden.device_inputs.push_back({devices, static_cast<int64_t>(number), value, std::nullopt});
    return;
  }
  if (golden.inputs.size() <= number) golden.inputs.resize(number + 1);
  golden.inputs[number] = value;
}

// "infeed: value", "receive CHANNEL: value", both also with "@D".
void ReadHostInput(std::string_view text, GoldenCase& golden) {
  const size_t colon = std::min(text.find(':'), text.size());
  HostInput input;
  input.devices = DevicesOf(text.substr(0, colon), golden);
  constexpr std::string_view kReceive = "receive ";
  if (text.starts_with(kReceive)) input.channel = NumberOf(text.substr(kReceive.size()));
  input.spec = Trim(text.substr(std::min(colon + 1, text.size())));
  golden.options.host_inputs.push_back(std::move(input));
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
  } else if (line == "print" || line == "print: short" || line == "print: long") {
    golden.mode = GoldenCase::Mode::kPrint;
    if (line == "print: short") golden.print_options = PrintOptions::ShortParsable();
    if (line == "print: long") golden.print_options = PrintOptions::Long();
  } else if (line.starts_with("rule:")) {
    golden.rules.push_back(argument("rule:"));
  } else if (line.starts_with("convert:")) {
    golden.mode = GoldenCase::Mode::kConvert;
    golden.dialect = DialectFromText(argument("convert:"));
    if (golden.dialect == TextKind::kEmpty) golden.problem = "converts to stablehlo or hlo";
  } else if (line == "layout") {
    golden.mode = GoldenCase::Mode::kLayout;
  } else if (line == "cost") {
    golden.mode = GoldenCase::Mode::kCost;
  } else if (line.starts_with("bad:")) {
    golden.mode = GoldenCase::Mode::kBad;
    golden.bad.push_back(argument("bad:"));
  } else if (line.starts_with("fails:")) {
    golden.fails.push_back(argument("fails:"));
  } else if (line.starts_with("input ")) {
    ReadInput(line.substr(6), golden);
  } else if (line.starts_with("infeed:") || line.starts_with("infeed @") ||
             line.starts_with("receive ")) {
    ReadHostInput(line, golden);
  } else if (line.starts_with("output @")) {
    const size_t colon = std::min(line.find(':'), line.size() - 1);
    golden.device_outputs[DeviceOf(line)] = Trim(line.substr(colon + 1));
  } else if (line.starts_with("host:")) {
    golden.host_outputs.push_back(argument("host:"));
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
    golden.problem = "the header names no mode (run, check, print, convert:, bad:)";
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

constexpr LiteralTextOptions kLiteralOptions{.shape = true, .hlo_spacing = false};

// A value against the literal it should be; `what` names both in messages.
void CompareValue(const GoldenCase& golden, const Value& value, const Shape& shape,
                  const std::string* wanted, std::string_view what, GoldenResult& result) {
  Diagnostics faults;
  const auto expected = wanted ? ParseShapedLiteral(*wanted, faults) : std::nullopt;
  if (!expected) {
    result.passed = false;
    result.failure += wanted ? "  the expected output is no literal:\n" + AllMessages(faults)
                             : fmt::format("  {}: no expected output is given\n", what);
    return;
  }
  const auto difference = Compare(value, expected->literal.value, golden.tolerance);
  if (!difference) return;
  result.passed = false;
  result.failure +=
      fmt::format("  {}: {}\n  got:      {}\n  expected: {}\n", what, difference->message,
                  LiteralText(value, shape, kLiteralOptions), *wanted);
}

// The results of all devices: each its own expectation, or the common one.
void CompareOutput(const GoldenCase& golden, const RunRecord& record, std::string_view mode,
                   GoldenResult& result) {
  const Shape& shape = record.entry().result_shape();
  const std::string* common = golden.output ? &*golden.output : nullptr;
  if (record.devices.empty()) {
    result.expectations.push_back("// output: " +
                                  LiteralText(*record.output, shape, kLiteralOptions));
    CompareValue(golden, *record.output, shape, common, mode, result);
    return;
  }
  for (size_t i = 0; i < record.devices.size(); ++i) {
    const Value& value = *record.devices[i].output;
    result.expectations.push_back(
        fmt::format("// output @{}: {}", i, LiteralText(value, shape, kLiteralOptions)));
    const auto own = golden.device_outputs.find(static_cast<int64_t>(i));
    CompareValue(golden, value, shape, own == golden.device_outputs.end() ? common : &own->second,
                 fmt::format("{}, device {}", mode, i), result);
  }
}

// What the host got, written `device: shape literal`.
void CompareHostOutputs(const GoldenCase& golden, const RunRecord& record, GoldenResult& result) {
  std::vector<std::string> got;
  for (const HostOutput& output : record.host_outputs) {
    got.push_back(fmt::format("{}: {}", output.device,
                              LiteralText(output.value, *output.shape, kLiteralOptions)));
    result.expectations.push_back("// host: " + got.back());
  }
  if (got == golden.host_outputs) return;
  result.passed = false;
  result.failure += fmt::format("  the host got {{{}}}, expected {{{}}}\n", fmt::join(got, "; "),
                                fmt::join(golden.host_outputs, "; "));
}

// Both ways of running must give the expected output (or failure).
GoldenResult RunMode(const GoldenCase& golden, const std::shared_ptr<const Document>& document) {
  GoldenResult result;
  for (const bool trace : {false, true}) {
    RunRequest request;
    request.inputs = golden.inputs;
    request.device_inputs = golden.device_inputs;
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
      CompareOutput(golden, *record, trace ? "trace" : "run", result);
      CompareHostOutputs(golden, *record, result);
    }
    if (!result.passed) break;
    const std::string difference =
        trace ? "" : RepeatedRunsDifference(*record, golden.options, golden.limits);
    if (!difference.empty()) {
      result.passed = false;
      result.failure += "  " + difference + "\n";
    }
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

void CompareText(const GoldenCase& golden, const std::string& printed, GoldenResult& result) {
  const std::vector<std::string> lines = SplitLines(printed);
  for (const std::string& line : lines) {
    result.expectations.push_back(line.empty() ? std::string(kBlock)
                                               : fmt::format("{} {}", kBlock, line));
  }
  if (lines != golden.printed) {
    result.passed = false;
    result.failure = "  printed:\n" + printed + "\n";
  }
}

// The expected text, which converts to itself, and whose lines are linked in order.
GoldenResult ConvertMode(const GoldenCase& golden, const Document& document) {
  GoldenResult result;
  const ConvertView view = ConvertDocument(document, golden.dialect);
  if (!golden.fails.empty()) {
    ExpectErrors(view.diagnostics, golden.fails, "fails:", result);
    return result;
  }
  if (!view.ok) return {false, "  not converted:\n" + AllMessages(view.diagnostics), {}};
  CompareText(golden, view.text, result);
  const Document again(view.text);
  if (ConvertDocument(again, golden.dialect).text != view.text) {
    result.passed = false;
    result.failure +=
        "  the converted text does not convert to itself\n" + AllMessages(again.diagnostics());
  }
  const size_t count = SplitLines(view.text).size();
  for (const auto& [from, to] : view.lines) {
    if (from < golden.lines.size() && to < count) continue;
    result.passed = false;
    result.failure += fmt::format("  lines {} and {} are linked, which are not there\n", from, to);
  }
  return result;
}

// The expected text, and that it is a fixed point.
GoldenResult PrintMode(const GoldenCase& golden, const Document& document) {
  GoldenResult result;
  const std::string printed = PrintModule(*document.module(), golden.print_options);
  CompareText(golden, printed, result);
  Diagnostics faults;
  const auto again = ParseModule(printed, faults);
  if (!again || faults.has_errors() || PrintModule(*again, golden.print_options) != printed) {
    result.passed = false;
    result.failure += "  the printed text does not parse and print to itself\n";
  }
  return result;
}

// What is said of one or two layouts, a line each: faults with carets, or the report; then how they
// compare.
GoldenResult LayoutMode(const GoldenCase& golden) {
  std::string text;
  std::vector<LayoutView> views;
  for (size_t i = golden.header_lines; i < golden.lines.size(); ++i) {
    if (Trim(golden.lines[i]).empty()) continue;
    const LayoutView& view = views.emplace_back(MakeLayoutView(golden.lines[i]));
    const LineTable lines(view.text);
    for (const Diagnostic& diagnostic : view.diagnostics.list()) {
      text += FormatDiagnostic(diagnostic, "layout", lines);
    }
    if (view.map) text += LayoutReport(view);
  }
  if (views.size() > 1) text += CompareLayouts(views[0], views[1]).text + "\n";
  GoldenResult result;
  const std::vector<std::string> said = SplitLines(text);
  for (const std::string& line : said) {
    result.expectations.push_back(line.empty() ? std::string(kBlock)
                                               : fmt::format("{} {}", kBlock, line));
  }
  if (said != golden.printed) {
    result.passed = false;
    result.failure = "  said:\n" + text + "\n";
  }
  return result;
}

bool IsExpectation(const std::string& line) {
  if (line.starts_with(kBlock)) return true;
  const std::string_view text =
      Trim(std::string_view(line).substr(std::min<size_t>(2, line.size())));
  return text.starts_with("output") || text.starts_with("host:") || text.starts_with("bad:") ||
         text.starts_with("fails:");
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
  if (golden.mode == GoldenCase::Mode::kLayout) return LayoutMode(golden);
  const auto document =
      std::make_shared<const Document>(golden.Text(), golden.verifier, golden.inputs);
  GoldenResult result;
  if (golden.mode == GoldenCase::Mode::kBad) {
    ExpectErrors(document->diagnostics(), golden.bad, "bad:", result);
    return result;
  }
  // A program whose sizes are not known without inputs has another dialect's text all the same.
  if (golden.mode == GoldenCase::Mode::kConvert) return ConvertMode(golden, *document);
  if (!document->ok()) {
    return {false, "  the text is refused:\n" + AllMessages(document->diagnostics()), {}};
  }
  if (golden.mode == GoldenCase::Mode::kRun) return RunMode(golden, document);
  if (golden.mode == GoldenCase::Mode::kPrint) return PrintMode(golden, *document);
  if (golden.mode == GoldenCase::Mode::kCost) {
    CompareText(golden, CostLines(*document), result);
    return result;
  }
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
