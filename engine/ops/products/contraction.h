// Sums of products over paired dimensions: dot without its attributes.
#ifndef HLO_ENGINE_OPS_PRODUCTS_CONTRACTION_H_
#define HLO_ENGINE_OPS_PRODUCTS_CONTRACTION_H_

#include <cstddef>

#include "engine/base/budget.h"
#include "engine/base/small_vector.h"
#include "engine/kernels/multiply_add.h"
#include "engine/kernels/ready_elements.h"
#include "engine/ops/eval.h"
#include "engine/types/element_type.h"
#include "engine/types/shape.h"
#include "engine/types/tensor.h"

namespace hlo {

/// Which dimensions of the operands are paired. Entry i of a list for lhs goes with entry i of the
/// same list for rhs; of the contracted ones the last pair varies fastest.
struct DotDims {
  Dims lhs_batch, lhs_contracting;
  Dims rhs_batch, rhs_contracting;
};

/// The dimensions of an operand of this rank that are in neither list, in ascending order.
Dims FreeDims(int rank, const Dims& batch, const Dims& contracting);

/// The type in which products of a result type are accumulated: f32 for floats of 16 bits and less;
/// f32, f64 and complex numbers in their own type; integers and pred in 32 or 64 bits, wrapping.
ElementType SumType(ElementType type);

/// The run-time sizes of an operand, those of paired dimensions no larger than the partner's.
Dims LhsSizes(const Tensor& lhs, const Tensor& rhs, const DotDims& dims);
Dims RhsSizes(const Tensor& lhs, const Tensor& rhs, const DotDims& dims);

/// Converts the leading `sizes` of an operand to `type` and then to the accumulation type, densely;
/// dimension i of the result is dimension order[i] of the operand.
Tensor PackOperand(const Tensor& operand, ElementType type, const Dims& sizes, const Dims& order,
                   Budget* budget);

/// MultiplyMatrices for an accumulation type; `ready` may be null.
using MatrixProduct = void (*)(const std::byte* a, const std::byte* b, std::byte* c, int64_t m,
                               int64_t k, int64_t n, Budget* budget, MultiplyAdd step,
                               const ElementsReady* ready);
MatrixProduct ProductOf(ElementType sum_type);

/// result[batch..., lhs free..., rhs free...] = sum of lhs * rhs over the contracted dimensions.
/// The operands are converted to `type` first; floats of 16 bits and less are then summed in f32;
/// f32, f64 and complex numbers in their own type; integers modulo 2^32 or 2^64; the sum is rounded
/// (integers: wrapped) to `type`. For pred the sum is a logical or. Run-time sizes: elements beyond
/// them count as zero. Source: XLA, hlo_evaluator_typed_visitor.h, HandleDot. `pieces`, if not
/// null, are given parts of the result while it is computed, where ContractionUnit says so.
Tensor Contract(const Tensor& lhs, const Tensor& rhs, const DotDims& dims, ElementType type,
                Budget* budget, MultiplyAdd step = MultiplyAdd::kSeparate,
                ResultPieces* pieces = nullptr);

/// Contract gives parts of its result that are multiples of so many elements: rows, or elements. 0:
/// it gives none, since the product is thin, or its sums are rounded once all of them are there.
/// The operands' dimensions are known.
int64_t ContractionUnit(const Shape& lhs, const Shape& rhs, const DotDims& dims, ElementType type);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_PRODUCTS_CONTRACTION_H_
