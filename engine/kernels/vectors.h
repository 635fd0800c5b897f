// Sixteen bytes of numbers, for loops that compilers do not turn into vectors by themselves.
// Written with the vector extension that all our compilers share.
#ifndef HLO_ENGINE_KERNELS_VECTORS_H_
#define HLO_ENGINE_KERNELS_VECTORS_H_

#include <cstdint>
#include <cstring>

// Before a loop over the vectors of an array, which are in registers when there is no loop: the
// Wasm build unrolls nothing unless told to.
#if defined(__clang__)
#define HLO_UNROLLED _Pragma("clang loop unroll(full)")
#else
#define HLO_UNROLLED _Pragma("GCC unroll 16")
#endif

namespace hlo {

template <typename T>
struct VectorOf {
  typedef T type __attribute__((vector_size(16)));
};
/// A vector of native numbers. Comparisons give vectors of integers: all bits or none.
template <typename T>
using Vector = typename VectorOf<T>::type;
template <typename T>
constexpr int64_t kLanesOf = 16 / static_cast<int64_t>(sizeof(T));

/// A vector from elements in memory, which need no alignment.
template <typename T>
Vector<T> LoadVector(const T* from) {
  Vector<T> v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

template <typename T>
void StoreVector(const Vector<T>& v, T* to) {
  std::memcpy(to, &v, sizeof v);
}

/// The same number in all lanes.
template <typename T>
Vector<T> Splat(T value) {
  Vector<T> v;
  HLO_UNROLLED
  for (int64_t l = 0; l < kLanesOf<T>; ++l) v[l] = value;
  return v;
}

/// Four elements of each of four rows become the same elements column by column.
template <typename T>
inline __attribute__((always_inline)) void TurnFour(Vector<T>* rows) {
  const Vector<T> a = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
  const Vector<T> b = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
  const Vector<T> c = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
  const Vector<T> d = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
  rows[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  rows[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  rows[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  rows[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

/// Two elements as f64. One load of eight bytes is quicker than halves of a longer one.
inline Vector<double> LoadWidened(const float* from) {
  typedef float Pair __attribute__((vector_size(8)));
  Pair pair;
  std::memcpy(&pair, from, sizeof pair);
  return __builtin_convertvector(pair, Vector<double>);
}

/// Whether any bit of a comparison is set.
template <typename V>
bool AnyLane(const V& mask) {
#if defined(__wasm_simd128__)
  return __builtin_wasm_any_true_v128(reinterpret_cast<const Vector<signed char>&>(mask));
#else
  const Vector<uint64_t> bits = reinterpret_cast<const Vector<uint64_t>&>(mask);
  return (bits[0] | bits[1]) != 0;
#endif
}

/// A bit for every byte of a comparison, that of the first lane lowest.
template <typename V>
uint32_t BytesOfLanes(const V& mask) {
#if defined(__wasm_simd128__)
  return __builtin_wasm_bitmask_i8x16(reinterpret_cast<const Vector<signed char>&>(mask));
#elif defined(__SSE2__)
  typedef char Bytes __attribute__((vector_size(16)));
  return static_cast<uint32_t>(__builtin_ia32_pmovmskb128(reinterpret_cast<const Bytes&>(mask)));
#else
  uint32_t bits = 0;
  const auto& bytes = reinterpret_cast<const Vector<unsigned char>&>(mask);
  for (int i = 0; i < 16; ++i) bits |= static_cast<uint32_t>(bytes[i] & 1) << i;
  return bits;
#endif
}

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_VECTORS_H_
