// Matrix products in few and short loops, for every type: what is loaded first makes do with them.
#ifndef HLO_ENGINE_KERNELS_DOT_PLAIN_H_
#define HLO_ENGINE_KERNELS_DOT_PLAIN_H_

#include <algorithm>
#include <complex>
#include <cstring>
#include <memory>

#include "engine/base/bits.h"
#include "engine/base/pacer.h"
#include "engine/types/tensor.h"

namespace hlo::plain {

/// What one register holds: 16 bytes of numbers by the compilers' vector extension (left to
/// themselves, they put the loops of a block in a slower order), or a single complex number.
template <typename T>
struct RegisterOf {
  typedef T type __attribute__((vector_size(16)));
};
template <typename T>
struct RegisterOf<std::complex<T>> {
  using type = std::complex<T>;
};
template <typename T>
using Register = typename RegisterOf<T>::type;

/// A register block of c: rows, registers in a row, and columns in those.
constexpr int64_t kRows = 4;
constexpr int64_t kRegisters = 2;
template <typename T>
constexpr int64_t kColumns = kRegisters* static_cast<int64_t>(sizeof(Register<T>) / sizeof(T));
/// Depth and width of the part of b that is packed at a time: it stays in the second-level cache.
constexpr int64_t kDepth = 256;
constexpr int64_t kPanel = 256;
/// b[depth, width] with row length n, as strips of kColumns columns: strip by strip, row by row.
/// A strip that is cut short by the edge is filled up with zeros.
template <typename T>
void PackPanel(const T* b, int64_t n, int64_t depth, int64_t width, T* packed) {
  constexpr int64_t kStrip = kColumns<T>;
  for (int64_t j = 0; j < width; j += kStrip) {
    int64_t columns = std::min(kStrip, width - j);
    for (int64_t p = 0; p < depth; ++p, packed += kStrip) {
      const T* row = b + p * n + j;
      for (int64_t x = 0; x < columns; ++x) packed[x] = row[x];
      for (int64_t x = columns; x < kStrip; ++x) packed[x] = T{};
    }
  }
}

/// One register block of c, `columns` of whose columns are real:
/// c[r][x] += sum over p of a[r][p] * strip[p][x], from zero if this is the first part of the
/// depth.
template <typename T, int64_t kHeight>
void UpdateBlock(const T* a, int64_t k, const T* strip, int64_t depth, bool first, T* c, int64_t n,
                 int64_t columns) {
  Register<T> sum[kHeight][kRegisters] = {};
  size_t row_bytes = static_cast<size_t>(columns) * sizeof(T);
  if (!first) {
    for (int64_t r = 0; r < kHeight; ++r) std::memcpy(&sum[r], c + r * n, row_bytes);
  }
  for (int64_t p = 0; p < depth; ++p, strip += kColumns<T>) {
    Register<T> values[kRegisters];
    std::memcpy(&values, strip, sizeof(values));
    for (int64_t r = 0; r < kHeight; ++r) {
      for (int64_t x = 0; x < kRegisters; ++x) sum[r][x] += values[x] * a[r * k + p];
    }
  }
  for (int64_t r = 0; r < kHeight; ++r)
    std::memcpy(static_cast<void*>(c + r * n), &sum[r], row_bytes);
}

template <typename T>
void MultiplyBlocked(const T* a, const T* b, T* c, int64_t m, int64_t k, int64_t n,
                     Budget* budget) {
  constexpr int64_t kStrip = kColumns<T>;
  int64_t panel_width = std::min(CeilDiv(n, kStrip) * kStrip, kPanel);
  auto scratch =
      Buffer::Allocate(static_cast<size_t>(std::min(k, kDepth) * panel_width) * sizeof(T), budget);
  T* packed = reinterpret_cast<T*>(scratch->data());
  Pacer pacer(budget);
  for (int64_t p = 0; p < k; p += kDepth) {
    int64_t depth = std::min(kDepth, k - p);
    for (int64_t j = 0; j < n; j += kPanel) {
      int64_t width = std::min(kPanel, n - j);
      PackPanel(b + p * n + j, n, depth, width, packed);
      for (int64_t i = 0; i < m;) {
        int64_t height = m - i >= kRows ? kRows : 1;
        const T* rows = a + i * k + p;
        T* out = c + i * n + j;
        for (int64_t x = 0; x < width; x += kStrip) {
          auto update = height == kRows ? UpdateBlock<T, kRows> : UpdateBlock<T, 1>;
          update(rows, k, packed + x * depth, depth, p == 0, out + x, n,
                 std::min(kStrip, width - x));
        }
        pacer.Add(height * depth * width);
        i += height;
      }
    }
  }
}

/// One row: adds up multiples of the rows of b, a stretch of columns at a time.
template <typename T>
void MultiplyRow(const T* a, const T* b, T* c, int64_t k, int64_t n, Budget* budget) {
  constexpr int64_t kStretch = 1024;
  Pacer pacer(budget);
  std::fill_n(c, n, T{});
  for (int64_t j = 0; j < n; j += kStretch) {
    int64_t width = std::min(kStretch, n - j);
    T* out = c + j;
    int64_t p = 0;
    for (; p + 4 <= k; p += 4) {
      const T *b0 = b + p * n + j, *b1 = b0 + n, *b2 = b1 + n, *b3 = b2 + n;
      T a0 = a[p], a1 = a[p + 1], a2 = a[p + 2], a3 = a[p + 3];
      for (int64_t x = 0; x < width; ++x) {
        out[x] = (((out[x] + a0 * b0[x]) + a1 * b1[x]) + a2 * b2[x]) + a3 * b3[x];
      }
      pacer.Add(4 * width);
    }
    for (; p < k; ++p) {
      const T* row = b + p * n + j;
      for (int64_t x = 0; x < width; ++x) out[x] += a[p] * row[x];
    }
  }
}

/// Few columns: eight rows go together, so that their sums do not wait for one another.
template <typename T>
void MultiplyNarrow(const T* a, const T* b, T* c, int64_t m, int64_t k, int64_t n, Budget* budget) {
  constexpr int64_t kTogether = 8;
  Pacer pacer(budget);
  for (int64_t i = 0; i < m; i += kTogether) {
    int64_t rows = std::min(kTogether, m - i);
    for (int64_t j = 0; j < n; ++j) {
      T sum[kTogether] = {};
      const T* from = a + i * k;
      if (rows == kTogether) {
        for (int64_t p = 0; p < k; ++p) {
          T factor = b[p * n + j];
          for (int64_t r = 0; r < kTogether; ++r) sum[r] += from[r * k + p] * factor;
        }
      } else {
        for (int64_t r = 0; r < rows; ++r) {
          for (int64_t p = 0; p < k; ++p) sum[r] += from[r * k + p] * b[p * n + j];
        }
      }
      for (int64_t r = 0; r < rows; ++r) c[(i + r) * n + j] = sum[r];
      pacer.Add(rows * k);
    }
  }
}

/// What MultiplyMatrices does, for k of 1 or more. Three ways, chosen by the shape of the result:
/// wide ones go in register blocks over a packed panel of b, single rows and narrow results in
/// loops that keep the same order of additions.
template <typename T>
void Multiply(const T* a, const T* b, T* c, int64_t m, int64_t k, int64_t n, Budget* budget) {
  if (n < 4) {
    MultiplyNarrow(a, b, c, m, k, n, budget);
  } else if (m == 1) {
    MultiplyRow(a, b, c, k, n, budget);
  } else {
    MultiplyBlocked(a, b, c, m, k, n, budget);
  }
}

}  // namespace hlo::plain

#endif  // HLO_ENGINE_KERNELS_DOT_PLAIN_H_
