// Sums of products over paired dimensions: what dot computes, apart from its attributes.
#ifndef HLO_ENGINE_OPS_CONTRACTION_H_
#define HLO_ENGINE_OPS_CONTRACTION_H_

#include "engine/base/budget.h"
#include "engine/base/small_vector.h"
#include "engine/types/element_type.h"
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

/// result[batch..., lhs free..., rhs free...] = sum of lhs * rhs over the contracted dimensions.
/// The operands are converted to `type` first; floats of 16 bits and less are then summed in f32,
/// f32, f64 and complex numbers as themselves, integers modulo 2^32 or 2^64; the sum is rounded
/// (integers: wrapped) to `type`. Of pred it is "any". Run-time sizes: elements beyond them count
/// as zero. Source: reference/semantics.md section 4.
Tensor Contract(const Tensor& lhs, const Tensor& rhs, const DotDims& dims, ElementType type,
                Budget* budget);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_CONTRACTION_H_
