// Shared by dot, ragged-dot and scaled-dot: dimension numbers, their checks, and the shape of a
// product.
// Source: XLA, service/shape_inference.cc, InferDotOpShape.
#ifndef HLO_ENGINE_OPS_PRODUCTS_DOT_DIMS_H_
#define HLO_ENGINE_OPS_PRODUCTS_DOT_DIMS_H_

#include <optional>

#include "engine/base/diagnostics.h"
#include "engine/ops/attributes.h"
#include "engine/ops/op_call.h"
#include "engine/ops/products/contraction.h"
#include "engine/types/shape.h"

namespace hlo {

inline constexpr AttrDef kLhsBatchAttr{
    .name = "lhs_batch_dims",
    .kind = AttrKind::kInts,
    .use = AttrUse::kOptional,
    .doc = "Dimensions of the lhs that run in step with those of rhs_batch_dims."};
inline constexpr AttrDef kLhsContractingAttr{
    .name = "lhs_contracting_dims",
    .kind = AttrKind::kInts,
    .use = AttrUse::kOptional,
    .doc = "Dimensions of the lhs that are summed over, together with rhs_contracting_dims.",
    .default_text = "{}",
    .always_printed = true};
inline constexpr AttrDef kRhsBatchAttr{
    .name = "rhs_batch_dims",
    .kind = AttrKind::kInts,
    .use = AttrUse::kOptional,
    .doc = "Dimensions of the rhs that run in step with those of lhs_batch_dims."};
inline constexpr AttrDef kRhsContractingAttr{
    .name = "rhs_contracting_dims",
    .kind = AttrKind::kInts,
    .use = AttrUse::kOptional,
    .doc = "Dimensions of the rhs that are summed over, together with lhs_contracting_dims.",
    .default_text = "{}",
    .always_printed = true};

/// The dimension numbers of operands 0 and 1.
DotDims DotDimsOf(const OpCall& call);

/// Checks that dimension numbers are in range, unique, as many on both sides, and of equal sizes.
bool CheckDotDims(const OpCall& call, Diagnostics& out);

/// Batch dimensions, then the remaining ones of lhs, then of rhs except `skip_rhs`. Element type as
/// written, or else the operands' higher-precision one. Precondition: CheckDotDims.
std::optional<Shape> DotShape(const OpCall& call, const Dims& skip_rhs, Diagnostics& out);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_PRODUCTS_DOT_DIMS_H_
