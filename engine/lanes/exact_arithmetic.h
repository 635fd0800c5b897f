// Sums and products together with the rounding error they make, and arithmetic on numbers that are
// pairs of f64: what functions that must not lose digits are written with. Only IEEE operations are
// used, and none may be contracted.
#ifndef HLO_ENGINE_LANES_EXACT_ARITHMETIC_H_
#define HLO_ENGINE_LANES_EXACT_ARITHMETIC_H_

#include <cmath>

namespace hlo {

/// The number value + error. Of a single operation value is the exact result, rounded; of several
/// the error is at most a few units in value's last place.
struct Exact {
  double value;
  double error;
};

/// Knuth's sum, for any two numbers.
[[gnu::always_inline]] constexpr Exact TwoSum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

/// Dekker's sum, for |a| >= |b|.
[[gnu::always_inline]] constexpr Exact OrderedSum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

/// Veltkamp's split into two halves of at most 26 bits; `a` must be below 2^996.
[[gnu::always_inline]] constexpr Exact Split(double a) {
  const double scaled = a * 134217729.0;  // 2^27 + 1
  const double high = scaled - (scaled - a);
  return {high, a - high};
}

/// Dekker's product, where nothing overflows and the error is not subnormal.
constexpr Exact TwoProduct(double a, double b) {
  const Exact x = Split(a), y = Split(b);
  const double product = a * b;
  return {product, ((x.value * y.value - product) + x.value * y.error + x.error * y.value) +
                       x.error * y.error};
}

// ---- Pairs, within some 2^-102 of the exact result
// ------------------------------------------------

constexpr Exact Minus(Exact a) { return {-a.value, -a.error}; }

/// Within 2^-102 of the larger operand.
constexpr Exact Plus(Exact a, Exact b) {
  const Exact sum = TwoSum(a.value, b.value);
  return OrderedSum(sum.value, sum.error + (a.error + b.error));
}

constexpr Exact Times(Exact a, Exact b) {
  const Exact product = TwoProduct(a.value, b.value);
  return OrderedSum(product.value, product.error + (a.value * b.error + a.error * b.value));
}

constexpr Exact Over(Exact a, Exact b) {
  const double quotient = a.value / b.value;
  const Exact product = TwoProduct(quotient, b.value);
  const double rest = ((a.value - product.value) - product.error) + (a.error - quotient * b.error);
  return OrderedSum(quotient, rest / b.value);
}

/// The square root of a number that is not negative.
inline Exact RootOf(Exact a) {
  const double root = std::sqrt(a.value);
  if (root == 0) return {root, 0};
  const Exact square = TwoProduct(root, root);
  const double rest = ((a.value - square.value) - square.error) + a.error;
  return OrderedSum(root, rest / (root + root));
}

}  // namespace hlo

#endif  // HLO_ENGINE_LANES_EXACT_ARITHMETIC_H_
