// How many bytes the arrays of shapes take, with and without the padding of their layouts.
#ifndef HLO_ENGINE_COST_ARRAY_BYTES_H_
#define HLO_ENGINE_COST_ARRAY_BYTES_H_

#include <unordered_map>

#include "engine/cost/cost.h"
#include "engine/types/shape.h"

namespace hlo {

/// The bytes of an array.
struct StoredBytes {
  double elements = 0;  ///< of the elements alone, as they are stored
  double padding = 0;   ///< what tiles and alignment add
  double vmem = 0;      ///< both, of arrays in memory space 1
};

/// Whether an array is in memory space 1: the vector memory of a TPU, which is no part of what
/// crosses its other memory.
bool IsInVmem(const Shape& array);

/// Sizes of shapes that stay where they are: each is worked out once. Unknown sizes count as
/// nothing.
class ShapeBytes {
 public:
  /// Over all arrays in the shape.
  const StoredBytes& Of(const Shape& shape);

  /// All of a shape is read, or written.
  Traffic Read(const Shape& shape);
  Traffic Written(const Shape& shape);
  /// So many bytes of the shape's elements are read, and of its padding a share that fits.
  Traffic ReadPart(const Shape& shape, double bytes);
  Traffic WrittenPart(const Shape& shape, double bytes);

 private:
  double ShareOf(const Shape& shape, double bytes);
  std::unordered_map<const Shape*, StoredBytes> known_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_COST_ARRAY_BYTES_H_
