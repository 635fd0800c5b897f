// Random numbers: shape rules; random_bits.cc and random_numbers.cc evaluate.
#include <fmt/format.h>

#include "engine/ops/op_def.h"
#include "engine/ops/random_eval.h"
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
      static_cast<RngDistribution>(call.Word("distribution")) == RngDistribution::kNormal
          ? kFloatTypes
          : kFloatTypes | kIntegerTypes | kPredTypes;
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
     .doc =
         "Each gives the same bits everywhere. rng_default is Philox for states of three words and "
         "more, ThreeFry for two.",
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

}  // namespace

namespace ops {

const OpDef kRng{
    .doc =
        "Random numbers from a distribution. They follow from the seed of the run, the device, the "
        "instruction and what was drawn before it.",
    .source = "operation semantics, RngUniform and RngNormal; XLA, rng_expander.cc",
    .differs =
        "The numbers are those of XLA's compiled programs (Philox), not of its evaluator, but the "
        "instruction counts by its place in the text. An interval without a number is an error; "
        "XLA's f16 and bf16 may round up to the upper bound, these do not.",
    .operands = kRngOperands,
    .types = "floats; for rng_uniform integers and pred too",
    .attrs = kRngAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferRng,
    .verify = VerifyRng,
    .eval = EvalRng,
    .any_precision = true,
    .varies = true,
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
    .keeps_data = true,
};

const OpDef kRngGetAndUpdateState{
    .doc = "The random counter of the program, as two words, before delta is added to it.",
    .source = "XLA, hlo_verifier.cc, HandleRngGetAndUpdateState",
    .types = "none; the result is u64[2]",
    .attrs = kStateAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferState,
    .eval = EvalRngState,
    .varies = true,
};

}  // namespace ops
}  // namespace hlo
