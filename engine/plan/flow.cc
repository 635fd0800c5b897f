#include "engine/plan/flow.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "engine/plan/flow_moves.h"
#include "engine/plan/region_builder.h"
#include "engine/plan/region_compiler.h"

namespace hlo {
namespace {

/// Operations of all passes: a function of some 100 kB.
constexpr size_t kMostOperations = 4096;

class FlowBuilder {
 public:
  explicit FlowBuilder(Islands* islands) : islands_(*islands), flow_(std::make_unique<Flow>()) {}

  const FlowObstacle& obstacle() const { return obstacle_; }
  std::unique_ptr<Flow> Run(const Island& island, const IslandStep& loop) {
    if (!AddLoop(island, loop, &flow_->loop)) return nullptr;
    flow_->loop.inputs.clear();
    return std::move(flow_);
  }

 private:
  /// By slot of an island: the value that is in it, or -1.
  using Slots = std::vector<int32_t>;

  int32_t NewValue(const IslandSlot& slot) {
    flow_->values.push_back({slot.type, slot.count});
    return static_cast<int32_t>(flow_->values.size()) - 1;
  }

  // The first obstacle that is met is the one that counts.
  bool Fail(FlowObstacle::Why why, const IslandStep* step = nullptr) {
    if (obstacle_.why != FlowObstacle::Why::kNone) return false;
    obstacle_ = {why, step ? step->planned->instruction : nullptr};
    return false;
  }

  // Whether it goes through elements.
  static bool IsCounted(const FlowStep& step) {
    return step.kind != FlowStep::Kind::kWhile && step.kind != FlowStep::Kind::kConditional;
  }
  static bool Fits(int64_t count) { return count > 0 && count <= Flow::kMostElements; }

  // The island's steps, its parameters being these values.
  bool AddIsland(const Island& island, const std::vector<int32_t>& arguments, FlowBlock* block) {
    if (++island_count_ > kMostOperations) return Fail(FlowObstacle::Why::kLarge);
    Slots slots(island.slots.size(), -1);
    for (size_t i = 0; i < island.parameters.size(); ++i) {
      if (island.parameters[i] >= 0)
        slots[static_cast<size_t>(island.parameters[i])] = arguments[i];
    }
    for (int32_t slot : ConstantsRead(island)) {
      if (island.slots[static_cast<size_t>(slot)].count == 0) {
        return Fail(FlowObstacle::Why::kSize);
      }
      slots[static_cast<size_t>(slot)] = ConstantOf(island, slot);
    }
    block->islands.push_back(NumberOf(island));
    for (int32_t number : island.varying) {
      if (!AddStep(island, island.steps[static_cast<size_t>(number)], &slots, block)) return false;
    }
    for (const SlotUse& use : island.results) {
      const int32_t value = slots[static_cast<size_t>(use.slot)];
      if (value < 0) return false;
      block->results.push_back(value);
    }
    return true;
  }

  // The slots of constants that anything but constants needs.
  static std::vector<int32_t> ConstantsRead(const Island& island) {
    std::vector<int32_t> read;
    std::vector<bool> is_known(island.slots.size(), false);
    const auto note = [&](const SlotUse& use) {
      const auto slot = static_cast<size_t>(use.slot);
      if (!island.slots[slot].is_kept || is_known[slot]) return;
      is_known[slot] = true;
      read.push_back(use.slot);
    };
    for (int32_t number : island.varying) {
      const IslandStep& step = island.steps[static_cast<size_t>(number)];
      std::for_each(step.operands.begin(), step.operands.end(), note);
    }
    std::for_each(island.results.begin(), island.results.end(), note);
    return read;
  }

  int32_t ConstantOf(const Island& island, int32_t slot) {
    for (const FlowConstant& constant : flow_->constants) {
      if (constant.island == &island && constant.slot == slot) return constant.value;
    }
    const int32_t value = NewValue(island.slots[static_cast<size_t>(slot)]);
    flow_->constants.push_back({value, &island, slot});
    return value;
  }

  int32_t NumberOf(const Island& island) {
    const auto [at, is_new] =
        numbers_.try_emplace(&island, static_cast<int32_t>(flow_->islands.size()));
    if (is_new) {
      FlowIsland counted{&island, island.rest.instructions, island.rest.instructions_kept};
      for (const IslandStep& step : island.steps) counted.instructions += step.instructions;
      for (int32_t step : island.varying) {
        counted.instructions_kept += island.steps[static_cast<size_t>(step)].instructions_kept;
      }
      flow_->islands.push_back(counted);
    }
    return at->second;
  }

  static std::vector<int32_t> ValuesOf(const Slots& slots, const IslandStep& step) {
    std::vector<int32_t> values;
    for (const SlotUse& use : step.operands) values.push_back(slots[static_cast<size_t>(use.slot)]);
    return values;
  }

  bool AddStep(const Island& island, const IslandStep& step, Slots* slots, FlowBlock* block) {
    std::vector<int32_t> inputs = ValuesOf(*slots, step);
    for (int32_t value : inputs) {
      if (value < 0) return Fail(FlowObstacle::Why::kStep, &step);
    }
    for (int32_t slot : step.results) {
      if (island.slots[static_cast<size_t>(slot)].count == 0) {
        return Fail(FlowObstacle::Why::kSize, &step);
      }
    }
    if (step.kind == IslandStep::Kind::kShare) {
      (*slots)[static_cast<size_t>(step.results[0])] = inputs[0];
      return true;
    }
    if (step.kind == IslandStep::Kind::kCall) return AddCall(step, inputs, slots, block);
    if (step.kind == IslandStep::Kind::kLoop && step.results.empty()) return true;
    FlowStep added;
    added.inputs = std::move(inputs);
    switch (step.kind) {
      case IslandStep::Kind::kElements:
        if (!SetElements(step, &added)) return false;
        break;
      case IslandStep::Kind::kLoop:
        if (!SetLoop(step, &added, block)) return false;
        break;
      case IslandStep::Kind::kScalars:
        added.program = step.planned->scalar_loop.get();
        added.count = 1;
        break;
      case IslandStep::Kind::kWhile:
        if (!AddLoop(island, step, &added)) return false;
        break;
      case IslandStep::Kind::kConditional:
        if (!AddConditional(step, &added)) return false;
        break;
      default:
        if (step.planned->mixed || !SetOperation(*step.planned, &added, block)) {
          return Fail(FlowObstacle::Why::kStep, &step);
        }
    }
    if (IsCounted(added) && !Fits(added.count)) return Fail(FlowObstacle::Why::kSize, &step);
    if (added.program && (operation_count_ += added.program->steps.size()) > kMostOperations) {
      return Fail(FlowObstacle::Why::kLarge);
    }
    if (step.kind != IslandStep::Kind::kWhile) AddOutputs(island, step, &added);
    for (size_t i = 0; i < step.results.size(); ++i) {
      (*slots)[static_cast<size_t>(step.results[i])] = added.outputs[i];
    }
    block->steps.push_back(std::move(added));
    return true;
  }

  void AddOutputs(const Island& island, const IslandStep& step, FlowStep* added) {
    for (int32_t slot : step.results) {
      added->outputs.push_back(NewValue(island.slots[static_cast<size_t>(slot)]));
    }
  }

  bool AddCall(const IslandStep& step, const std::vector<int32_t>& inputs, Slots* slots,
               FlowBlock* block) {
    FlowBlock callee;
    if (!AddIsland(*islands_.Of(*step.calls[0]), inputs, &callee)) return false;
    for (size_t i = 0; i < step.results.size(); ++i) {
      (*slots)[static_cast<size_t>(step.results[i])] = callee.results[i];
    }
    block->islands.insert(block->islands.end(), callee.islands.begin(), callee.islands.end());
    std::move(callee.steps.begin(), callee.steps.end(), std::back_inserter(block->steps));
    return true;
  }

  bool SetElements(const IslandStep& step, FlowStep* added) {
    RegionBuilder builder;
    RegionScalar args[ElementLoop::kMaxOperands];
    for (int i = 0; i < step.elements.operand_count; ++i) {
      args[i] = builder.Parameter(step.elements.operands[i]);
    }
    const ElementLoop& loop = step.elements;
    const std::optional<Opcode> opcode = OpcodeOf(loop, step.planned->instruction->opcode());
    flow_->programs.push_back(builder.Finish({builder.Emit(loop, args, opcode)}));
    added->program = &flow_->programs.back();
    added->count = step.count;
    return true;
  }

  bool SetLoop(const IslandStep& step, FlowStep* added, FlowBlock* block) {
    const JoinedLoop& loop = *step.planned->loop;
    if (loop.steps.row_length > 0 || (loop.count > 1 && !loop.steps.loops.empty())) {
      return Fail(FlowObstacle::Why::kShape, &step);
    }
    if (!Fits(loop.count)) return Fail(FlowObstacle::Why::kSize, &step);
    for (size_t i = 0; i < loop.inputs.size(); ++i) {
      const std::optional<ViewReader>& view = loop.inputs[i].view;
      if (view) added->inputs[i] = ValueOfView(*view, loop.count, added->inputs[i], block);
    }
    added->program = &loop.steps;
    added->count = loop.count;
    return true;
  }

  // What is no loop over elements in the same order.
  bool SetOperation(const PlannedInstruction& planned, FlowStep* added, FlowBlock* block) {
    std::vector<int32_t> inputs = added->inputs;
    if (SetMove(*planned.def, planned.call, added)) return true;
    *added = FlowStep();
    added->inputs = std::move(inputs);
    if (SetSums(planned.call, added)) return flow_->has_sums = true;
    const std::optional<OneScatter> scatter = OneScatterOf(planned.call, added->inputs);
    return scatter && AddScatter(planned.call, *scatter, added, block);
  }

  // Reads what is there, computes, and writes it back: `added`.
  bool AddScatter(const OpCall& call, const OneScatter& scatter, FlowStep* added,
                  FlowBlock* block) {
    const ElementType type = call.operand(0).element_type();
    const Region& region = *call.GetRegion("to_apply");
    if (call.operand(2).element_type() != type || call.shape().IsTuple()) return false;
    std::optional<RegionSteps> program = CompileSteps(*AsComputation(&region), call.custom_calls());
    if (!program || program->parameters != std::vector<ElementType>{type, type}) return false;
    if (program->results.size() != 1 || program->results[0].type != type) return false;
    if (scatter.write.count > Flow::kMostElements) return false;
    *added = scatter.write;
    const int32_t update = AddTo(block, scatter.update, type);
    if (program->result_parameters[0] == 1) {
      added->inputs[2] = update;
      return true;
    }
    FlowStep pass;
    pass.inputs = {AddTo(block, scatter.read, type), update};
    pass.count = scatter.write.count;
    if (program->result_parameters[0] >= 0 || (pass.count > 1 && !program->loops.empty())) {
      return false;
    }
    operation_count_ += program->steps.size();
    flow_->programs.push_back(*std::move(program));
    pass.program = &flow_->programs.back();
    added->inputs[2] = AddTo(block, std::move(pass), type);
    return true;
  }

  // Adds a step with one output, of so many elements; the value that that is.
  int32_t AddTo(FlowBlock* block, FlowStep step, ElementType type) {
    flow_->values.push_back({type, step.count});
    step.outputs = {static_cast<int32_t>(flow_->values.size()) - 1};
    block->steps.push_back(std::move(step));
    return block->steps.back().outputs[0];
  }

  // What a view reads of a value, as a value of its own.
  int32_t ValueOfView(const ViewReader& view, int64_t count, int32_t value, FlowBlock* block) {
    const FlowValue whole = flow_->values[static_cast<size_t>(value)];
    if (view.is_uniform() && whole.is_scalar()) return value;
    if (view.is_uniform()) count = 1;
    return AddTo(block, MoveOfView(value, view.runs(), count), whole.type);
  }

  // The state has values of its own, which are there after the loop too, unless the body leaves it
  // as it is.
  bool AddLoop(const Island& island, const IslandStep& step, FlowStep* added) {
    added->kind = FlowStep::Kind::kWhile;
    for (int32_t slot : step.results) {
      if (island.slots[static_cast<size_t>(slot)].count == 0) {
        return Fail(FlowObstacle::Why::kSize, &step);
      }
    }
    AddOutputs(island, step, added);
    const Island& body = *islands_.Of(*step.calls[1]);
    for (size_t i = 0; i < added->inputs.size(); ++i) {
      if (body.parameters[i] == body.results[i].slot) added->outputs[i] = added->inputs[i];
    }
    added->blocks.resize(2);
    for (size_t i = 0; i < 2; ++i) {
      FlowBlock& block = added->blocks[i];
      block.parameters = added->outputs;
      if (!AddIsland(*islands_.Of(*step.calls[i]), block.parameters, &block)) return false;
    }
    return true;
  }

  bool AddConditional(const IslandStep& step, FlowStep* added) {
    added->kind = FlowStep::Kind::kConditional;
    const std::vector<int32_t> operands = std::move(added->inputs);
    added->inputs = {operands[0]};
    added->blocks.resize(step.calls.size());
    for (size_t i = 0; i < step.calls.size(); ++i) {
      const Island& callee = *islands_.Of(*step.calls[i]);
      const auto first = operands.begin() + step.firsts[i + 1];
      const std::vector<int32_t> arguments(
          first, first + static_cast<std::ptrdiff_t>(callee.parameters.size()));
      if (!AddIsland(callee, arguments, &added->blocks[i])) return false;
    }
    return true;
  }

  Islands& islands_;
  std::unique_ptr<Flow> flow_;
  std::unordered_map<const Island*, int32_t> numbers_;
  size_t operation_count_ = 0;
  size_t island_count_ = 0;
  FlowObstacle obstacle_;
};

/// Finds after which step an array is not needed any more.
class LastUses {
 public:
  explicit LastUses(const Flow& flow) : flow_(flow) {}

  void Mark(FlowBlock* block, bool is_body) {
    constexpr size_t kAtEnd = std::numeric_limits<size_t>::max();
    std::unordered_map<int32_t, size_t> last;  // of the arrays of the block
    std::vector<int32_t> own;
    const auto define = [&](int32_t value, size_t step) {
      if (flow_.values[static_cast<size_t>(value)].is_scalar()) return;
      last.emplace(value, step);
      own.push_back(value);
    };
    const auto read = [&](int32_t value, size_t step) {
      if (const auto at = last.find(value); at != last.end()) at->second = step;
    };
    constexpr size_t kNever = kAtEnd - 1;
    if (is_body) {
      for (int32_t value : block->parameters) define(value, kNever);
    }
    for (size_t i = 0; i < block->steps.size(); ++i) {
      FlowStep& step = block->steps[i];
      ForEachRead(step, [&](int32_t value) { read(value, i); });
      for (int32_t value : step.outputs) {
        const bool is_input =
            std::find(step.inputs.begin(), step.inputs.end(), value) != step.inputs.end();
        if (!is_input) define(value, i);
      }
      for (size_t k = 0; k < step.blocks.size(); ++k) {
        Mark(&step.blocks[k], step.kind == FlowStep::Kind::kWhile && k == 1);
      }
    }
    for (int32_t value : block->results) read(value, kAtEnd);
    for (int32_t value : own) {
      const size_t step = last.at(value);
      if (step == kNever) block->unused.push_back(value);
      if (step < kNever) block->steps[step].last.push_back(value);
    }
  }

 private:
  // With what its blocks read, which only matters where they read what is around them.
  template <typename Read>
  static void ForEachRead(const FlowStep& step, Read read) {
    for (int32_t value : step.inputs) read(value);
    for (const FlowBlock& block : step.blocks) {
      for (const FlowStep& inner : block.steps) ForEachRead(inner, read);
      for (int32_t value : block.results) read(value);
    }
  }

  const Flow& flow_;
};

void AddNumbers(const FlowStep& step, std::vector<RegionConstant>* numbers) {
  if (step.program) {
    for (const RegionConstant& constant : step.program->constants) {
      const bool is_known = std::any_of(numbers->begin(), numbers->end(), [&](const auto& known) {
        return known.type == constant.type && known.value == constant.value;
      });
      if (!is_known) numbers->push_back(constant);
    }
  }
  for (const FlowBlock& block : step.blocks) {
    for (const FlowStep& inner : block.steps) AddNumbers(inner, numbers);
  }
}

}  // namespace

std::vector<RegionConstant> NumbersOf(const Flow& flow) {
  std::vector<RegionConstant> numbers;
  AddNumbers(flow.loop, &numbers);
  return numbers;
}

std::unique_ptr<const Flow> FlowOf(const Island& island, const IslandStep& loop, Islands* islands,
                                   FlowObstacle* obstacle) {
  FlowBuilder builder(islands);
  std::unique_ptr<Flow> flow = builder.Run(island, loop);
  if (obstacle) *obstacle = builder.obstacle();
  if (!flow) return nullptr;
  LastUses uses(*flow);
  uses.Mark(&flow->loop.blocks[0], /*is_body=*/false);
  uses.Mark(&flow->loop.blocks[1], /*is_body=*/true);
  return flow;
}

}  // namespace hlo
