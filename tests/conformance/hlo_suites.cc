// Parsing, printing and verifying. What a file must do is in hlo/index.json.
#include <fmt/format.h>

#include <memory>

#include "engine/hlo/attribute_text.h"
#include "engine/hlo/parser.h"
#include "engine/hlo/printer.h"
#include "engine/hlo/verifier.h"
#include "engine/layout/layout_text.h"
#include "engine/types/shape.h"
#include "engine/views/document.h"
#include "engine/views/json.h"
#include "tests/conformance/suites.h"

namespace hlo {
namespace {

using nlohmann::json;

std::string_view TrimEnd(std::string_view text) {
  const size_t last = text.find_last_not_of(" \t\r\n");
  return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

std::string FirstDifference(std::string_view got, std::string_view wanted) {
  size_t i = 0;
  while (i < got.size() && i < wanted.size() && got[i] == wanted[i]) ++i;
  const size_t start = i > 30 ? i - 30 : 0;
  return json(fmt::format("printed ...{} instead of ...{}", got.substr(start, 70),
                          wanted.substr(start, 70)))
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

// A value of one attribute kind, alone: no computations or instructions to refer to.
class LoneReader final : public AttrReader {
 public:
  using AttrReader::AttrReader;
  const Region* ReadRegion() override { return nullptr; }
  bool ReadInstruction(std::vector<uint32_t>*) override { return false; }
};

std::string ReadLone(AttrKind kind, const std::string& text, Diagnostics& diagnostics) {
  Lexer lexer(text, &diagnostics);
  LoneReader reader(&lexer, nullptr);
  const AttrDef def{.name = "value", .kind = kind, .use = AttrUse::kRequired, .doc = ""};
  AttrValue value;
  if (!GetAttrText(kind).read(reader, def, &value)) return FirstError(diagnostics);
  return lexer.AtEnd() ? "" : "text is left over";
}

// The functions of XLA that _strings.json names.
std::string ReadByFunction(const std::string& function, const std::string& text,
                           Diagnostics& diagnostics) {
  if (function == "ParseShape") {
    return ParseShapeText(text, diagnostics) ? "" : FirstError(diagnostics);
  }
  if (function == "ParseLayout") {
    const LayoutParse layout = ParseLayout(text, 0, diagnostics);
    if (!layout.ok) return FirstError(diagnostics);
    return layout.consumed == text.size() ? "" : "text is left over";
  }
  constexpr std::pair<std::string_view, AttrKind> kKinds[] = {
      {"ParseSharding", AttrKind::kSharding},
      {"ParseConvolutionDimensionNumbers", AttrKind::kDimLabels},
      {"ParsePaddingConfig", AttrKind::kPadding},
      {"ParseReplicaGroupsOnly", AttrKind::kReplicaGroups},
      {"ParseCollectiveDeviceListBase", AttrKind::kReplicaGroups},
      {"ParseCollectiveDeviceListBaseOnly", AttrKind::kReplicaGroups},
      {"ParseCollectiveDeviceListOnly", AttrKind::kReplicaGroups},
      {"ParseWindow", AttrKind::kWindow},
      {"ParseFrontendAttributes", AttrKind::kKeyValues},
      {"ParseStatisticsViz", AttrKind::kStatistics},
      {"ParseParameterReplication", AttrKind::kBools},
      {"ParseBooleanListOrSingleBoolean", AttrKind::kBools},
      {"ParseShapeList", AttrKind::kShapes},
      {"ParseOriginalValue", AttrKind::kOrigin}};
  for (const auto& [name, kind] : kKinds) {
    if (name == function) return ReadLone(kind, text, diagnostics);
  }
  return "no such function here: " + function;
}

// A case's name, which tells it apart even where the entry is malformed.
std::string NameOf(const json& entry, const char* key) {
  const auto it = entry.is_object() ? entry.find(key) : entry.end();
  return entry.is_object() && it != entry.end() && it->is_string() ? it->get<std::string>()
                                                                   : "(no name)";
}

std::string RunString(const json& entry) {
  Diagnostics diagnostics;
  const std::string failure = ReadByFunction(entry.at("fn"), entry.at("input"), diagnostics);
  if (!entry.contains("expected_error_substrings")) return failure;
  if (failure.empty()) return "accepted";
  return MissingSubstring(diagnostics, entry.at("input").get<std::string>(),
                          entry.at("expected_error_substrings"));
}

void RunStrings(const std::filesystem::path& folder, std::vector<CaseResult>& results) {
  if (!std::filesystem::exists(folder / "_strings.json")) return;
  for (const json& entry : ReadIndex(folder / "_strings.json", &results)) {
    const std::string test = NameOf(entry, "test");
    results.push_back(RunGuarded("_strings." + test.substr(test.find('.') + 1),
                                 [&] { return RunString(entry); }));
  }
}

std::string ParserOk(const std::string& text, const json& entry) {
  Diagnostics diagnostics;
  auto module = ParseModule(text, diagnostics);
  if (!module || diagnostics.has_errors()) return FirstError(diagnostics);
  const std::string check = entry.at("check");
  if (check == "parses") return "";
  const std::string wanted = check == "prints_as" ? entry.at("expected_print") : json(text);
  const std::string words = entry.value("print_options", "ShortParsable");
  PrintOptions options =
      words == "ShortParsable" ? PrintOptions::ShortParsable() : PrintOptions::Long();
  if (words.find("print_operand_shape") != std::string::npos) options.operand_shapes = true;
  const std::string printed = PrintModule(*module, options);
  if (TrimEnd(printed) == TrimEnd(wanted)) return "";
  return FirstDifference(TrimEnd(printed), TrimEnd(wanted));
}

std::string MustBeRefused(const std::string& text, const json& entry) {
  const auto substrings = entry.value("expected_error_substrings", std::vector<std::string>());
  if (entry.contains("max_recursion_depth")) {
    Diagnostics diagnostics;
    ParseModule(text, diagnostics, nullptr, {.max_depth = entry.at("max_recursion_depth")});
    if (!diagnostics.has_errors()) return "accepted";
    return MissingSubstring(diagnostics, text, substrings);
  }
  // What XLA refuses though it is clear what is meant we may warn of, in the words that are asked
  // for.
  const Document document(text, {.strict = true});
  const bool is_refused = document.diagnostics().has_errors();
  if (!is_refused && (substrings.empty() || document.diagnostics().empty())) return "accepted";
  return MissingSubstring(document.diagnostics(), text, substrings);
}

// XLA's test fixtures set its verifier's options; their names say which.
VerifierOptions FixtureOptions(const json& entry, bool strict) {
  const std::string test = entry.at("test");
  const std::string_view fixture = std::string_view(test).substr(0, test.find('.'));
  const auto has = [&](std::string_view word) { return fixture.find(word) != fixture.npos; };
  return {.layout_sensitive = has("LayoutSensitive"),
          .allow_mixed_precision = has("AllowMixedPrecision"),
          .strict = strict};
}

// Where XLA's words for a fault are the C++ condition that failed: ours.
std::string InWords(const std::string& expected) {
  constexpr std::pair<std::string_view, std::string_view> kConditions[] = {
      {"->operand_count() == ag->shape().tuple_shapes().size()", "operands is a tuple of"},
      {"->operand_count() == ars->shape().tuple_shapes().size()", "operands is a tuple of"},
      {"->operand(i)->shape().IsArray()", "Expected array argument for"},
      {"ag->all_gather_dimension() < ", "is out of range for"},
      {"ars->scatter_dimension() < ", "is out of range for"},
      {"hlo->operand_count() == split_count", "one operand per member of a group"},
      {"hlo->operand_count() == 1", "takes one operand"}};
  for (const auto& [condition, words] : kConditions) {
    if (expected.find(condition) != expected.npos) return std::string(words);
  }
  return expected;
}

std::string VerifierBad(const std::string& text, const json& entry) {
  const Document document(text, FixtureOptions(entry, /*strict=*/true));
  if (!document.diagnostics().has_errors()) return "accepted";
  std::vector<std::string> expected = entry.at("expected_error_substrings");
  for (std::string& substring : expected) substring = InWords(substring);
  return MissingSubstring(document.diagnostics(), text, expected);
}

std::string VerifierOk(const std::string& text, const json& entry) {
  const Document document(text, FixtureOptions(entry, /*strict=*/false));
  return document.ok() ? "" : FirstError(document.diagnostics());
}

// Parse, verify, print, parse again, print the same.
std::string WholeModule(const std::string& text, const json& entry) {
  const Document document(text);
  if (!document.ok()) {
    return entry.value("test_asserts_error", false) ? "" : FirstError(document.diagnostics());
  }
  const std::string printed = PrintModule(*document.module());
  Diagnostics again;
  const auto second = ParseModule(printed, again);
  if (!second || again.has_errors()) return "printed, it is refused: " + FirstError(again);
  const std::string reprinted = PrintModule(*second);
  return reprinted == printed ? "" : FirstDifference(reprinted, printed);
}

// Placeholders: an answer is all that is asked.
std::string AnyAnswer(const std::string& text, const json&) {
  const Document document(text);
  return document.ok() || document.diagnostics().has_errors() ? "" : "neither accepted nor refused";
}

std::string MustBeProtobuf(const std::string& text, const json&) {
  const Document document(text);
  if (document.kind() != TextKind::kProtobuf) return "not recognised as a protocol buffer";
  return document.diagnostics().has_errors() ? "" : "accepted";
}

using Check = std::string (*)(const std::string& text, const json& entry);
constexpr std::pair<std::string_view, Check> kChecks[] = {
    {"parser_ok", ParserOk},           {"parser_bad", MustBeRefused},
    {"verifier_ok", VerifierOk},       {"verifier_bad", VerifierBad},
    {"embedded", WholeModule},         {"embedded_headerless", WholeModule},
    {"embedded_templated", AnyAnswer}, {"files", WholeModule},
    {"files_large", WholeModule},      {"files_proto", MustBeProtobuf},
};

Check CheckOf(std::string_view folder) {
  for (const auto& [name, check] : kChecks) {
    if (name == folder) return check;
  }
  return AnyAnswer;
}

}  // namespace

std::vector<CaseResult> RunHloSuite(const std::filesystem::path& corpus, std::string_view name) {
  const std::string folder(name.substr(name.find('/') + 1));
  const Check check = CheckOf(folder);
  std::vector<CaseResult> results;
  for (const json& entry : ReadIndex(corpus / "hlo" / "index.json", &results)) {
    const std::filesystem::path file = NameOf(entry, "file");
    // An entry without a file is a failure of every suite: nobody knows whose it is.
    if (file.has_parent_path() && file.parent_path() != folder) continue;
    results.push_back(RunGuarded(file.stem().string(), [&] {
      return check(ReadFile(corpus / "hlo" / entry.at("file").get<std::string>()), entry);
    }));
  }
  RunStrings(corpus / "hlo" / folder, results);
  return results;
}

}  // namespace hlo
