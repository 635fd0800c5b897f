// The innermost loops of sums of products of complex numbers, as product_loops.h has those of other
// numbers. Internal to the kernels of products and convolutions.
//
// Parts stay side by side, as they are in memory. A number times x + iy is the number times x, plus
// the number with its parts crossed and one of them negated times y: each part of the product is
// the sum of two rounded products, as operator* rounds it.
#ifndef HLO_ENGINE_KERNELS_COMPLEX_LOOPS_H_
#define HLO_ENGINE_KERNELS_COMPLEX_LOOPS_H_

#include <complex>
#include <cstddef>
#include <cstring>

#include "engine/kernels/product_loops.h"
#include "engine/kernels/vectors.h"

namespace hlo {

template <typename T>
inline constexpr bool kIsComplex = false;
template <typename T>
inline constexpr bool kIsComplex<std::complex<T>> = true;

namespace complex_loops {

/// Complex numbers that one vector of their parts holds.
template <typename R>
constexpr ptrdiff_t kNumbers = kLanesOf<std::complex<R>>;

template <typename R>
HLO_INLINED Vector<R> Load(const std::complex<R>* from) {
  return LoadVector(reinterpret_cast<const R*>(from));
}

template <typename R>
HLO_INLINED void Store(const Vector<R>& v, std::complex<R>* to) {
  StoreVector<R>(v, reinterpret_cast<R*>(to));
}

/// The parts of each number change places.
template <typename V>
HLO_INLINED V Crossed(const V& v) {
  if constexpr (sizeof(v[0]) == 4) {
    return __builtin_shufflevector(v, v, 1, 0, 3, 2);
  } else {
    return __builtin_shufflevector(v, v, 1, 0);
  }
}

/// The first part of each number negated.
template <typename R>
HLO_INLINED Vector<R> WithSigns(const Vector<R>& v) {
  Vector<R> signs;
  HLO_UNROLLED
  for (int64_t l = 0; l < kLanesOf<R>; ++l) signs[l] = l % 2 == 0 ? R(-1) : R(1);
  return v * signs;
}

/// Each number times i.
template <typename R>
HLO_INLINED Vector<R> TimesI(const Vector<R>& v) {
  return WithSigns<R>(Crossed(v));
}

/// Whether both parts of a number are NaN. Only then may a product that was added be one that
/// operator* corrects to an infinity: the sum has to be taken again, with that.
template <typename R>
HLO_INLINED bool HasNaN(const Vector<R>& sum) {
  const auto mask = sum != sum;
  return AnyLane(mask & Crossed(mask));
}

/// product_loops::AddToBlock.
template <typename R>
void AddToBlock(const std::complex<R>* a, const std::complex<R>* b, ptrdiff_t depth, bool first,
                std::complex<R>* c, ptrdiff_t step) {
  constexpr ptrdiff_t kStrip = kBlockVectors * kNumbers<R>;
  Vector<R> sum[kLeastRows][kBlockVectors] = {};
  if (!first) {
    HLO_UNROLLED
    for (int r = 0; r < kLeastRows; ++r) {
      HLO_UNROLLED
      for (int x = 0; x < kBlockVectors; ++x) sum[r][x] = Load(c + r * step + x * kNumbers<R>);
    }
  }
  const std::complex<R>*left = a, *right = b;
  for (ptrdiff_t p = 0; p < depth; ++p, left += kLeastRows, right += kStrip) {
    Vector<R> values[kBlockVectors], turned[kBlockVectors];
    HLO_UNROLLED
    for (int x = 0; x < kBlockVectors; ++x) {
      values[x] = Load(right + x * kNumbers<R>);
      turned[x] = TimesI<R>(values[x]);
    }
    HLO_UNROLLED
    for (int r = 0; r < kLeastRows; ++r) {
      const Vector<R> real = Splat(left[r].real()), imaginary = Splat(left[r].imag());
      HLO_UNROLLED
      for (int x = 0; x < kBlockVectors; ++x) {
        sum[r][x] += values[x] * real + turned[x] * imaginary;
      }
    }
  }
  bool again = false;
  HLO_UNROLLED
  for (int r = 0; r < kLeastRows; ++r) {
    HLO_UNROLLED
    for (int x = 0; x < kBlockVectors; ++x) again = again || HasNaN<R>(sum[r][x]);
  }
  for (int r = 0; again && r < kLeastRows; ++r) {
    for (ptrdiff_t x = 0; x < kStrip; ++x) {
      std::complex<R> one = first ? std::complex<R>() : c[r * step + x];
      for (ptrdiff_t p = 0; p < depth; ++p) one += b[p * kStrip + x] * a[p * kLeastRows + r];
      c[r * step + x] = one;
    }
  }
  if (again) return;
  HLO_UNROLLED
  for (int r = 0; r < kLeastRows; ++r) {
    HLO_UNROLLED
    for (int x = 0; x < kBlockVectors; ++x) Store<R>(sum[r][x], c + r * step + x * kNumbers<R>);
  }
}

/// product_loops::AddScaledRows. The factors are what is turned: there are fewer of them.
template <int kRows, typename R>
void AddScaledRows(const std::complex<R>* a, const std::complex<R>* b, ptrdiff_t step,
                   ptrdiff_t columns, std::complex<R>* c) {
  constexpr int kTogether = 2;
  constexpr ptrdiff_t kColumns = kTogether * kNumbers<R>;
  const auto add_in_order = [&](ptrdiff_t from, ptrdiff_t to) {
    for (ptrdiff_t x = from; x < to; ++x) {
      std::complex<R> sum = c[x];
      for (int r = 0; r < kRows; ++r) sum += b[r * step + x] * a[r];
      c[x] = sum;
    }
  };
  Vector<R> real[kRows], turned[kRows];
  HLO_UNROLLED
  for (int r = 0; r < kRows; ++r) {
    real[r] = Splat(a[r].real());
    turned[r] = WithSigns<R>(Splat(a[r].imag()));
  }
  ptrdiff_t x = 0;
  for (; x + kColumns <= columns; x += kColumns) {
    Vector<R> sum[kTogether];
    HLO_UNROLLED
    for (int v = 0; v < kTogether; ++v) sum[v] = Load(c + x + v * kNumbers<R>);
    HLO_UNROLLED
    for (int r = 0; r < kRows; ++r) {
      HLO_UNROLLED
      for (int v = 0; v < kTogether; ++v) {
        const Vector<R> values = Load(b + r * step + x + v * kNumbers<R>);
        sum[v] += values * real[r] + Crossed(values) * turned[r];
      }
    }
    if (HasNaN<R>(sum[0]) || HasNaN<R>(sum[1])) {
      add_in_order(x, x + kColumns);
      continue;
    }
    HLO_UNROLLED
    for (int v = 0; v < kTogether; ++v) Store<R>(sum[v], c + x + v * kNumbers<R>);
  }
  add_in_order(x, columns);
}

/// A vector of numbers that lie apart.
template <typename R>
HLO_INLINED Vector<R> LoadApart(const std::complex<R>* from, [[maybe_unused]] ptrdiff_t step) {
  if constexpr (kNumbers<R> == 1) {
    return Load(from);
  } else {
    // As one load each: through an array they would wait for being stored.
    Vector<double> pair;
    std::memcpy(&pair, from, sizeof *from);
    double second;
    std::memcpy(&second, from + step, sizeof second);
    pair[1] = second;
    return (Vector<R>)pair;
  }
}

/// product_loops::SumEightRows: a vector has numbers of as many rows.
template <typename R>
void SumEightRows(const std::complex<R>* a, ptrdiff_t step, const std::complex<R>* b,
                  ptrdiff_t depth, std::complex<R>* c, ptrdiff_t c_step) {
  constexpr int kGroups = 8 / static_cast<int>(kNumbers<R>);
  Vector<R> sums[kGroups] = {};
  for (ptrdiff_t p = 0; p < depth; ++p) {
    const Vector<R> real = Splat(b[p].real()), turned = WithSigns<R>(Splat(b[p].imag()));
    HLO_UNROLLED
    for (int g = 0; g < kGroups; ++g) {
      const Vector<R> values = LoadApart(a + g * kNumbers<R> * step + p, step);
      sums[g] += values * real + Crossed(values) * turned;
    }
  }
  std::complex<R> each[8];
  bool again = false;
  HLO_UNROLLED
  for (int g = 0; g < kGroups; ++g) {
    again = again || HasNaN<R>(sums[g]);
    Store<R>(sums[g], each + g * kNumbers<R>);
  }
  for (int r = 0; r < 8; ++r) {
    if (again)
      each[r] = product_loops::SumOfRow<std::complex<R>, SeparateStep>(a + r * step, b, 1, depth);
    c[r * c_step] = each[r];
  }
}

}  // namespace complex_loops
}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_COMPLEX_LOOPS_H_
