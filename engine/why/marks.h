// Which elements of the arrays of a value are marked.
#ifndef HLO_ENGINE_WHY_MARKS_H_
#define HLO_ENGINE_WHY_MARKS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/function_ref.h"
#include "engine/why/boxes.h"

namespace hlo {

/// A set of elements of one array: a bit for each, in row-major order.
class Marks {
 public:
  explicit Marks(Dims dims);
  const Dims& dims() const { return dims_; }
  int64_t count() const { return count_; }
  int64_t size() const { return size_; }
  size_t bytes() const { return words_.size() * sizeof(uint64_t) + sizeof(*this); }
  bool Has(int64_t number) const {
    return ((words_[static_cast<size_t>(number / 64)] >> (number % 64)) & 1) != 0;
  }
  void Add(int64_t number);
  void AddBox(const Box& box);
  void AddAll(const Marks& other);
  void AddEverything();
  /// In order, by number.
  void ForEach(FunctionRef<void(int64_t number)> visit) const;
  /// Boxes that hold exactly these elements, as long as there are no more than `most`.
  std::vector<Box> Boxes(size_t most, bool* has_more) const;

 private:
  Dims dims_;
  int64_t size_ = 1;
  int64_t count_ = 0;
  std::vector<uint64_t> words_;
};

/// Of one array of a value.
struct MarkedPart {
  Dims path;
  std::shared_ptr<const Marks> marks;
};
using MarkedValue = std::vector<MarkedPart>;

}  // namespace hlo

#endif  // HLO_ENGINE_WHY_MARKS_H_
