#include "engine/codegen/step_lowering.h"

#include <limits>
#include <optional>

#include "engine/codegen/function_lowering.h"
#include "engine/codegen/function_pool.h"
#include "engine/codegen/narrow_float_code.h"

namespace hlo {
namespace {

// One step; semantics are those of engine/kernels/scalar_unary.h, scalar_binary.h and
// ternary_loops.cc.
class StepLowering {
 public:
  StepLowering(const RegionStep& step, std::span<const LaneValue> args, LaneCode* code)
      : step_(step), args_(args), code_(*code), type_(step.loop.operands[0]) {}

  LaneValue Run() {
    const LaneValue result = Operation();
    // What is computed in f32 is rounded once.
    const bool is_rounded = step_.loop.wide_run != nullptr && IsNarrowFloat(step_.loop.result);
    if (code_.failed() || !is_rounded) return result;
    return RoundedFloat(result, step_.loop.result, &code_);
  }

 private:
  LaneValue Operation() {
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

  LaneValue a() const { return args_[0]; }
  LaneValue b() const { return args_[1]; }
  LaneValue Failed() {
    code_.Fail();
    return {};
  }
  bool is_pred() const { return type_ == ElementType::kPred; }
  bool is_float() const { return IsFloat(type_); }
  // The operation on numbers of the type.
  LaneOp OpFor(LaneOp op) const { return IsUnsigned(type_) || is_pred() ? UnsignedOf(op) : op; }
  LaneValue Number(double value) { return code_.Constant(a().kind, value); }
  LaneValue Wrapped(LaneValue value) { return code_.Wrap(value, type_); }
  LaneValue Ge(LaneValue x, LaneValue y) { return code_.Binary(OpFor(LaneOp::kGe), x, y); }
  LaneValue Le(LaneValue x, LaneValue y) { return code_.Binary(OpFor(LaneOp::kLe), x, y); }
  LaneValue IsNan(LaneValue x) { return code_.Binary(LaneOp::kNe, x, x); }

  // Functions of f32, and of what is computed in it.
  LaneValue Function(Opcode opcode) {
    return a().kind == LaneKind::kF32 ? LowerFunction(opcode, args_, &code_) : Failed();
  }

  // The bits of a float as a signed integer that orders floats as their total order does.
  LaneValue TotalOrderKey(LaneValue x) {
    const bool is_wide = x.kind == LaneKind::kF64;
    const LaneKind kind = is_wide ? LaneKind::kI64 : LaneKind::kI32;
    const LaneValue bits = code_.Reinterpret(x, kind);
    const LaneValue sign = code_.ShiftBy(LaneOp::kShiftRight, bits, is_wide ? 63 : 31);
    const uint64_t magnitude = is_wide ? ~uint64_t{0} >> 1 : 0x7fffffff;
    const LaneValue flipped =
        code_.Binary(LaneOp::kAnd, sign, code_.ConstantOfBits(kind, magnitude));
    return code_.Binary(LaneOp::kXor, bits, flipped);
  }

  // One zero for both, one NaN for all, which is the largest.
  LaneValue WeaklyOrdered(LaneValue x) {
    const LaneValue nan =
        code_.ConstantOfBits(x.kind, x.kind == LaneKind::kF64 ? 0x7ff8000000000000 : 0x7fc00000);
    const LaneValue zero = code_.ConstantOfBits(x.kind, 0);
    return code_.Select(IsNan(x), nan, code_.Binary(LaneOp::kAdd, x, zero));
  }

  LaneValue Comparison() {
    const Direction direction = step_.loop.comparison->direction;
    if (is_pred() && code_.is_vector()) return ComparisonOfMasks(direction);
    LaneValue x = a(), y = b();
    if (step_.loop.comparison->total && is_float()) {
      const bool weak = step_.loop.comparison->weak;
      x = TotalOrderKey(weak ? WeaklyOrdered(x) : x);
      y = TotalOrderKey(weak ? WeaklyOrdered(y) : y);
    }
    constexpr LaneOp kOps[] = {LaneOp::kEq, LaneOp::kNe, LaneOp::kGe,
                               LaneOp::kGt, LaneOp::kLe, LaneOp::kLt};
    return code_.Binary(OpFor(kOps[static_cast<size_t>(direction)]), x, y);
  }

  LaneValue ComparisonOfMasks(Direction direction) {
    const auto with_not = [&](LaneOp op, LaneValue x, LaneValue y) {
      return code_.Binary(op, x, code_.Not(y));
    };
    switch (direction) {
      case Direction::kEq:
        return with_not(LaneOp::kXor, a(), b());
      case Direction::kNe:
        return code_.Binary(LaneOp::kXor, a(), b());
      case Direction::kGe:
        return with_not(LaneOp::kOr, a(), b());
      case Direction::kGt:
        return with_not(LaneOp::kAnd, a(), b());
      case Direction::kLe:
        return with_not(LaneOp::kOr, b(), a());
      default:
        return with_not(LaneOp::kAnd, b(), a());
    }
  }

  static bool IsKnown(LaneValue x) { return x.number == x.number; }

  // The first NaN, if any; of equal ones the first. Where the second is no NaN, an instruction of
  // vectors is just that.
  LaneValue Maximum(LaneValue x, LaneValue y) {
    if (is_pred()) return code_.Binary(LaneOp::kOr, x, y);
    if (IsKnown(y) && code_.is_vector()) return code_.Binary(LaneOp::kPmax, x, y);
    const LaneValue first = Ge(x, y);
    return code_.Select(is_float() ? code_.Binary(LaneOp::kOr, first, IsNan(x)) : first, x, y);
  }
  LaneValue Minimum(LaneValue x, LaneValue y) {
    if (is_pred()) return code_.Binary(LaneOp::kAnd, x, y);
    if (IsKnown(y) && code_.is_vector()) return code_.Binary(LaneOp::kPmin, x, y);
    const LaneValue first = Le(x, y);
    return code_.Select(is_float() ? code_.Binary(LaneOp::kOr, first, IsNan(x)) : first, x, y);
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
    const LaneOp op = is_remainder ? OpFor(LaneOp::kRemainder) : OpFor(LaneOp::kDivide);
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
    const LaneValue moved = code_.Binary(LaneOp::kShiftRight, value, b());
    const LaneValue sign = code_.ShiftBy(LaneOp::kShiftRight, value, bits - 1);
    return Wrapped(code_.Select(fits, moved, sign));
  }

  // The type of as many bits as the operand's that has a sign, or has none.
  ElementType WithSign(bool is_signed) const {
    using enum ElementType;
    constexpr ElementType kSigned[] = {kS1, kS2, kS4, kS8, kS16};
    constexpr ElementType kUnsigned[] = {kU1, kU2, kU4, kU8, kU16};
    for (int i = 0; i < 5; ++i) {
      if (BitsOf(type_) == 1 << i) return (is_signed ? kSigned : kUnsigned)[i];
    }
    return type_;  // wrapping it does nothing
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
        return is_float() ? Function(opcode) : Quotient(true);
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
        return is_float() ? Function(opcode) : Failed();
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
        return BitcastConvert(x);
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
        return Wrapped(code_.Unary(LaneOp::kPopcnt, code_.Wrap(x, WithSign(false))));
      case Opcode::kCountLeadingZeros:
        return LeadingZeros(x);
      case Opcode::kReal:
        return x;
      case Opcode::kImag:
        return Number(0);
      default:
        return is_float() ? UnaryOfFloat(opcode, x) : Failed();
    }
  }

  LaneValue LeadingZeros(LaneValue x) {
    const LaneValue zeros = code_.Unary(LaneOp::kCountLeadingZeros, code_.Wrap(x, WithSign(false)));
    if (BitsOf(type_) >= 32) return zeros;
    return Wrapped(code_.Binary(LaneOp::kSubtract, zeros, Number(32 - BitsOf(type_))));
  }

  // Halves away from zero.
  LaneValue RoundedAway(LaneValue x) {
    const LaneValue whole = code_.Unary(LaneOp::kTruncate, x);
    const LaneValue rest = code_.Unary(LaneOp::kAbs, code_.Binary(LaneOp::kSubtract, x, whole));
    const LaneValue up = code_.Binary(LaneOp::kGe, rest, Number(0.5));
    const LaneValue is_negative = code_.Binary(LaneOp::kLt, x, Number(0));
    const LaneValue one = code_.Select(is_negative, Number(-1), Number(1));
    return code_.Select(up, code_.Binary(LaneOp::kAdd, whole, one), whole);
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
      case Opcode::kRoundNearestAfz:
        return RoundedAway(x);
      case Opcode::kIsFinite:
        return code_.Binary(LaneOp::kLt, code_.Unary(LaneOp::kAbs, x),
                            Number(std::numeric_limits<double>::infinity()));
      default:
        return Function(opcode);
    }
  }

  LaneValue Convert(LaneValue x) {
    const ElementType to = step_.loop.result;
    if (to == type_) return x;
    if (to == ElementType::kPred) return code_.Binary(LaneOp::kNe, x, Number(0));
    if (IsNarrowFloat(to)) return ToNarrowFloat(x, to);
    if (!is_float() || !IsIntegral(to)) {
      return code_.Wrap(code_.Convert(x, *LaneKindOf(to), IsUnsigned(type_)), to);
    }
    if (BitsOf(to) >= 32) return code_.Convert(x, *LaneKindOf(to), IsUnsigned(to));
    // Saturates; conversions are to 32 bits.
    const LaneKind kind = LaneKind::kI32;
    const double least = IsSigned(to) ? -(1 << (BitsOf(to) - 1)) : 0;
    const LaneValue low = code_.Constant(kind, least);
    const LaneValue high = code_.Constant(kind, least + (1 << BitsOf(to)) - 1);
    const LaneValue wide = code_.Convert(x, kind, false);
    const LaneValue above = code_.Select(code_.Binary(LaneOp::kLt, wide, low), low, wide);
    return code_.Select(code_.Binary(LaneOp::kGt, above, high), high, above);
  }

  // As types/small_float.h has it: all go through f32, but f64 to 8 bits and less is rounded once.
  LaneValue ToNarrowFloat(LaneValue x, ElementType to) {
    if (x.kind != LaneKind::kF64 || BitsOf(to) > 8) {
      return RoundedFloat(code_.Convert(x, LaneKind::kF32, IsUnsigned(type_)), to, &code_);
    }
    if (to == ElementType::kF8E8M0FNU) {
      // Where the nearest power of two is not that of the nearest f32.
      const LaneValue is_least = code_.Binary(LaneOp::kLt, x, Number(0x1.8p-127));
      const LaneValue is_positive = code_.Binary(LaneOp::kGt, x, Number(0));
      x = code_.Select(code_.Binary(LaneOp::kAnd, is_least, is_positive), Number(0x1p-127), x);
    }
    return RoundedFloat(RoundedToOdd(x), to, &code_);
  }

  // An f64 as an f32 whose lowest bit is set where digits are lost, from which rounding again goes
  // where rounding the f64 would.
  LaneValue RoundedToOdd(LaneValue x) {
    const LaneValue nearest = code_.Convert(x, LaneKind::kF32, false);
    const LaneValue back = code_.Convert(nearest, LaneKind::kF64, false);
    const LaneValue bits = code_.Reinterpret(nearest, LaneKind::kI32);
    const LaneValue one = code_.Constant(LaneKind::kI32, 1);
    const LaneValue is_larger =
        code_.Binary(LaneOp::kGt, code_.Unary(LaneOp::kAbs, back), code_.Unary(LaneOp::kAbs, x));
    const LaneValue below = code_.Binary(LaneOp::kSubtract, bits, one);
    const LaneValue odd = code_.Binary(LaneOp::kOr, code_.Select(is_larger, below, bits), one);
    const LaneValue is_exact =
        code_.Binary(LaneOp::kOr, code_.Binary(LaneOp::kEq, back, x), IsNan(x));
    return code_.Reinterpret(code_.Select(is_exact, bits, odd), LaneKind::kF32);
  }

  LaneValue BitcastConvert(LaneValue x) {
    const ElementType to = step_.loop.result;
    if (to == type_) return x;
    if (is_pred() || to == ElementType::kPred) return Failed();
    LaneValue bits = IsNarrowFloat(type_) ? EncodedFloat(x, type_, &code_) : x;
    if (!IsNarrowFloat(to)) {
      return code_.Wrap(code_.Reinterpret(bits, *LaneKindOf(to)), to);
    }
    if (!is_float()) bits = code_.Wrap(bits, WithSign(false));
    return DecodedFloat(bits, to, &code_);
  }

  LaneValue Ternary(Opcode opcode) {
    if (opcode == Opcode::kSelect) return code_.Select(args_[0], args_[1], args_[2]);
    if (opcode != Opcode::kClamp) return Failed();
    const LaneValue low = args_[0], x = args_[1], high = args_[2];
    if (is_float() && IsKnown(low) && IsKnown(high) && high.number != 0) {
      // Equal numbers have the same bits then, so that either may come first.
      return Minimum(Maximum(x, low), high);
    }
    const LaneValue limited = Minimum(high, Maximum(x, low));
    if (!is_float()) return limited;
    return code_.Select(IsNan(low), low, code_.Select(IsNan(x), x, limited));
  }

  const RegionStep& step_;
  std::span<const LaneValue> args_;
  LaneCode& code_;
  ElementType type_;  // of the first operand
};

bool HasCode(const RegionStep& step) {
  for (int i = 0; i < step.loop.operand_count; ++i) {
    if (!LaneKindOf(step.loop.operands[i])) return false;
  }
  return LaneKindOf(step.loop.result).has_value();
}

// Whether there is code for so many lanes. `args`: those of which are uniform; may be empty.
bool HasCodeFor(const RegionStep& step, int lanes, std::span<const LaneValue> args) {
  FunctionWriter writer(0);
  LaneCode code(&writer, lanes);
  LaneValue values[ElementLoop::kMaxOperands];
  const auto count = static_cast<size_t>(step.loop.operand_count);
  for (size_t i = 0; i < count; ++i) {
    values[i] = code.New(*LaneKindOf(step.loop.operands[i]));
    if (!args.empty() && args[i].uniform >= 0) values[i].uniform = values[i].local;
  }
  StepLowering(step, {values, count}, &code).Run();
  return !code.failed();
}

}  // namespace

LaneValue LowerStep(const RegionStep& step, std::span<const LaneValue> args, LaneCode* code) {
  FunctionPool* const functions = code->writer().functions();
  if (functions && functions->CanLower(step)) {
    LanePair pairs[ElementLoop::kMaxOperands];
    for (size_t i = 0; i < args.size(); ++i) pairs[i].real = args[i];
    return functions->Lower(step, {pairs, args.size()}, code).real;
  }
  if (!code->is_vector() || HasCodeFor(step, code->lanes(), args)) {
    return StepLowering(step, args, code).Run();
  }
  return code->ByLane(*LaneKindOf(step.loop.result), args,
                      [&](LaneCode* one, std::span<const LaneValue> lane) {
                        return StepLowering(step, lane, one).Run();
                      });
}

bool HasVectorCode(const RegionStep& step, int lanes) { return HasCodeFor(step, lanes, {}); }

bool CanLower(const RegionStep& step, const FunctionPool* functions) {
  return step.starts_loop < 0 && HasCode(step) &&
         (HasCodeFor(step, 1, {}) || (functions && functions->CanLower(step)));
}

}  // namespace hlo
