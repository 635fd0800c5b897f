#include "engine/codegen/lane_code.h"

#include <cstddef>

namespace hlo {
namespace {

// No instruction does it.
constexpr Code kAbsent{};

// By kind: of one lane i32, i64, f32, f64; of four i32, f32.
struct OpRow {
  Code one[4];
  Code four[2];
};

constexpr OpRow kOps[] = {
    {{Code::kI32Add, Code::kI64Add, Code::kF32Add, Code::kF64Add},
     {Code::kI32x4Add, Code::kF32x4Add}},  // kAdd
    {{Code::kI32Sub, Code::kI64Sub, Code::kF32Sub, Code::kF64Sub},
     {Code::kI32x4Sub, Code::kF32x4Sub}},  // kSubtract
    {{Code::kI32Mul, Code::kI64Mul, Code::kF32Mul, Code::kF64Mul},
     {Code::kI32x4Mul, Code::kF32x4Mul}},  // kMultiply
    {{Code::kI32DivS, Code::kI64DivS, Code::kF32Div, Code::kF64Div},
     {kAbsent, Code::kF32x4Div}},                                                   // kDivide
    {{Code::kI32DivU, Code::kI64DivU, kAbsent, kAbsent}, {kAbsent, kAbsent}},       // kDivideU
    {{Code::kI32RemS, Code::kI64RemS, kAbsent, kAbsent}, {kAbsent, kAbsent}},       // kRemainder
    {{Code::kI32RemU, Code::kI64RemU, kAbsent, kAbsent}, {kAbsent, kAbsent}},       // kRemainderU
    {{Code::kI32And, Code::kI64And, kAbsent, kAbsent}, {Code::kV128And, kAbsent}},  // kAnd
    {{Code::kI32Or, Code::kI64Or, kAbsent, kAbsent}, {Code::kV128Or, kAbsent}},     // kOr
    {{Code::kI32Xor, Code::kI64Xor, kAbsent, kAbsent}, {Code::kV128Xor, kAbsent}},  // kXor
    {{Code::kI32Shl, Code::kI64Shl, kAbsent, kAbsent}, {kAbsent, kAbsent}},         // kShiftLeft
    {{Code::kI32ShrS, Code::kI64ShrS, kAbsent, kAbsent}, {kAbsent, kAbsent}},       // kShiftRight
    {{Code::kI32ShrU, Code::kI64ShrU, kAbsent, kAbsent}, {kAbsent, kAbsent}},       // kShiftRightU
    {{kAbsent, kAbsent, Code::kF32Neg, Code::kF64Neg},
     {Code::kI32x4Neg, Code::kF32x4Neg}},  // kNegate
    {{kAbsent, kAbsent, Code::kF32Abs, Code::kF64Abs}, {Code::kI32x4Abs, Code::kF32x4Abs}},  // kAbs
    {{kAbsent, kAbsent, Code::kF32Sqrt, Code::kF64Sqrt}, {kAbsent, Code::kF32x4Sqrt}},     // kSqrt
    {{kAbsent, kAbsent, Code::kF32Floor, Code::kF64Floor}, {kAbsent, Code::kF32x4Floor}},  // kFloor
    {{kAbsent, kAbsent, Code::kF32Ceil, Code::kF64Ceil}, {kAbsent, Code::kF32x4Ceil}},     // kCeil
    {{kAbsent, kAbsent, Code::kF32Nearest, Code::kF64Nearest},
     {kAbsent, Code::kF32x4Nearest}},                                        // kNearest
    {{Code::kI32Clz, Code::kI64Clz, kAbsent, kAbsent}, {kAbsent, kAbsent}},  // kCountLeadingZeros
    {{Code::kI32Popcnt, Code::kI64Popcnt, kAbsent, kAbsent}, {kAbsent, kAbsent}},  // kPopcnt
    {{Code::kI32Eq, Code::kI64Eq, Code::kF32Eq, Code::kF64Eq},
     {Code::kI32x4Eq, Code::kF32x4Eq}},  // kEq
    {{Code::kI32Ne, Code::kI64Ne, Code::kF32Ne, Code::kF64Ne},
     {Code::kI32x4Ne, Code::kF32x4Ne}},  // kNe
    {{Code::kI32GeS, Code::kI64GeS, Code::kF32Ge, Code::kF64Ge},
     {Code::kI32x4GeS, Code::kF32x4Ge}},  // kGe
    {{Code::kI32GtS, Code::kI64GtS, Code::kF32Gt, Code::kF64Gt},
     {Code::kI32x4GtS, Code::kF32x4Gt}},  // kGt
    {{Code::kI32LeS, Code::kI64LeS, Code::kF32Le, Code::kF64Le},
     {Code::kI32x4LeS, Code::kF32x4Le}},  // kLe
    {{Code::kI32LtS, Code::kI64LtS, Code::kF32Lt, Code::kF64Lt},
     {Code::kI32x4LtS, Code::kF32x4Lt}},                                             // kLt
    {{Code::kI32GeU, Code::kI64GeU, kAbsent, kAbsent}, {Code::kI32x4GeU, kAbsent}},  // kGeU
    {{Code::kI32GtU, Code::kI64GtU, kAbsent, kAbsent}, {Code::kI32x4GtU, kAbsent}},  // kGtU
    {{Code::kI32LeU, Code::kI64LeU, kAbsent, kAbsent}, {Code::kI32x4LeU, kAbsent}},  // kLeU
    {{Code::kI32LtU, Code::kI64LtU, kAbsent, kAbsent}, {Code::kI32x4LtU, kAbsent}},  // kLtU
};
static_assert(std::size(kOps) == static_cast<size_t>(LaneOp::kLtU) + 1);

bool IsFloatKind(LaneKind kind) { return kind == LaneKind::kF32 || kind == LaneKind::kF64; }

// Conversions of one lane: from, to, code of signed and of unsigned integers.
struct ConvertRow {
  LaneKind from, to;
  Code code, code_unsigned;
};
using enum LaneKind;
constexpr ConvertRow kConversions[] = {
    {kI32, kI64, Code::kI64ExtendI32S, Code::kI64ExtendI32U},
    {kI64, kI32, Code::kI32WrapI64, Code::kI32WrapI64},
    {kI32, kF32, Code::kF32ConvertI32S, Code::kF32ConvertI32U},
    {kI64, kF32, Code::kF32ConvertI64S, Code::kF32ConvertI64U},
    {kI32, kF64, Code::kF64ConvertI32S, Code::kF64ConvertI32U},
    {kI64, kF64, Code::kF64ConvertI64S, Code::kF64ConvertI64U},
    {kF64, kF32, Code::kF32DemoteF64, Code::kF32DemoteF64},
    {kF32, kF64, Code::kF64PromoteF32, Code::kF64PromoteF32},
    {kF32, kI32, Code::kI32TruncSatF32S, Code::kI32TruncSatF32U},
    {kF64, kI32, Code::kI32TruncSatF64S, Code::kI32TruncSatF64U},
    {kF32, kI64, Code::kI64TruncSatF32S, Code::kI64TruncSatF32U},
    {kF64, kI64, Code::kI64TruncSatF64S, Code::kI64TruncSatF64U},
};
constexpr ConvertRow kConversionsOfFour[] = {
    {kI32, kF32, Code::kF32x4ConvertI32x4S, Code::kF32x4ConvertI32x4U},
    {kF32, kI32, Code::kI32x4TruncSatF32x4S, Code::kI32x4TruncSatF32x4U},
};

}  // namespace

std::optional<LaneKind> LaneKindOf(ElementType type) {
  if (type == ElementType::kPred) return kPred;
  if (type == ElementType::kF32) return kF32;
  if (type == ElementType::kF64) return kF64;
  if (!IsIntegral(type) || BitsOf(type) < 8) return std::nullopt;
  return BitsOf(type) == 64 ? kI64 : kI32;
}

CodeType LaneCode::TypeOf(LaneKind kind) const {
  if (is_vector()) return CodeType::kV128;
  switch (kind) {
    case kI64:
      return CodeType::kI64;
    case kF32:
      return CodeType::kF32;
    case kF64:
      return CodeType::kF64;
    default:
      return CodeType::kI32;
  }
}

LaneValue LaneCode::New(LaneKind kind) {
  if (!Has(kind)) Fail();
  return {writer_.NewLocal(TypeOf(kind)), kind};
}

// What is on the stack, in a local.
LaneValue LaneCode::Result(LaneKind kind) {
  const LaneValue value = New(kind);
  writer_.Set(value.local);
  return value;
}

void LaneCode::Assign(LaneValue to, LaneValue from) {
  writer_.Get(from.local);
  writer_.Set(to.local);
}

void LaneCode::WriteRow(LaneOp op, LaneKind kind) {
  const OpRow& row = kOps[static_cast<size_t>(op)];
  Code code = kAbsent;
  if (!is_vector()) {
    code = row.one[kind == kPred ? 0 : static_cast<size_t>(kind) - static_cast<size_t>(kI32)];
  } else if (Has(kind)) {
    code = row.four[kind == kF32 ? 1 : 0];
  }
  if (code == kAbsent) Fail();
  writer_.Write(code);
}

LaneValue LaneCode::Constant(LaneKind kind, double value) {
  switch (kind) {
    case kF32:
      writer_.F32(static_cast<float>(value));
      break;
    case kF64:
      writer_.F64(value);
      break;
    case kI64:
      writer_.I64(static_cast<int64_t>(value));
      break;
    default:
      writer_.I32(static_cast<int32_t>(value));
  }
  if (is_vector()) writer_.Write(kind == kF32 ? Code::kF32x4Splat : Code::kI32x4Splat);
  return Result(kind);
}

LaneValue LaneCode::Unary(LaneOp op, LaneValue a) {
  writer_.Get(a.local);
  WriteRow(op, a.kind);
  return Result(a.kind);
}

LaneValue LaneCode::Binary(LaneOp op, LaneValue a, LaneValue b) {
  writer_.Get(a.local);
  writer_.Get(b.local);
  WriteRow(op, a.kind);
  return Result(op >= LaneOp::kEq ? kPred : a.kind);
}

LaneValue LaneCode::Not(LaneValue pred) {
  writer_.Get(pred.local);
  writer_.Write(is_vector() ? Code::kV128Not : Code::kI32Eqz);
  return Result(kPred);
}

LaneValue LaneCode::Select(LaneValue pred, LaneValue on_true, LaneValue on_false) {
  writer_.Get(on_true.local);
  writer_.Get(on_false.local);
  writer_.Get(pred.local);
  writer_.Write(is_vector() ? Code::kV128Bitselect : Code::kSelect);
  return Result(on_true.kind);
}

LaneValue LaneCode::Convert(LaneValue a, LaneKind kind, bool is_unsigned) {
  if (a.kind == kind) return a;
  if (a.kind == kPred) {
    if (is_vector()) {  // a mask
      return Select(a, Constant(kind, 1), Constant(kind, 0));
    }
    const LaneValue number = {a.local, kI32};
    return kind == kI32 ? number : Convert(number, kind, /*is_unsigned=*/true);
  }
  writer_.Get(a.local);
  const auto write = [&](const auto& rows) {
    for (const ConvertRow& row : rows) {
      if (row.from == a.kind && row.to == kind) {
        return writer_.Write(is_unsigned ? row.code_unsigned : row.code);
      }
    }
    Fail();
  };
  if (is_vector()) {
    write(kConversionsOfFour);
  } else {
    write(kConversions);
  }
  return Result(kind);
}

LaneValue LaneCode::Reinterpret(LaneValue a, LaneKind kind) {
  if (a.kind == kind || is_vector()) return {a.local, kind};
  writer_.Get(a.local);
  const bool is_wide = kind == kI64 || kind == kF64;
  if (IsFloatKind(a.kind)) {
    writer_.Write(is_wide ? Code::kI64ReinterpretF64 : Code::kI32ReinterpretF32);
  } else {
    writer_.Write(is_wide ? Code::kF64ReinterpretI64 : Code::kF32ReinterpretI32);
  }
  return Result(kind);
}

LaneValue LaneCode::Wrap(LaneValue a, ElementType type) {
  const int bits = BitsOf(type);
  if (a.kind != kI32 || bits >= 32) return a;
  if (is_vector()) Fail();
  writer_.Get(a.local);
  if (IsSigned(type)) {
    writer_.Write(bits == 8 ? Code::kI32Extend8S : Code::kI32Extend16S);
  } else {
    writer_.I32((1 << bits) - 1);
    writer_.Write(Code::kI32And);
  }
  return Result(kI32);
}

void LaneCode::Load(ElementType type) {
  const LaneKind kind = *LaneKindOf(type);
  if (is_vector()) {
    if (kind != kPred) {
      if (BytesOf(type) != 4) Fail();
      return writer_.Memory(Code::kV128Load);
    }
    writer_.Memory(Code::kV128Load32Zero);
    writer_.Write(Code::kI16x8ExtendLowI8x16U);
    writer_.Write(Code::kI32x4ExtendLowI16x8U);
    writer_.I32(0);
    writer_.Write(Code::kI32x4Splat);
    return writer_.Write(Code::kI32x4Ne);
  }
  if (kind == kF32) return writer_.Memory(Code::kF32Load);
  if (kind == kF64) return writer_.Memory(Code::kF64Load);
  if (kind == kI64) return writer_.Memory(Code::kI64Load);
  const bool is_signed = IsSigned(type);
  switch (BytesOf(type)) {
    case 1:
      return writer_.Memory(is_signed ? Code::kI32Load8S : Code::kI32Load8U);
    case 2:
      return writer_.Memory(is_signed ? Code::kI32Load16S : Code::kI32Load16U);
    default:
      return writer_.Memory(Code::kI32Load);
  }
}

void LaneCode::LoadForAll(ElementType type) {
  if (!is_vector()) return Load(type);
  if (type != ElementType::kPred) return writer_.Memory(Code::kV128Load32Splat);
  writer_.Memory(Code::kI32Load8U);
  writer_.Write(Code::kI32x4Splat);
  writer_.I32(0);
  writer_.Write(Code::kI32x4Splat);
  writer_.Write(Code::kI32x4Ne);
}

void LaneCode::Store(uint32_t address, LaneValue value, ElementType type) {
  writer_.Get(address);
  writer_.Get(value.local);
  if (is_vector()) {
    if (value.kind != kPred) return writer_.Memory(Code::kV128Store);
    // Masks to bytes of 0 and 1.
    writer_.I32(1);
    writer_.Write(Code::kI32x4Splat);
    writer_.Write(Code::kV128And);
    const uint32_t narrow = writer_.NewLocal(CodeType::kV128);
    for (Code code : {Code::kI16x8NarrowI32x4S, Code::kI8x16NarrowI16x8S}) {
      writer_.Set(narrow);
      writer_.Get(narrow);
      writer_.Get(narrow);
      writer_.Write(code);
    }
    return writer_.MemoryLane(Code::kV128Store32Lane, 0);
  }
  if (value.kind == kF32) return writer_.Memory(Code::kF32Store);
  if (value.kind == kF64) return writer_.Memory(Code::kF64Store);
  if (value.kind == kI64) return writer_.Memory(Code::kI64Store);
  switch (BytesOf(type)) {
    case 1:
      return writer_.Memory(Code::kI32Store8);
    case 2:
      return writer_.Memory(Code::kI32Store16);
    default:
      return writer_.Memory(Code::kI32Store);
  }
}

}  // namespace hlo
