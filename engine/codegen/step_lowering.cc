#include "engine/codegen/step_lowering.h"

#include <limits>
#include <optional>

namespace hlo {
namespace {

// One step; semantics are those of engine/kernels/scalar_unary.h, scalar_binary.h and
// ternary_loops.cc.
class StepLowering {
 public:
  StepLowering(const RegionStep& step, std::span<const LaneValue> args, LaneCode* code)
      : step_(step), args_(args), code_(*code), type_(step.loop.operands[0]) {}

  LaneValue Run() {
    if (step_.loop.comparison) return Comparison();
    if (!step_.opcode) return Failed();
    switch (step_.loop.operand_count) {
      case 1:
        return Unary(*step_.opcode, a());
      case 2:
        return Binary(*step_.opcode, a(), b());
      default:
        return Ternary(*step_.opcode);
    }
  }

 private:
  LaneValue a() const { return args_[0]; }
  LaneValue b() const { return args_[1]; }
  LaneValue Failed() {
    code_.Fail();
    return {};
  }
  bool is_pred() const { return type_ == ElementType::kPred; }
  bool is_float() const { return IsFloat(type_); }
  // Of numbers without a sign.
  LaneOp Choose(LaneOp op, LaneOp of_unsigned) const {
    return IsUnsigned(type_) || is_pred() ? of_unsigned : op;
  }
  LaneValue Number(double value) { return code_.Constant(a().kind, value); }
  LaneValue Wrapped(LaneValue value) { return code_.Wrap(value, type_); }
  LaneValue Ge(LaneValue x, LaneValue y) {
    return code_.Binary(Choose(LaneOp::kGe, LaneOp::kGeU), x, y);
  }
  LaneValue Le(LaneValue x, LaneValue y) {
    return code_.Binary(Choose(LaneOp::kLe, LaneOp::kLeU), x, y);
  }
  LaneValue IsNan(LaneValue x) { return code_.Binary(LaneOp::kNe, x, x); }

  LaneValue Comparison() {
    if (step_.loop.comparison->total && is_float()) return Failed();
    const Direction direction = step_.loop.comparison->direction;
    if (is_pred() && code_.is_vector()) {
      // Masks.
      const LaneValue differ = code_.Binary(LaneOp::kXor, a(), b());
      if (direction == Direction::kNe) return differ;
      return direction == Direction::kEq ? code_.Not(differ) : Failed();
    }
    switch (direction) {
      case Direction::kEq:
        return code_.Binary(LaneOp::kEq, a(), b());
      case Direction::kNe:
        return code_.Binary(LaneOp::kNe, a(), b());
      case Direction::kGe:
        return Ge(a(), b());
      case Direction::kGt:
        return code_.Binary(Choose(LaneOp::kGt, LaneOp::kGtU), a(), b());
      case Direction::kLe:
        return Le(a(), b());
      default:
        return code_.Binary(Choose(LaneOp::kLt, LaneOp::kLtU), a(), b());
    }
  }

  // The first NaN, if any; of equal ones the first.
  LaneValue Maximum(LaneValue x, LaneValue y) {
    if (is_pred()) return code_.Binary(LaneOp::kOr, x, y);
    LaneValue first = Ge(x, y);
    if (is_float()) first = code_.Binary(LaneOp::kOr, first, IsNan(x));
    return code_.Select(first, x, y);
  }
  LaneValue Minimum(LaneValue x, LaneValue y) {
    if (is_pred()) return code_.Binary(LaneOp::kAnd, x, y);
    LaneValue first = Le(x, y);
    if (is_float()) first = code_.Binary(LaneOp::kOr, first, IsNan(x));
    return code_.Select(first, x, y);
  }

  // Of integers. By 0 and by -1 the machine would trap.
  LaneValue Quotient(bool is_remainder) {
    const LaneValue zero = Number(0), minus = Number(-1);
    const LaneValue by_zero = code_.Binary(LaneOp::kEq, b(), zero);
    LaneValue traps = by_zero;
    if (IsSigned(type_)) {
      const LaneValue by_minus = code_.Binary(LaneOp::kEq, b(), minus);
      traps = code_.Binary(LaneOp::kOr, by_zero, by_minus);
    }
    const LaneValue divisor = code_.Select(traps, Number(1), b());
    const LaneOp op = is_remainder ? Choose(LaneOp::kRemainder, LaneOp::kRemainderU)
                                   : Choose(LaneOp::kDivide, LaneOp::kDivideU);
    LaneValue result = code_.Binary(op, a(), divisor);
    if (IsSigned(type_)) {
      const LaneValue of_minus =
          is_remainder ? zero : Wrapped(code_.Binary(LaneOp::kSubtract, zero, a()));
      result = code_.Select(traps, of_minus, result);
    }
    return code_.Select(by_zero, is_remainder ? a() : Wrapped(minus), result);
  }

  // Amounts are unsigned: negative ones are too large.
  LaneValue Shift(Opcode opcode) {
    const int bits = BitsOf(type_);
    const LaneValue fits = code_.Binary(LaneOp::kLtU, b(), Number(bits));
    const LaneKind kind = a().kind;
    if (opcode == Opcode::kShiftLeft) {
      const LaneValue moved = Wrapped(code_.Binary(LaneOp::kShiftLeft, a(), b()));
      return code_.Select(fits, moved, code_.Constant(kind, 0));
    }
    const ElementType narrow = WithSign(opcode == Opcode::kShiftRightArithmetic);
    const LaneValue value = code_.Wrap(a(), narrow);
    if (opcode == Opcode::kShiftRightLogical) {
      const LaneValue moved = Wrapped(code_.Binary(LaneOp::kShiftRightU, value, b()));
      return code_.Select(fits, moved, code_.Constant(kind, 0));
    }
    const LaneValue amount = code_.Select(fits, b(), Number(bits - 1));
    return Wrapped(code_.Binary(LaneOp::kShiftRight, value, amount));
  }

  // The type of as many bits as the operand's that has a sign, or has none.
  ElementType WithSign(bool is_signed) const {
    switch (BitsOf(type_)) {
      case 8:
        return is_signed ? ElementType::kS8 : ElementType::kU8;
      case 16:
        return is_signed ? ElementType::kS16 : ElementType::kU16;
      default:
        return type_;  // wrapping it does nothing
    }
  }

  LaneValue Binary(Opcode opcode, LaneValue x, LaneValue y) {
    switch (opcode) {
      case Opcode::kAdd:
        return is_pred() ? code_.Binary(LaneOp::kOr, x, y)
                         : Wrapped(code_.Binary(LaneOp::kAdd, x, y));
      case Opcode::kSubtract:
        return is_pred() ? Failed() : Wrapped(code_.Binary(LaneOp::kSubtract, x, y));
      case Opcode::kMultiply:
        return is_pred() ? code_.Binary(LaneOp::kAnd, x, y)
                         : Wrapped(code_.Binary(LaneOp::kMultiply, x, y));
      case Opcode::kDivide:
        return is_float() ? code_.Binary(LaneOp::kDivide, x, y) : Quotient(false);
      case Opcode::kRemainder:
        return is_float() ? Failed() : Quotient(true);
      case Opcode::kMaximum:
        return Maximum(x, y);
      case Opcode::kMinimum:
        return Minimum(x, y);
      case Opcode::kAnd:
        return code_.Binary(LaneOp::kAnd, x, y);
      case Opcode::kOr:
        return code_.Binary(LaneOp::kOr, x, y);
      case Opcode::kXor:
        return code_.Binary(LaneOp::kXor, x, y);
      case Opcode::kShiftLeft:
      case Opcode::kShiftRightArithmetic:
      case Opcode::kShiftRightLogical:
        return Shift(opcode);
      default:
        return Failed();
    }
  }

  LaneValue Negated(LaneValue x) {
    if (is_float()) return code_.Unary(LaneOp::kNegate, x);
    return Wrapped(code_.Binary(LaneOp::kSubtract, Number(0), x));
  }

  LaneValue Sign(LaneValue x) {
    const LaneValue zero = Number(0);
    const LaneValue below = code_.Select(code_.Binary(LaneOp::kLt, x, zero), Number(-1), x);
    return code_.Select(code_.Binary(LaneOp::kGt, x, zero), Number(1), below);
  }

  LaneValue Unary(Opcode opcode, LaneValue x) {
    switch (opcode) {
      case Opcode::kCopy:
        return x;
      case Opcode::kConvert:
        return Convert(x);
      case Opcode::kBitcastConvert:
        if (BytesOf(type_) < 4) return Failed();
        return code_.Reinterpret(x, *LaneKindOf(step_.loop.result));
      case Opcode::kNot:
        return is_pred() ? code_.Not(x) : Wrapped(code_.Binary(LaneOp::kXor, x, Number(-1)));
      case Opcode::kNegate:
        return Negated(x);
      case Opcode::kAbs:
        if (is_float()) return code_.Unary(LaneOp::kAbs, x);
        return code_.Select(code_.Binary(LaneOp::kLt, x, Number(0)), Negated(x), x);
      case Opcode::kSign:
        return Sign(x);
      case Opcode::kPopcnt:
        return IsUnsigned(type_) || BitsOf(type_) >= 32 ? code_.Unary(LaneOp::kPopcnt, x)
                                                        : Failed();
      case Opcode::kCountLeadingZeros:
        return BitsOf(type_) >= 32 ? code_.Unary(LaneOp::kCountLeadingZeros, x) : Failed();
      default:
        return is_float() ? UnaryOfFloat(opcode, x) : Failed();
    }
  }

  LaneValue UnaryOfFloat(Opcode opcode, LaneValue x) {
    switch (opcode) {
      case Opcode::kSqrt:
        return code_.Unary(LaneOp::kSqrt, x);
      case Opcode::kRsqrt:
        return code_.Binary(LaneOp::kDivide, Number(1), code_.Unary(LaneOp::kSqrt, x));
      case Opcode::kFloor:
        return code_.Unary(LaneOp::kFloor, x);
      case Opcode::kCeil:
        return code_.Unary(LaneOp::kCeil, x);
      case Opcode::kRoundNearestEven:
        return code_.Unary(LaneOp::kNearest, x);
      case Opcode::kIsFinite:
        return code_.Binary(LaneOp::kLt, code_.Unary(LaneOp::kAbs, x),
                            Number(std::numeric_limits<double>::infinity()));
      default:
        return Failed();
    }
  }

  LaneValue Convert(LaneValue x) {
    const ElementType to = step_.loop.result;
    if (to == ElementType::kPred) {
      return is_pred() ? x : code_.Binary(LaneOp::kNe, x, Number(0));
    }
    // Saturating conversions are to 32 and 64 bits.
    if (is_float() && IsIntegral(to) && BitsOf(to) < 32) return Failed();
    const bool is_unsigned = is_float() ? IsUnsigned(to) : IsUnsigned(type_);
    return code_.Wrap(code_.Convert(x, *LaneKindOf(to), is_unsigned), to);
  }

  LaneValue Ternary(Opcode opcode) {
    if (opcode == Opcode::kSelect) return code_.Select(args_[0], args_[1], args_[2]);
    if (opcode != Opcode::kClamp) return Failed();
    const LaneValue low = args_[0], x = args_[1], high = args_[2];
    const LaneValue limited = Minimum(high, Maximum(x, low));
    if (!is_float()) return limited;
    return code_.Select(IsNan(low), low, code_.Select(IsNan(x), x, limited));
  }

  const RegionStep& step_;
  std::span<const LaneValue> args_;
  LaneCode& code_;
  ElementType type_;  // of the first operand
};

bool HasCode(ElementType type, int lanes) {
  const std::optional<LaneKind> kind = LaneKindOf(type);
  if (!kind || lanes == 1) return kind.has_value();
  return type == ElementType::kPred || BytesOf(type) == 4;
}

}  // namespace

LaneValue LowerStep(const RegionStep& step, std::span<const LaneValue> args, LaneCode* code) {
  return StepLowering(step, args, code).Run();
}

bool CanLower(const RegionStep& step, int lanes) {
  if (step.starts_loop >= 0 || !HasCode(step.loop.result, lanes)) return false;
  // Written for nobody: the code says whether it is whole.
  FunctionWriter writer(0);
  LaneCode code(&writer, lanes);
  LaneValue args[ElementLoop::kMaxOperands];
  for (int i = 0; i < step.loop.operand_count; ++i) {
    if (!HasCode(step.loop.operands[i], lanes)) return false;
    args[i] = code.New(*LaneKindOf(step.loop.operands[i]));
  }
  LowerStep(step, args, &code);
  return !code.failed();
}

}  // namespace hlo
