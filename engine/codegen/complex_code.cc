#include "engine/codegen/complex_code.h"

#include <algorithm>
#include <array>
#include <limits>

#include "engine/codegen/function_pool.h"
#include "engine/codegen/lane.h"
#include "engine/lanes/float_functions.h"

namespace hlo {
namespace {

using enum LaneKind;

LaneKind PartKind(ElementType type) { return type == ElementType::kC64 ? kF32 : kF64; }
ElementType PartType(ElementType type) {
  return type == ElementType::kC64 ? ElementType::kF32 : ElementType::kF64;
}

/// Products and what C's Annex G.5.1 makes of infinities that came out as NaN.
class Product {
 public:
  Product(const LanePair& x, const LanePair& y, LaneCode* code)
      : code_(*code),
        kind_(x.real.kind),
        a_(x.real),
        b_(x.imaginary),
        c_(y.real),
        d_(y.imaginary) {}

  LanePair Run() {
    const LaneValue ac = Times(a_, c_), bd = Times(b_, d_), ad = Times(a_, d_), bc = Times(b_, c_);
    const LanePair plain = {Op(LaneOp::kSubtract, ac, bd), Op(LaneOp::kAdd, ad, bc)};
    const LanePair result = {code_.New(kind_), code_.New(kind_)};
    code_.Assign(result.real, plain.real);
    code_.Assign(result.imaginary, plain.imaginary);
    const LaneValue lost = And(IsNan(plain.real), IsNan(plain.imaginary));
    code_.PushAny(lost);
    code_.writer().Open(Code::kIf);
    Recover(lost, AnyInfinite({ac, bd, ad, bc}), result);
    code_.writer().Write(Code::kEnd);
    return result;
  }

 private:
  LaneValue Op(LaneOp op, LaneValue x, LaneValue y) { return code_.Binary(op, x, y); }
  LaneValue Times(LaneValue x, LaneValue y) { return Op(LaneOp::kMultiply, x, y); }
  LaneValue And(LaneValue x, LaneValue y) { return Op(LaneOp::kAnd, x, y); }
  LaneValue Or(LaneValue x, LaneValue y) { return Op(LaneOp::kOr, x, y); }
  LaneValue IsNan(LaneValue x) { return Op(LaneOp::kNe, x, x); }
  LaneValue Number(double value) { return code_.Constant(kind_, value); }
  LaneValue IsInfinite(LaneValue x) {
    return Op(LaneOp::kEq, code_.Unary(LaneOp::kAbs, x),
              Number(std::numeric_limits<double>::infinity()));
  }
  LaneValue AnyInfinite(std::array<LaneValue, 4> values) {
    return Or(Or(IsInfinite(values[0]), IsInfinite(values[1])),
              Or(IsInfinite(values[2]), IsInfinite(values[3])));
  }

  // The magnitude with the sign of x.
  LaneValue WithSign(LaneValue magnitude, LaneValue x) {
    const LaneKind bits = kind_ == kF32 ? kI32 : kI64;
    const LaneValue sign =
        And(code_.Reinterpret(x, bits),
            code_.ConstantOfBits(bits, uint64_t{1} << (kind_ == kF32 ? 31 : 63)));
    return code_.Reinterpret(Or(code_.Reinterpret(magnitude, bits), sign), kind_);
  }
  // 1 of an infinity, 0 of others.
  LaneValue Unit(LaneValue x) {
    return WithSign(code_.Select(IsInfinite(x), Number(1), Number(0)), x);
  }
  LaneValue WithoutNan(LaneValue x) { return code_.Select(IsNan(x), WithSign(Number(0), x), x); }
  // Of both factors, where `is_infinite` is the first one.
  void Settle(LaneValue is_infinite, LaneValue* x, LaneValue* y, LaneValue* u, LaneValue* v) {
    *x = code_.Select(is_infinite, Unit(*x), *x);
    *y = code_.Select(is_infinite, Unit(*y), *y);
    *u = code_.Select(is_infinite, WithoutNan(*u), *u);
    *v = code_.Select(is_infinite, WithoutNan(*v), *v);
  }

  void Recover(LaneValue lost, LaneValue overflows, const LanePair& result) {
    LaneValue a = a_, b = b_, c = c_, d = d_;
    const LaneValue first = Or(IsInfinite(a), IsInfinite(b));
    Settle(first, &a, &b, &c, &d);
    const LaneValue second = Or(IsInfinite(c), IsInfinite(d));
    Settle(second, &c, &d, &a, &b);
    const LaneValue either = Or(first, second);
    const LaneValue third = And(overflows, code_.Not(either));
    for (LaneValue* x : {&a, &b, &c, &d}) *x = code_.Select(third, WithoutNan(*x), *x);
    const LaneValue recovers = And(lost, Or(either, third));
    const LaneValue infinity = Number(std::numeric_limits<double>::infinity());
    const LaneValue real = Op(LaneOp::kSubtract, Times(a, c), Times(b, d));
    const LaneValue imaginary = Op(LaneOp::kAdd, Times(a, d), Times(b, c));
    code_.Assign(result.real, code_.Select(recovers, Times(infinity, real), result.real));
    code_.Assign(result.imaginary,
                 code_.Select(recovers, Times(infinity, imaginary), result.imaginary));
  }

  LaneCode& code_;
  const LaneKind kind_;
  const LaneValue a_, b_, c_, d_;  // of (a + bi) (c + di)
};

class ComplexLowering {
 public:
  ComplexLowering(const RegionStep& step, std::span<const LanePair> args, LaneCode* code)
      : step_(step), args_(args), code_(*code) {}

  LanePair Run() {
    if (step_.loop.comparison) return Comparison();
    switch (*step_.opcode) {
      case Opcode::kCopy:
        return x();
      case Opcode::kReal:
        return {x().real};
      case Opcode::kImag:
        return {x().imaginary};
      case Opcode::kComplex:
        return {x().real, y().real};
      case Opcode::kAbs:
        return Size();
      case Opcode::kNegate:
        return Each([&](LaneValue part) { return code_.Unary(LaneOp::kNegate, part); });
      case Opcode::kAdd:
        return Both(LaneOp::kAdd);
      case Opcode::kSubtract:
        return Both(LaneOp::kSubtract);
      case Opcode::kMultiply:
        return Product(x(), y(), &code_).Run();
      case Opcode::kConvert:
        return Convert();
      case Opcode::kSelect:
        return {code_.Select(args_[0].real, args_[1].real, args_[2].real),
                code_.Select(args_[0].real, args_[1].imaginary, args_[2].imaginary)};
      default:
        return {};
    }
  }

 private:
  const LanePair& x() const { return args_[0]; }
  const LanePair& y() const { return args_[1]; }

  template <typename Operation>
  LanePair Each(Operation operation) {
    return {operation(x().real), operation(x().imaginary)};
  }
  LanePair Both(LaneOp op) {
    return {code_.Binary(op, x().real, y().real), code_.Binary(op, x().imaginary, y().imaginary)};
  }

  LanePair Comparison() {
    const bool is_equal = step_.loop.comparison->direction == Direction::kEq;
    const LanePair parts = Both(is_equal ? LaneOp::kEq : LaneOp::kNe);
    return {code_.Binary(is_equal ? LaneOp::kAnd : LaneOp::kOr, parts.real, parts.imaginary)};
  }

  // Of parts that are f32.
  LanePair Size() {
    using Part = lanes::Lane<float>;
    return {lanes::Hypot(Part{&code_, x().real}, Part{&code_, x().imaginary}).value};
  }

  LanePair Convert() {
    const LaneKind kind = PartKind(step_.loop.result);
    if (!IsComplex(step_.loop.operands[0])) {
      return {code_.Convert(x().real, kind, false), code_.Constant(kind, 0)};
    }
    return Each([&](LaneValue part) { return code_.Convert(part, kind, false); });
  }

  const RegionStep& step_;
  std::span<const LanePair> args_;
  LaneCode& code_;
};

bool HasCode(ElementType type) {
  return IsComplex(type) || type == ElementType::kF32 || type == ElementType::kF64 ||
         type == ElementType::kPred;
}

/// The even or odd floats of two vectors.
std::array<uint8_t, 16> Alternate(int bytes, int first) {
  std::array<uint8_t, 16> numbers{};
  for (int i = 0; i < 16; ++i) {
    numbers[static_cast<size_t>(i)] =
        static_cast<uint8_t>((2 * (i / bytes) + first) * bytes + i % bytes);
  }
  return numbers;
}
/// Floats of two vectors by turns: of their lower halves, or of the upper ones.
std::array<uint8_t, 16> Interleaved(int bytes, bool upper) {
  std::array<uint8_t, 16> numbers{};
  const int skipped = upper ? 8 : 0;
  for (int i = 0; i < 16; ++i) {
    const int element = i / bytes;
    numbers[static_cast<size_t>(i)] =
        static_cast<uint8_t>((element % 2) * 16 + skipped + (element / 2) * bytes + i % bytes);
  }
  return numbers;
}

/// Vectors in a value of so many lanes.
uint32_t VectorsOf(LaneKind kind, int lanes) {
  return static_cast<uint32_t>(lanes) * (kind == kF32 ? 4 : 8) / 16;
}

LanePair LoadVectors(uint32_t address, LaneKind kind, LaneCode* code) {
  FunctionWriter& writer = code->writer();
  const LanePair value = {code->New(kind), code->New(kind)};
  const int bytes = kind == kF32 ? 4 : 8;
  for (uint32_t part = 0; part < VectorsOf(kind, code->lanes()); ++part) {
    uint32_t halves[2];
    for (uint32_t half = 0; half < 2; ++half) {
      halves[half] = writer.NewLocal(CodeType::kV128);
      writer.Get(address);
      writer.Memory(Code::kV128Load, 32 * part + 16 * half);
      writer.Set(halves[half]);
    }
    for (int k = 0; k < 2; ++k) {
      for (const uint32_t half : halves) writer.Get(half);
      writer.Shuffle(Alternate(bytes, k));
      writer.Set((k == 0 ? value.real : value.imaginary).local + part);
    }
  }
  return value;
}

void StoreVectors(uint32_t address, const LanePair& value, LaneCode* code) {
  FunctionWriter& writer = code->writer();
  const LaneKind kind = value.real.kind;
  const int bytes = kind == kF32 ? 4 : 8;
  for (uint32_t part = 0; part < VectorsOf(kind, code->lanes()); ++part) {
    for (uint32_t half = 0; half < 2; ++half) {
      writer.Get(address);
      writer.Get(value.real.local + part);
      writer.Get(value.imaginary.local + part);
      writer.Shuffle(Interleaved(bytes, half == 1));
      writer.Memory(Code::kV128Store, 32 * part + 16 * half);
    }
  }
}

}  // namespace

bool IsComplexStep(const RegionStep& step) {
  bool any = IsComplex(step.loop.result);
  for (int i = 0; i < step.loop.operand_count; ++i) any |= IsComplex(step.loop.operands[i]);
  return any;
}

namespace {

// Whether ComplexLowering has code for it.
bool HasComplexCode(const RegionStep& step) {
  if (!HasCode(step.loop.result)) return false;
  for (int i = 0; i < step.loop.operand_count; ++i) {
    if (!HasCode(step.loop.operands[i])) return false;
  }
  if (step.loop.comparison) {
    const Direction direction = step.loop.comparison->direction;
    return !step.loop.comparison->total &&
           (direction == Direction::kEq || direction == Direction::kNe);
  }
  if (!step.opcode) return false;
  switch (*step.opcode) {
    case Opcode::kCopy:
    case Opcode::kReal:
    case Opcode::kImag:
    case Opcode::kComplex:
    case Opcode::kNegate:
    case Opcode::kAdd:
    case Opcode::kSubtract:
    case Opcode::kMultiply:
    case Opcode::kSelect:
      return true;
    case Opcode::kConvert:
      return IsComplex(step.loop.result) && step.loop.operands[0] != ElementType::kPred;
    case Opcode::kAbs:
      return step.loop.operands[0] == ElementType::kC64;
    default:
      return false;
  }
}

}  // namespace

bool CanLowerComplex(const RegionStep& step, const FunctionPool* functions) {
  if (step.starts_loop >= 0 || step.on_rows) return false;
  return HasComplexCode(step) || (functions && functions->CanLower(step));
}

LanePair LowerComplexStep(const RegionStep& step, std::span<const LanePair> args, LaneCode* code) {
  FunctionPool* const functions = code->writer().functions();
  if (functions && !HasComplexCode(step)) return functions->Lower(step, args, code);
  return ComplexLowering(step, args, code).Run();
}

LanePair LowerComplexProduct(const LanePair& x, const LanePair& y, LaneCode* code) {
  return Product(x, y, code).Run();
}

LanePair NewPair(ElementType type, LaneCode* code) {
  if (!IsComplex(type)) return {code->New(*LaneKindOf(type))};
  return {code->New(PartKind(type)), code->New(PartKind(type))};
}

LanePair LoadPair(uint32_t address, ElementType type, LaneCode* code) {
  if (!IsComplex(type)) return {code->Load(address, type)};
  if (code->is_vector()) return LoadVectors(address, PartKind(type), code);
  LanePair value = NewPair(type, code);
  for (int k = 0; k < 2; ++k) {
    FunctionWriter& writer = code->writer();
    writer.Get(address);
    const uint32_t offset = k == 0 ? 0 : static_cast<uint32_t>(BytesOf(type) / 2);
    writer.Memory(type == ElementType::kC64 ? Code::kF32Load : Code::kF64Load, offset);
    writer.Set((k == 0 ? value.real : value.imaginary).local);
  }
  return value;
}

LanePair LoadPairForAll(uint32_t address, ElementType type, LaneCode* code) {
  const LaneValue real = code->LoadForAll(address, IsComplex(type) ? PartType(type) : type);
  if (!IsComplex(type)) return {real};
  FunctionWriter& writer = code->writer();
  const uint32_t second = writer.NewLocal(CodeType::kI32);
  writer.Get(address);
  writer.I32(BytesOf(type) / 2);
  writer.Write(Code::kI32Add);
  writer.Set(second);
  return {real, code->LoadForAll(second, PartType(type))};
}

void StorePair(uint32_t address, const LanePair& value, ElementType type, LaneCode* code) {
  if (!IsComplex(type)) return code->Store(address, value.real, type);
  if (code->is_vector()) return StoreVectors(address, value, code);
  for (int k = 0; k < 2; ++k) {
    FunctionWriter& writer = code->writer();
    writer.Get(address);
    writer.Get((k == 0 ? value.real : value.imaginary).local);
    const uint32_t offset = k == 0 ? 0 : static_cast<uint32_t>(BytesOf(type) / 2);
    writer.Memory(type == ElementType::kC64 ? Code::kF32Store : Code::kF64Store, offset);
  }
}

}  // namespace hlo
