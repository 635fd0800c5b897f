#include "engine/ops/custom_calls/custom_call_targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "engine/types/number_text.h"

namespace hlo {
namespace {

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

std::vector<std::string_view> NamesIn(std::string_view list) {
  std::vector<std::string_view> names;
  while (!list.empty()) {
    names.push_back(list.substr(0, list.find(' ')));
    list.remove_prefix(std::min(list.size(), names.back().size() + 1));
  }
  return names;
}

std::vector<std::string> NamesOf(const BuiltInTarget& row) {
  constexpr std::string_view kChlo = "chlo.", kMhlo = "mhlo.";
  std::vector<std::string> names{std::string(row.name)};
  for (std::string_view alias : NamesIn(row.aliases)) names.emplace_back(alias);
  for (size_t i = 0, count = names.size(); i < count; ++i) {
    if (!names[i].starts_with(kChlo)) continue;
    names.push_back(std::string(kMhlo) + names[i].substr(kChlo.size()));
  }
  return names;
}

const BuiltInTarget* FindTarget(std::span<const BuiltInTarget> family, std::string_view target) {
  for (const BuiltInTarget& row : family) {
    const std::vector<std::string> names = NamesOf(row);
    if (std::find(names.begin(), names.end(), target) != names.end()) return &row;
  }
  return nullptr;
}

void RefuseCall(const OpCall& call, std::string_view why) {
  throw RunError(
      DiagCode::kRuntimeError,
      fmt::format("custom-call to {} {}", call.attrs().String("custom_call_target"), why));
}

void WantOperands(const OpCall& call, int count) {
  if (call.operand_count() == count) return;
  RefuseCall(call, fmt::format("takes {} operand{}, but has {}", count, count == 1 ? "" : "s",
                               call.operand_count()));
}

namespace {

/// Calls read(text from the value on) for each place where backend_config gives a value for the
/// key, until it returns true; false when it never does.
template <typename Read>
bool ReadConfig(const OpCall& call, std::string_view key, Read read) {
  const std::string_view config = call.String("backend_config");
  for (size_t at = config.find(key); at != config.npos; at = config.find(key, at + 1)) {
    // Not a part of a longer name.
    if (at > 0 && IsNameCharacter(config[at - 1])) continue;
    size_t i = at + key.size();
    if (i < config.size() && config[i] == '"') ++i;
    while (i < config.size() && config[i] == ' ') ++i;
    if (i == config.size() || (config[i] != ':' && config[i] != '=')) continue;
    do ++i;
    while (i < config.size() && (config[i] == ' ' || config[i] == '"'));
    if (read(config.substr(i))) return true;
  }
  return false;
}

/// The letters, digits, underscores and minus signs that the text begins with.
std::string_view WordAt(std::string_view text) {
  size_t size = 0;
  while (size < text.size() && (IsNameCharacter(text[size]) || text[size] == '-')) ++size;
  return text.substr(0, size);
}

}  // namespace

int64_t ConfigInt(const OpCall& call, std::string_view key, int64_t otherwise) {
  ReadConfig(call, key, [&](std::string_view text) {
    if (text.starts_with("true") || text.starts_with("false")) {
      otherwise = text[0] == 't' ? 1 : 0;
      return true;
    }
    return std::from_chars(text.data(), text.data() + text.size(), otherwise).ec == std::errc();
  });
  return otherwise;
}

double ConfigDouble(const OpCall& call, std::string_view key, double otherwise) {
  ReadConfig(call, key, [&](std::string_view text) {
    return ScanDouble(text.data(), text.data() + text.size(), &otherwise) != text.data();
  });
  return otherwise;
}

std::string_view ConfigWord(const OpCall& call, std::string_view key, std::string_view otherwise) {
  ReadConfig(call, key, [&](std::string_view text) {
    const std::string_view word = WordAt(text);
    if (!word.empty()) otherwise = word;
    return !word.empty();
  });
  return otherwise;
}

std::optional<std::vector<std::string_view>> ConfigList(const OpCall& call, std::string_view key) {
  std::optional<std::vector<std::string_view>> list;
  ReadConfig(call, key, [&](std::string_view text) {
    if (!text.starts_with('[')) return false;
    text = text.substr(1, text.find(']') - 1);
    list.emplace();
    while (!text.empty()) {
      const std::string_view word = WordAt(text);
      if (!word.empty()) list->push_back(word);
      text.remove_prefix(std::max<size_t>(1, word.size()));
    }
    return true;
  });
  return list;
}

const Region* CalledComputation(const OpCall& call) {
  if (const Region* region = call.attrs().GetRegion("to_apply")) return region;
  const auto& regions = call.attrs().Regions("called_computations");
  return regions.empty() ? nullptr : regions[0];
}

}  // namespace hlo
