#include "engine/precision/paired_run.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <iterator>
#include <map>
#include <span>
#include <unordered_set>
#include <utility>

#include "engine/ops/op_def.h"
#include "engine/types/doubles.h"

namespace hlo {
namespace {

// Values of one run that may wait for their counterparts.
constexpr size_t kMostWaiting = 4096;
constexpr int64_t kNumbersAtOnce = 1024;

// Whether it only hands on what was made elsewhere.
bool HandsOn(const Instruction& instruction) {
  const OpDef& def = instruction.def();
  switch (instruction.opcode()) {
    case Opcode::kParameter:
    case Opcode::kTuple:
    case Opcode::kGetTupleElement:
      return true;
    default:
      return def.keeps_data || def.control_flow || def.runs != Runs::kOtherwise ||
             def.passes_on == PassesOn::kAll;
  }
}

// Values of both runs that wait for their counterparts, by where they were made.
class WaitingValues {
 public:
  // How many of a run wait.
  size_t count(int side) const { return by_age_[side].size(); }

  // Waits for the other run to come there. False when the oldest had to go for it.
  bool Add(int side, Place place, const Value& value) {
    const bool is_full = count(side) >= kMostWaiting;
    if (is_full) Remove(side, by_age_[side].begin());
    const auto at = places_[side].try_emplace(std::move(place)).first;
    at->second.emplace_back(next_, value);
    by_age_[side].emplace(next_++, at);
    return !is_full;
  }

  // The value of a run that waits there, and its number; nothing if there is none.
  std::optional<std::pair<int64_t, Value>> Take(int side, const Place& place) {
    const auto at = places_[side].find(place);
    if (at == places_[side].end()) return std::nullopt;
    std::pair<int64_t, Value> taken = std::move(at->second.front());
    at->second.pop_front();
    if (at->second.empty()) places_[side].erase(at);
    by_age_[side].erase(taken.first);
    return taken;
  }

  // Drops what a run made within a loop or conditional since the value with this number, and says
  // how many.
  int64_t DropWithin(int side, const Instruction& control, int64_t device, int64_t since) {
    int64_t dropped = 0;
    for (auto at = by_age_[side].upper_bound(since); at != by_age_[side].end();) {
      const Place& place = at->second->first;
      if (place.device != device) {
        ++at;
        continue;
      }
      if (place.instruction == &control) break;  // it has left
      if (place.instruction->parent() == control.parent()) {
        ++at;
        continue;
      }
      at = Remove(side, at);
      ++dropped;
    }
    return dropped;
  }

 private:
  using Queue = std::deque<std::pair<int64_t, Value>>;
  using Places = std::map<Place, Queue>;
  using Ages = std::map<int64_t, Places::iterator>;

  Ages::iterator Remove(int side, Ages::iterator at) {
    Queue& queue = at->second->second;
    std::erase_if(queue, [&](const auto& each) { return each.first == at->first; });
    if (queue.empty()) places_[side].erase(at->second);
    return by_age_[side].erase(at);
  }

  Places places_[2];
  Ages by_age_[2];
  int64_t next_ = 0;
};

class Pairing {
 public:
  Pairing(const Module& first, const Module& second, const Counterparts& counterpart)
      : counterpart_(counterpart), paths_(first, second, counterpart) {
    for (const auto& [of_second, of_first] : counterpart) paired_.insert(of_first);
  }

  void Record(int side, const Instruction& instruction, const Replica& replica,
              const IterationPath& iterations, const Value& value) {
    const Instruction* first = &instruction;
    if (side == 1) {
      const auto found = counterpart_.find(&instruction);
      if (found == counterpart_.end()) return;
      first = found->second;
    }
    InstructionError& error = Of(*first);
    if (side == 1) error.second = &instruction;
    ++(side == 0 ? error.first_count : error.second_count);
    if (side == 0 && !paired_.contains(first)) return;
    auto place = paths_.PlaceOf(side, *first, replica, iterations);
    if (!place) {
      ++not_compared_;
      return;
    }
    auto peer = waiting_.Take(1 - side, *place);
    if (!peer) {
      not_compared_ += !waiting_.Add(side, std::move(*place), value);
      return;
    }
    const Value& a = side == 0 ? value : peer->second;
    const Value& b = side == 0 ? peer->second : value;
    Enter(error, *place, iterations, a, b);
    if (const auto parting = paths_.PartsAt(*place, a, b)) {
      Part(*parting, *place, 1 - side, peer->first);
    }
  }

  void NoteOperands(const Instruction& instruction, std::span<const Value> operands) {
    const Opcode opcode = instruction.opcode();
    if ((opcode != Opcode::kAdd && opcode != Opcode::kSubtract) ||
        !IsFloat(instruction.shape().element_type())) {
      return;
    }
    const Tensor& a = operands[0].tensor();
    const Tensor& b = operands[1].tensor();
    InstructionError& error = Of(instruction);
    std::vector<double> x(kNumbersAtOnce), y(kNumbersAtOnce);
    for (int64_t at = 0; at < a.element_count(); at += kNumbersAtOnce) {
      const int64_t n = std::min(kNumbersAtOnce, a.element_count() - at);
      ReadDoubles(a, at, n, x.data());
      ReadDoubles(b, at, n, y.data());
      for (size_t i = 0; i < static_cast<size_t>(n); ++i) {
        const double result = opcode == Opcode::kAdd ? x[i] + y[i] : x[i] - y[i];
        const double size = std::max(std::fabs(x[i]), std::fabs(y[i]));
        if (size == 0 || !std::isfinite(size)) continue;
        const double lost = size / std::max(std::fabs(result), size * 1e-18);
        if (lost <= error.cancellation) continue;
        error.cancellation = lost;
        error.cancelled[0] = x[i];
        error.cancelled[1] = y[i];
      }
    }
  }

  size_t waiting(int side) const { return waiting_.count(side); }

  PairedReport Finish() {
    PairedReport report;
    report.not_compared = not_compared_ + static_cast<int64_t>(waiting(0) + waiting(1));
    report.instructions.assign(std::make_move_iterator(errors_.begin()),
                               std::make_move_iterator(errors_.end()));
    report.partings = std::move(partings_);
    report.parted = parted_;
    report.growth = growth_.Take();
    return report;
  }

 private:
  InstructionError& Of(const Instruction& first) {
    const auto [at, is_new] = numbers_.try_emplace(&first, errors_.size());
    if (is_new) {
      errors_.emplace_back();
      errors_.back().first = &first;
      errors_.back().order = static_cast<int64_t>(at->second);
    }
    return errors_[at->second];
  }

  // `ahead` is the run that decided first: what it has done since `number` the other one will not.
  void Part(const Parting& parting, const Place& place, int ahead, int64_t number) {
    ++parted_;
    if (partings_.size() < PairedReport::kMostPartings) partings_.push_back(parting);
    paths_.Part(parting, place);
    not_compared_ += waiting_.DropWithin(ahead, *parting.instruction, place.device, number);
  }

  void Enter(InstructionError& error, const Place& place, const IterationPath& iterations,
             const Value& first, const Value& second) {
    ValueError now = ErrorOf(first, second);
    const int64_t number = pairs_++;
    if (error.differs_at < 0 && now.differing > 0) error.differs_at = number;
    const Instruction& instruction = *error.first;
    double before = 0;
    for (const Instruction* operand : instruction.operands()) {
      const auto known = last_.find({operand, place.device});
      if (known != last_.end()) before += known->second;
    }
    last_[{&instruction, place.device}] = now.norm;
    const double beyond = HandsOn(instruction) ? 0 : std::max(0.0, now.norm - before);
    if (!HandsOn(instruction)) {
      error.introduced = std::max(error.introduced, beyond);
      if (before > 0) error.amplification = std::max(error.amplification, now.norm / before);
    }
    if (error.executions.size() < InstructionError::kMostKept) {
      error.executions.push_back({place.device, iterations, now.ulp, now.norm});
    }
    growth_.Add({0, 0, &instruction, place.device, iterations, now.norm, now.ulp, beyond});
    auto histogram = error.worst.histogram;
    for (size_t i = 0; i < histogram.size(); ++i) histogram[i] += now.histogram[i];
    if (error.compared++ == 0 || now.norm > error.worst.norm) error.worst = std::move(now);
    error.worst.histogram = histogram;
  }

  const Counterparts& counterpart_;
  ControlPaths paths_;
  std::unordered_set<const Instruction*> paired_;  // of the first module
  std::deque<InstructionError> errors_;
  std::unordered_map<const Instruction*, size_t> numbers_;
  std::map<std::pair<const Instruction*, int64_t>, double> last_;  // norms
  WaitingValues waiting_;
  Growth growth_;
  std::vector<Parting> partings_;
  int64_t parted_ = 0;
  int64_t not_compared_ = 0;
  int64_t pairs_ = 0;
};

class PairedTrace final : public Trace {
 public:
  PairedTrace(Pairing* pairing, int side) : pairing_(pairing), side_(side) {}
  void set_run(const Executor* run) { run_ = run; }
  void Record(const Instruction& instruction, int64_t device, int, const IterationPath& iterations,
              const Value& value) override {
    const Replica& replica = *run_->replicas()[static_cast<size_t>(device)];
    pairing_->Record(side_, instruction, replica, iterations, value);
  }
  void NoteOperands(const Instruction& instruction, int64_t,
                    std::span<const Value> operands) override {
    if (side_ == 0) pairing_->NoteOperands(instruction, operands);
  }
  void Release(uint64_t) override {}

 private:
  Pairing* pairing_;
  int side_;
  const Executor* run_ = nullptr;
};

}  // namespace

PairedReport CompareRuns(PairedSide first, PairedSide second, const Counterparts& counterpart,
                         Budget* budget) {
  Pairing pairing(*first.module, *second.module, counterpart);
  PairedTrace traces[2] = {{&pairing, 0}, {&pairing, 1}};
  Executor runs[2] = {{*first.module, first.options, budget, &traces[0]},
                      {*second.module, second.options, budget, &traces[1]}};
  traces[0].set_run(&runs[0]);
  traces[1].set_run(&runs[1]);
  runs[0].StartDevices(std::move(first.arguments));
  runs[1].StartDevices(std::move(second.arguments));
  const auto is_running = [&](int i) { return runs[i].status() == Executor::Status::kRunning; };
  while (is_running(0) || is_running(1)) {
    const bool is_first =
        is_running(0) && (pairing.waiting(0) <= pairing.waiting(1) || !is_running(1));
    runs[is_first ? 0 : 1].Step();
  }
  PairedReport report = pairing.Finish();
  if (runs[0].status() == Executor::Status::kFailed) report.first_failure = runs[0].failure();
  if (runs[1].status() == Executor::Status::kFailed) report.second_failure = runs[1].failure();
  if (report.first_failure || report.second_failure) return report;
  const size_t devices = std::min(runs[0].results().size(), runs[1].results().size());
  for (size_t i = 0; i < devices; ++i) {
    const Value& a = runs[0].results()[i];
    const Value& b = runs[1].results()[i];
    report.results.push_back(ErrorOf(a, b));
    auto arrays = ArrayErrorsOf(a, b, static_cast<int64_t>(i), PairedReport::kWorstElements);
    std::move(arrays.begin(), arrays.end(), std::back_inserter(report.arrays));
  }
  return report;
}

}  // namespace hlo
