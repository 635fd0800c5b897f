// Batch normalisation: training, inference, and the gradient.
#include <fmt/format.h>

#include <algorithm>

#include "engine/ops/batch_norm_eval.h"
#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

constexpr std::string_view kTrainingOperands[] = {"operand", "scale", "offset"};
constexpr std::string_view kInferenceOperands[] = {"operand", "scale", "offset", "mean",
                                                   "variance"};
constexpr std::string_view kGradOperands[] = {"operand", "scale", "mean", "variance",
                                              "grad_output"};
constexpr AttrDef kAttrs[] = {
    {.name = "epsilon",
     .kind = AttrKind::kFloat,
     .use = AttrUse::kRequired,
     .doc = "Added to the variance, so that nothing is divided by zero.",
     .always_printed = true},
    {.name = "feature_index",
     .kind = AttrKind::kInt,
     .use = AttrUse::kRequired,
     .doc = "The dimension that is kept; mean and variance are taken over the others.",
     .always_printed = true},
};

/// The operand is a float array with a feature dimension, operands [1, features] are vectors over
/// it. The shape of such a vector.
std::optional<Shape> CheckOperands(const OpCall& call, int features, Diagnostics& out) {
  if (!CheckArrays(call, out) || !CheckType(call, 0, kFloatTypes, out) ||
      !CheckMinRank(call, 0, 1, out)) {
    return std::nullopt;
  }
  const Shape& operand = call.operand(0);
  if (!CheckInt(call, "feature_index", 0, operand.rank(), out)) return std::nullopt;
  int64_t size = operand.dim(static_cast<int>(call.Int("feature_index")));
  Shape vector = Shape::Array(operand.element_type(), {size});
  for (int i = 1; i <= features; ++i) CheckOperandShape(call, i, vector, out);
  // What comes out for the features has the type that goes in for them.
  vector.set_element_type(call.operand(1).element_type());
  return vector;
}

std::optional<Shape> InferTraining(const OpCall& call, Diagnostics& out) {
  std::optional<Shape> vector = CheckOperands(call, 2, out);
  if (!vector) return std::nullopt;
  return Shape::Tuple({call.operand(0), *vector, *vector});
}

std::optional<Shape> InferInference(const OpCall& call, Diagnostics& out) {
  if (!CheckOperands(call, 4, out)) return std::nullopt;
  return call.operand(0);
}

std::optional<Shape> InferGrad(const OpCall& call, Diagnostics& out) {
  std::optional<Shape> vector = CheckOperands(call, 3, out);
  if (!vector) return std::nullopt;
  CheckOperandShape(call, 4, call.operand(0), out);
  return Shape::Tuple({call.operand(0), *vector, *vector});
}

// Operations on the elements, those on the features left out.
template <int kPerElement>
double Flops(const OpCall& call) {
  return kPerElement * static_cast<double>(call.operand(0).element_count());
}

}  // namespace

namespace ops {

const OpDef kBatchNormTraining{
    .doc =
        "Normalises over all dimensions but the feature dimension, then scales and shifts: "
        "(x - mean) / sqrt(variance + epsilon) * scale + offset. Returns it with the mean and "
        "the (biased) variance.",
    .source = "operation semantics, BatchNormTraining",
    .differs =
        "XLA expands it into the mean of squares less the square of the mean, rounded to the "
        "element type at every step, which may come out as 0 or negative; this engine sums the "
        "squared distances, as the document does, in f64, and rounds once.",
    .operands = kTrainingOperands,
    .types = "floats",
    .attrs = kAttrs,
    .infer = InferTraining,
    .eval = EvalBatchNormTraining,
    .flops = Flops<7>,
};

const OpDef kBatchNormInference{
    .doc = "Normalises with a given mean and variance per feature, then scales and shifts.",
    .source = "operation semantics, BatchNormInference",
    .differs =
        "XLA expands it into x * factor + (offset - mean * factor), rounded at every step, which "
        "cancels where the mean is large; this engine takes the mean off first, as training does, "
        "in f64, and rounds once.",
    .operands = kInferenceOperands,
    .types = "floats",
    .attrs = kAttrs,
    .infer = InferInference,
    .eval = EvalBatchNormInference,
    .flops = Flops<2>,
};

const OpDef kBatchNormGrad{
    .doc = "The gradient of batch-norm-training with respect to operand, scale and offset.",
    .source = "operation semantics, BatchNormGrad",
    .differs =
        "XLA expands it with a rounding to the element type at every step; this engine computes "
        "the document's formulas in f64 and rounds once.",
    .operands = kGradOperands,
    .types = "floats",
    .attrs = kAttrs,
    .infer = InferGrad,
    .eval = EvalBatchNormGrad,
    .flops = Flops<10>,
};

}  // namespace ops
}  // namespace hlo
