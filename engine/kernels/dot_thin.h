// Products of which one side is so thin that reading the other one is what takes time.
#ifndef HLO_ENGINE_KERNELS_DOT_THIN_H_
#define HLO_ENGINE_KERNELS_DOT_THIN_H_

#include <cstdint>

#include "engine/base/budget.h"
#include "engine/kernels/fused_loops.h"

namespace hlo {

/// Fewer columns than this are for MultiplyFewColumns.
inline constexpr int64_t kLeastColumns = 4;

/// c[m,n] = a[m,k] times b[k,n], all dense, for few rows: every row of b is read once, several of
/// them at a time. Sums, budget, `fused` and T as in MultiplyBlocks.
template <typename T>
void MultiplyFewRows(const T* a, const T* b, T* c, int64_t m, int64_t k, int64_t n, Budget* budget,
                     const FusedLoops<T>* fused = nullptr);

/// The same for few columns: eight rows of a are read at a time, whose sums are lanes.
template <typename T>
void MultiplyFewColumns(const T* a, const T* b, T* c, int64_t m, int64_t k, int64_t n,
                        Budget* budget, const FusedLoops<T>* fused = nullptr);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_DOT_THIN_H_
