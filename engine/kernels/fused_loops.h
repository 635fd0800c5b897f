// The innermost loops of products and convolutions whose steps are fused multiply-adds.
#ifndef HLO_ENGINE_KERNELS_FUSED_LOOPS_H_
#define HLO_ENGINE_KERNELS_FUSED_LOOPS_H_

#include <cstddef>
#include <type_traits>

#include "engine/kernels/multiply_add.h"
#include "engine/kernels/product_loops.h"

namespace hlo {

/// Loops of product_loops.h, of the same names, whose every step is the correctly rounded
/// fusedMultiplyAdd of IEEE 754: tables differ in speed alone. T: float, double.
template <typename T>
struct FusedLoops {
  void (*add_to_block)(const T* a, const T* b, ptrdiff_t depth, bool first, T* c, ptrdiff_t step);
  void (*add_eight_scaled_rows)(const T* a, const T* b, ptrdiff_t step, ptrdiff_t columns, T* c);
  void (*add_scaled_row)(const T* a, const T* b, ptrdiff_t step, ptrdiff_t columns, T* c);
  void (*sum_eight_rows)(const T* a, ptrdiff_t step, const T* b, ptrdiff_t depth, T* c,
                         ptrdiff_t c_step);
  T (*sum_of_row)(const T* a, const T* b, ptrdiff_t b_step, ptrdiff_t depth);
  /// Of four outputs, and of one.
  void (*add_features_of_four)(const DepthwiseTap* taps, ptrdiff_t count, const T* in,
                               ptrdiff_t in_step, const T* kernel, T* out, ptrdiff_t out_step,
                               ptrdiff_t features);
  void (*add_features)(const DepthwiseTap* taps, ptrdiff_t count, const T* in, ptrdiff_t in_step,
                       const T* kernel, T* out, ptrdiff_t out_step, ptrdiff_t features);
  void (*add_tap)(const ConvFeatures& features, const T* in, const T* kernel, T* out);
};

/// Those that do without instructions of the machine: f32 by exact products in f64 whose sums are
/// rounded to odd, f64 by the C library.
template <typename T>
const FusedLoops<T>& SoftwareLoops();

/// The fastest of this machine.
template <typename T>
const FusedLoops<T>& FastestFusedLoops();

/// The loops of a way to multiply and add; null for those that are not fused: `SeparateStep`, also
/// for what is neither float nor double.
template <typename T>
const FusedLoops<T>* FusedLoopsOf(MultiplyAdd step) {
  if constexpr (std::is_floating_point_v<T>) {
    if (step == MultiplyAdd::kFused) return &FastestFusedLoops<T>();
  }
  return nullptr;
}

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_FUSED_LOOPS_H_
