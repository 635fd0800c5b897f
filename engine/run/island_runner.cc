#include "engine/run/island_runner.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "engine/base/byte_count.h"
#include "engine/base/pacer.h"
#include "engine/plan/island_memory.h"
#include "engine/run/fold_cache.h"
#include "engine/run/island_frame.h"

namespace hlo {
namespace {

std::string PeakMessage(const IslandPeak& peak, const Budget& budget) {
  constexpr size_t kMostNamed = 8;
  std::string live;
  double rest = 0;
  for (size_t i = 0; i < peak.live.size(); ++i) {
    const auto& [instruction, bytes] = peak.live[i];
    if (i >= kMostNamed) {
      rest += bytes;
    } else {
      live +=
          fmt::format("{}{} ({})", i > 0 ? ", " : "", instruction->name(), ByteCountText(bytes));
    }
  }
  if (rest > 0) {
    live += fmt::format(" and {} more ({})", peak.live.size() - kMostNamed, ByteCountText(rest));
  }
  std::string own;
  if (peak.parameter_bytes > 0) {
    own = ", " + ByteCountText(peak.bytes - peak.parameter_bytes) + " of it besides the parameters";
  }
  return fmt::format("needs {} at one time{}, {}: the program was not started; live here: {}",
                     ByteCountText(peak.bytes), own, budget.Shortage(), live);
}

}  // namespace

void AppendBuffers(const Value& value, std::vector<std::shared_ptr<Buffer>>* buffers) {
  if (value.is_array()) buffers->push_back(value.tensor().buffer());
  if (!value.is_tuple()) return;
  for (const Value& element : value.elements()) AppendBuffers(element, buffers);
}

Value ValueOfBuffers(const Shape& shape, std::vector<std::shared_ptr<Buffer>>* buffers,
                     size_t* next) {
  if (shape.IsTuple()) {
    Value::Elements elements;
    for (const Shape& element : shape.elements()) {
      elements.push_back(ValueOfBuffers(element, buffers, next));
    }
    return Value::Tuple(std::move(elements));
  }
  if (!shape.IsArray() && !shape.IsBuffer()) return Value();
  const int64_t count = shape.stored_bytes() / BytesOf(shape.element_type());
  return Value(Tensor(shape.element_type(), shape.dims(), count, std::move((*buffers)[(*next)++])));
}

IslandRunner::IslandRunner(Plan* plan, LoopRunner* loops, const Fills* fills, Budget* budget,
                           RunProfile* profile)
    : islands_(plan), loops_(*loops), fills_(*fills), budget_(*budget), profile_(profile) {}
IslandRunner::~IslandRunner() = default;

IslandRunner::Frame& IslandRunner::FrameOf(const Island& island) {
  if (last_frame_ && &last_frame_->island == &island) return *last_frame_;
  std::unique_ptr<Frame>& frame = frames_[&island];
  if (!frame) frame = std::make_unique<Frame>(island);
  return *(last_frame_ = frame.get());
}

void IslandRunner::Run(const Island& island, Buffers* arguments, Buffers* results,
                       EvalContext& context, IslandStack* stack, const Instruction* called) {
  Frame& frame = FrameOf(island);
  TakeBack(frame, results);
  for (size_t i = 0; i < arguments->size(); ++i) {
    if (island.parameters[i] < 0) (*arguments)[i].reset();
  }
  if (called == nullptr) CheckMemory(frame, stack);
  ++running_;
  for (size_t i = 0; i < arguments->size(); ++i) {
    const int32_t slot = island.parameters[i];
    if (slot >= 0) frame.At(slot) = {std::move((*arguments)[i]), false};
  }
  Context around{context, *stack};
  profile_ ? RunMeasured(frame, around, called) : RunSteps(frame, around);
  for (const SlotUse& use : island.results) {
    if (frame.IsLast(use)) {
      results->push_back(std::move(frame.At(use.slot).buffer));
    } else {
      results->push_back(frame.At(use.slot).buffer);
    }
  }
  --running_;
}

// Fails before anything runs when the memory cannot be enough.
void IslandRunner::CheckMemory(Frame& frame, IslandStack* stack) {
  if (frame.needed < 0) {
    const IslandPeak peak = FindPeak(frame.island, islands_);
    frame.needed = peak.bytes - peak.parameter_bytes;
  }
  if (frame.needed <= static_cast<double>(budget_.memory_left())) return;
  const IslandPeak peak = FindPeak(frame.island, islands_);
  stack->insert(stack->end(), peak.stack.begin(), peak.stack.end());
  throw RunError(DiagCode::kMemoryExceeded, PeakMessage(peak, budget_));
}

void IslandRunner::TakeBack(Frame& frame, Buffers* results) {
  for (size_t i = 0; i < results->size(); ++i) {
    const int32_t slot = frame.island.results[i].slot;
    if (frame.At(slot).buffer) continue;
    frame.At(slot) = {std::move((*results)[i]), false};
    Release(frame, slot);
  }
  results->clear();
}

void IslandRunner::Recover() {
  if (running_ == 0) return;
  running_ = 0;
  for (auto& [island, frame] : frames_) {
    const bool is_ready = frame->constants == Frame::Constants::kReady;
    for (size_t i = 0; i < frame->slots.size(); ++i) {
      Frame::Slot& slot = frame->slots[i];
      if (!slot.is_parked && !(is_ready && island->slots[i].is_kept)) slot.buffer.reset();
    }
    for (StepState& state : frame->states) state.arguments.clear();
  }
}

// As FoldCache has it: the first execution keeps nothing, the second fills in what later ones take.
void IslandRunner::Enter(Frame& frame) {
  using Constants = Frame::Constants;
  if (frame.constants == Constants::kReady) return;
  frame.keeps = false;
  if (frame.constants != Constants::kSeen) return;
  if (kept_bytes_ + frame.island.kept_bytes > FoldCache::kMostBytes) {
    frame.constants = Constants::kDropped;
  } else {
    frame.keeps = true;
  }
}

void IslandRunner::Leave(Frame& frame) {
  using Constants = Frame::Constants;
  if (frame.constants == Constants::kNew) {
    frame.constants = Constants::kSeen;
  } else if (frame.constants == Constants::kSeen) {
    frame.constants = Constants::kReady;
    kept_bytes_ += frame.island.kept_bytes;
  }
}

void IslandRunner::RunSteps(Frame& frame, Context& context) {
  Enter(frame);
  const Island& island = frame.island;
  context.stack.push_back(island.plan->instructions.front().instruction);
  if (frame.constants == Frame::Constants::kReady) {
    for (int32_t step : island.varying) RunStep(frame, static_cast<size_t>(step), context);
  } else {
    for (size_t i = 0; i < island.steps.size(); ++i) RunStep(frame, i, context);
  }
  Count(frame, island.rest, context);
  context.stack.pop_back();
  Leave(frame);
}

void IslandRunner::RunStep(Frame& frame, size_t number, Context& context) {
  const IslandStep& step = frame.island.steps[number];
  Count(frame, step, context);
  context.stack.back() = step.planned->instruction;
  Work(kStepWork);
  StepState& state = frame.states[number];
  profile_ ? ExecuteMeasured(frame, step, state, context) : Execute(frame, step, state, context);
  for (int32_t slot : step.unused) {
    if (!frame.IsKept(slot)) Release(frame, slot);
  }
}

void IslandRunner::Execute(Frame& frame, const IslandStep& step, StepState& state,
                           Context& context) {
  switch (step.kind) {
    case IslandStep::Kind::kOperation:
      return step.has_epilogue ? EvaluateWithEpilogue(frame, step, state, context)
                               : Evaluate(frame, step, state, context);
    case IslandStep::Kind::kElements:
      return RunElements(frame, step);
    case IslandStep::Kind::kShare:
      return Share(frame, step);
    case IslandStep::Kind::kLoop:
      return RunLoop(frame, step, state);
    case IslandStep::Kind::kScalars:
      return RunScalars(frame, step, state);
    case IslandStep::Kind::kWhile:
      return RunWhile(frame, step, state, context);
    case IslandStep::Kind::kConditional:
      return RunConditional(frame, step, state, context);
    case IslandStep::Kind::kCall:
      RunCall(frame, step, state, 0, 0, context);
      return ReleaseOperands(frame, step);
  }
}

// One by one where the limit is reached among them, which is then the one that is named.
void IslandRunner::Count(const Frame& frame, const IslandStep& step, Context& context) {
  const bool is_kept = frame.constants == Frame::Constants::kReady;
  if (budget_.CountSteps(is_kept ? step.instructions_kept : step.instructions)) return;
  for (int32_t i = is_kept ? step.begin_kept : step.begin; i < step.end; ++i) {
    const PlannedInstruction& planned = frame.island.plan->instructions[static_cast<size_t>(i)];
    if (!IsCounted(planned, is_kept)) continue;
    context.stack.back() = planned.instruction;
    budget_.Step();
  }
}

void IslandRunner::Work(int64_t work) {
  work_ += work;
  total_work_ += work;
  if (work_ < Pacer::kPollWork) return;
  work_ = 0;
  budget_.Poll();
}

// ---- Slots --------------------------------------------------------------------------------------

void IslandRunner::Release(Frame& frame, int32_t number) {
  Frame::Slot& slot = frame.At(number);
  if (slot.is_parked || !slot.buffer) return;
  const IslandSlot& known = frame.island.slots[static_cast<size_t>(number)];
  if (known.is_reused && slot.buffer.use_count() == 1 &&
      static_cast<int64_t>(slot.buffer->size()) == known.bytes) {
    slot.buffer->Park();
    slot.is_parked = true;
  } else {
    slot.buffer.reset();
  }
}

void IslandRunner::ReleaseOperands(Frame& frame, const IslandStep& step) {
  for (const SlotUse& use : step.operands) {
    if (frame.IsLast(use)) Release(frame, use.slot);
  }
}

// Gives a slot the array of another one. Where that ends there, the two exchange their buffers: one
// that waits goes on waiting.
void IslandRunner::Pass(Frame& from, const SlotUse& use, Frame& to, int32_t slot) {
  if (slot < 0) {
    if (from.IsLast(use)) Release(from, use.slot);
  } else if (from.IsLast(use)) {
    std::swap(from.At(use.slot), to.At(slot));
  } else {
    to.At(slot) = {from.At(use.slot).buffer, false};
  }
}

// Finds a buffer for a result: that of an operand, its own of the last execution, or a new one.
void IslandRunner::Place(Frame& frame, const IslandStep& step, size_t result) {
  const int32_t number = step.results[result];
  Frame::Slot& slot = frame.At(number);
  const IslandSlot& wanted = frame.island.slots[static_cast<size_t>(number)];
  for (int32_t operand : step.writable) {
    const int32_t source = step.operands[static_cast<size_t>(operand)].slot;
    Frame::Slot& candidate = frame.At(source);
    if (candidate.is_parked || !candidate.buffer || candidate.buffer.use_count() != 1) continue;
    const IslandSlot& known = frame.island.slots[static_cast<size_t>(source)];
    // Elements as wide, and as many: each is read before it is written.
    if (known.bytes != wanted.bytes || known.count != wanted.count) continue;
    if (frame.IsKept(source)) continue;
    std::swap(slot, candidate);
    return;
  }
  if (slot.is_parked) {
    slot.buffer->Resume(&budget_);
    slot.is_parked = false;
  } else {
    slot.buffer = Buffer::Allocate(static_cast<size_t>(wanted.bytes), &budget_);
  }
}

}  // namespace hlo
