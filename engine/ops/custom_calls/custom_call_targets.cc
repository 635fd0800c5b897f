#include "engine/ops/custom_calls/custom_call_targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <unordered_map>
#include <vector>

namespace hlo {
namespace {

constexpr std::string_view kChlo = "chlo.", kMhlo = "mhlo.";

/// The rows by all their names.
const std::unordered_map<std::string, const BuiltInTarget*>& ByName() {
  static const auto names = [] {
    std::unordered_map<std::string, const BuiltInTarget*> map;
    for (const BuiltInTarget& row : BuiltInTargets()) {
      std::vector<std::string_view> names = NamesIn(row.aliases);
      names.push_back(row.name);
      for (std::string_view name : names) {
        map.emplace(name, &row);
        if (name.starts_with(kChlo)) {
          map.emplace(fmt::format("{}{}", kMhlo, name.substr(kChlo.size())), &row);
        }
      }
    }
    return map;
  }();
  return names;
}

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

std::span<const BuiltInTarget> BuiltInTargets() {
  static const std::vector<BuiltInTarget> targets = [] {
    std::vector<BuiltInTarget> all;
    for (auto family :
         {MarkerTargets(), MathTargets(), MatrixTargets(), SortingTargets(), RandomTargets()}) {
      all.insert(all.end(), family.begin(), family.end());
    }
    return all;
  }();
  return targets;
}

const BuiltInTarget* FindBuiltIn(std::string_view target) {
  const auto found = ByName().find(std::string(target));
  return found == ByName().end() ? nullptr : found->second;
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

int64_t ConfigInt(const OpCall& call, std::string_view key, int64_t otherwise) {
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
    if (config.substr(i).starts_with("true")) return 1;
    if (config.substr(i).starts_with("false")) return 0;
    int64_t value = 0;
    const char* const end = config.data() + config.size();
    if (std::from_chars(config.data() + i, end, value).ec == std::errc()) return value;
  }
  return otherwise;
}

const Region* CalledComputation(const OpCall& call) {
  if (const Region* region = call.attrs().GetRegion("to_apply")) return region;
  const auto& regions = call.attrs().Regions("called_computations");
  return regions.empty() ? nullptr : regions[0];
}

}  // namespace hlo
