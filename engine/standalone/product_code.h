// What products of matrices are written with.
#ifndef HLO_ENGINE_STANDALONE_PRODUCT_CODE_H_
#define HLO_ENGINE_STANDALONE_PRODUCT_CODE_H_

#include <cstdint>

#include "engine/codegen/complex_code.h"
#include "engine/ops/products/dot_dims.h"
#include "engine/standalone/multiply_add.h"
#include "engine/standalone/operation.h"

namespace hlo {

/// Element types of a product: of both factors and of the result.
struct ProductTypes {
  ElementType a, b, type;
};

/// A sum of products. Factors are converted to the type of the result and then to that of sums
/// (ops/products/contraction.h), where they are read.
class ProductSum {
 public:
  ProductSum(const ProductTypes& types, ProductStep step, KernelCode* code);

  /// From zero.
  void Begin();
  /// A product of the elements at two addresses.
  void Add(uint32_t a, uint32_t b);
  void Store(uint32_t to);

 private:
  LanePair Number(uint32_t address, ElementType type);

  const ProductTypes types_;
  const ElementType sum_type_;
  const ProductStep step_;
  KernelCode& code_;
  LanePair sum_;
};

/// An array with its shape.
struct Factor {
  int32_t array = 0;
  const Shape& shape;
};
/// It with its dimensions in another order.
int32_t OrderedArray(const Factor& factor, const Dims& order, Emitter* emitter);

/// The product of two arrays into a third one (Contract, ops/products/contraction.h).
bool WriteContraction(const Factor& lhs, const Factor& rhs, const DotDims& dims, ElementType type,
                      int32_t result, Emitter* emitter);
bool WriteRaggedProduct(const Operation& operation, Emitter* emitter);
bool WriteScaledProduct(const Operation& operation, Emitter* emitter);

}  // namespace hlo

#endif  // HLO_ENGINE_STANDALONE_PRODUCT_CODE_H_
