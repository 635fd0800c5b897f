// What a run may use: memory, steps, time; and the way to stop it.
#ifndef HLO_ENGINE_BASE_BUDGET_H_
#define HLO_ENGINE_BASE_BUDGET_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <limits>
#include <string>
#include <utility>

#include "engine/base/diagnostics.h"

namespace hlo {

/// A failure while running. Thrown by evaluation, completed by the executor with the instruction
/// it happened in, and turned into a Diagnostic in engine/views; it never leaves the engine.
class RunError : public std::exception {
 public:
  RunError(DiagCode code, std::string message) : code_(code), message_(std::move(message)) {}
  DiagCode code() const { return code_; }
  const std::string& message() const { return message_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  DiagCode code_;
  std::string message_;
};

/// The limits of one run and its usage so far. Not thread-safe, except for Cancel().
class Budget {
 public:
  struct Limits {
    uint64_t memory_bytes = uint64_t{2} << 30;
    uint64_t steps = std::numeric_limits<uint64_t>::max();  ///< instructions executed
    double seconds = std::numeric_limits<double>::infinity();
  };

  Budget() : Budget(Limits{}) {}
  explicit Budget(Limits limits) : limits_(limits), start_(Clock::now()) {}
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  /// Reserves memory for an array. Throws RunError(kMemoryExceeded), which states the bytes
  /// requested and the bytes left; every so often it also polls and throws what Poll throws.
  void Reserve(uint64_t bytes);
  void Release(uint64_t bytes) noexcept {
    used_ -= bytes;
    --arrays_;
  }
  uint64_t memory_used() const { return used_; }
  uint64_t memory_peak() const { return peak_; }
  uint64_t memory_left() const {
    const uint64_t taken = used_ + Overhead();
    return taken < limits_.memory_bytes ? limits_.memory_bytes - taken : 0;
  }
  /// What is said of a need that is larger than what is left: "more than the memory limit of 2 GiB"
  /// or, where some of it is in use, "but 1 GiB of the memory limit of 2 GiB are left"; with
  /// `in_bytes` the latter has a number of bytes.
  std::string Shortage(bool in_bytes = false) const;

  /// Counts one executed instruction; throws on the step limit, the time limit, and Cancel().
  void Step();
  /// Counts as many at once without a poll, unless they would exceed the limit: false then.
  bool CountSteps(uint64_t count) {
    if (steps_ + count > limits_.steps) return false;
    steps_ += count;
    return true;
  }
  /// Counts as many at once, and polls.
  void Steps(uint64_t count);
  /// For the inner loops of long operations: call once per about 2^16 elements of work.
  /// Throws on the time limit and Cancel().
  void Poll();
  uint64_t steps_used() const { return steps_; }
  double seconds_used();

  /// What a run has used of its steps and its time, for one that is interrupted.
  struct Usage {
    uint64_t steps = 0;
    double seconds = 0;
  };
  Usage usage() { return {steps_, seconds_used()}; }
  /// Goes on as if no time had passed since then, and no step had been made.
  void Continue(Usage usage);

  /// Begins another run with the same limits; memory that is in use stays counted.
  void Restart() {
    RestartAtPoll();
    start_ = Clock::now();
    is_started_ = true;
  }
  /// The same without a look at the clock: the time counts from the first poll.
  void RestartAtPoll() {
    is_started_ = false;
    steps_ = 0;
    peak_ = used_;
    cancelled_.store(false, std::memory_order_relaxed);
  }

  /// May be called from another thread or a signal handler.
  void Cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }

  const Limits& limits() const { return limits_; }

 private:
  void CheckSteps() const;
  using Clock = std::chrono::steady_clock;
  // Bytes charged per array for its bookkeeping: none while there are few arrays.
  static constexpr uint64_t kFewArrays = 1 << 14;
  static constexpr uint64_t kArrayBytes = 256;
  uint64_t Overhead() const {
    return arrays_ > kFewArrays ? (arrays_ - kFewArrays) * kArrayBytes : 0;
  }

  Limits limits_;
  Clock::time_point start_;
  bool is_started_ = true;
  uint64_t used_ = 0;
  uint64_t peak_ = 0;
  uint64_t arrays_ = 0;
  uint64_t reservations_ = 0;
  uint64_t steps_ = 0;
  std::atomic<bool> cancelled_{false};
};

}  // namespace hlo

#endif  // HLO_ENGINE_BASE_BUDGET_H_
