#include "engine/run/loop_runner.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "engine/ops/evaluate.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/plan/region_program.h"
#include "engine/plan/region_registers.h"
#include "engine/run/loop_ranges.h"
#include "engine/run/profile.h"
#include "engine/threads/pieces.h"

namespace hlo {
namespace {

/// Programs hold their registers: of more loops than this they are made again.
constexpr size_t kMostPrograms = 128;

// The array to write an output to: that of an input if possible.
Tensor OutputTensor(const JoinedLoop& loop, const Shape& shape, std::span<Value> inputs,
                    std::vector<bool>* taken, Budget* budget) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& input = inputs[i].tensor();
    if ((*taken)[i] || loop.inputs[i].view || !input.unique()) continue;
    if (BytesOf(input.element_type()) != BytesOf(shape.element_type())) continue;
    if (input.element_count() != shape.element_count()) continue;
    (*taken)[i] = true;
    return input.Reinterpreted(shape.element_type(), shape.dims());
  }
  return Tensor(shape, budget);
}

// One instruction after the other, for arrays with run-time sizes.
std::vector<Value> RunApart(const JoinedLoop& loop, const ComputationPlan& plan,
                            std::span<Value> inputs, EvalContext& context) {
  std::vector<Value> values(plan.instructions.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    values[static_cast<size_t>(loop.inputs[i].value)] = inputs[i];
  }
  for (int32_t member : loop.members) {
    const PlannedInstruction& planned = plan.instructions[static_cast<size_t>(member)];
    std::vector<Value> args;
    for (const Instruction* operand : planned.instruction->operands()) {
      args.push_back(values[static_cast<size_t>(operand->index())]);
    }
    values[static_cast<size_t>(member)] =
        EvaluateOp(planned.call, planned.mixed.get(), args, context);
  }
  std::vector<Value> results;
  for (int32_t output : loop.outputs) results.push_back(values[static_cast<size_t>(output)]);
  return results;
}

bool HasDynamicSizes(std::span<const Value> values) {
  return std::any_of(values.begin(), values.end(),
                     [](const Value& value) { return !value.tensor().dynamic_sizes().empty(); });
}

void AppendScalars(const Value& value, std::vector<const std::byte*>* scalars) {
  if (value.is_array()) return scalars->push_back(value.tensor().bytes());
  for (const Value& element : value.elements()) AppendScalars(element, scalars);
}

}  // namespace

LoopSource::LoopSource(const JoinedLoop& loop, size_t number)
    : LoopSource(loop, static_cast<int32_t>(number), loop.inputs[number]) {}

LoopSource::LoopSource(const JoinedLoop& loop, int32_t number, const LoopInput& input)
    : width_(BytesOf(input.type)),
      lanes_(loop.steps.CountOf(number, LanesOf(loop))),
      view_(input.view ? &*input.view : nullptr),
      period_(view_ && view_->period() <= lanes_ ? view_->period() : 0),
      is_given_once_(!view_ || loop.steps.IsRepeated(number)) {}

void LoopSource::Begin(const std::byte* data, Budget* budget) {
  data_ = data;
  if (!view_) return;
  // Wherever in a period a block begins, it is there as a whole.
  const auto bytes = static_cast<size_t>((lanes_ + std::max<int64_t>(period_ - 1, 0)) * width_);
  if (!block_) block_ = Buffer::Allocate(bytes, budget);
  if (is_parked_) block_->Resume(budget);
  is_parked_ = false;
  if (period_ == 0) return;
  std::byte* const to = block_->data();
  view_->Read(0, period_, width_, data_, to);
  for (auto done = static_cast<size_t>(period_ * width_); done < bytes; done += done) {
    std::memcpy(to + done, to, std::min(done, bytes - done));
  }
}

void LoopSource::End() {
  constexpr size_t kMostKept = 1 << 13;
  if (!block_) return;
  if (block_->size() > kMostKept) return block_.reset();
  block_->Park();
  is_parked_ = true;
}

int64_t LanesOf(const JoinedLoop& loop) { return std::min(BlockOf(loop.steps), loop.count); }

bool IsGivenOnce(std::span<const LoopSource> sources) {
  return std::all_of(sources.begin(), sources.end(),
                     [](const LoopSource& source) { return source.is_given_once(); });
}

namespace {

#ifndef HLO_SMALL

/// Work of a piece: enough that handing it out costs nothing beside it.
constexpr int64_t kLoopPieceWork = int64_t{1} << 17;

// Whole blocks.
int64_t PieceOf(const JoinedLoop& loop) {
  const int64_t block = LanesOf(loop);
  const auto steps = static_cast<int64_t>(loop.steps.steps.size());
  return std::max<int64_t>(kLoopPieceWork / (block * (steps + 1)), 1) * block;
}

int64_t WorkFrom(const JoinedLoop& loop, int64_t first) {
  return (loop.count - first) * static_cast<int64_t>(loop.steps.steps.size() + 1);
}

// Runs the blocks from `first` on, in pieces that threads share; false, with nothing done, where
// they do not. `to`: of the first one.
bool ShareBlocks(const JoinedLoop& loop, RegionFunction& program, int64_t first,
                 std::span<const LoopSource> sources, std::span<std::byte* const> to,
                 Budget* budget) {
  const int64_t work = WorkFrom(loop, first);
  if (!IsShared(work)) return false;
  const int64_t piece_lanes = PieceOf(loop);
  if (loop.count - first <= piece_lanes) return false;
  RegionCopies* const copies = program.Copies(PieceThreads(), budget);
  if (!copies) return false;
  std::vector<std::byte*> begin(to.begin(), to.end());
  for (size_t i = 0; i < begin.size(); ++i) {
    const RegionScalar& result = loop.steps.results[i];
    begin[i] -= loop.steps.CountOf(result.id, first) * BytesOf(result.type);
  }
  LoopRanges ranges(loop, program, copies, sources, begin, budget);
  const auto run = [&](PieceRange piece, int thread, Budget* thread_budget) {
    ranges.Run(first + piece.begin, first + piece.end, thread, thread_budget);
    thread_budget->Poll();
  };
  RunRanges(loop.count - first, piece_lanes, work, budget, run);
  return true;
}

#endif  // HLO_SMALL

}  // namespace

void RunBlocks(const JoinedLoop& loop, RegionFunction& program, std::span<LoopSource> sources,
               std::span<const std::byte*> from, std::span<std::byte*> to, Budget* budget) {
  const RegionSteps& steps = loop.steps;
  bool takes_all = IsGivenOnce(sources);
#ifdef HLO_SMALL
  (void)budget;
#else
  // Threads share what is left after a block, once its code is there.
  takes_all = takes_all && !IsShared(WorkFrom(loop, 0));
#endif
  const int64_t block = takes_all ? loop.count : LanesOf(loop);
  for (int64_t done = 0; done < loop.count; done += block) {
#ifndef HLO_SMALL
    if (ShareBlocks(loop, program, done, sources, to, budget)) return;
#endif
    const int64_t count = std::min(block, loop.count - done);
    for (size_t i = 0; i < from.size(); ++i) {
      const auto parameter = static_cast<int32_t>(i);
      from[i] = sources[i].At(steps.CountOf(parameter, done), steps.CountOf(parameter, count));
    }
    program.Apply(count, from, to);
    for (size_t i = 0; i < to.size(); ++i) {
      to[i] += steps.CountOf(steps.results[i].id, count) * BytesOf(steps.results[i].type);
    }
  }
}

RegionFunction& LoopRunner::ProgramOf(const PlannedInstruction& planned, Budget* budget) {
  const auto number = static_cast<size_t>(planned.program);
  if (number >= programs_.size()) programs_.resize(number + 1);
  if (programs_[number]) return *programs_[number];
  if (made_ >= kMostPrograms) {
    for (std::unique_ptr<RegionFunction>& program : programs_) program.reset();
    made_ = 0;
  }
  const RegionSteps& steps = planned.loop ? planned.loop->steps : *planned.scalar_loop;
  programs_[number] = MakeRegionFunction(steps, budget);
  ++made_;
  return *programs_[number];
}

Value LoopRunner::RunScalars(const PlannedInstruction& planned, const Value& state, Budget* budget,
                             ProfileEntry* entry) {
  std::vector<const std::byte*> from, places;
  AppendScalars(state, &from);
  Value result = ZeroValue(planned.call.shape(), budget);
  AppendScalars(result, &places);
  // Of a value that was just made.
  std::vector<std::byte*> to(places.size());
  for (size_t i = 0; i < to.size(); ++i) to[i] = const_cast<std::byte*>(places[i]);
  RegionFunction& program = ProgramOf(planned, budget);
  const ProfileTimer timer(entry, &program);
  program.Apply(1, from, to);
  return result;
}

std::vector<Value> LoopRunner::Run(const PlannedInstruction& planned, const ComputationPlan& plan,
                                   std::span<Value> inputs, EvalContext& context,
                                   ProfileEntry* entry) {
  const JoinedLoop& loop = *planned.loop;
  if (HasDynamicSizes(inputs)) return RunApart(loop, plan, inputs, context);
  if (loop.outputs.empty()) return {};
  Budget* const budget = context.budget();
  RegionFunction& program = ProgramOf(planned, budget);
  const ProfileTimer timer(entry, &program);
  std::vector<LoopSource> sources;
  std::vector<bool> taken(inputs.size(), false);
  for (size_t i = 0; i < inputs.size(); ++i) {
    sources.emplace_back(loop, i);
    sources.back().Begin(inputs[i].tensor().bytes(), budget);
  }
  std::vector<Tensor> outputs;
  std::vector<std::byte*> to;
  for (int32_t output : loop.outputs) {
    const Shape& shape = plan.instructions[static_cast<size_t>(output)].call.shape();
    outputs.push_back(OutputTensor(loop, shape, inputs, &taken, budget));
    to.push_back(outputs.back().mutable_bytes());
  }
  std::vector<const std::byte*> from(inputs.size());
  RunBlocks(loop, program, sources, from, to, budget);
  return {std::make_move_iterator(outputs.begin()), std::make_move_iterator(outputs.end())};
}

}  // namespace hlo
