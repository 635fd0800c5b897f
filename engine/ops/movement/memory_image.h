// The bytes of a value under a layout: what would lie in a device's memory.
#ifndef HLO_ENGINE_OPS_MOVEMENT_MEMORY_IMAGE_H_
#define HLO_ENGINE_OPS_MOVEMENT_MEMORY_IMAGE_H_

#include <cstddef>
#include <memory>

#include "engine/base/budget.h"
#include "engine/layout/layout_map.h"
#include "engine/types/shape.h"
#include "engine/types/tensor.h"

namespace hlo {

/// Where the elements of an array of this shape lie in memory. Throws RunError when its layout says
/// no such thing.
std::unique_ptr<LayoutMap> ImageMap(const Shape& shape);

/// Writes the elements of a tensor to the places that the map gives them. `image` has
/// map.byte_size() bytes, all zero before; padding is not written. The map's dims are the tensor's.
/// Elements narrower than a byte are packed when the map says so (`E`). Polls the budget (not
/// null).
void WriteImage(const Tensor& tensor, const LayoutMap& map, std::byte* image, Budget* budget);

/// Writes what the layout of the array says its padding holds (`PAD(3,5;9)`); nothing where it says
/// nothing. `map` is the shape's. Polls the budget (not null).
void WritePadding(const Shape& shape, const LayoutMap& map, std::byte* image, Budget* budget);

/// The reverse: reads every element of the (unique) tensor from the image. Bits that its type does
/// not have are dropped: pred becomes 0 or 1, narrow integers are extended as values are kept.
void ReadImage(const std::byte* image, const LayoutMap& map, Tensor* tensor, Budget* budget);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_MOVEMENT_MEMORY_IMAGE_H_
