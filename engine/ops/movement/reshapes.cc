// Other shapes for the same elements (reshape) or the same bytes (bitcast).
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "engine/base/indices.h"
#include "engine/kernels/move_copy.h"
#include "engine/layout/layout_map.h"
#include "engine/layout/layout_sizes.h"
#include "engine/layout/memory_space.h"
#include "engine/ops/movement/memory_image.h"
#include "engine/ops/movement/physical_order.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

// ---- reshape ------------------------------------------------------------------------------------

constexpr AttrDef kReshapeAttrs[] = {
    {.name = "inferred_dimension",
     .kind = AttrKind::kInt,
     .use = AttrUse::kOptional,
     .doc =
         "Which of several dimensions of the result becomes dynamic when a dynamic one is split.",
     .default_text = "-1"},
};

std::optional<Shape> InferReshape(const OpCall& call, Diagnostics& out) {
  if (!CheckArray(call, 0, out) || call.written() == nullptr) return std::nullopt;
  const Shape& operand = call.operand(0);
  Shape result = *call.written();
  if (!result.IsArray()) {
    ReportOp(call, DiagCode::kShapeMismatch, "the result is an array", out);
    return std::nullopt;
  }
  bool unbounded = false;
  for (int d = 0; d < operand.rank(); ++d) unbounded |= operand.is_unbounded(d);
  for (int d = 0; d < result.rank(); ++d) {
    if (!result.is_unbounded(d)) continue;
    unbounded = true;
    ReportOp(call, DiagCode::kShapeInvalid,
             fmt::format("dimension {} of the result has no bound", d), out);
  }
  if (!unbounded && result.element_count() != operand.element_count()) {
    ReportOp(call, DiagCode::kShapeMismatch,
             fmt::format("expects the same number of elements in result shape {} and operand shape "
                         "{}. Reshape operation has mismatched element counts: from={} ({}) to={} "
                         "({}).",
                         ShapeName(result), ShapeName(operand), operand.element_count(),
                         ShapeName(operand), result.element_count(), ShapeName(result)),
             out);
  }
  result.set_element_type(operand.element_type());
  return result;
}

/// A step of a walk through memory: an element count, and the distance between them in row-major
/// order of logical indices.
using Walk = std::vector<std::pair<int64_t, int64_t>>;

/// The walk from major to minor dimensions in memory, with adjacent steps merged.
Walk WalkOf(const Shape& shape) {
  const Dims strides = DenseStrides(shape.dims());
  Walk walk;
  const Dims& order = shape.layout().minor_to_major();
  for (size_t i = order.size(); i-- > 0;) {
    const int64_t size = shape.dim(static_cast<int>(order[i]));
    const int64_t stride = strides[static_cast<size_t>(order[i])];
    if (size == 1) continue;
    if (!walk.empty() && walk.back().second == size * stride) {
      walk.back() = {walk.back().first * size, stride};
    } else {
      walk.emplace_back(size, stride);
    }
  }
  return walk;
}

/// If layouts are checked: a reshape moves no bytes. Inside a fusion there are no bytes to move.
/// XLA, hlo_verifier.cc, InstructionVerifier::HandleReshape.
void VerifyReshape(const OpCall& call, Diagnostics& out) {
  if (!call.mode().strict || !call.layout_sensitive() || call.mode().in_fusion) return;
  if (!call.written() || !call.written()->IsArray() || !call.operand(0).IsArray()) return;
  const Shape& operand = call.operand(0);
  const Shape& result = *call.written();
  if (operand.element_count() == 0 || WalkOf(operand) == WalkOf(result)) return;
  ReportOp(call, DiagCode::kLayoutInvalid,
           fmt::format("Reshape should be a physical bitcast, got: {} of {}", ShapeText(result),
                       ShapeText(operand)),
           out);
}

/// Minimal groups of dimensions [in_begin, in_end) of the operand and [out_begin, out_end) of the
/// result that hold the same elements.
struct Group {
  size_t in_begin, in_end, out_begin, out_end;
};

/// The next group. Precondition: sizes are positive and both products are equal. Either side has a
/// dimension where there is one left: a size of 1 alone would belong to no dimension of the other.
Group NextGroup(const Dims& in, size_t i, const Dims& out, size_t j) {
  Group group{i, i, j, j};
  int64_t in_count = 1, out_count = 1;
  const auto lacks_in = [&] { return group.in_end == i && i < in.size(); };
  const auto lacks_out = [&] { return group.out_end == j && j < out.size(); };
  do {
    const bool may_take_in = group.in_end < in.size() && !lacks_out();
    if (lacks_in() || (may_take_in && (in_count <= out_count || group.out_end == out.size()))) {
      in_count *= in[group.in_end++];
    } else {
      out_count *= out[group.out_end++];
    }
  } while (in_count != out_count || lacks_out());
  return group;
}

void SizesOfReshape(const OpCall& call, SizeRules& rules) {
  const Dims &in = call.operand(0).dims(), &out = call.shape().dims();
  if (ElementCount(in) <= 0 || ElementCount(in) != ElementCount(out)) {
    rules.KeepAll(call.operand(0));
    rules.KeepAll(call.shape());
    return;
  }
  const auto begin_at = [](const Dims& dims, size_t at) {
    return dims.begin() + static_cast<std::ptrdiff_t>(at);
  };
  for (size_t i = 0, j = 0; i < in.size() && j < out.size();) {
    const Group group = NextGroup(in, i, out, j);
    rules.products.push_back({Dims(begin_at(in, i), begin_at(in, group.in_end)),
                              Dims(begin_at(out, j), begin_at(out, group.out_end))});
    i = group.in_end;
    j = group.out_end;
  }
}

/// The dimension of a group's result that has a run-time size if the operand has one: `inferred`,
/// or the dynamic one. Of a result that is written without, the only one whose size is not 1, as
/// XLA's dynamic_dimension_inference.cc. -1: there is none, or more than one.
int DynamicDimensionOf(const Group& group, const Shape& shape, int64_t inferred) {
  const auto begin = static_cast<int>(group.out_begin), end = static_cast<int>(group.out_end);
  if (begin == end) return -1;
  if (inferred >= begin && inferred < end) return static_cast<int>(inferred);
  int dynamic = -1, dynamics = 0, longer = -1, longers = 0;
  for (int d = begin; d < end; ++d) {
    if (shape.is_dynamic(d)) dynamic = d, ++dynamics;
    if (shape.dim(d) != 1) longer = d, ++longers;
  }
  if (dynamics > 0) return dynamics == 1 ? dynamic : -1;
  if (longers > 0) return longers == 1 ? longer : -1;
  return begin == 0 ? begin : end - 1;
}

/// The run-time sizes of a group's result dimensions. When they are not all at their bounds, one is
/// not.
void SetGroupSizes(const Group& group, const Dims& in_live, const Shape& shape, int64_t inferred,
                   Dims* live) {
  const auto count_of = [](std::span<const int64_t> sizes, size_t begin, size_t end) {
    return ElementCount(sizes.subspan(begin, end - begin));
  };
  const int64_t count = count_of(in_live, group.in_begin, group.in_end);
  if (count == count_of(shape.dims(), group.out_begin, group.out_end)) return;
  const int dynamic = DynamicDimensionOf(group, shape, inferred);
  int64_t fixed = 1;
  for (size_t j = group.out_begin; j < group.out_end; ++j) {
    if (static_cast<int>(j) != dynamic) fixed *= shape.dims()[j];
  }
  if (dynamic < 0 || count % fixed != 0) {
    throw RunError(DiagCode::kRuntimeError,
                   fmt::format("{} elements, the run-time size of dimensions [{},{}) of the "
                               "operand, do not fit the dimensions of the result {}",
                               count, group.in_begin, group.in_end, ShapeName(shape)));
  }
  (*live)[static_cast<size_t>(dynamic)] = count / fixed;
}

// The elements in order, if they lie so.
std::optional<StridedView> ViewOfReshape(const OpCall& call, const StridedView& operand) {
  if (operand.strides != RowMajorView(operand.dims).strides) return std::nullopt;
  StridedView view = RowMajorView(call.shape().dims());
  view.offset = operand.offset;
  return view;
}

Value EvalReshape(const OpCall& call, std::span<Value> args, EvalContext& context) {
  Tensor operand = std::move(args[0].tensor());
  const Shape& shape = call.shape();
  if (operand.dynamic_sizes().empty()) {
    return operand.Reinterpreted(operand.element_type(), shape.dims());
  }
  // The live elements, in order, become the live elements of the result.
  const Dims& in_live = operand.dynamic_sizes();
  Dims live = shape.dims();
  if (operand.element_count() > 0) {
    Group group{0, 0, 0, 0};
    while (group.in_end < operand.dims().size() || group.out_end < live.size()) {
      group = NextGroup(operand.dims(), group.in_end, shape.dims(), group.out_end);
      SetGroupSizes(group, in_live, shape, call.Int("inferred_dimension", -1), &live);
    }
  }
  Tensor packed = TensorFromView(operand, LiveView(operand),
                                 Shape::Array(operand.element_type(), in_live), context.budget());
  Tensor result = MakeTensor(shape, live, context.budget());
  CopyInto(packed.Reinterpreted(packed.element_type(), live), &result, LiveView(result),
           context.budget());
  return result;
}

// ---- bitcast ------------------------------------------------------------------------------------

/// The elements alone, or with the padding of tiles: XLA compares the one or the other, depending
/// on the backend (hlo_verifier.cc, HandleBitcast).
bool SameBytes(const Shape& a, const Shape& b, int64_t* a_bytes, int64_t* b_bytes) {
  auto bits = [](const Shape& shape) { return 8 * BytesOf(shape.element_type()); };
  auto size_of = [&](auto function, const Shape& shape) -> std::optional<int64_t> {
    return function(shape.dims(), bits(shape), shape.layout());
  };
  // XLA's routines do not handle padded dimensions.
  auto with_padding = [&](const Shape& shape) -> std::optional<int64_t> {
    if (shape.layout().extras().padded_dimensions.empty()) return size_of(ArraySize, shape);
    Diagnostics faults;
    const auto map = MakeLayoutMap(shape.dims(), bits(shape), shape.layout(), {}, faults);
    return map ? std::optional<int64_t>(map->byte_size()) : std::nullopt;
  };
  *a_bytes = size_of(ByteSizeOf, a).value_or(-1);
  *b_bytes = size_of(ByteSizeOf, b).value_or(-1);
  return *a_bytes == *b_bytes || with_padding(a) == with_padding(b);
}

std::optional<Shape> InferBitcast(const OpCall& call, Diagnostics&) {
  if (call.written() == nullptr) return std::nullopt;
  return *call.written();
}

void VerifyBitcast(const OpCall& call, Diagnostics& out) {
  if (!CheckArray(call, 0, out) || call.written() == nullptr) return;
  const Shape& operand = call.operand(0);
  const Shape& result = *call.written();
  if (!result.IsArray()) {
    ReportOp(call, DiagCode::kShapeInvalid, "the result is an array", out);
    return;
  }
  int64_t from = 0, to = 0;
  if (!SameBytes(operand, result, &from, &to)) {
    // XLA's verifier compares bytes only once layouts are assigned.
    Severity severity = call.layout_sensitive() ? Severity::kError : Severity::kWarning;
    out.Report(DiagCode::kShapeMismatch, severity, call.range(),
               fmt::format("bitcast: Bitcast cannot have different shape sizes of output ({}) and "
                           "operand ({}) ({}) ({})",
                           to, from, ShapeText(result), ShapeText(operand)));
  }
}

/// Between layouts that only order dimensions: transposes into physical order, and out of it again.
Tensor ReorderBytes(const Tensor& operand, const Shape& from, const Shape& to, Budget* budget) {
  StridedView physical = Permute(RowMajorView(operand.dims()), PhysicalOrder(from.layout()));
  Tensor image = TensorFromView(operand, physical,
                                Shape::Array(operand.element_type(), physical.dims), budget);
  Dims order = PhysicalOrder(to.layout());
  Dims image_dims, back(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    image_dims.push_back(to.dim(static_cast<int>(order[i])));
    back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  }
  image = image.Reinterpreted(to.element_type(), image_dims);
  Tensor result = TensorFromView(image, Permute(RowMajorView(image_dims), back), to, budget);
  // If dimensions are only permuted, so are their run-time sizes.
  if (image_dims == physical.dims) {
    Dims live = to.dims();
    const Dims from_order = PhysicalOrder(from.layout());
    for (size_t i = 0; i < order.size(); ++i) {
      live[static_cast<size_t>(order[i])] = operand.live_dim(static_cast<int>(from_order[i]));
    }
    SetLiveDims(&result, live);
  }
  return result;
}

/// Through the bytes of the memory image.
Tensor ReinterpretImage(const Tensor& operand, const Shape& from, const Shape& to, Budget* budget) {
  auto from_map = ImageMap(from), to_map = ImageMap(to);
  size_t bytes = static_cast<size_t>(std::max(from_map->byte_size(), to_map->byte_size()));
  auto image = Buffer::Allocate(bytes, budget);
  std::memset(image->data(), 0, bytes);
  WriteImage(operand, *from_map, image->data(), budget);
  WritePadding(from, *from_map, image->data(), budget);
  Tensor result(to, budget);
  ReadImage(image->data(), *to_map, &result, budget);
  return result;
}

Value EvalBitcast(const OpCall& call, std::span<Value> args, EvalContext& context) {
  Tensor operand = std::move(args[0].tensor());
  const Shape& from = call.operand(0);
  const Shape& to = call.shape();
  int64_t from_bytes = 0, to_bytes = 0;
  if (!SameBytes(from, to, &from_bytes, &to_bytes)) {
    throw RunError(DiagCode::kRuntimeError,
                   fmt::format("bitcast of {} to {}: {} bytes cannot become {}", ShapeText(from),
                               ShapeText(to), from_bytes, to_bytes));
  }
  bool same_type = from.element_type() == to.element_type();
  if (same_type && from.dims() == to.dims() && from.layout() == to.layout()) return operand;
  bool keeps_width = BytesOf(from.element_type()) == BytesOf(to.element_type()) &&
                     (same_type || !IsSubByte(to.element_type()));
  if (keeps_width && IsOrderOnly(from.layout()) && IsOrderOnly(to.layout())) {
    return ReorderBytes(operand, from, to, context.budget());
  }
  return ReinterpretImage(operand, from, to, context.budget());
}

/// Of the same bytes under other types and layouts nothing is known but that a plain reshape of
/// them is one.
void SizesOfBitcast(const OpCall& call, SizeRules& rules) {
  const Shape &from = call.operand(0), &to = call.shape();
  if (!from.IsArray() || !to.IsArray()) return;
  if (Shape::Compatible(from, to)) return;
  if (BitsOf(from.element_type()) == BitsOf(to.element_type()) &&
      ElementCount(from.dims()) == ElementCount(to.dims())) {
    // Another order of the same dimensions, or a reshape.
    Dims a = from.dims(), b = to.dims();
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    if (a != b) SizesOfReshape(call, rules);
    return;
  }
  rules.KeepAll(from);
  rules.KeepAll(to);
}

}  // namespace

namespace ops {

const OpDef kReshape{
    .doc =
        "The same elements, in row-major order of their logical indices, under other "
        "dimensions. Moves nothing.",
    .source = "operation semantics, Reshape and Collapse",
    .differs =
        "The operation semantics document's Reshape can also permute: that is a transpose before "
        "it.",
    .operands = kOperand,
    .types = kAllArrayTypes,
    .attrs = kReshapeAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferReshape,
    .verify = VerifyReshape,
    .eval = EvalReshape,
    .floats = FloatWidths::kOfOperands,
    .view = ViewOfReshape,
    .passes_on = PassesOn::kScalars,
    .sizes = SizesOfReshape,
};

const OpDef kBitcast{
    .doc =
        "The same bytes in memory under another shape and layout. The one op whose value "
        "depends on layouts.",
    .source = "XLA, hlo_verifier.cc, HandleBitcast",
    .operands = kOperand,
    .types = kAllArrayTypes,
    .result_shape = ResultShape::kWritten,
    .infer = InferBitcast,
    .verify = VerifyBitcast,
    .eval = EvalBitcast,
    .floats = FloatWidths::kAny,
    .passes_on = PassesOn::kScalars,
    .buffers = ResultBuffers::kOperand,
    .sizes = SizesOfBitcast,
};

}  // namespace ops
}  // namespace hlo
