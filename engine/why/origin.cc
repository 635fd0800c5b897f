#include "engine/why/origin.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/base/indices.h"
#include "engine/hlo/call_graph.h"
#include "engine/ops/op_def.h"
#include "engine/types/convert.h"

namespace hlo {
namespace {

constexpr int64_t kMostLookedAt = 1'000'000;

enum class Unusual : uint8_t { kNo, kInfinity, kNan };

Unusual UnusualAt(const Tensor& array, const Dims& index) {
  const ElementType type = array.element_type();
  if (!IsFloat(type) && !IsComplex(type)) return Unusual::kNo;
  double parts[2] = {0, 0};
  ConvertElements(type, array.bytes() + Ravel(index, array.dims()) * BytesOf(type),
                  IsComplex(type) ? ElementType::kC128 : ElementType::kF64,
                  reinterpret_cast<std::byte*>(parts), 1);
  if (std::isnan(parts[0]) || std::isnan(parts[1])) return Unusual::kNan;
  return std::isinf(parts[0]) || std::isinf(parts[1]) ? Unusual::kInfinity : Unusual::kNo;
}

void FindUnusual(const Value& value, const Dims& path, Unusual wanted,
                 std::optional<PlaceInRun>* found) {
  if (*found) return;
  if (value.is_tuple()) {
    for (size_t i = 0; i < value.elements().size(); ++i) {
      FindUnusual(value.elements()[i], Joined(path, Dims{static_cast<int64_t>(i)}), wanted, found);
    }
  } else if (value.is_array()) {
    const Tensor& array = value.tensor();
    for (int64_t i = 0; i < array.element_count() && !*found; ++i) {
      const Dims index = Unravel(i, array.dims());
      if (UnusualAt(array, index) == wanted) *found = {kNoStep, path, index};
    }
  }
}

// Which operand of its caller a parameter of a computation is; -1: the rule is another one.
int OperandOf(const Instruction& caller, const Computation* entered, int64_t parameter) {
  switch (caller.def().runs) {
    case Runs::kOne:
      return static_cast<int>(parameter);
    case Runs::kWhile:
      return 0;
    case Runs::kChosen: {
      int branch = 0, found = -1;
      ForEachCallee(caller, [&](const Attr&, const Computation& callee) {
        if (&callee == entered && found < 0) found = branch + 1;
        ++branch;
      });
      return found;
    }
    case Runs::kOtherwise:
      break;
  }
  return -1;
}

bool KeepsIndices(Opcode opcode) {
  return opcode == Opcode::kAllReduce || opcode == Opcode::kCollectivePermute ||
         opcode == Opcode::kCollectiveBroadcast;
}

}  // namespace

const StepFacts& Origins::Facts(int64_t step) {
  const auto known = known_.find(step);
  if (known != known_.end()) return known->second;
  return known_.emplace(step, timeline_.At(step)).first->second;
}

// The step that gave a parameter of the computation that was entered then its value.
Origins::From Origins::ArgumentOf(int64_t entered_at, int64_t parameter) {
  while (entered_at != kNoStep) {
    const StepFacts& facts = Facts(entered_at);
    const bool loops = facts.instruction->def().runs == Runs::kWhile;
    if (facts.kind == StepKind::kEnter) {
      const int operand = OperandOf(*facts.instruction, facts.entered, parameter);
      if (operand < 0 || static_cast<size_t>(operand) >= facts.operands.size()) break;
      return {facts.operands[static_cast<size_t>(operand)], true};
    }
    if (facts.kind != StepKind::kReturn || !loops) break;
    // The body gives the next state; the condition leaves it as it is.
    if (facts.left != AsComputation(facts.instruction->attrs().GetRegion("condition"))) {
      return {facts.root_step, true};
    }
    entered_at = facts.left_entered_at;
  }
  return {kNoStep, entered_at == kNoStep};
}

std::vector<ElementsInRun> Origins::Sources(const PlaceInRun& place) {
  std::vector<ElementsInRun> found;
  const StepFacts facts = Facts(place.step);
  if (!facts.instruction) return found;
  const Instruction& instruction = *facts.instruction;
  const Runs runs = instruction.def().runs;
  const auto same = [&](int64_t step) {
    if (step != kNoStep)
      found.push_back({step, place.path, BoxOf(place.index), SourceRole::kValue});
    return found;
  };
  if (instruction.opcode() == Opcode::kParameter) {
    const auto& parameters = instruction.parent()->parameters();
    const auto number = std::find(parameters.begin(), parameters.end(), &instruction);
    return same(ArgumentOf(facts.entered_at, number - parameters.begin()).step);
  }
  if (facts.kind == StepKind::kReturn && runs == Runs::kWhile) {
    return same(ArgumentOf(facts.left_entered_at, 0).step);
  }
  if (facts.kind == StepKind::kReturn && runs != Runs::kOtherwise) return same(facts.root_step);
  if (instruction.def().is_collective) {
    AddFromOthers(facts, place, &found);
    return found;
  }
  std::vector<Value> args;
  for (const int64_t step : facts.operands) {
    args.push_back(step == kNoStep ? Value() : Facts(step).value);
  }
  const OpCall call = instruction.Call();
  for (Elements& each : SourcesOf({call, args, facts.value}, place.path, place.index)) {
    const int64_t step = facts.operands[static_cast<size_t>(each.operand)];
    if (step != kNoStep) found.push_back({step, each.path, std::move(each.box), each.role});
  }
  return found;
}

void Origins::ListCollectives() {
  if (std::exchange(are_listed_, true)) return;
  timeline_.ForEach(0, timeline_.length(), [&](const StepFacts& facts) {
    if (facts.has_value && facts.instruction->def().is_collective) {
      collectives_[facts.instruction][facts.device].push_back(facts.step);
    }
    return true;
  });
}

// The operands of all devices that executed the instruction as often.
void Origins::AddFromOthers(const StepFacts& facts, const PlaceInRun& place,
                            std::vector<ElementsInRun>* out) {
  ListCollectives();
  const auto& devices = collectives_[facts.instruction];
  const auto& own = devices.at(facts.device);
  const auto visit = std::lower_bound(own.begin(), own.end(), facts.step) - own.begin();
  std::vector<int64_t> order;
  for (const auto& [device, steps] : devices) order.push_back(device);
  std::sort(order.begin(), order.end());
  for (const int64_t device : order) {
    const auto& steps = devices.at(device);
    if (static_cast<size_t>(visit) >= steps.size()) continue;
    const StepFacts other = Facts(steps[static_cast<size_t>(visit)]);
    for (size_t i = 0; i < other.operands.size(); ++i) {
      if (other.operands[i] == kNoStep) continue;
      const Tensor* array = ArrayAt(Facts(other.operands[i]).value, {});
      const bool keeps = KeepsIndices(facts.instruction->opcode());
      if (keeps && !place.path.empty() && place.path[0] != static_cast<int64_t>(i)) continue;
      if (!array || (keeps && array->dims().size() != place.index.size())) continue;
      out->push_back({other.operands[i],
                      {},
                      keeps ? BoxOf(place.index) : WholeBox(array->dims()),
                      SourceRole::kValue});
    }
  }
}

Origins::Path Origins::FirstMade(const PlaceInRun& place, size_t most) {
  Path path{{place}, false};
  const Tensor* array = ArrayAt(Facts(place.step).value, place.path);
  const Unusual wanted = array ? UnusualAt(*array, place.index) : Unusual::kNo;
  if (wanted == Unusual::kNo) return path;
  while (path.places.size() < most) {
    std::optional<PlaceInRun> next;
    for (const ElementsInRun& each : Sources(path.places.back())) {
      const Tensor* from = ArrayAt(Facts(each.step).value, each.path);
      const int64_t count = from ? std::min(CountOf(each.box), kMostLookedAt) : 0;
      for (int64_t i = 0; i < count && !next; ++i) {
        const Dims index = IndexIn(each.box, i);
        if (UnusualAt(*from, index) == wanted) next = {each.step, each.path, index};
      }
      if (next) break;
    }
    if (!next) {
      path.complete = true;
      break;
    }
    path.places.push_back(*next);
  }
  return path;
}

std::optional<PlaceInRun> Origins::FirstNonFinite(int64_t step) {
  std::optional<PlaceInRun> found;
  for (const Unusual wanted : {Unusual::kNan, Unusual::kInfinity}) {
    FindUnusual(Facts(step).value, {}, wanted, &found);
  }
  if (found) found->step = step;
  return found;
}

}  // namespace hlo
