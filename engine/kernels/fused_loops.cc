// Source: S. Boldo, G. Melquiond, Emulation of a FMA and correctly rounded sums: proved algorithms
// using rounding to odd, IEEE Transactions on Computers 57(4), 2008.
#include "engine/kernels/fused_loops.h"

#ifndef HLO_SMALL

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <type_traits>

#include "engine/kernels/fused_code.h"

namespace hlo {
namespace {

#if defined(__x86_64__) || defined(__aarch64__)
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
      V result = sum;
      HLO_UNROLLED
      for (size_t l = 0; l < sizeof(V) / sizeof(sum[0]); ++l) {
        result[l] = FusedNumber<std::remove_cvref_t<decltype(sum[0])>>(sum[l], a[l], b[l]);
      }
      return result;
    }
  }
  template <typename V>
  static HLO_INLINED void AddTo(V& sum, const V& a, const V& b) {
    sum = Add(sum, a, b);
  }
};
#endif

using Wide = Vector<double>;
using WideBits = Vector<int64_t>;

// Halves of a vector as f64, and back: compilers for Wasm go element by element unless told to.
#ifdef __wasm_simd128__
HLO_INLINED Wide WideLow(const Vector<float>& v) {
  return (Wide)wasm_f64x2_promote_low_f32x4((v128_t)v);
}
HLO_INLINED Wide WideHigh(const Vector<float>& v) {
  return WideLow(__builtin_shufflevector(v, v, 2, 3, 2, 3));
}
HLO_INLINED Vector<float> Narrowed(const Wide& low, const Wide& high) {
  const auto a = (Vector<float>)wasm_f32x4_demote_f64x2_zero((v128_t)low);
  const auto b = (Vector<float>)wasm_f32x4_demote_f64x2_zero((v128_t)high);
  return __builtin_shufflevector(a, b, 0, 1, 4, 5);
}
HLO_INLINED bool HasBit(const WideBits& bits) { return wasm_v128_any_true((v128_t)bits); }
#else
using TwoFloats __attribute__((vector_size(8))) = float;
HLO_INLINED Wide WideLow(const Vector<float>& v) {
  return __builtin_convertvector(__builtin_shufflevector(v, v, 0, 1), Wide);
}
HLO_INLINED Wide WideHigh(const Vector<float>& v) {
  return __builtin_convertvector(__builtin_shufflevector(v, v, 2, 3), Wide);
}
HLO_INLINED Vector<float> Narrowed(const Wide& low, const Wide& high) {
  return __builtin_shufflevector(__builtin_convertvector(low, TwoFloats),
                                 __builtin_convertvector(high, TwoFloats), 0, 1, 2, 3);
}
HLO_INLINED bool HasBit(const WideBits& bits) { return (bits[0] | bits[1]) != 0; }
#endif

/// Where a sum, rounded to f64, may be on the other side of the middle between two f32 than the sum
/// itself: in that middle, and where middles are elsewhere since f32 are denormal.
HLO_INLINED WideBits IsDoubtful(const Wide& sum) {
  constexpr int64_t kDropped = (int64_t{1} << 29) - 1, kMiddle = int64_t{1} << 28;
  constexpr int64_t kNoSign = INT64_MAX;
  constexpr double kLeastNormal = 0x1p-126;
  const WideBits bits = (WideBits)sum;
  const Wide size = (Wide)(bits & kNoSign), zero = {};
  return (WideBits)((bits & kDropped) == kMiddle) |
         ((WideBits)(size < kLeastNormal) & (WideBits)(size > zero));
}

/// product + addend, which f64 holds exactly one by one, rounded to odd: of the two numbers around
/// the sum, unless it is one, that whose last bit is set. Rounded to f32 that gives what the exact
/// sum gives, since f64 has more than two bits more. `nearest`: the sum rounded as usual.
HLO_INLINED Wide OddSum(const Wide& product, const Wide& addend, const Wide& nearest) {
  // What rounding took away; NaN where the sum is infinite.
  const Wide of_addend = nearest - product;
  const Wide error = (product - (nearest - of_addend)) + (addend - of_addend);
  const Wide zero = {};
  const WideBits is_inexact = (WideBits)(error < zero) | (WideBits)(error > zero);
  const WideBits bits = (WideBits)nearest;
  const WideBits step = is_inexact & ~bits & 1;
  const WideBits is_towards_zero = ((WideBits)error ^ bits) >> 63;
  return (Wide)(bits + ((step ^ is_towards_zero) - is_towards_zero));
}

struct SoftwareStep {
  static constexpr bool kIsFused = true;
  static HLO_INLINED Vector<float> Add(const Vector<float>& sum, const Vector<float>& a,
                                       const Vector<float>& b) {
    // Products of f32 are exact.
    const Wide low_product = WideLow(a) * WideLow(b), high_product = WideHigh(a) * WideHigh(b);
    Wide low = low_product + WideLow(sum), high = high_product + WideHigh(sum);
    if (__builtin_expect(HasBit(IsDoubtful(low) | IsDoubtful(high)), false)) {
      low = OddSum(low_product, WideLow(sum), low);
      high = OddSum(high_product, WideHigh(sum), high);
    }
    return Narrowed(low, high);
  }
  static HLO_INLINED float Add(float sum, float a, float b) {
    return Add(Splat(sum), Splat(a), Splat(b))[0];
  }
  static Vector<double> Add(const Vector<double>& sum, const Vector<double>& a,
                            const Vector<double>& b) {
    return Vector<double>{std::fma(a[0], b[0], sum[0]), std::fma(a[1], b[1], sum[1])};
  }
  static double Add(double sum, double a, double b) { return std::fma(a, b, sum); }
  template <typename V>
  static HLO_INLINED void AddTo(V& sum, const V& a, const V& b) {
    sum = Add(sum, a, b);
  }
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
        SoftwareStep::AddTo(sums[r], a[r * step + p], b[p]);
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
    return std::equal(std::begin(made), std::end(made), right);
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
