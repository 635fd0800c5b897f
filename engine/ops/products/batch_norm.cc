// Batch normalisation: training, inference, and the gradient.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "engine/ops/op_def.h"
#include "engine/ops/products/batch_norm_eval.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

constexpr std::string_view kTrainingOperands[] = {"operand", "scale", "offset"};
constexpr std::string_view kInferenceOperands[] = {"operand", "scale", "offset", "mean",
                                                   "variance"};
constexpr std::string_view kGradOperands[] = {"operand", "scale", "mean", "variance",
                                              "grad_output"};
constexpr AttrDef kBatchNormAttrs[] = {
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

/// Which operands of a batch normalization are vectors over the features, with XLA's names for
/// them.
struct FeatureVector {
  int operand;
  std::string_view rank_name;
  std::string_view name;
};
constexpr FeatureVector kScale{1, "Scale", "scale factor"};
constexpr FeatureVector kOffset{2, "Offset", "offset factor"};
constexpr FeatureVector kTrainingVectors[] = {kOffset, kScale};
constexpr FeatureVector kInferenceVectors[] = {
    kOffset, kScale, {3, "Mean", "mean"}, {4, "Variance", "variance"}};
constexpr FeatureVector kGradVectors[] = {{2, "Mean", "mean"}, kScale, {3, "Var", "variance"}};

/// XLA, shape_inference.cc, InferBatchNorm...Shape.
class BatchNormChecks {
 public:
  BatchNormChecks(const OpCall& call, std::span<const FeatureVector> vectors, Diagnostics& out)
      : call_(call), vectors_(vectors), out_(out) {}

  bool Check() {
    return CheckArrays(call_, out_) && CheckIndex() && CheckRanks() && CheckTypes() && CheckSizes();
  }

  /// The shape of a per-feature result.
  Shape FeatureShape() const {
    const Shape& operand = call_.operand(0);
    Shape vector = Shape::Array(operand.element_type(), {operand.dim(index())});
    vector.set_dynamic(0, operand.is_dynamic(index()));
    return vector;
  }

 private:
  int index() const { return static_cast<int>(call_.Int("feature_index")); }
  bool is_grad() const { return call_.opcode() == Opcode::kBatchNormGrad; }

  bool Fail(int operand, std::string_view message) {
    ReportOperand(call_, operand, DiagCode::kOperandInvalid, message, out_);
    return false;
  }

  bool CheckIndex() {
    const int64_t index = call_.Int("feature_index");
    const int rank = call_.operand(0).rank();
    if (index >= 0 && index < rank) return true;
    ReportAttr(call_, "feature_index", DiagCode::kAttributeValue,
               index < 0 ? fmt::format("Expected feature_index of {} to be a non-negative number, "
                                       "got {}.",
                                       call_.opcode_text(), index)
                         : fmt::format("Expected feature_index of {} to be smaller than the rank "
                                       "of operand_shape; got feature_index {}, and rank {}.",
                                       call_.opcode_text(), index, rank),
               out_);
    return false;
  }

  bool CheckRanks() {
    const int rank = call_.operand(0).rank();
    if (is_grad() && call_.operand(4).rank() != rank) {
      return Fail(4, fmt::format("Expected operand_shape of batch-norm-grad to have the same rank "
                                 "as output_grad_shape; got rank(operand_shape) {}, and "
                                 "rank(output_grad_shape) {}.",
                                 rank, call_.operand(4).rank()));
    }
    for (const FeatureVector& vector : vectors_) {
      const Shape& shape = call_.operand(vector.operand);
      if (shape.rank() == 1) continue;
      return Fail(vector.operand, fmt::format("{} input of {} must have rank 1, but has rank {}.",
                                              vector.rank_name, call_.opcode_text(), shape.rank()));
    }
    return true;
  }

  bool CheckFloat(int operand, std::string_view name) {
    const Shape& shape = call_.operand(operand);
    if (IsFloat(shape.element_type())) return true;
    return Fail(operand, fmt::format("The {} to {} must have a floating point element type, but "
                                     "the shape is {}.",
                                     name, call_.opcode_text(), TypeName(shape)));
  }

  bool CheckTypes() {
    if (!CheckFloat(0, "operand") || (is_grad() && !CheckFloat(4, "output_grad"))) return false;
    const Shape& operand = call_.operand(0);
    const std::string_view word = is_grad() ? "element type" : "shape";
    for (const FeatureVector& vector : vectors_) {
      const Shape& shape = call_.operand(vector.operand);
      if (IsFloat(shape.element_type())) continue;
      return Fail(vector.operand,
                  fmt::format("The inputs should have the same element type for {}, but the {} of "
                              "{} is {} and the {} of operand is {}.",
                              call_.opcode_text(), word, vector.name, TypeName(shape), word,
                              TypeName(operand)));
    }
    return true;
  }

  bool CheckSizes() {
    const Shape& operand = call_.operand(0);
    const int64_t features = operand.dim(index());
    for (const FeatureVector& vector : vectors_) {
      const int64_t size = call_.operand(vector.operand).dim(0);
      if (CompatibleSizes(size, features)) continue;
      return Fail(vector.operand,
                  fmt::format("The size of {} should be compatible with feature count, but the "
                              "size of {} is {} and the feature count is {}.",
                              vector.name, vector.name, size, features));
    }
    for (int d = 0; is_grad() && d < operand.rank(); ++d) {
      const int64_t size = call_.operand(4).dim(d);
      if (CompatibleSizes(size, operand.dim(d))) continue;
      return Fail(4, fmt::format("The bounds of operand shape should be compatible with "
                                 "output_grad's, but the bound of operand_shape at dimension {} "
                                 "is {} and the bound of output_grad_shape is {}.",
                                 d, operand.dim(d), size));
    }
    return true;
  }

  const OpCall& call_;
  std::span<const FeatureVector> vectors_;
  Diagnostics& out_;
};

/// The shapes of the operand and, twice, of a vector over its features.
std::optional<Shape> InferThree(const OpCall& call, std::span<const FeatureVector> vectors,
                                Diagnostics& out) {
  BatchNormChecks checks(call, vectors, out);
  if (!checks.Check()) return std::nullopt;
  const Shape vector = checks.FeatureShape();
  return Shape::Tuple({call.operand(0), vector, vector});
}

std::optional<Shape> InferTraining(const OpCall& call, Diagnostics& out) {
  return InferThree(call, kTrainingVectors, out);
}

std::optional<Shape> InferInference(const OpCall& call, Diagnostics& out) {
  if (!BatchNormChecks(call, kInferenceVectors, out).Check()) return std::nullopt;
  return call.operand(0);
}

std::optional<Shape> InferGrad(const OpCall& call, Diagnostics& out) {
  return InferThree(call, kGradVectors, out);
}

// The cost: operations on the elements; those on the features are ignored.
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
    .attrs = kBatchNormAttrs,
    .infer = InferTraining,
    .eval = EvalBatchNormTraining,
};

const OpDef kBatchNormInference{
    .doc = "Normalises with a given mean and variance per feature, then scales and shifts.",
    .source = "operation semantics, BatchNormInference",
    .differs =
        "XLA expands it into x * factor + (offset - mean * factor), rounded at every step, which "
        "cancels where the mean is large; this engine subtracts the mean first, as training does, "
        "in f64, and rounds once.",
    .operands = kInferenceOperands,
    .types = "floats",
    .attrs = kBatchNormAttrs,
    .infer = InferInference,
    .eval = EvalBatchNormInference,
};

const OpDef kBatchNormGrad{
    .doc = "The gradient of batch-norm-training with respect to operand, scale and offset.",
    .source = "operation semantics, BatchNormGrad",
    .differs =
        "XLA expands it with a rounding to the element type at every step; this engine computes "
        "the document's formulas in f64 and rounds once.",
    .operands = kGradOperands,
    .types = "floats",
    .attrs = kBatchNormAttrs,
    .infer = InferGrad,
    .eval = EvalBatchNormGrad,
};

}  // namespace ops
}  // namespace hlo
