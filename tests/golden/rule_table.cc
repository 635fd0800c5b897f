#include "tests/golden/rule_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "tests/golden/read_file.h"

namespace hlo {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFileName = "RULES.md";

// The name in "| `name` | ...", or nothing.
std::string_view RuleOfRow(std::string_view line) {
  constexpr std::string_view kBegin = "| `";
  constexpr std::string_view kEnd = "` |";
  if (!line.starts_with(kBegin)) return {};
  line.remove_prefix(kBegin.size());
  const size_t end = line.find(kEnd);
  return end == std::string_view::npos ? std::string_view() : line.substr(0, end);
}

bool IsUnder(const fs::path& folder, const fs::path& root) {
  const fs::path relative = folder.lexically_normal().lexically_relative(root.lexically_normal());
  return !relative.empty() && *relative.begin() != "..";
}

}  // namespace

RuleTable::RuleTable(std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view rule = RuleOfRow(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (rule.empty()) continue;
    if (!cases_of_.emplace(rule, 0).second) {
      faults_.push_back(fmt::format("the rule {} has two rows", rule));
    }
  }
}

void RuleTable::Add(const GoldenCase& golden, const std::string& place) {
  if (golden.rules.empty()) {
    faults_.push_back(fmt::format("{}: the case says no rule that it shows", place));
  }
  for (const std::string& rule : golden.rules) {
    const auto row = cases_of_.find(rule);
    if (row == cases_of_.end()) {
      faults_.push_back(fmt::format("{}: there is no rule {}", place, rule));
    } else {
      ++row->second;
    }
  }
}

std::vector<std::string> RuleTable::Faults() const {
  std::vector<std::string> faults = faults_;
  for (const auto& [rule, cases] : cases_of_) {
    if (cases == 0) faults.push_back(fmt::format("the rule {} has no case", rule));
  }
  return faults;
}

RuleTable* RuleTables::Of(const fs::path& file) {
  for (fs::path folder = file.parent_path(); !folder.empty(); folder = folder.parent_path()) {
    const auto known = tables_.find(folder);
    if (known != tables_.end()) return &known->second;
    const fs::path rules = folder / kFileName;
    if (fs::is_regular_file(rules)) {
      return &tables_.emplace(folder, RuleTable(ReadFile(rules))).first->second;
    }
    if (folder == folder.parent_path()) break;
  }
  return nullptr;
}

std::vector<std::string> RuleTables::Faults(const std::vector<std::string>& roots) const {
  std::vector<std::string> faults;
  for (const auto& entry : tables_) {
    const fs::path& folder = entry.first;
    const bool whole = std::any_of(roots.begin(), roots.end(), [&](const std::string& root) {
      return fs::is_directory(root) && IsUnder(folder, root);
    });
    if (!whole) continue;
    for (const std::string& fault : entry.second.Faults()) {
      faults.push_back(fmt::format("{}: {}", (folder / kFileName).string(), fault));
    }
  }
  return faults;
}

}  // namespace hlo
