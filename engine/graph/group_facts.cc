// What the instructions of a group have in common.
#include <algorithm>
#include <array>

#include "engine/base/work_limit.h"
#include "engine/graph/drawing.h"
#include "engine/graph/search.h"

namespace hlo {
namespace {

constexpr size_t kMostOpcodes = 4;

// The part of both that is the same, up to a slash.
std::string_view CommonScope(std::string_view a, std::string_view b) {
  const size_t shorter = std::min(a.size(), b.size());
  size_t same = 0;
  while (same < shorter && a[same] == b[same]) ++same;
  if (same == a.size() && (same == b.size() || b[same] == '/')) return a;
  const size_t slash = a.substr(0, same).rfind('/');
  return slash == a.npos ? std::string_view() : a.substr(0, slash);
}

}  // namespace

void DescribeGroup(const std::vector<const Instruction*>& instructions, GroupFacts* facts) {
  std::array<int64_t, kOpcodeCount> counts{};
  bool is_first = true;
  std::string_view scope;
  for (const Instruction* each : instructions) {
    ++counts[static_cast<size_t>(each->opcode())];
    const std::string_view op_name = MetadataValue(*each, "op_name");
    CountWork(1 + op_name.size() / 8);
    if (op_name.empty()) continue;
    scope = is_first ? op_name : CommonScope(scope, op_name);
    is_first = false;
  }
  facts->op_name = scope;
  facts->first = instructions.front();
  facts->last = instructions.back();
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0) facts->opcodes.emplace_back(static_cast<Opcode>(i), counts[i]);
  }
  std::stable_sort(facts->opcodes.begin(), facts->opcodes.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  if (facts->opcodes.size() > kMostOpcodes) facts->opcodes.resize(kMostOpcodes);
}

}  // namespace hlo
