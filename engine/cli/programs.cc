#include "engine/cli/programs.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace hlo {
namespace {

// Whether a text is more than comments.
bool SaysSomething(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const size_t first = line.find_first_not_of(" \t\r");
    if (first != line.npos && line.substr(first, 2) != "//") return true;
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return false;
}

// Whether a line separates programs: lines of more hyphens are decoration.
bool IsCut(std::string_view line) {
  constexpr std::string_view kCut = "// -----";
  return line.starts_with(kCut) &&
         (line.size() == kCut.size() || line.find_first_of(" \t\r", kCut.size()) == kCut.size());
}

}  // namespace

std::vector<std::string> ProgramsOf(const std::string& text) {
  std::vector<std::string> programs;
  size_t lines = 0, lines_before = 0, begin = 0;
  const auto take = [&](size_t end) {
    const std::string_view program = std::string_view(text).substr(begin, end - begin);
    if (!SaysSomething(program)) return;
    programs.push_back(std::string(lines_before, '\n') + std::string(program));
  };
  for (size_t at = 0; at < text.size(); ++lines) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (IsCut(std::string_view(text).substr(at, end - at))) {
      take(at > 0 ? at - 1 : 0);
      begin = end;
      lines_before = lines;
    }
    at = end + 1;
  }
  take(text.size());
  if (programs.empty()) programs.push_back(text);
  return programs;
}

}  // namespace hlo
