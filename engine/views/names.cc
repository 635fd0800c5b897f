#include "engine/views/names.h"

#include <algorithm>

namespace hlo {
namespace {

constexpr std::string_view kDigits = "0123456789";

// The number of v12, or of v12.1, which was the second of its name; empty for other names.
std::string_view NumberOf(std::string_view name) {
  if (!name.starts_with('v')) return "";
  name.remove_prefix(1);
  const size_t length = std::min(name.find_first_not_of(kDigits), name.size());
  const std::string_view rest = name.substr(length);
  const bool is_numbered = rest.empty() || rest[0] == '.';
  if (!is_numbered || rest.find_first_not_of("0123456789.") != std::string_view::npos) return "";
  return name.substr(0, length);
}

}  // namespace

std::string_view BareName(std::string_view name) {
  if (name.starts_with('%')) name.remove_prefix(1);
  return name;
}

std::string_view SigilAt(std::string_view text, Range name) {
  const std::string_view written = text.substr(name.begin, name.end - name.begin);
  const bool has_one =
      !written.empty() && std::string_view("%@#!^").find(written[0]) != std::string_view::npos;
  return written.substr(0, has_one ? 1 : 0);
}

std::string ShownName(const Document& document, const Instruction& instruction) {
  std::string_view name = instruction.name();
  const std::string_view number = NumberOf(name);
  const std::string_view text = document.text();
  const size_t begin = instruction.places().name.begin;
  if (!number.empty() && begin < text.size() && text[begin] == '%') {
    const std::string_view written = text.substr(begin + 1);
    const size_t length = std::min(written.find_first_not_of(kDigits), written.size());
    if (written.substr(0, length) == number) name = number;
  }
  return "%" + std::string(name);
}

std::string ShownName(const Computation& computation) {
  return "%" + std::string(computation.name());
}

}  // namespace hlo
