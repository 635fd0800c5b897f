#include "engine/base/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/stable_sort.h"

namespace hlo {
namespace {

constexpr DiagInfo kInfos[] = {
#define DIAG(name, id, severity, meaning) {id, Severity::k##severity, meaning},
#include "engine/base/diag.def"
};

std::string_view Word(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kInfo:
      return "info";
  }
  return "error";
}

// One located line: header, source line, caret. Long lines are cut to a window around the caret
// so that a minified 100 MB line stays readable.
void AppendPlace(std::string& out, std::string_view file, const LineTable& lines, Range range,
                 std::string_view kind, std::string_view message) {
  constexpr uint32_t kWindow = 160;
  Position at = lines.At(range.begin);
  fmt::format_to(std::back_inserter(out), "{}:{}:{}: {}: {}\n", file, at.line, at.column, kind,
                 message);
  std::string_view line = lines.Line(at.line);
  uint32_t column = at.column - 1;
  uint32_t start = column > kWindow / 2 ? column - kWindow / 2 : 0;
  if (line.size() <= kWindow) start = 0;
  std::string_view shown = line.substr(std::min<size_t>(start, line.size()), kWindow);
  uint32_t width = std::max<uint32_t>(1, range.end - std::min(range.begin, range.end));
  uint32_t room =
      shown.size() > column - start ? static_cast<uint32_t>(shown.size()) - (column - start) : 1;
  std::string pad(shown.substr(0, column - start));
  // Tabs stay tabs, so that the caret stands under its character.
  for (char& c : pad) {
    if (c != '\t') c = ' ';
  }
  pad.resize(column - start, ' ');
  out.append("  ").append(shown).append("\n  ").append(pad).append("^");
  out.append(std::min(width, room) - 1, '~').append("\n");
}

}  // namespace

const DiagInfo& GetDiagInfo(DiagCode code) { return kInfos[static_cast<size_t>(code)]; }

Diagnostic& Diagnostics::Report(DiagCode code, Range range, std::string message) {
  return Report(code, GetDiagInfo(code).severity, range, std::move(message));
}

Diagnostic& Diagnostics::Report(DiagCode code, Severity severity, Range range,
                                std::string message) {
  if (severity == Severity::kError) ++error_count_;
  // Names in a message can be as long as the text.
  constexpr size_t kLongest = 10'000;
  if (message.size() > kLongest) message.replace(kLongest, std::string::npos, "...");
  Diagnostic diagnostic{code, severity, range, std::move(message), {}, {}};
  if (list_.size() >= kMaxKept) return overflow_ = std::move(diagnostic);
  return list_.emplace_back(std::move(diagnostic));
}

void Diagnostics::TruncateTo(size_t size) {
  while (list_.size() > size) {
    if (list_.back().severity == Severity::kError) --error_count_;
    list_.pop_back();
  }
}

void Diagnostics::SortByRange() {
  StableSort(list_.begin(), list_.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return a.range.begin < b.range.begin;
  });
}

std::string FormatDiagnostic(const Diagnostic& diagnostic, std::string_view file,
                             const LineTable& lines) {
  std::string out;
  std::string message = fmt::format("{} [{}]", diagnostic.message, GetDiagInfo(diagnostic.code).id);
  AppendPlace(out, file, lines, diagnostic.range, Word(diagnostic.severity), message);
  for (const Note& note : diagnostic.notes) {
    AppendPlace(out, file, lines, note.range, "note", note.message);
  }
  for (const Fix& fix : diagnostic.fixes) {
    AppendPlace(
        out, file, lines, fix.range, "fix",
        fix.replacement.empty() ? fix.title : fmt::format("{}: '{}'", fix.title, fix.replacement));
  }
  return out;
}

}  // namespace hlo
