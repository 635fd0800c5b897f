#include "engine/kernels/special_functions.h"

#include <cmath>
#include <cstddef>

#include "engine/kernels/constants.h"
#include "engine/lanes/f64_functions.h"
#include "engine/lanes/float_functions.h"

namespace hlo {
namespace {

/// Half the first coefficient and the sum of the others times Chebyshev's polynomials, by
/// Clenshaw's rule.
template <size_t kCount>
double Chebyshev(const double (&coefficients)[kCount], double x) {
  double one = 0, two = 0;
  for (size_t i = kCount; i-- > 1;) {
    const double next = 2 * x * one - two + coefficients[i];
    two = one;
    one = next;
  }
  return x * one - two + coefficients[0] / 2;
}

// Coefficients of exp(-x) I(x) on [0, 8] (of order 1: over x), and of sqrt(x) exp(-x) I(x) by 1 / x
// beyond.
constexpr double kBesselI0Near[] = {
    0.6767952744094761,     -0.3046826723431984,     0.17162090152220877,
    -0.09490109704804764,   0.04930528423967071,     -0.02373741480589947,
    0.010546460394594998,   -0.004324309995050576,   0.0016394756169413357,
    -0.0005763755745385824, 0.00018850288509584165,  -5.754195010082104e-05,
    1.6448448070728896e-05, -4.4167383584587505e-06, 1.1173875391201037e-06,
    -2.670793853940612e-07, 6.046995022541919e-08,   -1.300025009986248e-08,
    2.6598237246823866e-09, -5.189795601635263e-10,  9.675809035373237e-11,
    -1.726826291441556e-11, 2.95505266312964e-12,    -4.856446783111929e-13,
    7.676185498604936e-14,  -1.1685332877993451e-14, 1.715391285555133e-15,
    -2.431279846547955e-16, 3.3307945188222384e-17,  -4.4153416464793395e-18,
    5.669178006921496e-19,  -7.057100692457294e-20};
constexpr double kBesselI0Far[] = {
    0.8044904110141088,      0.0033691164782556943,   6.889758346916825e-05,
    2.8913705208347567e-06,  2.0489185894690638e-07,  2.266668990498178e-08,
    3.3962320257083865e-09,  4.94060238822497e-10,    1.1889147107846439e-11,
    -3.1499165279632416e-11, -1.3215811840447713e-11, -1.7941785315068062e-12,
    7.180124451383666e-13,   3.8527783827421426e-13,  1.54008621752141e-14,
    -4.150569347287222e-14,  -9.554846698828307e-15,  3.8116806693526224e-15,
    1.7725601330565263e-15,  -3.425485619677219e-16,  -2.8276239805165836e-16,
    3.461222867697461e-17,   4.46562142029676e-17,    -4.830504485944182e-18,
    -7.233180487874754e-18,  9.921475412173699e-19,   1.193650890845982e-18};
constexpr double kBesselI1Near[] = {
    0.25258718644363365,     -0.17641651835783406,    0.1026436586898471,
    -0.05294598120809499,    0.024726449030626516,    -0.010564084894626197,
    0.004156422944312888,    -0.0015135724506312532,  0.0005122859561685758,
    -0.00016176081582589674, 4.781565107550054e-05,   -1.3273163656039436e-05,
    3.4702513081376785e-06,  -8.568720264695455e-07,  2.0032947535521353e-07,
    -4.445059128796328e-08,  9.381537386495773e-09,   -1.8872497517228294e-09,
    3.625590281552117e-10,   -6.663489723502027e-11,  1.1736186298890901e-11,
    -1.9839743977649436e-12, 3.223793365945575e-13,   -5.042185504727912e-14,
    7.600684294735408e-15,   -1.1055969477353862e-15, 1.5536319577362005e-16,
    -2.111421214358166e-17,  2.7779141127610464e-18,  -3.541581772542136e-19,
    4.379302756655071e-20,   -5.256729982574641e-21};
constexpr double kBesselI1Far[] = {
    0.7785762350182801,      -0.009761097491361469,   -0.00011058893876262371,
    -3.882564808877691e-06,  -2.512236237870209e-07,  -2.6314688468895196e-08,
    -3.835380385964237e-09,  -5.589743462196584e-10,  -1.8974958123505413e-11,
    3.2526035830154884e-11,  1.4125807436613782e-11,  2.0356285441470896e-12,
    -7.198551776245908e-13,  -4.0835511110921974e-13, -2.1015418427726643e-14,
    4.272440016711951e-14,   1.0420276984128802e-14,  -3.8144030724370075e-15,
    -1.8803547755107825e-15, 3.3082023109209285e-16,  2.96262899764595e-16,
    -3.209525921993424e-17,  -4.6503053684893586e-17, 4.414348323071708e-18,
    7.517296310842105e-18,   -9.314178867326884e-19,  -1.242193275194891e-18};

/// Winitzki's approximation, within 2e-3.
double ErfInvNearOne(double size) {
  constexpr double kA = 0.147;
  const double log = f64::Log1p(-size * size);
  const double half = 2 / (kPi * kA) + log / 2;
  return std::sqrt(std::sqrt(half * half - log / kA) - half);
}

}  // namespace

double BesselI0e(double x) {
  const double size = std::fabs(x);
  if (size < 1e-8) return 1 - size;  // The polynomial is not exact at 0.
  if (size <= 8) return Chebyshev(kBesselI0Near, size / 4 - 1);
  return Chebyshev(kBesselI0Far, 16 / size - 1) / std::sqrt(size);
}

double BesselI1e(double x) {
  const double size = std::fabs(x);
  if (size <= 8) return x * Chebyshev(kBesselI1Near, size / 4 - 1);
  return std::copysign(Chebyshev(kBesselI1Far, 16 / size - 1) / std::sqrt(size), x);
}

double Erfc(double x) { return f64::Erfc(x); }

double ErfInv(double x) {
  const double size = std::fabs(x);
  if (!(size < 1) || size == 0) return lanes::ErfInv(x);
  // One step of Halley's method, which triples the digits; beyond f32's largest, where it begins
  // with less, up to three.
  double y = size <= 1 - 0x1p-25 ? lanes::ErfInv(size) : ErfInvNearOne(size);
  for (int i = 0; i < 3; ++i) {
    const double error = size < 0.5 ? f64::Erf(y) - size : (1 - size) - f64::Erfc(y);
    const double step = error / (2 / std::sqrt(kPi) * f64::Exp(-y * y));
    y -= step / (1 + y * step);
    // What a step leaves of an error e is some y^2 e^3, or e^3 relatively.
    if (std::fabs(step) < 1e-6 * std::fmin(y, 1)) break;
  }
  return std::copysign(y, x);
}

}  // namespace hlo
