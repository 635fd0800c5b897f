// bitcast-convert between types of different widths: the bits of elements, low ones first, as one
// string.
#include "engine/standalone/operation.h"

namespace hlo {
namespace {

/// pred counts as the byte it is stored in.
int WidthOf(ElementType type) { return type == ElementType::kPred ? 8 : BitsOf(type); }

/// The low bits of a byte as an element of a type that has no more.
LaneValue ElementOfByte(LaneValue byte, ElementType type, LaneCode* one) {
  if (type == ElementType::kPred) {
    return one->Binary(LaneOp::kNe, byte, one->Constant(LaneKind::kI32, 0));
  }
  const int unused = 32 - BitsOf(type);
  const LaneValue top = one->ShiftBy(LaneOp::kShiftLeft, byte, unused);
  return one->ShiftBy(IsSigned(type) ? LaneOp::kShiftRight : LaneOp::kShiftRightU, top, unused);
}

void StoreByte(uint32_t address, LaneValue byte, KernelCode* code) {
  code->writer().Get(address);
  code->writer().Get(byte.local);
  code->writer().Memory(Code::kI32Store8);
}

/// Several narrow elements to each byte.
void WriteJoined(int width, int64_t bytes, KernelCode* code) {
  const uint32_t from = code->Sum(0, 0), to = code->Sum(1, 0);
  LaneCode& one = code->one();
  const LaneValue mask = one.Constant(LaneKind::kI32, (1 << width) - 1);
  code->Repeat(bytes, [&] {
    LaneValue byte = one.Constant(LaneKind::kI32, 0);
    for (int bit = 0; bit < 8; bit += width) {
      const LaneValue part = one.Binary(LaneOp::kAnd, one.Load(from, ElementType::kU8), mask);
      byte = one.Binary(LaneOp::kOr, byte, one.ShiftBy(LaneOp::kShiftLeft, part, bit));
      code->Advance(from, 1);
    }
    StoreByte(to, byte, code);
    code->Advance(to, 1);
  });
}

/// Of the low bits of each byte one element or several.
void WriteSplit(int bits, ElementType type, int64_t bytes, KernelCode* code) {
  const uint32_t from = code->Sum(0, 0), to = code->Sum(1, 0);
  code->Repeat(bytes, [&] {
    LaneCode& one = code->one();
    const LaneValue byte = one.Load(from, ElementType::kU8);
    for (int bit = 0; bit < bits; bit += WidthOf(type)) {
      const LaneValue part = one.ShiftBy(LaneOp::kShiftRightU, byte, bit);
      StoreByte(to, ElementOfByte(part, type, &one), code);
      code->Advance(to, 1);
    }
    code->Advance(from, 1);
  });
}

}  // namespace

bool WriteBitString(const Operation& operation, Emitter* emitter) {
  const Shape &from = operation.call->operand(0), &to = operation.call->shape();
  const int from_bits = WidthOf(from.element_type()), to_bits = WidthOf(to.element_type());
  const int64_t count = to.element_count();
  if (count == 0) return true;
  const auto call = [&](int32_t array, int32_t result, auto write) {
    KernelCode code(2);
    write(&code);
    return emitter->Call(&code, {array}, {result});
  };
  int32_t array = operation.operands[0];
  const int32_t result = operation.results[0];
  if (from_bits < 8 && to_bits < 8 && to_bits < from_bits) {
    return call(array, result, [&](KernelCode* code) {
      WriteSplit(from_bits, to.element_type(), from.element_count(), code);
    });
  }
  if (from_bits < 8) {
    const int64_t bytes = (from.element_count() * from_bits + 7) / 8;
    // So that the last byte has as many elements as the others.
    const int32_t whole = emitter->NewArray(ElementType::kU8, bytes * (8 / from_bits));
    if (emitter->BytesOfArray(whole) != emitter->BytesOfArray(array)) {
      emitter->Clear(whole);
      KernelCode code(2);
      const StridedView all{{from.element_count()}, {1}, 0};
      code.CopyView(0, all, 1, all, 1);
      if (!emitter->Call(&code, {array, whole}, {whole})) return false;
      array = whole;
    }
    const int32_t joined = emitter->NewArray(ElementType::kU8, bytes);
    if (!call(array, joined, [&](KernelCode* code) { WriteJoined(from_bits, bytes, code); })) {
      return false;
    }
    array = joined;
  }
  if (BytesOf(to.element_type()) > 1) {
    emitter->Copy(array, result);
    return true;
  }
  // The last byte may have more elements than the result.
  const int64_t bytes = (count * to_bits + 7) / 8, elements = bytes * (8 / to_bits);
  const int32_t whole = elements == count ? result : emitter->NewArray(ElementType::kU8, elements);
  if (!call(array, whole,
            [&](KernelCode* code) { WriteSplit(8, to.element_type(), bytes, code); })) {
    return false;
  }
  if (whole != result) emitter->CopyView(whole, {{count}, {1}, 0}, result, 1);
  return true;
}

}  // namespace hlo
