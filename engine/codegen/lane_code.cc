#include "engine/codegen/lane_code.h"

#include <cstddef>

namespace hlo {
namespace {

// Codes by kind: of one lane i32, i64, f32, f64; of four i32, f32. 0: there is none.
struct OpRow {
  uint16_t one[4];
  uint16_t four[2];
};

constexpr OpRow kOps[] = {
    {{0x6a, 0x7c, 0x92, 0xa0}, {0xfdae, 0xfde4}},  // kAdd
    {{0x6b, 0x7d, 0x93, 0xa1}, {0xfdb1, 0xfde5}},  // kSubtract
    {{0x6c, 0x7e, 0x94, 0xa2}, {0xfdb5, 0xfde6}},  // kMultiply
    {{0x6d, 0x7f, 0x95, 0xa3}, {0, 0xfde7}},       // kDivide
    {{0x6e, 0x80, 0, 0}, {0, 0}},                  // kDivideU
    {{0x6f, 0x81, 0, 0}, {0, 0}},                  // kRemainder
    {{0x70, 0x82, 0, 0}, {0, 0}},                  // kRemainderU
    {{0x71, 0x83, 0, 0}, {0xfd4e, 0}},             // kAnd
    {{0x72, 0x84, 0, 0}, {0xfd50, 0}},             // kOr
    {{0x73, 0x85, 0, 0}, {0xfd51, 0}},             // kXor
    {{0x74, 0x86, 0, 0}, {0, 0}},                  // kShiftLeft
    {{0x75, 0x87, 0, 0}, {0, 0}},                  // kShiftRight
    {{0x76, 0x88, 0, 0}, {0, 0}},                  // kShiftRightU
    {{0, 0, 0x8c, 0x9a}, {0xfda1, 0xfde1}},        // kNegate
    {{0, 0, 0x8b, 0x99}, {0xfda0, 0xfde0}},        // kAbs
    {{0, 0, 0x91, 0x9f}, {0, 0xfde3}},             // kSqrt
    {{0, 0, 0x8e, 0x9c}, {0, 0xfd68}},             // kFloor
    {{0, 0, 0x8d, 0x9b}, {0, 0xfd67}},             // kCeil
    {{0, 0, 0x90, 0x9e}, {0, 0xfd6a}},             // kNearest
    {{0x67, 0x79, 0, 0}, {0, 0}},                  // kCountLeadingZeros
    {{0x69, 0x7b, 0, 0}, {0, 0}},                  // kPopcnt
    {{0x46, 0x51, 0x5b, 0x61}, {0xfd37, 0xfd41}},  // kEq
    {{0x47, 0x52, 0x5c, 0x62}, {0xfd38, 0xfd42}},  // kNe
    {{0x4e, 0x59, 0x60, 0x66}, {0xfd3f, 0xfd46}},  // kGe
    {{0x4a, 0x55, 0x5e, 0x64}, {0xfd3b, 0xfd44}},  // kGt
    {{0x4c, 0x57, 0x5f, 0x65}, {0xfd3d, 0xfd45}},  // kLe
    {{0x48, 0x53, 0x5d, 0x63}, {0xfd39, 0xfd43}},  // kLt
    {{0x4f, 0x5a, 0, 0}, {0xfd40, 0}},             // kGeU
    {{0x4b, 0x56, 0, 0}, {0xfd3c, 0}},             // kGtU
    {{0x4d, 0x58, 0, 0}, {0xfd3e, 0}},             // kLeU
    {{0x49, 0x54, 0, 0}, {0xfd3a, 0}},             // kLtU
};
static_assert(std::size(kOps) == static_cast<size_t>(LaneOp::kLtU) + 1);

bool IsFloatKind(LaneKind kind) { return kind == LaneKind::kF32 || kind == LaneKind::kF64; }

// Conversions of one lane: from, to, code of signed and of unsigned integers.
struct ConvertRow {
  LaneKind from, to;
  uint16_t code, code_unsigned;
};
using enum LaneKind;
constexpr ConvertRow kConversions[] = {
    {kI32, kI64, 0xac, 0xad},     {kI64, kI32, 0xa7, 0xa7},     {kI32, kF32, 0xb2, 0xb3},
    {kI64, kF32, 0xb4, 0xb5},     {kI32, kF64, 0xb7, 0xb8},     {kI64, kF64, 0xb9, 0xba},
    {kF64, kF32, 0xb6, 0xb6},     {kF32, kF64, 0xbb, 0xbb},     {kF32, kI32, 0xfc00, 0xfc01},
    {kF64, kI32, 0xfc02, 0xfc03}, {kF32, kI64, 0xfc04, 0xfc05}, {kF64, kI64, 0xfc06, 0xfc07},
};
constexpr ConvertRow kConversionsOfFour[] = {
    {kI32, kF32, 0xfdfa, 0xfdfb},
    {kF32, kI32, 0xfdf8, 0xfdf9},
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
  uint16_t code = 0;
  if (!is_vector()) {
    code = row.one[kind == kPred ? 0 : static_cast<size_t>(kind) - static_cast<size_t>(kI32)];
  } else if (Has(kind)) {
    code = row.four[kind == kF32 ? 1 : 0];
  }
  if (code == 0) Fail();
  writer_.WriteCode(code);
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
        return writer_.WriteCode(is_unsigned ? row.code_unsigned : row.code);
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
    writer_.WriteCode(is_wide ? 0xbd : 0xbc);
  } else {
    writer_.WriteCode(is_wide ? 0xbf : 0xbe);
  }
  return Result(kind);
}

LaneValue LaneCode::Wrap(LaneValue a, ElementType type) {
  const int bits = BitsOf(type);
  if (a.kind != kI32 || bits >= 32) return a;
  if (is_vector()) Fail();
  writer_.Get(a.local);
  if (IsSigned(type)) {
    writer_.WriteCode(bits == 8 ? 0xc0 : 0xc1);
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
