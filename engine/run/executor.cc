#include "engine/run/executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "engine/base/byte_count.h"
#include "engine/ops/custom_calls/custom_calls.h"
#include "engine/plan/value_uses.h"
#include "engine/run/check_failure.h"
#include "engine/run/probes.h"
#include "engine/run/random.h"

namespace hlo {
namespace {

// The literal of a constant written `{...}`.
bool IsElided(const Instruction& instruction) {
  const ShapedLiteral* literal = instruction.attrs().GetLiteral("literal");
  return literal && literal->literal.elided;
}

}  // namespace

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

namespace {

// Whether the program starts runs of its own. Then it is their host, and runs once; the device
// counts of its header are for them.
bool IsHost(const Module& module) {
  for (const Computation& computation : module.computations()) {
    for (const Instruction& instruction : computation.instructions()) {
      if (instruction.attrs().String("custom_call_target") == "interpreter.run_parallel")
        return true;
    }
  }
  return false;
}

}  // namespace

bool IsAllowed(DeviceGrid grid) {
  return grid.replicas <= RunOptions::kMaxDevices && grid.partitions <= RunOptions::kMaxDevices &&
         grid.count() <= RunOptions::kMaxDevices;
}

DeviceGrid GridOf(const Module& module, const RunOptions& options) {
  const bool has_header = module.replica_count() > 1 || module.num_partitions() > 1;
  const bool is_host = has_header && IsHost(module);
  auto count = [&](int64_t chosen, int64_t written) {
    return std::max<int64_t>(1, chosen > 0 ? chosen : is_host ? 1 : written);
  };
  return {count(options.replicas, module.replica_count()),
          count(options.partitions, module.num_partitions())};
}

void ReportFailure(const RunFailure& failure, Diagnostics& diagnostics) {
  if (failure.stack.empty()) {
    diagnostics.Report(failure.code, Range{}, failure.message);
    return;
  }
  const Instruction& at = *failure.stack.back();
  Diagnostic& diagnostic = diagnostics.Report(
      failure.code, at.places().whole,
      fmt::format("{} ({} {}){}{}: {}", at.name(), Text(at.opcode()), ShapeName(at.shape()),
                  failure.device.empty() ? "" : " on ", failure.device, failure.message));
  if (failure.times > 1) {
    diagnostic.message += fmt::format(" (and {} more times)", failure.times - 1);
  }
  for (const RunFailure::Waiting& waiting : failure.waiting) {
    diagnostic.notes.push_back({waiting.at->places().whole, waiting.message});
  }
  const size_t kMaxNotes = failure.waiting.size() + 10;
  for (size_t i = failure.stack.size() - 1; i-- > 0 && diagnostic.notes.size() < kMaxNotes;) {
    const Instruction& caller = *failure.stack[i];
    diagnostic.notes.push_back(
        {caller.places().whole,
         fmt::format("called from {} ({})", caller.name(), Text(caller.opcode()))});
  }
}

Executor::Executor(const Module& module, const RunOptions& options, Budget* budget, Trace* trace)
    : options_(options),
      grid_(GridOf(module, options)),
      plan_(module, options.custom_calls, options.join_loops && trace == nullptr),
      exchange_(
          std::make_unique<Exchange>(IsAllowed(grid_) ? grid_ : DeviceGrid(), &options_, budget)),
      state_{.plan = &plan_,
             .budget = budget,
             .options = &options_,
             .seed = options.seed,
             .exchange = exchange_.get(),
             .fills = {},
             .functions = {}} {
  if (options.use_islands && !options.stand_ins && trace == nullptr) {
    state_.islands = std::make_unique<IslandRunner>(&plan_, &state_.loops, &state_.fills, budget,
                                                    options.profile);
  }
  for (int64_t device = 0; device < exchange_->grid().count(); ++device) {
    replicas_.push_back(std::make_unique<Replica>(&state_, device, trace));
  }
}

Executor::Status Executor::Start(std::vector<Value> args) {
  std::vector<std::vector<Value>> of_devices;
  for (size_t i = 1; i < replicas_.size(); ++i) of_devices.push_back(args);
  of_devices.push_back(std::move(args));
  return StartDevices(std::move(of_devices));
}

Executor::Status Executor::StartDevices(std::vector<std::vector<Value>> args) {
  return StartPrograms(std::vector<const Region*>(replicas_.size(), plan_.module().entry()),
                       std::move(args));
}

Executor::Status Executor::StartPrograms(const std::vector<const Region*>& programs,
                                         std::vector<std::vector<Value>> args,
                                         std::vector<Value> infeed) {
  status_ = Status::kRunning;
  turn_ = waiting_ = done_ = 0;
  state_.rngs.clear();
  state_.stand_ins.clear();
  if (state_.islands) state_.islands->Recover();
  *exchange_ = Exchange(exchange_->grid(), &options_, state_.budget);
  exchange_->set_log(log_);
  for (Value& value : infeed) exchange_->AddInfeed(std::move(value));
  check_failures_.clear();
  only_checks_failed_ = false;
  results_.assign(replicas_.size(), Value());
  if (!IsAllowed(grid_)) {
    return Fail(DiagCode::kNotExecutable,
                fmt::format("{} and {} are asked for; a run has at most {} devices: choose fewer",
                            Counted(grid_.replicas, "replica"),
                            Counted(grid_.partitions, "partition"), RunOptions::kMaxDevices),
                nullptr);
  }
  try {
    FillElided();
    for (size_t i = 0; i < replicas_.size(); ++i) {
      replicas_[i]->Start(*programs[i], std::move(args[i]));
    }
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
  const ValueUses uses(plan_.module());
  for (size_t i = 0; i < elided.size(); ++i) {
    failure_.stack = {elided[i]};
    state_.fills[elided[i]] =
        MakeFilled(elided[i]->shape(), Fill{.kind = *options_.fill_elided},
                   Random::Mix(options_.seed, 1000 + i), state_.budget, uses.LargestOf(*elided[i]));
  }
  failure_.stack.clear();
}

Executor::Status Executor::Fail(DiagCode code, std::string message, const Replica* replica) {
  failure_.code = code;
  failure_.message = std::move(message);
  if (replica) failure_.stack = replica->Stack();
  if (replica && replicas_.size() > 1) failure_.device = DeviceName(replica->device(), grid_);
  return status_ = Status::kFailed;
}

// What is thrown becomes a failure.
template <typename Work>
Executor::Status Executor::GuardedStatus(const Work& work) {
  try {
    return work();
  } catch (const RunError& error) {
    if (log_) log_->facts = StepFacts();
    return Fail(error.code(), error.message(), replicas_[turn_].get());
  } catch (const std::bad_alloc&) {
    if (log_) log_->facts = StepFacts();
    return Fail(
        DiagCode::kMemoryExceeded,
        fmt::format("the machine has no memory left; {} of the memory limit of {} were in use",
                    ByteCountText(static_cast<double>(state_.budget->memory_used())),
                    ByteCountText(static_cast<double>(state_.budget->limits().memory_bytes))),
        replicas_[turn_].get());
  }
}

Executor::Status Executor::StepGuarded() {
  if (status_ != Status::kRunning) return status_;
  return GuardedStatus([&] { return StepReplicas(); });
}

bool Executor::RunsOnArrays() {
  if (!entry_island_) {
    const bool may = state_.islands && replicas_.size() == 1 && IsAllowed(grid_) &&
                     ElidedConstants(plan_.module()).empty();
    entry_island_ = may ? state_.islands->islands().Of(*plan_.module().entry()) : nullptr;
  }
  return *entry_island_ != nullptr;
}

Executor::Status Executor::RunArrays(IslandRunner::Buffers* arguments,
                                     IslandRunner::Buffers* results) {
  status_ = Status::kRunning;
  turn_ = 0;
  check_failures_.clear();
  only_checks_failed_ = false;
  state_.is_stepped = false;
  return GuardedStatus([&] {
    state_.rngs.clear();
    state_.islands->Recover();
    replicas_[0]->RunArrays(**entry_island_, arguments, results);
    return status_ = Status::kDone;
  });
}

// What every waiting device waits for, and for whom.
Executor::Status Executor::FailDeadlocked() {
  constexpr size_t kMaxNamed = 16;
  const Replica* first = nullptr;
  failure_.waiting.clear();
  for (const auto& replica : replicas_) {
    if (replica->done() || !replica->next()) continue;
    if (!first) first = replica.get();
    if (failure_.waiting.size() >= kMaxNamed) continue;
    const Instruction& at = *replica->next();
    const std::optional<Wait> wait = exchange_->WaitOf(replica->device());
    std::string message =
        fmt::format("{} waits in {} ({}) for {}", DeviceName(replica->device(), grid_), at.name(),
                    Text(at.opcode()), wait ? wait->what : "another one");
    for (size_t i = 0; wait && i < std::min(wait->missing.size(), kMaxNamed); ++i) {
      const Replica& peer = *replicas_[static_cast<size_t>(wait->missing[i])];
      const Instruction* there = peer.next();
      message += fmt::format("{} device {} {}", i == 0 ? "; missing:" : ",", peer.device(),
                             there ? fmt::format("(waits in {})", there->name()) : "(has ended)");
    }
    failure_.waiting.push_back({&at, std::move(message)});
  }
  return Fail(DiagCode::kDeadlock,
              replicas_.size() == 1
                  ? "it waits for what never comes"
                  : fmt::format("{} of {} devices wait for one another, or for one that has ended",
                                replicas_.size() - done_, replicas_.size()),
              first);
}

// Every device has ended: what was sent must have been received.
Executor::Status Executor::Finish() {
  std::optional<Exchange::Lost> lost;
  if (!options_.stand_ins) lost = exchange_->FindLost();
  if (!lost && check_failures_.empty()) return status_ = Status::kDone;
  if (!lost) {
    failure_ = check_failures_.front();
    only_checks_failed_ = true;
    return status_ = Status::kFailed;
  }
  failure_.stack = {lost->send};
  if (replicas_.size() > 1) failure_.device = DeviceName(lost->device, grid_);
  const std::string receiver = lost->route.target == Route::kAnyone
                                   ? std::string("no device")
                                   : DeviceName(lost->route.target, grid_) + " never";
  return Fail(
      DiagCode::kDeadlock,
      fmt::format("{} received what was sent{}", receiver,
                  lost->route.channel > 0 ? fmt::format(" on channel {}", lost->route.channel)
                                          : std::string()),
      nullptr);
}

// A check that does not hold is noted, and the replica goes on.
Replica::Status Executor::StepNoting(Replica& replica) {
  try {
    return replica.Step();
  } catch (const CheckFailure& failed) {
    const Instruction* at = replica.next();
    if (!at || at->opcode() != Opcode::kCustomCall) throw;
    CheckValueFits(failed.result, at->shape(), at->name());
    if (failed.inner.empty()) {
      NoteCheck({.message = failed.message(), .stack = {}, .device = {}, .waiting = {}}, replica);
    }
    for (const RunFailure& inner : failed.inner) NoteCheck(inner, replica);
    return replica.EndInstruction(failed.result);
  }
}

void Executor::NoteCheck(RunFailure failure, const Replica& replica) {
  constexpr size_t kMostNoted = 1000;
  const std::vector<const Instruction*> around = replica.Stack();
  failure.stack.insert(failure.stack.begin(), around.begin(), around.end());
  if (failure.device.empty() && replicas_.size() > 1) {
    failure.device = DeviceName(replica.device(), grid_);
  }
  for (RunFailure& noted : check_failures_) {
    if (noted.stack.back() != failure.stack.back()) continue;
    noted.times += failure.times;
    return;
  }
  if (check_failures_.size() < kMostNoted) check_failures_.push_back(std::move(failure));
}

void Executor::Report(Diagnostics& diagnostics) const {
  for (const RunFailure& failure : check_failures_) ReportFailure(failure, diagnostics);
  if (status_ == Status::kFailed && !only_checks_failed_) ReportFailure(failure_, diagnostics);
}

// A replica keeps its turn until it waits or is done.
Executor::Status Executor::StepReplicas() {
  Replica& replica = *replicas_[turn_];
  const uint64_t progress = exchange_->progress();
  switch (StepNoting(replica)) {
    case Replica::Status::kReady:
      waiting_ = 0;
      return status_;
    case Replica::Status::kDone:
      waiting_ = 0;
      results_[turn_] = replica.TakeResult();
      if (++done_ == replicas_.size()) return Finish();
      break;
    case Replica::Status::kWaiting:
      // What it did before it had to wait may be what another one waits for.
      if (exchange_->progress() != progress) waiting_ = 0;
      if (++waiting_ + done_ < replicas_.size()) break;
      if (!options_.stand_ins || exchange_->is_stalled()) return FailDeadlocked();
      exchange_->Stall();
      waiting_ = 0;
      break;
  }
  do {
    turn_ = (turn_ + 1) % replicas_.size();
  } while (replicas_[turn_]->done());
  return status_;
}

std::vector<const Instruction*> Executor::stand_ins() const {
  std::vector<const Instruction*> made_up;
  if (state_.stand_ins.empty()) return made_up;
  for (const Computation& computation : plan_.module().computations()) {
    for (const Instruction& instruction : computation.instructions()) {
      if (state_.stand_ins.count(&instruction) > 0) made_up.push_back(&instruction);
    }
  }
  return made_up;
}

Executor::Status Executor::Step() {
  state_.is_stepped = true;
  return StepGuarded();
}

Executor::Status Executor::RunTo(const Instruction& instruction) {
  state_.is_stepped = true;
  while (StepGuarded() == Status::kRunning && next() != &instruction) {
  }
  return status_;
}

Executor::Status Executor::Run() {
  state_.is_stepped = false;
  while (StepGuarded() == Status::kRunning) {
  }
  return status_;
}

void Executor::set_log(StepLog* log) {
  log_ = log;
  exchange_->set_log(log);
  for (const auto& replica : replicas_) replica->set_log(log);
}

size_t Executor::State::bytes() const {
  size_t bytes = sizeof(*this) + exchange.host_outputs().size() * sizeof(HostOutput);
  for (const ReplicaState& replica : replicas) bytes += replica.bytes();
  return bytes;
}

Executor::State Executor::Save() const {
  State state{.replicas = std::vector<ReplicaState>(replicas_.size()),
              .exchange = *exchange_,
              .rngs = state_.rngs,
              .stand_ins = state_.stand_ins,
              .turn = turn_,
              .waiting = waiting_,
              .done = done_,
              .status = status_,
              .results = results_,
              .check_failures = check_failures_,
              .probes = options_.probes ? options_.probes->entries().size() : 0};
  for (size_t i = 0; i < replicas_.size(); ++i) state.replicas[i].Save(*replicas_[i]);
  return state;
}

void Executor::Restore(const State& state) {
  for (size_t i = 0; i < replicas_.size(); ++i) state.replicas[i].Restore(*replicas_[i]);
  *exchange_ = state.exchange;
  state_.rngs = state.rngs;
  state_.stand_ins = state.stand_ins;
  turn_ = state.turn;
  waiting_ = state.waiting;
  done_ = state.done;
  status_ = state.status;
  results_ = state.results;
  check_failures_ = state.check_failures;
  if (options_.probes) options_.probes->Truncate(state.probes);
  failure_ = RunFailure();
  only_checks_failed_ = false;
}

const Instruction* Executor::next() const {
  return status_ == Status::kRunning ? replicas_[turn_]->next() : nullptr;
}

}  // namespace hlo
