// Types, constants and strings as MLIR text.
#ifndef HLO_ENGINE_MLIR_TEXT_MLIR_TEXT_H_
#define HLO_ENGINE_MLIR_TEXT_MLIR_TEXT_H_

#include <span>
#include <string>
#include <string_view>

#include "engine/types/shape.h"
#include "engine/types/tensor.h"

namespace hlo::mlir {

/// Whether MLIR has the element type: all but s1 and u1.
bool HasMlirType(ElementType type);
/// `i1`, `ui8`, `f8E4M3FN`, `complex<f32>`.
std::string ElementText(ElementType type);
/// `tensor<2x3xf32>`, `tensor<?xf32, #stablehlo.bounds<4>>`, `!stablehlo.token`, `tuple<...>`.
/// Precondition: MLIR has the element types, and nothing is opaque.
void AppendType(const Shape& shape, std::string* out);
std::string TypeText(const Shape& shape);

/// `dense<...>`, without its type: floats as MLIR prints them, a splat if all have the same bits,
/// hexadecimal bytes for more than a hundred elements.
void AppendElements(const Tensor& tensor, std::string* out);
/// `dense<[[0, 1]]> : tensor<1x2xi64>` of rows of this length; shorter ones are padded with -1.
std::string DenseRows(std::span<const Dims> rows, size_t width);
/// `dense<[1, 0]> : tensor<2xindex>`.
std::string IndexTensorText(std::span<const int64_t> numbers);
/// A number with a decimal point that reads back to the same f64 (f32 if `is_f32`).
void AppendFloatText(double value, bool is_f32, std::string* out);
/// `@name`, in quotes unless it is a bare identifier.
void AppendSymbol(std::string_view name, std::string* out);
/// `"..."` with MLIR's escapes.
void AppendQuoted(std::string_view text, std::string* out);
/// `1, 0`.
std::string JoinDims(std::span<const int64_t> dims);
/// `array<i64: 1, 0>`.
std::string I64Array(std::span<const int64_t> dims);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_TEXT_MLIR_TEXT_H_
