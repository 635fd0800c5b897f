// How products are computed by a module.
#ifndef HLO_ENGINE_STANDALONE_PRODUCT_SETTINGS_H_
#define HLO_ENGINE_STANDALONE_PRODUCT_SETTINGS_H_

#include <cstdint>

#include "engine/kernels/multiply_add.h"
#include "engine/ops/products/product_rounding.h"

namespace hlo {

/// A step of a sum of products of f32 or f64.
enum class ProductStep : uint8_t {
  kSeparate,  ///< MultiplyAdd::kSeparate
  kFused,     ///< MultiplyAdd::kFused on machines whose instruction of relaxed SIMD is fused
  kSoftware,  ///< MultiplyAdd::kFused on any machine, slowly
};

struct ProductSettings {
  const ProductRoundingRow* rounding = nullptr;  ///< of products of f32; null: exactly
  ProductStep step = ProductStep::kSeparate;     ///< of sums of products
};

}  // namespace hlo

#endif  // HLO_ENGINE_STANDALONE_PRODUCT_SETTINGS_H_
