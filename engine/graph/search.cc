#include "engine/graph/search.h"

#include <algorithm>
#include <array>
#include <string>

#include "engine/base/work_limit.h"
#include "engine/ops/attributes.h"

namespace hlo {
namespace {

constexpr size_t kRanks = 4;

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// `wanted` is in lower case.
bool Contains(std::string_view text, std::string_view wanted) {
  return std::search(text.begin(), text.end(), wanted.begin(), wanted.end(),
                     [](char a, char b) { return Lower(a) == b; }) != text.end();
}

// How well it fits, 0 best; kRanks: not at all.
size_t RankOf(const Instruction& instruction, std::string_view wanted) {
  const std::string_view name = instruction.name();
  CountWork(1 + name.size() / 8);
  if (Contains(name, wanted)) return name.size() == wanted.size() ? 0 : 1;
  if (Contains(Text(instruction.opcode()), wanted)) return 2;
  const std::string_view op_name = MetadataValue(instruction, "op_name");
  CountWork(op_name.size() / 8);
  return Contains(op_name, wanted) ? 3 : kRanks;
}

}  // namespace

std::string_view MetadataValue(const Instruction& instruction, std::string_view key) {
  const std::string* value = FindValue(instruction.attrs().Keys("metadata"), key);
  return value ? std::string_view(*value) : std::string_view();
}

Found FindInstructions(const Module& module, std::string_view text, size_t limit) {
  std::string wanted(text);
  std::transform(wanted.begin(), wanted.end(), wanted.begin(), Lower);
  Found found;
  if (wanted.empty()) return found;
  std::array<std::vector<const Instruction*>, kRanks> ranked;
  for (const Computation& computation : module.computations()) {
    for (const Instruction& instruction : computation.instructions()) {
      const size_t rank = RankOf(instruction, wanted);
      if (rank == kRanks) continue;
      ++found.count;
      if (ranked[rank].size() < limit) ranked[rank].push_back(&instruction);
    }
  }
  for (const auto& list : ranked) {
    const size_t room = std::min(list.size(), limit - found.first.size());
    found.first.insert(found.first.end(), list.begin(),
                       list.begin() + static_cast<std::ptrdiff_t>(room));
  }
  return found;
}

}  // namespace hlo
