// Mathematical functions that are not HLO ops: those of XLA's builder library (math.cc) and of
// StableHLO's CHLO dialect, on numbers of f64. Narrower floats compute here and round once, so they
// are within 0.51 units of their last place; the errors of f64 are listed in the README of this
// directory and checked in tests/unit/kernels_special_functions_test.cc. NaN gives NaN.
#ifndef HLO_ENGINE_KERNELS_SPECIAL_FUNCTIONS_H_
#define HLO_ENGINE_KERNELS_SPECIAL_FUNCTIONS_H_

namespace hlo {

// ---- The gamma function and related ones (gamma_functions.cc) -----------------------------------

/// log |gamma(x)|; infinite at 0, -1, ... and at both infinities.
double Lgamma(double x);
/// log gamma(1 + a) for a > 0, also of very small ones.
double Lgamma1p(double a);
/// gamma(1 + a) for a in (0, 13).
double Gamma1p(double a);
/// log(1 + y) - y for y in [-0.5, 0.7].
double Log1pRest(double y);
/// log gamma(a) less (a - 1/2) log a - a + log(2 pi) / 2, for a > 0: what Stirling's formula
/// leaves.
double StirlingRest(double a);
/// The derivative of log gamma(x). XLA: -inf at 0, where the limits from both sides are infinite;
/// NaN at -1, -2, ...
double Digamma(double x);
/// log(a) - digamma(a) for a > 0, which is small for large a.
double LogMinusDigamma(double a);
/// The n-th derivative of digamma, for n = 0, 1, ...; NaN for other n.
double Polygamma(double n, double x);
/// Hurwitz' zeta function, the sum of (q + k)^-x over k = 0, 1, ... XLA: inf at x = 1 and NaN
/// below; for q <= 0 NaN unless x is an integer; at the poles q = 0, -1, ... inf for even x, else
/// NaN.
double Zeta(double x, double q);

// ---- Incomplete integrals (incomplete_integrals.cc) ---------------------------------------------

/// The regularised lower incomplete gamma function P(a, x); NaN for a <= 0 or x < 0.
double Igamma(double a, double x);
/// The upper one, 1 - P(a, x), with full precision where it is small. XLA: 1 for a <= 0 or x <= 0.
double Igammac(double a, double x);
/// The derivative of P(a, x) with respect to a.
double IgammaGradA(double a, double x);
/// The derivative of a sample x of the gamma distribution of shape a with respect to a: that of P
/// over minus the density.
double RandomGammaGrad(double a, double x);
/// The regularised incomplete beta function I_x(a, b); NaN for a <= 0, b <= 0 and x outside [0, 1].
double RegularizedIncompleteBeta(double a, double b, double x);

// ---- Others (special_functions.cc) --------------------------------------------------------------

/// exp(-|x|) times the modified Bessel function of the first kind, of order 0 and 1.
double BesselI0e(double x);
double BesselI1e(double x);
/// 1 - erf(x), with full precision where it is small.
double Erfc(double x);
/// The y whose erf is x; infinite at -1 and 1, NaN beyond.
double ErfInv(double x);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_SPECIAL_FUNCTIONS_H_
