#include "engine/views/log_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

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

// The lines around a module that XLA dumps to standard output (xla/service/dump.cc).
constexpr std::string_view kDumpBegins = "*** Begin ", kDumpEnds = "*** End ";

// A line of a log, of a dump, or of a session with Python or a shell, or a fence, that has nothing
// of a program.
bool IsOther(std::string_view line) {
  return BeginsWithAny(line, {"```", "DEBUG:", "INFO:", "WARNING:", "ERROR:", "CRITICAL:",
                              kDumpBegins, kDumpEnds, ">>>", "print(", "In [", "Out[", "$ "});
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

// A program in a text, without the lines around it and between its own.
struct LoggedProgram {
  std::string name;  // of its header; empty: it has none
  std::string program;
};

// At most so many are offered.
constexpr size_t kMostOffered = 8;

// The programs of a text, in order: each module, or else what begins as one.
class ProgramFinder {
 public:
  // False: no more are wanted.
  bool Read(std::string_view line) {
    auto [prefix, at] = PrefixOf(line);
    // Where the program has no margin, numbers at the beginning of a line are its own.
    if (place_ && *place_ != kInMargin && at == kInMargin) prefix = at = {};
    const std::string_view rest = line.substr(prefix.size());
    if (BeginsAt(rest)) {
      if (found_.size() == kMostOffered && lines_ != 1) return false;
      Begin(rest, at);
    }
    if (!place_) return true;
    if (BeginsWithAny(line, {"```", kDumpEnds})) {
      place_.reset();
      return true;
    }
    if (at != *place_ || (prefix.empty() && IsOther(line))) return true;
    lines_ += !rest.empty();
    found_.back().program += rest;
    found_.back().program += '\n';
    return true;
  }

  std::vector<LoggedProgram> TakeFound() { return std::move(found_); }

 private:
  bool BeginsAt(std::string_view rest) const {
    return BeginsProgram(rest) && (!place_ || (is_module_ && rest.starts_with(kHeader)));
  }

  // A header that another follows at once is the heading of the log: `HloModule dump:`.
  void Begin(std::string_view rest, std::string_view at) {
    if (place_ && lines_ == 1) found_.pop_back();
    place_ = at;
    lines_ = 0;
    is_module_ = rest.starts_with(kHeader);
    std::string_view name = is_module_ ? rest.substr(kHeader.size()) : std::string_view();
    name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
    found_.push_back({std::string(name.substr(0, name.find_first_of(" ,:\r"))), {}});
  }

  static constexpr std::string_view kHeader = "HloModule";

  std::vector<LoggedProgram> found_;
  std::optional<std::string_view> place_;  // of the prefixes of its lines; empty: they have none
  bool is_module_ = false;
  size_t lines_ = 0;  // of the last program, but empty ones
};

// A log may have the same program twice.
std::vector<LoggedProgram> ProgramsOf(std::string_view text) {
  ProgramFinder finder;
  ForEachLine(text, [&](std::string_view line) { return finder.Read(line); });
  std::vector<LoggedProgram> found = finder.TakeFound();
  const auto is_same = [](const LoggedProgram& a, const LoggedProgram& b) {
    return a.program == b.program;
  };
  found.erase(std::unique(found.begin(), found.end(), is_same), found.end());
  return found;
}

std::string TitleOf(const LoggedProgram& found, size_t i, size_t count) {
  if (count == 1) return "keep the program alone";
  if (found.name.empty()) return fmt::format("keep program {} of {} alone", i + 1, count);
  return fmt::format("keep {} alone, program {} of {}", found.name, i + 1, count);
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
  std::vector<LoggedProgram> programs = ProgramsOf(text);
  if (!line || programs.empty()) return;
  const auto begin = static_cast<uint32_t>(line->data() - text.data());
  const size_t count = programs.size();
  Diagnostic& diagnostic = diagnostics.Report(
      DiagCode::kSyntaxError, {begin, begin + static_cast<uint32_t>(line->size())},
      count == 1 ? "This is a program among lines of a log or other text, or with text before its "
                   "lines. Only the program can be read."
                 : "These are several programs among lines of a log or other text. Only one of "
                   "them can be read, alone.");
  // However long they are: they are not shown, but what is left of the text.
  for (size_t i = 0; i < count; ++i) {
    diagnostic.fixes.push_back({TitleOf(programs[i], i, count),
                                {0, static_cast<uint32_t>(text.size())},
                                std::move(programs[i].program)});
  }
}

}  // namespace hlo
