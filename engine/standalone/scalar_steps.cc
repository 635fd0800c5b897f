// Steps of region programs that only stand-alone code has: calls of functions of f64 and complex
// numbers, and rare operations on bits.
#include <vector>

#include "engine/codegen/narrow_float_code.h"
#include "engine/codegen/step_lowering.h"
#include "engine/kernels/element_loop.h"
#include "engine/lanes/f64_angles.h"
#include "engine/plan/region_builder.h"
#include "engine/standalone/scalar_functions.h"

namespace hlo {
namespace {

using lanes::Lane;

bool IsComplexFunction(const RegionStep& step) {
  return step.opcode && IsComplex(step.loop.operands[0]) && HasScalarFunction({*step.opcode, true});
}
bool IsRealFunction(const RegionStep& step) {
  return step.opcode && !step.loop.comparison && step.loop.operands[0] == ElementType::kF64 &&
         step.loop.result == ElementType::kF64 && HasScalarFunction({*step.opcode, false});
}
/// reduce-precision has attributes, so that its steps have no opcode.
bool ReducesPrecision(const RegionStep& step) {
  const ElementType type = step.loop.result;
  if (step.opcode || step.loop.comparison || step.loop.operand_count != 1) return false;
  if (!IsFloat(type) || step.loop.operands[0] != type) return false;
  const ElementLoop known = ReducePrecisionLoop(type, 1, 0);
  return step.loop.run == known.run && step.loop.wide_run == known.wide_run;
}
/// Between a complex number and one that is no float of 32 or 64 bits.
bool ConvertsComplex(const RegionStep& step) {
  if (step.opcode != Opcode::kConvert) return false;
  const ElementType from = step.loop.operands[0], to = step.loop.result;
  const auto is_part = [](ElementType type) {
    return type == ElementType::kF32 || type == ElementType::kF64;
  };
  return IsComplex(to) ? !IsComplex(from) && !is_part(from) : IsComplex(from);
}
bool IsOfIntegers(const RegionStep& step, Opcode opcode) {
  return step.opcode == opcode && IsIntegral(step.loop.operands[0]) &&
         step.loop.operands[0] != ElementType::kPred;
}

/// Lane by lane, the results one after the other.
template <typename Compute>
void ForEachLane(std::span<const LaneValue> args, std::span<const LaneValue> results,
                 LaneCode* code, Compute compute) {
  LaneCode* const one = code->is_vector() ? code->OneLane() : code;
  std::vector<LaneValue> parts(args.size()), computed(results.size());
  for (int lane = 0; lane < code->lanes(); ++lane) {
    for (size_t i = 0; i < args.size(); ++i) {
      parts[i] = code->is_vector() ? code->Extract(args[i], lane) : args[i];
    }
    compute(one, parts, computed);
    for (size_t i = 0; i < results.size(); ++i) {
      if (code->is_vector()) {
        code->Insert(computed[i], lane, results[i]);
      } else {
        code->Assign(results[i], computed[i]);
      }
    }
  }
}

LaneValue ConvertedReal(LaneValue value, ElementType from, ElementType to, LaneCode* code) {
  if (from == to) return value;
  RegionBuilder builder;
  const RegionScalar argument = builder.Parameter(from);
  const RegionSteps steps = builder.Finish({builder.Converted(argument, to)});
  return LowerStep(steps.steps[0], {&value, 1}, code);
}

/// In f64; of c64 the result is rounded once.
LanePair LowerComplexFunction(const RegionStep& step, std::span<const LanePair> args,
                              LaneCode* code) {
  std::vector<LaneValue> parts;
  for (const LanePair& arg : args) {
    parts.push_back(code->Convert(arg.real, LaneKind::kF64, false));
    parts.push_back(code->Convert(arg.imaginary, LaneKind::kF64, false));
  }
  const bool is_pair = IsComplex(step.loop.result);
  std::vector<LaneValue> results(is_pair ? 2 : 1);
  for (LaneValue& result : results) result = code->New(LaneKind::kF64);
  ForEachLane(parts, results, code, [&](LaneCode* one, const auto& lane, auto& computed) {
    CallScalar({*step.opcode, true}, lane, computed, one);
  });
  const bool is_wide =
      step.loop.result == ElementType::kC128 || step.loop.result == ElementType::kF64;
  const LaneKind kind = is_wide ? LaneKind::kF64 : LaneKind::kF32;
  const LaneValue real = code->Convert(results[0], kind, false);
  return is_pair ? LanePair{real, code->Convert(results[1], kind, false)} : LanePair{real};
}

LaneValue LowerRealFunction(const RegionStep& step, std::span<const LaneValue> args,
                            LaneCode* code) {
  return code->ByLane(LaneKind::kF64, args, [&](LaneCode* one, std::span<const LaneValue> lane) {
    LaneValue result;
    CallScalar({*step.opcode, false}, lane, {&result, 1}, one);
    return result;
  });
}

/// ReducePrecision (kernels/convert_loops.cc) in one lane.
template <typename T, typename Bits, int kMantissaBits>
LaneValue Reduced(LaneValue x, int exponent_bits, int mantissa_bits, LaneCode* code) {
  constexpr int kWidth = static_cast<int>(8 * sizeof(Bits));
  constexpr int kExponentBits = kWidth - 1 - kMantissaBits;
  constexpr Bits kSign = Bits{1} << (kWidth - 1);
  constexpr Bits kExponentMask = ((Bits{1} << kExponentBits) - 1) << kMantissaBits;
  const Lane<T> value{code, x};
  Lane<Bits> bits = BitsOf(value);
  if (mantissa_bits < kMantissaBits) {
    const int dropped = kMantissaBits - mantissa_bits;
    const Bits last = Bits{1} << dropped;
    bits = bits + ((bits >> dropped) & Bits{1}) + ((last >> 1) - 1);
    bits = bits & static_cast<Bits>(~(last - 1));
  }
  if (exponent_bits < kExponentBits) {
    constexpr Bits kBias = (Bits{1} << (kExponentBits - 1)) - 1;
    const Bits bias = (Bits{1} << (exponent_bits - 1)) - 1;
    const Lane<Bits> exponent = (bits & kExponentMask) >> kMantissaBits, sign = bits & kSign;
    bits = Select(exponent > kBias + bias, sign | kExponentMask,
                  Select(exponent <= kBias - bias, sign, bits));
  }
  // A NaN that is to have no mantissa can only be an infinity.
  const Lane<T> none = mantissa_bits > 0 ? value : value.Number(std::numeric_limits<T>::infinity());
  return Select(value != value, none, FromBits(bits)).value;
}

LaneValue LowerReducePrecision(const RegionStep& step, LaneValue x, LaneCode* code) {
  const int exponent_bits = std::max(step.loop.params[0], 1);
  const int mantissa_bits = std::max(step.loop.params[1], 0);
  const auto reduce = [&](LaneCode* one, std::span<const LaneValue> lane) {
    return x.kind == LaneKind::kF64
               ? Reduced<double, uint64_t, 52>(lane[0], exponent_bits, mantissa_bits, one)
               : Reduced<float, uint32_t, 23>(lane[0], exponent_bits, mantissa_bits, one);
  };
  const LaneValue result = code->ByLane(x.kind, {&x, 1}, reduce);
  const bool is_narrow = IsNarrowFloat(step.loop.result);
  return is_narrow ? RoundedFloat(result, step.loop.result, code) : result;
}

/// The high half of a product, in one lane.
LaneValue HighProduct(ElementType type, LaneValue x, LaneValue y, LaneCode* code) {
  const int bits = BitsOf(type);
  if (bits < 64) {
    const bool is_unsigned = IsUnsigned(type);
    const LaneValue product =
        code->Binary(LaneOp::kMultiply, code->Convert(x, LaneKind::kI64, is_unsigned),
                     code->Convert(y, LaneKind::kI64, is_unsigned));
    const LaneValue high = code->ShiftBy(LaneOp::kShiftRightU, product, bits);
    return code->Wrap(code->Convert(high, LaneKind::kI32, is_unsigned), type);
  }
  const Lane<uint64_t> a{code, x}, b{code, y};
  const Lane<uint64_t> high = f64::Multiplied(a, b).high;
  if (IsUnsigned(type)) return high.value;
  // A factor below 0 is 2^64 more without its sign.
  const Lane<uint64_t> zero = a.Number(0);
  const Lane<uint64_t> less =
      Select((a >> 63) != zero, b, zero) + Select((b >> 63) != zero, a, zero);
  return (high - less).value;
}

/// PowerOp of integers, in one lane: by squares. Products of fewer bits are those of 64, wrapped.
LaneValue IntegerPower(ElementType type, LaneValue x, LaneValue y, LaneCode* code) {
  FunctionWriter& writer = code->writer();
  const bool is_unsigned = IsUnsigned(type);
  const Lane<uint64_t> base{code, code->Convert(x, LaneKind::kI64, is_unsigned)};
  const Lane<uint64_t> exponent{code, code->Convert(y, LaneKind::kI64, is_unsigned)};
  const Lane<uint64_t> result{code, code->New(LaneKind::kI64)};
  const Lane<uint64_t> square{code, code->New(LaneKind::kI64)};
  const Lane<uint64_t> rest{code, code->New(LaneKind::kI64)};
  const Lane<bool> falls = is_unsigned ? exponent != exponent : (exponent >> 63) != uint64_t{0};
  code->Assign(result.value, base.Number(1).value);
  code->Assign(square.value, base.value);
  code->Assign(rest.value, Select(falls, uint64_t{0}, exponent).value);
  writer.Open(Code::kLoop);
  const Lane<bool> is_odd = (rest & uint64_t{1}) != uint64_t{0};
  code->Assign(result.value, Select(is_odd, result * square, result).value);
  code->Assign(square.value, (square * square).value);
  code->Assign(rest.value, (rest >> 1).value);
  code->PushAny((rest != uint64_t{0}).value);
  writer.Branch(Code::kBrIf, 0);
  writer.Write(Code::kEnd);
  const Lane<uint64_t> fallen = Select(base == uint64_t{1}, base, base.Number(0));
  const LaneValue power = Select(falls, fallen, result).value;
  return code->Wrap(code->Convert(power, *LaneKindOf(type), is_unsigned), type);
}

}  // namespace

LanePair ConvertedPair(const LanePair& value, ElementType from, ElementType to, LaneCode* code) {
  if (from == to) return value;
  if (IsComplex(to)) {
    const ElementType part = ComponentType(to);
    const LaneKind kind = *LaneKindOf(part);
    if (!IsComplex(from)) {
      return {ConvertedReal(value.real, from, part, code), code->Constant(kind, 0)};
    }
    return {code->Convert(value.real, kind, false), code->Convert(value.imaginary, kind, false)};
  }
  if (!IsComplex(from)) return {ConvertedReal(value.real, from, to, code)};
  if (to == ElementType::kPred) {
    const LaneValue zero = code->Constant(value.real.kind, 0);
    return {code->Binary(LaneOp::kOr, code->Binary(LaneOp::kNe, value.real, zero),
                         code->Binary(LaneOp::kNe, value.imaginary, zero))};
  }
  const LaneValue wide = code->Convert(value.real, LaneKind::kF64, false);
  return {ConvertedReal(wide, ElementType::kF64, to, code)};
}

bool ScalarFunctions::CanLower(const RegionStep& step) const {
  return IsComplexFunction(step) || IsRealFunction(step) || ReducesPrecision(step) ||
         ConvertsComplex(step) || IsOfIntegers(step, Opcode::kMulhi) ||
         IsOfIntegers(step, Opcode::kPower);
}

LanePair ScalarFunctions::Lower(const RegionStep& step, std::span<const LanePair> args,
                                LaneCode* code) {
  if (IsComplexFunction(step)) return LowerComplexFunction(step, args, code);
  if (ConvertsComplex(step)) {
    return ConvertedPair(args[0], step.loop.operands[0], step.loop.result, code);
  }
  std::vector<LaneValue> values;
  for (const LanePair& arg : args) values.push_back(arg.real);
  if (IsRealFunction(step)) return {LowerRealFunction(step, values, code)};
  const ElementType type = step.loop.result;
  if (ReducesPrecision(step)) return {LowerReducePrecision(step, values[0], code)};
  const auto compute = IsOfIntegers(step, Opcode::kMulhi) ? HighProduct : IntegerPower;
  return {
      code->ByLane(*LaneKindOf(type), values, [&](LaneCode* one, std::span<const LaneValue> lane) {
        return compute(type, lane[0], lane[1], one);
      })};
}

}  // namespace hlo
