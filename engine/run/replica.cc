#include "engine/run/replica.h"

#include <fmt/format.h>

#include "engine/ops/devices/device_groups.h"
#include "engine/ops/evaluate.h"
#include "engine/ops/float_widths.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/plan/region_program.h"
#include "engine/run/fill.h"
#include "engine/run/profile.h"
#include "engine/run/random.h"
#include "engine/run/region_interpreter.h"

namespace hlo {

Replica::~Replica() = default;

void Replica::Start(const Region& computation, std::vector<Value> args) {
  while (depth_ > 0) PopFrame();
  result_ = Value();
  island_stack_.clear();
  PushFrame(computation, std::move(args), nullptr);
  is_fresh_ = true;
}

Replica::Status Replica::Step() {
  if (depth_ == 0) return Status::kDone;
  if (std::exchange(is_fresh_, false) && RunWhole()) return Status::kDone;
  state_->budget->Step();
  Frame& frame = frames_[depth_ - 1];
  if (log_ && frame.AtEnd()) return StepReturn();
  const PlannedInstruction& planned = frame.Next();
  if (log_) {
    const bool begins = planned.def->enter && !frame.entered;
    NoteStep(frame, begins ? StepKind::kEnter : StepKind::kValue);
  }
  if (planned.loop) {
    RunLoop(frame);
  } else if (planned.scalar_loop && !log_) {
    TakeOperands(frame, operands_);
    ProfileEntry* const entry = ProfileOf(planned, *frame.plan);
    Finish(state_->loops.RunScalars(planned, operands_[0], state_->budget, entry));
    operands_.clear();
  } else if (planned.def->enter) {
    if (!frame.entered && RunCallWhole(frame)) return PopEnded();
    if (!frame.entered) {
      TakeOperands(frame, frame.control_args);
      frame.entered = true;
    } else if (log_) {
      log_->facts.kind = StepKind::kNone;  // unless it has what it waited for
    }
    if (!Advance()) return Status::kWaiting;
  } else {
    Value value = Evaluate(frame);
    CheckValue(value, planned.call.shape());
    Finish(std::move(value));
  }
  return PopEnded();
}

Replica::Status Replica::EndInstruction(Value value) {
  Frame& frame = frames_[depth_ - 1];
  frame.entered = false;
  frame.control_args.clear();
  frame.control = ControlState();
  frame.calls.clear();
  Finish(std::move(value));
  return PopEnded();
}

// The ends of computations, and what control flow follows from them.
Replica::Status Replica::PopEnded() {
  if (log_) return Status::kReady;  // each is a step of its own
  Status status = Status::kReady;
  while (status == Status::kReady && frames_[depth_ - 1].AtEnd()) status = PopOne();
  return status;
}

// The end of the innermost computation.
Replica::Status Replica::PopOne() {
  Value result = PopFrame();
  if (depth_ == 0) {
    result_ = std::move(result);
    return Status::kDone;
  }
  frames_[depth_ - 1].control.returned = std::move(result);
  return Advance() ? Status::kReady : Status::kWaiting;
}

// The same as a step that is written down.
Replica::Status Replica::StepReturn() {
  const Frame& ended = frames_[depth_ - 1];
  StepFacts& facts = log_->facts;
  if (depth_ > 1) {
    NoteStep(frames_[depth_ - 2], StepKind::kReturn);
    --facts.depth;
  } else {
    facts = StepFacts();
    facts.step = log_->step;
    facts.kind = StepKind::kEnd;
    facts.device = device();
    facts.instruction = ended.plan->computation->root();
    facts.has_value = true;
    facts.value = ended.values[static_cast<size_t>(ended.plan->root)];
  }
  facts.left = ended.plan->computation;
  facts.root_step = ended.made[static_cast<size_t>(ended.plan->root)];
  facts.left_entered_at = ended.entered_at;
  return PopOne();
}

// What is known of a step before it.
void Replica::NoteStep(const Frame& frame, StepKind kind) {
  StepFacts& facts = log_->facts;
  facts = StepFacts();
  facts.step = log_->step;
  facts.kind = kind;
  facts.device = device();
  facts.instruction = frame.Next().instruction;
  facts.depth = static_cast<int>(depth_) - 1;
  facts.iterations = frame.iterations;
  facts.entered_at = frame.entered_at;
  for (const OperandUse& use : frame.Next().operands) {
    facts.operands.push_back(frame.made[static_cast<size_t>(use.value)]);
  }
}

Replica::Status Replica::Run() {
  Status status = Status::kReady;
  while (status == Status::kReady) status = Step();
  return status;
}

void Replica::PushFrame(const Region& region, std::vector<Value> args, IterationPath iterations) {
  const ComputationPlan& plan = state_->plan->For(region);
  if (depth_ == frames_.size()) frames_.emplace_back();
  Frame& frame = frames_[depth_++];
  frame.plan = &plan;
  frame.position = 0;
  frame.args = std::move(args);
  frame.values.clear();
  frame.values.resize(plan.instructions.size());
  frame.iterations = std::move(iterations);
  frame.entered = false;
  if (log_) {
    frame.made.assign(plan.instructions.size(), kNoStep);
    frame.entered_at = depth_ > 1 ? log_->step : kNoStep;
    log_->facts.entered = plan.computation;
    log_->facts.entered_iterations = frame.iterations;
  }
  EnterFolds(frame);
  SkipIdle(frame);
}

// A trace shows every instruction, so it executes them all.
void Replica::EnterFolds(Frame& frame) {
  using State = FoldCache::Entry::State;
  frame.folds = nullptr;
  if (trace_ || log_) return;
  FoldCache::Entry& entry = state_->folds.Enter(*frame.plan);
  switch (entry.state) {
    case State::kNew:
      entry.state = State::kSeen;
      return;
    case State::kSeen:
      entry.state = State::kFilling;
      frame.folds = &entry;
      return;
    case State::kReady:
      frame.folds = &entry;
      for (const auto& [position, value] : entry.values) {
        frame.values[static_cast<size_t>(position)] = value;
      }
      return;
    case State::kFilling:  // by a frame below this one, or by another device
    case State::kTooLarge:
      return;
  }
}

// To the next instruction that is executed: not one whose value is known, or that a loop further on
// stands for.
void Replica::SkipIdle(Frame& frame) {
  const bool has_folds = frame.folds && frame.folds->state == FoldCache::Entry::State::kReady;
  while (!frame.AtEnd() &&
         (frame.Next().is_joined || (has_folds && frame.Next().fold != Fold::kNone))) {
    ++frame.position;
  }
}

// The values of a loop's outputs, each in the place of its instruction.
void Replica::RunLoop(Frame& frame) {
  const JoinedLoop& loop = *frame.Next().loop;
  TakeOperands(frame, operands_);
  std::vector<Value> results = state_->loops.Run(frame.Next(), *frame.plan, operands_, *this,
                                                 ProfileOf(frame.Next(), *frame.plan));
  operands_.clear();
  for (size_t i = 0; i < results.size(); ++i) {
    frame.values[static_cast<size_t>(loop.outputs[i])] = std::move(results[i]);
  }
  ++frame.position;
  SkipIdle(frame);
}

// The value of the root; everything else that the frame holds is freed, but the frame's memory is
// kept.
Value Replica::PopFrame() {
  Frame& frame = frames_[--depth_];
  if (frame.folds && frame.folds->state == FoldCache::Entry::State::kFilling) {
    if (frame.AtEnd()) {
      frame.folds->state = FoldCache::Entry::State::kReady;
    } else {
      state_->folds.Abandon(*frame.folds);
    }
  }
  Value result = std::move(frame.values[static_cast<size_t>(frame.plan->root)]);
  frame.values.clear();
  frame.args.clear();
  frame.control_args.clear();
  frame.control = ControlState();
  frame.calls.clear();
  frame.iterations.reset();
  return result;
}

void Replica::TakeOperands(Frame& frame, std::vector<Value>& args) {
  args.clear();
  for (const OperandUse& use : frame.Next().operands) {
    Value& value = frame.values[static_cast<size_t>(use.value)];
    if (use.last) {
      args.push_back(std::exchange(value, Value()));
    } else {
      args.push_back(value);
    }
  }
}

Value Replica::TakeElement(Frame& frame) {
  const PlannedInstruction& planned = frame.Next();
  const OperandUse& use = planned.operands[0];
  Value& tuple = frame.values[static_cast<size_t>(use.value)];
  const size_t element = static_cast<size_t>(planned.taken_element);
  Value taken = tuple.unique_elements() ? std::exchange(tuple.mutable_elements()[element], Value())
                                        : tuple.elements()[element];
  if (use.last) tuple = Value();
  return taken;
}

Value Replica::Evaluate(Frame& frame) {
  const PlannedInstruction& planned = frame.Next();
  if (planned.parameter >= 0) {
    return std::exchange(frame.args[static_cast<size_t>(planned.parameter)], Value());
  }
  if (planned.taken_element >= 0) return TakeElement(frame);
  if (!state_->fills.empty()) {
    auto fill = state_->fills.find(planned.instruction);
    if (fill != state_->fills.end()) return fill->second;
  }
  if (!planned.def->eval) {
    throw RunError(DiagCode::kNotExecutable,
                   fmt::format("{} cannot be run here yet; it can be parsed, verified and printed",
                               planned.call.opcode_text()));
  }
  if (trace_) MakeRoomForTrace(planned);
  TakeOperands(frame, operands_);
  if (trace_) trace_->NoteOperands(*planned.instruction, device(), operands_);
  const ProfileTimer timer(ProfileOf(planned, *frame.plan), nullptr);
  Value value = EvaluateOp(planned.call, planned.mixed.get(), operands_, *this);
  operands_.clear();
  return value;
}

// The trace may hold the memory that is needed: rather than fail, it drops old values.
void Replica::MakeRoomForTrace(const PlannedInstruction& planned) {
  constexpr uint64_t kFactor = 2;  // operations may need room beside the result
  const uint64_t needed = static_cast<uint64_t>(planned.call.shape().stored_bytes());
  const uint64_t left = state_->budget->memory_left();
  if (needed > left / kFactor) trace_->Release(kFactor * needed - left);
}

// One step of the control-flow instruction that the innermost frame is at. What devices would give
// that the run does not have may be made up.
ControlStep Replica::Enter(Frame& frame, const PlannedInstruction& planned) {
  try {
    return planned.def->enter(planned.call, frame.control_args, frame.control, *this);
  } catch (const AbsentDevice&) {
    const Value* const other = StandIn(planned.call.shape(), /*is_awaited=*/false);
    if (!other) throw;
    ControlStep step;
    step.result = *other;
    return step;
  }
}

// Goes on with the control-flow instruction that the innermost frame is at. False: it waits.
bool Replica::Advance() {
  Frame& frame = frames_[depth_ - 1];
  const PlannedInstruction& planned = frame.Next();
  ControlStep step = Enter(frame, planned);
  switch (step.kind) {
    case ControlStep::Kind::kCall: {
      IterationPath iterations =
          planned.def->loops ? IterationsOf(frame, *step.region) : frame.iterations;
      PushFrame(*step.region, std::move(step.args), std::move(iterations));
      return true;
    }
    case ControlStep::Kind::kDone:
      frame.entered = false;
      frame.control_args.clear();
      frame.control = ControlState();
      frame.calls.clear();
      if (!planned.def->keeps_data) {
        step.result = RoundFloats(std::move(step.result), planned.call.shape(), state_->budget);
      }
      CheckValue(step.result, planned.call.shape());
      Finish(std::move(step.result));
      return true;
    case ControlStep::Kind::kWait:
      return false;
  }
  return false;
}

IterationPath Replica::IterationsOf(Frame& frame, const Region& region) {
  size_t at = 0;
  while (at < frame.calls.size() && frame.calls[at].first != &region) ++at;
  if (at == frame.calls.size()) frame.calls.emplace_back(&region, 0);
  const int64_t iteration = frame.calls[at].second++;
  if (!trace_ && !log_) return nullptr;
  std::vector<int64_t> path;
  if (frame.iterations) path = *frame.iterations;
  path.push_back(iteration);
  return std::make_shared<const std::vector<int64_t>>(std::move(path));
}

// Enters the value of the instruction that the innermost frame is at, and goes on to the next one.
void Replica::Finish(Value value) {
  Frame& frame = frames_[depth_ - 1];
  const PlannedInstruction& planned = frame.Next();
  if (trace_) {
    trace_->Record(*planned.instruction, device(), static_cast<int>(depth_) - 1, frame.iterations,
                   value);
  }
  if (log_) {
    frame.made[frame.position] = log_->step;
    StepFacts& facts = log_->facts;
    if (facts.kind == StepKind::kEnter || facts.kind == StepKind::kNone) {
      facts.kind = StepKind::kValue;
    }
    facts.has_value = true;
    facts.value = value;
  }
  if (frame.folds && planned.fold == Fold::kKept &&
      frame.folds->state == FoldCache::Entry::State::kFilling) {
    state_->folds.Keep(*frame.folds, frame.position, value, planned.call.shape().stored_bytes());
  }
  if (!planned.unused) frame.values[frame.position] = std::move(value);
  ++frame.position;
  SkipIdle(frame);
}

std::vector<const Instruction*> Replica::Stack() const {
  std::vector<const Instruction*> stack;
  for (size_t i = 0; i < depth_; ++i) {
    if (!frames_[i].AtEnd()) stack.push_back(frames_[i].Next().instruction);
  }
  if (!island_stack_.empty()) {
    stack.insert(stack.end(), island_stack_.begin() + static_cast<ptrdiff_t>(island_base_),
                 island_stack_.end());
  }
  return stack;
}

std::vector<Replica::FrameView> Replica::Frames() const {
  std::vector<FrameView> views;
  for (size_t i = 0; i < depth_; ++i) {
    const Frame& frame = frames_[i];
    views.push_back({frame.plan, frame.position, &frame.iterations, frame.made, frame.entered_at,
                     frame.values, frame.entered});
  }
  return views;
}

void ReplicaState::Save(const Replica& replica) {
  frames_.assign(replica.frames_.begin(),
                 replica.frames_.begin() + static_cast<ptrdiff_t>(replica.depth_));
  is_fresh_ = replica.is_fresh_;
  result_ = replica.result_;
}

void ReplicaState::Restore(Replica& replica) const {
  replica.frames_ = frames_;
  replica.depth_ = frames_.size();
  replica.is_fresh_ = is_fresh_;
  replica.result_ = result_;
  replica.operands_.clear();
  replica.island_stack_.clear();
}

size_t ReplicaState::bytes() const {
  size_t bytes = sizeof(*this);
  for (const Replica::Frame& frame : frames_) {
    bytes += sizeof(frame) + frame.values.size() * (sizeof(Value) + sizeof(int64_t)) +
             (frame.args.size() + frame.control_args.size()) * sizeof(Value);
  }
  return bytes;
}

const Instruction* Replica::next() const {
  if (!island_stack_.empty()) return island_stack_.back();
  return depth_ == 0 || frames_[depth_ - 1].AtEnd() ? nullptr
                                                    : frames_[depth_ - 1].Next().instruction;
}

int64_t Replica::instruction_number() const {
  const Instruction& instruction = *next();
  if (state_->options && state_->options->numbers) {
    const auto found = state_->options->numbers->find(&instruction);
    if (found != state_->options->numbers->end()) return found->second;
  }
  const Computation& computation = *instruction.parent();
  int64_t number = instruction.index();
  for (const Computation& earlier : computation.parent()->computations()) {
    if (&earlier == &computation) break;
    number += static_cast<int64_t>(earlier.instructions().size());
  }
  return number;
}

RegionFunction& Replica::Function(const Region& region) {
  auto [compiled, is_new] = state_->functions.try_emplace(&region);
  if (is_new) {
    compiled->second = CompileRegion(region, state_->budget, state_->plan->custom_calls());
  }
  RegionFunction* const program = compiled->second.get();
  if (program && (!state_->options || state_->options->compile_regions)) return *program;
  std::unique_ptr<RegionFunction>& function = interpreters_[&region];
  if (!function) {
    function = std::make_unique<RegionInterpreter>(state_, &region, device(),
                                                   program ? program->BinaryOpcode() : nullptr);
  }
  return *function;
}

const Value* Replica::StandIn(const Shape& shape, bool is_awaited) {
  if (!state_->options || !state_->options->stand_ins) return nullptr;
  if (is_awaited && !state_->exchange->is_stalled()) return nullptr;
  Value& value = state_->stand_ins[next()];
  if (!HasShape(value, shape)) {
    // A stream of random numbers of its own for every instruction.
    constexpr uint64_t kFirstStream = uint64_t{1} << 33;
    const auto number = static_cast<uint64_t>(instruction_number());
    value = MakeFilled(shape, {}, Random::Mix(seed(), kFirstStream + number), budget());
  }
  return &value;
}

const Region* Replica::async_computation() const {
  std::unique_ptr<AsyncComputations>& computations = state_->async_computations;
  if (!computations) computations = std::make_unique<AsyncComputations>(state_->plan->module());
  return computations->Of(*next());
}

Peers& Replica::peers() {
  port_.set_instruction(next());
  return port_;
}

}  // namespace hlo
