#include "engine/kernels/move_transpose.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace hlo {
namespace {

// Where the compiler is asked for small code, it would call these one by one, with vectors in
// memory.
#define HLO_INLINE inline __attribute__((always_inline))
#define HLO_INLINE_LAMBDA __attribute__((always_inline))

// Sixteen bytes of elements. Written with the vector extension that all our compilers share.
// (g++ does not take the attribute of a type that depends on T.)
typedef uint8_t Bytes __attribute__((vector_size(16)));
typedef uint16_t Halves __attribute__((vector_size(16)));
typedef uint32_t Words __attribute__((vector_size(16)));
typedef uint64_t Doubles __attribute__((vector_size(16)));
template <typename T>
struct BitLanes {
  static constexpr int kCount = 16 / sizeof(T);
  using Vector =
      std::conditional_t<sizeof(T) == 1, Bytes,
                         std::conditional_t<sizeof(T) == 2, Halves,
                                            std::conditional_t<sizeof(T) == 4, Words, Doubles>>>;
};
template <typename T>
using BitVector = typename BitLanes<T>::Vector;

template <typename T>
HLO_INLINE BitVector<T> Load(const T* from) {
  BitVector<T> v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
template <typename T>
HLO_INLINE void Store(BitVector<T> v, T* to) {
  std::memcpy(to, &v, sizeof v);
}

// a0 b0 a1 b1 ... of the low halves or of the high halves.
template <typename T, int kFirst, size_t... I>
HLO_INLINE BitVector<T> Zip(BitVector<T> a, BitVector<T> b, std::index_sequence<I...>) {
  constexpr int kLanes = BitLanes<T>::kCount;
  return __builtin_shufflevector(a, b, (static_cast<int>(I) / 2 + kFirst + I % 2 * kLanes)...);
}
// The even or the odd elements of a, then those of b.
template <typename T, int kFirst, size_t... I>
HLO_INLINE BitVector<T> Unzip(BitVector<T> a, BitVector<T> b, std::index_sequence<I...>) {
  return __builtin_shufflevector(a, b, (2 * static_cast<int>(I) + kFirst)...);
}

// Applies a function to 0, 1, ... one after the other, without a loop: vectors must stay in
// registers, and not every compiler unrolls by itself.
template <typename F, size_t... I>
HLO_INLINE void Unrolled(F&& f, std::index_sequence<I...>) {
  (f(std::integral_constant<int, static_cast<int>(I)>()), ...);
}
template <int kCount, typename F>
HLO_INLINE void Unrolled(F&& f) {
  Unrolled(f, std::make_index_sequence<static_cast<size_t>(kCount)>());
}

// `kRows` vectors, one per row, become the same elements column by column: a transposition when
// there are as many rows as lanes. Each round is a perfect shuffle of what the one before left.
template <typename T, int kRows, int kRound = 1>
HLO_INLINE void Interleave(BitVector<T>* rows) {
  if constexpr (kRound < kRows) {
    using Order = std::make_index_sequence<BitLanes<T>::kCount>;
    BitVector<T> next[kRows];
    Unrolled<kRows / 2>([&](auto i) HLO_INLINE_LAMBDA {
      next[2 * i] = Zip<T, 0>(rows[i], rows[i + kRows / 2], Order());
      next[2 * i + 1] = Zip<T, BitLanes<T>::kCount / 2>(rows[i], rows[i + kRows / 2], Order());
    });
    Unrolled<kRows>([&](auto i) HLO_INLINE_LAMBDA { rows[i] = next[i]; });
    Interleave<T, kRows, kRound * 2>(rows);
  }
}
template <typename T, int kRows, int kRound = 1>
HLO_INLINE void Separate(BitVector<T>* rows) {
  if constexpr (kRound < kRows) {
    using Order = std::make_index_sequence<BitLanes<T>::kCount>;
    BitVector<T> next[kRows];
    Unrolled<kRows / 2>([&](auto i) HLO_INLINE_LAMBDA {
      next[i] = Unzip<T, 0>(rows[2 * i], rows[2 * i + 1], Order());
      next[i + kRows / 2] = Unzip<T, 1>(rows[2 * i], rows[2 * i + 1], Order());
    });
    Unrolled<kRows>([&](auto i) HLO_INLINE_LAMBDA { rows[i] = next[i]; });
    Separate<T, kRows, kRound * 2>(rows);
  }
}

// Interleaves a few rows, element by element, into one.
template <typename T, int kRows>
void InterleaveRows(const T* from, int64_t in_step, T* to, int64_t columns) {
  constexpr int64_t kLanes = BitLanes<T>::kCount;
  int64_t i = 0;
  for (; i + kLanes <= columns; i += kLanes) {
    BitVector<T> rows[kRows];
    Unrolled<kRows>([&](auto j) HLO_INLINE_LAMBDA { rows[j] = Load(from + j * in_step + i); });
    Interleave<T, kRows>(rows);
    Unrolled<kRows>([&](auto j)
                        HLO_INLINE_LAMBDA { Store<T>(rows[j], to + i * kRows + j * kLanes); });
  }
  for (; i < columns; ++i) {
    for (int j = 0; j < kRows; ++j) to[i * kRows + j] = from[j * in_step + i];
  }
}
// The inverse: one row into a few.
template <typename T, int kRows>
void SeparateRows(const T* from, T* to, int64_t out_step, int64_t columns) {
  constexpr int64_t kLanes = BitLanes<T>::kCount;
  int64_t i = 0;
  for (; i + kLanes <= columns; i += kLanes) {
    BitVector<T> rows[kRows];
    Unrolled<kRows>([&](auto j)
                        HLO_INLINE_LAMBDA { rows[j] = Load(from + i * kRows + j * kLanes); });
    Separate<T, kRows>(rows);
    Unrolled<kRows>([&](auto j) HLO_INLINE_LAMBDA { Store<T>(rows[j], to + j * out_step + i); });
  }
  for (; i < columns; ++i) {
    for (int j = 0; j < kRows; ++j) to[j * out_step + i] = from[i * kRows + j];
  }
}

// A block: what it writes of a column and reads of a row. Where stores can go past the caches and
// every column begins at a line, a block stays in the first-level cache and writes two lines at a
// time. Otherwise pieces have to be so long that their ends, which do not fill a line, count for
// little, that processors fetch ahead what is read, and that memcpy, which need not fetch what it
// overwrites, pays off; a block and the one after it share the second-level cache.
#ifdef __SSE2__
constexpr int64_t kWriteBytes = 2048;
constexpr int64_t kLineBytes = 128;
template <typename T>
constexpr int64_t kBlockColumns = 128;
#else
constexpr int64_t kWriteBytes = 1024;
constexpr int64_t kLineBytes = kWriteBytes;
template <typename T>
constexpr int64_t kBlockColumns = 512 / static_cast<int64_t>(sizeof(T));
#endif
template <typename T>
constexpr int64_t kBlockRows = kWriteBytes / static_cast<int64_t>(sizeof(T));
// Rows of a block lie a line further apart than they are long: at powers of two they would share
// the same few cache sets.
template <typename T>
constexpr int64_t kBlockStep = kBlockRows<T> + 64 / static_cast<int64_t>(sizeof(T));

// One buffer for all widths and calls: not on the stack, which is small in Wasm. There a
// thread_local variable could not be linked with the bulk-memory instructions; threads of a pool
// bring rooms of their own.
#ifdef __wasm__
#define HLO_ROOM static
#else
#define HLO_ROOM thread_local
#endif
constexpr size_t kRoomBytes = static_cast<size_t>(kBlockColumns<uint8_t> * (kWriteBytes + 64));
alignas(64) HLO_ROOM std::byte block_room[kRoomBytes];
#undef HLO_ROOM

// A part of a plane, of at most kRows by kBlockColumns.
struct Part {
  int64_t row, height;
  int64_t column, width;
};

// Transposes into a block.
template <typename T>
void FillBlock(const T* from, const PlaneAxis& rows, const Part& part, T* block) {
  const auto [first_row, height, first_column, width] = part;
  from += first_column;
  int64_t j = 0;
  if constexpr (!std::is_same_v<T, WideElement>) {
    constexpr int64_t kLanes = BitLanes<T>::kCount;
    for (; j + kLanes <= height; j += kLanes) {
      const T* in[kLanes];
      for (int k = 0; k < kLanes; ++k) in[k] = from + rows.At(first_row + j + k);
      int64_t i = 0;
      for (; i + kLanes <= width; i += kLanes) {
        BitVector<T> lanes[kLanes];
        Unrolled<kLanes>([&](auto k) HLO_INLINE_LAMBDA { lanes[k] = Load(in[k] + i); });
        Interleave<T, kLanes>(lanes);
        T* const out = block + i * kBlockStep<T> + j;
        Unrolled<kLanes>([&](auto k)
                             HLO_INLINE_LAMBDA { Store<T>(lanes[k], out + k * kBlockStep<T>); });
      }
      for (; i < width; ++i) {
        for (int k = 0; k < kLanes; ++k) block[i * kBlockStep<T> + j + k] = in[k][i];
      }
    }
  }
  for (; j < height; ++j) {
    const T* in = from + rows.At(first_row + j);
    for (int64_t i = 0; i < width; ++i) block[i * kBlockStep<T> + j] = in[i];
  }
}

// Writes a row of a block.
template <typename T>
void WriteRow(const T* row, int64_t height, T* to, bool stream) {
  constexpr int64_t kLine = 64 / static_cast<int64_t>(sizeof(T));
  constexpr int64_t kStep = 16 / static_cast<int64_t>(sizeof(T));
  int64_t j = 0;
#ifdef __SSE2__
  if (stream) {
    const uintptr_t to_line = -reinterpret_cast<uintptr_t>(to) % 64 / sizeof(T);
    const int64_t head = std::min(height, static_cast<int64_t>(to_line));
    for (; j < head; ++j) to[j] = row[j];
    for (; j + kLine <= height; j += kLine) {
      Unrolled<4>([&](auto k) HLO_INLINE_LAMBDA {
        _mm_stream_si128(reinterpret_cast<__m128i*>(to + j + k * kStep),
                         _mm_loadu_si128(reinterpret_cast<const __m128i*>(row + j + k * kStep)));
      });
    }
  }
#else
  (void)stream;
  if (height >= 2 * kLine) {
    std::memcpy(to, row, static_cast<size_t>(height) * sizeof(T));
    return;
  }
#endif
  for (; j + kLine <= height; j += kLine) {
    Words line[4];
    Unrolled<4>([&](auto k) HLO_INLINE_LAMBDA {
      std::memcpy(&line[k], row + j + k * kStep, sizeof(Words));
    });
    Unrolled<4>([&](auto k) HLO_INLINE_LAMBDA {
      std::memcpy(to + j + k * kStep, &line[k], sizeof(Words));
    });
  }
  for (; j < height; ++j) to[j] = row[j];
}

// Prefetches a part's rows by reading a byte of every cache line. Wasm has no prefetch instruction.
template <typename T>
void FetchRows(const T* from, const PlaneAxis& rows, const Part& part, int64_t first,
               int64_t count) {
#ifdef __SSE2__
  (void)from, (void)rows, (void)part, (void)first, (void)count;
#else
  const int64_t end = std::min(first + count, part.height);
  const int64_t bytes = part.width * static_cast<int64_t>(sizeof(T));
  for (int64_t j = first; j < end; ++j) {
    const volatile uint8_t* row =
        reinterpret_cast<const uint8_t*>(from + rows.At(part.row + j) + part.column);
    for (int64_t i = 0; i < bytes; i += 64) static_cast<void>(row[i]);
  }
#endif
}

// Writes a block to its columns, and between them fetches the part that comes next.
template <typename T>
void WriteBlock(const T* block, const Part& part, T* to, const PlaneAxis& columns, bool stream,
                const T* from, const PlaneAxis& rows, const Part& next) {
  int64_t within = part.column % columns.inner;
  T* out = to + columns.At(part.column) + part.row;
  const int64_t share = next.height / part.width + 1;
  for (int64_t k = 0; k < part.width; ++k) {
    WriteRow(block + k * kBlockStep<T>, part.height, out, stream);
    FetchRows(from, rows, next, k * share, share);
    if (++within < columns.inner) {
      out += columns.step;
    } else {
      within = 0;
      out = to + columns.At(part.column + k + 1) + part.row;
    }
  }
}

// Whether every column begins at a line.
template <typename T>
bool BeginAtLines(const T* to, const PlaneAxis& columns) {
  constexpr int64_t kLine = 64 / static_cast<int64_t>(sizeof(T));
  return reinterpret_cast<uintptr_t>(to) % 64 == 0 && columns.step % kLine == 0 &&
         (columns.inner == columns.count || columns.outer_step % kLine == 0);
}

// Planes of a few rows or columns that lie side by side on the other side.
template <typename T>
bool TransposeThin(const T* from, const PlaneAxis& rows, T* to, const PlaneAxis& columns) {
  if constexpr (!std::is_same_v<T, WideElement>) {
    if (rows.inner != rows.count || columns.inner != columns.count) return false;
    if (columns.step == rows.count && rows.count == 2) {
      InterleaveRows<T, 2>(from, rows.step, to, columns.count);
    } else if (columns.step == rows.count && rows.count == 4) {
      InterleaveRows<T, 4>(from, rows.step, to, columns.count);
    } else if (rows.step == columns.count && columns.count == 2) {
      SeparateRows<T, 2>(from, to, columns.step, rows.count);
    } else if (rows.step == columns.count && columns.count == 4) {
      SeparateRows<T, 4>(from, to, columns.step, rows.count);
    } else {
      return false;
    }
    return true;
  }
  return false;
}

}  // namespace

size_t TransposeRoom() { return kRoomBytes; }

template <typename T>
int64_t TransposeRows() {
  return kBlockRows<T>;
}

template <typename T>
void TransposePlane(const T* from, const PlaneAxis& rows, T* to, const PlaneAxis& columns,
                    bool stream, std::byte* room) {
  if (TransposeThin(from, rows, to, columns)) return;
  T* const block = reinterpret_cast<T*>(room == nullptr ? block_room : room);
  const int64_t height =
      BeginAtLines(to, columns) ? kLineBytes / static_cast<int64_t>(sizeof(T)) : kBlockRows<T>;
  const auto part_at = [&](int64_t row, int64_t column) {
    return Part{row, std::min(height, rows.count - row), column,
                std::min(kBlockColumns<T>, columns.count - column)};
  };
  if (rows.count == 0 || columns.count == 0) return;
  for (Part part = part_at(0, 0); part.height > 0;) {
    const int64_t column = part.column + part.width;
    const Part next =
        column < columns.count ? part_at(part.row, column) : part_at(part.row + part.height, 0);
    FillBlock(from, rows, part, block);
    WriteBlock(block, part, to, columns, stream, from, rows, next);
    part = next;
  }
}

#define HLO_TRANSPOSE(T)                                                               \
  template void TransposePlane(const T*, const PlaneAxis&, T*, const PlaneAxis&, bool, \
                               std::byte*);                                            \
  template int64_t TransposeRows<T>();
HLO_TRANSPOSE(uint8_t)
HLO_TRANSPOSE(uint16_t)
HLO_TRANSPOSE(uint32_t)
HLO_TRANSPOSE(uint64_t)
HLO_TRANSPOSE(WideElement)
#undef HLO_TRANSPOSE
#undef HLO_INLINE_LAMBDA
#undef HLO_INLINE

}  // namespace hlo
