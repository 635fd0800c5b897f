// Reading the elements of literals.
#ifndef HLO_ENGINE_TYPES_ELEMENT_READER_H_
#define HLO_ENGINE_TYPES_ELEMENT_READER_H_

#include <cstddef>
#include <cstdint>

#include "engine/types/element_type.h"
#include "engine/types/number_text.h"
#include "engine/types/scanner.h"
#include "engine/types/shape.h"

namespace hlo {

/// Reads up to `most` (at least one) elements from the scanner, separated by commas or space, into
/// the storage at `out`, and stops before whatever is no element: a brace, a comment, the end.
/// Returns how many were read; -1 after a fault, which is reported. No element at all is a fault.
/// The first one is number `index` of an array of `shape`, for messages.
///
/// As in XLA, u64 takes negative numbers modulo 2^64, and s64 those up to 2^64-1: a warning says
/// so.
int64_t ReadElementTexts(ElementType type, Scanner& in, std::byte* out, int64_t most,
                         const Shape* shape = nullptr, int64_t index = 0);

}  // namespace hlo

#endif  // HLO_ENGINE_TYPES_ELEMENT_READER_H_
