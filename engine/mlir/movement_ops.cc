// Ops that move elements, and tuples.
#include <fmt/format.h>

#include "engine/mlir/op_rows.h"

namespace hlo::mlir {

void EmitIota(OpImport& op) {
  op.Result(op.Emit(Opcode::kIota, {},
                    {{"iota_dimension", op.NeededInt({"iota_dimension", "dim"})}},
                    op.ResultShape()));
}

namespace {

// The sizes of a dynamic reshape, one scalar each: what they were joined of, or slices of the
// vector.
Values SizesOf(OpImport& op, Instruction* sizes, size_t count) {
  Values scalars;
  const Shape scalar = Shape::Scalar(sizes->shape().element_type());
  for (int64_t i = 0; i < static_cast<int64_t>(count); ++i) {
    const bool is_joined =
        sizes->opcode() == Opcode::kConcatenate && sizes->operands().size() == count;
    Instruction* part = is_joined ? sizes->operand(static_cast<int>(i)) : nullptr;
    if (part && part->opcode() == Opcode::kReshape && part->operand(0)->shape() == scalar) {
      scalars.push_back(part->operand(0));
      continue;
    }
    Instruction* slice =
        op.Emit(Opcode::kSlice, {sizes}, {{"slice", std::vector<SliceDim>{{i, i + 1, 1}}}});
    scalars.push_back(op.Emit(Opcode::kReshape, {slice}, {}, &scalar));
  }
  return scalars;
}

}  // namespace

void EmitReshape(OpImport& op) {
  if (op.operands.empty()) return;
  const Shape* result = op.ResultShape();
  if (op.operands.size() == 2 && result && result->has_dynamic_dims() &&
      op.operands[1]->shape().rank() == 1) {
    Values operands = SizesOf(op, op.operands[1], result->dims().size());
    operands.insert(operands.begin(), op.operands[0]);
    return op.Result(op.Emit(Opcode::kDynamicReshape, operands, {}, result));
  }
  op.Result(op.Emit(Opcode::kReshape, {op.operands[0]}, {}, op.ResultShape()));
}

// HLO's broadcast only adds dimensions: those of size 1 that are stretched are dropped first.
Instruction* Stretch(OpImport& op, Instruction* operand, const Dims& map, const Shape& result) {
  const Shape from = operand->shape();
  if (!from.IsArray() || static_cast<int64_t>(map.size()) != from.rank()) {
    op.Fail(DiagCode::kDimensionNumbers,
            fmt::format("broadcast_dimensions size ({}) does not match operand rank ({})",
                        map.size(), from.IsArray() ? from.rank() : 0));
    return nullptr;
  }
  Dims kept, sizes;
  for (int i = 0; i < from.rank(); ++i) {
    const int64_t to = map[static_cast<size_t>(i)];
    const bool is_known = to >= 0 && to < result.rank();
    if (from.dim(i) == 1 && is_known && result.dim(static_cast<int>(to)) != 1) continue;
    kept.push_back(to);
    sizes.push_back(from.dim(i));
  }
  if (sizes.size() != from.dims().size()) {
    const Shape smaller = Shape::Array(from.element_type(), sizes);
    operand = op.Emit(Opcode::kReshape, {operand}, {}, &smaller);
  }
  return op.Emit(Opcode::kBroadcast, {operand}, {{"dimensions", kept}}, &result);
}

void EmitBroadcastInDim(OpImport& op) {
  const Shape* result = op.ResultShape();
  if (!result || op.operands.empty()) return;
  op.Result(Stretch(op, op.operands[0], op.NeededInts({"broadcast_dimensions", "dims"}), *result));
}

// The operand under new first dimensions.
void EmitBroadcast(OpImport& op) {
  const Shape* result = op.ResultShape();
  if (!result || !op.Expect(1)) return;
  const Dims sizes = op.NeededInts({"broadcast_sizes", "sizes"});
  const auto added = static_cast<int64_t>(sizes.size());
  Dims map;
  for (int64_t i = 0; i < added; ++i) {
    if (sizes[static_cast<size_t>(i)] < 0) {
      op.Fail(DiagCode::kAttributeValue, fmt::format("Broadcast with negative dimension size {}",
                                                     sizes[static_cast<size_t>(i)]));
      return;
    }
    if (i < result->rank() && result->dim(static_cast<int>(i)) == sizes[static_cast<size_t>(i)])
      continue;
    op.Fail(DiagCode::kShapeMismatch,
            fmt::format("dimension {} of the result must have the size {}", i,
                        sizes[static_cast<size_t>(i)]));
    return;
  }
  for (int64_t i = added; i < result->rank(); ++i) map.push_back(i);
  op.Result(op.Emit(Opcode::kBroadcast, op.operands, {{"dimensions", map}}, result));
}

void EmitTranspose(OpImport& op) {
  op.Result(op.Emit(Opcode::kTranspose, op.operands,
                    {{"dimensions", op.NeededInts({"permutation", "dims"})}}));
}

void EmitReverse(OpImport& op) {
  op.Result(op.Emit(Opcode::kReverse, op.operands,
                    {{"dimensions", op.NeededInts({"dimensions", "dims"})}}));
}

void EmitConcatenate(OpImport& op) {
  op.Result(op.Emit(Opcode::kConcatenate, op.operands,
                    {{"dimensions", Dims{op.NeededInt({"dimension", "dim"})}}}));
}

// `[0:4, 1:9:2]`, or three lists.
void EmitSlice(OpImport& op) {
  std::vector<SliceDim> slices;
  if (op.Find({"$ranges"})) {
    for (const Dims& row : op.Rows({"$ranges"})) {
      if (row.size() < 2) {
        op.Fail(DiagCode::kAttributeValue, "expects [start:limit:stride] for each dimension");
        return;
      }
      slices.push_back({row[0], row[1], row.size() > 2 ? row[2] : 1});
    }
  } else {
    const Dims start = op.Ints({"start_indices"}), limit = op.Ints({"limit_indices"});
    const Dims stride = op.Ints({"strides"}, Dims(start.size(), 1));
    if (limit.size() != start.size() || stride.size() != start.size()) {
      op.Fail(DiagCode::kAttributeValue, "the lists of a slice have different lengths");
      return;
    }
    for (size_t i = 0; i < start.size(); ++i) slices.push_back({start[i], limit[i], stride[i]});
  }
  op.Result(op.Emit(Opcode::kSlice, op.operands, {{"slice", std::move(slices)}}));
}

void EmitPad(OpImport& op) {
  const Dims low = op.Ints({"edge_padding_low", "low"}),
             high = op.Ints({"edge_padding_high", "high"});
  const Dims interior = op.Ints({"interior_padding", "interior"}, Dims(low.size(), 0));
  if (high.size() != low.size() || interior.size() != low.size()) {
    op.Fail(DiagCode::kAttributeValue, "the lists of a padding have different lengths");
    return;
  }
  std::vector<PadDim> padding;
  for (size_t i = 0; i < low.size(); ++i) padding.push_back({low[i], high[i], interior[i]});
  op.Result(op.Emit(Opcode::kPad, op.operands, {{"padding", std::move(padding)}}));
}

void EmitDynamicSlice(OpImport& op) {
  op.Result(op.Emit(Opcode::kDynamicSlice, op.operands,
                    {{"dynamic_slice_sizes", op.Ints({"slice_sizes", "sizes"})}},
                    op.ResultShape()));
}

void EmitDynamicUpdateSlice(OpImport& op) {
  const Shape written = op.operands.empty() ? Shape() : op.operands[0]->shape();
  op.Result(op.Emit(Opcode::kDynamicUpdateSlice, op.operands, {}, &written));
}

void EmitDimensionSize(OpImport& op) {
  op.Result(op.Emit(op.row().opcode, op.operands,
                    {{"dimensions", Dims{op.Int({"dimension", "dim"})}}}, op.ResultShape()));
}

void EmitGetTupleElement(OpImport& op) {
  const Dims ranges = op.Ints({"$ranges", "index"});
  op.Result(op.Emit(Opcode::kGetTupleElement, op.operands,
                    {{"index", ranges.empty() ? int64_t{0} : ranges[0]}}));
}

void EmitBarrier(OpImport& op) {
  if (op.operands.size() == 1) return op.Result(op.Emit(Opcode::kOptBarrier, op.operands));
  op.SplitResult(op.Emit(Opcode::kOptBarrier, {op.Tuple(op.operands)}));
}

}  // namespace hlo::mlir
