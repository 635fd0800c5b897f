// The error of a run's values, one after the other, in a bounded number of points.
#ifndef HLO_ENGINE_PRECISION_GROWTH_H_
#define HLO_ENGINE_PRECISION_GROWTH_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/run/trace.h"

namespace hlo {

/// Some executions that follow one another: the one with the largest error stands for them.
struct GrowthPoint {
  int64_t begin = 0, count = 0;  ///< in the order in which they were compared
  const Instruction* instruction = nullptr;
  int64_t device = 0;
  IterationPath iterations;
  double norm = 0;        ///< ValueError::norm
  double ulp = 0;         ///< ValueError::ulp
  double introduced = 0;  ///< the norm beyond the sum of the operands'
};

/// Collects points. When there are too many, neighbours are joined.
class Growth {
 public:
  static constexpr size_t kMostPoints = 2048;

  /// The next execution; its `begin` and `count` are set here.
  void Add(GrowthPoint point) {
    point.begin = next_++;
    point.count = 1;
    if (!points_.empty() && points_.back().count < width_) return Join(points_.back(), point);
    if (points_.size() == kMostPoints) Halve();
    points_.push_back(std::move(point));
  }
  std::vector<GrowthPoint> Take() { return std::move(points_); }

 private:
  static void Join(GrowthPoint& point, GrowthPoint& next) {
    const int64_t begin = point.begin, count = point.count + next.count;
    if (next.norm > point.norm) point = std::move(next);
    point.begin = begin;
    point.count = count;
  }
  void Halve() {
    for (size_t i = 0; 2 * i + 1 < points_.size(); ++i) {
      if (i > 0) points_[i] = std::move(points_[2 * i]);
      Join(points_[i], points_[2 * i + 1]);
    }
    points_.resize(points_.size() / 2);
    width_ *= 2;
  }

  std::vector<GrowthPoint> points_;
  int64_t next_ = 0;
  int64_t width_ = 1;  // how many executions a point has
};

}  // namespace hlo

#endif  // HLO_ENGINE_PRECISION_GROWTH_H_
