// Extended matrix products: ragged-dot (rows in groups), scaled-dot (block scales).
#include "engine/ops/products/ragged.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/indices.h"
#include "engine/kernels/move_copy.h"
#include "engine/kernels/move_loops.h"
#include "engine/kernels/scalar_binary.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/products/contraction.h"
#include "engine/ops/products/dot_dims.h"
#include "engine/ops/products/precision.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

// ---- ragged-dot ---------------------------------------------------------------------------------

constexpr std::string_view kRaggedDotOperands[] = {"lhs", "rhs", "group_sizes"};
constexpr std::string_view kLhsRagged = "lhs_ragged_dims";
constexpr std::string_view kRhsGroup = "rhs_group_dims";
constexpr AttrDef kRaggedDotAttrs[] = {
    kLhsBatchAttr,
    kLhsContractingAttr,
    kRhsBatchAttr,
    kRhsContractingAttr,
    {.name = kLhsRagged,
     .kind = AttrKind::kInts,
     .use = AttrUse::kOptional,
     .doc = "The one dimension of the lhs that is cut into groups, of the sizes in group_sizes."},
    {.name = kRhsGroup,
     .kind = AttrKind::kInts,
     .use = AttrUse::kOptional,
     .doc = "The dimension of the rhs that has one matrix per group, when a free dimension of the "
            "lhs is ragged."},
    kOperandPrecisionAttr,
};

/// group_sizes is a vector of sizes, or one such vector per position in leading dimensions of the
/// lhs, depending on which kind of dimension is ragged.
bool CheckGroupSizes(const OpCall& call, int64_t ragged, Diagnostics& out) {
  if (!CheckType(call, 2, kIntegerTypes, out)) return false;
  const Shape& sizes = call.operand(2);
  const Shape& lhs = call.operand(0);
  const auto fail = [&](std::string_view message) {
    ReportOperand(call, 2, DiagCode::kOperandInvalid, message, out);
    return false;
  };
  if (sizes.rank() == 1) return true;
  if (sizes.rank() == 0) return fail("expected rank of group_sizes >= 1, got 0");
  const Dims prefix = RaggedPrefix(DotDimsOf(call), lhs.rank(), ragged);
  const int rank = static_cast<int>(prefix.size()) + 1;
  if (sizes.rank() != rank) {
    return fail(fmt::format("expected group_sizes to have rank {}, got {}", rank, sizes.rank()));
  }
  Dims expected = SizesOf(lhs.dims(), prefix);
  expected.push_back(sizes.dim(rank - 1));
  for (int i = 0; i < rank; ++i) {
    const int64_t size = sizes.dim(i);
    const int64_t wanted = expected[static_cast<size_t>(i)];
    if (CompatibleSizes(size, wanted)) continue;
    return fail(fmt::format("group_sizes is expected to have shape [{}], got [{}]",
                            fmt::join(expected, ", "), fmt::join(sizes.dims(), ", ")));
  }
  return true;
}

/// With a free ragged dimension the rhs has one group dimension with an entry per group; with other
/// modes it has none.
bool CheckGroupDims(const OpCall& call, RaggedMode mode, int64_t groups, Diagnostics& out) {
  const Dims& dims = call.Ints(kRhsGroup);
  const Shape& rhs = call.operand(1);
  if (mode != RaggedMode::kFree) {
    return dims.empty() ||
           FailDims(call, kRhsGroup,
                    "There must be zero group dimensions in the rhs when the ragged "
                    "dimension is batch or contracting.",
                    out);
  }
  if (dims.size() != 1) {
    return FailDims(call, kRhsGroup,
                    "There must be exactly one group dimension in the rhs when the lhs ragged "
                    "dimension is non-contracting.",
                    out);
  }
  const int64_t d = dims[0];
  if (d < 0 || d >= rhs.rank()) {
    return FailDims(call, kRhsGroup,
                    fmt::format("rhs group dimension {} is out of range [0, {})", d, rhs.rank()),
                    out);
  }
  if (Contains(call.Ints(kRhsBatchAttr.name), d) ||
      Contains(call.Ints(kRhsContractingAttr.name), d)) {
    return FailDims(call, kRhsGroup,
                    "rhs group dimension cannot be a batch or contracting dimension", out);
  }
  const int64_t size = rhs.dim(static_cast<int>(d));
  if (CompatibleSizes(size, groups)) return true;
  return FailDims(
      call, kRhsGroup,
      fmt::format("rhs group dimension is expected to have size={}, got {}", groups, size), out);
}

bool CheckRaggedDim(const OpCall& call, Diagnostics& out) {
  const Dims& ragged = call.Ints(kLhsRagged);
  if (ragged.size() != 1) {
    return FailDims(call, kLhsRagged, "There must be exactly one ragged dimension in the lhs.",
                    out);
  }
  const int rank = call.operand(0).rank();
  if (ragged[0] >= 0 && ragged[0] < rank) return true;
  return FailDims(call, kLhsRagged,
                  fmt::format("lhs ragged dimension {} is out of range [0, {})", ragged[0], rank),
                  out);
}

/// XLA, shape_inference.cc, InferRaggedDotOpShape.
std::optional<Shape> InferRaggedDot(const OpCall& call, Diagnostics& out) {
  if (!CheckArrays(call, out) || !CheckDotDims(call, out) || !CheckRaggedDim(call, out)) {
    return std::nullopt;
  }
  const int64_t ragged = call.Ints(kLhsRagged)[0];
  if (!CheckGroupSizes(call, ragged, out)) return std::nullopt;
  RaggedMode mode = RaggedModeOf(DotDimsOf(call), ragged);
  const Shape& sizes = call.operand(2);
  int64_t groups = sizes.dim(sizes.rank() - 1);
  if (!CheckGroupDims(call, mode, groups, out)) return std::nullopt;
  std::optional<Shape> product = DotShape(call, call.Ints(kRhsGroup), out);
  if (!product || mode != RaggedMode::kContracting) return product;
  // Every group has a sum of its own.
  Dims dims = product->dims();
  dims.insert(dims.begin(), groups);
  std::optional<Shape> result = CheckedArray(call, product->element_type(), dims, out);
  for (int d = 0; result && d < product->rank(); ++d) {
    result->set_dynamic(d + 1, product->is_dynamic(d));
  }
  return result;
}

Value EvalRaggedDot(const OpCall& call, std::span<Value> args, EvalContext& context) {
  RaggedDims dims{DotDimsOf(call), call.Ints(kLhsRagged)[0], -1};
  if (!call.Ints(kRhsGroup).empty()) dims.group = call.Ints(kRhsGroup)[0];
  return RaggedContract(args[0].tensor(), args[1].tensor(), args[2].tensor(), dims, call.shape(),
                        context.budget(), context.multiply_add());
}

// ---- scaled-dot ---------------------------------------------------------------------------------

constexpr std::string_view kScaledOperands[] = {"lhs", "rhs", "lhs_scale", "rhs_scale"};
constexpr AttrDef kScaledAttrs[] = {kLhsBatchAttr,       kLhsContractingAttr,   kRhsBatchAttr,
                                    kRhsContractingAttr, kOperandPrecisionAttr, kDotAlgorithmAttr};

/// A bf16 scale whose sizes are all 1, for a bf16 operand, means no scale.
bool IsNoScale(const Shape& operand, const Shape& scale) {
  const auto is_one = [](int64_t size) { return size == 1; };
  return operand.element_type() == ElementType::kBF16 &&
         scale.element_type() == ElementType::kBF16 &&
         std::all_of(scale.dims().begin(), scale.dims().end(), is_one) &&
         !std::all_of(operand.dims().begin(), operand.dims().end(), is_one);
}

/// A scale has the rank of its operand and one entry per block of it in each dimension.
/// XLA, hlo_verifier.cc, ScalesShapeVerifier.
void CheckScale(const OpCall& call, int i, Diagnostics& out) {
  const Shape& scale = call.operand(i);
  const Shape& operand = call.operand(i - 2);
  if (IsNoScale(operand, scale)) return;
  if (scale.rank() != operand.rank()) {
    ReportOperand(call, i, DiagCode::kOperandInvalid,
                  fmt::format("Scale operand {} has a different number of dimensions than operand "
                              "{}: {} and {}",
                              OperandName(call, i), i - 2, ShapeName(scale), ShapeName(operand)),
                  out);
    return;
  }
  const std::string_view contracting = i == 2 ? kLhsContractingAttr.name : kRhsContractingAttr.name;
  if (call.Ints(contracting).size() != 1) {
    ReportAttr(call, contracting, DiagCode::kDimensionNumbers,
               "Contracting dimensions must have exactly one dimension in instruction", out);
    return;
  }
  for (int d = 0; d < operand.rank(); ++d) {
    int64_t blocks = scale.dim(d);
    if (blocks > 0 && operand.dim(d) % blocks == 0) continue;
    ReportOperand(call, i, DiagCode::kOperandInvalid,
                  fmt::format("Dimension {} of operand {} ({}) should be a multiple of dimension "
                              "{} of scale {} ({})",
                              d, i - 2, operand.dim(d), d, OperandName(call, i), blocks),
                  out);
  }
}

std::optional<Shape> InferScaledDot(const OpCall& call, Diagnostics& out) {
  if (!CheckArrays(call, out) || !CheckDotDims(call, out)) return std::nullopt;
  for (int i = 2; i < 4; ++i) CheckScale(call, i, out);
  if (call.operand(2).rank() == 0 && call.operand(3).rank() == 0) {
    ReportOp(call, DiagCode::kOperandInvalid,
             fmt::format("At least one of the scales should be not a scalar in {}", call.name()),
             out);
  }
  return DotShape(call, /*skip_rhs=*/{}, out);
}

/// The operand times its scale, both in the accumulation type.
Tensor Scaled(const Tensor& operand, const Tensor& scale, ElementType type, Budget* budget) {
  const ElementType sum_type = SumType(type);
  Tensor values = ConvertTensor(ConvertTensor(operand, type, budget), sum_type, budget);
  if (scale.rank() == 0) return values;
  // Dimension d as blocks of equal scale: [scales, elements of a block].
  Tensor factors = ConvertTensor(scale, sum_type, budget);
  StridedView stored = RowMajorView(scale.dims()), view;
  for (int d = 0; d < operand.rank(); ++d) {
    view.dims.push_back(scale.dim(d));
    view.strides.push_back(stored.strides[static_cast<size_t>(d)]);
    view.dims.push_back(operand.dim(d) / scale.dim(d));
    view.strides.push_back(0);
  }
  factors.set_dynamic_sizes({});
  Tensor spread(sum_type, operand.dims(), budget);
  GatherView(BytesOf(sum_type), factors.bytes(), view, spread.mutable_bytes(), budget);
  const ElementLoop multiply = BinaryLoop<MultiplyOp>(sum_type);
  for (int64_t i = 0; i < spread.element_count(); i += kPollElements) {
    const int64_t offset = i * BytesOf(sum_type);
    const std::byte* args[] = {values.bytes() + offset, spread.bytes() + offset};
    multiply.Run(std::min(kPollElements, spread.element_count() - i), args,
                 spread.mutable_bytes() + offset);
    budget->Poll();
  }
  spread.set_dynamic_sizes(operand.dynamic_sizes());
  return spread;
}

Value EvalScaledDot(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const ElementType type = call.shape().element_type();
  Tensor lhs = Scaled(args[0].tensor(), args[2].tensor(), type, context.budget());
  Tensor rhs = Scaled(args[1].tensor(), args[3].tensor(), type, context.budget());
  Tensor sums =
      Contract(lhs, rhs, DotDimsOf(call), SumType(type), context.budget(), context.multiply_add());
  return ConvertTensor(sums, type, context.budget());
}

}  // namespace

namespace ops {

const OpDef kRaggedDot{
    .doc =
        "A dot whose lhs is cut into groups along one dimension: with a free dimension each "
        "group meets its own matrix of the rhs, with a contracting one each group gives a "
        "result of its own, with a batch one the groups are batches.",
    .source = "XLA, shape_inference.cc, InferRaggedDotOpShape; StableHLO's CHLO, ragged_dot",
    .differs =
        "The operation semantics document does not have it. Results in no group are zero; group "
        "sizes below zero count as zero, and sizes that go beyond the dimension are clamped to it: "
        "no source defines them.",
    .operands = kRaggedDotOperands,
    .types = "all array types, and integers for the group sizes",
    .attrs = kRaggedDotAttrs,
    .infer = InferRaggedDot,
    .eval = EvalRaggedDot,
    .any_precision = true,
    .floats = FloatWidths::kAny,
};

const OpDef kScaledDot{
    .doc =
        "A dot of operands that are scaled block by block: in each dimension a scale applies to a "
        "block of (operand size / scale size) elements. A scalar scale means none.",
    .source = "XLA, hlo_evaluator.cc, HandleScaledDot",
    .differs =
        "The operation semantics document does not have it. A scalar scale counts as 1 whatever "
        "its value, as in XLA's evaluator. With the result shape omitted XLA's parser infers it "
        "from the wrong operands; here it follows from lhs and rhs.",
    .operands = kScaledOperands,
    .types = kAllArrayTypes,
    .attrs = kScaledAttrs,
    .infer = InferScaledDot,
    .eval = EvalScaledDot,
    .any_precision = true,
    .floats = FloatWidths::kAny,
};

}  // namespace ops
}  // namespace hlo
