// Unary element-wise ops: one row each. Their scalar functions are in
// engine/kernels/scalar_unary.h.
#include <fmt/format.h>

#include "engine/kernels/scalar_unary.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

constexpr AttrDef kAccuracyAttrs[] = {
    {.name = "result_accuracy",
     .kind = AttrKind::kResultAccuracy,
     .use = AttrUse::kOptional,
     .doc = "How exact a backend's approximation must be, of functions that are approximated. This "
            "engine always computes as exactly as it can."},
};

/// XLA, hlo_verifier.cc, CheckUnaryOpWithResultAccuracy: its parser takes the attribute with every
/// unary op, its verifier with functions that backends approximate.
void RefuseAccuracy(const OpCall& call, Diagnostics& out) {
  if (!call.attrs().Has("result_accuracy")) return;
  ReportAttr(
      call, "result_accuracy", DiagCode::kAttributeUnknown,
      fmt::format("Unary op with result accuracy is not supported for {}", call.opcode_text()),
      out);
}

template <TypeSet kTypes, ElementResult kResult>
std::optional<Shape> InferUnaryOf(const OpCall& call, Diagnostics& out) {
  return InferUnary(call, kTypes, kResult, out);
}

template <typename Op>
ElementLoop LoopOfUnary(const OpCall& call) {
  return UnaryLoop<Op>(call.operand(0).element_type());
}

template <typename Op, ElementResult kResult = ElementResult::kSame>
constexpr OpDef Unary(std::string_view doc, std::string_view source,
                      std::string_view differs = {}) {
  return {.doc = doc,
          .source = source,
          .differs = differs,
          .operands = kOperand,
          .types = TypesText(Op::kTypes),
          .attrs = kAccuracyAttrs,
          .infer = InferUnaryOf<Op::kTypes, kResult>,
          .verify = RefuseAccuracy,
          .eval = EvalElementwise,
          .elementwise = true,
          .loop = LoopOfUnary<Op>,
          .changes_element_size = kResult == ElementResult::kPred};
}

// The row of a function that backends approximate.
template <typename Op>
constexpr OpDef Function(std::string_view doc, std::string_view source,
                         std::string_view differs = {}) {
  OpDef def = Unary<Op>(doc, source, differs);
  def.verify = nullptr;
  return def;
}

void WarnOfComplex(const OpCall& call, Diagnostics& out) {
  if (!IsComplex(call.operand(0).element_type())) return;
  out.Report(DiagCode::kElementType, Severity::kWarning, call.range(),
             fmt::format("XLA has no {} of complex numbers, as StableHLO has; this engine computes "
                         "the principal root",
                         call.opcode_text()));
}

constexpr OpDef CubeRoot() {
  OpDef def =
      Function<CbrtOp>("Cube root, of negative numbers too; of a complex number the principal one.",
                       "operation semantics, Cbrt", "XLA has none of complex numbers.");
  def.verify = WarnOfComplex;
  return def;
}

constexpr std::string_view kNotInDocument =
    "XLA, shape_inference.cc; not in the operation semantics document";
constexpr std::string_view kNoComplexInXla =
    "XLA's evaluator has no complex form; this engine computes it.";

}  // namespace

namespace ops {

constinit const OpDef kAbs = Unary<AbsOp, ElementResult::kComponent>(
    "Absolute value; of a complex number its magnitude. The smallest signed integer stays what it "
    "is.",
    "operation semantics, Abs");
constinit const OpDef kAcos =
    Function<AcosOp>("Arc cosine, in [0, pi]; NaN outside [-1, 1].", kNotInDocument);
constinit const OpDef kAcosh =
    Function<AcoshOp>("Inverse hyperbolic cosine; NaN below 1.", kNotInDocument);
constinit const OpDef kAsin =
    Function<AsinOp>("Arc sine, in [-pi/2, pi/2]; NaN outside [-1, 1].", kNotInDocument);
constinit const OpDef kAsinh = Function<AsinhOp>("Inverse hyperbolic sine.", kNotInDocument);
constinit const OpDef kAtan = Function<AtanOp>("Arc tangent, in [-pi/2, pi/2].", kNotInDocument);
constinit const OpDef kAtanh = Function<AtanhOp>(
    "Inverse hyperbolic tangent; infinite at -1 and 1, NaN beyond.", kNotInDocument);
constinit const OpDef kCbrt = CubeRoot();
constinit const OpDef kCeil =
    Unary<CeilOp>("Rounds up to an integer value.", "operation semantics, Ceil");
constinit const OpDef kCosh = Function<CoshOp>("Hyperbolic cosine.", kNotInDocument);
constinit const OpDef kCosine =
    Function<CosineOp>("Cosine of an angle in radians.", "operation semantics, Cos");
constinit const OpDef kCountLeadingZeros = Unary<CountLeadingZerosOp>(
    "Number of zero bits above the highest one bit; the width of the type for 0.",
    "operation semantics, Clz");
constinit const OpDef kErf = Function<ErfOp>("Error function.", "operation semantics, Erf");
constinit const OpDef kExponential =
    Function<ExponentialOp>("e to the power of the operand.", "operation semantics, Exp");
constinit const OpDef kExponentialMinusOne = Function<ExponentialMinusOneOp>(
    "exp(x) - 1, exact near 0.", "operation semantics, Expm1", kNoComplexInXla);
constinit const OpDef kFloor =
    Unary<FloorOp>("Rounds down to an integer value.", "operation semantics, Floor");
constinit const OpDef kIsFinite = Unary<IsFiniteOp, ElementResult::kPred>(
    "Whether the element is neither infinite nor NaN.", "operation semantics, IsFinite");
constinit const OpDef kLog =
    Function<LogOp>("Natural logarithm; -inf at 0, NaN below.", "operation semantics, Log");
constinit const OpDef kLogPlusOne = Function<LogPlusOneOp>(
    "log(1 + x), exact near 0.", "operation semantics, Log1p", kNoComplexInXla);
constinit const OpDef kLogistic =
    Function<LogisticOp>("1 / (1 + exp(-x)).", "operation semantics, Logistic");
constinit const OpDef kNegate = Unary<NegateOp>(
    "Changes the sign, of zeros and NaN too; integers wrap, so the smallest signed one stays what "
    "it is.",
    "operation semantics, Neg");
constinit const OpDef kNot =
    Unary<NotOp>("Inverts every bit; logical not for pred.", "operation semantics, Not");
constinit const OpDef kPopcnt = Unary<PopcntOp>(
    "Number of one bits.", "operation semantics, PopulationCount",
    "XLA's evaluator counts the sign-extended byte of s4, s2 and s1; this engine the bits of the "
    "type.");
constinit const OpDef kRoundNearestAfz = Unary<RoundNearestAfzOp>(
    "Rounds to the nearest integer value, halves away from zero.", "operation semantics, Round");
constinit const OpDef kRoundNearestEven =
    Unary<RoundNearestEvenOp>("Rounds to the nearest integer value, halves to the even one.",
                              "operation semantics, RoundNearestEven");
constinit const OpDef kRsqrt = Function<RsqrtOp>("1 / sqrt(x); inf at 0, -inf at -0, NaN below.",
                                                 "operation semantics, Rsqrt");
constinit const OpDef kSign =
    Unary<SignOp>("-1, 0 or 1 by the sign; zeros and NaN are kept. z / |z| for complex numbers.",
                  "operation semantics, Sign");
constinit const OpDef kSine =
    Function<SineOp>("Sine of an angle in radians.", "operation semantics, Sin");
constinit const OpDef kSinh = Function<SinhOp>("Hyperbolic sine.", kNotInDocument);
constinit const OpDef kSqrt =
    Function<SqrtOp>("Square root; NaN below 0, -0 at -0.", "operation semantics, Sqrt");
constinit const OpDef kTan =
    Function<TanOp>("Tangent of an angle in radians.", "operation semantics, Tan");
constinit const OpDef kTanh =
    Function<TanhOp>("Hyperbolic tangent.", "operation semantics, Tanh",
                     "XLA's backends approximate it within 1 ulp or clamp large arguments.");

}  // namespace ops
}  // namespace hlo
