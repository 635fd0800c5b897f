#include "engine/diff/instruction_match.h"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "engine/base/stable_sort.h"
#include "engine/base/work_limit.h"
#include "engine/diff/hash_mix.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

// How many equal candidates are looked through for one of the same name.
constexpr size_t kLooked = 16;

// Instructions by a key, each taken once, in their order.
class Candidates {
 public:
  void Add(uint64_t key, uint32_t index) { lists_[key].indices.push_back(index); }
  // The one that `is_best` prefers, or the first that is left; kNone if none is.
  template <typename IsFree, typename IsBest>
  uint32_t Take(uint64_t key, IsFree is_free, IsBest is_best) {
    const auto found = lists_.find(key);
    if (found == lists_.end()) return ValueNumbers::kNone;
    List& list = found->second;
    while (list.next < list.indices.size() && !is_free(list.indices[list.next])) ++list.next;
    if (list.next == list.indices.size()) return ValueNumbers::kNone;
    const size_t end = std::min(list.indices.size(), list.next + kLooked);
    for (size_t i = list.next; i < end; ++i) {
      if (is_free(list.indices[i]) && is_best(list.indices[i])) return list.indices[i];
    }
    return list.indices[list.next];
  }

 private:
  struct List {
    std::vector<uint32_t> indices;
    size_t next = 0;
  };
  std::unordered_map<uint64_t, List> lists_;
};

// Of an operation and its operands; those of a commutative one in either order.
template <typename OperandKey>
uint64_t KeyOf(const Instruction& instruction, uint64_t key, const OperandKey& operand_key) {
  if (CommutesOperands(instruction)) {
    const auto [least, most] = std::minmax({operand_key(0), operand_key(1)});
    return MixHash(MixHash(key, least), most);
  }
  for (int i = 0; i < instruction.operand_count(); ++i) key = MixHash(key, operand_key(i));
  return key;
}

std::string_view ComputationName(const Instruction& instruction) {
  return instruction.parent()->name();
}

}  // namespace

bool CommutesOperands(const Instruction& instruction) {
  return instruction.def().commutative && instruction.operand_count() == 2;
}

InstructionMatch::InstructionMatch(const ValueNumbers& before, const ValueNumbers& after)
    : before_(before),
      after_(after),
      after_of_(before.size(), kNone),
      before_of_(after.size(), kNone) {
  CountBytes((before.size() + after.size()) * 100);
  CountWork((before.size() + after.size()) * 8);
  PairValues();
  // What is below a change, and what is above it; what was paired last says more about the rest.
  for (int round = 0; round < 2; ++round) {
    PairForward(true);
    PairBackward(true);
    if (round == 0) PairNames();
    PairForward(false);
  }
  PairRoots();
  PairBackward(false);
  PairForward(true);
  PairHandedOn();
}

bool InstructionMatch::IsFree(const ValueNumbers& numbers, uint32_t index) const {
  const bool is_before = &numbers == &before_;
  return numbers.IsSource(index) && (is_before ? after_of_ : before_of_)[index] == kNone;
}

void InstructionMatch::PairValues() {
  Candidates candidates;
  for (uint32_t index : before_.order()) {
    if (before_.IsSource(index)) candidates.Add(before_.Value(index), index);
  }
  auto is_free = [&](uint32_t index) { return IsFree(before_, index); };
  // First those whose name stayed, so that no other takes their place.
  for (const bool by_name : {true, false}) {
    for (uint32_t index : after_.order()) {
      if (!IsFree(after_, index)) continue;
      const Instruction& instruction = after_.instruction(index);
      auto is_best = [&](uint32_t other) {
        const Instruction& before = before_.instruction(other);
        return before.name() == instruction.name() &&
               (ComputationName(before) == ComputationName(instruction) ||
                before_.RoleOf(*before.parent()) != after_.RoleOf(*instruction.parent()));
      };
      const uint32_t found = candidates.Take(after_.Value(index), is_free, is_best);
      if (found != kNone && (!by_name || is_best(found))) Pair(found, index);
    }
  }
}

uint64_t InstructionMatch::KeyBefore(uint32_t index, bool whole_operation) const {
  const Instruction& instruction = before_.instruction(index);
  return KeyOf(
      instruction,
      whole_operation ? before_.Operation(index) : static_cast<uint64_t>(instruction.opcode()),
      [&](int i) { return uint64_t{before_.OperandSource(index, i)}; });
}

uint64_t InstructionMatch::KeyAfter(uint32_t index, bool whole_operation) const {
  const Instruction& instruction = after_.instruction(index);
  return KeyOf(
      instruction,
      whole_operation ? after_.Operation(index) : static_cast<uint64_t>(instruction.opcode()),
      [&](int i) {
        const uint32_t source = after_.OperandSource(index, i);
        const uint32_t before = before_of_[source];
        return before == kNone ? uint64_t{source} + (uint64_t{1} << 40) : before;
      });
}

// Instructions of the same operands. Without operands nothing follows from them.
void InstructionMatch::PairForward(bool whole_operation) {
  Candidates candidates;
  for (uint32_t index : before_.order()) {
    if (!IsFree(before_, index) || before_.instruction(index).operand_count() == 0) continue;
    candidates.Add(KeyBefore(index, whole_operation), index);
  }
  auto is_free = [&](uint32_t index) { return IsFree(before_, index); };
  for (uint32_t index : after_.order()) {
    const Instruction& instruction = after_.instruction(index);
    if (!IsFree(after_, index) || instruction.operand_count() == 0) continue;
    auto is_best = [&](uint32_t other) {
      return before_.instruction(other).name() == instruction.name();
    };
    const uint32_t found = candidates.Take(KeyAfter(index, whole_operation), is_free, is_best);
    if (found != kNone) Pair(found, index);
  }
}

// Whether the operands of a commutative operation have changed places, as far as one is known.
bool InstructionMatch::IsSwapped(uint32_t before, uint32_t after) const {
  if (!CommutesOperands(before_.instruction(before)) ||
      !CommutesOperands(after_.instruction(after))) {
    return false;
  }
  const auto is_pair = [&](int b, int a) {
    return before_of_[after_.OperandSource(after, a)] == before_.OperandSource(before, b);
  };
  return (is_pair(0, 1) || is_pair(1, 0)) && !is_pair(0, 0) && !is_pair(1, 1);
}

void InstructionMatch::PairOperands(uint32_t before, uint32_t after, bool same_opcode) {
  const Instruction& b = before_.instruction(before);
  const Instruction& a = after_.instruction(after);
  if (b.operand_count() != a.operand_count()) return;
  const bool is_swapped = IsSwapped(before, after);
  for (int i = 0; i < b.operand_count(); ++i) {
    const uint32_t from = before_.OperandSource(before, i);
    const uint32_t to = after_.OperandSource(after, is_swapped ? 1 - i : i);
    if (!IsFree(before_, from) || !IsFree(after_, to)) continue;
    const bool same = before_.instruction(from).opcode() == after_.instruction(to).opcode();
    // Something else of the same shape in the same place took its place.
    if (same || (!same_opcode && Shape::Compatible(before_.instruction(from).shape(),
                                                   after_.instruction(to).shape()))) {
      Pair(from, to);
    }
  }
}

// Operands of instructions that are paired.
void InstructionMatch::PairBackward(bool same_opcode) {
  for (size_t i = after_.order().size(); i-- > 0;) {
    const uint32_t after = after_.order()[i];
    const uint32_t before = before_of_[after];
    if (before != kNone) PairOperands(before, after, same_opcode);
  }
}

void InstructionMatch::PairNames() {
  std::unordered_map<std::string_view, std::vector<uint32_t>> named;
  for (uint32_t index : before_.order()) {
    if (IsFree(before_, index)) named[before_.instruction(index).name()].push_back(index);
  }
  // A name that many computations have is looked up by theirs.
  const auto is_before = [this](uint32_t index, std::string_view computation) {
    return ComputationName(before_.instruction(index)) < computation;
  };
  for (auto& [name, all] : named) {
    if (all.size() == 1) continue;
    StableSort(all.begin(), all.end(), [&](uint32_t a, uint32_t b) {
      return is_before(a, ComputationName(before_.instruction(b)));
    });
  }
  for (uint32_t index : after_.order()) {
    if (!IsFree(after_, index)) continue;
    const Instruction& instruction = after_.instruction(index);
    const auto found = named.find(instruction.name());
    if (found == named.end()) continue;
    const std::vector<uint32_t>& all = found->second;
    const bool is_only = all.size() == 1;
    const std::string_view computation = ComputationName(instruction);
    auto other =
        is_only ? all.begin() : std::lower_bound(all.begin(), all.end(), computation, is_before);
    for (; other != all.end(); ++other) {
      const Instruction& before = before_.instruction(*other);
      if (!is_only && ComputationName(before) != computation) break;
      if (!IsFree(before_, *other) || before.opcode() != instruction.opcode()) continue;
      Pair(*other, index);
      break;
    }
  }
}

void InstructionMatch::PairRoots() {
  auto root = [](const ValueNumbers& numbers) {
    const size_t count = numbers.size();
    if (count == 0) return kNone;
    const Module& module = *numbers.instruction(0).parent()->parent();
    if (!module.entry() || !module.entry()->root()) return kNone;
    return numbers.SourceOf(numbers.IndexOf(*module.entry()->root()));
  };
  const uint32_t before = root(before_);
  const uint32_t after = root(after_);
  if (before == kNone || after == kNone) return;
  if (!IsFree(before_, before) || !IsFree(after_, after)) return;
  if (before_.instruction(before).shape() == after_.instruction(after).shape() ||
      before_.instruction(before).opcode() == after_.instruction(after).opcode()) {
    Pair(before, after);
  }
}

// Fusions, calls, their parameters and elements of tuples compute nothing: they are the same where
// they hand on the same value and are called the same.
void InstructionMatch::PairHandedOn() {
  std::unordered_map<uint64_t, std::vector<uint32_t>> by_key;
  auto key = [](const Instruction& instruction, uint32_t source) {
    uint64_t hash = MixHash(static_cast<uint64_t>(instruction.opcode()), source);
    return MixHash(hash, std::hash<std::string_view>{}(instruction.name()));
  };
  auto loose = [](const Instruction& instruction, uint32_t source) {
    return MixHash(static_cast<uint64_t>(instruction.opcode()) + 1000, source);
  };
  for (const bool by_name : {true, false}) {
    by_key.clear();
    auto key_of = [&](const Instruction& instruction, uint32_t source) {
      return by_name ? key(instruction, source) : loose(instruction, source);
    };
    for (uint32_t index : before_.order()) {
      if (before_.IsSource(index) || after_of_[index] != kNone) continue;
      by_key[key_of(before_.instruction(index), before_.SourceOf(index))].push_back(index);
    }
    for (auto& [k, list] : by_key) std::reverse(list.begin(), list.end());
    for (uint32_t index : after_.order()) {
      if (after_.IsSource(index) || before_of_[index] != kNone) continue;
      const uint32_t source = before_of_[after_.SourceOf(index)];
      if (source == kNone) continue;
      const auto found = by_key.find(key_of(after_.instruction(index), source));
      if (found == by_key.end() || found->second.empty()) continue;
      Pair(found->second.back(), index);
      found->second.pop_back();
    }
  }
}

}  // namespace hlo
