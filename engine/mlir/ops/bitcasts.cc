// Ops that reinterpret the bits of arrays as another type.
#include <fmt/format.h>

#include "engine/mlir/ops/families.h"
#include "engine/ops/movement/physical_order.h"

namespace hlo::mlir {

Ssa Reshape(OpExport& op, const Ssa& value, const Dims& dims) {
  if (value.type->dims() == dims) return value;
  return op.Make("stablehlo.reshape", {value}, Shape::Array(value.type->element_type(), dims));
}

namespace {

Ssa Transpose(OpExport& op, const Ssa& value, const Dims& order) {
  Dims dims;
  bool is_same = true;
  for (size_t i = 0; i < order.size(); ++i) {
    dims.push_back(value.type->dim(static_cast<int>(order[i])));
    is_same = is_same && order[i] == static_cast<int64_t>(i);
  }
  if (is_same) return value;
  return op.Make("stablehlo.transpose", {value}, Shape::Array(value.type->element_type(), dims),
                 "permutation = " + I64Array(order));
}

// Bits of an array as another type. A pred occupies a byte in HLO; an i1 is one bit in StableHLO.
Ssa CastBits(OpExport& op, const Ssa& value, ElementType type, const Dims& dims) {
  const bool to_pred = type == ElementType::kPred;
  const ElementType stored = to_pred ? ElementType::kU8 : type;
  Ssa bits = value.type->element_type() == ElementType::kPred ? op.Convert(value, ElementType::kU8)
                                                              : value;
  if (bits.type->element_type() != stored || bits.type->dims() != dims) {
    bits = op.Make("stablehlo.bitcast_convert", {bits}, Shape::Array(stored, dims));
  }
  return to_pred ? op.Convert(bits, type) : bits;
}

}  // namespace

// An i1 is one bit here and eight in HLO: bits are packed and unpacked by shifts.
void EmitBitcast(OpImport& op) {
  const Shape* result = op.ResultShape();
  if (!result || !op.Expect(1)) return;
  const Shape from = op.operands[0]->shape();
  const bool is_joined = from.element_type() == ElementType::kPred;
  const bool is_split = result->IsArray() && result->element_type() == ElementType::kPred;
  const Shape& bits = is_joined ? from : *result;
  const Shape& whole = is_joined ? *result : from;
  const int width = BitsOf(whole.element_type());
  // Floats go through an integer of their width.
  const auto number = ElementTypeFromText(fmt::format("u{}", width));
  if (is_joined == is_split) return EmitPlain(op);
  // Source: StableHLO, TypeInference.cpp, verifyBitcastConvertOp.
  if (!number || bits.rank() != whole.rank() + 1 || bits.dim(bits.rank() - 1) != width) {
    op.Fail(DiagCode::kShapeMismatch,
            fmt::format("the last dimension of '{}' must have the {} bits of an element of '{}', "
                        "which has one dimension less",
                        TypeText(bits), width, TypeText(whole)));
    return;
  }
  const int64_t last = bits.rank() - 1;
  const Shape wide = Shape::Array(*number, bits.dims());
  Instruction* place = op.Emit(Opcode::kIota, {}, {{"iota_dimension", last}}, &wide);
  if (is_joined) {
    Instruction* shifted =
        op.Emit(Opcode::kShiftLeft, {op.Emit(Opcode::kConvert, op.operands, {}, &wide), place});
    Instruction* joined = op.Emit(
        Opcode::kReduce, {shifted, op.Constant(NumberOf(*number, 0))},
        {{"dimensions", Dims{last}}, {"to_apply", op.AppliedRegion("or", Shape::Scalar(*number))}});
    return op.Result(op.Emit(Opcode::kBitcastConvert, {joined}, {}, result));
  }
  Dims map;
  for (int64_t i = 0; i < last; ++i) map.push_back(i);
  const Shape integers = Shape::Array(*number, whole.dims());
  Instruction* integer = op.Emit(Opcode::kBitcastConvert, op.operands, {}, &integers);
  Instruction* spread = op.Emit(Opcode::kBroadcast, {integer}, {{"dimensions", map}}, &wide);
  // Isolates the bit by two shifts: the number is then 0 or not.
  Instruction* low = op.Emit(Opcode::kShiftRightLogical, {spread, place});
  Instruction* distance = op.Emit(Opcode::kBroadcast, {op.Constant(NumberOf(*number, width - 1))},
                                  {{"dimensions", Dims{}}}, &wide);
  op.Result(op.Emit(Opcode::kConvert, {op.Emit(Opcode::kShiftLeft, {low, distance})}, {}, result));
}

void WriteBitcastConvert(OpExport& op) {
  op.Set({CastBits(op, op.In(0), op.shape().element_type(), op.shape().dims())});
}

// Reinterprets the bytes in memory as another array. Where layouts only order the dimensions that
// is a transpose into the layout's order, a reshape, and a transpose out of the other layout's
// order.
void WriteBitcast(OpExport& op) {
  const Shape& from = op.op().operand(0)->shape();
  const Shape& to = op.shape();
  if (!IsOrderOnly(from.layout()) || !IsOrderOnly(to.layout()) || from.has_dynamic_dims() ||
      to.has_dynamic_dims()) {
    return op.NoCounterpart("layouts with tiles or padding, or sizes of run time");
  }
  const int from_bytes = BytesOf(from.element_type()), to_bytes = BytesOf(to.element_type());
  const bool is_same_type = from.element_type() == to.element_type();
  if (!is_same_type && (BitsOf(from.element_type()) < 8 || BitsOf(to.element_type()) < 8)) {
    return op.NoCounterpart("the bytes of types that are narrower than a byte");
  }
  if (IsComplex(from.element_type()) != IsComplex(to.element_type())) {
    return op.NoCounterpart("a complex and a real type");
  }
  if (from.stored_bytes() != to.stored_bytes()) {
    return op.NoCounterpart("arrays of different sizes");
  }
  Ssa value = Transpose(op, op.In(0), PhysicalOrder(from.layout()));
  const Dims order = PhysicalOrder(to.layout());
  Dims dims, back(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    dims.push_back(to.dim(static_cast<int>(order[i])));
    back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  }
  if (is_same_type || from_bytes == to_bytes) {
    value = Reshape(op, value, dims);
    if (!is_same_type) value = CastBits(op, value, to.element_type(), dims);
  } else if (from_bytes < to_bytes) {
    // Several elements become one: they form a last dimension, which disappears.
    Dims parts = dims;
    parts.push_back(to_bytes / from_bytes);
    value = CastBits(op, Reshape(op, value, parts), to.element_type(), dims);
  } else {
    Dims parts = value.type->dims();
    parts.push_back(from_bytes / to_bytes);
    value = Reshape(op, CastBits(op, value, to.element_type(), parts), dims);
  }
  op.Set({Transpose(op, value, back)});
}

}  // namespace hlo::mlir
