#include "engine/codegen/lane_code.h"

#include <array>
#include <cstddef>

#include "engine/base/bits.h"

namespace hlo {
namespace {

// No instruction does it.
constexpr Code kAbsent{};

// By kind, i32, i64, f32, f64: of one lane, and of a vector.
struct OpRow {
  Code one[4];
  Code vector[4];
};

constexpr OpRow kOps[] = {
    {{Code::kI32Add, Code::kI64Add, Code::kF32Add, Code::kF64Add},
     {Code::kI32x4Add, Code::kI64x2Add, Code::kF32x4Add, Code::kF64x2Add}},  // kAdd
    {{Code::kI32Sub, Code::kI64Sub, Code::kF32Sub, Code::kF64Sub},
     {Code::kI32x4Sub, Code::kI64x2Sub, Code::kF32x4Sub, Code::kF64x2Sub}},  // kSubtract
    {{Code::kI32Mul, Code::kI64Mul, Code::kF32Mul, Code::kF64Mul},
     {Code::kI32x4Mul, Code::kI64x2Mul, Code::kF32x4Mul, Code::kF64x2Mul}},  // kMultiply
    {{Code::kI32DivS, Code::kI64DivS, Code::kF32Div, Code::kF64Div},
     {kAbsent, kAbsent, Code::kF32x4Div, Code::kF64x2Div}},  // kDivide
    {{Code::kI32DivU, Code::kI64DivU, kAbsent, kAbsent},
     {kAbsent, kAbsent, kAbsent, kAbsent}},  // kDivideU
    {{Code::kI32RemS, Code::kI64RemS, kAbsent, kAbsent},
     {kAbsent, kAbsent, kAbsent, kAbsent}},  // kRemainder
    {{Code::kI32RemU, Code::kI64RemU, kAbsent, kAbsent},
     {kAbsent, kAbsent, kAbsent, kAbsent}},  // kRemainderU
    {{Code::kI32And, Code::kI64And, kAbsent, kAbsent},
     {Code::kV128And, Code::kV128And, Code::kV128And, Code::kV128And}},  // kAnd
    {{Code::kI32Or, Code::kI64Or, kAbsent, kAbsent},
     {Code::kV128Or, Code::kV128Or, Code::kV128Or, Code::kV128Or}},  // kOr
    {{Code::kI32Xor, Code::kI64Xor, kAbsent, kAbsent},
     {Code::kV128Xor, Code::kV128Xor, Code::kV128Xor, Code::kV128Xor}},  // kXor
    {{Code::kI32Shl, Code::kI64Shl, kAbsent, kAbsent},
     {Code::kI32x4Shl, Code::kI64x2Shl, kAbsent, kAbsent}},  // kShiftLeft
    {{Code::kI32ShrS, Code::kI64ShrS, kAbsent, kAbsent},
     {Code::kI32x4ShrS, Code::kI64x2ShrS, kAbsent, kAbsent}},  // kShiftRight
    {{Code::kI32ShrU, Code::kI64ShrU, kAbsent, kAbsent},
     {Code::kI32x4ShrU, Code::kI64x2ShrU, kAbsent, kAbsent}},  // kShiftRightU
    {{kAbsent, kAbsent, Code::kF32Neg, Code::kF64Neg},
     {Code::kI32x4Neg, Code::kI64x2Neg, Code::kF32x4Neg, Code::kF64x2Neg}},  // kNegate
    {{kAbsent, kAbsent, Code::kF32Abs, Code::kF64Abs},
     {Code::kI32x4Abs, Code::kI64x2Abs, Code::kF32x4Abs, Code::kF64x2Abs}},  // kAbs
    {{kAbsent, kAbsent, Code::kF32Sqrt, Code::kF64Sqrt},
     {kAbsent, kAbsent, Code::kF32x4Sqrt, Code::kF64x2Sqrt}},  // kSqrt
    {{kAbsent, kAbsent, Code::kF32Floor, Code::kF64Floor},
     {kAbsent, kAbsent, Code::kF32x4Floor, Code::kF64x2Floor}},  // kFloor
    {{kAbsent, kAbsent, Code::kF32Ceil, Code::kF64Ceil},
     {kAbsent, kAbsent, Code::kF32x4Ceil, Code::kF64x2Ceil}},  // kCeil
    {{kAbsent, kAbsent, Code::kF32Trunc, Code::kF64Trunc},
     {kAbsent, kAbsent, Code::kF32x4Trunc, Code::kF64x2Trunc}},  // kTruncate
    {{kAbsent, kAbsent, Code::kF32Nearest, Code::kF64Nearest},
     {kAbsent, kAbsent, Code::kF32x4Nearest, Code::kF64x2Nearest}},  // kNearest
    {{kAbsent, kAbsent, kAbsent, kAbsent},
     {kAbsent, kAbsent, Code::kF32x4Pmin, Code::kF64x2Pmin}},  // kPmin
    {{kAbsent, kAbsent, kAbsent, kAbsent},
     {kAbsent, kAbsent, Code::kF32x4Pmax, Code::kF64x2Pmax}},  // kPmax
    {{Code::kI32Clz, Code::kI64Clz, kAbsent, kAbsent},
     {kAbsent, kAbsent, kAbsent, kAbsent}},  // kCountLeadingZeros
    {{Code::kI32Popcnt, Code::kI64Popcnt, kAbsent, kAbsent},
     {kAbsent, kAbsent, kAbsent, kAbsent}},  // kPopcnt
    {{Code::kI32Eq, Code::kI64Eq, Code::kF32Eq, Code::kF64Eq},
     {Code::kI32x4Eq, Code::kI64x2Eq, Code::kF32x4Eq, Code::kF64x2Eq}},  // kEq
    {{Code::kI32Ne, Code::kI64Ne, Code::kF32Ne, Code::kF64Ne},
     {Code::kI32x4Ne, Code::kI64x2Ne, Code::kF32x4Ne, Code::kF64x2Ne}},  // kNe
    {{Code::kI32GeS, Code::kI64GeS, Code::kF32Ge, Code::kF64Ge},
     {Code::kI32x4GeS, Code::kI64x2GeS, Code::kF32x4Ge, Code::kF64x2Ge}},  // kGe
    {{Code::kI32GtS, Code::kI64GtS, Code::kF32Gt, Code::kF64Gt},
     {Code::kI32x4GtS, Code::kI64x2GtS, Code::kF32x4Gt, Code::kF64x2Gt}},  // kGt
    {{Code::kI32LeS, Code::kI64LeS, Code::kF32Le, Code::kF64Le},
     {Code::kI32x4LeS, Code::kI64x2LeS, Code::kF32x4Le, Code::kF64x2Le}},  // kLe
    {{Code::kI32LtS, Code::kI64LtS, Code::kF32Lt, Code::kF64Lt},
     {Code::kI32x4LtS, Code::kI64x2LtS, Code::kF32x4Lt, Code::kF64x2Lt}},  // kLt
    {{Code::kI32GeU, Code::kI64GeU, kAbsent, kAbsent},
     {Code::kI32x4GeU, kAbsent, kAbsent, kAbsent}},  // kGeU
    {{Code::kI32GtU, Code::kI64GtU, kAbsent, kAbsent},
     {Code::kI32x4GtU, kAbsent, kAbsent, kAbsent}},  // kGtU
    {{Code::kI32LeU, Code::kI64LeU, kAbsent, kAbsent},
     {Code::kI32x4LeU, kAbsent, kAbsent, kAbsent}},  // kLeU
    {{Code::kI32LtU, Code::kI64LtU, kAbsent, kAbsent},
     {Code::kI32x4LtU, kAbsent, kAbsent, kAbsent}},  // kLtU
};
static_assert(std::size(kOps) == static_cast<size_t>(LaneOp::kLtU) + 1);

using enum LaneKind;

bool IsFloatKind(LaneKind kind) { return kind == kF32 || kind == kF64; }
bool IsPredKind(LaneKind kind) { return kind == kPred || kind == kWidePred; }
bool IsWideKind(LaneKind kind) { return kind == kWidePred || kind == kI64 || kind == kF64; }

size_t ColumnOf(LaneKind kind) {
  switch (kind) {
    case kI64:
    case kWidePred:
      return 1;
    case kF32:
      return 2;
    case kF64:
      return 3;
    default:
      return 0;
  }
}

// Instructions on one lane of a vector, and the vector of one number, by column.
struct VectorRow {
  Code splat, extract, replace;
};
constexpr VectorRow kVectors[] = {
    {Code::kI32x4Splat, Code::kI32x4ExtractLane, Code::kI32x4ReplaceLane},
    {Code::kI64x2Splat, Code::kI64x2ExtractLane, Code::kI64x2ReplaceLane},
    {Code::kF32x4Splat, Code::kF32x4ExtractLane, Code::kF32x4ReplaceLane},
    {Code::kF64x2Splat, Code::kF64x2ExtractLane, Code::kF64x2ReplaceLane},
};

// Conversions: from, to, code of signed and of unsigned integers.
struct ConvertRow {
  LaneKind from, to;
  Code code, code_unsigned;
};
// Of one lane.
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
// Of vectors: of the low half of one to all of another, or the other way around.
constexpr ConvertRow kVectorConversions[] = {
    {kI32, kF32, Code::kF32x4ConvertI32x4S, Code::kF32x4ConvertI32x4U},
    {kF32, kI32, Code::kI32x4TruncSatF32x4S, Code::kI32x4TruncSatF32x4U},
    {kI32, kI64, Code::kI64x2ExtendLowI32x4S, Code::kI64x2ExtendLowI32x4U},
    {kPred, kWidePred, Code::kI64x2ExtendLowI32x4S, Code::kI64x2ExtendLowI32x4S},
    {kI32, kF64, Code::kF64x2ConvertLowI32x4S, Code::kF64x2ConvertLowI32x4U},
    {kF32, kF64, Code::kF64x2PromoteLowF32x4, Code::kF64x2PromoteLowF32x4},
    {kF64, kF32, Code::kF32x4DemoteF64x2Zero, Code::kF32x4DemoteF64x2Zero},
    {kF64, kI32, Code::kI32x4TruncSatF64x2SZero, Code::kI32x4TruncSatF64x2UZero},
};

template <size_t kRows>
const ConvertRow* FindRow(const ConvertRow (&rows)[kRows], LaneKind from, LaneKind to) {
  for (const ConvertRow& row : rows) {
    if (row.from == from && row.to == to) return &row;
  }
  return nullptr;
}

// Bytes of a shuffle: 4-byte words, by their numbers in both vectors.
std::array<uint8_t, 16> Words(const std::array<uint8_t, 4>& words) {
  std::array<uint8_t, 16> bytes{};
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<uint8_t>(4 * words[i / 4] + i % 4);
  }
  return bytes;
}

// The low bits in every lane.
VectorBytes Repeated(uint64_t bits, bool is_wide) {
  VectorBytes bytes{};
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<uint8_t>(bits >> (8 * (i % (is_wide ? 8 : 4))));
  }
  return bytes;
}

}  // namespace

LaneOp UnsignedOf(LaneOp op) {
  switch (op) {
    case LaneOp::kDivide:
      return LaneOp::kDivideU;
    case LaneOp::kRemainder:
      return LaneOp::kRemainderU;
    case LaneOp::kShiftRight:
      return LaneOp::kShiftRightU;
    case LaneOp::kGe:
      return LaneOp::kGeU;
    case LaneOp::kGt:
      return LaneOp::kGtU;
    case LaneOp::kLe:
      return LaneOp::kLeU;
    case LaneOp::kLt:
      return LaneOp::kLtU;
    default:
      return op;
  }
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

uint32_t LaneCode::PartsOf(LaneKind kind) const {
  if (!is_vector()) return 1;
  return static_cast<uint32_t>(lanes_) / (IsWideKind(kind) ? 2 : 4);
}

LaneCode* LaneCode::OneLane() {
  if (!one_) one_ = std::make_unique<LaneCode>(&writer_, 1);
  return one_.get();
}

LaneValue LaneCode::New(LaneKind kind) {
  LaneValue value{writer_.NewLocal(TypeOf(kind)), kind};
  for (uint32_t part = 1; part < PartsOf(kind); ++part) writer_.NewLocal(TypeOf(kind));
  return value;
}

void LaneCode::Assign(LaneValue to, LaneValue from) {
  for (uint32_t part = 0; part < PartsOf(to.kind); ++part) {
    writer_.Get(from.local + part);
    writer_.Set(to.local + part);
  }
}

void LaneCode::WriteRow(LaneOp op, LaneKind kind) {
  const OpRow& row = kOps[static_cast<size_t>(op)];
  const Code code = (is_vector() ? row.vector : row.one)[ColumnOf(kind)];
  if (code == kAbsent) Fail();
  writer_.Write(code);
}

void LaneCode::PushConstant(LaneKind kind, uint64_t bits) {
  switch (kind) {
    case kF32:
      writer_.F32(BitCast<float>(static_cast<uint32_t>(bits)));
      break;
    case kF64:
      writer_.F64(BitCast<double>(bits));
      break;
    case kI64:
      writer_.I64(static_cast<int64_t>(bits));
      break;
    default:
      writer_.I32(static_cast<int32_t>(static_cast<uint32_t>(bits)));
  }
}

LaneValue LaneCode::ConstantOfBits(LaneKind kind, uint64_t bits) {
  const auto [at, is_new] = constants_.try_emplace({kind, bits});
  if (!is_new) return at->second;
  const LaneValue value = New(kind);
  writer_.AtStart([&] {
    if (is_vector()) {
      writer_.Vector(Repeated(bits, IsWideKind(kind)));
    } else {
      PushConstant(kind, bits);
    }
    writer_.Set(value.local);
    for (uint32_t part = 1; part < PartsOf(kind); ++part) {
      writer_.Get(value.local);
      writer_.Set(value.local + part);
    }
  });
  at->second = value;
  return value;
}

LaneValue LaneCode::Constant(LaneKind kind, double value) {
  switch (kind) {
    case kF32:
      return ConstantOfBits(kind, BitCast<uint32_t>(static_cast<float>(value)));
    case kF64:
      return ConstantOfBits(kind, BitCast<uint64_t>(value));
    case kI64:
      return ConstantOfBits(kind, static_cast<uint64_t>(static_cast<int64_t>(value)));
    default:
      return ConstantOfBits(kind, static_cast<uint32_t>(static_cast<int64_t>(value)));
  }
}

LaneValue LaneCode::Unary(LaneOp op, LaneValue a) {
  if (is_vector() && IsFloatKind(a.kind) && (op == LaneOp::kAbs || op == LaneOp::kNegate)) {
    // By a constant: V8 would make one of its own each time.
    const uint64_t sign = a.kind == kF64 ? uint64_t{1} << 63 : uint64_t{1} << 31;
    if (op == LaneOp::kAbs) return Binary(LaneOp::kAnd, a, ConstantOfBits(a.kind, sign - 1));
    return Binary(LaneOp::kXor, a, ConstantOfBits(a.kind, sign));
  }
  return Parts(a.kind, [&](uint32_t part) {
    writer_.Get(a.local + part);
    WriteRow(op, a.kind);
  });
}

LaneValue LaneCode::Binary(LaneOp op, LaneValue a, LaneValue b) {
  if (IsPredKind(a.kind) && a.kind != b.kind) {
    a = Narrow(a);
    b = Narrow(b);
  }
  const bool is_shift = is_vector() && op >= LaneOp::kShiftLeft && op <= LaneOp::kShiftRightU;
  if (is_shift && b.uniform < 0) {
    Fail();
    return New(a.kind);
  }
  LaneKind result = a.kind;
  if (op >= LaneOp::kEq) result = is_vector() && IsWideKind(a.kind) ? kWidePred : kPred;
  return Parts(result, [&](uint32_t part) {
    writer_.Get(a.local + part);
    writer_.Get(is_shift ? static_cast<uint32_t>(b.uniform) : b.local + part);
    WriteRow(op, a.kind);
  });
}

LaneValue LaneCode::ShiftBy(LaneOp op, LaneValue a, int amount) {
  return Parts(a.kind, [&](uint32_t part) {
    writer_.Get(a.local + part);
    // Vectors are shifted by an i32.
    PushConstant(is_vector() ? kI32 : a.kind, static_cast<uint64_t>(amount));
    WriteRow(op, a.kind);
  });
}

LaneValue LaneCode::RelaxedMultiplyAdd(LaneValue a, LaneValue b, LaneValue c) {
  const bool is_double = c.kind == kF64;
  const VectorRow& row = kVectors[ColumnOf(c.kind)];
  return Parts(c.kind, [&](uint32_t part) {
    for (const LaneValue& value : {a, b, c}) {
      writer_.Get(value.local + part);
      if (!is_vector()) writer_.Write(row.splat);
    }
    writer_.Write(is_double ? Code::kF64x2RelaxedMadd : Code::kF32x4RelaxedMadd);
    if (!is_vector()) writer_.Lane(row.extract, 0);
  });
}

LaneValue LaneCode::Not(LaneValue pred) {
  return Parts(pred.kind, [&](uint32_t part) {
    writer_.Get(pred.local + part);
    writer_.Write(is_vector() ? Code::kV128Not : Code::kI32Eqz);
  });
}

LaneValue LaneCode::Select(LaneValue pred, LaneValue on_true, LaneValue on_false) {
  if (IsPredKind(on_true.kind) && on_true.kind != on_false.kind) {
    on_true = Narrow(on_true);
    on_false = Narrow(on_false);
  }
  const LaneValue mask = MaskFor(pred, on_true.kind);
  return Parts(on_true.kind, [&](uint32_t part) {
    writer_.Get(on_true.local + part);
    writer_.Get(on_false.local + part);
    writer_.Get(mask.local + part);
    writer_.Write(is_vector() ? Code::kV128Bitselect : Code::kSelect);
  });
}

// A predicate as the mask for lanes of a kind.
LaneValue LaneCode::MaskFor(LaneValue pred, LaneKind kind) {
  if (!is_vector() || IsWideKind(pred.kind) == IsWideKind(kind)) return pred;
  return IsWideKind(kind) ? ConvertVector(pred, kWidePred, false) : Narrow(pred);
}

LaneValue LaneCode::Narrow(LaneValue pred) {
  if (pred.kind != kWidePred) return pred;
  return Joined(kPred, /*is_low=*/false, [&](uint32_t part) { writer_.Get(pred.local + part); });
}

void LaneCode::PushAny(LaneValue pred) {
  writer_.Get(pred.local);
  if (!is_vector()) return;
  for (uint32_t part = 1; part < PartsOf(pred.kind); ++part) {
    writer_.Get(pred.local + part);
    writer_.Write(Code::kV128Or);
  }
  writer_.Write(Code::kV128AnyTrue);
}

// Every vector from two: their low halves, or each second word of them.
template <typename Push>
LaneValue LaneCode::Joined(LaneKind kind, bool is_low, Push push) {
  return Parts(kind, [&](uint32_t part) {
    push(2 * part);
    push(2 * part + 1);
    writer_.Shuffle(is_low ? Words({0, 1, 4, 5}) : Words({0, 2, 4, 6}));
  });
}

// The high half of a vector, as the low one.
void LaneCode::PushHigh(uint32_t local) {
  writer_.Get(local);
  writer_.Get(local);
  writer_.Shuffle(Words({2, 3, 2, 3}));
}

LaneValue LaneCode::Convert(LaneValue a, LaneKind kind, bool is_unsigned) {
  if (a.kind == kind) return a;
  if (IsPredKind(a.kind) && !is_vector()) {
    const LaneValue number = {a.local, kI32};
    return kind == kI32 ? number : Convert(number, kind, /*is_unsigned=*/true);
  }
  if (IsPredKind(a.kind)) return Select(a, Constant(kind, 1), Constant(kind, 0));
  if (is_vector()) return ConvertVector(a, kind, is_unsigned);
  return Parts(kind, [&](uint32_t) {
    const ConvertRow* const row = FindRow(kConversions, a.kind, kind);
    writer_.Get(a.local);
    if (!row) return Fail();
    writer_.Write(is_unsigned ? row->code_unsigned : row->code);
  });
}

LaneValue LaneCode::ConvertVector(LaneValue a, LaneKind kind, bool is_unsigned) {
  if (a.kind == kI64 && kind == kI32) {
    return Joined(kind, /*is_low=*/false, [&](uint32_t part) { writer_.Get(a.local + part); });
  }
  const ConvertRow* const row = FindRow(kVectorConversions, a.kind, kind);
  if (!row) {
    return ByLane(kind, {&a, 1}, [&](LaneCode* one, std::span<const LaneValue> args) {
      return one->Convert(args[0], kind, is_unsigned);
    });
  }
  const Code code = is_unsigned ? row->code_unsigned : row->code;
  if (IsWideKind(a.kind)) {
    return Joined(kind, /*is_low=*/true, [&](uint32_t part) {
      writer_.Get(a.local + part);
      writer_.Write(code);
    });
  }
  return Parts(kind, [&](uint32_t part) {
    const uint32_t from = a.local + (IsWideKind(kind) ? part / 2 : part);
    if (IsWideKind(kind) && part % 2 != 0) {
      PushHigh(from);
    } else {
      writer_.Get(from);
    }
    writer_.Write(code);
  });
}

LaneValue LaneCode::Reinterpret(LaneValue a, LaneKind kind) {
  if (a.kind == kind || is_vector()) return {a.local, kind, a.uniform};
  return Parts(kind, [&](uint32_t) {
    writer_.Get(a.local);
    const bool is_wide = IsWideKind(kind);
    if (IsFloatKind(a.kind)) {
      writer_.Write(is_wide ? Code::kI64ReinterpretF64 : Code::kI32ReinterpretF32);
    } else {
      writer_.Write(is_wide ? Code::kF64ReinterpretI64 : Code::kF32ReinterpretI32);
    }
  });
}

LaneValue LaneCode::Wrap(LaneValue a, ElementType type) {
  const int bits = BitsOf(type);
  if (a.kind != kI32 || bits >= 32) return a;
  if (IsSigned(type)) {
    return ShiftBy(LaneOp::kShiftRight, ShiftBy(LaneOp::kShiftLeft, a, 32 - bits), 32 - bits);
  }
  return Binary(LaneOp::kAnd, a, Constant(kI32, (1 << bits) - 1));
}

LaneValue LaneCode::Call(uint32_t function, std::span<const LaneValue> args, LaneKind result) {
  return Parts(result, [&](uint32_t) {
    for (const LaneValue& arg : args) writer_.Get(arg.local);
    writer_.Call(function);
  });
}

LaneValue LaneCode::Splat(LaneValue one, LaneKind kind) {
  LaneValue value = New(kind);
  if (kind == kPred) writer_.I32(0);
  writer_.Get(one.local);
  if (kind == kPred) writer_.Write(Code::kI32Sub);
  writer_.Write(kVectors[ColumnOf(kind)].splat);
  writer_.Set(value.local);
  for (uint32_t part = 1; part < PartsOf(kind); ++part) {
    writer_.Get(value.local);
    writer_.Set(value.local + part);
  }
  if (kind == kI32 || kind == kI64) value.uniform = OneLane()->Convert(one, kI32, false).local;
  return value;
}

LaneValue LaneCode::From(LaneValue value, int lane) const {
  const int per_part = IsWideKind(value.kind) ? 2 : 4;
  return {value.local + static_cast<uint32_t>(lane / per_part), value.kind, value.uniform};
}

LaneValue LaneCode::Extract(LaneValue value, int lane) {
  value = Narrow(value);
  const int per_part = IsWideKind(value.kind) ? 2 : 4;
  return OneLane()->Parts(value.kind, [&](uint32_t) {
    writer_.Get(value.local + static_cast<uint32_t>(lane / per_part));
    writer_.Lane(kVectors[ColumnOf(value.kind)].extract, static_cast<uint8_t>(lane % per_part));
    if (value.kind != kPred) return;
    writer_.I32(1);
    writer_.Write(Code::kI32And);
  });
}

LaneValue LaneCode::Folded(LaneOp op, LaneValue value) {
  constexpr int kWords = 4;
  const LaneValue all = {writer_.NewLocal(CodeType::kV128), value.kind};
  const auto fold = [&](auto push) {
    writer_.Get(all.local);
    push();
    WriteRow(op, value.kind);
    writer_.Set(all.local);
  };
  writer_.Get(value.local);
  writer_.Set(all.local);
  for (uint32_t part = 1; part < PartsOf(value.kind); ++part) {
    fold([&] { writer_.Get(value.local + part); });
  }
  for (int words = IsWideKind(value.kind) ? kWords / 2 : 1; words < kWords; words *= 2) {
    fold([&] {
      writer_.Get(all.local);
      writer_.Get(all.local);
      writer_.Shuffle(words == 1 ? Words({1, 0, 3, 2}) : Words({2, 3, 0, 1}));
    });
  }
  return Extract(all, 0);
}

// Lanes come in order: the first of a vector makes it.
void LaneCode::Insert(LaneValue one, int lane, LaneValue value) {
  const int per_part = IsWideKind(value.kind) ? 2 : 4;
  const uint32_t local = value.local + static_cast<uint32_t>(lane / per_part);
  const int place = lane % per_part;
  if (place > 0) writer_.Get(local);
  if (value.kind == kPred) writer_.I32(0);
  writer_.Get(one.local);
  if (value.kind == kPred) writer_.Write(Code::kI32Sub);
  const VectorRow& row = kVectors[ColumnOf(value.kind)];
  if (place > 0) {
    writer_.Lane(row.replace, static_cast<uint8_t>(place));
  } else {
    writer_.Write(row.splat);
  }
  writer_.Set(local);
}

}  // namespace hlo
