#include "engine/base/budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>

#include "engine/base/byte_count.h"

namespace hlo {

std::string ByteCountText(double bytes) {
  constexpr std::string_view kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double value = bytes;
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(kUnits); ++unit) value /= 1024;
  return fmt::format("{} {}", std::round(10 * value) / 10, kUnits[unit]);
}

std::string Counted(int64_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::string Budget::Shortage(bool in_bytes) const {
  const std::string limit =
      "the memory limit of " + ByteCountText(static_cast<double>(limits_.memory_bytes));
  const uint64_t left = memory_left();
  if (left == limits_.memory_bytes) return "more than " + limit;
  return "but " +
         (in_bytes ? std::to_string(left) + " bytes" : ByteCountText(static_cast<double>(left))) +
         " of " + limit + " are left";
}

void Budget::Reserve(uint64_t bytes) {
  constexpr uint64_t kBetweenPolls = 1 << 12;
  if (++reservations_ % kBetweenPolls == 0) Poll();
  if (bytes > memory_left()) {
    std::string needed = ByteCountText(static_cast<double>(bytes));
    const bool looks_like_left = needed == ByteCountText(static_cast<double>(memory_left()));
    if (looks_like_left) needed = std::to_string(bytes) + " bytes";
    throw RunError(DiagCode::kMemoryExceeded, "needs " + needed + ", " + Shortage(looks_like_left));
  }
  used_ += bytes;
  ++arrays_;
  peak_ = std::max(peak_, used_);
}

void Budget::Steps(uint64_t count) {
  steps_ += count;
  CheckSteps();
  Poll();
}

void Budget::CheckSteps() const {
  if (steps_ <= limits_.steps) return;
  throw RunError(DiagCode::kStepsExceeded,
                 fmt::format("stopped after the limit of {} steps", limits_.steps));
}

void Budget::Step() {
  ++steps_;
  CheckSteps();
  // Reading the clock costs more than most instructions of a scalar loop: read it every so often.
  if (steps_ % 64 == 0) Poll();
}

void Budget::Poll() {
  if (cancelled_.load(std::memory_order_relaxed)) {
    throw RunError(DiagCode::kCancelled, "the run was cancelled");
  }
  if (seconds_used() > limits_.seconds) {
    throw RunError(DiagCode::kTimeExceeded,
                   fmt::format("stopped after the time limit of {} s", limits_.seconds));
  }
}

void Budget::Continue(Usage usage) {
  steps_ = usage.steps;
  start_ = Clock::now() - std::chrono::duration_cast<Clock::duration>(
                              std::chrono::duration<double>(usage.seconds));
  is_started_ = true;
}

double Budget::seconds_used() {
  const Clock::time_point now = Clock::now();
  if (!is_started_) {
    start_ = now;
    is_started_ = true;
  }
  return std::chrono::duration<double>(now - start_).count();
}

}  // namespace hlo
