// Data movement ops.
#include <fmt/format.h>

#include "engine/mlir/ops/families.h"

namespace hlo::mlir {
namespace {

// The sizes of a dynamic reshape, one scalar each: the operands of the concatenation that made the
// vector, or slices of the vector.
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

void WriteReshape(OpExport& op) {
  if (op.shape().has_dynamic_dims() && op.call().Has("inferred_dimension")) {
    return op.NoCounterpart("inferred_dimension");
  }
  op.Set(op.Write({"stablehlo.reshape"}, op.Operands()));
}

// The sizes as one vector.
void WriteDynamicReshape(OpExport& op) {
  Leaves sizes;
  for (int i = 1; i < op.op().operand_count(); ++i) {
    sizes.push_back(Reshape(op, op.In(i), {1}));
  }
  if (sizes.empty()) {
    return op.Set(op.Write({"stablehlo.reshape"}, op.Operands(0, 1)));
  }
  const Ssa all =
      op.Make("stablehlo.concatenate", sizes,
              Shape::Array(sizes[0].type->element_type(), {static_cast<int64_t>(sizes.size())}),
              "dimension = 0 : i64");
  op.Set(op.Write({"stablehlo.dynamic_reshape"}, {op.In(0), all}));
}

void EmitDynamicIota(OpImport& op) {
  op.Result(op.Emit(Opcode::kIota, {},
                    {{"iota_dimension", op.NeededInt({"iota_dimension", "dim"})}},
                    op.ResultShape()));
}

}  // namespace

// HLO's broadcast only adds dimensions: dimensions of size 1 that are stretched are dropped first.
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

namespace {

// Dimensions of the operand that are said to be stretched, or not to be. Source: StableHLO,
// TypeInference.cpp, verifyDynamicBroadcastInDimOp.
void CheckHints(OpImport& op) {
  Dims hints = op.Ints({"known_expanding_dimensions"});
  for (int64_t d : op.Ints({"known_nonexpanding_dimensions"})) hints.push_back(d);
  std::sort(hints.begin(), hints.end());
  if (std::adjacent_find(hints.begin(), hints.end()) != hints.end()) {
    op.Fail(DiagCode::kAttributeValue,
            "duplicate expansion hint for at least one operand dimension");
  }
  for (int64_t d : hints) {
    if (d >= 0 && d < op.operands[0]->shape().rank()) continue;
    op.Fail(DiagCode::kAttributeValue,
            fmt::format("hint for expanding dimension {} does not refer to a valid operand "
                        "dimension",
                        d));
    return;
  }
}

void EmitBroadcastInDim(OpImport& op) {
  const Shape* result = op.ResultShape();
  if (!result || op.operands.empty()) return;
  CheckHints(op);
  op.Result(Stretch(op, op.operands[0], op.NeededInts({"broadcast_dimensions", "dims"}), *result));
}

// The operand with new leading dimensions.
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

}  // namespace

// `[0:4, 1:9:2]`, or three attributes.
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
    const Dims start = op.NeededInts({"start_indices"}), limit = op.NeededInts({"limit_indices"});
    const Dims stride = op.NeededInts({"strides"});
    if (limit.size() != start.size() || stride.size() != start.size()) {
      op.Fail(DiagCode::kAttributeValue, "the lists of a slice have different lengths");
      return;
    }
    for (size_t i = 0; i < start.size(); ++i) slices.push_back({start[i], limit[i], stride[i]});
  }
  op.Result(op.Emit(Opcode::kSlice, op.operands, {{"slice", slices}}));
}

std::string SliceAttrs(const Dims& starts, const Dims& limits, const Dims& strides) {
  return fmt::format("limit_indices = {}, start_indices = {}, strides = {}", I64Array(limits),
                     I64Array(starts), I64Array(strides));
}

namespace {

void WriteSlice(OpExport& op) {
  Dims starts, limits, strides;
  for (const SliceDim& slice : op.call().Slices()) {
    starts.push_back(slice.start);
    limits.push_back(slice.limit);
    strides.push_back(slice.stride);
  }
  op.Set(op.Write({"stablehlo.slice", SliceAttrs(starts, limits, strides)}, op.Operands()));
}

// StableHLO's start indices are scalars; HLO also has them as one vector.
bool HasScalarStarts(OpImport& op, size_t first) {
  for (size_t i = first; i < op.operands.size(); ++i) {
    const Shape& shape = op.operands[i]->shape();
    if (shape.IsArray() && shape.rank() == 0) continue;
    return op.Fail(DiagCode::kOperandInvalid,
                   fmt::format("operand #{} must be 0D tensor of integer values, but got '{}'", i,
                               TypeText(shape)));
  }
  return true;
}

void EmitDynamicSlice(OpImport& op) {
  if (HasScalarStarts(op, 1)) EmitPlain(op);
}

void EmitDynamicUpdateSlice(OpImport& op) {
  if (!HasScalarStarts(op, 2)) return;
  const Shape written = op.operands.empty() ? Shape() : op.operands[0]->shape();
  op.Result(op.Emit(Opcode::kDynamicUpdateSlice, op.operands, {}, &written));
}

void WriteDynamicSlice(OpExport& op) {
  Leaves operands = op.Operands();
  const Ssa starts = operands.back();
  if (starts.type->rank() == 1) {
    operands.pop_back();
    for (int64_t i = 0; i < starts.type->dim(0); ++i) {
      const Ssa one =
          op.Make("stablehlo.slice", {starts}, Shape::Array(starts.type->element_type(), {1}),
                  SliceAttrs({i}, {i + 1}, {1}));
      operands.push_back(Reshape(op, one, {}));
    }
  }
  op.Set(op.Write({op.row().full_name(), PairedText(op)}, operands));
}

}  // namespace

void EmitPad(OpImport& op) {
  const Dims low = op.NeededInts({"edge_padding_low", "low"}),
             high = op.NeededInts({"edge_padding_high", "high"}),
             interior = op.NeededInts({"interior_padding", "interior"});
  if (op.has_failed()) return;
  if (high.size() != low.size() || interior.size() != low.size()) {
    op.Fail(DiagCode::kAttributeValue, "the lists of a padding have different lengths");
    return;
  }
  std::vector<PadDim> padding;
  for (size_t i = 0; i < low.size(); ++i) padding.push_back({low[i], high[i], interior[i]});
  op.Result(op.Emit(Opcode::kPad, op.operands, {{"padding", padding}}));
}

namespace {

void WritePad(OpExport& op) {
  Dims low, high, interior;
  for (const PadDim& pad : op.call().Padding()) {
    low.push_back(pad.low);
    high.push_back(pad.high);
    interior.push_back(pad.interior);
  }
  op.Set(
      op.Write({"stablehlo.pad",
                fmt::format("edge_padding_high = {}, edge_padding_low = {}, interior_padding = {}",
                            I64Array(high), I64Array(low), I64Array(interior))},
               op.Operands()));
}

constexpr OpRow kMovementRows[] = {
    {.name = "bitcast_convert",
     .opcode = Opcode::kBitcastConvert,
     .form = kListed,
     .emit = EmitBitcast,
     .write = WriteBitcastConvert,
     .mixing = Mixing::kAny,
     .quantized = Quantized::kStored,
     .is_like_operand = true},
    {.name = "broadcast",
     .opcode = Opcode::kBroadcast,
     .form = {.layout = "%0, sizes = @broadcast_sizes",
              .sample = " `%operand`, sizes = [`2`] : (tensor<4xf32>) -> tensor<2x4xf32>"},
     .emit = EmitBroadcast,
     .write = nullptr},
    {.name = "broadcast_in_dim",
     .opcode = Opcode::kBroadcast,
     .form = {.layout = "%0, dims = @broadcast_dimensions",
              .sample = " `%operand`, dims = [`1`] : (tensor<4xf32>) -> tensor<2x4xf32>"},
     .attrs = {{"broadcast_dimensions", Spelling::kInts, "dimensions"}},
     .emit = EmitBroadcastInDim,
     .quantized = Quantized::kPerAxis},
    {.name = "concatenate",
     .opcode = Opcode::kConcatenate,
     .form = {.layout = "%*, dim = @dimension"},
     .attrs = {{"dimension", Spelling::kInt, "dimensions"}},
     .is_import_helper = true},
    {.name = "dynamic_broadcast_in_dim",
     .opcode = Opcode::kBroadcast,
     .form = {.layout = "%0, %1, dims = @broadcast_dimensions",
              .sample = " `%operand`, `%output_dimensions`, dims = [`1`] : (tensor<4xf32>, "
                        "tensor<2xi32>) -> tensor<?x?xf32>"},
     .emit = EmitBroadcastInDim,
     .write = nullptr,
     .quantized = Quantized::kPerAxis,
     .sizes_operand = 1},
    {.name = "dynamic_iota",
     .opcode = Opcode::kIota,
     .form = {.layout = "%0, dim = @iota_dimension",
              .sample = " `%output_shape`, dim = `0` : (tensor<1xi32>) -> tensor<?xi32>"},
     .emit = EmitDynamicIota,
     .write = nullptr,
     .sizes_operand = 0},
    {.name = "dynamic_reshape",
     .opcode = Opcode::kDynamicReshape,
     .form = {.layout = "%*",
              .sample = " `%operand`, `%output_shape` : (tensor<4xf32>, tensor<2xi32>) -> "
                        "tensor<?x?xf32>"},
     .emit = EmitReshape,
     .write = WriteDynamicReshape,
     .quantized = Quantized::kPerAxis,
     .sizes_operand = 1},
    {.name = "dynamic_slice",
     .opcode = Opcode::kDynamicSlice,
     .form = {.layout = "%*, sizes = @slice_sizes",
              .sample = " `%operand`, `%start_index`, sizes = [`1`] : (tensor<4xf32>, "
                        "tensor<i32>) -> tensor<1xf32>"},
     .attrs = {{"slice_sizes", Spelling::kInts, "dynamic_slice_sizes"}},
     .emit = EmitDynamicSlice,
     .write = WriteDynamicSlice},
    {.name = "dynamic_update_slice",
     .opcode = Opcode::kDynamicUpdateSlice,
     .form = {.layout = "%*",
              .sample = " `%operand`, `%update`, `%start_index` : (tensor<4xf32>, tensor<1xf32>, "
                        "tensor<i32>) -> tensor<4xf32>"},
     .emit = EmitDynamicUpdateSlice,
     .write = WriteDynamicSlice},
    {.name = "get_dimension_size",
     .opcode = Opcode::kGetDimensionSize,
     .form = {.layout = "%0, dim = @dimension"},
     .attrs = {{"dimension", Spelling::kInt, "dimensions"}},
     .quantized = Quantized::kPerAxis},
    {"iota",
     Opcode::kIota,
     {.layout = "dim = @iota_dimension", .types = TypeForm::kResults},
     {{"iota_dimension", Spelling::kInt}}},
    {.name = "mhlo.bitcast",
     .opcode = Opcode::kBitcast,
     .write = WriteBitcast,
     .mixing = Mixing::kAny},
    {.name = "pad",
     .opcode = Opcode::kPad,
     .form = {.layout = "%0, %1, low = @edge_padding_low, high = @edge_padding_high, interior = "
                        "@interior_padding",
              .sample = " `%operand`, `%padding_value`, low = [`0`], high = [`0`], interior = "
                        "[`0`] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>"},
     .emit = EmitPad,
     .write = WritePad},
    {.name = "reshape",
     .opcode = Opcode::kReshape,
     .form = kListed,
     .emit = EmitReshape,
     .write = WriteReshape,
     .quantized = Quantized::kPerAxis,
     .is_import_helper = true},
    {"reverse",
     Opcode::kReverse,
     {.layout = "%0, dims = @dimensions", .types = TypeForm::kSame},
     {{"dimensions", Spelling::kInts}}},
    {.name = "set_dimension_size",
     .opcode = Opcode::kSetDimensionSize,
     .form = {.layout = "%0, %1, dim = @dimension"},
     .attrs = {{"dimension", Spelling::kInt, "dimensions"}},
     .quantized = Quantized::kPerAxis},
    {.name = "slice",
     .opcode = Opcode::kSlice,
     .form = {.sample = " `%operand` [`0:2`] : (tensor<4xf32>) -> tensor<2xf32>",
              .print = PrintSlice},
     .emit = EmitSlice,
     .write = WriteSlice,
     .is_import_helper = true},
    {.name = "transpose",
     .opcode = Opcode::kTranspose,
     .form = {.layout = "%0, dims = @permutation"},
     .attrs = {{"permutation", Spelling::kInts, "dimensions"}},
     .quantized = Quantized::kPerAxis},
};

}  // namespace

std::span<const OpRow> MovementRows() { return kMovementRows; }

}  // namespace hlo::mlir
