#include "engine/precision/control_paths.h"

#include <algorithm>

#include "engine/ops/control/branch.h"

namespace hlo {
namespace {

// Computations that are called from several places.
std::unordered_set<const Computation*> SharedComputations(const Module& module,
                                                          const CallGraph& calls) {
  std::unordered_set<const Computation*> shared;
  for (const Computation& computation : module.computations()) {
    if (calls.CallersOf(computation).size() > 1) shared.insert(&computation);
  }
  return shared;
}

bool CallsAny(const Instruction& instruction,
              const std::unordered_set<const Computation*>& computations) {
  bool calls = false;
  ForEachCallee(instruction, [&](const Attr&, const Computation& callee) {
    calls = calls || computations.contains(&callee);
  });
  return calls;
}

// The branch that a selector takes; nothing if it is none.
std::optional<int64_t> BranchOf(const Instruction& conditional, const Value& selector) {
  if (!selector.is_array() || selector.tensor().element_count() != 1) return std::nullopt;
  const ElementType type = selector.tensor().element_type();
  if (type != ElementType::kPred && type != ElementType::kS32) return std::nullopt;
  const size_t branches = conditional.operands().size() - 1;
  return static_cast<int64_t>(ChosenBranch(type, selector.tensor().bytes(), branches));
}

}  // namespace

ControlPaths::ControlPaths(const Module& first, const Module& second,
                           const Counterparts& counterpart)
    : counterpart_(counterpart), calls_{CallGraph(first), CallGraph(second)} {
  shared_[0] = SharedComputations(first, calls_[0]);
  shared_[1] = SharedComputations(second, calls_[1]);
  for (const auto& [of_second, of_first] : counterpart) {
    if (CallsAny(*of_first, shared_[0]) && CallsAny(*of_second, shared_[1])) {
      told_apart_.insert(of_first);
    }
    if (of_first->opcode() != Opcode::kConditional || of_second->opcode() != Opcode::kConditional) {
      continue;
    }
    if (ToFirst(1, of_second->operand(0)) == of_first->operand(0)) {
      chosen_by_.emplace(of_first->operand(0), of_first);
    }
  }
}

const Instruction* ControlPaths::ToFirst(int side, const Instruction* instruction) const {
  if (side == 0) return instruction;
  const auto found = counterpart_.find(instruction);
  return found == counterpart_.end() ? nullptr : found->second;
}

std::optional<Place> ControlPaths::PlaceOf(int side, const Instruction& instruction,
                                           const Replica& replica,
                                           const IterationPath& iterations) const {
  Place place{&instruction, replica.device(), {}, {}};
  if (iterations) place.iterations = *iterations;
  if (shared_[side].empty() && parted_.empty()) return place;
  const auto frames = replica.Frames();
  for (size_t i = 0; i + 1 < frames.size(); ++i) {
    const Instruction* const made = frames[i].plan->instructions[frames[i].position].instruction;
    const Instruction* const call = ToFirst(side, made);
    const bool is_shared = shared_[side].contains(frames[i + 1].plan->computation);
    if (!call) {
      if (is_shared) return std::nullopt;
      continue;
    }
    if (!parted_.empty()) {
      Place of_call{call, place.device, {}, place.calls};
      if (*frames[i].iterations) of_call.iterations = **frames[i].iterations;
      if (parted_.contains(of_call)) return std::nullopt;
    }
    if (is_shared && told_apart_.contains(call)) place.calls.push_back(call);
  }
  return place;
}

std::optional<Parting> ControlPaths::LoopPartsAt(const Place& place, const Value& first,
                                                 const Value& second) const {
  const Computation& condition = *place.instruction->parent();
  const Instruction* loop = nullptr;
  int64_t callers = 0;
  for (const Caller& caller : calls_[0].CallersOf(condition)) {
    if (caller.instruction->opcode() != Opcode::kWhile) return std::nullopt;
    if (caller.attr->def->name != "condition") return std::nullopt;
    loop = caller.instruction;
    ++callers;
  }
  if (callers > 1) loop = place.calls.empty() ? nullptr : place.calls.back();
  if (!loop || place.iterations.empty()) return std::nullopt;
  const auto goes_on = [](const Value& value) {
    return value.is_array() && value.tensor().element_type() == ElementType::kPred
               ? static_cast<int64_t>(*value.tensor().bytes() != std::byte{0})
               : -1;
  };
  Parting parting{loop,           place.device,   place.iterations, place.iterations.back(),
                  goes_on(first), goes_on(second)};
  parting.iterations.pop_back();
  if (parting.first < 0 || parting.second < 0 || parting.first == parting.second) {
    return std::nullopt;
  }
  return parting;
}

std::optional<Parting> ControlPaths::PartsAt(const Place& place, const Value& first,
                                             const Value& second) const {
  if (place.instruction->is_root()) {
    if (auto parting = LoopPartsAt(place, first, second)) return parting;
  }
  const auto [begin, end] = chosen_by_.equal_range(place.instruction);
  for (auto at = begin; at != end; ++at) {
    const auto a = BranchOf(*at->second, first), b = BranchOf(*at->second, second);
    if (a && b && *a != *b) {
      return Parting{at->second, place.device, place.iterations, -1, *a, *b};
    }
  }
  return std::nullopt;
}

void ControlPaths::Part(const Parting& parting, const Place& place) {
  Place at{parting.instruction, place.device, parting.iterations, place.calls};
  // The calls around the loop, without its own of the condition.
  const bool is_loop = parting.iteration >= 0;
  if (is_loop && !at.calls.empty() && at.calls.back() == parting.instruction) at.calls.pop_back();
  // Both have left what parted there before.
  auto old = parted_.lower_bound({at.instruction, at.device, {}, {}});
  while (old != parted_.end() && old->instruction == at.instruction && old->device == at.device) {
    old = parted_.erase(old);
  }
  parted_.insert(std::move(at));
}

}  // namespace hlo
