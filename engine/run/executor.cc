#include "engine/run/executor.h"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "engine/run/random.h"

namespace hlo {
namespace {

// The literal of a constant written `{...}`.
bool IsElided(const Instruction& instruction) {
  for (const Attr& attr : instruction.attrs()) {
    const auto* literal = std::get_if<std::shared_ptr<const ShapedLiteral>>(&attr.value);
    if (literal && *literal && (*literal)->literal.elided) return true;
  }
  return false;
}

std::vector<const Instruction*> ElidedConstants(const Module& module) {
  std::vector<const Instruction*> elided;
  for (const Computation& computation : module.computations()) {
    for (const Instruction& instruction : computation.instructions()) {
      if (instruction.opcode() == Opcode::kConstant && IsElided(instruction)) {
        elided.push_back(&instruction);
      }
    }
  }
  return elided;
}

}  // namespace

void ReportFailure(const RunFailure& failure, Diagnostics& diagnostics) {
  if (failure.stack.empty()) {
    diagnostics.Report(failure.code, Range{}, failure.message);
    return;
  }
  const Instruction& at = *failure.stack.back();
  Diagnostic& diagnostic =
      diagnostics.Report(failure.code, at.places().whole,
                         fmt::format("{} ({} {}): {}", at.name(), Text(at.opcode()),
                                     ShapeName(at.shape()), failure.message));
  constexpr size_t kMaxNotes = 10;
  for (size_t i = failure.stack.size() - 1; i-- > 0 && diagnostic.notes.size() < kMaxNotes;) {
    const Instruction& caller = *failure.stack[i];
    diagnostic.notes.push_back(
        {caller.places().whole,
         fmt::format("called from {} ({})", caller.name(), Text(caller.opcode()))});
  }
}

Executor::Executor(const Module& module, const RunOptions& options, Budget* budget, Trace* trace)
    : options_(options),
      plan_(module),
      state_{.plan = &plan_, .budget = budget, .seed = options.seed, .fills = {}, .functions = {}} {
  // One device; a grid of replicas and partitions is more of these.
  replicas_.push_back(std::make_unique<Replica>(&state_, 0, 0, trace));
}

Executor::Status Executor::Start(std::vector<Value> args) {
  status_ = Status::kRunning;
  turn_ = waiting_ = done_ = 0;
  state_.rngs.clear();
  results_.assign(replicas_.size(), Value());
  try {
    FillElided();
    for (auto& replica : replicas_) replica->Start(*plan_.module().entry(), args);
  } catch (const RunError& error) {
    return Fail(error.code(), error.message(), nullptr);
  } catch (const std::bad_alloc&) {
    return Fail(DiagCode::kMemoryExceeded, "no memory is left to start the run", nullptr);
  }
  return status_;
}

void Executor::FillElided() {
  const std::vector<const Instruction*> elided = ElidedConstants(plan_.module());
  if (elided.empty()) return;
  if (!options_.fill_elided) {
    failure_.stack = {elided.front()};
    throw RunError(
        DiagCode::kNotExecutable,
        fmt::format("the value was elided as {{...}} when the text was made{}; to run anyway, "
                    "choose what to fill elided constants with: zero, iota or random",
                    elided.size() == 1
                        ? ""
                        : fmt::format(", here and in {} other constants", elided.size() - 1)));
  }
  for (size_t i = 0; i < elided.size(); ++i) {
    failure_.stack = {elided[i]};
    state_.fills[elided[i]] = MakeFilled(elided[i]->shape(), Fill{.kind = *options_.fill_elided},
                                         Random::Mix(options_.seed, 1000 + i), state_.budget);
  }
  failure_.stack.clear();
}

Executor::Status Executor::Fail(DiagCode code, std::string message, const Replica* replica) {
  failure_.code = code;
  failure_.message = std::move(message);
  if (replica) failure_.stack = replica->Stack();
  return status_ = Status::kFailed;
}

Executor::Status Executor::StepGuarded() {
  if (status_ != Status::kRunning) return status_;
  try {
    return StepReplicas();
  } catch (const RunError& error) {
    return Fail(error.code(), error.message(), replicas_[turn_].get());
  } catch (const std::bad_alloc&) {
    return Fail(DiagCode::kMemoryExceeded,
                fmt::format("the machine has no memory left; {} of the memory limit of {} bytes "
                            "were in use",
                            state_.budget->memory_used(), state_.budget->limits().memory_bytes),
                replicas_[turn_].get());
  }
}

// A replica keeps its turn until it waits or is done.
Executor::Status Executor::StepReplicas() {
  Replica& replica = *replicas_[turn_];
  switch (replica.Step()) {
    case Replica::Status::kReady:
      waiting_ = 0;
      return status_;
    case Replica::Status::kDone:
      waiting_ = 0;
      results_[turn_] = replica.TakeResult();
      if (++done_ == replicas_.size()) return status_ = Status::kDone;
      break;
    case Replica::Status::kWaiting:
      if (++waiting_ + done_ < replicas_.size()) break;
      return Fail(DiagCode::kDeadlock, "every device waits for another one", &replica);
  }
  do {
    turn_ = (turn_ + 1) % replicas_.size();
  } while (replicas_[turn_]->done());
  return status_;
}

Executor::Status Executor::Step() { return StepGuarded(); }

Executor::Status Executor::RunTo(const Instruction& instruction) {
  while (StepGuarded() == Status::kRunning && next() != &instruction) {
  }
  return status_;
}

Executor::Status Executor::Run() {
  while (StepGuarded() == Status::kRunning) {
  }
  return status_;
}

const Instruction* Executor::next() const {
  return status_ == Status::kRunning ? replicas_[turn_]->next() : nullptr;
}

}  // namespace hlo
