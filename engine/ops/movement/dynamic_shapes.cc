// Ops on dynamic dimensions, whose size is known only at run time.
#include "engine/ops/movement/dynamic_shapes.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "engine/base/indices.h"
#include "engine/kernels/move_copy.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

constexpr std::string_view kOperandAndSize[] = {"operand", "size"};
constexpr AttrDef kDimensionAttrs[] = {
    {.name = "dimensions",
     .kind = AttrKind::kInts,
     .use = AttrUse::kRequired,
     .doc = "One dimension number.",
     .always_printed = true},
};

/// The single dimension of the attribute. Sizes are s32 values, so its bound must fit s32.
std::optional<int> CheckSizedDimension(const OpCall& call, Diagnostics& out) {
  if (!CheckArray(call, 0, out)) return std::nullopt;
  const Shape& operand = call.operand(0);
  const bool gets = call.opcode() == Opcode::kGetDimensionSize;
  const std::string_view name = gets ? "GetDimensionSize" : "SetDimensionSize";
  const Dims& dims = call.Ints("dimensions");
  if (dims.size() != 1 || dims[0] < 0 || dims[0] >= operand.rank()) {
    ReportAttr(call, "dimensions", DiagCode::kDimensionNumbers,
               dims.size() == 1
                   ? fmt::format("{} dimension out of bounds: {}.", name, dims[0])
                   : fmt::format("expects one dimension number, found {}", dims.size()),
               out);
    return std::nullopt;
  }
  const int d = static_cast<int>(dims[0]);
  if (operand.dim(d) > std::numeric_limits<int32_t>::max()) {
    ReportAttr(call, "dimensions", DiagCode::kDimensionNumbers,
               fmt::format("{}'s input shape is {}, the {}th dimension exceeds the INT_MAX limit.",
                           name, ShapeName(operand), d),
               out);
  }
  return d;
}

std::optional<Shape> InferGetDimensionSize(const OpCall& call, Diagnostics& out) {
  CheckSizedDimension(call, out);
  return Shape::Scalar(ElementType::kS32);
}

std::optional<Shape> InferSetDimensionSize(const OpCall& call, Diagnostics& out) {
  std::optional<int> d = CheckSizedDimension(call, out);
  if (!call.operand(1).IsScalarOf(ElementType::kS32)) {
    ReportOperand(call, 1, DiagCode::kOperandInvalid,
                  fmt::format("SetDimensionSize's value has to be S32 scalar, got {}",
                              ShapeName(call.operand(1))),
                  out);
  }
  if (!d) return std::nullopt;
  Shape result = call.operand(0);
  result.set_dynamic(*d, true);
  return result;
}

Value EvalGetDimensionSize(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const int d = static_cast<int>(call.Ints("dimensions")[0]);
  return Tensor::Scalar(static_cast<int32_t>(args[0].tensor().live_dim(d)), context.budget());
}

/// The size that operand `i` gives for dimension d of a shape.
int64_t ReadSize(const OpCall& call, int i, const Value& arg, int d, const Shape& shape) {
  const int64_t size = *arg.tensor().data<int32_t>();
  const int64_t bound = shape.dim(d);
  if (size < 0 || size > bound) {
    throw RunError(DiagCode::kRuntimeError,
                   fmt::format("{} is {}, but dimension {} of {} has sizes from 0 to {}",
                               OperandName(call, i), size, d, ShapeName(shape), bound));
  }
  return size;
}

Value EvalSetDimensionSize(const OpCall& call, std::span<Value> args, EvalContext&) {
  const int d = static_cast<int>(call.Ints("dimensions")[0]);
  Tensor result = std::move(args[0].tensor());
  Dims live = LiveDims(result);
  live[static_cast<size_t>(d)] = ReadSize(call, 1, args[1], d, call.operand(0));
  SetLiveDims(&result, live);
  return result;
}

// ---- dynamic-reshape ----------------------------------------------------------------------------

/// Nothing when a size is unbounded or the product does not fit.
std::optional<int64_t> BoundedCount(const Shape& shape) {
  for (int64_t d : shape.dims()) {
    if (d == Shape::kUnbounded) return std::nullopt;
  }
  return shape.element_count();
}

std::optional<Shape> InferDynamicReshape(const OpCall& call, Diagnostics& out) {
  if (!call.written() || !CheckArray(call, 0, out)) return std::nullopt;
  const Shape& result = *call.written();
  const Shape& operand = call.operand(0);
  if (!result.IsArray()) {
    ReportOp(call, DiagCode::kShapeInvalid,
             fmt::format("the result is an array, not {}", ShapeName(result)), out);
    return std::nullopt;
  }
  if (call.operand_count() != 1 + result.rank()) {
    ReportOp(call, DiagCode::kOperandCount,
             fmt::format("expects one dim size operand per result dimension; got {} for {} result "
                         "dimensions",
                         call.operand_count() - 1, result.rank()),
             out);
  }
  for (int i = 1; i < call.operand_count(); ++i) {
    if (call.operand(i).IsScalarOf(ElementType::kS32)) continue;
    ReportOperand(call, i, DiagCode::kOperandInvalid,
                  fmt::format("DynamicReshape's dim size has to be scalar S32, got ({})",
                              ShapeName(call.operand(i))),
                  out);
  }
  if (BoundedCount(operand) != BoundedCount(result)) {
    out.Report(
        DiagCode::kShapeMismatch, call.shape_range(),
        fmt::format("dynamic-reshape: expects the same number of elements in result shape {} "
                    "and operand shape {}. Reshape operation has mismatched element counts: "
                    "from={} ({}) to={} ({}).",
                    ShapeName(result), ShapeName(operand), BoundedCount(operand).value_or(-1),
                    ShapeName(operand), BoundedCount(result).value_or(-1), ShapeName(result)));
  }
  if (operand.element_type() == result.element_type()) return result;
  Shape expected = result;
  expected.set_element_type(operand.element_type());
  return expected;
}

/// The sizes that operands 1, 2, ... give for the dimensions of a shape; a static dimension accepts
/// only its size.
Dims ReadSizes(const OpCall& call, std::span<const Value> args, const Shape& shape) {
  Dims sizes;
  for (int d = 0; d < shape.rank(); ++d) {
    const int64_t size = ReadSize(call, d + 1, args[static_cast<size_t>(d) + 1], d, shape);
    if (!shape.is_dynamic(d) && size != shape.dim(d)) {
      throw RunError(DiagCode::kRuntimeError,
                     fmt::format("{} is {}, but dimension {} of {} is not dynamic",
                                 OperandName(call, d + 1), size, d, ShapeName(shape)));
    }
    sizes.push_back(size);
  }
  return sizes;
}

/// The live elements, in row-major order, become the first ones of the result.
Value EvalDynamicReshape(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const Tensor& operand = args[0].tensor();
  const ElementType type = operand.element_type();
  const Shape& shape = call.shape();
  const Dims sizes = ReadSizes(call, args, shape);
  const Dims live = LiveDims(operand);
  if (ElementCount(sizes) > ElementCount(live)) {
    throw RunError(DiagCode::kRuntimeError,
                   fmt::format("the sizes [{}] need {} elements, but the operand has {}",
                               fmt::join(sizes.begin(), sizes.end(), ","), ElementCount(sizes),
                               ElementCount(live)));
  }
  if (sizes == shape.dims() && live == operand.dims()) {
    return operand.Reinterpreted(type, shape.dims());
  }
  const Tensor packed =
      TensorFromView(operand, LiveView(operand), Shape::Array(type, live), context.budget());
  Tensor result = MakeTensor(shape, sizes, context.budget());
  CopyView(BytesOf(type), packed.bytes(), RowMajorView(sizes), result.mutable_bytes(),
           LiveView(result), context.budget());
  return result;
}

[[noreturn]] void RefuseShapes(const OpCall& call, std::string_view form) {
  throw RunError(DiagCode::kRuntimeError,
                 fmt::format("{} has the form {}, which this call does not fit",
                             call.attrs().String("custom_call_target"), form));
}

bool AreSizes(const Shape& shape) { return shape.IsScalarOf(ElementType::kS32); }

/// The sizes are values, which nothing here knows.
void SizesOfDynamicReshape(const OpCall& call, SizeRules& rules) {
  rules.KeepAll(call.operand(0));
  rules.KeepAll(call.shape());
}

int64_t LargestReshapeSize(const OpCall& call, int operand) {
  return operand < 1 ? -1 : call.shape().dim(operand - 1);
}
int64_t LargestSize(const OpCall& call, int operand) {
  if (operand != 1) return -1;
  return call.operand(0).dim(static_cast<int>(call.Ints("dimensions")[0]));
}

}  // namespace

Value EvalPadToStatic(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const bool fits = args.size() == 1 && args[0].is_array() && call.shape().IsTuple();
  const Shape* parts = fits ? call.shape().elements().data() : nullptr;
  const int rank = fits ? args[0].tensor().rank() : 0;
  bool good = fits && static_cast<int>(call.shape().elements().size()) == rank + 1 &&
              parts[0].IsArray() && Shape::Compatible(parts[0], call.operand(0));
  for (int d = 0; good && d < rank; ++d) good = AreSizes(parts[d + 1]);
  if (!good) RefuseShapes(call, "(array, s32[] per dimension) of one array");
  const Tensor& operand = args[0].tensor();
  Value::Elements elements;
  elements.reserve(static_cast<size_t>(rank) + 1);
  const Dims live = LiveDims(operand);
  Tensor data = TensorFromView(operand, LiveView(operand), parts[0], context.budget());
  data.set_dynamic_sizes({});
  elements.emplace_back(std::move(data));
  for (int64_t size : live) {
    elements.emplace_back(Tensor::Scalar(static_cast<int32_t>(size), context.budget()));
  }
  return Value::Tuple(std::move(elements));
}

Value EvalSliceToDynamic(const OpCall& call, std::span<Value> args, EvalContext&) {
  const Shape& shape = call.shape();
  bool good = shape.IsArray() && call.operand_count() == shape.rank() + 1 &&
              Shape::Compatible(shape, call.operand(0));
  for (int i = 1; good && i < call.operand_count(); ++i) good = AreSizes(call.operand(i));
  if (!good) RefuseShapes(call, "array of (array, s32[] per dimension)");
  const Dims sizes = ReadSizes(call, args, shape);
  Tensor result = std::move(args[0].tensor());
  SetLiveDims(&result, sizes);
  return result;
}

namespace ops {

const OpDef kGetDimensionSize{
    .doc = "The size of a dimension: of a dynamic one, its size in this run.",
    .source = "operation semantics, GetDimensionSize",
    .operands = kOperand,
    .types = "all array types; the result is s32[]",
    .attrs = kDimensionAttrs,
    .infer = InferGetDimensionSize,
    .eval = EvalGetDimensionSize,
};

const OpDef kSetDimensionSize{
    .doc =
        "Makes a dimension dynamic: the same data and bound, with the given size in this run. "
        "What lies beyond is padding.",
    .source = "operation semantics, SetDimensionSize",
    .differs =
        "Padding does not take part in reductions downstream, as the operation semantics document "
        "says; XLA's evaluator reads it. A size outside [0, bound] is an error here and undefined "
        "there.",
    .operands = kOperandAndSize,
    .types = "all array types and s32[]",
    .attrs = kDimensionAttrs,
    .infer = InferSetDimensionSize,
    .eval = EvalSetDimensionSize,
    .keeps_layout = true,
    .floats = FloatWidths::kOfOperands,
    .written_operand = 0,
    .largest = LargestSize,
    .carries = 1,
};

const OpDef kDynamicReshape{
    .doc = "Gives the elements, in row-major order, other dimensions whose sizes are operands.",
    .source = "XLA, shape_inference.cc, InferDynamicReshapeShape",
    .differs =
        "When the sizes need fewer elements than there are, the first ones are taken, as XLA's "
        "backends do; when they need more it is an error here and undefined there.",
    .operands = kOperandAndSize,
    .types = "all array types, and one s32[] per dimension of the result",
    .result_shape = ResultShape::kWritten,
    .infer = InferDynamicReshape,
    .eval = EvalDynamicReshape,
    .any_precision = true,
    .floats = FloatWidths::kOfOperands,
    .largest = LargestReshapeSize,
    .carries = 1,
    .sizes = SizesOfDynamicReshape,
};

}  // namespace ops
}  // namespace hlo
