// Literal text: constants in HLO, inputs and outputs of runs.
// Source: XLA, hlo/parser/hlo_parser.cc (ParseLiteral), literal.cc.
#ifndef HLO_ENGINE_TYPES_LITERAL_H_
#define HLO_ENGINE_TYPES_LITERAL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/diagnostics.h"
#include "engine/types/shape.h"
#include "engine/types/tensor.h"

namespace hlo {

/// A constant's value. `elided` when the text was `{...}` or ended in `...}`: the value is unknown
/// and must not be used unless the caller chose a fill.
/// Where an array is filled with one scalar, the value may be that scalar, without dimensions
/// (`WholeValue` makes the array).
struct Literal {
  Value value;
  bool elided = false;
};

/// Parses a literal of the given shape at the start of `text`: `3`, `{1, 2}`, `{{1,2},{3,4}}`,
/// `(1, -2)`, tuples `( lit, lit )` (with `shaped_elements`: every array preceded by its shape). A
/// scalar where an array is expected fills it, as XLA's tests use it. Arrays with dynamic
/// dimensions may be shorter than their bounds; their run-time sizes may precede them:
/// `(3) {1,2,3}`. Comments and white space are allowed. `*consumed` is the length read. Faults are
/// located from base_offset. Rules and messages are XLA's, except that `-0` is -0 for floats,
/// integers of any size are read for floats, and `nan` as the real part of a complex number does
/// not affect the imaginary part. Memory is charged to the budget, which must outlive the value
/// (null: at most 1 GiB). Except for dynamic arrays it is never more than the text can fill: a
/// literal shorter than its shape is refused before its array is made, and without a budget a
/// scalar that fills more than `kLargestWrittenFill` bytes stays a scalar.
std::optional<Literal> ParseLiteral(std::string_view text, const Shape& shape, uint32_t base_offset,
                                    uint32_t* consumed, Diagnostics& diagnostics,
                                    Budget* budget = nullptr, bool shaped_elements = false);

/// "s32[2,3] {{1,2,3},{4,5,6}}": a shape, then its literal, and nothing else. The form of inputs
/// and expected outputs. Tuples are `(shape, shape) (literal, literal)` or, element by element,
/// `(shape literal, shape literal)`. A layout directly follows the `]`.
struct ShapedLiteral {
  Shape shape;
  Literal literal;
};
std::optional<ShapedLiteral> ParseShapedLiteral(std::string_view text, Diagnostics& diagnostics,
                                                Budget* budget = nullptr);
/// Bytes. A scalar that fills more stays a scalar in a program, and is printed as one.
constexpr int64_t kLargestWrittenFill = int64_t{1} << 16;
/// The value of a literal of this shape with all its elements: those of filled arrays are made here
/// and charged to the budget. Throws RunError(kMemoryExceeded).
Value WholeValue(const Value& value, const Shape& shape, Budget* budget);
/// The same at the start of `text`; custom-call's `literal=` has this form.
std::optional<ShapedLiteral> ParseShapedLiteralPrefix(std::string_view text, uint32_t base_offset,
                                                      uint32_t* consumed, Diagnostics& diagnostics,
                                                      Budget* budget = nullptr);

/// How a literal is printed.
struct LiteralTextOptions {
  bool shape = false;       ///< Put its shape in front of every array.
  bool layout = false;      ///< With `shape`: the layout too.
  bool hlo_spacing = true;  ///< `{ { 1, 2 }, { 3, 4 } }` as XLA prints; false: `{{1, 2}, {3, 4}}`.
  int64_t max_elements = -1;  ///< Arrays with more elements print as `{...}`; -1: no limit.
};
void AppendLiteral(const Value& value, const Shape& shape, const LiteralTextOptions& options,
                   std::string* out);
std::string LiteralText(const Value& value, const Shape& shape,
                        const LiteralTextOptions& options = {});
/// One element, as it prints inside a literal: shortest text that reads back to the same bits.
void AppendElement(const Tensor& tensor, int64_t index, std::string* out);

}  // namespace hlo

#endif  // HLO_ENGINE_TYPES_LITERAL_H_
