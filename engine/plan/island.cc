#include "engine/plan/island.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/kernels/move_view.h"
#include "engine/ops/custom_calls/custom_calls.h"
#include "engine/plan/region_compiler.h"

namespace hlo {
namespace {

/// A computation that passes more arrays around than this is none.
constexpr size_t kMostArrays = 1 << 16;
/// Buffers of this many bytes wait for the next execution, all of a computation of so many.
constexpr int64_t kMostReusedBytes = int64_t{256} << 10;
constexpr int64_t kMostReusedInAll = int64_t{2} << 20;

size_t CountArrays(const Shape& shape) {
  size_t count = 0;
  ForEachArray(shape, [&](const Shape&) { ++count; });
  return count;
}

// What a step can be that depends on nothing but its operands and this device.
bool RunsStraight(const PlannedInstruction& planned) {
  const OpDef& def = *planned.def;
  return def.eval && !def.has_effect && !def.is_collective && (!def.varies || def.is_drawn);
}

}  // namespace

bool IsCounted(const PlannedInstruction& planned, bool constants_are_kept) {
  return !planned.is_joined && !(constants_are_kept && planned.fold != Fold::kNone);
}

/// Builds an island; gives up where something stands in the way.
class IslandBuilder {
 public:
  IslandBuilder(Islands* islands, const ComputationPlan& plan, int levels)
      : islands_(*islands), plan_(plan), levels_(levels), island_(std::make_unique<Island>()) {
    island_->plan = &plan;
  }

  std::unique_ptr<const Island> OfComputation() {
    AddParameters();
    const auto count = static_cast<int32_t>(plan_.instructions.size());
    arrays_.resize(plan_.instructions.size());
    for (int32_t i = 0; i < count; ++i) {
      if (!Visit(i)) return nullptr;
    }
    for (int32_t slot : ArraysOf(plan_.root)) island_->results.push_back({slot});
    FindEpilogues(island_.get());
    for (IslandStep& step : island_->steps) {
      Count(&step, std::max(counted_, step.planned->instruction->index() + 1));
    }
    Count(&island_->rest, count);
    return Finish();
  }

  std::unique_ptr<const Island> OfInstruction(const PlannedInstruction& planned) {
    const auto position = static_cast<int32_t>(planned.instruction->index());
    for (const OperandUse& use : planned.operands) {
      const Shape& shape = plan_.instructions[static_cast<size_t>(use.value)].instruction->shape();
      if (!Fits(shape)) return nullptr;
      const std::vector<int32_t> slots = NewSlots(shape);
      island_->parameters.insert(island_->parameters.end(), slots.begin(), slots.end());
      by_operand_.push_back(slots);
    }
    if (!AddCall(position)) return nullptr;
    for (int32_t slot : ArraysOf(position)) island_->results.push_back({slot});
    // The executor has counted it.
    return Finish();
  }

 private:
  std::vector<int32_t>& ArraysOf(int32_t position) {
    return arrays_.empty() ? result_ : arrays_[static_cast<size_t>(position)];
  }
  const PlannedInstruction& At(int32_t position) const {
    return plan_.instructions[static_cast<size_t>(position)];
  }

  bool Fits(const Shape& shape) {
    if (shape.leaf_count() > static_cast<int64_t>(kMostArrays)) return false;
    array_count_ += static_cast<size_t>(shape.leaf_count());
    return array_count_ <= kMostArrays && shape.has_known_sizes();
  }

  std::vector<int32_t> NewSlots(const Shape& shape) {
    std::vector<int32_t> slots;
    ForEachArray(shape, [&](const Shape& array) {
      slots.push_back(static_cast<int32_t>(island_->slots.size()));
      const int64_t bytes = array.stored_bytes();
      island_->slots.push_back({.type = array.element_type(),
                                .dims = array.dims(),
                                .count = bytes / BytesOf(array.element_type()),
                                .bytes = bytes});
    });
    return slots;
  }

  void AddParameters() {
    const Computation& computation = *plan_.computation;
    for (int i = 0; i < computation.parameter_count(); ++i) {
      by_parameter_.push_back(island_->parameters.size());
      island_->parameters.resize(
          island_->parameters.size() + CountArrays(computation.parameter_shape(i)), -1);
    }
  }

  bool Visit(int32_t position) {
    const PlannedInstruction& planned = At(position);
    if (!Fits(planned.instruction->shape())) return false;
    // Also where its shape is written without a dynamic dimension, which XLA's verifier lets pass.
    if (planned.instruction->opcode() == Opcode::kSetDimensionSize) return false;
    if (planned.loop) {
      AddLoop(position);
    } else if (planned.is_joined) {
      return true;
    } else if (planned.parameter >= 0) {
      const std::vector<int32_t> slots = NewSlots(planned.instruction->shape());
      std::copy(slots.begin(), slots.end(),
                island_->parameters.begin() +
                    static_cast<ptrdiff_t>(by_parameter_[static_cast<size_t>(planned.parameter)]));
      ArraysOf(position) = slots;
    } else if (planned.instruction->opcode() == Opcode::kTuple) {
      for (const OperandUse& use : planned.operands) {
        const std::vector<int32_t>& arrays = ArraysOf(use.value);
        ArraysOf(position).insert(ArraysOf(position).end(), arrays.begin(), arrays.end());
      }
    } else if (planned.instruction->opcode() == Opcode::kGetTupleElement) {
      TakeElement(position);
    } else if (PassesArraysOn(planned)) {
      ArraysOf(position) = ArraysOf(planned.operands[0].value);
    } else if (planned.scalar_loop) {
      AddStep(position, IslandStep::Kind::kScalars);
    } else if (planned.def->enter) {
      if (const ElementLoop loop = ElementsOf(planned)) {
        AddElements(position, loop);
      } else if (!AddCall(position)) {
        return false;
      }
    } else if (RunsStraight(planned)) {
      AddOperation(position);
    } else {
      return false;
    }
    if (planned.fold == Fold::kKept) {
      for (int32_t slot : ArraysOf(position)) SlotAt(slot).is_kept = true;
    }
    return true;
  }

  IslandSlot& SlotAt(int32_t slot) { return island_->slots[static_cast<size_t>(slot)]; }

  void TakeElement(int32_t position) {
    const PlannedInstruction& planned = At(position);
    const int32_t tuple = planned.operands[0].value;
    const auto& elements = At(tuple).instruction->shape().elements();
    if (tuple != counted_tuple_) {
      counted_tuple_ = tuple;
      firsts_.assign(1, 0);
      for (const Shape& each : elements) {
        firsts_.push_back(firsts_.back() + static_cast<int32_t>(CountArrays(each)));
      }
    }
    const auto index = static_cast<size_t>(planned.call.Int("index"));
    const auto arrays = ArraysOf(tuple).begin();
    ArraysOf(position).assign(arrays + firsts_[index], arrays + firsts_[index + 1]);
  }

  // What is a barrier, or marks a value, to a compiler alone: its result is its operand.
  static bool PassesArraysOn(const PlannedInstruction& planned) {
    return planned.def->passes_on == PassesOn::kAll && !planned.def->loop && !planned.mixed &&
           Shape::Compatible(planned.call.operand(0), planned.instruction->shape());
  }

  void Count(IslandStep* step, int32_t end) {
    step->begin = counted_;
    step->begin_kept = counted_kept_;
    step->end = end;
    for (int32_t i = step->begin; i < end; ++i) step->instructions += IsCounted(At(i), false);
    for (int32_t i = step->begin_kept; i < end; ++i) {
      step->instructions_kept += IsCounted(At(i), true);
    }
    counted_ = end;
    if (!step->planned || step->planned->fold == Fold::kNone) counted_kept_ = end;
  }

  // With the operands of the instruction and slots for its result.
  IslandStep& AddStep(int32_t position, IslandStep::Kind kind) {
    const PlannedInstruction& planned = At(position);
    IslandStep& step = island_->steps.emplace_back();
    step.kind = kind;
    step.planned = &planned;
    for (size_t i = 0; i < planned.operands.size(); ++i) {
      const std::vector<int32_t>& arrays =
          by_operand_.empty() ? ArraysOf(planned.operands[i].value) : by_operand_[i];
      step.firsts.push_back(static_cast<int32_t>(step.operands.size()));
      for (int32_t slot : arrays) step.operands.push_back({slot});
    }
    if (planned.loop) return step;
    step.results = NewSlots(planned.call.shape());
    ArraysOf(position) = step.results;
    return step;
  }

  void AddLoop(int32_t position) {
    const JoinedLoop& loop = *At(position).loop;
    IslandStep& step = AddStep(position, IslandStep::Kind::kLoop);
    step.count = loop.count;
    for (int32_t output : loop.outputs) {
      ArraysOf(output) = NewSlots(At(output).instruction->shape());
      step.results.push_back(ArraysOf(output)[0]);
    }
    for (size_t i = 0; i < loop.inputs.size(); ++i) {
      if (!loop.inputs[i].view) step.writable.push_back(static_cast<int32_t>(i));
    }
  }

  void AddOperation(int32_t position) {
    const PlannedInstruction& planned = At(position);
    if (const ElementLoop loop = ElementsOf(planned)) return AddElements(position, loop);
    IslandStep& step = AddStep(position, IslandStep::Kind::kOperation);
    if (!planned.mixed && IsWhole(planned)) step.kind = IslandStep::Kind::kShare;
  }

  void AddElements(int32_t position, const ElementLoop& loop) {
    IslandStep& step = AddStep(position, IslandStep::Kind::kElements);
    step.elements = loop;
    step.count = SlotAt(step.results[0]).count;
    for (size_t i = 0; i < step.operands.size(); ++i) {
      step.writable.push_back(static_cast<int32_t>(i));
    }
  }

  // Whether the result is the operand's array, perhaps with other dimensions.
  static bool IsWhole(const PlannedInstruction& planned) {
    const Shape& shape = planned.instruction->shape();
    if (!planned.def->view || !shape.IsArray()) return false;
    const Shape& operand = planned.call.operand(0);
    if (!operand.IsArray() || operand.element_type() != shape.element_type() ||
        operand.stored_bytes() != shape.stored_bytes()) {
      return false;
    }
    const auto view = planned.def->view(planned.call, RowMajorView(operand.dims()));
    return view && IsDense(*view);
  }

  // The loop of an element-wise instruction (or custom-call), if its operands are arrays as large
  // as its result; without `run` otherwise.
  static ElementLoop ElementsOf(const PlannedInstruction& planned) {
    const Instruction& instruction = *planned.instruction;
    const Shape& shape = instruction.shape();
    if (!instruction.def().loop || planned.mixed || !shape.IsArray()) return {};
    for (const Instruction* operand : instruction.operands()) {
      if (!operand->shape().IsArray() || operand->shape().dims() != shape.dims()) return {};
    }
    std::unique_ptr<const MixedCall> mixed;
    const ElementLoop loop = LoopOf(instruction, planned.call.custom_calls(), &mixed);
    if (!loop || mixed || loop.result != shape.element_type()) return {};
    for (int i = 0; i < loop.operand_count; ++i) {
      if (loop.operands[i] != instruction.operand(i)->shape().element_type()) return {};
    }
    return loop;
  }

  bool AddCall(int32_t position) {
    const PlannedInstruction& planned = At(position);
    const std::vector<const Region*> calls = CalledBy(planned.call);
    const std::optional<IslandStep::Kind> kind = KindOf(planned.def->runs);
    if (!kind || calls.empty() || (!planned.def->keeps_data && planned.mixed)) return false;
    for (const Region* region : calls) {
      if (!islands_.Of(*region, levels_ - 1)) return false;
    }
    if (!PassesArrays(planned, *kind, calls)) return false;
    AddStep(position, *kind).calls = calls;
    return true;
  }

  static std::optional<IslandStep::Kind> KindOf(Runs runs) {
    switch (runs) {
      case Runs::kOne:
        return IslandStep::Kind::kCall;
      case Runs::kChosen:
        return IslandStep::Kind::kConditional;
      case Runs::kWhile:
        return IslandStep::Kind::kWhile;
      case Runs::kOtherwise:
        break;
    }
    return std::nullopt;
  }

  // The computations that it names, in the order of the op's attributes.
  static std::vector<const Region*> CalledBy(const OpCall& call) {
    std::vector<const Region*> calls;
    for (const AttrDef& attr : call.def().attrs) {
      if (attr.kind == AttrKind::kRegion && call.GetRegion(attr.name)) {
        calls.push_back(call.GetRegion(attr.name));
      } else if (attr.kind == AttrKind::kRegions) {
        for (const Region* region : call.Regions(attr.name)) calls.push_back(region);
      }
    }
    // A custom-call that stands for a call names it otherwise.
    if (calls.empty() && CalledComputation(call)) calls.push_back(CalledComputation(call));
    return calls;
  }

  // Whether what goes in and comes out has the very types of parameters and results.
  static bool PassesArrays(const PlannedInstruction& planned, IslandStep::Kind kind,
                           const std::vector<const Region*>& calls) {
    const Instruction& at = *planned.instruction;
    for (size_t i = 0; i < calls.size(); ++i) {
      const Region& region = *calls[i];
      const bool tests = kind == IslandStep::Kind::kWhile && i == 0;
      if (!tests && !Shape::Compatible(region.result_shape(), at.shape())) return false;
      const size_t first = kind == IslandStep::Kind::kConditional ? i + 1 : 0;
      for (int p = 0; p < region.parameter_count(); ++p) {
        const int operand = static_cast<int>(first) + p;
        if (operand >= at.operand_count()) return false;
        if (!Shape::Compatible(region.parameter_shape(p), at.operand(operand)->shape()))
          return false;
      }
    }
    return kind != IslandStep::Kind::kWhile ||
           Shape::Compatible(at.operand(0)->shape(), at.shape());
  }

  std::unique_ptr<const Island> Finish() {
    MarkLastUses();
    for (size_t i = 0; i < island_->steps.size(); ++i) {
      if (island_->steps[i].planned->fold == Fold::kNone) {
        island_->varying.push_back(static_cast<int32_t>(i));
      }
    }
    for (const IslandSlot& slot : island_->slots) {
      if (slot.is_kept) island_->kept_bytes += slot.bytes;
    }
    MarkReused();
    return std::move(island_);
  }

  // Results that are written into a buffer that is given; those of operations bring their own.
  void MarkReused() {
    int64_t in_all = 0;
    for (const IslandStep& step : island_->steps) {
      if (step.kind != IslandStep::Kind::kElements && step.kind != IslandStep::Kind::kLoop &&
          step.kind != IslandStep::Kind::kScalars)
        continue;
      for (int32_t number : step.results) {
        IslandSlot& slot = SlotAt(number);
        if (slot.bytes > kMostReusedBytes || in_all + slot.bytes > kMostReusedInAll) continue;
        slot.is_reused = true;
        in_all += slot.bytes;
      }
    }
  }

  // Walks backwards: the first use met of a slot is its last one.
  void MarkLastUses() {
    std::vector<bool> used(island_->slots.size(), false);
    const auto mark = [&](std::vector<SlotUse>& uses) {
      for (size_t i = uses.size(); i-- > 0;) {
        uses[i].is_last = !used[static_cast<size_t>(uses[i].slot)];
        used[static_cast<size_t>(uses[i].slot)] = true;
      }
    };
    mark(island_->results);
    for (size_t s = island_->steps.size(); s-- > 0;) {
      IslandStep& step = island_->steps[s];
      for (int32_t slot : step.results) {
        if (!used[static_cast<size_t>(slot)]) step.unused.push_back(slot);
      }
      mark(step.operands);
      KeepWritable(&step);
    }
    for (int32_t& slot : island_->parameters) {
      if (slot >= 0 && !used[static_cast<size_t>(slot)]) slot = -1;
    }
  }

  // An operand is written over at its last use, if that reads it once.
  void KeepWritable(IslandStep* step) {
    std::erase_if(step->writable, [&](int32_t i) {
      const SlotUse& use = step->operands[static_cast<size_t>(i)];
      return !use.is_last ||
             std::count_if(step->operands.begin(), step->operands.end(),
                           [&](const SlotUse& other) { return other.slot == use.slot; }) != 1;
    });
  }

  Islands& islands_;
  const ComputationPlan& plan_;
  int levels_;
  // By position: the slots of an instruction's arrays. Of an island of one instruction, which is a
  // small part of its computation, only those of its result.
  std::vector<std::vector<int32_t>> arrays_;
  std::vector<int32_t> result_;
  // Of the tuple that an element was taken from last: the first array of each element, and the end.
  int32_t counted_tuple_ = -1;
  std::vector<int32_t> firsts_;
  std::vector<std::vector<int32_t>> by_operand_;
  std::vector<size_t> by_parameter_;  // the first array of each
  size_t array_count_ = 0;
  int32_t counted_ = 0, counted_kept_ = 0;
  std::unique_ptr<Island> island_;
};

const Island* Islands::Of(const Region& region, int levels) {
  if (entries_.empty()) entries_.resize(plan_.module().computations().size());
  Entry& entry = entries_[static_cast<size_t>(AsComputation(&region)->index())];
  if (entry.is_known) return entry.island.get();
  entry.is_known = true;
  if (levels > 0) entry.island = IslandBuilder(this, plan_.For(region), levels).OfComputation();
  return entry.island.get();
}

const Island* Islands::OfInstruction(const ComputationPlan& plan,
                                     const PlannedInstruction& planned) {
  const auto [at, is_new] = instructions_.try_emplace(&planned);
  if (is_new) at->second = IslandBuilder(this, plan, kMostLevels).OfInstruction(planned);
  return at->second.get();
}

}  // namespace hlo
