// Products of small integers two at a time: machines multiply pairs of 16 bits and add both
// products in one instruction, where a product of 32 bits takes several. Sums of integers wrap, so
// their order does not matter. Internal to the kernels of products.
#ifndef HLO_ENGINE_KERNELS_INTEGER_PAIRS_H_
#define HLO_ENGINE_KERNELS_INTEGER_PAIRS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/kernels/product_loops.h"
#include "engine/kernels/vectors.h"

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace hlo::integer_pairs {

#if defined(__wasm_simd128__) || defined(__SSE2__)
inline constexpr bool kAreFast = true;
#else
inline constexpr bool kAreFast = false;
#endif

/// A step of AddToBlock over pairs.
struct Step {
  static HLO_INLINED void AddTo(Vector<uint32_t>& sum, const Vector<uint32_t>& a,
                                const Vector<uint32_t>& b) {
#if defined(__wasm_simd128__)
    sum += (Vector<uint32_t>)wasm_i32x4_dot_i16x8((v128_t)a, (v128_t)b);
#elif defined(__SSE2__)
    sum += (Vector<uint32_t>)_mm_madd_epi16((__m128i)a, (__m128i)b);
#else
    sum += (a & 0xffff) * (b & 0xffff) + (a >> 16) * (b >> 16);
#endif
  }
};

/// Whether all of these are integers of 16 bits with a sign.
inline bool Fit(const uint32_t* numbers, ptrdiff_t count) {
  constexpr ptrdiff_t kTogether = 1024;
  for (ptrdiff_t i = 0; i < count; i += kTogether) {
    uint32_t bits = 0;
    const ptrdiff_t end = std::min(count, i + kTogether);
    for (ptrdiff_t j = i; j < end; ++j) bits |= numbers[j] + 0x8000;
    if (bits > 0xffff) return false;
  }
  return true;
}

/// How many rows pairs of rows make.
inline int64_t Rows(int64_t depth) { return (depth + 1) / 2; }

/// Two rows after one another become one of pairs; the last one is paired with zeros if need be.
/// `to` may be `from`.
inline void Join(const uint32_t* from, int64_t depth, int64_t width, uint32_t* to) {
  for (int64_t p = 0; p < depth; p += 2, from += 2 * width, to += width) {
    for (int64_t x = 0; x < width; ++x) {
      const uint32_t second = p + 1 < depth ? from[width + x] : 0;
      to[x] = (from[x] & 0xffff) | second << 16;
    }
  }
}

}  // namespace hlo::integer_pairs

#endif  // HLO_ENGINE_KERNELS_INTEGER_PAIRS_H_
