#include "engine/kernels/fourier_powers.h"

#ifndef HLO_SMALL

#include <algorithm>
#include <utility>

#include "engine/base/bits.h"
#include "engine/kernels/vectors.h"
#include "engine/lanes/f64_functions.h"
#include "engine/threads/pieces.h"

namespace hlo {
namespace {

using Complex = std::complex<double>;
/// A complex number.
using Pair = Vector<double>;

/// Roots up to here are computed one by one.
constexpr int64_t kFewRoots = 4096;

Pair Load(const Complex* from) { return LoadVector(reinterpret_cast<const double*>(from)); }
void Store(Pair x, Complex* to) { StoreVector<double>(x, reinterpret_cast<double*>(to)); }

Pair Times(Pair x, Complex w) {
  const Pair swapped = {x[1], x[0]};
  const Pair imaginary = {-w.imag(), w.imag()};
  return x * Splat(w.real()) + swapped * imaginary;
}
/// By i.
Pair Turned(Pair x) { return Pair{-x[1], x[0]}; }

/// The root with the number `k` of n from that with the number `rest` in the first octant.
Complex Mirrored(Complex root, int64_t octant) {
  double x = root.real(), y = -root.imag();
  if (octant % 4 == 1 || octant % 4 == 2) std::swap(x, y);
  if (octant >= 2 && octant < 6) x = -x;
  return {x, octant < 4 ? -y : y};
}

Complex RootInOctant(int64_t eighths, int64_t n) {
  constexpr double kOctant = 0.78539816339744830962;
  const double angle = kOctant * (static_cast<double>(eighths) / static_cast<double>(n));
  return {f64::Cos(angle), -f64::Sin(angle)};
}

/// Those of the first octant of n >= 8, 0 to n / 8. Of many the products of fewer, which cost less
/// and are within 2 ulp.
Tensor FirstOctant(int64_t n, Budget* budget) {
  const int64_t count = n / 8 + 1;
  Tensor table = MakeLine(count, budget);
  Complex* const roots = table.mutable_data<Complex>();
  int64_t fine = count;
  if (n > kFewRoots) {
    for (fine = 1; fine * fine < count; fine *= 2) {
    }
  }
  for (int64_t k = 0; k < fine; ++k) roots[k] = RootInOctant(8 * k, n);
  for (int64_t first = fine; first < count; first += fine) {
    const Complex coarse = RootInOctant(8 * first, n);
    for (int64_t k = 0; k < std::min(fine, count - first); ++k) {
      roots[first + k] = PlainProduct(coarse, roots[k]);
    }
  }
  return table;
}

/// The first three quarters of the roots of n.
Tensor RootsOfPower(int64_t n, Budget* budget) {
  const int64_t count = n < 4 ? 1 : n / 4 * 3;
  Tensor table = MakeLine(count, budget);
  Complex* const to = table.mutable_data<Complex>();
  if (n < 8) {
    for (int64_t k = 0; k < count; ++k) to[k] = RootOfUnity(k, n);
    return table;
  }
  const Tensor octant_table = FirstOctant(n, budget);
  const Complex* const first = octant_table.data<Complex>();
  const int64_t length = n / 8;
  RunPieces(CeilDiv(count, length), count, budget, [&](int64_t octant, int, Budget* own) {
    own->Poll();
    for (int64_t k = 0; k < length; ++k) {
      const int64_t at = octant % 2 != 0 ? length - k : k;
      to[octant * length + k] = Mirrored(first[at], octant);
    }
  });
  return table;
}

/// Roots of unity as passes read them: those of `table` that are `step` apart.
struct RootsOfPass {
  const Complex* table;
  int64_t step;
  Complex At(int64_t k) const { return table[k * step]; }
};

/// One pass over `stride` lines side by side, of which n elements are still to be combined.
void PassByFour(const Complex* from, Complex* to, int64_t n, int64_t stride, RootsOfPass roots) {
  const int64_t quarter = n / 4, apart = stride * quarter;
  for (int64_t p = 0; p < quarter; ++p) {
    const Complex* x = from + stride * p;
    Complex* y = to + 4 * stride * p;
    const Complex w1 = roots.At(p), w2 = roots.At(2 * p), w3 = roots.At(3 * p);
    for (int64_t q = 0; q < stride; ++q, ++x, ++y) {
      const Pair a = Load(x), b = Load(x + apart), c = Load(x + 2 * apart), d = Load(x + 3 * apart);
      const Pair even = a + c, odd = a - c, sum = b + d, turned = Turned(b - d);
      Store(even + sum, y);
      if (p == 0) {
        Store(odd - turned, y + stride);
        Store(even - sum, y + 2 * stride);
        Store(odd + turned, y + 3 * stride);
      } else {
        Store(Times(odd - turned, w1), y + stride);
        Store(Times(even - sum, w2), y + 2 * stride);
        Store(Times(odd + turned, w3), y + 3 * stride);
      }
    }
  }
}

void LastPassByTwo(const Complex* from, Complex* to, int64_t stride) {
  for (int64_t q = 0; q < stride; ++q) {
    const Pair a = Load(from + q), b = Load(from + q + stride);
    Store(a + b, to + q);
    Store(a - b, to + q + stride);
  }
}

/// One element of each of the lines that are transformed side by side, without a call.
void CopyOfEach(const Complex* from, Complex* to) {
  HLO_UNROLLED
  for (int64_t j = 0; j < kLinesTogether; ++j) Store(Load(from + j), to + j);
}

/// Transforms `together` lines of n elements side by side; where the result is: in x or in y.
Complex* TransformLines(Complex* x, Complex* y, int64_t n, int64_t together, RootsOfPass roots) {
  int64_t stride = together;
  for (; n >= 4; n /= 4, stride *= 4, roots.step *= 4) {
    PassByFour(x, y, n, stride, roots);
    std::swap(x, y);
  }
  if (n == 2) {
    LastPassByTwo(x, y, stride);
    std::swap(x, y);
  }
  return x;
}

}  // namespace

int64_t RowsOfLine(int64_t length) {
  int64_t rows = 1;
  while (rows * rows < length) rows *= 2;
  return rows;
}

Tensor MakeLine(int64_t length, Budget* budget) {
  return Tensor(ElementType::kC128, Dims{length}, budget);
}

std::complex<double> RootOfUnity(int64_t k, int64_t n) {
  const int64_t octant = 8 * k / n;
  int64_t rest = 8 * k - octant * n;
  if (octant % 2 != 0) rest = n - rest;
  return Mirrored(RootInOctant(rest, n), octant);
}

PowerOfTwoTransform::PowerOfTwoTransform(int64_t length, Budget* budget) : length_(length) {
  if (length < 2) return;
  roots_ = RootsOfPower(length, budget);
  MakeScratch(budget);
}

void PowerOfTwoTransform::MakeScratch(Budget* budget) {
  scratch_ = MakeLine(length_, budget);
  if (length_ < kFourierMatrix) return;
  lines_ = MakeLine(2 * RowsOfLine(length_) * kLinesTogether, budget);
}

PowerOfTwoTransform PowerOfTwoTransform::Another(Budget* budget) const {
  PowerOfTwoTransform another = *this;
  if (length_ >= 2) another.MakeScratch(budget);
  return another;
}

std::complex<double> PowerOfTwoTransform::RootAt(int64_t k) const {
  const Complex* const roots = roots_.data<Complex>();
  return k < length_ / 2 ? roots[k] : -roots[k - length_ / 2];
}

void PowerOfTwoTransform::Run(std::complex<double>* line, Pacer* pacer) {
  if (length_ < 2) return;
  if (lines_) {
    RunAsMatrix(line, pacer);
  } else {
    const Complex* const result = TransformLines(line, scratch_.mutable_data<Complex>(), length_, 1,
                                                 {roots_.data<Complex>(), 1});
    if (result != line) std::copy_n(result, length_, line);
  }
  pacer->Add(length_);
}

// With n = columns r + c and k = k1 + rows k2 the sum over n is one over r for each column, times a
// root, and one over c for each row k1.
void PowerOfTwoTransform::RunAsMatrix(Complex* line, Pacer* pacer) {
  const int64_t rows = RowsOfLine(length_);
  const int64_t columns = length_ / rows;
  const Complex* const roots = roots_.data<Complex>();
  // Each thread transforms lines in a room of its own.
  const bool is_shared = IsShared(length_);
  const int64_t room = 2 * rows * kLinesTogether;
  Tensor rooms = is_shared ? MakeLine(PieceThreads() * room, pacer->budget()) : lines_;
  Complex* const all_rooms = rooms.mutable_data<Complex>();
  const auto each = [&](int64_t lines, auto body) {
    RunRanges(lines, kLinesTogether, length_, pacer->budget(),
              [&](PieceRange piece, int thread, Budget* own) {
                body(piece.begin, all_rooms + thread * room);
                own->Poll();
              });
  };
  // By value: what the loops read is not looked up again after each of their stores.
  each(columns, [=, this](int64_t c, Complex* x) {
    Complex* const y = x + rows * kLinesTogether;
    for (int64_t r = 0; r < rows; ++r) {
      CopyOfEach(line + r * columns + c, x + r * kLinesTogether);
    }
    const Complex* const sums = TransformLines(x, y, rows, kLinesTogether, {roots, columns});
    for (int64_t k = 0; k < rows; ++k) {
      for (int64_t j = 0; j < kLinesTogether; ++j) {
        Store(Times(Load(sums + k * kLinesTogether + j), RootAt((c + j) * k)),
              line + k * columns + c + j);
      }
    }
  });
  Complex* const result = scratch_.mutable_data<Complex>();
  each(rows, [=](int64_t k1, Complex* x) {
    Complex* const y = x + rows * kLinesTogether;
    for (int64_t j = 0; j < kLinesTogether; ++j) {
      const Complex* const row = line + (k1 + j) * columns;
      for (int64_t c = 0; c < columns; ++c) x[c * kLinesTogether + j] = row[c];
    }
    const Complex* const sums = TransformLines(x, y, columns, kLinesTogether, {roots, rows});
    for (int64_t k2 = 0; k2 < columns; ++k2) {
      CopyOfEach(sums + k2 * kLinesTogether, result + k1 + rows * k2);
    }
  });
  RunRanges(length_, kFourierMatrix, length_, pacer->budget(), [&](PieceRange piece, int, Budget*) {
    std::copy_n(result + piece.begin, piece.end - piece.begin, line + piece.begin);
  });
}

}  // namespace hlo

#endif  // HLO_SMALL
