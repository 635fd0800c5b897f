// The braces of an array's literal.
#ifndef HLO_ENGINE_TYPES_LITERAL_NESTING_H_
#define HLO_ENGINE_TYPES_LITERAL_NESTING_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/base/small_vector.h"

namespace hlo {

/// The nesting of braces while the literal of an array is read: how many elements every open level
/// has seen, against how many it should have. The messages are XLA's.
class LiteralNesting {
 public:
  /// `sizes[i]` is how many elements dimension i has; where bit i of `open` is set, how many it has
  /// at most: there the first closing brace settles the size. At least one dimension.
  LiteralNesting(Dims sizes, uint32_t open);

  int rank() const { return static_cast<int>(sizes_.size()); }
  /// Braces open now.
  int level() const { return level_; }
  const Dims& sizes() const { return sizes_; }
  /// Elements that the innermost dimension still takes.
  int64_t room() const { return sizes_.back() - seen_.back(); }
  void Count(int64_t elements) { seen_.back() += elements; }

  /// A brace was read: the fault in that, empty when there is none.
  std::string Open();
  std::string Close();
  /// `...` was read, which stands for the rest of the outermost dimension.
  std::string Elide();

  /// The sizes in the end. Those that no brace settled, because a dimension around them is empty,
  /// are 0.
  Dims SettledSizes() const;

 private:
  bool IsOpen(int dim) const { return dim < 32 && ((open_ >> dim) & 1) != 0; }
  // The index, in the first `dims` dimensions, of the sub-array that is being read: "[0,2]".
  std::string Place(int dims) const;

  Dims sizes_;
  Dims seen_;
  uint32_t open_;
  int level_ = 0;
};

}  // namespace hlo

#endif  // HLO_ENGINE_TYPES_LITERAL_NESTING_H_
