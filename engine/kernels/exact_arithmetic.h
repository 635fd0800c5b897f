// Sums and products together with the rounding error they make: what functions that must not lose
// digits to cancellation are written with.
#ifndef HLO_ENGINE_KERNELS_EXACT_ARITHMETIC_H_
#define HLO_ENGINE_KERNELS_EXACT_ARITHMETIC_H_

namespace hlo {

/// value + error is the exact result; value is that result rounded.
struct Exact {
  double value;
  double error;
};

/// Knuth's sum, for any two numbers.
constexpr Exact TwoSum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

/// Veltkamp's split into two halves of at most 26 bits; `a` must be below 2^996.
constexpr Exact Split(double a) {
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

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_EXACT_ARITHMETIC_H_
