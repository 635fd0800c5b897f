// The elements of dense<...> attributes.
#ifndef HLO_ENGINE_MLIR_TEXT_DENSE_H_
#define HLO_ENGINE_MLIR_TEXT_DENSE_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/base/budget.h"
#include "engine/base/diagnostics.h"
#include "engine/types/shape.h"
#include "engine/types/tensor.h"

namespace hlo::mlir {

/// Parses the text between the angle brackets of `dense<...>`: nested lists, a splat, hexadecimal
/// floats, `"0x..."` bytes in little-endian order (i1 packed), nothing for no elements. Nothing
/// after an error, which is reported relative to `offset`, the place of `text` in the source.
/// Memory is allocated from `budget` (null: at most 1 GiB a tensor).
std::optional<Tensor> ReadDense(std::string_view text, uint32_t offset, const Shape& shape,
                                Diagnostics& diagnostics, Budget* budget);

/// The scalar of `dense<0.0>` where it fills more than `kLargestWrittenFill` bytes, so that a large
/// constant is one number until it is used. Nothing for smaller arrays and for all other elements,
/// right or wrong, which ReadDense reads.
std::optional<Tensor> ReadFill(std::string_view text, const Shape& shape);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_TEXT_DENSE_H_
