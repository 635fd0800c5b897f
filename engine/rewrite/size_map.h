// Smaller sizes of dimensions for a whole program.
#ifndef HLO_ENGINE_REWRITE_SIZE_MAP_H_
#define HLO_ENGINE_REWRITE_SIZE_MAP_H_

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "engine/ops/size_rules.h"

namespace hlo {

/// A new size for every size that dimensions of a program have: dimensions of equal sizes have
/// equal sizes still, and the rules of the ops hold.
class SizeMap {
 public:
  /// Sizes below this stay as they are, and none becomes smaller than kLeast.
  static constexpr int64_t kSmall = 8;
  static constexpr int64_t kLeast = 2;

  /// `sizes` are all that occur.
  SizeMap(const std::set<int64_t>& sizes, const SizeRules& rules);

  int64_t operator()(int64_t size) const;
  /// Divides the largest size that can be divided, and what must change with it, such that `cost`
  /// of the map becomes smaller. False when there is none.
  bool Shrink(const std::function<double(const SizeMap&)>& cost);
  /// The sizes that have changed, with the new ones.
  std::map<int64_t, int64_t> changes() const;
  /// From now on the size stays as it is; it must not have changed.
  void Keep(int64_t size) { kept_.insert(size); }

 private:
  /// Some relation of sizes that must hold; `excess` gives those of which one must become smaller
  /// when it does not.
  struct Rule {
    enum class Kind : uint8_t { kProduct, kSum, kOrder, kRatio };
    Kind kind;
    std::vector<int64_t> left, right;
  };
  /// The sizes of which one must become smaller for the rule to hold; none when it holds.
  const std::vector<int64_t>* Excess(const Rule& rule) const;
  bool Divide(int64_t size, int64_t divisor);
  /// Makes one part of a sum what the others leave.
  bool TakeRest(const Rule& rule, int64_t size);
  /// Divides further sizes until all rules hold that are about what has been divided.
  bool Restore(int64_t divisor, int* attempts);
  bool TryStep(int64_t size, int64_t divisor);

  std::map<int64_t, int64_t> sizes_;  ///< old to new
  std::set<int64_t> kept_;
  std::set<int64_t> bound_;  ///< sizes in products, sums and ratios: divided without remainder
  std::set<std::pair<int64_t, int64_t>> failed_;  ///< sizes and divisors that are of no use
  std::vector<Rule> rules_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_REWRITE_SIZE_MAP_H_
