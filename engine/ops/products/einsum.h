// Einstein summation, as in XLA's builder library (matrix.cc, Einsum).
#ifndef HLO_ENGINE_OPS_PRODUCTS_EINSUM_H_
#define HLO_ENGINE_OPS_PRODUCTS_EINSUM_H_

#include <span>
#include <string_view>

#include "engine/ops/eval.h"
#include "engine/ops/op_call.h"
#include "engine/types/tensor.h"

namespace hlo {

/// The einsum of two operands for an equation such as "...mk,...kn->...mn": letters label
/// dimensions, "..." stands for unlabelled ones; without "->" the result has the letters that occur
/// once, in alphabetical order. A dimension of size 1 is broadcast to the other operand's of the
/// same label; a label that is repeated in an operand takes its diagonal, and in the result makes
/// one; a label only the result has is a dimension of size 1. Throws RunError for equations that do
/// not fit the operands.
Value Einsum(const OpCall& call, std::string_view text, std::span<Value> args,
             EvalContext& context);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_PRODUCTS_EINSUM_H_
