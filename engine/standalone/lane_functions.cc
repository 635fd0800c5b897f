// What is rare for generated code: large angles, powers of what is no positive number, remainders.
// The bits are those of the engine's functions, which have the same parts (engine/lanes).
#include "engine/standalone/lane_functions.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "engine/codegen/function_lowering.h"
#include "engine/codegen/lane.h"
#include "engine/codegen/lane_code.h"
#include "engine/lanes/f64_angle_parts.h"
#include "engine/lanes/float_functions.h"

namespace hlo {
namespace {

using lanes::Lane;
using Single = Lane<float>;
using Double = Lane<double>;
using Bits = Lane<uint64_t>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// ---- Angles -------------------------------------------------------------------------------------

/// The sine of an angle beyond those that are reduced by parts of pi, so many quadrants further:
/// f64::Sin and f64::Cos, for numbers of f32.
Double LargeSine(Double x, uint64_t further) {
  constexpr uint64_t kFraction = (uint64_t{1} << 52) - 1;
  const Bits bits = BitsOf(x), sign = bits >> 63;
  const Bits begin = ((bits << 1) >> 53) - uint64_t{1075 - 62};
  const Bits first = begin >> 6;
  const auto word = [&](size_t i) {
    const Bits later = Select(first == uint64_t{1}, bits.Number(f64::kTwoByPi[i + 1]),
                              bits.Number(f64::kTwoByPi[i + 2]));
    return Select(first == uint64_t{0}, bits.Number(f64::kTwoByPi[i]), later);
  };
  const Bits words[] = {word(0), word(1), word(2), word(3)};
  const Bits m = (bits & kFraction) | (uint64_t{1} << 52);
  const auto large = f64::ReduceWords(words, begin & uint64_t{63}, m);
  const ExactOf<Double> angle = Times(large.turns, f64::kHalfPi);
  const Bits flip = (large.is_below ^ sign) << 63;
  const ExactOf<Double> rest = {FromBits(BitsOf(angle.value) ^ flip),
                                FromBits(BitsOf(angle.error) ^ flip)};
  const Bits zero = bits.Number(0);
  const Bits quadrant =
      Select(sign == uint64_t{0}, large.quadrant, zero - large.quadrant) + further;
  const Double size = Select((quadrant & uint64_t{1}) == uint64_t{0}, f64::SineOfRest(rest).value,
                             f64::CosineOfRest(rest).value);
  const Double sine = FromBits(BitsOf(size) ^ ((quadrant & uint64_t{2}) << 62));
  return Select(Abs(x) < x.Number(std::numeric_limits<double>::infinity()), sine,
                x.Number(std::numeric_limits<double>::quiet_NaN()));
}

Double Sine(Single x) {
  return {x.code, x.code->Branch(
                      lanes::IsLargeAngle(x).value, LaneKind::kF64,
                      [&] { return LargeSine(Widened(x), 0).value; },
                      [&] { return lanes::SmallSine(Widened(x)).value; })};
}
Double Cosine(Single x) {
  return {x.code, x.code->Branch(
                      lanes::IsLargeAngle(x).value, LaneKind::kF64,
                      [&] { return LargeSine(Widened(x), 1).value; },
                      [&] { return lanes::SmallCosine(Widened(x)).value; })};
}

// ---- Powers -------------------------------------------------------------------------------------

Single Floor(Single x) { return {x.code, x.code->Unary(LaneOp::kFloor, x.value)}; }
Lane<bool> IsPlain(Single a, Single b) {
  return (a > 0.0f) & (a < kInfinity) & (Abs(b) < kInfinity);
}
Lane<bool> IsNegative(Single x) { return (BitsOf(x) >> 31) != uint32_t{0}; }

/// Where one of the two is 0, infinite or NaN, or the result is none.
Single SpecialPower(Single a, Single b) {
  const Lane<bool> falls = b < 0.0f;
  const Single vanished = Select(falls, b.Number(kInfinity), b.Number(0));
  const Single grown = Select(falls, b.Number(0), b.Number(kInfinity));
  const Single size = Abs(a);
  Single power = Select(size < 1.0f, vanished, grown);
  power = Select(size == 1.0f, 1.0f, power);
  const Lane<bool> is_whole = Floor(b) == b;
  const Single half = b * 0.5f;
  const Lane<bool> is_odd = is_whole & (Floor(half) != half);
  power = Select(IsNegative(a) & is_odd, -power, power);
  power = Select((a < 0.0f) & (size < kInfinity) & !is_whole, kNan, power);
  power = Select((a != a) | (b != b), kNan, power);
  return Select((b == 0.0f) | (a == 1.0f), 1.0f, power);
}

/// PowerOp (kernels/scalar_binary.h).
Single Power(Single a, Single b) {
  LaneCode* const code = a.code;
  const auto positive = [&](Single x) {
    return Narrowed(lanes::PowerOfPositive(Widened(x), Widened(b)));
  };
  const auto whole = [&] {
    const Single power = positive(-a), half = b * 0.5f;
    return Select(Floor(half) != half, -power, power).value;
  };
  const Lane<bool> is_whole = IsPlain(-a, b) & (Floor(b) == b);
  const auto other = [&] {
    return code->Branch(is_whole.value, LaneKind::kF32, whole,
                        [&] { return SpecialPower(a, b).value; });
  };
  return {code, code->Branch(
                    IsPlain(a, b).value, LaneKind::kF32, [&] { return positive(a).value; }, other)};
}

// ---- Remainders ---------------------------------------------------------------------------------

/// fmod: the sign is that of a. Takes away b times the largest power of two that fits, until none
/// does, which is exact.
Single Remainder(Single a, Single b) {
  LaneCode* const code = a.code;
  FunctionWriter& writer = code->writer();
  const Double step = Widened(Abs(b));
  const Double rest{code, code->New(LaneKind::kF64)};
  code->Assign(rest.value, Widened(Abs(a)).value);
  const Lane<bool> is_finite = Abs(a) < kInfinity;
  const Lane<bool> is_none = (!is_finite) | (b == 0.0f) | (b != b);
  writer.Open(Code::kBlock);
  writer.Get(is_none.value.local);
  writer.Branch(Code::kBrIf, 0);
  writer.Open(Code::kLoop);
  const Lane<bool> is_less = rest < step;
  writer.Get(is_less.value.local);
  writer.Branch(Code::kBrIf, 1);
  const Bits further = (BitsOf(rest) >> 52) - (BitsOf(step) >> 52);
  const Double scaled = FromBits(BitsOf(step) + (further << 52));
  const Double fitting = Select(scaled > rest, scaled * 0.5, scaled);
  code->Assign(rest.value, (rest - fitting).value);
  writer.Branch(Code::kBr, 0);
  writer.Write(Code::kEnd);
  writer.Write(Code::kEnd);
  const Single size = Narrowed(rest);
  const Single signed_rest = FromBits(BitsOf(size) | ((BitsOf(a) >> 31) << 31));
  return Select(is_none, kNan, signed_rest);
}

/// Whether there is code for it.
bool IsKnown(Opcode opcode) { return opcode != Opcode::kAtan2; }

Single Call(Opcode opcode, Single a, Single b) {
  switch (opcode) {
    case Opcode::kSine:
      return Narrowed(Sine(a));
    case Opcode::kCosine:
      return Narrowed(Cosine(a));
    case Opcode::kTan:
      return Narrowed(Sine(a) / Cosine(a));
    case Opcode::kPower:
      return Power(a, b);
    default:
      return Remainder(a, b);
  }
}

}  // namespace

CodeBytes WriteNoFunctionOfLane() {
  FunctionWriter writer(3);
  writer.Get(0);
  return writer.Finish();
}

CodeBytes WriteFunctionOfLane() {
  constexpr uint32_t kA = 0, kB = 1, kFunction = 2, kParameters = 3;
  FunctionWriter writer(kParameters);
  LaneCode code(&writer, 1);
  const Single a{&code, {kA, LaneKind::kF32}}, b{&code, {kB, LaneKind::kF32}};
  const LaneValue result = code.New(LaneKind::kF32);
  const std::vector<Opcode> functions = FunctionsOfLanes();
  for (size_t i = 0; i < functions.size(); ++i) {
    if (!IsKnown(functions[i])) continue;
    writer.Get(kFunction);
    writer.I32(static_cast<int32_t>(i));
    writer.Write(Code::kI32Eq);
    writer.Open(Code::kIf);
    code.Assign(result, Call(functions[i], a, b).value);
    writer.Write(Code::kEnd);
  }
  writer.Get(result.local);
  return writer.Finish();
}

LaneFunctions LaneFunctionsOf(const RegionSteps& steps) {
  const std::vector<Opcode> functions = FunctionsOfLanes();
  LaneFunctions found;
  for (const RegionStep& step : steps.steps) {
    if (!step.opcode || !IsFloat(step.loop.result)) continue;
    if (std::find(functions.begin(), functions.end(), *step.opcode) == functions.end()) continue;
    found.are_called = true;
    found.are_known = found.are_known && IsKnown(*step.opcode);
  }
  return found;
}

}  // namespace hlo
