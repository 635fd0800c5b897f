// dot: sums of products over pairs of dimensions.
#include <fmt/format.h>

#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/products/contraction.h"
#include "engine/ops/products/dot_dims.h"
#include "engine/ops/products/precision.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

// In the order in which they are printed.
constexpr AttrDef kDotAttrs[] = {kLhsBatchAttr,       kLhsContractingAttr,   kRhsBatchAttr,
                                 kRhsContractingAttr, kOperandPrecisionAttr, kDotAlgorithmAttr};

std::optional<Shape> InferDot(const OpCall& call, Diagnostics& out) {
  if (!CheckArrays(call, out) || !CheckDotDims(call, out)) return std::nullopt;
  return DotShape(call, /*skip_rhs=*/{}, out);
}

Value EvalDot(const OpCall& call, std::span<Value> args, EvalContext& context) {
  return Contract(args[0].tensor(), args[1].tensor(), DotDimsOf(call), call.shape().element_type(),
                  context.budget(), context.multiply_add(), context.TakeResultPieces());
}

int64_t DotUnit(const OpCall& call) {
  return ContractionUnit(call.operand(0), call.operand(1), DotDimsOf(call),
                         call.shape().element_type());
}

}  // namespace

namespace ops {

const OpDef kDot{
    .doc =
        "Sums of products over paired dimensions: vector, matrix and batched matrix products. "
        "The result has the batch dimensions, then the other ones of lhs, then of rhs.",
    .source = "operation semantics, Dot and DotGeneral",
    .differs =
        "The operands are converted to the result's type first, integers wrap, and floats of 16 "
        "bits and less are summed in f32, as in XLA's evaluator; the operation semantics document "
        "does not say.",
    .operands = kLhsAndRhs,
    .types = kAllArrayTypes,
    .attrs = kDotAttrs,
    .infer = InferDot,
    .eval = EvalDot,
    .result_unit = DotUnit,
    .makes_new = true,
    .any_precision = true,
    .floats = FloatWidths::kAny,
};

}  // namespace ops
}  // namespace hlo
