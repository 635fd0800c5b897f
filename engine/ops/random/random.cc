// Random numbers: shape rules; random_bits.cc and random_numbers.cc evaluate.
#include <fmt/format.h>

#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/random/random_eval.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

// ---- rng ----------------------------------------------------------------------------------------

constexpr std::string_view kDistributions[] = {"rng_uniform", "rng_normal"};
constexpr std::string_view kRngOperands[] = {"low or mean", "high or deviation"};
constexpr AttrDef kRngAttrs[] = {
    {.name = "distribution",
     .kind = AttrKind::kWord,
     .use = AttrUse::kRequired,
     .doc = "rng_uniform: from the first operand up to, but not including, the second. "
            "rng_normal: with the first operand as mean and the second as deviation.",
     .words = kDistributions,
     .noun = "random distribution",
     .ignore_case = true,
     .always_printed = true},
};

/// Both bounds are of one type, the result too, or of another float where mixed precision is
/// allowed. XLA, hlo_verifier.cc, HandleRng.
void CheckRngTypes(const OpCall& call, ElementType result, Diagnostics& out) {
  const ElementType low = call.operand(0).element_type();
  const ElementType high = call.operand(1).element_type();
  const bool fits =
      call.allow_mixed_precision() ? SameTypeUpToFloatWidth(low, result) : low == result;
  if (low != high || !fits) {
    ReportOperand(call, low != high ? 1 : 0, DiagCode::kElementType,
                  fmt::format("Expected compatible element types for the result and the two "
                              "operands of Rng instruction: {}, {} and {}",
                              Text(result), Text(low), Text(high)),
                  out);
  }
  const bool is_normal =
      static_cast<RngDistribution>(call.Word("distribution")) == RngDistribution::kNormal;
  if (IsFloat(low) || (!is_normal && !IsComplex(low))) return;
  ReportOperand(
      call, 0, DiagCode::kElementType,
      fmt::format("Element type not supported. Expected element to be {}: {}",
                  is_normal ? "FloatingPointType for RngNormal"
                            : "of floating point type, integral type or predicate type for "
                              "RngUniform",
                  Text(low)),
      out);
}

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
  const Shape& low = call.operand(0);
  const Shape& high = call.operand(1);
  if (!low.IsScalar() || !high.IsScalar()) {
    ReportOperand(call, low.IsScalar() ? 1 : 0, DiagCode::kOperandInvalid,
                  fmt::format("Expected scalar types for the two operands of Rng instruction: {} "
                              "and {}",
                              ShapeName(low), ShapeName(high)),
                  out);
    return std::nullopt;
  }
  CheckRngTypes(call, result.element_type(), out);
  return result;
}

// ---- rng-bit-generator --------------------------------------------------------------------------

constexpr std::string_view kAlgorithms[] = {"rng_default", "rng_three_fry", "rng_philox"};
constexpr AttrDef kBitGeneratorAttrs[] = {
    {.name = "algorithm",
     .kind = AttrKind::kWord,
     .use = AttrUse::kRequired,
     .doc =
         "Each gives the same bits everywhere. rng_default is Philox for states of three words and "
         "more, ThreeFry for two.",
     .words = kAlgorithms,
     .noun = "random algorithm",
     .ignore_case = true,
     .always_printed = true},
};

/// (state, bits), or the bits alone as in older programs.
/// XLA, hlo_verifier.cc, HandleRngBitGenerator.
std::optional<Shape> InferBitGenerator(const OpCall& call, Diagnostics& out) {
  if (!call.written()) return std::nullopt;
  const Shape& result = *call.written();
  CheckArray(call, 0, out);
  if (!result.IsTuple()) return result;
  const std::vector<Shape>& parts = result.elements();
  if (parts.size() != 2) {
    ReportOp(call, DiagCode::kShapeInvalid,
             fmt::format("Expected tuple shape with 2 elements for RngBitGenerator. Got: {}",
                         ShapeName(result)),
             out);
    return std::nullopt;
  }
  if (!Shape::Compatible(call.operand(0), parts[0])) {
    ReportOp(call, DiagCode::kShapeMismatch,
             fmt::format("Expected state shape to match between input and output for "
                         "RngBitGenerator. Got {} vs. {}",
                         ShapeName(call.operand(0)), ShapeName(parts[0])),
             out);
  }
  return result;
}

// ---- rng-get-and-update-state -------------------------------------------------------------------

constexpr AttrDef kStateAttrs[] = {
    {.name = "delta",
     .kind = AttrKind::kInt,
     .use = AttrUse::kRequired,
     .doc = "What is added to the counter of the program.",
     .always_printed = true},
};

std::optional<Shape> InferRngState(const OpCall& call, Diagnostics& out) {
  const Shape wanted = Shape::Array(ElementType::kU64, {2});
  if (!call.written() || Shape::Compatible(*call.written(), wanted)) return wanted;
  ReportOp(call, DiagCode::kShapeMismatch,
           fmt::format("Invalid RngGetAndUpdateState, expect result to have shape {}, got {}",
                       ShapeName(wanted), ShapeName(*call.written())),
           out);
  return std::nullopt;
}

}  // namespace

namespace ops {

const OpDef kRng{
    .doc =
        "Random numbers from a distribution. They follow from the run's seed, the device, the "
        "instruction and what was drawn before it.",
    .source = "operation semantics, RngUniform and RngNormal; XLA, rng_expander.cc",
    .differs =
        "The numbers are those of XLA's compiled programs (Philox), not of its evaluator, but the "
        "instruction counts by its place in the text. An empty or infinite interval is an error; "
        "XLA's f16 and bf16 may round up to the upper bound, these do not.",
    .operands = kRngOperands,
    .types = "floats; for rng_uniform integers and pred too",
    .attrs = kRngAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferRng,
    .eval = EvalRng,
    .any_precision = true,
    .varies = true,
    .floats = FloatWidths::kAny,
    .has_effect = true,
    .is_drawn = true,
};

const OpDef kRngBitGenerator{
    .doc =
        "Uniform random bits from a state, and the state to go on with. Equal states give equal "
        "bits.",
    .source = "operation semantics, RngBitGenerator",
    .differs =
        "States of Philox may have two or three words; the operation semantics document knows "
        "three. XLA's backends take rng_default for Philox whatever the state is; its expander, "
        "which is followed here, takes it for ThreeFry when there are two words. Words that an "
        "algorithm does not use stay as they are.",
    .operands = kState,
    .types = "a state of u64 (ThreeFry: 2 words; Philox: 2 or 3); bits as integers or floats",
    .attrs = kBitGeneratorAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferBitGenerator,
    .eval = EvalRngBitGenerator,
    .any_precision = true,
    .floats = FloatWidths::kAny,
};

const OpDef kRngGetAndUpdateState{
    .doc = "The random counter of the program, as two words, before delta is added to it.",
    .source = "XLA, hlo_verifier.cc, HandleRngGetAndUpdateState",
    .types = "none; the result is u64[2]",
    .attrs = kStateAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferRngState,
    .eval = EvalRngState,
    .varies = true,
    .has_effect = true,
    .is_drawn = true,
};

}  // namespace ops
}  // namespace hlo
