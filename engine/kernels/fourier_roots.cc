#include "engine/kernels/fourier_roots.h"

#ifndef HLO_SMALL

#include <algorithm>
#include <utility>

#include "engine/base/bits.h"
#include "engine/base/pacer.h"
#include "engine/lanes/f64_functions.h"
#include "engine/threads/pieces.h"

namespace hlo {
namespace {

using Complex = std::complex<double>;

/// Roots up to here are computed one by one.
constexpr int64_t kFewRoots = 4096;

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

}  // namespace

Tensor MakeLine(int64_t length, Budget* budget) {
  return Tensor(ElementType::kC128, Dims{length}, budget);
}

std::complex<double> RootOfUnity(int64_t k, int64_t n) {
  const int64_t octant = 8 * k / n;
  int64_t rest = 8 * k - octant * n;
  if (octant % 2 != 0) rest = n - rest;
  return Mirrored(RootInOctant(rest, n), octant);
}

Tensor RootsOfUnity(int64_t count, int64_t n, Budget* budget) {
  Tensor roots = MakeLine(count, budget);
  for (int64_t k = 0; k < count; ++k) {
    if (k % Pacer::kPollWork == 0) budget->Poll();
    roots.mutable_data<Complex>()[k] = RootOfUnity(k, n);
  }
  return roots;
}

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

}  // namespace hlo

#endif  // HLO_SMALL
