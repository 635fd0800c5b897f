// Strides as numpy and torch have them: `strides=(128,1) offset=5`.
#ifndef HLO_ENGINE_LAYOUT_STRIDES_LAYOUT_H_
#define HLO_ENGINE_LAYOUT_STRIDES_LAYOUT_H_

#include <optional>
#include <string>

#include "engine/layout/cursor.h"
#include "engine/layout/strided_map.h"

namespace hlo {

/// Reads strides and offset to the end of the text, in any order, with or without commas between:
/// `(128,1)` or `strides=(128,1)` and `offset=5` count elements, as torch's `stride()` and
/// `storage_offset()` do; `byte_strides=(512,4)` and `byte_offset=20` count bytes, as numpy's
/// `strides` do. `shape=(8,128)` where no dimensions precede. Strides may be negative. Nothing,
/// with diagnostics, when the text has another form or does not fit the dimensions.
std::optional<StridedMap::Parts> ParseStrides(Cursor& in, const std::optional<Dims>& dims,
                                              int64_t element_bits);
/// "(128,1) offset=5": in elements; modes() has one digit per dimension.
std::string StridesText(const DigitForm& modes);

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_STRIDES_LAYOUT_H_
