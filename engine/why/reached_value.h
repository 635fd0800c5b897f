// The elements of one value that are reached, while they are found. Internal to engine/why.
#ifndef HLO_ENGINE_WHY_REACHED_VALUE_H_
#define HLO_ENGINE_WHY_REACHED_VALUE_H_

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "engine/why/dependence.h"
#include "engine/why/marks.h"

namespace hlo {

/// Marks in the arrays of a value, which must outlive it.
class ReachedValue {
 public:
  explicit ReachedValue(const Value& value) : value_(value) {}
  bool empty() const { return parts_.empty(); }

  /// What is marked of an array of the value; null when there is none that has elements.
  Marks* At(const Dims& path) {
    Part* part = Find(path);
    if (part && !part->own) part->own = std::make_shared<Marks>(*part->shared);
    if (part) return part->own.get();
    const Tensor* array = ArrayAt(value_, path);
    if (!array || array->element_count() == 0) return nullptr;
    Part& made = parts_[path];
    made.own = std::make_shared<Marks>(array->dims());
    return made.own.get();
  }
  /// All that is marked elsewhere of an array of these sizes; nothing is copied where it is alone.
  void Take(const Dims& path, const std::shared_ptr<const Marks>& marks) {
    const Tensor* array = ArrayAt(value_, path);
    if (!array || array->dims() != marks->dims()) return;
    if (Find(path)) {
      At(path)->AddAll(*marks);
    } else {
      parts_[path].shared = marks;
    }
  }
  MarkedValue Finish() && {
    MarkedValue marked;
    for (auto& [path, part] : parts_) {
      std::shared_ptr<const Marks> marks = part.own ? std::move(part.own) : std::move(part.shared);
      if (marks->count() > 0) marked.push_back({path, std::move(marks)});
    }
    return marked;
  }

 private:
  struct Part {
    std::shared_ptr<const Marks> shared;
    std::shared_ptr<Marks> own;
  };
  Part* Find(const Dims& path) {
    const auto found = parts_.find(path);
    return found == parts_.end() ? nullptr : &found->second;
  }
  struct IsBefore {
    bool operator()(const Dims& a, const Dims& b) const {
      return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
    }
  };

  const Value& value_;
  std::map<Dims, Part, IsBefore> parts_;  // by path
};

}  // namespace hlo

#endif  // HLO_ENGINE_WHY_REACHED_VALUE_H_
