// Source: S. Boldo, G. Melquiond, Emulation of a FMA and correctly rounded sums: proved algorithms
// using rounding to odd, IEEE Transactions on Computers 57(4), 2008.
#include "engine/kernels/fused_loops.h"

#ifndef HLO_SMALL

#include <cmath>
#include <cstring>
#include <type_traits>

#include "engine/kernels/fused_code.h"

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

FusedCodeMaker fused_code_maker = nullptr;

/// Loops made by the platform, with what does not fill vectors done here.
template <typename T>
struct MadeFunctions {
  static inline FusedCodes codes = {};
  static constexpr ptrdiff_t kLanes = kLanesOf<T>;

  static size_t At(const void* address) { return reinterpret_cast<size_t>(address); }
  static size_t Number(ptrdiff_t number) { return static_cast<size_t>(number); }

  static void AddToBlock(const T* a, const T* b, ptrdiff_t depth, bool first, T* c,
                         ptrdiff_t step) {
    codes.add_to_block(At(a), At(b), Number(depth), first ? 1 : 0, At(c), Number(step), 0, 0);
  }
  template <int kRows>
  static void AddScaledRows(const T* a, const T* b, ptrdiff_t step, ptrdiff_t columns, T* c) {
    const ptrdiff_t whole = columns / kLanes * kLanes;
    const FusedCode code = kRows == 1 ? codes.add_scaled_row : codes.add_eight_scaled_rows;
    code(At(a), At(b), Number(step), Number(whole), At(c), 0, 0, 0);
    product_loops::AddScaledRows<T, kRows, SoftwareStep>(a, b + whole, step, columns - whole,
                                                         c + whole);
  }
  static void SumEightRows(const T* a, ptrdiff_t step, const T* b, ptrdiff_t depth, T* c,
                           ptrdiff_t c_step) {
    const ptrdiff_t whole = depth / kLanes * kLanes;
    T sums[8];
    codes.sum_eight_rows(At(a), Number(step), At(b), Number(whole), At(sums), 0, 0, 0);
    for (ptrdiff_t r = 0; r < 8; ++r) {
      for (ptrdiff_t p = whole; p < depth; ++p) {
        sums[r] = SoftwareStep::Add(sums[r], a[r * step + p], b[p]);
      }
      c[r * c_step] = sums[r];
    }
  }
  template <int kOutputs>
  static void AddFeatures(const DepthwiseTap* taps, ptrdiff_t count, const T* in, ptrdiff_t in_step,
                          const T* kernel, T* out, ptrdiff_t out_step, ptrdiff_t features) {
    const ptrdiff_t whole = features / kLanes * kLanes;
    const FusedCode code = kOutputs == 1 ? codes.add_features : codes.add_features_of_four;
    code(At(taps), Number(count), At(in), Number(in_step), At(kernel), At(out), Number(out_step),
         Number(whole));
    product_loops::AddFeatures<T, kOutputs, SoftwareStep>(
        taps, count, in + whole, in_step, kernel + whole, out + whole, out_step, features - whole);
  }
  static constexpr FusedLoops<T> kLoops = {AddToBlock,
                                           AddScaledRows<8>,
                                           AddScaledRows<1>,
                                           SumEightRows,
                                           PlainFunctions<T>::SumOfRow,
                                           AddFeatures<4>,
                                           AddFeatures<1>,
                                           PlainFunctions<T>::AddTap};

  /// Whether these are fused: whether they give what software gives where two roundings would not.
  static bool AreFused() {
    constexpr ptrdiff_t kDepth = 64, kRow = kBlockVectors * kLanes;
    T a[kDepth * kLeastRows], b[kDepth * kRow], made[kLeastRows * kRow], right[kLeastRows * kRow];
    for (ptrdiff_t i = 0; i < kDepth * kRow; ++i) b[i] = 1 - T(i % 37) / T(41);
    for (ptrdiff_t i = 0; i < kDepth * kLeastRows; ++i) a[i] = T(i % 29) / T(31) - T(0.5);
    AddToBlock(a, b, kDepth, true, made, kRow);
    PlainFunctions<T>::AddToBlock(a, b, kDepth, true, right, kRow);
    return std::memcmp(made, right, sizeof made) == 0;
  }
};

/// Whether the platform has code, and that is fused.
bool HasFusedCode() {
  AllFusedCodes codes;
  if (fused_code_maker == nullptr || !fused_code_maker(&codes)) return false;
  MadeFunctions<float>::codes = codes.of_float;
  MadeFunctions<double>::codes = codes.of_double;
  return MadeFunctions<float>::AreFused() && MadeFunctions<double>::AreFused();
}

}  // namespace

void SetFusedCodeMaker(FusedCodeMaker maker) { fused_code_maker = maker; }

template <typename T>
const FusedLoops<T>& SoftwareLoops() {
  return PlainFunctions<T>::kLoops;
}

template <typename T>
const FusedLoops<T>& FastestFusedLoops() {
  if (HasFusedInstructions()) return MachineFunctions<T>::kLoops;
  static const bool has_code = HasFusedCode();
  return has_code ? MadeFunctions<T>::kLoops : PlainFunctions<T>::kLoops;
}

template const FusedLoops<float>& SoftwareLoops<float>();
template const FusedLoops<double>& SoftwareLoops<double>();
template const FusedLoops<float>& FastestFusedLoops<float>();
template const FusedLoops<double>& FastestFusedLoops<double>();

}  // namespace hlo

#endif  // HLO_SMALL
