// The values of the last steps of a run that is gone through in order. Internal to engine/why.
#ifndef HLO_ENGINE_WHY_RECENT_VALUES_H_
#define HLO_ENGINE_WHY_RECENT_VALUES_H_

#include <algorithm>
#include <cstdint>
#include <deque>
#include <unordered_map>

#include "engine/timeline/timeline.h"

namespace hlo {

/// Values of the last steps, up to so many bytes; others are replayed.
class RecentValues {
 public:
  explicit RecentValues(Timeline& timeline) : timeline_(timeline) {}

  void Keep(int64_t step, const Value& value) {
    if (step == kNoStep || !known_.emplace(step, value).second) return;
    order_.push_back(step);
    bytes_ += SizeOf(value);
    const auto limit = static_cast<int64_t>(
        std::min<uint64_t>(uint64_t{64} << 20, timeline_.budget()->memory_left() / 4));
    while (order_.size() > 1 && (bytes_ > limit || order_.size() > kMostKept)) {
      const auto oldest = known_.find(order_.front());
      bytes_ -= SizeOf(oldest->second);
      known_.erase(oldest);
      order_.pop_front();
    }
  }
  Value At(int64_t step) {
    if (step == kNoStep) return Value();
    const auto found = known_.find(step);
    if (found != known_.end()) return found->second;
    Value value = timeline_.At(step).value;
    Keep(step, value);
    return value;
  }

 private:
  static constexpr size_t kMostKept = 100'000;
  static int64_t SizeOf(const Value& value) {
    if (value.is_array()) return value.tensor().byte_size() + 64;
    int64_t bytes = 64;
    if (value.is_tuple()) {
      for (const Value& element : value.elements()) bytes += SizeOf(element);
    }
    return bytes;
  }

  Timeline& timeline_;
  std::unordered_map<int64_t, Value> known_;
  std::deque<int64_t> order_;
  int64_t bytes_ = 0;
};

}  // namespace hlo

#endif  // HLO_ENGINE_WHY_RECENT_VALUES_H_
