// Operations that put elements into other places, which the call alone tells.
#include <fmt/format.h>

#include <optional>
#include <span>
#include <vector>

#include "engine/ops/movement/pad_views.h"
#include "engine/ops/op_def.h"
#include "engine/standalone/operation.h"

namespace hlo {
namespace {

bool WriteView(const Operation& operation, Emitter* emitter) {
  const OpDef& def = operation.call->def();
  if (!def.view || !operation.call->shape().IsArray()) return false;
  const std::optional<StridedView> view =
      def.view(*operation.call, RowMajorView(operation.call->operand(0).dims()));
  if (!view) return false;
  emitter->CopyView(operation.operands[0], *view, operation.results[0], BytesOf(operation.type()));
  return true;
}

// The same elements in the same order.
bool WriteReshape(const Operation& operation, Emitter* emitter) {
  const Shape &from = operation.call->operand(0), &to = operation.call->shape();
  if (!from.IsArray() || !to.IsArray() || from.element_type() != to.element_type()) return false;
  emitter->Copy(operation.operands[0], operation.results[0]);
  return true;
}

bool IsRowMajor(const Shape& shape) { return shape.layout() == Layout::Descending(shape.rank()); }

// The same bytes or bits.
bool WriteBitcast(const Operation& operation, Emitter* emitter) {
  const Shape &from = operation.call->operand(0), &to = operation.call->shape();
  if (!from.IsArray() || !to.IsArray()) return false;
  const bool is_bitcast = operation.instruction->opcode() == Opcode::kBitcast;
  if (is_bitcast && (!IsRowMajor(from) || !IsRowMajor(to))) {
    return WriteRelayout(operation, emitter);
  }
  if (!is_bitcast) return WriteBitString(operation, emitter);
  const bool is_same_type = from.element_type() == to.element_type();
  if (!is_same_type && (IsSubByte(from.element_type()) || IsSubByte(to.element_type()))) {
    return WriteRelayout(operation, emitter);
  }
  if (from.stored_bytes() != to.stored_bytes()) {
    return emitter->Refuse(fmt::format("the operand has {} bytes, the result {}",
                                       from.stored_bytes(), to.stored_bytes()));
  }
  emitter->Copy(operation.operands[0], operation.results[0]);
  return true;
}

// The operand twice, and a state that is zero.
bool WriteCopyStart(const Operation& operation, Emitter* emitter) {
  for (size_t i = 0; i < operation.results.size(); ++i) {
    const int64_t bytes = emitter->BytesOfArray(operation.results[i]);
    if (i + 1 < operation.results.size()) {
      emitter->Copy(operation.operands[0], operation.results[i]);
    } else {
      const std::vector<std::byte> zeros(static_cast<size_t>(bytes));
      emitter->Copy(emitter->Constant(zeros), operation.results[i]);
    }
  }
  return true;
}

bool WriteDimensionSize(const Operation& operation, Emitter* emitter) {
  const auto dimension = static_cast<int>(operation.call->Ints("dimensions")[0]);
  const auto size = static_cast<int32_t>(operation.call->operand(0).dim(dimension));
  const std::span<const int32_t> number(&size, 1);
  emitter->Copy(emitter->Constant(std::as_bytes(number)), operation.results[0]);
  return true;
}

bool WriteConcatenate(const Operation& operation, Emitter* emitter) {
  const auto dimension = static_cast<size_t>(operation.call->Ints("dimensions")[0]);
  const Shape& shape = operation.call->shape();
  const auto count = static_cast<uint32_t>(operation.operands.size());
  KernelCode code(count + 1);
  Dims starts(shape.dims().size(), 0);
  for (uint32_t i = 0; i < count; ++i) {
    const Dims& sizes = operation.call->operand(static_cast<int>(i)).dims();
    code.CopyView(i, RowMajorView(sizes), count, Slice(RowMajorView(shape.dims()), starts, sizes),
                  BytesOf(shape.element_type()));
    starts[dimension] += sizes[dimension];
  }
  return emitter->Call(&code, operation.operands, operation.results);
}

bool WritePad(const Operation& operation, Emitter* emitter) {
  const PadViews views = PadViewsOf(*operation.call, operation.call->operand(0).dims());
  const int width = BytesOf(operation.type());
  KernelCode code(3);
  code.Fill(1, 2, operation.call->shape().element_count(), width);
  code.CopyView(0, views.in, 2, views.out, width);
  return emitter->Call(&code, operation.operands, operation.results);
}

// The numbers of s32, converted.
bool WriteIota(const Operation& operation, Emitter* emitter) {
  const Shape& shape = operation.call->shape();
  const auto dimension = static_cast<size_t>(operation.call->Int("iota_dimension"));
  int64_t outer = 1, inner = 1;
  for (size_t d = 0; d < shape.dims().size(); ++d) {
    if (d < dimension) outer *= shape.dims()[d];
    if (d > dimension) inner *= shape.dims()[d];
  }
  const ElementType type = shape.element_type();
  KernelCode code(1);
  LaneCode& one = code.one();
  const uint32_t to = code.Sum(0, 0);
  if (shape.element_count() > 0) {
    code.Repeat(outer, [&] {
      const LaneValue number = one.New(LaneKind::kI32);
      one.Assign(number, one.Constant(LaneKind::kI32, 0));
      code.Repeat(shape.dims()[dimension], [&] {
        const LanePair element = ConvertedPair({number}, ElementType::kS32, type, &one);
        code.Repeat(inner, [&] {
          code.Store(to, element, type);
          code.Advance(to, BytesOf(type));
        });
        one.Assign(number, one.Binary(LaneOp::kAdd, number, one.Constant(LaneKind::kI32, 1)));
      });
    });
  }
  return emitter->Call(&code, {}, operation.results);
}

}  // namespace

bool WriteMovement(const Operation& operation, Emitter* emitter) {
  switch (operation.instruction->opcode()) {
    case Opcode::kReshape:
      return WriteReshape(operation, emitter);
    case Opcode::kBitcast:
    case Opcode::kBitcastConvert:
      return WriteBitcast(operation, emitter);
    case Opcode::kCopyStart:
      return operation.results.size() == 3 && operation.operands.size() == 1 &&
             WriteCopyStart(operation, emitter);
    case Opcode::kCopyDone:
      // Of the copy, the operand and the state.
      if (operation.results.size() != 1 || operation.operands.size() != 3) return false;
      emitter->Copy(operation.operands[0], operation.results[0]);
      return true;
    case Opcode::kConvert: {
      // What element-wise code has no type for.
      const Shape &from = operation.call->operand(0), &to = operation.call->shape();
      int32_t array = operation.operands[0];
      if (!emitter->Convert(&array, from.element_count(), from.element_type(), to.element_type())) {
        return false;
      }
      emitter->Copy(array, operation.results[0]);
      return true;
    }
    case Opcode::kGetDimensionSize:
      return WriteDimensionSize(operation, emitter);
    case Opcode::kConcatenate:
      return WriteConcatenate(operation, emitter);
    case Opcode::kPad:
      return WritePad(operation, emitter);
    case Opcode::kIota:
      return WriteIota(operation, emitter);
    default:
      return WriteView(operation, emitter);
  }
}

}  // namespace hlo
