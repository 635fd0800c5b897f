#include "engine/mlir/text/value_names.h"

#include <fmt/format.h>

namespace hlo::mlir {
namespace {

// Part i of a comma-separated list.
std::string_view PartOf(std::string_view list, size_t i) {
  for (; i > 0; --i) {
    const size_t comma = list.find(',');
    if (comma == std::string_view::npos) return {};
    list.remove_prefix(comma + 1);
  }
  return list.substr(0, list.find(','));
}

}  // namespace

bool ValueNames::IsUsed(const std::string& name) const {
  for (size_t i = levels_.size(); i-- > 0;) {
    if (levels_[i].used.count(name) > 0) return true;
    if (levels_[i].is_isolated) break;
  }
  return false;
}

std::string ValueNames::Unique(std::string_view name) {
  std::string unique(name);
  while (IsUsed(unique)) unique = fmt::format("{}_{}", name, levels_.back().next_conflict++);
  levels_.back().used.insert(unique);
  return unique;
}

void ValueNames::NameArguments(const Block& block, bool is_entry, const Op& parent) {
  const std::string_view hints = describe_(parent).hints.arguments;
  const bool has_two = hints.find(',') != std::string_view::npos;
  for (size_t i = 0; i < block.arguments.size(); ++i) {
    Level& level = levels_.back();
    std::string name;
    if (is_entry && !hints.empty()) {
      name = Unique(PartOf(hints, has_two && i >= parent.first_operands ? 1 : 0));
    } else if (is_entry) {
      name = Unique(fmt::format("arg{}", level.next_argument++));
    } else {
      name = std::to_string(level.next_value++);
    }
    level.places[block.arguments[i].name] = {level.groups.size(), 0};
    level.groups.push_back({std::move(name), 1});
  }
}

void ValueNames::NameResults(const Op& op) {
  const OpNames names = describe_(op);
  if (names.result_count == 0) return;
  Level& level = levels_.back();
  const size_t first = level.groups.size();
  if (names.hints.results.empty()) {
    level.groups.push_back({std::to_string(level.next_value++), names.result_count});
  } else {
    for (size_t i = 0; i < names.result_count; ++i) {
      level.groups.push_back({Unique(PartOf(names.hints.results, i)), 1});
    }
  }
  level.results[&op] = {first, level.groups.size()};
  const bool is_grouped = level.groups.size() - first == 1;
  size_t number = 0;
  for (const ValueName& result : op.results) {
    level.places[result.name] = is_grouped ? Place{first, number} : Place{first + number, 0};
    number += static_cast<size_t>(result.index);
  }
}

void ValueNames::Enter(const Region& region, const Op& parent, bool is_isolated) {
  Level level;
  level.is_isolated = is_isolated;
  if (!is_isolated && !levels_.empty()) {
    level.next_value = levels_.back().next_value;
    level.next_argument = levels_.back().next_argument;
    level.next_conflict = levels_.back().next_conflict;
  }
  levels_.push_back(std::move(level));
  for (const Block& block : region.blocks) {
    NameArguments(block, &block == &region.blocks[0], parent);
    for (const Op& op : block.ops) NameResults(op);
  }
}

std::string ValueNames::NameOf(const ValueName& value) const {
  for (size_t i = levels_.size(); i-- > 0;) {
    const Level& level = levels_[i];
    const auto it = level.places.find(value.name);
    if (it != level.places.end()) {
      const auto number = static_cast<size_t>(value.index);
      const Group& group = level.groups[it->second.group];
      if (group.size > 1) return fmt::format("%{}#{}", group.name, it->second.index + number);
      // Results with names of their own are listed one by one.
      const size_t at = it->second.group + number;
      if (at < level.groups.size()) return "%" + level.groups[at].name;
    }
    if (level.is_isolated) break;
  }
  return fmt::format("%{}", value.name);
}

std::string ValueNames::ResultsOf(const Op& op) const {
  if (levels_.empty()) return {};
  const Level& level = levels_.back();
  const auto it = level.results.find(&op);
  if (it == level.results.end()) return {};
  std::string text;
  for (size_t i = it->second.first; i < it->second.second; ++i) {
    text += (text.empty() ? "%" : ", %") + level.groups[i].name;
    if (level.groups[i].size > 1) text += fmt::format(":{}", level.groups[i].size);
  }
  return text + " = ";
}

}  // namespace hlo::mlir
