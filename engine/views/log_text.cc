#include "engine/views/log_text.h"

#include <algorithm>
#include <optional>

#include "engine/base/characters.h"
#include "engine/views/line_words.h"

namespace hlo {
namespace {

// What stands before the message, with the place in the source that wrote it; empty where the line
// has none: `I0501 12:00:00.123456  1234 hlo_module.cc:99] `, `2026-05-01 12:00:00.1: I file.cc:9]
// `.
std::string_view LogPrefix(std::string_view line) {
  constexpr size_t kLongest = 160;
  constexpr std::string_view kLevels = "IWEF";
  if (line.empty()) return {};
  const bool has_level =
      kLevels.find(line[0]) != kLevels.npos && line.size() > 1 && IsDigit(line[1]);
  if (!has_level && !(line.starts_with("20") && line.substr(0, kLongest).find(": ") != line.npos)) {
    return {};
  }
  const size_t end = line.substr(0, kLongest).find(']');
  if (end == line.npos || !IsDigit(line[end - 1])) return {};
  if (line.substr(0, end).find(':') == line.npos) return {};
  return line.substr(0, std::min(end + 2, line.size()));
}

// The place in a prefix: all lines of one message have the same.
std::string_view PlaceOf(std::string_view prefix) {
  return prefix.substr(std::min(prefix.size(), prefix.rfind(' ', prefix.rfind(']')) + 1));
}

// What a pager, an editor or a mail puts before every line: `  12 `, `12: `, `   1   | `, `> `.
std::string_view Margin(std::string_view line) {
  const auto skip = [&](size_t at, auto is_in) {
    while (at < line.size() && is_in(line[at])) ++at;
    return at;
  };
  const auto is_blank = [](char c) { return c == ' '; };
  const size_t number = skip(0, is_blank);
  const size_t digits = skip(number, IsDigit);
  size_t end = skip(digits, is_blank);
  constexpr std::string_view kBar = "\u2502";
  if (line.substr(end).starts_with(kBar)) {
    end += kBar.size();
  } else if (end < line.size() && std::string_view(":|>").find(line[end]) != line.npos) {
    ++end;
  } else if (digits > number) {
    end = digits;
  } else {
    return {};
  }
  if (end < line.size() && (line[end] == ' ' || line[end] == '\t')) ++end;
  return line.substr(0, end);
}

// What stands before a line of the program, and what all of its lines have in common there.
struct Prefix {
  std::string_view text, place;
};
constexpr std::string_view kInMargin = "margin";
Prefix PrefixOf(std::string_view line) {
  if (const std::string_view log = LogPrefix(line); !log.empty()) return {log, PlaceOf(log)};
  const std::string_view margin = Margin(line);
  return {margin, margin.empty() ? "" : kInMargin};
}

// A line of a log that has nothing of a program, or a fence.
bool IsOther(std::string_view line) {
  return BeginsWithAny(line, {"```", "DEBUG:", "INFO:", "WARNING:", "ERROR:", "CRITICAL:"});
}

bool BeginsProgram(std::string_view line) {
  return BeginsWithAny(line, {"HloModule", "ENTRY ", "module ", "module{", "func.func "});
}

// Calls visit(line) for each line, without its end, until that returns false.
template <typename Visit>
void ForEachLine(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (!visit(text.substr(0, end))) return;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// The program that begins first in the text, without the lines around it and between its own.
std::optional<std::string> ProgramOf(std::string_view text) {
  std::string program;
  std::optional<std::string_view> place;  // of the prefixes of its lines; empty: they have none
  bool is_module = false;
  ForEachLine(text, [&](std::string_view line) {
    auto [prefix, at] = PrefixOf(line);
    // Where the program has no margin, numbers at the beginning of a line are its own.
    if (place && *place != kInMargin && at == kInMargin) prefix = at = {};
    const std::string_view rest = line.substr(prefix.size());
    if (!place) {
      if (!BeginsProgram(rest)) return true;
      place = at;
      is_module = rest.starts_with("HloModule");
    } else if (is_module && rest.starts_with("HloModule")) {
      return false;
    }
    if (line.starts_with("```")) return false;
    if (at != *place || (prefix.empty() && IsOther(line))) return true;
    program += rest;
    program += '\n';
    return true;
  });
  if (!place) return std::nullopt;
  return program;
}

// The first line that only a log or a Markdown text has.
std::optional<std::string_view> FirstLogLine(std::string_view text) {
  std::optional<std::string_view> found;
  size_t count = 0;
  ForEachLine(text, [&](std::string_view line) {
    const std::string_view prefix = PrefixOf(line).text;
    const bool has_margin = !prefix.empty() && BeginsProgram(line.substr(prefix.size()));
    if (IsOther(line) || !LogPrefix(line).empty() || has_margin) found = line;
    return !found && ++count < kTellingLines;
  });
  return found;
}

}  // namespace

bool HasLogLines(std::string_view text) {
  if (!FirstLogLine(text)) return false;
  bool has_program = false;
  ForEachLine(text, [&](std::string_view line) {
    has_program = BeginsProgram(line.substr(PrefixOf(line).text.size()));
    return !has_program;
  });
  return has_program;
}

void ReportLogLines(std::string_view text, Diagnostics& diagnostics) {
  const auto line = FirstLogLine(text);
  const auto program = ProgramOf(text);
  if (!line || !program) return;
  const auto begin = static_cast<uint32_t>(line->data() - text.data());
  Diagnostic& diagnostic = diagnostics.Report(DiagCode::kSyntaxError,
                                              {begin, begin + static_cast<uint32_t>(line->size())},
                                              "This is a program among lines of a log or other "
                                              "text, or with text before its lines. Only the "
                                              "program can be read.");
  // However long it is: it is not shown, but what is left of the text.
  diagnostic.fixes.push_back(
      {"keep the program alone", {0, static_cast<uint32_t>(text.size())}, *program});
}

}  // namespace hlo
