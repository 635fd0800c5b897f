// How often long operations poll the budget.
#ifndef HLO_ENGINE_BASE_PACER_H_
#define HLO_ENGINE_BASE_PACER_H_

#include <cstdint>

#include "engine/base/budget.h"

namespace hlo {

/// Counts work (multiplications, elements) and polls the budget about every kPollWork of it.
class Pacer {
 public:
  static constexpr int64_t kPollWork = int64_t{1} << 16;

  /// `budget` is not null and outlives the pacer.
  explicit Pacer(Budget* budget) : budget_(budget) {}

  /// Throws what Budget::Poll does.
  void Add(int64_t work) {
    work_ += work;
    if (work_ < kPollWork) return;
    work_ = 0;
    budget_->Poll();
  }

  Budget* budget() const { return budget_; }

 private:
  Budget* budget_;
  int64_t work_ = 0;
};

}  // namespace hlo

#endif  // HLO_ENGINE_BASE_PACER_H_
