#include "engine/plan/moments.h"

#include <utility>

#include "engine/base/work_limit.h"
#include "engine/hlo/call_graph.h"
#include "engine/ops/op_def.h"

namespace hlo {

std::vector<const Computation*> CalleesOf(const Instruction& instruction) {
  std::vector<const Computation*> callees;
  if (!instruction.def().control_flow) return callees;
  ForEachCallee(instruction,
                [&](const Attr&, const Computation& callee) { callees.push_back(&callee); });
  return callees;
}

// Depth first, what the busiest position calls before all else.
void Moments::FindCallers(const Computation& entry, const std::vector<int64_t>& busiest) {
  std::vector<std::pair<const Computation*, const Instruction*>> open = {{&entry, nullptr}};
  while (!open.empty()) {
    CountWork();
    const auto [computation, caller] = open.back();
    open.pop_back();
    const auto index = static_cast<size_t>(computation->index());
    if (callers_[index]) continue;
    callers_[index] = caller;
    const auto open_callees = [&open](const Instruction& instruction) {
      for (const Computation* callee : CalleesOf(instruction)) {
        open.emplace_back(callee, &instruction);
      }
    };
    // What is opened last is gone through first.
    const auto& instructions = computation->instructions();
    for (size_t i = instructions.size(); i-- > 0;) open_callees(instructions[i]);
    const auto at = static_cast<size_t>(busiest[index]);
    if (at < instructions.size()) open_callees(instructions[at]);
  }
}

Moments::Moments(const Module& module, const std::vector<int64_t>& busiest)
    : callers_(module.computations().size()),
      positions_(module.computations().size(), 0),
      first_(module.computations().size()) {
  if (!module.entry()) return;
  FindCallers(*module.entry(), busiest);
  // Callees come before their callers: how many moments each takes.
  std::vector<int64_t> sizes(first_.size(), 0);
  for (const Computation& computation : module.computations()) {
    int64_t& size = sizes[static_cast<size_t>(computation.index())];
    size += static_cast<int64_t>(computation.instructions().size());
    const Instruction* caller = CallerOf(computation);
    if (caller) sizes[static_cast<size_t>(caller->parent()->index())] += size;
  }
  std::vector<int64_t> starts(first_.size(), -1);
  starts[static_cast<size_t>(module.entry()->index())] = 0;
  const auto& computations = module.computations();
  for (auto each = computations.rbegin(); each != computations.rend(); ++each) {
    const auto index = static_cast<size_t>(each->index());
    int64_t now = starts[index];
    if (now < 0) continue;
    CountBytes((each->instructions().size() + 1) * sizeof(int64_t));
    first_[index].reserve(each->instructions().size() + 1);
    for (const Instruction& instruction : each->instructions()) {
      first_[index].push_back(now++);
      for (const Computation* callee : CalleesOf(instruction)) {
        const auto called = static_cast<size_t>(callee->index());
        if (callers_[called] != &instruction || starts[called] >= 0) continue;
        starts[called] = now;
        positions_[called] = &*each == module.entry() ? instruction.index() : positions_[index];
        now += sizes[called];
      }
    }
    first_[index].push_back(now);
  }
}

}  // namespace hlo
