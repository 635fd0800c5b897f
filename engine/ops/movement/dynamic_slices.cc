// Slices whose start indices are computed at run time.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"
#include "engine/types/convert.h"

namespace hlo {
namespace {

/// The start indices are the operands from `first` on: one scalar per dimension or, in the legacy
/// form, one vector. Each is clamped to [0, dims[d] - sizes[d]], so that the slice is always
/// inside. Indices are read as signed 64-bit numbers: an unsigned one of 2^63 or more counts as
/// negative.
Dims ReadStarts(std::span<const Value> args, size_t first, const Dims& dims, const Dims& sizes) {
  Dims starts;
  for (const Value& arg : args.subspan(first)) {
    const Tensor& index = arg.tensor();
    for (int64_t i = 0; i < index.element_count(); ++i) {
      int64_t start = 0;
      ConvertElements(index.element_type(), index.bytes() + i * BytesOf(index.element_type()),
                      ElementType::kS64, reinterpret_cast<std::byte*>(&start), 1);
      starts.push_back(start);
    }
  }
  for (size_t d = 0; d < starts.size(); ++d) {
    starts[d] = std::clamp<int64_t>(starts[d], 0, dims[d] - sizes[d]);
  }
  return starts;
}

Value EvalDynamicSlice(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const Tensor& operand = args[0].tensor();
  const Dims& sizes = call.Ints("dynamic_slice_sizes");
  Dims starts = ReadStarts(args, 1, operand.dims(), sizes);
  // A dimension taken whole keeps its run-time size; other dimensions may read the padding.
  Dims counts = sizes;
  for (int d = 0; d < operand.rank(); ++d) {
    if (call.shape().is_dynamic(d)) counts[static_cast<size_t>(d)] = operand.live_dim(d);
  }
  return TensorFromView(operand, Slice(RowMajorView(operand.dims()), starts, counts), call.shape(),
                        context.budget());
}

Value EvalDynamicUpdateSlice(const OpCall&, std::span<Value> args, EvalContext& context) {
  Tensor operand = std::move(args[0].tensor());
  const Tensor& update = args[1].tensor();
  Dims starts = ReadStarts(args, 2, operand.dims(), update.dims());
  MakeUnique(&operand, context.budget());
  CopyInto(update, &operand, Slice(RowMajorView(operand.dims()), starts, LiveDims(update)),
           context.budget());
  return operand;
}

constexpr std::string_view kDynamicSliceTypes = "all array types; start indices: integers";

/// The name of the op in XLA's messages.
std::string_view SliceOpName(const OpCall& call) {
  return call.opcode() == Opcode::kDynamicSlice ? "Dynamic slice" : "Dynamic update slice";
}

/// The single index operand, a vector with one index per dimension of the operand.
bool CheckStartVector(const OpCall& call, int first, int rank, Diagnostics& out) {
  const Shape& starts = call.operand(first);
  auto fail = [&](DiagCode code, const std::string& message) {
    ReportOperand(call, first, code, message, out);
    return false;
  };
  const int count = call.operand_count() - first;
  if (count != 1) {
    return fail(
        DiagCode::kOperandCount,
        fmt::format("{} should have exactly 1 index operand, has {}.", SliceOpName(call), count));
  }
  if (!IsIntegral(starts.element_type())) {
    return fail(DiagCode::kElementType,
                fmt::format("{} start indices must be of integral type. They are {}",
                            SliceOpName(call), ShapeName(starts)));
  }
  if (starts.dim(0) == rank) return true;
  return fail(DiagCode::kOperandInvalid,
              fmt::format("{} start number of dimensions {} ({}) must match rank {} of slice input "
                          "({}).",
                          SliceOpName(call), starts.dim(0), ShapeName(starts), rank,
                          ShapeName(call.operand(0))));
}

/// Checks the start indices of an operand of this rank.
bool CheckStarts(const OpCall& call, int first, int rank, Diagnostics& out) {
  const size_t before = out.error_count();
  for (int i = first; i < call.operand_count(); ++i) CheckArray(call, i, out);
  if (out.error_count() != before) return false;
  const int count = call.operand_count() - first;
  if (count > 0 && call.operand(first).rank() == 1) {
    return CheckStartVector(call, first, rank, out);
  }
  if (count != rank) {
    ReportOp(call, DiagCode::kOperandCount,
             fmt::format("{} start number of dimensions {} must match rank {} of slice input ({}).",
                         SliceOpName(call), count, rank, ShapeName(call.operand(0))),
             out);
    return false;
  }
  for (int i = first; i < call.operand_count(); ++i) {
    const Shape& start = call.operand(i);
    std::string message;
    if (i == first && start.rank() != 0) {
      message =
          fmt::format("{} indices must be scalar, not {}.", SliceOpName(call), ShapeName(start));
    } else if (i == first && !IsIntegral(start.element_type())) {
      message = fmt::format("{} start indices must be of integral type. They are {}",
                            SliceOpName(call), ShapeName(start));
    } else if (!Shape::Compatible(start, call.operand(first))) {
      message = fmt::format(
          "{} start indices must all have the same shape, got mismatching indices with shapes {} "
          "and {}.",
          SliceOpName(call), ShapeName(call.operand(first)), ShapeName(start));
    }
    if (!message.empty()) ReportOperand(call, i, DiagCode::kOperandInvalid, message, out);
  }
  return out.error_count() == before;
}

// ---- dynamic-slice ------------------------------------------------------------------------------

constexpr std::string_view kDynamicSliceOperands[] = {"operand", "start_index"};
constexpr AttrDef kDynamicSliceAttrs[] = {
    {.name = "dynamic_slice_sizes",
     .kind = AttrKind::kInts,
     .use = AttrUse::kRequired,
     .doc = "The size of the slice in each dimension.",
     .always_printed = true,
     .holds_sizes = true},
};

std::optional<Shape> InferDynamicSlice(const OpCall& call, Diagnostics& out) {
  if (!CheckArray(call, 0, out)) return std::nullopt;
  const Shape& operand = call.operand(0);
  bool good = CheckStarts(call, 1, operand.rank(), out);
  const Dims& sizes = call.Ints("dynamic_slice_sizes");
  if (static_cast<int>(sizes.size()) != operand.rank()) {
    ReportAttr(call, "dynamic_slice_sizes", DiagCode::kAttributeValue,
               fmt::format("Dynamic slice index count does not match argument rank: {} vs {}.",
                           sizes.size(), operand.rank()),
               out);
    return std::nullopt;
  }
  Shape result = Shape::Array(operand.element_type(), sizes);
  for (int d = 0; d < operand.rank(); ++d) {
    int64_t size = result.dim(d);
    if (size < 0 || (!operand.is_unbounded(d) && size > operand.dim(d))) {
      ReportAttr(call, "dynamic_slice_sizes", DiagCode::kAttributeValue,
                 size < 0
                     ? fmt::format("Negative size index to dynamic slice: {}.", size)
                     : fmt::format("Slice dim size {} greater than dynamic slice dimension: {}.",
                                   size, operand.dim(d)),
                 out);
      good = false;
    }
    // Only a dimension taken whole can keep a run-time size.
    if (operand.is_dynamic(d) && size == operand.dim(d) && size > 1) result.set_dynamic(d, true);
  }
  if (!good) return std::nullopt;
  return result;
}

// ---- dynamic-update-slice -----------------------------------------------------------------------

constexpr std::string_view kDynamicUpdateSliceOperands[] = {"operand", "update", "start_index"};

std::optional<Shape> InferDynamicUpdateSlice(const OpCall& call, Diagnostics& out) {
  const Shape& operand = call.operand(0);
  if (!operand.IsBuffer() && !operand.IsArray()) {
    ReportOperand(call, 0, DiagCode::kOperandInvalid,
                  fmt::format("Expected array or buffer argument for operand of dynamic update "
                              "slice, but got {}.",
                              ShapeName(operand)),
                  out);
    return std::nullopt;
  }
  if (!CheckArray(call, 1, out)) return std::nullopt;
  const Shape& update = call.operand(1);
  CheckStarts(call, 2, operand.rank(), out);
  auto fail = [&](DiagCode code, const std::string& message) {
    ReportOperand(call, 1, code, message, out);
  };
  if (!SameTypeUpToFloatWidth(update.element_type(), operand.element_type())) {
    fail(DiagCode::kElementType,
         fmt::format("Dynamic update slice update element type does not match argument. "
                     "operand.element_type: {} vs update.element_type: {}.",
                     TypeName(operand.element_type()), TypeName(update.element_type())));
  }
  if (update.rank() != operand.rank()) {
    fail(DiagCode::kOperandInvalid,
         fmt::format("Dynamic update slice update rank does not match argument rank: {} vs {}.",
                     update.rank(), operand.rank()));
  } else {
    for (int d = 0; d < operand.rank(); ++d) {
      if (operand.is_unbounded(d) || update.dim(d) <= operand.dim(d)) continue;
      fail(DiagCode::kOperandInvalid,
           fmt::format("Update dim size {} greater than dynamic slice dimension: {}.",
                       update.dim(d), operand.dim(d)));
    }
  }
  Shape result = operand;
  if (result.IsArray() && !call.written()) result.set_layout(Layout::Descending(result.rank()));
  return result;
}

/// A box is at most as large as what it is in.
void BoxIn(const Shape& box, const Shape& whole, SizeRules& rules) {
  for (int d = 0; d < whole.rank(); ++d) rules.orders.push_back({box.dim(d), whole.dim(d)});
}
void SizesOfDynamicSlice(const OpCall& call, SizeRules& rules) {
  BoxIn(call.shape(), call.operand(0), rules);
}
void SizesOfDynamicUpdateSlice(const OpCall& call, SizeRules& rules) {
  BoxIn(call.operand(1), call.operand(0), rules);
}

/// The start in dimension `d` of a box that lies inside; of all dimensions where the starts are one
/// operand.
int64_t LargestStart(const Shape& whole, const Shape& box, const Shape& start, int d) {
  int64_t largest = std::numeric_limits<int64_t>::max();
  for (int i = 0; i < whole.rank(); ++i) {
    if (start.IsScalar() && i != d) continue;
    largest = std::min(largest, whole.dim(i) - box.dim(i));
  }
  return largest;
}
int64_t LargestSliceStart(const OpCall& call, int operand) {
  if (operand < 1) return -1;
  return LargestStart(call.operand(0), call.shape(), call.operand(operand), operand - 1);
}
int64_t LargestUpdateStart(const OpCall& call, int operand) {
  if (operand < 2) return -1;
  return LargestStart(call.operand(0), call.operand(1), call.operand(operand), operand - 2);
}

}  // namespace

namespace ops {

const OpDef kDynamicSlice{
    .doc =
        "Takes a box of fixed size that starts at indices computed by the program. Starts are "
        "clamped so that the box lies inside the operand.",
    .source = "operation semantics, DynamicSlice",
    .differs =
        "Sizes of 0 are legal here and in XLA; the operation semantics document asks for positive "
        "ones. Unsigned start indices of 2^63 and more count as negative, as in XLA's evaluator.",
    .operands = kDynamicSliceOperands,
    .types = kDynamicSliceTypes,
    .attrs = kDynamicSliceAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferDynamicSlice,
    .eval = EvalDynamicSlice,
    .keeps_layout = true,
    .floats = FloatWidths::kOfOperands,
    .largest = LargestSliceStart,
    .carries = 1,
    .sizes = SizesOfDynamicSlice,
};

const OpDef kDynamicUpdateSlice{
    .doc =
        "The operand with a box overwritten by the update. Starts are clamped so that the update "
        "lies inside. Happens in place when nothing else uses the operand.",
    .source = "operation semantics, DynamicUpdateSlice",
    .differs =
        "Updates of size 0 are legal here and in XLA; the operation semantics document asks for "
        "positive sizes.",
    .operands = kDynamicUpdateSliceOperands,
    .types = kDynamicSliceTypes,
    .result_shape = ResultShape::kWritten,
    .infer = InferDynamicUpdateSlice,
    .eval = EvalDynamicUpdateSlice,
    .keeps_data = true,
    .keeps_layout = true,
    .floats = FloatWidths::kOfResult,
    .written_operand = 0,
    .largest = LargestUpdateStart,
    .carries = 3,
    .sizes = SizesOfDynamicUpdateSlice,
};

}  // namespace ops
}  // namespace hlo
