// The functions of special_functions.h against values computed with 60 digits (mpmath, by defining
// series and integrals; derivatives by differences), and their special cases.
#include <cmath>
#include <cstdint>
#include <initializer_list>

#include "doctest/doctest.h"
#include "engine/kernels/constants.h"
#include "engine/kernels/scalar_special.h"
#include "engine/kernels/special_functions.h"

namespace hlo {
namespace {

/// The distance of the two in units of the last place of `expected`.
double Ulps(double actual, double expected) {
  if (actual == expected) return 0;
  const double next = std::nextafter(std::fabs(expected), kInfinity);
  return std::fabs(actual - expected) / (next - std::fabs(expected));
}

TEST_CASE("Lgamma") {
  struct {
    double x, expected;
  } cases[] = {
      {1e-300, 690.7755278982137},       {1e-10, 23.025850929882736},
      {0.25, 1.2880225246980774},        {0.5, 0.5723649429247001},
      {0.99, 0.005854806764709781},      {1.01, -0.005690307946069651},
      {1.46, -0.12148500100400743},      {1.99, -0.004195529088791668},
      {2.01, 0.004260022907098346},      {2.75, 0.47521466691493713},
      {5.5, 3.9578139676187165},         {12.9, 19.735015850713005},
      {13.1, 20.240212723401434},        {170.5, 704.0044277342047},
      {10000000000, 220258509288.81058}, {1e+300, 6.897755278982137e+302},
      {-0.5, 1.2655121234846454},        {-1.25, 1.3664317612369763},
      {-2.7, -0.07140708531564569},      {-2.4570247382208, 7.292550612674704e-16},
      {-10.5, -15.147270590717842},      {-19.9, -39.71471942149772},
      {-33.3, -84.75261573729159},       {-1000.5, -5914.437701116852},
  };
  for (const auto& row : cases) {
    const double x = row.x, expected = row.expected;
    CAPTURE(x);
    // Near its zeros below 0 the digits are those of what cancels.
    const double bound = x < -20 ? 3e-16 * Lgamma(-x) : 3e-16 * (1 + std::fabs(expected));
    const double actual = Lgamma(x);
    if (x > 0) CHECK(Ulps(actual, expected) <= 3);
    CHECK(std::fabs(actual - expected) <= bound);
  }
}

TEST_CASE("Digamma") {
  struct {
    double x, expected;
  } cases[] = {
      {1e-08, -100000000.57721564},  {0.1, -10.423754940411076},
      {0.5, -1.9635100260214235},    {0.97, -0.6276756262377752},
      {1, -0.5772156649015329},      {1.4616321, -4.3514636958769774e-08},
      {1.5, 0.03648997397857652},    {1.95, 0.39002196274204304},
      {2, 0.42278433509846713},      {3.5, 1.103156640645243},
      {11.9, 2.4339335368825377},    {12.5, 2.4851956512749123},
      {1000000, 13.815510057964191}, {-0.5, 0.03648997397857652},
      {-1.25, 3.714139120213528},    {-3.75, -1.6923885983113303},
      {-100.1, 14.279984365172156},
  };
  for (const auto& row : cases) {
    const double x = row.x, expected = row.expected;
    CAPTURE(x);
    const double actual = Digamma(x);
    if (x > 0) CHECK(Ulps(actual, expected) <= 3);
    CHECK(std::fabs(actual - expected) <= 1e-15 * (1 + std::fabs(expected)));
  }
}

TEST_CASE("Zeta") {
  struct {
    double x, q, expected;
  } cases[] = {
      {1.0000001, 1, 10000000.571377},
      {1.5, 0.5, 4.776537947554833},
      {2, 1, 1.6449340668482264},
      {2, 0.001, 1000001.6425331958},
      {3, 2.5, 0.1181020258208637},
      {7, 1, 1.008349277381923},
      {9.16, 9.2, 2.537208186033359e-09},
      {1.125, 4, 6.837177425284327},
      {23.2, 118.5, 4.541480536254356e-48},
      {100, 0.5, 1.2676506002282294e+30},
      {300, 400, 0},
      {2.5, 10000000000, 6.666666667166667e-16},
      {2, -0.5, 8.934802200544679},
      {3, -1.25, -61.86068339183118},
      {5, -18.5, 1.913926745826255e-06},
  };
  for (const auto& row : cases) {
    const double x = row.x, q = row.q, expected = row.expected;
    CAPTURE(x);
    CAPTURE(q);
    const double actual = Zeta(x, q);
    if (q > 0) CHECK(Ulps(actual, expected) <= 8);
    CHECK(std::fabs(actual - expected) <= 3e-15 * (1 + std::fabs(expected)));
  }
}

TEST_CASE("Polygamma") {
  struct {
    double n, x, expected;
  } cases[] = {
      {1, 1, 1.6449340668482264},         {2, 0.5, -16.82879664423432},
      {3, 4.25, 0.03665372575986459},     {5, 1.5, 11.113548602435497},
      {20, 3, -233141556.11225682},       {100, 2, -3.6810701397980478e+127},
      {170, 50, -2.2485188172316244e+16}, {1, -0.5, 8.934802200544679},
      {2, -3.25, 123.95521103942203},     {8, -1.75, -10569114264.464825},
      {250, 90, -105.3848564151607},
  };
  for (const auto& row : cases) {
    const double n = row.n, x = row.x, expected = row.expected;
    CAPTURE(n);
    CAPTURE(x);
    const double actual = Polygamma(n, x);
    if (n > 170) {
      CHECK(std::fabs(actual - expected) <= 1e-12 * std::fabs(expected));
      continue;
    }
    if (x > 0) CHECK(Ulps(actual, expected) <= 8);
    CHECK(std::fabs(actual - expected) <= 3e-15 * (1 + std::fabs(expected)));
  }
}

TEST_CASE("Igamma") {
  struct {
    double a, x, expected;
  } cases[] = {
      {0.01, 0.5, 0.9943732438060329},  {0.5, 0.5, 0.6826894921370859},
      {1, 1, 0.6321205588285577},       {2, 0.001, 4.996667916333403e-07},
      {3, 2.5, 0.45618688411667047},    {10, 9.5, 0.4781739777627926},
      {10, 25, 0.9997785233617512},     {12.9, 12, 0.4352055012616303},
      {50, 30, 0.0005188914625480343},  {100, 100, 0.5132987982791487},
      {1000, 950, 0.05505468623073803}, {1e-08, 1e-08, 0.9999998215653649},
      {60, 1, 4.494768303810724e-83},   {5, 200, 1},
  };
  for (const auto& row : cases) {
    const double a = row.a, x = row.x, expected = row.expected;
    CAPTURE(a);
    CAPTURE(x);
    CHECK(Ulps(Igamma(a, x), expected) <= 50 + 3 * std::fabs(std::log(std::fabs(expected))));
  }
}

TEST_CASE("Igammac") {
  struct {
    double a, x, expected;
  } cases[] = {
      {0.01, 0.5, 0.0056267561939671844},  {0.5, 0.5, 0.3173105078629141},
      {1, 1, 0.36787944117144233},         {1e-09, 1e-09, 2.014604997093568e-08},
      {3, 2.5, 0.5438131158833295},        {10, 9.5, 0.5218260222372074},
      {10, 25, 0.00022147663824878357},    {13, 20, 0.03901199285499278},
      {50, 80, 0.00013078397659141034},    {100, 100, 0.48670120172085135},
      {1000, 1100, 0.0010593232539299773}, {0.3, 40, 1.0556514939798348e-19},
      {5, 200, 9.413291991183476e-80},     {2, 700, 6.911633257175599e-302},
  };
  for (const auto& row : cases) {
    const double a = row.a, x = row.x, expected = row.expected;
    CAPTURE(a);
    CAPTURE(x);
    CHECK(Ulps(Igammac(a, x), expected) <= 50 + 3 * std::fabs(std::log(std::fabs(expected))));
  }
}

TEST_CASE("IgammaGradA") {
  struct {
    double a, x, expected;
  } cases[] = {
      {0.01, 0.5, -0.5655459117152578},  {0.5, 0.5, -0.6472003523777539},
      {1, 1, -0.4317297106348987},       {2, 0.001, -3.912716130040983e-06},
      {3, 2.5, -0.24711735748326824},    {10, 9.5, -0.1288276416793082},
      {10, 25, -0.00022661830393258108}, {50, 30, -0.0002830094447125904},
      {100, 100, -0.03992749785778605},  {1000, 1010, -0.011945731337225441},
  };
  for (const auto& row : cases) {
    const double a = row.a, x = row.x, expected = row.expected;
    CAPTURE(a);
    CAPTURE(x);
    CHECK(Ulps(IgammaGradA(a, x), expected) <= 50 + 3 * std::fabs(std::log(std::fabs(expected))));
  }
}

TEST_CASE("RandomGammaGrad") {
  struct {
    double a, x, expected;
  } cases[] = {
      {0.01, 0.5, 46.67927940515068}, {0.5, 0.5, 1.3373525943353346},
      {1, 1, 1.1735630272247268},     {2, 0.001, 0.003916630803181372},
      {3, 2.5, 0.9633618288399733},   {10, 9.5, 0.9909624995346952},
      {10, 25, 1.5522439909006023},   {50, 30, 0.7687741525252436},
      {100, 100, 1.0016683237741726}, {1000, 1010, 1.0051509296765344},
  };
  for (const auto& row : cases) {
    const double a = row.a, x = row.x, expected = row.expected;
    CAPTURE(a);
    CAPTURE(x);
    CHECK(Ulps(RandomGammaGrad(a, x), expected) <= 24);
  }
}

TEST_CASE("RegularizedIncompleteBeta") {
  struct {
    double a, b, x, expected;
  } cases[] = {
      {0.5, 0.5, 0.25, 0.3333333333333333},
      {1, 3, 0.1, 0.271},
      {2, 3, 0.5, 0.6875},
      {10, 10, 0.5, 0.5},
      {10, 10, 0.4, 0.18609202141541176},
      {50, 5, 0.95, 0.867951343773713},
      {0.01, 0.02, 0.3, 0.6611784272511073},
      {1e-06, 1e-06, 0.75, 0.5000005493053291},
      {300, 400, 0.43, 0.5318676325257012},
      {3, 0.2, 0.999999, 0.9167136582902511},
      {20, 30, 0.05, 6.567380069473392e-14},
      {5, 2, 1e-10, 5.999999999500001e-50},
  };
  for (const auto& row : cases) {
    const double a = row.a, b = row.b, x = row.x, expected = row.expected;
    CAPTURE(a);
    CAPTURE(b);
    CAPTURE(x);
    CHECK(Ulps(RegularizedIncompleteBeta(a, b, x), expected) <=
          70 + 3 * std::fabs(std::log(std::fabs(expected))));
  }
}

TEST_CASE("BesselI0e") {
  struct {
    double x, expected;
  } cases[] = {
      {0, 1},
      {1e-05, 0.9999900000749996},
      {0.5, 0.6450352704491501},
      {2, 0.30850832255367105},
      {7.99, 0.14352476537933484},
      {8.01, 0.14333897941113852},
      {100, 0.03994437929909668},
      {10000000000, 3.9894228040641945e-06},
      {-3, 0.2430003541618254},
  };
  for (const auto& row : cases) {
    const double x = row.x, expected = row.expected;
    CAPTURE(x);
    CHECK(Ulps(BesselI0e(x), expected) <= 6);
  }
}

TEST_CASE("BesselI1e") {
  struct {
    double x, expected;
  } cases[] = {
      {0, 0},
      {1e-05, 4.999950000312499e-06},
      {0.5, 0.1564208031848717},
      {2, 0.21526928924893765},
      {7.99, 0.134217339578281},
      {8.01, 0.13406776900984482},
      {100, 0.03974415302513025},
      {10000000000, 3.989422803864723e-06},
      {-3, -0.19682671329730086},
  };
  for (const auto& row : cases) {
    const double x = row.x, expected = row.expected;
    CAPTURE(x);
    CHECK(Ulps(BesselI1e(x), expected) <= 8);
  }
}

TEST_CASE("Erfc") {
  struct {
    double x, expected;
  } cases[] = {
      {-3, 1.9999779095030015},     {-0.5, 1.5204998778130465},  {0, 1},
      {0.25, 0.7236736098317631},   {0.9, 0.20309178757716786},  {1.5, 0.033894853524689274},
      {3, 2.209049699858544e-05},   {6, 2.1519736712498913e-17}, {10, 2.088487583762545e-45},
      {26, 5.663192408856143e-296},
  };
  for (const auto& row : cases) {
    const double x = row.x, expected = row.expected;
    CAPTURE(x);
    CHECK(Ulps(Erfc(x), expected) <= 3);
  }
}

TEST_CASE("ErfInv") {
  struct {
    double x, expected;
  } cases[] = {
      {0, 0},
      {1e-300, 8.86226925452758e-301},
      {1e-09, 8.86226925452758e-10},
      {0.1, 0.08885599049425769},
      {0.5, 0.4769362762044699},
      {-0.75, -0.8134198475976185},
      {0.99, 1.8213863677184494},
      {0.9999999, 3.7665625816384707},
      {0.9999999999999999, 5.8635847487551676},
  };
  for (const auto& row : cases) {
    const double x = row.x, expected = row.expected;
    CAPTURE(x);
    CHECK(Ulps(ErfInv(x), expected) <= 2);
  }
}

TEST_CASE("ErfInv of f32 is within 0.51 ulp") {
  double worst = 0;
  for (uint32_t bits = 1; bits < 0x3f800000; bits += 9973) {
    const auto x = BitCast<float>(bits);
    const float actual = ErfInvOp::Run(x);
    const double expected = ErfInv(static_cast<double>(x));
    const double unit = std::fmax(std::ldexp(1.0, std::ilogb(expected) - 23), 0x1p-149);
    worst = std::fmax(worst, std::fabs(actual - expected) / unit);
    CHECK(ErfInvOp::Run(-x) == -actual);
  }
  CHECK(worst < 0.51);
  CHECK(std::signbit(ErfInvOp::Run(-0.0f)));
  CHECK(ErfInvOp::Run(1.0f) == kInfinity);
  CHECK(ErfInvOp::Run(-1.0f) == -kInfinity);
  CHECK(std::isnan(ErfInvOp::Run(1.5f)));
  CHECK(std::isnan(ErfInvOp::Run(static_cast<float>(kNan))));
}

TEST_CASE("special functions at their poles and ends") {
  struct {
    double actual, expected;
  } cases[] = {
      {Lgamma(0), kInfinity},
      {Lgamma(-3), kInfinity},
      {Lgamma(-kInfinity), kInfinity},
      {Lgamma(kInfinity), kInfinity},
      {Lgamma(1), 0},
      {Lgamma(2), 0},
      {Digamma(0), -kInfinity},
      {Digamma(-0.0), -kInfinity},
      {Digamma(-2), kNan},
      {Digamma(kInfinity), kInfinity},
      {Digamma(-kInfinity), kNan},
      {Zeta(1, 2), kInfinity},
      {Zeta(0.5, 2), kNan},
      {Zeta(2, 0), kInfinity},
      {Zeta(3, -3), kNan},
      {Zeta(2.5, -0.5), kNan},
      {Zeta(2, kInfinity), 0},
      {Zeta(kInfinity, 2), 0},
      {Zeta(kInfinity, 1), 1},
      // So large that neighbours are further apart than 1.
      {Zeta(1e25, 1e20), 0},
      {Polygamma(0.5, 1), kNan},
      {Polygamma(-1, 1), kNan},
      {Polygamma(1, -2), kInfinity},
      {Polygamma(2, -2), kNan},
      {Polygamma(3, kInfinity), 0},
      {Igamma(0, 1), kNan},
      {Igamma(1, -1), kNan},
      {Igamma(1, 0), 0},
      {Igamma(1, kInfinity), 1},
      {Igamma(kInfinity, 1), 0},
      {Igammac(0, 1), 1},
      {Igammac(1, -1), 1},
      {Igammac(1, 0), 1},
      {Igammac(1, kInfinity), 0},
      {Igammac(1e-300, 1e-300), 0x1.ce388c95789cbp-988},
      {IgammaGradA(-1, 1), kNan},
      {IgammaGradA(1, 0), 0},
      {IgammaGradA(1, kInfinity), 0},
      {RandomGammaGrad(1, 0), 0},
      {RandomGammaGrad(0, 1), kNan},
      {RegularizedIncompleteBeta(0, 1, 0.5), kNan},
      {RegularizedIncompleteBeta(1, 1, 1.5), kNan},
      {RegularizedIncompleteBeta(2, 3, 0), 0},
      {RegularizedIncompleteBeta(2, 3, 1), 1},
      {BesselI0e(kInfinity), 0},
      {BesselI1e(-kInfinity), 0},
      {Erfc(kInfinity), 0},
      {Erfc(-kInfinity), 2},
      {ErfInv(1), kInfinity},
      {ErfInv(-1), -kInfinity},
      {ErfInv(1.5), kNan},
      {Lgamma(kNan), kNan},
      {Igamma(kNan, 1), kNan},
      {Igammac(1, kNan), kNan},
      {RegularizedIncompleteBeta(1, 1, kNan), kNan},
  };
  int i = 0;
  for (const auto& row : cases) {
    const double actual = row.actual, expected = row.expected;
    CAPTURE(i++);
    CAPTURE(actual);
    CAPTURE(expected);
    const bool same = std::isnan(expected) ? std::isnan(actual) : Ulps(actual, expected) <= 8;
    CHECK(same);
  }
}

TEST_CASE("the two incomplete gamma functions and both sides of the beta function make 1") {
  for (double a : {0.1, 1.0, 7.5, 30.0, 400.0}) {
    for (double x : {0.01, 0.9, 5.0, 29.0, 450.0}) {
      CAPTURE(a);
      CAPTURE(x);
      CHECK(std::fabs(Igamma(a, x) + Igammac(a, x) - 1) < 1e-15);
      const double part = x / (1 + x);
      const double both =
          RegularizedIncompleteBeta(a, x, part) + RegularizedIncompleteBeta(x, a, 1 - part);
      CHECK(std::fabs(both - 1) < 2e-14);
    }
  }
}

}  // namespace
}  // namespace hlo
