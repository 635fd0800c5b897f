// The elements of one value that are reached, while they are found. Internal to engine/why.
#ifndef HLO_ENGINE_WHY_REACHED_VALUE_H_
#define HLO_ENGINE_WHY_REACHED_VALUE_H_

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
    parts_.push_back({path, nullptr, std::make_shared<Marks>(array->dims())});
    return parts_.back().own.get();
  }
  /// All that is marked elsewhere of an array of these sizes; nothing is copied where it is alone.
  void Take(const Dims& path, const std::shared_ptr<const Marks>& marks) {
    const Tensor* array = ArrayAt(value_, path);
    if (!array || array->dims() != marks->dims()) return;
    if (Find(path)) {
      At(path)->AddAll(*marks);
    } else {
      parts_.push_back({path, marks, nullptr});
    }
  }
  MarkedValue Finish() && {
    MarkedValue marked;
    for (Part& part : parts_) {
      std::shared_ptr<const Marks> marks = part.own ? std::move(part.own) : std::move(part.shared);
      if (marks->count() > 0) marked.push_back({part.path, std::move(marks)});
    }
    return marked;
  }

 private:
  struct Part {
    Dims path;
    std::shared_ptr<const Marks> shared;
    std::shared_ptr<Marks> own;
  };
  Part* Find(const Dims& path) {
    for (Part& part : parts_) {
      if (part.path == path) return &part;
    }
    return nullptr;
  }

  const Value& value_;
  std::vector<Part> parts_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_WHY_REACHED_VALUE_H_
