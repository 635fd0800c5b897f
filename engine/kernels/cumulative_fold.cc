// Sums and extremes of four bytes are folded by blocks: what the elements of a block give by
// themselves does not wait for the blocks before. Others are folded one by one.
#include "engine/kernels/cumulative_fold.h"

#include <algorithm>

#include "engine/kernels/fold_dispatch.h"
#include "engine/kernels/vectors.h"

namespace hlo {
namespace {

/// The operation on lanes. Of extremes the first NaN wins, if any; of equal ones (the zeros) the
/// first.
template <typename Op, typename V>
V Joined(const V& left, const V& right) {
  if constexpr (std::is_same_v<Op, AddOp>) {
    return left + right;
  } else if constexpr (std::is_same_v<Op, MaximumOp>) {
    return ((left >= right) | (left != left)) ? left : right;
  } else {
    return ((left <= right) | (left != left)) ? left : right;
  }
}

/// Of each lane what all lanes up to it give, in pairs. What comes in at the front changes no bit:
/// for sums that is `none`.
template <typename Op, typename V>
V LanesUpTo(const V& v, const V& none) {
  if constexpr (std::is_same_v<Op, AddOp>) {
    const V pairs = v + __builtin_shufflevector(none, v, 3, 4, 5, 6);
    return pairs + __builtin_shufflevector(none, pairs, 2, 3, 4, 5);
  } else {
    const V pairs = Joined<Op, V>(__builtin_shufflevector(v, v, 0, 0, 1, 2), v);
    return Joined<Op, V>(__builtin_shufflevector(pairs, pairs, 0, 0, 0, 1), pairs);
  }
}

constexpr int64_t kScanned = 16;

/// to[i] = op(carry, op of from[0] to from[i]), for a block of elements; the carry becomes what the
/// last one gives, in its own type.
template <typename Op, typename T, typename Carry>
void ScanBlock(const T* from, T* to, Carry* carry) {
  constexpr int64_t kVectors = kScanned / kLanesOf<T>;
  const Vector<T> none = Splat(static_cast<T>(-0.0f));
  Vector<T> up_to[kVectors];
  HLO_UNROLLED
  for (int64_t v = 0; v < kVectors; ++v) {
    up_to[v] = LanesUpTo<Op>(LoadVector(from + v * kLanesOf<T>), none);
  }
  HLO_UNROLLED
  for (int64_t v = 1; v < kVectors; ++v) {
    const Vector<T> before = __builtin_shufflevector(up_to[v - 1], up_to[v - 1], 3, 3, 3, 3);
    up_to[v] = Joined<Op>(before, up_to[v]);
  }
  const Vector<T> before = Splat(static_cast<T>(*carry));
  HLO_UNROLLED
  for (int64_t v = 0; v < kVectors; ++v) {
    StoreVector<T>(Joined<Op>(before, up_to[v]), to + v * kLanesOf<T>);
  }
  const T last = up_to[kVectors - 1][3];
  *carry = static_cast<Carry>(Op::Run(*carry, static_cast<Carry>(last)));
}

/// A block, or less, of elements that do not lie side by side.
template <typename Op, typename T, typename Carry>
void ScanSpaced(const T* from, int64_t from_step, T* to, int64_t to_step, int64_t n, Carry* carry) {
  T elements[kScanned], results[kScanned];
  // What lies behind the last element changes nothing before it, nor the carry.
  const T rest = std::is_same_v<Op, AddOp> ? static_cast<T>(-0.0f) : from[(n - 1) * from_step];
  std::fill_n(elements, kScanned, rest);
  for (int64_t i = 0; i < n; ++i) elements[i] = from[i * from_step];
  ScanBlock<Op>(elements, results, carry);
  for (int64_t i = 0; i < n; ++i) to[i * to_step] = results[i];
}

template <typename Op, typename T, typename Carry>
void ScanAll(const T* from, int64_t from_step, T* to, int64_t to_step, int64_t n, Carry* carry) {
  int64_t i = 0;
  if (from_step == 1 && to_step == 1) {
    Carry running = *carry;
    for (; i + kScanned <= n; i += kScanned) ScanBlock<Op>(from + i, to + i, &running);
    *carry = running;
  }
  for (; i < n; i += kScanned) {
    ScanSpaced<Op>(from + i * from_step, from_step, to + i * to_step, to_step,
                   std::min(kScanned, n - i), carry);
  }
}

template <typename Op, typename T, typename A>
struct CumulativeLoop {
  // Others are rare enough for the general way.
  template <typename Element>
  static constexpr bool kTakes = sizeof(Element) >= 4 && kClassOf<Element> != TypeClass::kComplex &&
                                 !std::is_same_v<Op, AndOp> && !std::is_same_v<Op, OrOp>;

  static void Run(const std::byte* from, int64_t from_step, std::byte* to, int64_t to_step,
                  int64_t n, std::byte* accumulator) {
    const T* source = As<T>(from);
    T* target = As<T>(to);
    if constexpr (sizeof(T) == 4 && !std::is_same_v<Op, MultiplyOp>) {
      constexpr bool kInDouble = std::is_same_v<Op, AddOp> && std::is_same_v<T, float>;
      ScanAll<Op>(source, from_step, target, to_step, n,
                  As<std::conditional_t<kInDouble, double, T>>(accumulator));
      return;
    }
    T x = *As<T>(accumulator);
    for (int64_t i = 0; i < n; ++i, source += from_step, target += to_step) {
      x = static_cast<T>(Op::Run(static_cast<A>(x), static_cast<A>(*source)));
      *target = x;
    }
    *As<T>(accumulator) = x;
  }
};

}  // namespace

CumulativeFold FindCumulativeFold(Reducer reducer, ElementType type) {
  return FindFoldLoop<CumulativeFold, CumulativeLoop>(reducer, type);
}

}  // namespace hlo
