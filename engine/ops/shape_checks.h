// What the shape rules of ops share: checks that report, and small computations on shapes.
// Every check returns whether it holds and reports one diagnostic when it does not, so that a rule
// can continue and report several errors at once.
// Source: XLA, shape_inference.cc and hlo_verifier.cc.
#ifndef HLO_ENGINE_OPS_SHAPE_CHECKS_H_
#define HLO_ENGINE_OPS_SHAPE_CHECKS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/diagnostics.h"
#include "engine/kernels/element_loop.h"
#include "engine/ops/attributes.h"
#include "engine/ops/op_call.h"
#include "engine/types/shape.h"

namespace hlo {

// ---- Element types ------------------------------------------------------------------------------

/// XLA, ShapeUtil::HigherPrecisionElementType: complex before real, then the wider exponent range,
/// the longer significand, more bits, signed before unsigned.
ElementType HigherPrecision(ElementType a, ElementType b);
/// Whether float type a represents all values of float type b, infinities and NaN aside.
bool HoldsFloats(ElementType a, ElementType b);
/// Equal, or both floats of any width.
bool SameTypeUpToFloatWidth(ElementType a, ElementType b);
/// The type as XLA's messages name it: "F32", "PRED"; for other shapes "TUPLE", "TOKEN",
/// "OPAQUE_TYPE" or "BUFFER".
std::string TypeName(ElementType type);
std::string TypeName(const Shape& shape);
/// The layout with another order of dimensions and another `E`.
Layout WithOrder(const Layout& layout, Dims minor_to_major, int64_t element_bits);
/// An array of the same dimensions and layout with elements of another type, to which `E` of the
/// layout does not apply unless they are narrower than a byte. XLA, ShapeUtil::ChangeElementType.
Shape WithElementType(Shape shape, ElementType type);
/// Equal, or one of them unbounded. XLA's "compatible" dimension sizes.
bool CompatibleSizes(int64_t a, int64_t b);
/// Dimension d of a result, given that of one operand, with that of another: an unbounded size
/// becomes the other, which says more; of two that are not, one makes the result dynamic. XLA,
/// shape_inference.cc, InferMostSpecificDimAndBound.
void MergeDim(Shape& result, const Shape& operand, int d);
/// Both arrays with compatible dimensions; element types, layouts and dynamic flags ignored. XLA,
/// ShapeUtil::SameDimensions.
bool SameDims(const Shape& a, const Shape& b);
/// XLA, ShapeUtil::CompatibleIgnoringFpPrecision: dimensions and element types up to float width,
/// tuples element by element; layouts and dynamic flags ignored.
bool CompatibleUpToFloatWidth(const Shape& a, const Shape& b);

// ---- Checks of operands -------------------------------------------------------------------------

/// Operand i is an array.
bool CheckArray(const OpCall& call, int i, Diagnostics& out);
/// All operands from `first` on are arrays.
bool CheckArrays(const OpCall& call, Diagnostics& out, int first = 0);
/// Operand i is an array of an element type in the set.
bool CheckType(const OpCall& call, int i, TypeSet types, Diagnostics& out);
/// Operand i is a scalar of an element type in the set.
bool CheckScalar(const OpCall& call, int i, TypeSet types, Diagnostics& out);
/// Operand i is an array of this rank or more.
bool CheckMinRank(const OpCall& call, int i, int rank, Diagnostics& out);
/// Operand i has the dimensions of operand j (arrays). The message names the first dimension that
/// differs.
bool CheckSameDims(const OpCall& call, int i, int j, Diagnostics& out);
/// Operand i has the element type of operand j up to the width of floats (arrays).
bool CheckSameType(const OpCall& call, int i, int j, Diagnostics& out);
/// Operand i is a token.
bool CheckToken(const OpCall& call, int i, Diagnostics& out);
/// Operand i has this shape: dimensions and element type, up to the width of floats.
bool CheckOperandShape(const OpCall& call, int i, const Shape& expected, Diagnostics& out);

// ---- Checks of attributes -----------------------------------------------------------------------

/// Constraints on a list of dimension numbers besides being in range.
struct DimsRule {
  bool unique = true;
  bool sorted = false;  ///< strictly ascending
  int64_t count = -1;   ///< how many; -1: any
};
/// The numbers in the attribute are in [0, rank) and satisfy the constraint. `of` says for the
/// message whose dimensions they are: "operand 0".
bool CheckDims(const OpCall& call, std::string_view attr, int rank, std::string_view of,
               DimsRule rule, Diagnostics& out);
/// XLA's messages for errors in a list of dimension numbers: formats with {list} (all of them), {d}
/// (the faulty one), {i} (its index in the list) and {rank}.
struct DimListWords {
  std::string_view range;          ///< not in [0, rank)
  std::string_view repeated;       ///< given twice
  std::string_view unsorted = {};  ///< not ascending; empty: any order will do
};
/// The numbers in the attribute are in [0, rank), distinct, and ascending if there is a message for
/// that.
bool CheckDimList(const OpCall& call, std::string_view attr, int64_t rank,
                  const DimListWords& words, Diagnostics& out);
/// The attribute has exactly one dimension number, in [0, rank); returns it.
std::optional<int> CheckOneDim(const OpCall& call, std::string_view attr, int rank,
                               std::string_view of, Diagnostics& out);
/// The integer of the attribute is in [low, high).
bool CheckInt(const OpCall& call, std::string_view attr, int64_t low, int64_t high,
              Diagnostics& out);
/// Whether a list contains the value.
bool Contains(const Dims& dims, int64_t value);

// ---- Called computations ------------------------------------------------------------------------

/// The region has exactly `count` parameters. Reports at the attribute.
bool CheckParameterCount(const OpCall& call, std::string_view attr, const Region& region, int count,
                         Diagnostics& out);
/// The operand has exactly the shape of parameter i of the region, including the layout if layouts
/// are checked.
bool CheckArgument(const OpCall& call, std::string_view attr, const Region& region, int i,
                   int operand, Diagnostics& out);
/// If mixed precision is not allowed, the region's first parameters have exactly the element types
/// of the operands.
bool CheckParameterTypes(const OpCall& call, std::string_view attr, const Region& region,
                         Diagnostics& out);
/// XLA, shape_inference.cc, VerifyReducerShape, for `inputs` (of which only element types matter)
/// and as many `inits`: 2N scalar parameters, the result one scalar or a tuple of N.
bool CheckReducer(const OpCall& call, std::string_view attr, std::span<const Shape* const> inputs,
                  std::span<const Shape* const> inits, Diagnostics& out);
/// Element type i of the result of a region that returns a scalar or a tuple of scalars.
ElementType ResultType(const Region& region, int i);

// ---- Shapes -------------------------------------------------------------------------------------

/// XLA, window_util::StridedBound: the number of window positions. `?` stays `?`. Nothing on
/// overflow. Precondition: size, stride and dilations are positive.
std::optional<int64_t> WindowOutputSize(int64_t size, const WindowDim& window);
/// One window dimension per dimension of `operand`, sizes, strides and dilations positive.
bool CheckWindow(const OpCall& call, const Window& window, int rank, Diagnostics& out);
/// The result of sliding the window over `operand`, with another element type. Checks the window.
std::optional<Shape> WindowOutputShape(const OpCall& call, const Shape& operand,
                                       const Window& window, ElementType type, Diagnostics& out);
/// An array shape of these dimensions; reports an element count that overflows.
std::optional<Shape> CheckedArray(const OpCall& call, ElementType type, const Dims& dims,
                                  Diagnostics& out);
/// `shapes` alone, or the tuple of them when there are several.
Shape OneOrTuple(std::vector<Shape> shapes);
/// The inverse: part i, where `whole` is the shape of one part or the tuple of all.
const Shape& PartShape(const Shape& whole, int i);

/// "{0,2}".
std::string DimsText(std::span<const int64_t> dims);
/// The name of operand i: "operand 1 (update)".
std::string OperandName(const OpCall& call, int i);
/// Reports at operand i / at an attribute / at the opcode; `message` is prefixed with the opcode.
void ReportOperand(const OpCall& call, int i, DiagCode code, std::string_view message,
                   Diagnostics& out);
void ReportAttr(const OpCall& call, std::string_view attr, DiagCode code, std::string_view message,
                Diagnostics& out);
void ReportOp(const OpCall& call, DiagCode code, std::string_view message, Diagnostics& out);
/// Reports wrong dimension numbers at an attribute. Returns false, for use in checks.
bool FailDims(const OpCall& call, std::string_view attr, std::string_view message,
              Diagnostics& out);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_SHAPE_CHECKS_H_
