#include "engine/timeline/timeline.h"

#include <algorithm>
#include <utility>

namespace hlo {
namespace {

// Every instruction by itself, in the order of the text.
RunOptions SteppedOptions(RunOptions options) {
  options.join_loops = false;
  options.use_islands = false;
  options.profile = nullptr;
  return options;
}

double MillisecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

// The clock is read every so many steps, and after steps that make an array of so many bytes.
constexpr int64_t kStepsPerClock = 16;
constexpr int64_t kManyBytes = 1 << 16;

bool MakesManyBytes(const StepFacts& facts) {
  return facts.has_value && facts.value.is_array() &&
         facts.value.tensor().byte_size() >= kManyBytes;
}

}  // namespace

Timeline::Timeline(const Module& module, const RunOptions& options, Budget* budget,
                   TimelineLimits limits)
    : module_(module),
      budget_(budget),
      limits_(limits),
      executor_(module, SteppedOptions(options), budget, nullptr),
      between_(limits.milliseconds) {
  int64_t number = 0;
  for (const Computation& computation : module.computations()) {
    first_numbers_.push_back(number);
    number += static_cast<int64_t>(computation.instructions().size());
  }
  words_ = static_cast<size_t>(number / 64 + 1);
  executor_.set_log(&log_);
}

void Timeline::Start(std::vector<std::vector<Value>> args) {
  log_ = StepLog();
  stretches_.clear();
  near_.clear();
  bytes_ = 0;
  between_ = limits_.milliseconds;
  length_ = 0;
  usage_ = Budget::Usage();
  ended_ = is_lost_ = false;
  keeps_near_ = true;
  failure_.reset();
  check_failures_.clear();
  results_.clear();
  spans_ = Spans();
  budget_->Restart();
  if (executor_.StartDevices(std::move(args)) == Executor::Status::kFailed) {
    End();
    return;
  }
  KeepCheckpoint();
}

// ---- Recording ----------------------------------------------------------------------------------

bool Timeline::Record(double milliseconds) {
  if (ended_) return true;
  GoTo(length_);
  budget_->Continue(usage_);
  const Clock::time_point start = Clock::now();
  do {
    for (int64_t i = 0; i < kStepsPerClock && !ended_; ++i) {
      RecordStep();
      if (MakesManyBytes(log_.facts)) break;
    }
    if (!ended_ && IsTimeForCheckpoint()) KeepCheckpoint();
  } while (!ended_ && MillisecondsSince(start) < milliseconds);
  usage_ = budget_->usage();
  return ended_;
}

// One step of the executor, which is one of the timeline when it did something. False: the run is
// over, or failed.
bool Timeline::StepOnce() {
  log_.facts = StepFacts();
  while (executor_.status() == Executor::Status::kRunning) {
    executor_.Step();
    if (log_.facts.kind == StepKind::kNone) continue;
    ++log_.step;
    return true;
  }
  return false;
}

void Timeline::RecordStep() {
  if (StepOnce()) {
    length_ = log_.step;
    NoteExecuted();
    spans_.Note(log_.facts);
    if (executor_.status() != Executor::Status::kRunning) End();
    return;
  }
  // Checkpoints hold arrays that the run itself would have let go.
  const bool is_short = executor_.status() == Executor::Status::kFailed &&
                        executor_.failure().code == DiagCode::kMemoryExceeded;
  if (!is_short) return End();
  const RunFailure first = executor_.failure();
  if (Recover()) return;
  End();
  // A replay stops at an earlier step than the run would have.
  if (failure_ && failure_->code == DiagCode::kMemoryExceeded) failure_ = first;
}

bool Timeline::Recover() {
  const Budget::Usage before = budget_->usage();
  while (MakeRoom()) {
    is_lost_ = true;
    // The steps that are made again count once.
    budget_->Continue({0, budget_->seconds_used()});
    try {
      Replay(length_);
      budget_->Continue({before.steps, budget_->seconds_used()});
      return true;
    } catch (const RunError& error) {
      if (error.code() != DiagCode::kMemoryExceeded) break;
    }
  }
  log_.facts = StepFacts();
  return false;
}

void Timeline::NoteExecuted() {
  const int64_t number = NumberOf(*log_.facts.instruction);
  stretches_.back().facts.executed[static_cast<size_t>(number / 64)] |= uint64_t{1}
                                                                        << (number % 64);
}

void Timeline::End() {
  ended_ = true;
  // The values of a step that failed are gone.
  is_lost_ = log_.facts.kind == StepKind::kNone;
  check_failures_ = executor_.check_failures();
  if (executor_.status() == Executor::Status::kDone || executor_.only_checks_failed()) {
    results_ = executor_.results();
  }
  if (executor_.status() == Executor::Status::kFailed) failure_ = executor_.failure();
}

void Timeline::Report(Diagnostics& diagnostics) const {
  for (const RunFailure& failure : check_failures_) ReportFailure(failure, diagnostics);
  if (failure_ && results_.empty()) ReportFailure(*failure_, diagnostics);
}

// ---- Checkpoints --------------------------------------------------------------------------------

bool Timeline::IsTimeForCheckpoint() const {
  return MillisecondsSince(last_checkpoint_) >= between_;
}

void Timeline::KeepCheckpoint() {
  constexpr double kMostShare = 0.1;  // of the time, for making checkpoints
  const Clock::time_point start = Clock::now();
  log_.facts.value = Value();
  auto checkpoint = std::make_unique<Checkpoint>(Checkpoint{log_.step, executor_.Save()});
  const size_t bytes = checkpoint->state.bytes() + words_ * sizeof(uint64_t);
  bytes_ += bytes;
  stretches_.push_back({{log_.step, std::vector<uint64_t>(words_)}, std::move(checkpoint), bytes});
  between_ = std::max(between_, MillisecondsSince(start) / kMostShare);
  const auto is_crowded = [&] {
    return stretches_.size() > limits_.checkpoints || bytes_ > limits_.bytes ||
           static_cast<double>(budget_->memory_used()) >
               limits_.memory_share * static_cast<double>(budget_->limits().memory_bytes);
  };
  if (is_crowded()) Thin();
  last_checkpoint_ = Clock::now();
}

// Every second checkpoint goes, but not the first one; those that stay are further apart.
void Timeline::Thin() {
  std::vector<Kept> thinned;
  for (size_t i = 0; i < stretches_.size(); ++i) {
    if (i % 2 == 0) {
      thinned.push_back(std::move(stretches_[i]));
      continue;
    }
    bytes_ -= stretches_[i].bytes;
    std::vector<uint64_t>& all = thinned.back().facts.executed;
    for (size_t w = 0; w < words_; ++w) all[w] |= stretches_[i].facts.executed[w];
  }
  stretches_ = std::move(thinned);
  between_ *= 2;
}

// Lets go of what only checkpoints hold. False: nothing is left to let go.
bool Timeline::MakeRoom() {
  // They would be made again on the way to the step for which there was no room.
  keeps_near_ = false;
  if (!std::exchange(near_, {}).empty()) return true;
  if (stretches_.size() < 2) return false;
  Thin();
  return true;
}

size_t Timeline::StretchOf(int64_t step) const {
  const auto next = std::upper_bound(
      stretches_.begin(), stretches_.end(), step,
      [](int64_t position, const Kept& kept) { return position < kept.facts.begin; });
  return static_cast<size_t>(next - stretches_.begin()) - 1;
}

// ---- Replay -------------------------------------------------------------------------------------

void Timeline::Restore(const Checkpoint& checkpoint) {
  executor_.Restore(checkpoint.state);
  log_ = StepLog();
  log_.step = checkpoint.position;
  is_lost_ = false;
}

// From the nearest state that is known.
void Timeline::Replay(int64_t position) {
  const Kept& kept = stretches_[StretchOf(position)];
  const Checkpoint* from = kept.checkpoint.get();
  for (const Checkpoint& near : near_) {
    if (near.position <= position && near.position > from->position) from = &near;
  }
  if (is_lost_ || log_.step > position || log_.step < from->position) Restore(*from);
  std::erase_if(near_, [&](const Checkpoint& near) {
    return near.position < kept.facts.begin || near.position > position;
  });
  Clock::time_point last = Clock::now();
  constexpr double kLong = 10;  // milliseconds between states that are kept on the way
  while (log_.step < position) {
    if (!StepOnce()) {
      is_lost_ = true;
      throw RunError(executor_.failure().code, executor_.failure().message);
    }
    const bool reads_clock = log_.step % kStepsPerClock == 0 || MakesManyBytes(log_.facts);
    if (!reads_clock || log_.step == position || MillisecondsSince(last) < kLong) continue;
    KeepNear();
    last = Clock::now();
  }
}

void Timeline::KeepNear() {
  constexpr size_t kMostNear = 64;
  const bool has_room =
      static_cast<double>(budget_->memory_used()) <
      (1 + limits_.memory_share) / 2 * static_cast<double>(budget_->limits().memory_bytes);
  if (!has_room || !keeps_near_) return;
  if (near_.size() == kMostNear) {
    std::vector<Checkpoint> kept;
    for (size_t i = 1; i < near_.size(); i += 2) kept.push_back(std::move(near_[i]));
    near_ = std::move(kept);
  }
  near_.push_back({log_.step, executor_.Save()});
}

void Timeline::GoTo(int64_t position) {
  if (stretches_.empty()) return;
  position = std::clamp<int64_t>(position, 0, length_);
  if (log_.step == position && !is_lost_) return;
  budget_->Restart();
  while (true) {
    try {
      Replay(position);
      return;
    } catch (const RunError& error) {
      if (error.code() != DiagCode::kMemoryExceeded || !MakeRoom()) throw;
    }
  }
}

bool Timeline::Advance() {
  const int64_t step = log_.step;
  if (step >= length_ || stretches_.empty()) return false;
  while (true) {
    GoTo(step);
    if (StepOnce()) return true;
    is_lost_ = true;
    const RunFailure& failure = executor_.failure();
    if (failure.code != DiagCode::kMemoryExceeded || !MakeRoom()) {
      throw RunError(failure.code, failure.message);
    }
  }
}

const StepFacts& Timeline::At(int64_t step) {
  // The facts of the last step are still there.
  if (is_lost_ || log_.step != step + 1 || log_.facts.step != step) {
    GoTo(step);
    Advance();
  }
  return log_.facts;
}

void Timeline::ForEach(int64_t begin, int64_t end, FunctionRef<bool(const StepFacts&)> visit) {
  end = std::min(end, length_);
  if (begin >= end) return;
  GoTo(begin);
  while (log_.step < end && Advance()) {
    if (!visit(log_.facts)) return;
  }
}

std::optional<int64_t> Timeline::LastValueOf(const Instruction& instruction, int64_t device,
                                             int64_t before) {
  before = std::min(before, length_);
  const int64_t number = NumberOf(instruction);
  std::optional<int64_t> found;
  if (before <= 0) return found;
  for (size_t i = StretchOf(before - 1) + 1; i-- > 0 && !found;) {
    if (!stretch(i).Has(number)) continue;
    ForEach(stretch(i).begin, std::min(before, StretchEnd(i)), [&](const StepFacts& facts) {
      const bool is_it = facts.has_value && facts.kind != StepKind::kEnd &&
                         facts.instruction == &instruction &&
                         (device < 0 || facts.device == device);
      if (is_it) found = facts.step;
      return true;
    });
  }
  return found;
}

}  // namespace hlo
