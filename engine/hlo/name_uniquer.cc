#include "engine/hlo/name_uniquer.h"

#include <fmt/format.h>

namespace hlo {
namespace {

// `stem.12` is split into its stem and 12; everything else is a stem with suffix 0.
std::string_view SplitSuffix(std::string_view name, uint64_t* suffix) {
  constexpr size_t kMostDigits = 18;
  *suffix = 0;
  size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == name.size() ||
      name.size() - dot - 1 > kMostDigits) {
    return name;
  }
  uint64_t number = 0;
  for (char c : name.substr(dot + 1)) {
    if (c < '0' || c > '9') return name;
    number = number * 10 + static_cast<uint64_t>(c - '0');
  }
  *suffix = number;
  return name.substr(0, dot);
}

}  // namespace

bool NameUniquer::Take(std::string_view name, std::string* unique) {
  uint64_t suffix = 0;
  std::string_view stem = SplitSuffix(name, &suffix);
  Suffixes& suffixes = stems_[stem];
  if (suffix == 0 && !suffixes.zero) {
    suffixes.zero = true;
    return true;
  }
  if (suffix != 0 && suffixes.taken.insert(suffix).second) return true;
  while (!suffixes.taken.insert(suffixes.next).second) ++suffixes.next;
  *unique = fmt::format("{}.{}", stem, suffixes.next++);
  return false;
}

}  // namespace hlo
