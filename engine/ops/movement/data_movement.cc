// Data movement ops that copy elements by position alone: each result is a view of its operand.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/indices.h"
#include "engine/kernels/move_copy.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/shape_checks.h"
#include "engine/types/convert.h"

namespace hlo {
namespace {

// ---- broadcast ----------------------------------------------------------------------------------

constexpr AttrDef kBroadcastAttrs[] = {
    {.name = "dimensions",
     .kind = AttrKind::kInts,
     .use = AttrUse::kOptional,
     .doc = "For each dimension of the operand, the dimension of the result it becomes, of the "
            "same size. May be omitted for a scalar.",
     .default_text = "{}",
     .always_printed = true},
};

/// Without a written shape XLA reads `dimensions` as the sizes of new leading dimensions.
std::optional<Shape> InferPrependedSizes(const OpCall& call, Diagnostics& out) {
  const Dims& sizes = call.Ints("dimensions");
  for (int64_t size : sizes) {
    if (size >= 0) continue;
    ReportAttr(call, "dimensions", DiagCode::kAttributeValue,
               fmt::format("without a written result shape these are the sizes of new leading "
                           "dimensions, and {} is negative",
                           size),
               out);
    return std::nullopt;
  }
  const Shape& operand = call.operand(0);
  return CheckedArray(call, operand.element_type(), Joined(sizes, operand.dims()), out);
}

/// Operand dimension i becomes result dimension dimensions[i], and keeps its size.
void CheckBroadcastSizes(const OpCall& call, const Shape& result, Diagnostics& out) {
  const Dims& dimensions = call.Ints("dimensions");
  const Shape& operand = call.operand(0);
  for (int i = 0; i < operand.rank(); ++i) {
    int to = static_cast<int>(dimensions[static_cast<size_t>(i)]);
    if (operand.dim(i) == result.dim(to) || operand.is_unbounded(i) || result.is_unbounded(to)) {
      continue;
    }
    ReportAttr(call, "dimensions", DiagCode::kDimensionNumbers,
               fmt::format("dimension {} of the operand has size {}, but dimension {} of the "
                           "result, into which it goes, has size {}",
                           i, operand.dim(i), to, result.dim(to)),
               out);
  }
}

std::optional<Shape> InferBroadcast(const OpCall& call, Diagnostics& out) {
  if (!CheckArray(call, 0, out)) return std::nullopt;
  if (call.written() == nullptr) return InferPrependedSizes(call, out);
  const Shape& operand = call.operand(0);
  Shape result = *call.written();
  if (!result.IsArray()) {
    ReportOp(call, DiagCode::kShapeMismatch, "the result is an array", out);
    return std::nullopt;
  }
  const Dims& dimensions = call.Ints("dimensions");
  if (static_cast<int>(dimensions.size()) != operand.rank()) {
    ReportAttr(call, "dimensions", DiagCode::kDimensionNumbers,
               fmt::format("Broadcast HLO has invalid number of dimensions: {} != {}, the rank of "
                           "the operand",
                           dimensions.size(), operand.rank()),
               out);
    return std::nullopt;
  }
  if (!CheckDims(call, "dimensions", result.rank(), "the result", {}, out)) return std::nullopt;
  CheckBroadcastSizes(call, result, out);
  for (int i = 0; i < operand.rank(); ++i) {
    int to = static_cast<int>(dimensions[static_cast<size_t>(i)]);
    if (operand.is_dynamic(i)) result.set_dynamic(to, true);
  }
  result.set_element_type(operand.element_type());
  return result;
}

/// XLA's verifier rejects an unordered list only under a flag, and some of its own test programs
/// have one.
void VerifyBroadcast(const OpCall& call, Diagnostics& out) {
  const Dims& dimensions = call.Ints("dimensions");
  if (std::is_sorted(dimensions.begin(), dimensions.end())) return;
  out.Report(DiagCode::kDimensionNumbers, Severity::kWarning, call.attr_range("dimensions"),
             fmt::format("broadcast: Broadcast dimensions should be ordered, got {}",
                         DimsText(dimensions)));
}

std::optional<StridedView> ViewOfBroadcast(const OpCall& call, const StridedView& operand) {
  const Dims& dimensions = call.Ints("dimensions");
  Dims sizes = call.shape().dims();
  for (size_t i = 0; i < dimensions.size(); ++i) {
    sizes[static_cast<size_t>(dimensions[i])] = operand.dims[i];
  }
  return BroadcastInto(operand, sizes, dimensions);
}

Value EvalBroadcast(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const Tensor& operand = args[0].tensor();
  return TensorFromView(operand, *ViewOfBroadcast(call, LiveView(operand)), call.shape(),
                        context.budget());
}

// ---- transpose ----------------------------------------------------------------------------------

constexpr AttrDef kTransposeAttrs[] = {
    {.name = "dimensions",
     .kind = AttrKind::kInts,
     .use = AttrUse::kRequired,
     .doc = "A permutation: dimension i of the result is dimension dimensions[i] of the operand.",
     .always_printed = true},
};

// The layout in which the transposed array is the same bytes. XLA, ShapeUtil::PermuteDimensions.
Layout TransposedLayout(const Layout& layout, const Dims& permutation) {
  Dims place(permutation.size());  // the dimension of the result that an operand's becomes
  for (size_t d = 0; d < permutation.size(); ++d) {
    place[static_cast<size_t>(permutation[d])] = static_cast<int64_t>(d);
  }
  Dims order;
  for (const int64_t dim : layout.minor_to_major()) {
    order.push_back(place[static_cast<size_t>(dim)]);
  }
  return WithOrder(layout, std::move(order), layout.extras().element_bits);
}

std::optional<Shape> InferTranspose(const OpCall& call, Diagnostics& out) {
  if (!CheckArray(call, 0, out)) return std::nullopt;
  const Shape& operand = call.operand(0);
  const Dims& dims = call.Ints("dimensions");
  std::vector<int64_t> sorted(dims.begin(), dims.end());
  std::sort(sorted.begin(), sorted.end());
  bool permutation = sorted.size() == static_cast<size_t>(operand.rank());
  for (size_t i = 0; permutation && i < sorted.size(); ++i) {
    permutation = sorted[i] == static_cast<int64_t>(i);
  }
  if (!permutation) {
    ReportAttr(call, "dimensions", DiagCode::kDimensionNumbers,
               fmt::format("Transpose dimensions [{}] are not a permutation of the operand "
                           "dimensions (operand shape is {}).",
                           fmt::join(dims, ","), ShapeName(operand)),
               out);
    return std::nullopt;
  }
  Shape result = operand;
  result.set_layout(TransposedLayout(operand.layout(), dims));
  for (int i = 0; i < operand.rank(); ++i) {
    const auto from = static_cast<int>(dims[static_cast<size_t>(i)]);
    result.set_dim(i, operand.dim(from));
    result.set_dynamic(i, operand.is_dynamic(from));
  }
  return result;
}

std::optional<StridedView> ViewOfTranspose(const OpCall& call, const StridedView& operand) {
  return Permute(operand, call.Ints("dimensions"));
}

Value EvalTranspose(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const Tensor& operand = args[0].tensor();
  return TensorFromView(operand, *ViewOfTranspose(call, LiveView(operand)), call.shape(),
                        context.budget());
}

// ---- reverse ------------------------------------------------------------------------------------

constexpr AttrDef kReverseAttrs[] = {
    {.name = "dimensions",
     .kind = AttrKind::kInts,
     .use = AttrUse::kRequired,
     .doc = "The dimensions to reverse, each at most once.",
     .always_printed = true},
};

std::optional<Shape> InferReverse(const OpCall& call, Diagnostics& out) {
  if (!CheckArray(call, 0, out)) return std::nullopt;
  const std::string range =
      fmt::format("One of the reverse dimensions ({{d}}) is out-of-bounds in shape {}.",
                  ShapeName(call.operand(0)));
  CheckDimList(call, "dimensions", call.operand(0).rank(),
               {range, "a dimension number is duplicated in reverse: {d}"}, out);
  return call.operand(0);
}

std::optional<StridedView> ViewOfReverse(const OpCall& call, const StridedView& operand) {
  return Flip(operand, call.Ints("dimensions"));
}

Value EvalReverse(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const Tensor& operand = args[0].tensor();
  return TensorFromView(operand, *ViewOfReverse(call, LiveView(operand)), call.shape(),
                        context.budget());
}

// ---- iota ---------------------------------------------------------------------------------------

constexpr AttrDef kIotaAttrs[] = {
    {.name = "iota_dimension",
     .kind = AttrKind::kInt,
     .use = AttrUse::kRequired,
     .doc = "The dimension along which the numbers rise."},
};

std::optional<Shape> InferIota(const OpCall& call, Diagnostics& out) {
  if (call.written() == nullptr) return std::nullopt;
  const Shape& result = *call.written();
  if (!result.IsArray()) {
    ReportOp(call, DiagCode::kShapeInvalid,
             fmt::format("Iota does not support non-array result. It is {}", ShapeName(result)),
             out);
    return std::nullopt;
  }
  const int64_t dimension = call.Int("iota_dimension");
  if (result.rank() == 0) {
    ReportOp(call, DiagCode::kShapeInvalid, "Iota does not support scalars.", out);
  } else if (dimension < 0 || dimension >= result.rank()) {
    ReportAttr(call, "iota_dimension", DiagCode::kAttributeValue,
               fmt::format("The iota dimension cannot go beyond the operation rank or be negative. "
                           "It is {}, the rank {}",
                           dimension, result.rank()),
               out);
  }
  if (result.element_type() == ElementType::kPred) {
    ReportOp(call, DiagCode::kElementType,
             "Only support iota of integral, floating point or complex primitive types, got PRED",
             out);
  }
  return result;
}

Value EvalIota(const OpCall& call, std::span<Value>, EvalContext& context) {
  const Shape& shape = call.shape();
  ElementType type = shape.element_type();
  int64_t dimension = call.Int("iota_dimension");
  Dims line_dims{shape.element_count() == 0 ? 0 : shape.dim(static_cast<int>(dimension))};
  Tensor line(type, line_dims, context.budget());
  constexpr int64_t kPiece = 4096;
  int64_t numbers[kPiece];
  for (int64_t i = 0; i < line_dims[0]; i += kPiece) {
    int64_t n = std::min(kPiece, line_dims[0] - i);
    for (int64_t j = 0; j < n; ++j) numbers[j] = i + j;
    ConvertElements(ElementType::kS64, reinterpret_cast<const std::byte*>(numbers), type,
                    line.mutable_bytes() + i * BytesOf(type), n);
    context.budget()->Poll();
  }
  return TensorFromView(line, BroadcastInto(RowMajorView(line_dims), shape.dims(), Dims{dimension}),
                        shape, context.budget());
}

}  // namespace

namespace ops {

const OpDef kBroadcast{
    .doc =
        "Repeats the operand along new dimensions. Dimension i of the operand becomes "
        "dimension dimensions[i] of the result and keeps its size.",
    .source = "operation semantics, Broadcast and BroadcastInDim",
    .differs =
        "Dimensions of size 1 are not stretched, unlike in the operation semantics document's "
        "BroadcastInDim: reshape them away first. Unordered dimensions, which XLA's verifier can "
        "be told to "
        "refuse, are a warning.",
    .operands = kOperand,
    .types = kAllArrayTypes,
    .attrs = kBroadcastAttrs,
    .infer = InferBroadcast,
    .verify = VerifyBroadcast,
    .eval = EvalBroadcast,
    .floats = FloatWidths::kOfOperands,
    .view = ViewOfBroadcast,
    .passes_on = PassesOn::kScalars,
};

const OpDef kTranspose{
    .doc =
        "Permutes the dimensions: dimension i of the result is dimension dimensions[i] of the "
        "operand.",
    .source = "operation semantics, Transpose",
    .operands = kOperand,
    .types = kAllArrayTypes,
    .attrs = kTransposeAttrs,
    .infer = InferTranspose,
    .eval = EvalTranspose,
    .floats = FloatWidths::kOfOperands,
    .view = ViewOfTranspose,
    .passes_on = PassesOn::kScalars,
};

const OpDef kReverse{
    .doc = "Reverses the order of the elements along dimensions.",
    .source = "operation semantics, Rev",
    .operands = kOperand,
    .types = kAllArrayTypes,
    .attrs = kReverseAttrs,
    .infer = InferReverse,
    .eval = EvalReverse,
    .keeps_layout = true,
    .floats = FloatWidths::kOfOperands,
    .view = ViewOfReverse,
};

const OpDef kIota{
    .doc =
        "Numbers 0, 1, 2, ... along one dimension, converted to the element type (small "
        "integers wrap), repeated along the others.",
    .source = "operation semantics, Iota",
    .types = "all numeric types; not pred",
    .attrs = kIotaAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferIota,
    .eval = EvalIota,
};

}  // namespace ops
}  // namespace hlo
