#include "engine/hlo/print_order.h"

#include <algorithm>
#include <span>

#include "engine/hlo/call_graph.h"
#include "engine/ops/attribute_rows.h"
#include "engine/ops/control/aliases.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

const std::vector<uint32_t>& ControlPredecessors(const Instruction& instruction) {
  return instruction.attrs().Instructions("control-predecessors");
}

// Folded into `OP-start`, an attribute is read back as OP's only if neither async-start nor every
// opcode has one of its name. Aliases belong to OP by what they refer to, see ReadsBack.
bool IsOpsOwn(const Instruction& instruction, const Attr& attr) {
  const AttrDef* own = FindAttrDef(instruction.def().attrs, attr.def->name);
  const AttrDef* also = FindAttrDef(GetOpDef(Opcode::kAsyncStart).attrs, attr.def->name);
  // The value in the parentheses, a constant's literal, takes the place of the operands there.
  return own && attr.def->use != AttrUse::kPositional &&
         (!also || also->kind == AttrKind::kRegion || also->kind == AttrKind::kAliases);
}

// In the short form, aliases are read as OP's when all refer to parts of its result.
bool ReadsBack(const Instruction& start, const Instruction& op) {
  const Attr* of_start = start.attrs().Find(kAliasingAttr.name);
  const Attr* of_op = op.attrs().Find(kAliasingAttr.name);
  const auto leads_to_result = [&](const Attr& attr) {
    return LeadTo(std::get<std::vector<Alias>>(attr.value), op.shape());
  };
  if (of_op) return !of_start && leads_to_result(*of_op);
  const bool may_be_ops = FindAttrDef(op.def().attrs, kAliasingAttr.name) != nullptr;
  return !of_start || !may_be_ops || !leads_to_result(*of_start);
}

bool IsOneOpOnParameters(const Computation& computation) {
  const Instruction* root = computation.root();
  size_t parameters = computation.parameters().size();
  if (!root || root->opcode() == Opcode::kParameter ||
      computation.instructions().size() != parameters + 1 ||
      root->operands().size() != parameters) {
    return false;
  }
  for (size_t i = 0; i < parameters; ++i) {
    const Instruction* parameter = computation.parameters()[i];
    // Attributes of a parameter besides its number would be lost.
    if (!parameter || root->operands()[i] != parameter || parameter->attrs().size() != 1) {
      return false;
    }
  }
  return std::all_of(root->attrs().begin(), root->attrs().end(),
                     [&](const Attr& attr) { return IsOpsOwn(*root, attr); });
}

// An op without a short form of its own: `all-reduce-start` is an opcode, not a folded all-reduce.
bool HasShortForm(Opcode opcode) {
  std::string text(Text(opcode));
  return !OpcodeFromText(text + "-start") && !OpcodeFromText(text + "-done");
}

}  // namespace

const Computation* CalledComputation(const Instruction& instruction) {
  return AsComputation(instruction.attrs().GetRegion("calls"));
}

namespace {

// Collectives of one channel stay in the order of the list.
class ChannelOrder {
 public:
  explicit ChannelOrder(const Computation& computation) {
    std::unordered_map<int64_t, const Instruction*> last;
    for (const Instruction& i : computation.instructions()) {
      if (!i.def().is_collective || !i.attrs().Has("channel_id")) continue;
      const Instruction*& before = last[i.attrs().Int("channel_id")];
      if (before) before_[&i] = before;
      before = &i;
    }
  }

  // The nearest one before it in its channel that is not done yet, or null.
  template <typename IsDone>
  const Instruction* Before(const Instruction* instruction, IsDone is_done) {
    auto at = before_.find(instruction);
    if (at == before_.end()) return nullptr;
    while (at->second && is_done(at->second)) {
      auto next = before_.find(at->second);
      at->second = next == before_.end() ? nullptr : next->second;  // shorter the next time
    }
    return at->second;
  }

 private:
  std::unordered_map<const Instruction*, const Instruction*> before_;
};

// The computations that an instruction calls, in XLA's order: while has its body first.
void AppendCallees(const Instruction& instruction, std::vector<const Computation*>* callees) {
  const size_t begin = callees->size();
  const auto add = [&](const Attr&, const Computation& callee) { callees->push_back(&callee); };
  for (const AttrDef& def : instruction.def().attrs) {
    const Attr* attr = instruction.attrs().Find(def.name);
    if (attr) ForEachCallee(*attr, add);
  }
  if (instruction.opcode() == Opcode::kWhile) {
    std::reverse(callees->begin() + static_cast<ptrdiff_t>(begin), callees->end());
  }
}

}  // namespace

std::vector<const Computation*> ComputationOrder(const Module& module) {
  const auto& list = module.computations();
  std::vector<std::vector<const Computation*>> callees(list.size());
  std::vector<bool> called(list.size(), false);
  auto index = [](const Computation* c) { return static_cast<size_t>(c->index()); };
  for (const Computation& c : list) {
    for (const Instruction& i : c.instructions()) {
      std::vector<const Computation*> of_one;
      AppendCallees(i, &of_one);
      // What one instruction calls is put on a stack together, the last one at the bottom.
      for (const Computation* callee : of_one) called[index(callee)] = true;
      std::vector<const Computation*>& all = callees[index(&c)];
      all.insert(all.end(), of_one.begin(), of_one.end());
    }
  }
  struct Open {
    const Computation* computation;
    size_t next;
  };
  std::vector<bool> seen(list.size(), false);
  std::vector<const Computation*> order;
  std::vector<Open> stack;
  for (const Computation& root : list) {
    if (called[index(&root)]) continue;
    stack.push_back({&root, 0});
    while (!stack.empty()) {
      Open& top = stack.back();
      const std::vector<const Computation*>& calls = callees[index(top.computation)];
      if (top.next == calls.size()) {
        order.push_back(top.computation);
        stack.pop_back();
        continue;
      }
      const Computation* callee = calls[top.next++];
      if (seen[index(callee)]) continue;
      seen[index(callee)] = true;
      stack.push_back({callee, 0});
    }
  }
  return order;
}

std::vector<const Instruction*> PostOrder(const Computation& computation) {
  const auto& list = computation.instructions();
  ChannelOrder channels(computation);
  std::vector<bool> used(list.size(), false);
  for (const Instruction& i : list) {
    for (const Instruction* operand : i.operands())
      used[static_cast<size_t>(operand->index())] = true;
  }
  enum class State : uint8_t { kNew, kOpen, kDone };
  std::vector<State> states(list.size(), State::kNew);
  std::vector<const Instruction*> order, stack;
  auto is_done = [&](const Instruction* i) {
    return states[static_cast<size_t>(i->index())] == State::kDone;
  };
  auto push = [&](const Instruction* i) {
    if (!is_done(i)) stack.push_back(i);
  };
  for (const Instruction& start : list) {
    if (used[static_cast<size_t>(start.index())]) continue;
    push(&start);
    while (!stack.empty()) {
      const Instruction* top = stack.back();
      State& state = states[static_cast<size_t>(top->index())];
      if (state == State::kNew) {
        state = State::kOpen;
        if (top != &start) {
          if (const Instruction* peer = channels.Before(top, is_done)) push(peer);
        }
        // The last one pushed is walked first: control predecessors, then operand 0, 1, ...
        for (int i = top->operand_count(); i-- > 0;) push(top->operand(i));
        for (uint32_t index : ControlPredecessors(*top)) push(&list[index]);
        continue;
      }
      stack.pop_back();
      if (state == State::kOpen) order.push_back(top);
      state = State::kDone;
    }
  }
  return order;
}

AsyncForms::AsyncForms(const Module& module) {
  std::unordered_map<const Computation*, int> callers;
  bool any = false;
  for (const Computation& c : module.computations()) {
    for (const Instruction& i : c.instructions()) any |= i.opcode() == Opcode::kAsyncStart;
  }
  if (!any) return;
  for (const Computation& c : module.computations()) {
    for (const Instruction& i : c.instructions()) {
      // What an update or a done names is the computation of its start.
      const bool follows = i.opcode() == Opcode::kAsyncUpdate || i.opcode() == Opcode::kAsyncDone;
      if (follows) continue;
      ForEachCallee(i, [&](const Attr&, const Computation& callee) { ++callers[&callee]; });
    }
  }
  for (const Computation& c : module.computations()) {
    for (const Instruction& i : c.instructions()) {
      const Computation* called = nullptr;
      if (i.opcode() == Opcode::kAsyncStart) {
        called = CalledComputation(i);
        bool folds = called && callers[called] == 1 && called != module.entry() &&
                     IsOneOpOnParameters(*called) && HasShortForm(called->root()->opcode()) &&
                     ReadsBack(i, *called->root());
        if (!folds) continue;
        folded_.insert(called);
      } else if (i.opcode() == Opcode::kAsyncUpdate || i.opcode() == Opcode::kAsyncDone) {
        called = i.operand_count() > 0 ? Folded(*i.operand(0)) : nullptr;
      }
      if (called) of_[&i] = called;
    }
  }
}

const Computation* AsyncForms::Folded(const Instruction& instruction) const {
  auto found = of_.find(&instruction);
  return found == of_.end() ? nullptr : found->second;
}

}  // namespace hlo
