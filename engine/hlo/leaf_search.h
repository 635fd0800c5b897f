// Whether something is somewhere in a shape, asked about many shapes.
#ifndef HLO_ENGINE_HLO_LEAF_SEARCH_H_
#define HLO_ENGINE_HLO_LEAF_SEARCH_H_

#include <unordered_set>
#include <vector>

#include "engine/base/work_limit.h"
#include "engine/types/shape.h"

namespace hlo {

/// Remembers the tuples in which it found nothing. Tuples share their parts, so that a short text
/// can have a type of 10^5 parts on each of 10^5 instructions. The shapes must outlive the search.
class LeafSearch {
 public:
  using Test = bool (*)(const Shape& leaf);
  explicit LeafSearch(Test test) : test_(test) {}

  /// Whether the test holds for the shape or, of a tuple, for a leaf at any depth.
  bool IsIn(const Shape& shape) {
    if (!shape.IsTuple()) return test_(shape);
    const std::vector<Shape>& elements = shape.elements();
    if (elements.empty() || without_.contains(elements.data())) return false;
    CountWork(elements.size());
    for (const Shape& element : elements) {
      if (IsIn(element)) return true;
    }
    without_.insert(elements.data());
    return false;
  }

 private:
  Test test_;
  std::unordered_set<const Shape*> without_;  ///< the first parts of tuples
};

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_LEAF_SEARCH_H_
