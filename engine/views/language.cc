#include "engine/views/language.h"

#include <algorithm>
#include <iterator>

#include "engine/base/characters.h"
#include "engine/hlo/parser.h"
#include "engine/io/memory_report.h"
#include "engine/views/check_view.h"
#include "engine/views/completion_view.h"
#include "engine/views/foreign_text.h"
#include "engine/views/layout_recognition.h"
#include "engine/views/log_text.h"
#include "engine/views/place_view.h"

namespace hlo {
namespace {

std::string_view WithoutSpace(std::string_view text) {
  while (const size_t space = SpaceLength(text, 0)) text.remove_prefix(space);
  return text;
}

std::string_view FirstWord(std::string_view text) {
  text = WithoutSpace(text);
  return text.substr(0, text.find_first_of(" \t\r\n{:[(=,/"));
}

bool IsEmpty(std::string_view text) { return WithoutSpace(text).empty(); }

bool IsMemoryReport(std::string_view text) {
  return FirstWord(text) != "HloModule" && LooksLikeMemoryReport(text);
}

bool IsAny(std::string_view) { return true; }

std::unique_ptr<Module> ReadHlo(const std::string& text, const ParseOptions& options,
                                Diagnostics& diagnostics, MlirArguments&) {
  return ParseModule(text, diagnostics, nullptr, options);
}

std::unique_ptr<Module> RefuseForeign(const std::string& text, const ParseOptions&,
                                      Diagnostics& diagnostics, MlirArguments&) {
  ReportForeign(text, diagnostics);
  return nullptr;
}

std::unique_ptr<Module> RefuseLogLines(const std::string& text, const ParseOptions&,
                                       Diagnostics& diagnostics, MlirArguments&) {
  ReportLogLines(text, diagnostics);
  return nullptr;
}

// The colours of HLO would say that the text was one.
std::vector<Token> NoTokens(std::string_view) { return {}; }

std::unique_ptr<Module> RefuseMlir(const std::string&, const ParseOptions&,
                                   Diagnostics& diagnostics, MlirArguments&) {
  diagnostics.Report(DiagCode::kNotExecutable, Range{},
                     "StableHLO is read by the full engine only");
  return nullptr;
}

constexpr Language kHloLanguages[] = {
    {.kind = TextKind::kEmpty,
     .recognise = IsEmpty,
     .read = ReadHlo,
     .tokens = Tokenize,
     .complete = CompleteHlo},
    {.kind = TextKind::kProtobuf,
     .recognise = LooksLikeProtobuf,
     .read = ReadHlo,
     .tokens = Tokenize,
     .complete = CompleteHlo},
    {.kind = TextKind::kForeign,
     .recognise = HasLogLines,
     .read = RefuseLogLines,
     .tokens = NoTokens,
     .complete = CompleteHlo},
    {.kind = TextKind::kMlir,
     .recognise = LooksLikeMlir,
     .read = RefuseMlir,
     .tokens = Tokenize,
     .complete = CompleteHlo},
    {.kind = TextKind::kMemoryReport,
     .recognise = IsMemoryReport,
     .tokens = Tokenize,
     .complete = CompleteHlo},
    {.kind = TextKind::kLayout,
     .recognise = LooksLikeLayout,
     .tokens = Tokenize,
     .complete = CompleteHlo},
    {.kind = TextKind::kForeign,
     .recognise = LooksForeign,
     .read = RefuseForeign,
     .tokens = NoTokens,
     .complete = CompleteHlo},
    {.kind = TextKind::kHlo,
     .recognise = IsAny,
     .read = ReadHlo,
     .tokens = Tokenize,
     .folds = FoldHlo,
     .format = FormatHlo,
     .complete = CompleteHlo},
};

}  // namespace

std::string_view TextKindName(TextKind kind) {
  constexpr std::string_view kNames[] = {"empty", "hlo",           "layout", "protobuf",
                                         "mlir",  "memory-report", "foreign"};
  return kNames[static_cast<size_t>(kind)];
}

Languages HloLanguages() { return kHloLanguages; }
const Language& NoLanguage() { return kHloLanguages[0]; }

const Language& LanguageOf(std::string_view text, Languages languages) {
  for (const Language& language : languages) {
    if (language.recognise(text)) return language;
  }
  return NoLanguage();
}

}  // namespace hlo
