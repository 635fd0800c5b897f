#include "engine/hlo/call_graph.h"

#include <algorithm>

namespace hlo {

const Attr* AttrByNumber(const Instruction& instruction, size_t i) {
  const AttrList& attrs = instruction.attrs();
  if (instruction.def().runs != Runs::kChosen) return i < attrs.size() ? &attrs[i] : nullptr;
  for (const AttrDef& row : instruction.def().attrs) {
    const Attr* const attr = attrs.Find(row.name);
    if (attr && i-- == 0) return attr;
  }
  return nullptr;
}

CallGraph::CallGraph(const Module& module) {
  starts_.assign(module.computations().size() + 1, 0);
  const auto for_each_call = [&](auto visit) {
    for (const Computation& computation : module.computations()) {
      for (const Instruction& i : computation.instructions()) {
        ForEachCallee(i, [&](const Attr& attr, const Computation& callee) {
          visit(i, attr, static_cast<size_t>(callee.index()));
        });
      }
    }
  };
  for_each_call([&](const Instruction&, const Attr&, size_t callee) { ++starts_[callee + 1]; });
  for (size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  callers_.resize(starts_.back());
  std::vector<uint32_t> next = starts_;
  for_each_call([&](const Instruction& caller, const Attr& attr, size_t callee) {
    callers_[next[callee]++] = {&caller, &attr};
  });
}

std::span<const Caller> CallGraph::CallersOf(const Computation& computation) const {
  const size_t i = static_cast<size_t>(computation.index());
  return {callers_.data() + starts_[i], callers_.data() + starts_[i + 1]};
}

bool CallGraph::IsCalledBy(const Computation& computation, Opcode opcode) const {
  const auto callers = CallersOf(computation);
  return std::any_of(callers.begin(), callers.end(),
                     [&](const Caller& caller) { return caller.instruction->opcode() == opcode; });
}

const Instruction* CallGraph::OnlyCaller(const Computation& computation, Opcode opcode) const {
  const Instruction* only = nullptr;
  for (const Caller& caller : CallersOf(computation)) {
    if (caller.instruction->opcode() != opcode) continue;
    if (only) return nullptr;
    only = caller.instruction;
  }
  return only;
}

}  // namespace hlo
