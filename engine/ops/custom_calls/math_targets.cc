// Custom-call targets that compute element by element: XLA's builder library (math.cc) and CHLO.
#include "engine/kernels/scalar_binary.h"
#include "engine/kernels/scalar_special.h"
#include "engine/kernels/scalar_unary.h"
#include "engine/ops/custom_calls/custom_call_targets.h"

namespace hlo {
namespace {

constexpr std::string_view kChloSource = "CHLO";
constexpr std::string_view kBoth = "CHLO; XLA, math.cc";
constexpr std::string_view kBuilder = "XLA, math.cc";
constexpr std::string_view kOneUlp = "1 ulp; c128: 3 ulps in each part";
constexpr std::string_view kTail = "50 ulps, and 3 |log(result)| more";

using TargetLoop = ElementLoop (*)(ElementType type);

constexpr BuiltInTarget UnaryTarget(std::string_view name, std::string_view aliases,
                                    TargetLoop loop, std::string_view operand, std::string_view doc,
                                    std::string_view error, std::string_view source) {
  return {.name = name,
          .aliases = aliases,
          .operands = operand,
          .result = "as x",
          .doc = doc,
          .error = error,
          .source = source,
          .loop = loop};
}

constexpr BuiltInTarget Test(std::string_view name, std::string_view aliases, TargetLoop loop,
                             std::string_view doc, std::string_view source) {
  BuiltInTarget row = UnaryTarget(name, aliases, loop, "x: floats", doc, {}, source);
  row.result = "pred, as x";
  return row;
}

constexpr BuiltInTarget BinaryTarget(std::string_view name, std::string_view aliases,
                                     TargetLoop loop, std::string_view operands,
                                     std::string_view doc, std::string_view error,
                                     std::string_view source) {
  BuiltInTarget row = UnaryTarget(name, aliases, loop, operands, doc, error, source);
  row.result = "as the operands";
  return row;
}

/// A target that is an op of HLO under another name, so that it is planned and becomes code as
/// that.
constexpr BuiltInTarget AsOp(Opcode opcode, BuiltInTarget row) {
  row.plain = opcode;
  return row;
}

constexpr std::string_view kRealOperand = "x: floats", kNumberOperand = "x: floats, complex";

constexpr BuiltInTarget kMathTargets[] = {
    AsOp(Opcode::kAcos, UnaryTarget("chlo.acos", "xla_builder.math.Acos", UnaryLoop<AcosOp>,
                                    kNumberOperand, "Inverse cosine.", kOneUlp, kBoth)),
    AsOp(Opcode::kAcosh, UnaryTarget("chlo.acosh", "xla_builder.math.Acosh", UnaryLoop<AcoshOp>,
                                     kNumberOperand, "Inverse hyperbolic cosine.", kOneUlp, kBoth)),
    AsOp(Opcode::kAsin, UnaryTarget("chlo.asin", "xla_builder.math.Asin", UnaryLoop<AsinOp>,
                                    kNumberOperand, "Inverse sine.", kOneUlp, kBoth)),
    AsOp(Opcode::kAsinh, UnaryTarget("chlo.asinh", "xla_builder.math.Asinh", UnaryLoop<AsinhOp>,
                                     kNumberOperand, "Inverse hyperbolic sine.", kOneUlp, kBoth)),
    UnaryTarget("chlo.atan", "xla_builder.math.Atan", UnaryLoop<AtanOp>, kNumberOperand,
                "Inverse tangent.", kOneUlp, kBoth),
    AsOp(Opcode::kAtan2,
         BinaryTarget("chlo.atan2", "", BinaryLoop<Atan2Op>, "y, x: floats, complex",
                      "The angle of the point (x, y).", "1 ulp", kChloSource)),
    AsOp(Opcode::kAtanh,
         UnaryTarget("chlo.atanh", "xla_builder.math.Atanh", UnaryLoop<AtanhOp>, kNumberOperand,
                     "Inverse hyperbolic tangent.", kOneUlp, kBoth)),
    UnaryTarget("chlo.bessel_i1e", "xla_builder.math.BesselI1e", UnaryLoop<BesselI1eOp>,
                kRealOperand,
                "exp(-|x|) times the modified Bessel function of the first kind of order 1.",
                "8 ulps", kBoth),
    UnaryTarget("chlo.conj", "", UnaryLoop<ConjOp>, kNumberOperand,
                "The complex conjugate; a real number itself.", {}, kChloSource),
    AsOp(Opcode::kCosh, UnaryTarget("chlo.cosh", "xla_builder.math.Cosh", UnaryLoop<CoshOp>,
                                    kNumberOperand, "Hyperbolic cosine.", kOneUlp, kBoth)),
    UnaryTarget("chlo.digamma", "xla_builder.math.Digamma", UnaryLoop<DigammaOp>, kRealOperand,
                "Derivative of log gamma. -inf at 0, NaN at -1, -2, ...",
                "3 ulps for x > 0, else 1e-15 (1 + |result|)", kBoth),
    AsOp(Opcode::kErf, UnaryTarget("chlo.erf", "", UnaryLoop<ErfOp>, kRealOperand,
                                   "Error function.", "1 ulp", kChloSource)),
    UnaryTarget("chlo.erf_inv", "xla_builder.math.ErfInv", UnaryLoop<ErfInvOp>, kRealOperand,
                "Inverse of the error function: infinite at -1 and 1, NaN beyond.", "2 ulps",
                kBoth),
    UnaryTarget("chlo.erfc", "xla_builder.math.Erfc", UnaryLoop<ErfcOp>, kRealOperand,
                "1 - erf(x), accurate where it is small.", "3 ulps", kBoth),
    Test("chlo.is_inf", "xla_builder.math.IsInf", UnaryLoop<IsInfOp>, "Whether x is infinite.",
         kBoth),
    Test("chlo.is_neg_inf", "xla_builder.math.IsNegInf", UnaryLoop<IsNegInfOp>,
         "Whether x is -inf.", kBoth),
    Test("chlo.is_pos_inf", "xla_builder.math.IsPosInf", UnaryLoop<IsPosInfOp>, "Whether x is inf.",
         kBoth),
    UnaryTarget("chlo.lgamma", "xla_builder.math.Lgamma", UnaryLoop<LgammaOp>, kRealOperand,
                "log |gamma(x)|; inf at 0, -1, ...",
                "3 ulps for x > 0; 3e-16 (1 + |result|) down to -20; 3e-16 lgamma(-x) below",
                kBoth),
    BinaryTarget("chlo.mulhi", "", BinaryLoop<MulhiOp>, "a, b: integers",
                 "The high half of the product of twice the width.", {}, kChloSource),
    BinaryTarget("chlo.next_after", "xla_builder.math.NextAfter", NextAfterLoop, "x, y: floats",
                 "The neighbour of x in the direction of y, in their type; y where they are equal.",
                 {}, kBoth),
    BinaryTarget(
        "chlo.polygamma", "xla_builder.math.Polygamma", BinaryLoop<PolygammaOp>, "n, x: floats",
        "The n-th derivative of digamma; NaN unless n is 0, 1, ... At x = 0, -1, ... inf for "
        "odd n, NaN for even.",
        "8 ulps for x > 0 and n <= 170; relative 1e-12 for larger n; 3e-15 (1 + |result|) for "
        "x < 0",
        kBoth),
    AsOp(Opcode::kSinh, UnaryTarget("chlo.sinh", "xla_builder.math.Sinh", UnaryLoop<SinhOp>,
                                    kNumberOperand, "Hyperbolic sine.", kOneUlp, kBoth)),
    UnaryTarget("chlo.square", "xla_builder.math.Square", UnaryLoop<SquareOp>, "x: numbers",
                "x x; the real part of a complex one is (re - im) (re + im).", "1 ulp", kBoth),
    AsOp(Opcode::kTan, UnaryTarget("chlo.tan", "", UnaryLoop<TanOp>, kNumberOperand, "Tangent.",
                                   "1 ulp; c128: 6 ulps in each part", kChloSource)),
    BinaryTarget(
        "chlo.zeta", "xla_builder.math.Zeta", BinaryLoop<ZetaOp>, "x, q: floats",
        "The Hurwitz zeta function, the sum of (q + k)^-x. inf at x = 1, NaN below; for q <= 0 NaN "
        "unless x is an integer, and at the poles inf for even x, else NaN.",
        "8 ulps for q > 0, else 3e-15 (1 + |result|)", kBoth),
    UnaryTarget("xla_builder.math.BesselI0e", "", UnaryLoop<BesselI0eOp>, kRealOperand,
                "exp(-|x|) times the modified Bessel function of the first kind of order 0.",
                "6 ulps", kBuilder),
    BinaryTarget("xla_builder.math.Igamma", "", BinaryLoop<IgammaOp>, "a, x: floats",
                 "The regularised lower incomplete gamma function; NaN for a <= 0 or x < 0.", kTail,
                 kBuilder),
    BinaryTarget("xla_builder.math.IgammaGradA", "", BinaryLoop<IgammaGradAOp>, "a, x: floats",
                 "The derivative of Igamma with respect to a.", kTail, kBuilder),
    BinaryTarget("xla_builder.math.Igammac", "", BinaryLoop<IgammacOp>, "a, x: floats",
                 "The regularised upper incomplete gamma function; 1 for a <= 0 or x <= 0.", kTail,
                 kBuilder),
    Test("xla_builder.math.IsNan", "", UnaryLoop<IsNanOp>, "Whether x is NaN.", kBuilder),
    Test("xla_builder.math.IsNegZero", "", UnaryLoop<IsNegZeroOp>, "Whether x is -0.", kBuilder),
    BinaryTarget(
        "xla_builder.math.RandomGammaGrad", "", BinaryLoop<RandomGammaGradOp>, "a, x: floats",
        "The derivative with respect to a of a sample x of the gamma distribution of shape a.",
        "24 ulps", kBuilder),
    UnaryTarget("xla_builder.math.Reciprocal", "", UnaryLoop<ReciprocalOp>, kNumberOperand,
                "1 / x.", "1 ulp; c128: 3 ulps in each part", kBuilder),
    BinaryTarget(
        "xla_builder.math.RegularizedIncompleteBeta", "", TernaryLoop<RegularizedIncompleteBetaOp>,
        "a, b, x: floats",
        "The regularised incomplete beta function; NaN for a <= 0, b <= 0 and x outside [0, 1].",
        "70 ulps, and 3 |log(result)| more", kBuilder),
    AsOp(
        Opcode::kRoundNearestEven,
        UnaryTarget("xla_builder.math.RoundToEven", "", UnaryLoop<RoundNearestEvenOp>, kRealOperand,
                    "The nearest whole number; halves go to the even one.", {}, kBuilder)),
};

}  // namespace

std::span<const BuiltInTarget> MathTargets() { return kMathTargets; }

}  // namespace hlo
