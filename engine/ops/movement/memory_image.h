// The bytes of a value under a layout: its image in device memory.
#ifndef HLO_ENGINE_OPS_MOVEMENT_MEMORY_IMAGE_H_
#define HLO_ENGINE_OPS_MOVEMENT_MEMORY_IMAGE_H_

#include <cstddef>
#include <memory>

#include "engine/base/budget.h"
#include "engine/layout/layout_map.h"
#include "engine/types/shape.h"
#include "engine/types/tensor.h"

namespace hlo {

/// The map from the elements of an array of this shape to memory. Throws RunError if its layout has
/// none.
std::unique_ptr<LayoutMap> ImageMap(const Shape& shape);

/// Writes the elements of a tensor to their addresses in the map. `image` has map.byte_size()
/// bytes, initially zero; padding is not written. The map and the tensor have the same dims.
/// Elements narrower than a byte are packed if the layout says so (`E`). Polls the budget (not
/// null).
void WriteImage(const Tensor& tensor, const LayoutMap& map, std::byte* image, Budget* budget);

/// Writes the padding value that the layout specifies (`PAD(3,5;9)`); nothing if it specifies none.
/// `map` is the shape's. Polls the budget (not null).
void WritePadding(const Shape& shape, const LayoutMap& map, std::byte* image, Budget* budget);

/// The inverse: reads every element of the (unique) tensor from the image. Bits that its type does
/// not have are dropped: pred becomes 0 or 1, narrow integers are sign- or zero-extended as in
/// storage.
void ReadImage(const std::byte* image, const LayoutMap& map, Tensor* tensor, Budget* budget);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_MOVEMENT_MEMORY_IMAGE_H_
