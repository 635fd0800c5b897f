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

}  // namespace

std::vector<std::string> ProgramsOf(const std::string& text) {
  constexpr std::string_view kCut = "// -----";
  std::vector<std::string> programs;
  size_t lines = 0;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = text.starts_with(kCut) && begin == 0 ? 0 : text.find("\n// -----", begin);
    end = end == std::string::npos ? text.size() : end;
    const std::string_view program = std::string_view(text).substr(begin, end - begin);
    if (SaysSomething(program)) programs.push_back(std::string(lines, '\n') + std::string(program));
    const size_t next = end < text.size() ? text.find('\n', end + 1) : text.size();
    const size_t after = next == std::string::npos ? text.size() : next;
    lines += static_cast<size_t>(std::count(text.begin() + static_cast<ptrdiff_t>(begin),
                                            text.begin() + static_cast<ptrdiff_t>(after), '\n'));
    begin = after;
  }
  if (programs.empty()) programs.push_back(text);
  return programs;
}

}  // namespace hlo
