#include "engine/hlo/print_order.h"

#include <algorithm>
#include <span>

#include "engine/hlo/call_graph.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

const std::vector<uint32_t>& ControlPredecessors(const Instruction& instruction) {
  static const std::vector<uint32_t> kNone;
  const Attr* attr = FindAttr(instruction.attrs(), "control-predecessors");
  const auto* indices = attr ? std::get_if<std::vector<uint32_t>>(&attr->value) : nullptr;
  return indices ? *indices : kNone;
}

// Folded into `OP-start`, an attribute is read back as OP's only if neither async-start nor every
// opcode has one of its name.
bool IsOpsOwn(const Instruction& instruction, const Attr& attr) {
  auto names = [&](const AttrDef& def) { return def.name == attr.def->name; };
  std::span<const AttrDef> own = instruction.def().attrs;
  std::span<const AttrDef> start = GetOpDef(Opcode::kAsyncStart).attrs;
  auto also = std::find_if(start.begin(), start.end(), names);
  return std::any_of(own.begin(), own.end(), names) &&
         (also == start.end() || also->kind == AttrKind::kRegion);
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
    // Whatever a parameter says beyond its number would be lost.
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
  const Attr* attr = FindAttr(instruction.attrs(), "calls");
  const auto* region = attr ? std::get_if<const Region*>(&attr->value) : nullptr;
  return region ? static_cast<const Computation*>(*region) : nullptr;
}

std::vector<const Instruction*> PostOrder(const Computation& computation) {
  const auto& list = computation.instructions();
  std::vector<bool> used(list.size(), false);
  for (const Instruction& i : list) {
    for (const Instruction* operand : i.operands())
      used[static_cast<size_t>(operand->index())] = true;
  }
  enum class State : uint8_t { kNew, kOpen, kDone };
  std::vector<State> states(list.size(), State::kNew);
  std::vector<const Instruction*> order, stack;
  auto push = [&](const Instruction* i) {
    if (states[static_cast<size_t>(i->index())] != State::kDone) stack.push_back(i);
  };
  for (const Instruction& start : list) {
    if (used[static_cast<size_t>(start.index())]) continue;
    push(&start);
    while (!stack.empty()) {
      const Instruction* top = stack.back();
      State& state = states[static_cast<size_t>(top->index())];
      if (state == State::kNew) {
        state = State::kOpen;
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
      ForEachCallee(i, [&](const Attr&, const Computation& callee) { ++callers[&callee]; });
    }
  }
  for (const Computation& c : module.computations()) {
    for (const Instruction& i : c.instructions()) {
      const Computation* called = nullptr;
      if (i.opcode() == Opcode::kAsyncStart) {
        called = CalledComputation(i);
        bool folds = called && callers[called] == 1 && called != module.entry() &&
                     IsOneOpOnParameters(*called) && HasShortForm(called->root()->opcode());
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
