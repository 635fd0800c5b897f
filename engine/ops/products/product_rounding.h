// Products of f32 as hardware computes them that multiplies in fewer bits: what operand_precision
// and algorithm then mean.
#ifndef HLO_ENGINE_OPS_PRODUCTS_PRODUCT_ROUNDING_H_
#define HLO_ENGINE_OPS_PRODUCTS_PRODUCT_ROUNDING_H_

#include <span>
#include <string_view>

#include "engine/ops/eval.h"
#include "engine/ops/op_call.h"

namespace hlo {

/// How a product of f32 is put together.
struct ProductPasses {
  int dropped = 0;  ///< bits of the mantissa of each operand; 0: it is exact
  bool is_split =
      false;  ///< the rest, rounded too, is multiplied with the other one's rounded part
};

/// A kind of hardware, by the name it has as a setting of a run.
struct ProductRoundingRow {
  std::string_view name;  ///< "bf16"
  std::string_view doc;
  ProductRounding evaluate;
  /// Of an op that has products.
  ProductPasses (*passes)(const OpCall& call);
};

/// All of them. Each concerns dot, ragged-dot and convolution of f32 operands with an f32 result:
/// the operands are rounded (to nearest, ties to even) and multiplied exactly, and sums are f32 as
/// ever. Other types and other ops are computed as without it.
std::span<const ProductRoundingRow> ProductRoundings();
/// Whether the op has products of f32 with a result of f32, by its shapes.
bool HasProductOfF32(const OpCall& call);
/// The row of one of them; null for null.
const ProductRoundingRow* RowOfProductRounding(ProductRounding rounding);
/// The one with this name; null for other names, "" among them.
ProductRounding FindProductRounding(std::string_view name);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_PRODUCTS_PRODUCT_ROUNDING_H_
