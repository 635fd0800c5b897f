// Values that are the same in every execution of a computation, kept from one to the next.
#ifndef HLO_ENGINE_RUN_FOLD_CACHE_H_
#define HLO_ENGINE_RUN_FOLD_CACHE_H_

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/plan/plan.h"
#include "engine/types/tensor.h"

namespace hlo {

/// Per computation: the first execution is an ordinary one, for most computations the only one; the
/// second fills in what is kept (plan/folding.h); all later ones take it from here.
class FoldCache {
 public:
  /// In all, bytes: what does not fit is computed again and again.
  static constexpr int64_t kMostBytes = int64_t{64} << 20;

  struct Entry {
    enum class State : uint8_t { kNew, kSeen, kFilling, kReady, kTooLarge } state = State::kNew;
    std::vector<std::pair<int32_t, Value>> values;  ///< by position in the computation
    int64_t bytes = 0;
  };

  /// Counts an execution that begins.
  Entry& Enter(const ComputationPlan& plan) { return entries_[&plan]; }

  void Keep(Entry& entry, size_t position, const Value& value, int64_t bytes) {
    bytes_ += bytes;
    if (bytes_ > kMostBytes) {
      entry.state = Entry::State::kTooLarge;
      entry.values.clear();
      return;
    }
    entry.values.emplace_back(static_cast<int32_t>(position), value);
    entry.bytes += bytes;
  }
  /// The execution that fills it ended before its time.
  void Abandon(Entry& entry) {
    bytes_ -= std::exchange(entry.bytes, 0);
    entry.values.clear();
    entry.state = Entry::State::kSeen;
  }

 private:
  std::unordered_map<const ComputationPlan*, Entry> entries_;
  int64_t bytes_ = 0;
};

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_FOLD_CACHE_H_
