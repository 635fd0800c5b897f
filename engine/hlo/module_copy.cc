#include "engine/hlo/module_copy.h"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/hlo/call_graph.h"
#include "engine/hlo/make_instruction.h"

namespace hlo {

namespace {

// A computation and all that it calls, directly or not, without those that `has` holds, which are
// there together with what they call. In the order of the module: callees come before their
// callers.
template <typename Known>
std::vector<const Computation*> Missing(const Computation& from, const Known& has) {
  std::unordered_set<const Computation*> reached = {&from};
  std::vector<const Computation*> all = {&from};
  for (size_t next = 0; next < all.size(); ++next) {
    const Computation& computation = *all[next];
    for (const Instruction& instruction : computation.instructions()) {
      ForEachCallee(instruction, [&](const Attr&, const Computation& callee) {
        if (has.count(&callee) == 0 && reached.insert(&callee).second) all.push_back(&callee);
      });
    }
  }
  std::sort(all.begin(), all.end(),
            [](const Computation* a, const Computation* b) { return a->index() < b->index(); });
  return all;
}

}  // namespace

Computation* ModuleCopier::Copy(const Computation& original) {
  const auto known = computations_.find(&original);
  if (known != computations_.end()) return known->second;
  for (const Computation* computation : Missing(original, computations_)) CopyBody(*computation);
  return computations_[&original];
}

void ModuleCopier::CopyBody(const Computation& original) {
  Computation* to = editor_.AddComputation(editor_.Intern(original.name()));
  editor_.SetExecutionThread(to, editor_.Intern(original.execution_thread()));
  for (const Instruction& instruction : original.instructions()) Copy(instruction, to);
  for (size_t i = 0; i < original.parameters().size(); ++i) {
    editor_.SetParameter(to, static_cast<int64_t>(i), CopyOf(*original.parameters()[i]));
  }
  editor_.SetRoot(to, CopyOf(*original.root()));
  computations_[&original] = to;
}

Instruction* ModuleCopier::Copy(const Instruction& original, Computation* to) {
  ForEachCallee(original, [&](const Attr&, const Computation& callee) { Copy(callee); });
  SmallVector<Instruction*, 4> operands;
  for (const Instruction* operand : original.operands()) operands.push_back(CopyOf(*operand));
  AttrList attrs;
  for (Attr attr : original.attrs()) {
    ForEachRegion(attr.value, [&](const Region*& region) {
      if (region) region = computations_[AsComputation(region)];
    });
    attrs.push_back(std::move(attr));
  }
  Instruction* copy = AddKnown(editor_, to,
                               {original.opcode(), editor_.Intern(original.name()), operands,
                                std::move(attrs), original.shape()});
  instructions_[&original] = copy;
  return copy;
}

Instruction* ModuleCopier::CopyOf(const Instruction& original) const {
  const auto found = instructions_.find(&original);
  return found == instructions_.end() ? nullptr : found->second;
}

}  // namespace hlo
