// Matrix multiplication, the inner part of dot.
#ifndef HLO_ENGINE_KERNELS_DOT_MATMUL_H_
#define HLO_ENGINE_KERNELS_DOT_MATMUL_H_

#include <cstddef>
#include <cstdint>

#include "engine/base/budget.h"
#include "engine/kernels/multiply_add.h"
#include "engine/kernels/ready_elements.h"
#include "engine/types/element_type.h"

namespace hlo {

/// c[m,n] = a[m,k] times b[k,n]; all dense and row-major, c apart from a and b. Every element of c
/// is summed in T in ascending order of k from zero, so the result does not depend on the blocking.
/// Builds with HLO_SMALL know separate steps only.
/// Unsigned integers wrap, which makes them right for signed ones too. Scratch memory is charged to
/// the budget (not null), which is polled. T: float, double, uint32_t, uint64_t, std::complex of
/// float or double. `ready`, if not null, is told of elements of c as they become final, where
/// ProductUnit says so.
template <typename T>
void MultiplyMatrices(const T* a, const T* b, T* c, int64_t m, int64_t k, int64_t n, Budget* budget,
                      MultiplyAdd step = MultiplyAdd::kSeparate,
                      const ElementsReady* ready = nullptr);

/// The elements that are handed on together while a product of these sizes is computed, or a
/// multiple of them: rows of the result, or single elements. 0 where none are, or parts of rows so
/// short that they do not pay: the product is thin, or has long rows but few.
int64_t ProductUnit(int64_t m, int64_t k, int64_t n);

/// How a factor lies in memory, in elements: between rows, and between columns.
struct FactorSteps {
  int64_t row, column;
};

/// The same product of factors in other layouts, c still being dense; false, with nothing done,
/// where they have to be copied first. `ready` as in MultiplyMatrices.
using LayoutProduct = bool (*)(const std::byte* a, FactorSteps a_steps, const std::byte* b,
                               FactorSteps b_steps, std::byte* c, int64_t m, int64_t k, int64_t n,
                               Budget* budget, MultiplyAdd step, const ElementsReady* ready);
/// The one for a type in which products are accumulated; null where there is none.
LayoutProduct FindLayoutProduct(ElementType type);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_DOT_MATMUL_H_
