// Islands that are called are written where they are called. What follows from constants alone is
// computed once, before everything else.
#include "engine/standalone/program_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/codegen/segment.h"
#include "engine/standalone/emitter.h"
#include "engine/standalone/operation.h"

namespace hlo {
namespace {

/// Steps of the whole program: larger ones are refused.
constexpr size_t kMostSteps = 50'000;

class ProgramBuilder {
 public:
  ProgramBuilder(Islands* islands, const ProductSettings& products, StandaloneModule* module,
                 Refusals* refusals)
      : islands_(*islands),
        refusals_(*refusals),
        emitter_(module, &program_, &program_.main, products) {}

  std::optional<DriverProgram> Run(const Island& island) {
    std::vector<int32_t> arguments;
    for (int32_t slot : island.parameters) {
      if (slot < 0) {
        arguments.push_back(-1);
      } else {
        const IslandSlot& known = island.slots[static_cast<size_t>(slot)];
        if (!IsAddressable(known)) {
          Fail(island.plan->computation->root(), "a parameter is too large for any memory");
          return std::nullopt;
        }
        arguments.push_back(emitter_.NewArray(known.type, known.count));
      }
    }
    program_.parameters = arguments;
    DriverBlock rest;
    emitter_.set_block(&rest);
    const std::optional<std::vector<int32_t>> results = AddIsland(island, arguments);
    if (!results || !refusals_.empty()) return std::nullopt;
    if (emitter_.failed()) {
      Fail(island.plan->computation->root(), "a copy of its arrays is too large for a module");
      return std::nullopt;
    }
    program_.results = *results;
    program_.main.steps = std::move(constants_.steps);
    std::move(rest.steps.begin(), rest.steps.end(), std::back_inserter(program_.main.steps));
    return std::move(program_);
  }

 private:
  /// By slot of an island: the array that is in it, or -1.
  using Slots = std::vector<int32_t>;

  /// Sums of such sizes fit 64 bits.
  static bool IsAddressable(const IslandSlot& slot) {
    constexpr int64_t kMostBytes = int64_t{1} << 40;
    return slot.bytes <= kMostBytes;
  }

  bool Fail(const Instruction* instruction, const std::string& why) {
    refusals_.Add(*instruction, why);
    return false;
  }
  /// The program goes on as if it were written, so that later ones are reported as well.
  bool Refused(const PlannedInstruction& planned) {
    std::string why = emitter_.TakeRefusal();
    if (why.empty()) why = ReasonFor(planned);
    refusals_.Add(*planned.instruction, why);
    return !refusals_.is_full();
  }

  // The slots of what is computed once.
  const Slots* ConstantsOf(const Island& island) {
    const auto [at, is_new] = known_.try_emplace(&island);
    if (!is_new) return &at->second;
    Slots slots(island.slots.size(), -1);
    DriverBlock* const around = emitter_.block();
    DriverBlock block;
    emitter_.set_block(&block);
    bool good = true;
    for (const IslandStep& step : island.steps) {
      if (step.planned->fold != Fold::kNone) good = good && AddStep(island, step, &slots);
    }
    emitter_.set_block(around);
    if (!good) return nullptr;
    std::move(block.steps.begin(), block.steps.end(), std::back_inserter(constants_.steps));
    return &(known_[&island] = std::move(slots));
  }

  std::optional<std::vector<int32_t>> AddIsland(const Island& island,
                                                const std::vector<int32_t>& arguments) {
    const Slots* constants = ConstantsOf(island);
    if (!constants) return std::nullopt;
    Slots slots = *constants;
    for (size_t i = 0; i < island.parameters.size(); ++i) {
      if (island.parameters[i] >= 0) {
        slots[static_cast<size_t>(island.parameters[i])] = arguments[i];
      }
    }
    for (int32_t number : island.varying) {
      if (!AddStep(island, island.steps[static_cast<size_t>(number)], &slots)) return std::nullopt;
    }
    std::vector<int32_t> results;
    for (const SlotUse& use : island.results) {
      results.push_back(slots[static_cast<size_t>(use.slot)]);
    }
    return results;
  }

  std::vector<int32_t> NewArrays(const Island& island, const std::vector<int32_t>& of) {
    std::vector<int32_t> arrays;
    for (int32_t slot : of) {
      const IslandSlot& known = island.slots[static_cast<size_t>(slot)];
      arrays.push_back(emitter_.NewArray(known.type, known.count));
    }
    return arrays;
  }

  bool AddStep(const Island& island, const IslandStep& step, Slots* slots) {
    const Instruction* const instruction = step.planned->instruction;
    if (++step_count_ > kMostSteps) {
      return Fail(instruction, fmt::format("the program has more than {} steps", kMostSteps));
    }
    for (int32_t slot : step.results) {
      if (!IsAddressable(island.slots[static_cast<size_t>(slot)])) {
        return Fail(instruction, "its array is too large for any memory");
      }
    }
    std::vector<int32_t> operands;
    for (const SlotUse& use : step.operands) {
      operands.push_back((*slots)[static_cast<size_t>(use.slot)]);
    }
    std::vector<int32_t> results;
    if (step.kind == IslandStep::Kind::kShare) {
      results = {operands[0]};
    } else if (step.kind == IslandStep::Kind::kCall) {
      const auto called = AddIsland(*islands_.Of(*step.calls[0]), operands);
      if (!called) return false;
      results = *called;
    } else {
      results = NewArrays(island, step.results);
      const bool is_done = IsOperation(step) && AreEmpty(results);
      if (!is_done && !Write(island, step, operands, results) && !Refused(*step.planned))
        return false;
    }
    for (size_t i = 0; i < step.results.size(); ++i) {
      (*slots)[static_cast<size_t>(step.results[i])] = results[i];
    }
    return true;
  }

  static bool IsOperation(const IslandStep& step) {
    return step.kind == IslandStep::Kind::kOperation || step.kind == IslandStep::Kind::kElements ||
           step.kind == IslandStep::Kind::kLoop;
  }
  bool AreEmpty(const std::vector<int32_t>& arrays) const {
    return std::all_of(arrays.begin(), arrays.end(),
                       [&](int32_t array) { return emitter_.BytesOfArray(array) == 0; });
  }

  bool Write(const Island& island, const IslandStep& step, const std::vector<int32_t>& operands,
             const std::vector<int32_t>& results) {
    switch (step.kind) {
      case IslandStep::Kind::kLoop:
        return WriteLoop(island, step, operands, results);
      case IslandStep::Kind::kScalars:
        return WriteScalars(step, operands, results);
      case IslandStep::Kind::kWhile:
        return WriteWhile(step, operands, results);
      case IslandStep::Kind::kConditional:
        return WriteConditional(step, operands, results);
      default:
        emitter_.TakeRefusal();
        return WriteOperation(*step.planned, operands, results, &emitter_);
    }
  }

  // ---- Loops over elements ------------------------------------------------------------------

  bool WriteScalars(const IslandStep& step, const std::vector<int32_t>& operands,
                    const std::vector<int32_t>& results) {
    std::vector<RegionInput> inputs;
    inputs.reserve(operands.size());
    for (int32_t operand : operands) inputs.push_back({operand, 0, true});
    return emitter_.Apply(*step.planned->scalar_loop, 1, inputs, results);
  }

  bool WriteLoop(const Island& island, const IslandStep& step, const std::vector<int32_t>& operands,
                 const std::vector<int32_t>& results) {
    if (results.empty()) return true;
    const JoinedLoop& loop = *step.planned->loop;
    if (!HasCode(loop.steps)) return WriteMembers(island, step, operands, results);
    std::vector<RegionInput> inputs;
    for (size_t i = 0; i < loop.inputs.size(); ++i) {
      const LoopInput& input = loop.inputs[i];
      if (!input.view) {
        inputs.push_back({operands[i], 0, true});
      } else if (input.view->is_uniform()) {
        inputs.push_back({operands[i], input.view->runs().offset * BytesOf(input.type), false});
      } else {
        const StridedView view = IsOfRow(loop.steps, static_cast<int32_t>(i))
                                     ? FirstRow(input.view->runs(), loop.steps.row_length)
                                     : input.view->runs();
        inputs.push_back({emitter_.Viewed(operands[i], view, input.type), 0, false});
      }
    }
    return emitter_.Apply(loop.steps, loop.count, inputs, results);
  }

  /// Whether a parameter is the same in every row, so that its array is a row.
  static bool IsOfRow(const RegionSteps& steps, int32_t parameter) {
    const std::vector<int32_t>& of_rows = steps.row_parameters;
    return steps.row_length > 0 &&
           std::find(of_rows.begin(), of_rows.end(), parameter) != of_rows.end();
  }
  /// The first elements of a view, of a row; or all of it, if no dimensions are a row.
  static StridedView FirstRow(const StridedView& view, int64_t length) {
    size_t first = view.dims.size();
    int64_t elements = 1;
    while (first > 0 && elements < length) elements *= view.dims[--first];
    if (elements != length) return view;
    const auto from = static_cast<ptrdiff_t>(first);
    return {Dims(view.dims.begin() + from, view.dims.end()),
            Dims(view.strides.begin() + from, view.strides.end()), view.offset};
  }

  bool HasCode(const RegionSteps& steps) {
    return WholeSegment(steps, &emitter_.module()).has_value();
  }

  // The instructions of a loop one after the other.
  bool WriteMembers(const Island& island, const IslandStep& step,
                    const std::vector<int32_t>& operands, const std::vector<int32_t>& results) {
    const JoinedLoop& loop = *step.planned->loop;
    std::unordered_map<int32_t, int32_t> arrays;  // by position of an instruction
    for (size_t i = 0; i < loop.inputs.size(); ++i) arrays[loop.inputs[i].value] = operands[i];
    for (int32_t position : loop.members) {
      const PlannedInstruction& member = island.plan->instructions[static_cast<size_t>(position)];
      const auto& wanted = member.instruction->operands();
      const bool has_all = std::all_of(wanted.begin(), wanted.end(), [&](const auto* operand) {
        return arrays.contains(operand->index());
      });
      if (!has_all) return false;
      const Shape& shape = member.instruction->shape();
      int32_t result = emitter_.NewArray(shape.element_type(), shape.element_count());
      for (size_t i = 0; i < loop.outputs.size(); ++i) {
        if (loop.outputs[i] == position) result = results[i];
      }
      std::vector<int32_t> arguments;
      for (const Instruction* operand : member.instruction->operands()) {
        arguments.push_back(arrays.at(operand->index()));
      }
      emitter_.TakeRefusal();
      const bool is_written = WriteOperation(member, arguments, {result}, &emitter_);
      if (!is_written && !Refused(member)) return false;
      arrays[position] = result;
    }
    return true;
  }

  // ---- Control flow -------------------------------------------------------------------------

  // The steps of a computation as a block.
  std::optional<std::vector<int32_t>> AddBlock(const Region& region,
                                               const std::vector<int32_t>& arguments,
                                               DriverBlock* block) {
    DriverBlock* const around = emitter_.block();
    emitter_.set_block(block);
    auto results = AddIsland(*islands_.Of(region), arguments);
    emitter_.set_block(around);
    return results;
  }

  bool WriteWhile(const IslandStep& step, const std::vector<int32_t>& operands,
                  const std::vector<int32_t>& state) {
    for (size_t i = 0; i < state.size(); ++i) emitter_.Copy(operands[i], state[i]);
    DriverStep loop;
    loop.kind = DriverStep::Kind::kWhile;
    loop.blocks.resize(2);
    const auto condition = AddBlock(*step.calls[0], state, &loop.blocks[0]);
    if (!condition) return false;
    loop.reads = {(*condition)[0]};
    const auto next = AddBlock(*step.calls[1], state, &loop.blocks[1]);
    if (!next) return false;
    Advance(state, *next, &loop.blocks[1]);
    emitter_.Add(std::move(loop));
    return true;
  }

  // The state becomes what the body has computed, all at once.
  void Advance(const std::vector<int32_t>& state, std::vector<int32_t> next, DriverBlock* body) {
    DriverBlock* const around = emitter_.block();
    emitter_.set_block(body);
    const std::set<int32_t> states(state.begin(), state.end());
    for (size_t i = 0; i < state.size(); ++i) {
      const bool is_state = states.contains(next[i]);
      if (!is_state || next[i] == state[i]) continue;
      program_.arrays.push_back({emitter_.BytesOfArray(next[i]), std::nullopt});
      const auto copy = static_cast<int32_t>(program_.arrays.size()) - 1;
      emitter_.Copy(next[i], copy);
      next[i] = copy;
    }
    for (size_t i = 0; i < state.size(); ++i) {
      if (next[i] != state[i]) emitter_.Copy(next[i], state[i]);
    }
    emitter_.set_block(around);
  }

  bool WriteConditional(const IslandStep& step, const std::vector<int32_t>& operands,
                        const std::vector<int32_t>& results) {
    DriverStep branches;
    branches.kind = DriverStep::Kind::kConditional;
    branches.reads = {operands[0]};
    branches.is_pred =
        step.planned->instruction->operand(0)->shape().element_type() == ElementType::kPred;
    branches.blocks.resize(step.calls.size());
    for (size_t i = 0; i < step.calls.size(); ++i) {
      const auto first = operands.begin() + step.firsts[i + 1];
      const size_t count = islands_.Of(*step.calls[i])->parameters.size();
      const auto values = AddBlock(*step.calls[i], {first, first + static_cast<ptrdiff_t>(count)},
                                   &branches.blocks[i]);
      if (!values) return false;
      DriverBlock* const around = emitter_.block();
      emitter_.set_block(&branches.blocks[i]);
      for (size_t k = 0; k < results.size(); ++k) emitter_.Copy((*values)[k], results[k]);
      emitter_.set_block(around);
    }
    emitter_.Add(std::move(branches));
    return true;
  }

  Islands& islands_;
  Refusals& refusals_;
  DriverProgram program_;
  DriverBlock constants_;
  Emitter emitter_;
  std::map<const Island*, Slots> known_;
  size_t step_count_ = 0;
};

}  // namespace

std::optional<DriverProgram> BuildProgram(const Island& island, Islands* islands,
                                          const ProductSettings& products, StandaloneModule* module,
                                          Refusals* refusals) {
  return ProgramBuilder(islands, products, module, refusals).Run(island);
}

}  // namespace hlo
