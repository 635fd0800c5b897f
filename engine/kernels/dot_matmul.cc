#include "engine/kernels/dot_matmul.h"

#include <algorithm>
#include <complex>

#include "engine/kernels/dot_blocks.h"
#include "engine/kernels/dot_plain.h"
#include "engine/kernels/dot_thin.h"

namespace hlo {

template <typename T>
void MultiplyMatrices(const T* a, const T* b, T* c, int64_t m, int64_t k, int64_t n, Budget* budget,
                      [[maybe_unused]] MultiplyAdd step,
                      [[maybe_unused]] const ElementsReady* ready) {
  if (k == 0) {
    std::fill_n(c, m * n, T{});
    return;
  }
#ifdef HLO_SMALL
  plain::Multiply(a, b, c, m, k, n, budget);
#else
  const FusedLoops<T>* const fused = FusedLoopsOf<T>(step);
  if (n < kLeastColumns) return MultiplyFewColumns(a, b, c, m, k, n, budget, fused);
  if (m < kLeastRows) return MultiplyFewRows(a, b, c, m, k, n, budget, fused);
  MultiplyBlocks(MatrixRows<T>(a, k, 1), MatrixView<T>{b, n, 1}, c, n, m, k, n, budget, fused,
                 ready);
#endif
}

#define HLO_MATMUL(T)                                                                              \
  template void MultiplyMatrices<T>(const T* a, const T* b, T* c, int64_t m, int64_t k, int64_t n, \
                                    Budget* budget, MultiplyAdd step, const ElementsReady* ready);
HLO_MATMUL(float)
HLO_MATMUL(double)
HLO_MATMUL(uint32_t)
HLO_MATMUL(uint64_t)
HLO_MATMUL(std::complex<float>)
HLO_MATMUL(std::complex<double>)
#undef HLO_MATMUL

#ifdef HLO_SMALL

int64_t ProductUnit(int64_t, int64_t, int64_t) { return 0; }

LayoutProduct FindLayoutProduct(ElementType) { return nullptr; }

#else

namespace {

template <typename T>
bool MultiplyLayouts(const std::byte* a_bytes, FactorSteps a_steps, const std::byte* b_bytes,
                     FactorSteps b_steps, std::byte* c_bytes, int64_t m, int64_t k, int64_t n,
                     Budget* budget, MultiplyAdd step, const ElementsReady* ready) {
  const FusedLoops<T>* const fused = FusedLoopsOf<T>(step);
  const T* const a = reinterpret_cast<const T*>(a_bytes);
  const T* const b = reinterpret_cast<const T*>(b_bytes);
  T* const c = reinterpret_cast<T*>(c_bytes);
  if (k == 0) return false;
  if (m >= kLeastRows && n >= kLeastColumns) {
    MultiplyBlocks(MatrixRows<T>(a, a_steps.row, a_steps.column),
                   MatrixView<T>{b, b_steps.row, b_steps.column}, c, n, m, k, n, budget, fused,
                   ready);
    return true;
  }
  // A vector times a matrix that lies the other way is that matrix times the vector.
  if (m == 1 && b_steps.row == 1 && b_steps.column == k && a_steps.column == 1) {
    MultiplyFewColumns(b, a, c, n, k, 1, budget, fused);
    return true;
  }
  if (n == 1 && a_steps.row == 1 && a_steps.column == m && b_steps.row == 1) {
    MultiplyFewRows(b, a, c, 1, k, m, budget, fused);
    return true;
  }
  return false;
}

}  // namespace

int64_t ProductUnit(int64_t m, int64_t k, int64_t n) {
  if (m < kLeastRows || n < kLeastColumns || k == 0) return 0;
  // An element costs more in a short run than it gains from being in the cache.
  constexpr int64_t kLeastRun = 1024;
  const int64_t run = ReadyRun(m, n);
  if (run == n) return n;
  return run < kLeastRun ? 0 : 1;
}

LayoutProduct FindLayoutProduct(ElementType type) {
  switch (type) {
    case ElementType::kF32:
      return MultiplyLayouts<float>;
    case ElementType::kF64:
      return MultiplyLayouts<double>;
    case ElementType::kS32:
    case ElementType::kU32:
      return MultiplyLayouts<uint32_t>;
    case ElementType::kS64:
    case ElementType::kU64:
      return MultiplyLayouts<uint64_t>;
    case ElementType::kC64:
      return MultiplyLayouts<std::complex<float> >;
    case ElementType::kC128:
      return MultiplyLayouts<std::complex<double> >;
    default:
      return nullptr;
  }
}

#endif  // HLO_SMALL

}  // namespace hlo
