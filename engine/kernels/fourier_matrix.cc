#include "engine/kernels/fourier_matrix.h"

#ifndef HLO_SMALL

#include <bit>
#include <cstddef>

#include "engine/base/bits.h"
#include "engine/kernels/fourier_roots.h"
#include "engine/kernels/product_loops.h"
#include "engine/kernels/vectors.h"
#include "engine/threads/pieces.h"

namespace hlo {
namespace {

using Complex = std::complex<double>;
using Two = Vector<double>;

/// The same element of two lines.
struct TwoNumbers {
  Two real, imag;
};
HLO_INLINED TwoNumbers Sum(const TwoNumbers& a, const TwoNumbers& b) {
  return {a.real + b.real, a.imag + b.imag};
}
HLO_INLINED TwoNumbers Difference(const TwoNumbers& a, const TwoNumbers& b) {
  return {a.real - b.real, a.imag - b.imag};
}
/// By i.
HLO_INLINED TwoNumbers Turned(const TwoNumbers& x) { return {-x.imag, x.real}; }
HLO_INLINED TwoNumbers Product(const TwoNumbers& x, const TwoNumbers& y) {
  return {x.real * y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real};
}
HLO_INLINED TwoNumbers TimesRoot(const TwoNumbers& x, const TwoNumbers& root) {
  return {x.real * root.real - x.imag * root.imag, x.imag * root.real + x.real * root.imag};
}
HLO_INLINED TwoNumbers Both(const Complex& x) { return {Splat(x.real()), Splat(x.imag())}; }

/// Numbers of two lines, in the memory of as many complex ones.
TwoNumbers* Pairs(Complex* numbers) { return reinterpret_cast<TwoNumbers*>(numbers); }

/// Four numbers `apart` each other become four of four transforms of a quarter of the length.
template <bool kTurns>
HLO_INLINED void Combine(TwoNumbers* x, ptrdiff_t apart, const TwoNumbers (&roots)[3]) {
  const TwoNumbers a = x[0], b = x[apart], c = x[2 * apart], d = x[3 * apart];
  const TwoNumbers even = Sum(a, c), odd = Difference(a, c), sum = Sum(b, d),
                   side = Turned(Difference(b, d));
  const TwoNumbers second = Difference(odd, side), third = Difference(even, sum),
                   fourth = Sum(odd, side);
  x[0] = Sum(even, sum);
  x[apart] = kTurns ? TimesRoot(second, roots[0]) : second;
  x[2 * apart] = kTurns ? TimesRoot(third, roots[1]) : third;
  x[3 * apart] = kTurns ? TimesRoot(fourth, roots[2]) : fourth;
}

/// One pass over n numbers in transforms of `part`; the roots of a part are `step` apart.
void PassByFour(TwoNumbers* x, ptrdiff_t n, ptrdiff_t part, const Complex* roots, ptrdiff_t step) {
  const ptrdiff_t quarter = part / 4;
  for (ptrdiff_t at = 0; at < n; at += part) Combine<false>(x + at, quarter, {});
  for (ptrdiff_t p = 1; p < quarter; ++p) {
    const TwoNumbers own[3] = {Both(roots[p * step]), Both(roots[2 * p * step]),
                               Both(roots[3 * p * step])};
    for (ptrdiff_t at = p; at < n; at += part) Combine<true>(x + at, quarter, own);
  }
}

void PassByTwo(TwoNumbers* x, ptrdiff_t n) {
  for (ptrdiff_t at = 0; at < n; at += 2) {
    const TwoNumbers a = x[at], b = x[at + 1];
    x[at] = Sum(a, b);
    x[at + 1] = Difference(a, b);
  }
}

/// Parts up to here stay in the nearest cache, with their roots, from pass to pass.
constexpr ptrdiff_t kNearPart = 256;

/// Transforms two lines of n numbers in place; DigitOrder says where the results are.
void TransformTwo(TwoNumbers* x, ptrdiff_t n, const Complex* roots, ptrdiff_t step) {
  if (n > kNearPart) {
    const ptrdiff_t quarter = n / 4;
    PassByFour(x, n, n, roots, step);
    for (ptrdiff_t at = 0; at < n; at += quarter) TransformTwo(x + at, quarter, roots, step * 4);
    return;
  }
  ptrdiff_t part = n;
  for (; part >= 4; part /= 4, step *= 4) PassByFour(x, n, part, roots, step);
  if (part == 2) PassByTwo(x, n);
}

/// Where the passes over n numbers leave each result: its digits the other way round.
Tensor DigitOrder(int64_t n, Budget* budget) {
  Tensor order(ElementType::kS32, Dims{n}, budget);
  for (int64_t k = 0; k < n; ++k) {
    int64_t at = 0, rest = k;
    for (int64_t part = n; part > 1;) {
      const int64_t radix = part >= 4 ? 4 : 2;
      part /= radix;
      at += rest % radix * part;
      rest /= radix;
    }
    order.mutable_data<int32_t>()[k] = static_cast<int32_t>(at);
  }
  return order;
}

/// Two numbers side by side.
HLO_INLINED TwoNumbers Read(const std::complex<double>* from) {
  const double* const x = reinterpret_cast<const double*>(from);
  const Two a = LoadVector(x), b = LoadVector(x + 2);
  return {__builtin_shufflevector(a, b, 0, 2), __builtin_shufflevector(a, b, 1, 3)};
}
HLO_INLINED TwoNumbers Read(const std::complex<float>* from) {
  const Vector<float> x = LoadVector(reinterpret_cast<const float*>(from));
  return {__builtin_convertvector(__builtin_shufflevector(x, x, 0, 2), Two),
          __builtin_convertvector(__builtin_shufflevector(x, x, 1, 3), Two)};
}
HLO_INLINED void Write(const TwoNumbers& x, std::complex<double>* to) {
  double* const y = reinterpret_cast<double*>(to);
  StoreVector<double>(__builtin_shufflevector(x.real, x.imag, 0, 2), y);
  StoreVector<double>(__builtin_shufflevector(x.real, x.imag, 1, 3), y + 2);
}
HLO_INLINED void Write(const TwoNumbers& x, std::complex<float>* to) {
  typedef float Narrow __attribute__((vector_size(8)));
  const Narrow real = __builtin_convertvector(x.real, Narrow);
  const Narrow imag = __builtin_convertvector(x.imag, Narrow);
  StoreVector<float>(__builtin_shufflevector(real, imag, 0, 2, 1, 3), reinterpret_cast<float*>(to));
}

/// The roots that a matrix multiplies by between its two steps.
struct RootTables {
  const Complex *coarse, *fine;
  int shift;  // rows = 1 << shift

  HLO_INLINED Complex At(ptrdiff_t k) const {
    return PlainProduct(coarse[k >> shift], fine[k & ((ptrdiff_t{1} << shift) - 1)]);
  }
};

RootTables RootsOf(const FourierMatrix::Tables& tables, int64_t rows) {
  return {tables.coarse.data<Complex>(), tables.fine.data<Complex>(),
          std::countr_zero(static_cast<uint64_t>(rows))};
}

/// Two lines beside two others become the columns of the four numbers: an element of both rows
/// each.
HLO_INLINED void StoreTurned(const TwoNumbers& a, const TwoNumbers& b, TwoNumbers* to) {
  to[0] = {__builtin_shufflevector(a.real, b.real, 0, 2),
           __builtin_shufflevector(a.imag, b.imag, 0, 2)};
  to[1] = {__builtin_shufflevector(a.real, b.real, 1, 3),
           __builtin_shufflevector(a.imag, b.imag, 1, 3)};
}

constexpr ptrdiff_t kPairs = FourierMatrix::kLinesTogether / 2;
constexpr ptrdiff_t kBeside = FourierMatrix::kRootsBeside;

/// Columns that go together, as pairs one after the other.
template <bool kInverse, typename T>
void ReadColumns(const std::complex<T>* from, ptrdiff_t rows, ptrdiff_t columns, TwoNumbers* to) {
  for (ptrdiff_t r = 0; r < rows; ++r, from += columns) {
    HLO_UNROLLED
    for (ptrdiff_t j = 0; j < kPairs; ++j) {
      TwoNumbers number = Read(from + 2 * j);
      if constexpr (kInverse) number.imag = -number.imag;
      to[j * rows + r] = number;
    }
  }
}

/// Writes transformed columns, of which `column` is the first, times their roots, with two rows of
/// the matrix side by side.
void StoreColumns(const TwoNumbers* from, ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t column,
                  const int32_t* order, const FourierMatrix::Tables& tables, TwoNumbers* matrix) {
  const RootTables roots = RootsOf(tables, rows);
  const Complex* beside = tables.beside.data<Complex>();
  for (ptrdiff_t k = 0; k < rows; k += 2, beside += 2 * kBeside) {
    const TwoNumbers *even = from + order[k], *odd = from + order[k + 1];
    TwoNumbers* to = matrix + k / 2 * columns + column;
    for (ptrdiff_t at = column; at < column + FourierMatrix::kLinesTogether; at += kBeside) {
      const TwoNumbers first = Both(roots.At(at * k)), second = Both(roots.At(at * (k + 1)));
      HLO_UNROLLED
      for (ptrdiff_t j = 0; j < kBeside; j += 2, even += rows, odd += rows, to += 2) {
        StoreTurned(TimesRoot(*even, Product(first, Read(beside + j))),
                    TimesRoot(*odd, Product(second, Read(beside + kBeside + j))), to);
      }
    }
  }
}

/// Writes transformed rows as neighbours; results are `rows` apart.
template <bool kInverse, typename T>
void StoreRows(const TwoNumbers* from, ptrdiff_t rows, ptrdiff_t columns, const int32_t* order,
               double scale, std::complex<T>* to) {
  for (ptrdiff_t k = 0; k < columns; ++k, to += rows) {
    const TwoNumbers* const numbers = from + order[k];
    HLO_UNROLLED
    for (ptrdiff_t j = 0; j < kPairs; ++j) {
      TwoNumbers number = numbers[j * columns];
      if constexpr (kInverse) number = {number.real * Splat(scale), -number.imag * Splat(scale)};
      Write(number, to + 2 * j);
    }
  }
}

}  // namespace

int64_t FourierMatrix::RowsOf(int64_t length) {
  int64_t rows = 1;
  while (rows * rows < length) rows *= 2;
  return rows;
}

FourierMatrix::FourierMatrix(int64_t length, Budget* budget)
    : length_(length), rows_(RowsOf(length)), columns_(length / rows_) {
  tables_ = {RootsOfPower(rows_, budget), RootsOfUnity(columns_, columns_, budget),
             RootsOfUnity(rows_, length, budget), MakeLine(rows_ * kRootsBeside, budget)};
  const RootTables roots = RootsOf(tables_, rows_);
  Complex* const beside = tables_.beside.mutable_data<Complex>();
  for (ptrdiff_t i = 0; i < static_cast<ptrdiff_t>(rows_) * kBeside; ++i) {
    beside[i] = roots.At(i / kBeside * (i % kBeside));
  }
  row_order_ = DigitOrder(rows_, budget);
  column_order_ = rows_ == columns_ ? row_order_ : DigitOrder(columns_, budget);
  MakeScratch(budget);
}

void FourierMatrix::MakeScratch(Budget* budget) {
  scratch_ = MakeLine(length_, budget);
  const int threads = IsShared(length_) ? PieceThreads() : 1;
  lines_ = MakeLine(threads * rows_ * kLinesTogether, budget);
}

FourierMatrix FourierMatrix::Another(Budget* budget) const {
  FourierMatrix another = *this;
  another.MakeScratch(budget);
  return another;
}

template <typename T>
void FourierMatrix::Run(const std::complex<T>* from, std::complex<T>* to, bool inverse,
                        Budget* budget) {
  if (inverse) {
    TransformColumns<T, true>(from, budget);
    TransformRows<T, true>(to, budget);
  } else {
    TransformColumns<T, false>(from, budget);
    TransformRows<T, false>(to, budget);
  }
}

// With n = columns r + c and k = k1 + rows k2 the sum over n is one over r for each column, times a
// root, and one over c for each row k1. The inverse is the conjugate of the transform of the
// conjugate.
template <typename T, bool kInverse>
void FourierMatrix::TransformColumns(const std::complex<T>* from, Budget* budget) {
  const auto rows = static_cast<ptrdiff_t>(rows_), columns = static_cast<ptrdiff_t>(columns_);
  Complex* const lines = lines_.mutable_data<Complex>();
  Complex* const matrix = scratch_.mutable_data<Complex>();
  const int32_t* const order = row_order_.data<int32_t>();
  RunRanges(columns_, kLinesTogether, length_, budget,
            [&](PieceRange piece, int thread, Budget* own) {
              TwoNumbers* const x = Pairs(lines + thread * kLinesTogether * rows);
              ReadColumns<kInverse>(from + piece.begin, rows, columns, x);
              for (ptrdiff_t j = 0; j < kPairs; ++j) {
                TransformTwo(x + j * rows, rows, tables_.rows.data<Complex>(), 1);
              }
              StoreColumns(x, rows, columns, static_cast<ptrdiff_t>(piece.begin), order, tables_,
                           Pairs(matrix));
              own->Poll();
            });
}

template <typename T, bool kInverse>
void FourierMatrix::TransformRows(std::complex<T>* to, Budget* budget) {
  const auto rows = static_cast<ptrdiff_t>(rows_), columns = static_cast<ptrdiff_t>(columns_);
  Complex* const matrix = scratch_.mutable_data<Complex>();
  // A power of two: as exact as a division by the length.
  const double scale = 1.0 / static_cast<double>(length_);
  RunRanges(rows_, kLinesTogether, length_, budget, [&](PieceRange piece, int, Budget* own) {
    TwoNumbers* const x = Pairs(matrix + piece.begin * columns);
    for (ptrdiff_t j = 0; j < kPairs; ++j) {
      TransformTwo(x + j * columns, columns, tables_.rows.data<Complex>(), rows / columns);
    }
    StoreRows<kInverse>(x, rows, columns, column_order_.data<int32_t>(), scale, to + piece.begin);
    own->Poll();
  });
}

template void FourierMatrix::Run(const std::complex<float>*, std::complex<float>*, bool, Budget*);
template void FourierMatrix::Run(const std::complex<double>*, std::complex<double>*, bool, Budget*);

}  // namespace hlo

#endif  // HLO_SMALL
