// Random numbers, and rounding by random bits.
#include <fmt/format.h>

#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

// ---- rng ----------------------------------------------------------------------------------------

enum Distribution : int64_t { kUniform, kNormal };
constexpr std::string_view kDistributions[] = {"rng_uniform", "rng_normal"};
constexpr std::string_view kRngOperands[] = {"low or mean", "high or deviation"};
constexpr AttrDef kRngAttrs[] = {
    {.name = "distribution",
     .kind = AttrKind::kWord,
     .use = AttrUse::kRequired,
     .doc = "rng_uniform: from the first operand up to, but not including, the second. "
            "rng_normal: with the first operand as mean and the second as deviation.",
     .words = kDistributions,
     .ignore_case = true,
     .always_printed = true},
};

std::optional<Shape> InferRng(const OpCall& call, Diagnostics& out) {
  if (call.operand_count() != 2) {
    ReportOp(call, DiagCode::kOperandCount,
             fmt::format("expects 2 operands, found {}", call.operand_count()), out);
    return std::nullopt;
  }
  if (!call.written()) return std::nullopt;
  const Shape& result = *call.written();
  if (!result.IsArray()) {
    ReportOp(call, DiagCode::kShapeInvalid,
             fmt::format("the result is an array, not {}", ShapeName(result)), out);
    return std::nullopt;
  }
  TypeSet types =
      call.Word("distribution") == kNormal ? kFloatTypes : kFloatTypes | kIntegerTypes | kPredTypes;
  if (!Contains(types, ClassOf(result.element_type()))) {
    out.Report(
        DiagCode::kElementType, call.shape_range(),
        fmt::format("rng: Element type not supported: {} for {}", Text(result.element_type()),
                    kDistributions[static_cast<size_t>(call.Word("distribution"))]));
  }
  for (int i = 0; i < 2; ++i) {
    if (!CheckScalar(call, i, kAllTypes, out)) continue;
    ElementType type = call.operand(i).element_type();
    if (SameTypeUpToFloatWidth(type, result.element_type())) continue;
    ReportOperand(call, i, DiagCode::kElementType,
                  fmt::format("Expected compatible element types between the result ({}) and {} "
                              "({})",
                              Text(result.element_type()), OperandName(call, i), Text(type)),
                  out);
  }
  return result;
}

/// The result may be narrower than the parameters, but these are of one type.
void VerifyRng(const OpCall& call, Diagnostics& out) {
  if (call.operand_count() != 2 || !call.operand(0).IsArray() || !call.operand(1).IsArray()) return;
  ElementType a = call.operand(0).element_type(), b = call.operand(1).element_type();
  if (a == b) return;
  ReportOperand(
      call, 1, DiagCode::kMixedPrecision,
      fmt::format("Expected compatible element types of the operands: {} and {}", Text(a), Text(b)),
      out);
}

// ---- rng-bit-generator --------------------------------------------------------------------------

constexpr std::string_view kState[] = {"state"};
constexpr std::string_view kAlgorithms[] = {"rng_default", "rng_three_fry", "rng_philox"};
constexpr AttrDef kBitGeneratorAttrs[] = {
    {.name = "algorithm",
     .kind = AttrKind::kWord,
     .use = AttrUse::kRequired,
     .doc = "rng_default is Philox. Each algorithm gives the same bits everywhere.",
     .words = kAlgorithms,
     .ignore_case = true,
     .always_printed = true},
};

/// (state, bits), or the bits alone as in older programs.
std::optional<Shape> InferBitGenerator(const OpCall& call, Diagnostics& out) {
  if (!call.written()) return std::nullopt;
  const Shape& result = *call.written();
  CheckArray(call, 0, out);
  if (!result.IsTuple()) return result;
  const std::vector<Shape>& parts = result.elements();
  if (parts.size() != 2) {
    ReportOp(call, DiagCode::kShapeInvalid,
             fmt::format("the result is (state, bits), not {}", ShapeName(result)), out);
    return std::nullopt;
  }
  return Shape::Tuple({call.operand(0), parts[1]});
}

// ---- rng-get-and-update-state -------------------------------------------------------------------

constexpr AttrDef kStateAttrs[] = {
    {.name = "delta",
     .kind = AttrKind::kInt,
     .use = AttrUse::kRequired,
     .doc = "What is added to the counter of the program.",
     .always_printed = true},
};

std::optional<Shape> InferState(const OpCall&, Diagnostics&) {
  return Shape::Array(ElementType::kU64, {2});
}

// ---- stochastic-convert -------------------------------------------------------------------------

constexpr std::string_view kStochasticOperands[] = {"operand", "random"};

std::optional<Shape> InferStochasticConvert(const OpCall& call, Diagnostics& out) {
  bool good = CheckType(call, 0, kFloatTypes, out);
  if (!CheckArray(call, 1, out) || !good) return std::nullopt;
  const Shape& operand = call.operand(0);
  const Shape& random = call.operand(1);
  CheckSameDims(call, 1, 0, out);
  if (!IsUnsigned(random.element_type())) {
    ReportOperand(
        call, 1, DiagCode::kElementType,
        fmt::format("random numbers must be unsigned integers, but are {}", ShapeName(random)),
        out);
  } else if (BitsOf(operand.element_type()) != BitsOf(random.element_type())) {
    ReportOperand(call, 1, DiagCode::kElementType,
                  fmt::format("the random numbers and the operand must have same bits: {} and {}",
                              Text(random.element_type()), Text(operand.element_type())),
                  out);
  }
  if (!call.written() || !call.written()->IsArray()) return std::nullopt;
  Shape result = operand;
  result.set_element_type(call.written()->element_type());
  return result;
}

}  // namespace

namespace ops {

const OpDef kRng{
    .doc = "Random numbers from a distribution.",
    .source = "operation semantics, RngUniform and RngNormal",
    .operands = kRngOperands,
    .types = "floats; for rng_uniform integers and pred too",
    .attrs = kRngAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferRng,
    .verify = VerifyRng,
    .any_precision = true,
};

const OpDef kRngBitGenerator{
    .doc =
        "Uniform random bits from a state, and the state to go on with. Equal states give equal "
        "bits.",
    .source = "operation semantics, RngBitGenerator",
    .differs = "States of Philox may have two or three words; the seed knows three.",
    .operands = kState,
    .types = "a state of u64 (ThreeFry: 2 words; Philox: 2 or 3)",
    .attrs = kBitGeneratorAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferBitGenerator,
    .any_precision = true,
    .keeps_data = true,
};

const OpDef kRngGetAndUpdateState{
    .doc = "The random counter of the program, as two words, before delta is added to it.",
    .source = "reference 11.7, rng-get-and-update-state",
    .types = "none; the result is u64[2]",
    .attrs = kStateAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferState,
};

const OpDef kStochasticConvert{
    .doc =
        "Converts floats to another type, rounding up or down at random so that the expected "
        "result is the operand.",
    .source = "reference 11.1, stochastic-convert",
    .operands = kStochasticOperands,
    .types = "floats, and unsigned integers of as many bits",
    .result_shape = ResultShape::kWritten,
    .infer = InferStochasticConvert,
};

}  // namespace ops
}  // namespace hlo
