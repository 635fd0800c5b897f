// slice, and its opposites concatenate and pad.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "engine/base/bits.h"
#include "engine/kernels/move_copy.h"
#include "engine/ops/movement/pad_views.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

// ---- slice --------------------------------------------------------------------------------------

constexpr AttrDef kSliceAttrs[] = {
    {.name = "slice",
     .kind = AttrKind::kSlices,
     .use = AttrUse::kRequired,
     .doc = "Per dimension [start:limit:stride]: the indices start, start + stride, ... below "
            "limit. The stride may be omitted when it is 1.",
     .always_printed = true},
};

/// Indices start, start + stride, ... below limit; 0 <= start <= limit, stride > 0.
int64_t SliceCount(const SliceDim& slice, int64_t limit) {
  return limit <= slice.start ? 0 : CeilDiv(limit - slice.start, slice.stride);
}

bool CheckSliceDim(const OpCall& call, const SliceDim& slice, int d, Diagnostics& out) {
  const Shape& operand = call.operand(0);
  size_t before = out.error_count();
  auto report = [&](const std::string& message) {
    ReportAttr(call, "slice", DiagCode::kAttributeValue, message, out);
  };
  // XLA's message shows the whole slice and needs no context.
  auto report_slice = [&](const std::string& message) {
    std::vector<int64_t> starts, limits, strides;
    for (const SliceDim& each : call.Slices()) {
      starts.push_back(each.start);
      limits.push_back(each.limit);
      strides.push_back(each.stride);
    }
    report(
        fmt::format("{} in slice operation; argument shape: {}; starts: {{{}}}; limits: {{{}}}; "
                    "strides: {{{}}}.",
                    message, ShapeName(operand), fmt::join(starts, ","), fmt::join(limits, ","),
                    fmt::join(strides, ",")));
  };
  if (slice.start < 0) {
    report(fmt::format("Negative start index to slice: {}.", slice.start));
  }
  if (!operand.is_unbounded(d) && slice.limit > operand.dim(d)) {
    report_slice(fmt::format("limit index ({}) must be less than or equal to dimension size ({})",
                             slice.limit, operand.dim(d)));
  }
  if (slice.limit < slice.start) {
    report_slice(
        fmt::format("limit index ({}) must be greater or equal to start index ({}) in "
                    "slice with positive stride",
                    slice.limit, slice.start));
  }
  if (slice.stride <= 0) report(fmt::format("Stride ({}) must be positive.", slice.stride));
  return out.error_count() == before;
}

std::optional<Shape> InferSlice(const OpCall& call, Diagnostics& out) {
  if (!CheckArray(call, 0, out)) return std::nullopt;
  const Shape& operand = call.operand(0);
  const std::vector<SliceDim>& slices = call.Slices();
  if (static_cast<int>(slices.size()) != operand.rank()) {
    ReportAttr(call, "slice", DiagCode::kAttributeValue,
               fmt::format("Slice index count does not match argument rank: {} vs {}.",
                           slices.size(), operand.rank()),
               out);
    return std::nullopt;
  }
  Shape result = operand;
  result.set_layout(Layout::Descending(operand.rank()));
  bool good = true;
  for (int d = 0; d < operand.rank(); ++d) {
    const SliceDim& slice = slices[static_cast<size_t>(d)];
    if (!CheckSliceDim(call, slice, d, out)) {
      good = false;
      continue;
    }
    result.set_dim(d, SliceCount(slice, slice.limit));
    result.set_dynamic(d, operand.is_dynamic(d) && result.dim(d) != 1);
  }
  if (!good) return std::nullopt;
  return result;
}

void SizesOfSlice(const OpCall& call, SizeRules& rules) {
  for (int d = 0; d < call.operand(0).rank(); ++d) {
    const int64_t whole = call.operand(0).dim(d), part = call.shape().dim(d);
    if (call.Slices()[static_cast<size_t>(d)].stride == 1) {
      rules.orders.push_back({part, whole});
    } else {
      rules.Keep(whole);
      rules.Keep(part);
    }
  }
}

// Of static sizes.
std::optional<StridedView> ViewOfSlice(const OpCall& call, const StridedView& operand) {
  Dims starts, counts, strides;
  for (const SliceDim& slice : call.Slices()) {
    starts.push_back(slice.start);
    counts.push_back(SliceCount(slice, slice.limit));
    strides.push_back(slice.stride);
  }
  return Slice(operand, starts, counts, strides);
}

Value EvalSlice(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const Tensor& operand = args[0].tensor();
  Dims starts, counts, strides;
  for (int d = 0; d < operand.rank(); ++d) {
    const SliceDim& slice = call.Slices()[static_cast<size_t>(d)];
    // A static result has all its elements, whatever the run-time size of the operand is.
    int64_t limit =
        call.shape().is_dynamic(d) ? std::min(slice.limit, operand.live_dim(d)) : slice.limit;
    starts.push_back(slice.start);
    counts.push_back(SliceCount(slice, limit));
    strides.push_back(slice.stride);
  }
  return TensorFromView(operand, Slice(RowMajorView(operand.dims()), starts, counts, strides),
                        call.shape(), context.budget());
}

// ---- concatenate --------------------------------------------------------------------------------

constexpr AttrDef kConcatenateAttrs[] = {
    {.name = "dimensions",
     .kind = AttrKind::kInts,
     .use = AttrUse::kRequired,
     .doc = "The one dimension along which the operands are put behind one another.",
     .always_printed = true},
};

/// Operand i fits operand 0 in everything but the size of `dimension`.
bool CheckPiece(const OpCall& call, int i, int dimension, Diagnostics& out) {
  const Shape& first = call.operand(0);
  const Shape& piece = call.operand(i);
  bool good = true;
  auto fail = [&](DiagCode code, const std::string& message) {
    ReportOperand(call, i, code, message, out);
    good = false;
  };
  if (!SameTypeUpToFloatWidth(first.element_type(), piece.element_type())) {
    fail(DiagCode::kElementType,
         fmt::format("Cannot concatenate arrays with different element types: {} vs {}.",
                     TypeName(first.element_type()), TypeName(piece.element_type())));
  }
  if (piece.rank() != first.rank()) {
    fail(DiagCode::kOperandInvalid,
         fmt::format("Cannot concatenate arrays with different ranks: {} ({}) vs {} ({}).",
                     first.rank(), ShapeName(first), piece.rank(), ShapeName(piece)));
    return false;
  }
  for (int d = 0; d < first.rank(); ++d) {
    if (d == dimension || piece.dim(d) == first.dim(d)) continue;
    if (piece.is_unbounded(d) || first.is_unbounded(d)) continue;
    fail(DiagCode::kOperandInvalid,
         fmt::format("Cannot concatenate arrays that differ in dimensions other than the one being "
                     "concatenated. Dimension {} in both shapes must be equal (or compatible): {} "
                     "vs {}.",
                     d, ShapeName(first), ShapeName(piece)));
  }
  return good;
}

/// The size of a dimension that operand 0 leaves open is the same in all others.
bool CheckMerge(const OpCall& call, int i, const Shape& merged, int d, Diagnostics& out) {
  const Shape& piece = call.operand(i);
  if (CompatibleSizes(merged.dim(d), piece.dim(d))) return true;
  const bool are_bounds = merged.is_dynamic(d) && piece.is_dynamic(d);
  ReportOperand(call, i, DiagCode::kOperandInvalid,
                fmt::format("Mismatched {} sizes {} and {} in dimension {}",
                            are_bounds ? "bound" : "dimension", merged.dim(d), piece.dim(d), d),
                out);
  return false;
}

/// The size along the concatenated dimension; nothing when it overflows.
std::optional<int64_t> SumOfSizes(const OpCall& call, int dimension) {
  int64_t sum = 0;
  for (int i = 0; i < call.operand_count(); ++i) {
    if (call.operand(i).is_unbounded(dimension)) return Shape::kUnbounded;
    if (!AddChecked(sum, call.operand(i).dim(dimension), &sum)) return std::nullopt;
  }
  return sum;
}

std::optional<Shape> InferConcatenate(const OpCall& call, Diagnostics& out) {
  if (!CheckArrays(call, out)) return std::nullopt;
  const Dims& dims = call.Ints("dimensions");
  if (dims.size() == 1 && (dims[0] < 0 || dims[0] >= call.operand(0).rank())) {
    ReportAttr(call, "dimensions", DiagCode::kDimensionNumbers,
               fmt::format("Concatenate dimension out of bounds: {}.", dims[0]), out);
    return std::nullopt;
  }
  std::optional<int> dimension =
      CheckOneDim(call, "dimensions", call.operand(0).rank(), "operand 0", out);
  if (!dimension) return std::nullopt;
  Shape result = call.operand(0);
  result.set_layout(Layout::Descending(result.rank()));
  bool good = true;
  for (int i = 1; i < call.operand_count(); ++i) {
    if (!CheckPiece(call, i, *dimension, out)) {
      good = false;
      continue;
    }
    const Shape& piece = call.operand(i);
    result.set_element_type(HigherPrecision(result.element_type(), piece.element_type()));
    for (int d = 0; d < result.rank(); ++d) {
      if (d != *dimension) {
        good &= CheckMerge(call, i, result, d, out);
        MergeDim(result, piece, d);
      } else if (piece.is_dynamic(d)) {
        result.set_dynamic(d, true);
      }
    }
  }
  if (!good) return std::nullopt;
  std::optional<int64_t> size = SumOfSizes(call, *dimension);
  if (!size) {
    ReportOp(call, DiagCode::kTooLarge,
             fmt::format("the sizes of dimension {} add up to more than 2^63", *dimension), out);
    return std::nullopt;
  }
  result.set_dim(*dimension, *size);
  if (!CheckedArray(call, result.element_type(), result.dims(), out)) return std::nullopt;
  return result;
}

Value EvalConcatenate(const OpCall& call, std::span<Value> args, EvalContext& context) {
  size_t dimension = static_cast<size_t>(call.Ints("dimensions")[0]);
  // Run-time sizes: the live parts are concatenated without their padding.
  Dims live = args[0].tensor().dims();
  int64_t sum = 0;
  for (const Value& arg : args) {
    MeetLiveDims(arg.tensor(), &live);
    sum += arg.tensor().live_dim(static_cast<int>(dimension));
  }
  live[dimension] = sum;
  Tensor result = MakeTensor(call.shape(), live, context.budget());
  Dims starts(live.size(), 0), counts = live;
  for (const Value& arg : args) {
    const Tensor& piece = arg.tensor();
    counts[dimension] = piece.live_dim(static_cast<int>(dimension));
    CopyView(BytesOf(piece.element_type()), piece.bytes(),
             Prefix(RowMajorView(piece.dims()), counts), result.mutable_bytes(),
             Slice(RowMajorView(result.dims()), starts, counts), context.budget());
    starts[dimension] += counts[dimension];
  }
  return result;
}

// ---- pad ----------------------------------------------------------------------------------------

constexpr std::string_view kPadOperands[] = {"operand", "padding_value"};
constexpr AttrDef kPadAttrs[] = {
    {.name = "padding",
     .kind = AttrKind::kPadding,
     .use = AttrUse::kRequired,
     .doc = "Per dimension low_high or low_high_interior: elements added before, after and "
            "between the operand's. Negative edges drop elements, after the interior was added.",
     .always_printed = true},
};

/// size + low + high + (size - 1) * interior; nothing when it overflows.
std::optional<int64_t> PaddedSize(int64_t size, const PadDim& pad) {
  int64_t gaps = 0, padded = 0;
  if (!MultiplyChecked(std::max<int64_t>(size - 1, 0), pad.interior, &gaps) ||
      !AddChecked(size, gaps, &padded) || !AddChecked(padded, pad.low, &padded) ||
      !AddChecked(padded, pad.high, &padded)) {
    return std::nullopt;
  }
  return padded;
}

/// Sets dimension d of the result.
bool InferPaddedDim(const OpCall& call, int d, Shape* result, Diagnostics& out) {
  const PadDim& pad = call.Padding()[static_cast<size_t>(d)];
  auto report = [&](DiagCode code, const std::string& message) {
    ReportAttr(call, "padding", code, message, out);
    return false;
  };
  if (pad.interior < 0) {
    return report(
        DiagCode::kAttributeValue,
        fmt::format("Interior padding cannot be negative: {} in dimension {}", pad.interior, d));
  }
  if (result->is_unbounded(d)) return true;
  std::optional<int64_t> size = PaddedSize(result->dim(d), pad);
  if (!size) {
    return report(
        DiagCode::kTooLarge,
        fmt::format("Padding computation overflows: dim={}, interior_padding={}: the size "
                    "of dimension {} is larger than 2^63",
                    result->dim(d), pad.interior, d));
  }
  if (*size < 0) {
    return report(DiagCode::kAttributeValue,
                  fmt::format("Padding result in negative size for dimension {}: {}", d, *size));
  }
  result->set_dim(d, *size);
  return true;
}

std::optional<Shape> InferPad(const OpCall& call, Diagnostics& out) {
  const Shape& operand = call.operand(0);
  const Shape& value = call.operand(1);
  if (!operand.IsArray()) {
    ReportOperand(call, 0, DiagCode::kOperandInvalid,
                  fmt::format("Pad operation does not support tuple-shape operands. It is {}",
                              ShapeName(operand)),
                  out);
    return std::nullopt;
  }
  bool good = true;
  if (!value.IsScalar()) {
    ReportOperand(call, 1, DiagCode::kOperandInvalid,
                  fmt::format("Pad operation does not support non-scalar padding values. It is {}",
                              ShapeName(value)),
                  out);
    good = false;
  } else if (!SameTypeUpToFloatWidth(operand.element_type(), value.element_type())) {
    ReportOperand(call, 1, DiagCode::kElementType,
                  fmt::format("The element types of the operands to Pad do not match. They are {} "
                              "and {}",
                              Text(operand.element_type()), Text(value.element_type())),
                  out);
    good = false;
  }
  if (static_cast<int>(call.Padding().size()) != operand.rank()) {
    ReportAttr(call, "padding", DiagCode::kAttributeValue,
               fmt::format("The rank of the operand and the padding configuration do not match: {} "
                           "vs {} dimensions.",
                           ShapeName(operand), call.Padding().size()),
               out);
    return std::nullopt;
  }
  Shape result = operand;
  result.set_layout(Layout::Descending(operand.rank()));
  for (int d = 0; d < operand.rank(); ++d) good &= InferPaddedDim(call, d, &result, out);
  if (!good) return std::nullopt;
  result.set_element_type(HigherPrecision(operand.element_type(), call.operand(1).element_type()));
  if (!CheckedArray(call, result.element_type(), result.dims(), out)) return std::nullopt;
  return result;
}

/// The distance from one element to the next. An interior padding that does not fit is only legal
/// with a single element.
int64_t StepOf(const PadDim& pad) {
  return std::min(pad.interior, std::numeric_limits<int64_t>::max() - 1) + 1;
}

/// Which elements of a dimension remain, and where the first of them goes.
struct Placement {
  int64_t first = 0;
  int64_t count = 0;
  int64_t target = 0;
};

/// Element i of `size` goes to low + i * (interior + 1), if that is inside [0, padded).
Placement Place(int64_t size, int64_t padded, const PadDim& pad) {
  int64_t step = StepOf(pad);
  Placement place;
  if (pad.low < 0) {
    // The ceiling of -low / step is one more than this, which also holds the most negative number.
    int64_t dropped = -(pad.low + 1) / step;
    if (dropped >= size) return {};
    place.first = dropped + 1;
  }
  if (place.first >= size || pad.low >= padded) return {};
  place.target = pad.low + place.first * step;
  if (place.target >= padded) return {};
  place.count = std::min(size - place.first, (padded - 1 - place.target) / step + 1);
  return place;
}

}  // namespace

PadViews PadViewsOf(const OpCall& call, const Dims& sizes) {
  Dims live, firsts, counts, targets, steps;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const PadDim& pad = call.Padding()[d];
    live.push_back(std::max<int64_t>(PaddedSize(sizes[d], pad).value_or(0), 0));
    Placement place = Place(sizes[d], live.back(), pad);
    firsts.push_back(place.first);
    counts.push_back(place.count);
    targets.push_back(place.target);
    steps.push_back(StepOf(pad));
  }
  return {live, Slice(RowMajorView(call.operand(0).dims()), firsts, counts),
          Slice(RowMajorView(call.shape().dims()), targets, counts, steps)};
}

namespace {

Value EvalPad(const OpCall& call, std::span<Value> args, EvalContext& context) {
  Budget* budget = context.budget();
  ElementType type = call.shape().element_type();
  const Tensor& operand = args[0].tensor();
  const Tensor& value = args[1].tensor();
  Tensor result(call.shape(), budget);
  FillElements(BytesOf(type), value.bytes(), result.mutable_bytes(), result.element_count(),
               budget);
  const PadViews views = PadViewsOf(call, LiveDims(operand));
  SetLiveDims(&result, views.live);
  CopyView(BytesOf(type), operand.bytes(), views.in, result.mutable_bytes(), views.out, budget);
  return result;
}

void SizesOfConcatenate(const OpCall& call, SizeRules& rules) {
  const int d = static_cast<int>(call.Ints("dimensions")[0]);
  if (call.operand_count() == 1) return;
  SizeRules::Sum sum{call.shape().dim(d), {}};
  for (int i = 0; i < call.operand_count(); ++i) sum.parts.push_back(call.operand(i).dim(d));
  rules.sums.push_back(std::move(sum));
}

/// Padding at one edge makes up the difference between the sizes, and a shift has none.
void SizesOfPad(const OpCall& call, SizeRules& rules) {
  for (int d = 0; d < call.operand(0).rank(); ++d) {
    const PadDim& pad = call.Padding()[static_cast<size_t>(d)];
    const int64_t from = call.operand(0).dim(d), to = call.shape().dim(d);
    if (pad.interior == 0 && pad.low + pad.high == 0) continue;
    if (pad.interior == 0 && (pad.low == 0 || pad.high == 0)) {
      rules.orders.push_back({std::min(from, to), std::max(from, to)});
    } else {
      rules.Keep(from);
      rules.Keep(to);
    }
  }
}

}  // namespace

namespace ops {

const OpDef kSlice{
    .doc = "Takes the elements inside a box, every stride-th one in each dimension.",
    .source = "operation semantics, Slice",
    .operands = kOperand,
    .types = kAllArrayTypes,
    .attrs = kSliceAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferSlice,
    .eval = EvalSlice,
    .keeps_layout = true,
    .floats = FloatWidths::kOfOperands,
    .view = ViewOfSlice,
    .carries = 1,
    .sizes = SizesOfSlice,
};

const OpDef kConcatenate{
    .doc = "Joins arrays along a dimension; their other dimensions have equal sizes.",
    .source = "operation semantics, Concatenate",
    .operands = kOperand,
    .types = kAllArrayTypes,
    .attrs = kConcatenateAttrs,
    .infer = InferConcatenate,
    .eval = EvalConcatenate,
    .keeps_layout = true,
    .floats = FloatWidths::kOfOperands,
    .carries = ~0u,
    .sizes = SizesOfConcatenate,
};

const OpDef kPad{
    .doc =
        "Adds a padding value around the operand's elements and between them; negative padding "
        "at an edge drops elements.",
    .source = "operation semantics, Pad",
    .operands = kPadOperands,
    .types = kAllArrayTypes,
    .attrs = kPadAttrs,
    .infer = InferPad,
    .eval = EvalPad,
    .keeps_layout = true,
    .floats = FloatWidths::kOfOperands,
    .carries = 3,
    .sizes = SizesOfPad,
};

}  // namespace ops
}  // namespace hlo
