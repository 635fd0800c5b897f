// Sums and products together with the rounding error they make, and arithmetic on numbers that are
// pairs of f64: what functions that must not lose digits are written with. Only IEEE operations are
// used, and none may be contracted.
#ifndef HLO_ENGINE_LANES_EXACT_ARITHMETIC_H_
#define HLO_ENGINE_LANES_EXACT_ARITHMETIC_H_

#include "engine/lanes/algebra.h"

namespace hlo {

/// The number value + error. Of a single operation value is the exact result, rounded; of several
/// the error is at most a few units in value's last place. D: double, or what has its operations
/// (algebra.h).
template <typename D>
struct ExactOf {
  D value;
  D error;
};
using Exact = ExactOf<double>;

/// Knuth's sum, for any two numbers.
template <typename A, typename B>
[[gnu::always_inline]] constexpr auto TwoSum(A a, B b) {
  const auto sum = a + b;
  const auto b_part = sum - a;
  return ExactOf<decltype(a + b)>{sum, (a - (sum - b_part)) + (b - b_part)};
}

/// Dekker's sum, for |a| >= |b|.
template <typename A, typename B>
[[gnu::always_inline]] constexpr auto OrderedSum(A a, B b) {
  const auto sum = a + b;
  return ExactOf<decltype(a + b)>{sum, b - (sum - a)};
}

/// Veltkamp's split into two halves of at most 26 bits; `a` must be below 2^996.
template <typename D>
[[gnu::always_inline]] constexpr ExactOf<D> Split(D a) {
  const D scaled = a * 134217729.0;  // 2^27 + 1
  const D high = scaled - (scaled - a);
  return {high, a - high};
}

/// Dekker's product, where nothing overflows and the error is not subnormal.
template <typename A, typename B>
constexpr auto TwoProduct(A a, B b) {
  const auto x = Split(a);
  const auto y = Split(b);
  const auto product = a * b;
  return ExactOf<decltype(a * b)>{
      product,
      ((x.value * y.value - product) + x.value * y.error + x.error * y.value) + x.error * y.error};
}

// ---- Pairs, within some 2^-102 of the exact result

template <typename D>
constexpr ExactOf<D> Minus(ExactOf<D> a) {
  return {-a.value, -a.error};
}

/// Within 2^-102 of the larger operand.
template <typename A, typename B>
constexpr auto Plus(ExactOf<A> a, ExactOf<B> b) {
  const auto sum = TwoSum(a.value, b.value);
  return OrderedSum(sum.value, sum.error + (a.error + b.error));
}
constexpr Exact Plus(Exact a, Exact b) { return Plus<double, double>(a, b); }

template <typename A, typename B>
constexpr auto Times(ExactOf<A> a, ExactOf<B> b) {
  const auto product = TwoProduct(a.value, b.value);
  return OrderedSum(product.value, product.error + (a.value * b.error + a.error * b.value));
}
constexpr Exact Times(Exact a, Exact b) { return Times<double, double>(a, b); }

template <typename A, typename B>
constexpr auto Over(ExactOf<A> a, ExactOf<B> b) {
  const auto quotient = a.value / b.value;
  const auto product = TwoProduct(quotient, b.value);
  const auto rest = ((a.value - product.value) - product.error) + (a.error - quotient * b.error);
  return OrderedSum(quotient, rest / b.value);
}
constexpr Exact Over(Exact a, Exact b) { return Over<double, double>(a, b); }

/// The square root of a number that is not negative.
template <typename D>
ExactOf<D> RootOf(ExactOf<D> a) {
  using lanes::Like, lanes::Select, lanes::Sqrt;
  const D root = Sqrt(a.value);
  const ExactOf<D> square = TwoProduct(root, root);
  const D rest = ((a.value - square.value) - square.error) + a.error;
  // The rest of the root of 0 is 0, not 0 / 0.
  const D error = Select(root == Like(root, 0), root, rest / (root + root));
  return OrderedSum(root, error);
}
inline Exact RootOf(Exact a) { return RootOf<double>(a); }

}  // namespace hlo

#endif  // HLO_ENGINE_LANES_EXACT_ARITHMETIC_H_
