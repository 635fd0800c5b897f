// Source: S. Boldo, G. Melquiond, Emulation of a FMA and correctly rounded sums: proved algorithms
// using rounding to odd, IEEE Transactions on Computers 57(4), 2008.
#include "engine/kernels/fused_loops.h"

#ifndef HLO_SMALL

#include <cmath>
#include <type_traits>

namespace hlo {
namespace {

template <typename T>
HLO_INLINED T FusedNumber(T sum, T a, T b) {
  if constexpr (std::is_same_v<T, float>) {
    return __builtin_fmaf(a, b, sum);
  } else {
    return __builtin_fma(a, b, sum);
  }
}

/// As the compiler makes it for the machine that a function is for; calls of the C library where
/// that has no instruction.
struct HardwareStep {
  static constexpr bool kIsFused = true;
  template <typename V>
  static HLO_INLINED V Add(const V& sum, const V& a, const V& b) {
    if constexpr (std::is_floating_point_v<V>) {
      return FusedNumber(sum, a, b);
    } else {
      V result;
      HLO_UNROLLED
      for (size_t l = 0; l < sizeof(V) / sizeof(sum[0]); ++l) {
        result[l] = FusedNumber<std::remove_cvref_t<decltype(sum[0])>>(sum[l], a[l], b[l]);
      }
      return result;
    }
  }
};

using TwoFloats __attribute__((vector_size(8))) = float;

/// a * b + sum in f64, of numbers that are f32. The product is exact; the sum is rounded to odd:
/// of the two numbers around it, unless it is one, that whose last bit is set. Rounded to f32 that
/// gives what the exact sum gives, since f64 has more than two bits more.
HLO_INLINED Vector<double> OddSum(const TwoFloats& sum, const TwoFloats& a, const TwoFloats& b) {
  using Wide = Vector<double>;
  using Bits = Vector<int64_t>;
  const Wide product = __builtin_convertvector(a, Wide) * __builtin_convertvector(b, Wide);
  const Wide addend = __builtin_convertvector(sum, Wide);
  const Wide nearest = product + addend;
  // What rounding took away; NaN where the sum is infinite.
  const Wide of_addend = nearest - product;
  const Wide error = (product - (nearest - of_addend)) + (addend - of_addend);
  const Wide zero = {};
  const Bits is_inexact = (Bits)(error < zero) | (Bits)(error > zero);
  const Bits bits = (Bits)nearest;
  const Bits step = is_inexact & ~bits & 1;
  const Bits is_towards_zero = ((Bits)error ^ bits) >> 63;
  return (Wide)(bits + ((step ^ is_towards_zero) - is_towards_zero));
}

struct SoftwareStep {
  static constexpr bool kIsFused = true;
  static HLO_INLINED Vector<float> Add(const Vector<float>& sum, const Vector<float>& a,
                                       const Vector<float>& b) {
    const TwoFloats low = __builtin_convertvector(
        OddSum(__builtin_shufflevector(sum, sum, 0, 1), __builtin_shufflevector(a, a, 0, 1),
               __builtin_shufflevector(b, b, 0, 1)),
        TwoFloats);
    const TwoFloats high = __builtin_convertvector(
        OddSum(__builtin_shufflevector(sum, sum, 2, 3), __builtin_shufflevector(a, a, 2, 3),
               __builtin_shufflevector(b, b, 2, 3)),
        TwoFloats);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3);
  }
  static HLO_INLINED float Add(float sum, float a, float b) {
    const TwoFloats one = __builtin_convertvector(
        OddSum(TwoFloats{sum, sum}, TwoFloats{a, a}, TwoFloats{b, b}), TwoFloats);
    return one[0];
  }
  static Vector<double> Add(const Vector<double>& sum, const Vector<double>& a,
                            const Vector<double>& b) {
    return Vector<double>{std::fma(a[0], b[0], sum[0]), std::fma(a[1], b[1], sum[1])};
  }
  static double Add(double sum, double a, double b) { return std::fma(a, b, sum); }
};

// A table whose functions are for machines with `TARGET`, an attribute.
#define HLO_FUSED_LOOPS(NAME, STEP, TARGET)                                                        \
  template <typename T>                                                                            \
  struct NAME {                                                                                    \
    TARGET static void AddToBlock(const T* a, const T* b, ptrdiff_t depth, bool first, T* c,       \
                                  ptrdiff_t step) {                                                \
      product_loops::AddToBlock<T, STEP>(a, b, depth, first, c, step);                             \
    }                                                                                              \
    template <int kRows>                                                                           \
    TARGET static void AddScaledRows(const T* a, const T* b, ptrdiff_t step, ptrdiff_t columns,    \
                                     T* c) {                                                       \
      product_loops::AddScaledRows<T, kRows, STEP>(a, b, step, columns, c);                        \
    }                                                                                              \
    TARGET static void SumEightRows(const T* a, ptrdiff_t step, const T* b, ptrdiff_t depth, T* c, \
                                    ptrdiff_t c_step) {                                            \
      product_loops::SumEightRows<T, STEP>(a, step, b, depth, c, c_step);                          \
    }                                                                                              \
    TARGET static T SumOfRow(const T* a, const T* b, ptrdiff_t b_step, ptrdiff_t depth) {          \
      return product_loops::SumOfRow<T, STEP>(a, b, b_step, depth);                                \
    }                                                                                              \
    template <int kOutputs>                                                                        \
    TARGET static void AddFeatures(const DepthwiseTap* taps, ptrdiff_t count, const T* in,         \
                                   ptrdiff_t in_step, const T* kernel, T* out, ptrdiff_t out_step, \
                                   ptrdiff_t features) {                                           \
      product_loops::AddFeatures<T, kOutputs, STEP>(taps, count, in, in_step, kernel, out,         \
                                                    out_step, features);                           \
    }                                                                                              \
    TARGET static void AddTap(const ConvFeatures& features, const T* in, const T* kernel,          \
                              T* out) {                                                            \
      product_loops::AddTap<T, STEP>(features, in, kernel, out);                                   \
    }                                                                                              \
    static constexpr FusedLoops<T> kLoops = {                                                      \
        AddToBlock, AddScaledRows<8>, AddScaledRows<1>, SumEightRows,                              \
        SumOfRow,   AddFeatures<4>,   AddFeatures<1>,   AddTap};                                   \
  };

HLO_FUSED_LOOPS(PlainFunctions, SoftwareStep, )
#if defined(__x86_64__)
HLO_FUSED_LOOPS(MachineFunctions, HardwareStep, __attribute__((target("fma"))))
bool HasFusedInstructions() { return __builtin_cpu_supports("fma") != 0; }
#elif defined(__aarch64__)
HLO_FUSED_LOOPS(MachineFunctions, HardwareStep, )
bool HasFusedInstructions() { return true; }
#else
template <typename T>
using MachineFunctions = PlainFunctions<T>;
bool HasFusedInstructions() { return false; }
#endif
#undef HLO_FUSED_LOOPS

}  // namespace

template <typename T>
const FusedLoops<T>& SoftwareLoops() {
  return PlainFunctions<T>::kLoops;
}

template <typename T>
const FusedLoops<T>& FastestFusedLoops() {
  static const bool has_instructions = HasFusedInstructions();
  return has_instructions ? MachineFunctions<T>::kLoops : PlainFunctions<T>::kLoops;
}

template const FusedLoops<float>& SoftwareLoops<float>();
template const FusedLoops<double>& SoftwareLoops<double>();
template const FusedLoops<float>& FastestFusedLoops<float>();
template const FusedLoops<double>& FastestFusedLoops<double>();

}  // namespace hlo

#endif  // HLO_SMALL
