#include "engine/run/island_runner.h"

#include <algorithm>
#include <utility>

#include "engine/base/pacer.h"
#include "engine/ops/evaluate.h"
#include "engine/run/fold_cache.h"

namespace hlo {
namespace {

/// A step costs about as much as the work on so many elements.
constexpr int64_t kStepWork = 32;
/// Long loops are polled after so many elements.
constexpr int64_t kPiece = int64_t{1} << 14;

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
    for (const Shape& element : shape.elements())
      elements.push_back(ValueOfBuffers(element, buffers, next));
    return Value::Tuple(std::move(elements));
  }
  if (!shape.IsArray() && !shape.IsBuffer()) return Value();
  const int64_t count = shape.stored_bytes() / BytesOf(shape.element_type());
  return Value(Tensor(shape.element_type(), shape.dims(), count, std::move((*buffers)[(*next)++])));
}

// What a step needs while it runs, with the memory of its last execution.
struct IslandRunner::StepState {
  std::vector<Value> arguments;
  std::vector<const std::byte*> from;
  std::vector<std::byte*> to;
  std::vector<LoopSource> sources;
  std::vector<Frame*> callees;
};

struct IslandRunner::Frame {
  enum class Constants : uint8_t {
    kNew,    ///< the computation has not been executed
    kSeen,   ///< it has, once: for most computations the only time
    kReady,  ///< their values are in their slots
    kDropped,
  };

  struct Slot {
    std::shared_ptr<Buffer> buffer;
    bool is_parked = false;  ///< no value: the buffer waits for one
  };

  explicit Frame(const Island& its_island)
      : island(its_island), slots(island.slots.size()), states(island.steps.size()) {}

  Slot& At(int32_t slot) { return slots[static_cast<size_t>(slot)]; }
  const std::byte* Data(int32_t slot) { return At(slot).buffer->data(); }
  bool IsKept(int32_t slot) const {
    return keeps && island.slots[static_cast<size_t>(slot)].is_kept;
  }
  bool IsLast(const SlotUse& use) const { return use.is_last && !IsKept(use.slot); }

  const Island& island;
  std::vector<Slot> slots;
  std::vector<StepState> states;
  Constants constants = Constants::kNew;
  bool keeps = false;  // constants stay in their slots
};

IslandRunner::IslandRunner(Plan* plan, LoopRunner* loops, Budget* budget)
    : islands_(plan), loops_(*loops), budget_(*budget) {}
IslandRunner::~IslandRunner() = default;

IslandRunner::Frame& IslandRunner::FrameOf(const Island& island) {
  if (last_frame_ && &last_frame_->island == &island) return *last_frame_;
  std::unique_ptr<Frame>& frame = frames_[&island];
  if (!frame) frame = std::make_unique<Frame>(island);
  return *(last_frame_ = frame.get());
}

void IslandRunner::Run(const Island& island, Buffers* arguments, Buffers* results,
                       EvalContext& context, IslandStack* stack) {
  ++running_;
  Frame& frame = FrameOf(island);
  TakeBack(frame, results);
  for (size_t i = 0; i < arguments->size(); ++i) {
    std::shared_ptr<Buffer>& argument = (*arguments)[i];
    const int32_t slot = island.parameters[i];
    if (slot >= 0) {
      frame.At(slot) = {std::move(argument), false};
    } else {
      argument.reset();
    }
  }
  Context around{context, *stack};
  RunSteps(frame, around);
  for (const SlotUse& use : island.results) {
    if (frame.IsLast(use)) {
      results->push_back(std::move(frame.At(use.slot).buffer));
    } else {
      results->push_back(frame.At(use.slot).buffer);
    }
  }
  --running_;
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
  Execute(frame, step, frame.states[number], context);
  for (int32_t slot : step.unused) {
    if (!frame.IsKept(slot)) Release(frame, slot);
  }
}

void IslandRunner::Execute(Frame& frame, const IslandStep& step, StepState& state,
                           Context& context) {
  switch (step.kind) {
    case IslandStep::Kind::kOperation:
      return Evaluate(frame, step, state, context);
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
  const int64_t bytes = frame.island.slots[static_cast<size_t>(number)].bytes;
  for (int32_t operand : step.writable) {
    const int32_t source = step.operands[static_cast<size_t>(operand)].slot;
    Frame::Slot& candidate = frame.At(source);
    if (candidate.is_parked || !candidate.buffer || candidate.buffer.use_count() != 1) continue;
    if (frame.island.slots[static_cast<size_t>(source)].bytes != bytes || frame.IsKept(source))
      continue;
    std::swap(slot, candidate);
    return;
  }
  if (slot.is_parked) {
    slot.buffer->Resume(&budget_);
    slot.is_parked = false;
  } else {
    slot.buffer = Buffer::Allocate(static_cast<size_t>(bytes), &budget_);
  }
}

// ---- Steps --------------------------------------------------------------------------------------

Value IslandRunner::TakeValue(Frame& frame, const SlotUse* uses, const Shape& shape, size_t* next) {
  if (shape.IsTuple()) {
    Value::Elements elements;
    for (const Shape& element : shape.elements()) {
      elements.push_back(TakeValue(frame, uses, element, next));
    }
    return Value::Tuple(std::move(elements));
  }
  if (!shape.IsArray() && !shape.IsBuffer()) return Value();
  const SlotUse& use = uses[(*next)++];
  const IslandSlot& known = frame.island.slots[static_cast<size_t>(use.slot)];
  std::shared_ptr<Buffer>& buffer = frame.At(use.slot).buffer;
  if (!frame.IsLast(use)) return Value(Tensor(known.type, known.dims, known.count, buffer));
  return Value(Tensor(known.type, known.dims, known.count, std::move(buffer)));
}

void IslandRunner::PutValue(Frame& frame, const IslandStep& step, Value value, size_t* next) {
  if (value.is_array()) {
    frame.At(step.results[(*next)++]) = {value.tensor().TakeBuffer(), false};
  } else if (value.is_tuple()) {
    const bool is_shared = !value.unique_elements();
    for (Value& element : value.mutable_elements()) {
      PutValue(frame, step, is_shared ? element : std::move(element), next);
    }
  }
}

void IslandRunner::Evaluate(Frame& frame, const IslandStep& step, StepState& state,
                            Context& context) {
  const PlannedInstruction& planned = *step.planned;
  state.arguments.clear();
  size_t next = 0;
  for (const Instruction* operand : planned.instruction->operands()) {
    state.arguments.push_back(TakeValue(frame, step.operands.data(), operand->shape(), &next));
  }
  Value value = EvaluateOp(planned.call, planned.mixed.get(), state.arguments, context.eval);
  state.arguments.clear();
  CheckValue(value, planned.call.shape());
  next = 0;
  PutValue(frame, step, std::move(value), &next);
}

void IslandRunner::RunElements(Frame& frame, const IslandStep& step) {
  const ElementLoop& loop = step.elements;
  const std::byte* from[ElementLoop::kMaxOperands] = {};
  for (size_t i = 0; i < step.operands.size(); ++i) from[i] = frame.Data(step.operands[i].slot);
  Place(frame, step, 0);
  std::byte* const to = frame.At(step.results[0]).buffer->data();
  if (step.count <= kPiece) {
    loop.Run(step.count, from, to);
    Work(step.count);
  } else {
    for (int64_t done = 0; done < step.count; done += kPiece) {
      const std::byte* at[ElementLoop::kMaxOperands] = {};
      for (int i = 0; i < loop.operand_count; ++i) {
        at[i] = from[i] + done * BytesOf(loop.operands[i]);
      }
      const int64_t count = std::min(kPiece, step.count - done);
      loop.Run(count, at, to + done * BytesOf(loop.result));
      Work(count);
    }
  }
  ReleaseOperands(frame, step);
}

void IslandRunner::Share(Frame& frame, const IslandStep& step) {
  Pass(frame, step.operands[0], frame, step.results[0]);
}

void IslandRunner::RunLoop(Frame& frame, const IslandStep& step, StepState& state) {
  const JoinedLoop& loop = *step.planned->loop;
  if (step.results.empty()) return ReleaseOperands(frame, step);
  RegionFunction& program = loops_.ProgramOf(*step.planned, &budget_);
  if (state.sources.empty()) {
    for (const LoopInput& input : loop.inputs) state.sources.emplace_back(input, loop.count);
    state.from.resize(step.operands.size());
    state.to.resize(step.results.size());
  }
  for (size_t i = 0; i < state.sources.size(); ++i) {
    state.sources[i].Begin(frame.Data(step.operands[i].slot), &budget_);
  }
  for (size_t i = 0; i < step.results.size(); ++i) Place(frame, step, i);
  for (size_t i = 0; i < step.results.size(); ++i) {
    state.to[i] = frame.At(step.results[i]).buffer->data();
  }
  RunBlocks(loop, program, state.sources, state.from, state.to);
  for (LoopSource& source : state.sources) source.End();
  ReleaseOperands(frame, step);
}

void IslandRunner::RunScalars(Frame& frame, const IslandStep& step, StepState& state) {
  state.from.resize(step.operands.size());
  state.to.resize(step.results.size());
  for (size_t i = 0; i < state.from.size(); ++i) {
    state.from[i] = frame.Data(step.operands[i].slot);
  }
  for (size_t i = 0; i < state.to.size(); ++i) {
    Place(frame, step, i);
    state.to[i] = frame.At(step.results[i]).buffer->data();
  }
  loops_.ProgramOf(*step.planned, &budget_).Apply(1, state.from, state.to);
  ReleaseOperands(frame, step);
}

// The state is in the slots of the result between the calls.
void IslandRunner::RunWhile(Frame& frame, const IslandStep& step, StepState& state,
                            Context& context) {
  if (state.callees.empty()) {
    for (const Region* region : step.calls)
      state.callees.push_back(&FrameOf(*islands_.Of(*region)));
  }
  Frame& condition = *state.callees[0];
  Frame& body = *state.callees[1];
  const size_t count = step.results.size();
  for (size_t i = 0; i < count; ++i) Pass(frame, step.operands[i], frame, step.results[i]);
  for (;;) {
    Work(kStepWork);
    for (size_t i = 0; i < count; ++i) {
      const int32_t parameter = condition.island.parameters[i];
      if (parameter >= 0) {
        condition.At(parameter) = {frame.At(step.results[i]).buffer, false};
      }
    }
    RunSteps(condition, context);
    const SlotUse& answer = condition.island.results[0];
    const bool is_true = *condition.Data(answer.slot) != std::byte{0};
    if (condition.IsLast(answer)) Release(condition, answer.slot);
    if (!is_true) return;
    for (size_t i = 0; i < count; ++i) {
      Pass(frame, {step.results[i], true}, body, body.island.parameters[i]);
    }
    RunSteps(body, context);
    for (size_t i = 0; i < count; ++i) {
      Pass(body, body.island.results[i], frame, step.results[i]);
    }
  }
}

// As the op chooses: any number that is no branch's is the last one's.
void IslandRunner::RunConditional(Frame& frame, const IslandStep& step, StepState& state,
                                  Context& context) {
  const SlotUse& selector = step.operands[0];
  const std::byte* const chosen = frame.Data(selector.slot);
  const size_t last = step.calls.size() - 1;
  size_t call = 0;
  if (frame.island.slots[static_cast<size_t>(selector.slot)].type == ElementType::kPred) {
    call = *chosen != std::byte{0} ? 0 : 1;
  } else {
    const int32_t number = *reinterpret_cast<const int32_t*>(chosen);
    call = number < 0 ? last : std::min(static_cast<size_t>(number), last);
  }
  RunCall(frame, step, state, call, static_cast<size_t>(step.firsts[call + 1]), context);
  ReleaseOperands(frame, step);
}

void IslandRunner::RunCall(Frame& frame, const IslandStep& step, StepState& state, size_t call,
                           size_t first, Context& context) {
  state.callees.resize(step.calls.size(), nullptr);
  if (!state.callees[call]) state.callees[call] = &FrameOf(*islands_.Of(*step.calls[call]));
  Frame& callee = *state.callees[call];
  const std::vector<int32_t>& parameters = callee.island.parameters;
  for (size_t i = 0; i < parameters.size(); ++i) {
    Pass(frame, step.operands[first + i], callee, parameters[i]);
  }
  RunSteps(callee, context);
  for (size_t i = 0; i < step.results.size(); ++i) {
    Pass(callee, callee.island.results[i], frame, step.results[i]);
  }
}

}  // namespace hlo
