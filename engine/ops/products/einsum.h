// Einstein's sums, as XLA's builder library writes them (matrix.cc, Einsum).
#ifndef HLO_ENGINE_OPS_PRODUCTS_EINSUM_H_
#define HLO_ENGINE_OPS_PRODUCTS_EINSUM_H_

#include <span>
#include <string_view>

#include "engine/ops/eval.h"
#include "engine/ops/op_call.h"
#include "engine/types/tensor.h"

namespace hlo {

/// The sum of products of two operands that a text such as "...mk,...kn->...mn" describes: letters
/// are dimensions, "..." stands for those that have none; without "->" the result has the letters
/// that occur once, in alphabetical order. A dimension of size 1 is as large as the other operand's
/// of its name; one that occurs twice in an operand is its diagonal, and in the result makes one;
/// one of the result's alone has size 1. Throws RunError for texts that do not fit the operands.
Value Einsum(const OpCall& call, std::string_view text, std::span<Value> args,
             EvalContext& context);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_PRODUCTS_EINSUM_H_
