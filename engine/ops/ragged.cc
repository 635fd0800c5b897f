// Products of matrices with more to them: ragged-dot (rows in groups), scaled-dot (block scales).
#include <fmt/format.h>

#include "engine/ops/dot_dims.h"
#include "engine/ops/op_def.h"
#include "engine/ops/precision.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

// ---- ragged-dot ---------------------------------------------------------------------------------

constexpr std::string_view kRaggedOperands[] = {"lhs", "rhs", "group_sizes"};
constexpr std::string_view kLhsRagged = "lhs_ragged_dims";
constexpr std::string_view kRhsGroup = "rhs_group_dims";
constexpr AttrDef kRaggedAttrs[] = {
    kLhsBatchAttr,
    kLhsContractingAttr,
    kRhsBatchAttr,
    kRhsContractingAttr,
    {.name = kLhsRagged,
     .kind = AttrKind::kInts,
     .use = AttrUse::kOptional,
     .doc = "The one dimension of the lhs that is cut into groups, of the sizes in group_sizes.",
     .always_printed = true},
    {.name = kRhsGroup,
     .kind = AttrKind::kInts,
     .use = AttrUse::kOptional,
     .doc = "The dimension of the rhs that has one matrix per group, when a free dimension of the "
            "lhs is ragged."},
    kOperandPrecisionAttr,
};

/// Which dimension of the lhs is ragged decides what a group is.
enum class RaggedMode : uint8_t { kFree, kContracting, kBatch };

RaggedMode ModeOf(const OpCall& call, int64_t ragged) {
  if (Contains(call.Ints(kLhsContractingAttr.name), ragged)) return RaggedMode::kContracting;
  if (Contains(call.Ints(kLhsBatchAttr.name), ragged)) return RaggedMode::kBatch;
  return RaggedMode::kFree;
}

/// group_sizes is a vector of sizes, or one such vector per position in leading dimensions of the
/// lhs: the batch and, before the ragged dimension, the free ones.
bool CheckGroupSizes(const OpCall& call, Diagnostics& out) {
  if (!CheckType(call, 2, kIntegerTypes, out)) return false;
  const Shape& sizes = call.operand(2);
  if (sizes.rank() >= 1 && sizes.rank() <= call.operand(0).rank()) return true;
  ReportOperand(call, 2, DiagCode::kOperandInvalid,
                fmt::format("expects group_sizes of rank 1, or with dimensions of the lhs in "
                            "front, but they are {}",
                            ShapeName(sizes)),
                out);
  return false;
}

/// A free ragged dimension goes with one group dimension of the rhs, of as many entries as groups;
/// the other modes with none.
bool CheckGroupDims(const OpCall& call, RaggedMode mode, int64_t groups, Diagnostics& out) {
  const Dims& dims = call.Ints(kRhsGroup);
  int64_t expected = mode == RaggedMode::kFree ? 1 : 0;
  const Shape& rhs = call.operand(1);
  if (!CheckDims(call, kRhsGroup, rhs.rank(), "the rhs", {.count = expected}, out)) return false;
  for (int64_t d : dims) {
    if (Contains(call.Ints(kRhsBatchAttr.name), d) ||
        Contains(call.Ints(kRhsContractingAttr.name), d)) {
      ReportAttr(call, kRhsGroup, DiagCode::kDimensionNumbers,
                 fmt::format("dimension {} is also a batch or contracting dimension", d), out);
      return false;
    }
    if (rhs.dim(static_cast<int>(d)) == groups) continue;
    ReportAttr(call, kRhsGroup, DiagCode::kDimensionNumbers,
               fmt::format("dimension {} of the rhs has size {}, but there are {} groups", d,
                           rhs.dim(static_cast<int>(d)), groups),
               out);
    return false;
  }
  return true;
}

std::optional<Shape> InferRaggedDot(const OpCall& call, Diagnostics& out) {
  if (!CheckArrays(call, out) || !CheckDotDims(call, out) || !CheckGroupSizes(call, out)) {
    return std::nullopt;
  }
  std::optional<int> ragged = CheckOneDim(call, kLhsRagged, call.operand(0).rank(), "the lhs", out);
  if (!ragged) return std::nullopt;
  RaggedMode mode = ModeOf(call, *ragged);
  const Shape& sizes = call.operand(2);
  int64_t groups = sizes.dim(sizes.rank() - 1);
  if (!CheckGroupDims(call, mode, groups, out)) return std::nullopt;
  std::optional<Shape> product = DotShape(call, call.Ints(kRhsGroup), out);
  if (!product || mode != RaggedMode::kContracting) return product;
  // Every group is a sum of its own.
  Dims dims = product->dims();
  dims.insert(dims.begin(), groups);
  return CheckedArray(call, product->element_type(), dims, out);
}

// ---- scaled-dot ---------------------------------------------------------------------------------

constexpr std::string_view kScaledOperands[] = {"lhs", "rhs", "lhs_scale", "rhs_scale"};
constexpr AttrDef kScaledAttrs[] = {kLhsBatchAttr,       kLhsContractingAttr,   kRhsBatchAttr,
                                    kRhsContractingAttr, kOperandPrecisionAttr, kDotAlgorithmAttr};

/// A scale has the rank of its operand and one entry per block of it in each dimension; a scalar
/// stands for none.
void CheckScale(const OpCall& call, int i, Diagnostics& out) {
  const Shape& scale = call.operand(i);
  const Shape& operand = call.operand(i - 2);
  if (scale.rank() == 0) return;
  if (scale.rank() != operand.rank()) {
    ReportOperand(call, i, DiagCode::kOperandInvalid,
                  fmt::format("{} has different number of dimensions than operand {}: {} and {}",
                              OperandName(call, i), i - 2, ShapeName(scale), ShapeName(operand)),
                  out);
    return;
  }
  for (int d = 0; d < operand.rank(); ++d) {
    int64_t blocks = scale.dim(d);
    if (blocks > 0 && operand.dim(d) % blocks == 0) continue;
    ReportOperand(call, i, DiagCode::kOperandInvalid,
                  fmt::format("dimension {} of operand {} ({}) should be a multiple of dimension "
                              "{} of {} ({})",
                              d, i - 2, operand.dim(d), d, OperandName(call, i), blocks),
                  out);
  }
}

std::optional<Shape> InferScaledDot(const OpCall& call, Diagnostics& out) {
  if (!CheckArrays(call, out) || !CheckDotDims(call, out)) return std::nullopt;
  size_t contracting = call.Ints(kLhsContractingAttr.name).size();
  if (contracting != 1) {
    ReportAttr(
        call, kLhsContractingAttr.name, DiagCode::kDimensionNumbers,
        fmt::format("expects exactly one contracting dimension, but there are {}", contracting),
        out);
  }
  for (int i = 2; i < 4; ++i) CheckScale(call, i, out);
  if (call.operand(2).rank() == 0 && call.operand(3).rank() == 0) {
    ReportOp(call, DiagCode::kOperandInvalid,
             fmt::format("At least one of the scales should be not a scalar in {}", call.name()),
             out);
  }
  return DotShape(call, /*skip_rhs=*/{}, out);
}

}  // namespace

namespace ops {

const OpDef kRaggedDot{
    .doc =
        "A dot whose lhs is cut into groups along one dimension: with a free dimension each "
        "group meets its own matrix of the rhs, with a contracting one each group gives a "
        "result of its own, with a batch one the groups are batches.",
    .source = "reference 11.4, ragged-dot",
    .operands = kRaggedOperands,
    .types = "all array types, and integers for the group sizes",
    .attrs = kRaggedAttrs,
    .infer = InferRaggedDot,
    .flops = DotFlops,
};

const OpDef kScaledDot{
    .doc = "A dot of operands that are scaled block by block.",
    .source = "reference 11.4, scaled-dot",
    .differs =
        "With the result shape omitted XLA's parser infers it from the wrong operands; here "
        "it follows from lhs and rhs.",
    .operands = kScaledOperands,
    .types = "all array types",
    .attrs = kScaledAttrs,
    .infer = InferScaledDot,
    .flops = DotFlops,
    .any_precision = true,
};

}  // namespace ops
}  // namespace hlo
