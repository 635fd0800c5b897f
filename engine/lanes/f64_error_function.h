// The error function as templates over numbers (algebra.h): generated code has the same.
#ifndef HLO_ENGINE_LANES_F64_ERROR_FUNCTION_H_
#define HLO_ENGINE_LANES_F64_ERROR_FUNCTION_H_

#include "engine/lanes/f64_exponentials.h"

namespace hlo::f64::generic {

/// erf(x) / x - 1 in x^2, up to 0.75; 2^-56 (Sollya, fpminimax).
inline constexpr double kNear[] = {
    0.1283791670955126,      -0.37612638903183865,   0.11283791670958122,
    -0.026866170645503274,   0.005223977628051456,   -0.0008548327138171841,
    0.00012055336343785464,  -1.492571847689738e-05, 1.6463087240130912e-06,
    -1.6375686401374344e-07, 1.4876955565290802e-08, -1.2625812375174293e-09,
    1.0434237365457166e-10,  -8.255947063953885e-12, 4.4699973100718246e-13};
inline constexpr double kNearEnd = 0.75;

/// x times the polynomial in x: of its largest terms the rounding errors are kept, and an error of
/// x counts by the slope.
template <typename D, size_t N>
ExactOf<D> ExactSeries(const double (&a)[N], ExactOf<D> x) {
  D tail = Like(x.value, a[N - 1]), slope = Like(x.value, 0);
  for (size_t i = N - 1; i-- > 1;) {
    slope = slope * x.value + tail;
    tail = tail * x.value + a[i];
  }
  const ExactOf<D> product = TwoProduct(x.value, tail);
  const ExactOf<D> sum = TwoSum(a[0], product.value);
  const ExactOf<D> all = TwoProduct(x.value, sum.value);
  slope = x.value * (tail + (slope * x.value + tail)) + a[0];
  return {all.value, all.error + (x.value * (sum.error + product.error) + x.error * slope)};
}

/// erf(1), and (erf(1 + z) - erf(1)) / z in z, from 0.75 to 1.3; 2^-54 (Chebyshev's points).
inline constexpr Exact kErfOfOne = {0.8427007929497149, -2.4801011789118602e-17};
inline constexpr double kMiddle[] = {
    0.4151074974205947,    -0.4151074974205947,   0.1383691658068649,     0.06918458290343338,
    -0.06918458290343436,  0.004612305526743588,  0.015154718160074515,   -0.004777030713281194,
    -0.001885188390169614, 0.0012262871692334423, 8.55247842230949e-05,   -0.00020004684908407267,
    1.869950856225758e-05, 2.362073373159105e-05, -5.288420068643306e-06, -1.7080255270513562e-06};
inline constexpr double kMiddleEnd = 1.3;

/// erf(x), for x from 0.75 to 1.3.
template <typename D>
ExactOf<D> Middle(D x) {
  const ExactOf<D> series = ExactSeries(kMiddle, Whole(x - 1.0));
  const ExactOf<D> sum = TwoSum(kErfOfOne.value, series.value);
  return {sum.value, sum.error + (series.error + kErfOfOne.error)};
}

/// For x from 1.3 to 28.
template <typename D>
D FarErfc(D x) {
  // Of erfc(x) e^(x^2) x in (x - kCentre) / (x + kCentre); 2^-55 (Chebyshev's points).
  constexpr double kCentre = 6;
  constexpr double kFirst = 0.5566594068032301;
  constexpr double kFar[] = {
      0.02897336239469313,    -0.05363544761093615,   0.07069704694903794,
      -0.07858795010402925,   0.07763136382972957,    -0.06969489907903255,
      0.05749532851690856,    -0.04382313687236155,   0.030929496524305555,
      -0.020211947758253784,  0.012204834715637975,   -0.006782534487615569,
      0.003446332949542553,   -0.0015850627423835261, 0.0006494107021443227,
      -0.0002306459962846973, 6.730978355159381e-05,  -1.3986810170840957e-05,
      7.25180570448831e-07,   9.310679760900633e-07,  -4.207394490770399e-07,
      6.603119561958344e-08};
  const ExactOf<D> v = Over(TwoSum(x, -kCentre), TwoSum(x, kCentre));
  const ExactOf<D> series = ExactSeries(kFar, v);
  const ExactOf<D> first = OrderedSum(kFirst, series.value);
  const ExactOf<D> sum = {first.value, first.error + series.error};
  const ExactOf<D> part = Over(sum, Whole(x));
  const Exponential<D> e = ExpOf(Minus(TwoProduct(x, x)));
  const D low = part.error + part.value * e.rest.error;
  const ExactOf<D> product = TwoProduct(part.value, e.rest.value);
  const ExactOf<D> whole = OrderedSum(part.value, product.value);
  return Scaled(whole.value + (whole.error + (product.error + low)), e.exponent);
}

template <typename D>
D Erf(D x) {
  const D size = Abs(x);
  const auto middle = [&] {
    const ExactOf<D> erf = Middle(size);
    return erf.value + erf.error;
  };
  const auto far = [&] {
    return Either(
        size < 6.0, [&] { return 1 - FarErfc(size); }, [&] { return Like(x, 1); });
  };
  const auto other = [&] { return CopySign(Either(size < kMiddleEnd, middle, far), x); };
  const auto not_near = [&] {
    return Either(
        x != x, [&] { return x; }, other);
  };
  return Either(
      size < kNearEnd, [&] { return x + x * Series(kNear, x * x); }, not_near);
}

}  // namespace hlo::f64::generic

#endif  // HLO_ENGINE_LANES_F64_ERROR_FUNCTION_H_
