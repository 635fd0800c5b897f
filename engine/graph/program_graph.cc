#include "engine/graph/program_graph.h"

#include "engine/base/work_limit.h"
#include "engine/ops/op_def.h"

namespace hlo {
const Computation* LoopBody(const Instruction& instruction) {
  if (instruction.def().runs != Runs::kWhile) return nullptr;
  return AsComputation(instruction.attrs().GetRegion("body"));
}

ProgramGraph::Lists ProgramGraph::ListsOf(size_t count, const Pairs& pairs) {
  Lists lists;
  lists.starts.assign(count + 1, 0);
  for (const auto& [first, second] : pairs) ++lists.starts[first + 1];
  for (size_t i = 1; i <= count; ++i) lists.starts[i] += lists.starts[i - 1];
  lists.items.resize(pairs.size());
  std::vector<uint32_t> next = lists.starts;
  for (const auto& [first, second] : pairs) lists.items[next[first]++] = second;
  CountWork(count + pairs.size());
  return lists;
}

ProgramGraph::ProgramGraph(const Module& module) : module_(module), calls_(module) {
  for (const Computation& computation : module.computations()) {
    first_.push_back(static_cast<uint32_t>(all_.size()));
    for (const Instruction& instruction : computation.instructions()) all_.push_back(&instruction);
  }
  constexpr uint32_t kNobody = UINT32_MAX;
  std::vector<uint32_t> last_user(all_.size(), kNobody);
  Pairs uses;
  for (uint32_t user = 0; user < all_.size(); ++user) {
    for (const Instruction* operand : all_[user]->operands()) {
      const uint32_t number = NumberOf(*operand);
      if (last_user[number] != user) uses.emplace_back(number, user);
      last_user[number] = user;
    }
  }
  users_ = ListsOf(all_.size(), uses);
  const Pairs through_calls = CallPairs();
  uses.insert(uses.end(), through_calls.begin(), through_calls.end());
  targets_ = ListsOf(all_.size(), uses);
  for (auto& [from, to] : uses) std::swap(from, to);
  sources_ = ListsOf(all_.size(), uses);
}

// From operands to parameters, from roots to callers, and from the end of a loop's body to its
// beginning.
ProgramGraph::Pairs ProgramGraph::CallPairs() const {
  Pairs pairs;
  for (const Instruction* caller : all_) {
    ForEachPassed(*caller, [&](int operand, const Instruction& parameter) {
      pairs.emplace_back(NumberOf(*caller->operand(operand)), NumberOf(parameter));
    });
    CountWork(1);
    ForEachCallee(*caller, [&](const Attr&, const Computation& callee) {
      CountWork(1);
      if (callee.root()) pairs.emplace_back(NumberOf(*callee.root()), NumberOf(*caller));
      const Computation* body = LoopBody(*caller);
      if (!body || !body->root()) return;
      for (const Instruction* parameter : callee.parameters()) {
        if (parameter) pairs.emplace_back(NumberOf(*body->root()), NumberOf(*parameter));
      }
    });
  }
  return pairs;
}

uint32_t ProgramGraph::NumberOf(const Instruction& instruction) const {
  return first_[static_cast<size_t>(instruction.parent()->index())] +
         static_cast<uint32_t>(instruction.index());
}

std::span<const uint32_t> ProgramGraph::UsersOf(const Instruction& instruction) const {
  return users_.Of(NumberOf(instruction));
}

}  // namespace hlo
