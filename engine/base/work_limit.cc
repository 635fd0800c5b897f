#include "engine/base/work_limit.h"

#include <fmt/format.h>

#include <chrono>

#include "engine/base/budget.h"

namespace hlo {
namespace work_internal {

using Clock = std::chrono::steady_clock;

// Reading the clock costs as much as some dozens of steps.
constexpr uint64_t kStepsBetweenLooks = 1 << 14;

thread_local State state;

namespace {

struct Counted {
  bool active = false;
  WorkLimit::Limits limits;
  Clock::time_point end;
};
thread_local Counted counted;

}  // namespace

void LookAtClock() {
  if (!counted.active) return;
  state.steps_left = kStepsBetweenLooks;
  if (Clock::now() < counted.end) return;
  throw RunError(
      DiagCode::kTimeExceeded,
      fmt::format("stopped after {:.3g} s, the most that is spent on a text of this length",
                  counted.limits.seconds));
}

void ThrowOutOfBytes() {
  throw RunError(DiagCode::kMemoryExceeded,
                 fmt::format("stopped after {} bytes, the most that is made of a text of this "
                             "length",
                             counted.limits.bytes));
}

void ThrowOutOfText() {
  throw RunError(DiagCode::kMemoryExceeded,
                 fmt::format("stopped after {} bytes of printed text, the most for a text of this "
                             "length",
                             counted.limits.text_bytes));
}

}  // namespace work_internal

WorkLimit::Limits WorkLimit::ForText(size_t bytes) {
  constexpr double kBytesPerSecond = 2e6;  // slower than any text that is only long
  constexpr uint64_t kBytesPerByte = 64, kTextPerByte = 10;
  Limits limits;
  limits.seconds += static_cast<double>(bytes) / kBytesPerSecond;
  limits.bytes += kBytesPerByte * bytes;
  limits.text_bytes += kTextPerByte * bytes;
  return limits;
}

WorkLimit::WorkLimit(Limits limits) : counts_(!work_internal::counted.active) {
  if (!counts_) return;
  using work_internal::Clock;
  work_internal::counted = {true, limits,
                            Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                               std::chrono::duration<double>(limits.seconds))};
  work_internal::state = {work_internal::kStepsBetweenLooks, limits.bytes, limits.text_bytes};
}

WorkLimit::~WorkLimit() {
  if (!counts_) return;
  work_internal::counted.active = false;
  work_internal::state = {};
}

}  // namespace hlo
