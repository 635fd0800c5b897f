// Several elements in a byte: what a layout with `E(1)`, `E(2)` or `E(4)` stores.
// Source: XLA, util.h, PackIntN and UnpackIntN.
#ifndef HLO_ENGINE_TYPES_PACKING_H_
#define HLO_ENGINE_TYPES_PACKING_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/types/element_type.h"

namespace hlo {

/// Bytes that `elements` elements of `bits` (1, 2, 4 or 8) bits take when packed; 0 <= elements.
int64_t PackedBytes(int64_t elements, int bits);

/// Packs one-byte elements: element k is in bits [k*bits, (k+1)*bits) from the low bit of byte 0.
/// Only the low `bits` of an element count; unused bits of the last byte are 0. `packed` has
/// PackedBytes(elements.size(), bits) bytes.
void PackElements(std::span<const std::byte> elements, int bits, std::byte* packed);

/// The reverse for an element type stored in one byte: elements are sign-extended for signed
/// types and zero-extended for the others, as values are kept.
void UnpackElements(const std::byte* packed, int bits, ElementType type,
                    std::span<std::byte> elements);

}  // namespace hlo

#endif  // HLO_ENGINE_TYPES_PACKING_H_
