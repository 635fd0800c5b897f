// What is rare for generated code: large angles, powers of what is no positive number, remainders.
// The bits are those of the engine's functions, which have the same parts (engine/lanes).
#include "engine/standalone/lane_functions.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <vector>

#include "engine/codegen/function_lowering.h"
#include "engine/codegen/lane.h"
#include "engine/codegen/lane_code.h"
#include "engine/lanes/float_functions.h"

namespace hlo {
namespace {

using lanes::Lane;
using Single = Lane<float>;
using Double = Lane<double>;
using Bits = Lane<uint64_t>;

constexpr float kSingleInfinity = std::numeric_limits<float>::infinity();
constexpr float kSingleNan = std::numeric_limits<float>::quiet_NaN();

// ---- Angles -------------------------------------------------------------------------------------

Double CallFunction(Opcode opcode, std::initializer_list<Double> args) {
  LaneCode* const code = args.begin()->code;
  std::vector<LaneValue> values;
  for (const Double& arg : args) values.push_back(arg.value);
  LaneValue result;
  CallScalar({opcode}, values, {&result, 1}, code);
  return {code, result};
}

Double Sine(Single x) {
  return Either(
      lanes::IsLargeAngle(x), [&] { return CallFunction(Opcode::kSine, {Widened(x)}); },
      [&] { return lanes::SmallSine(Widened(x)); });
}
Double Cosine(Single x) {
  return Either(
      lanes::IsLargeAngle(x), [&] { return CallFunction(Opcode::kCosine, {Widened(x)}); },
      [&] { return lanes::SmallCosine(Widened(x)); });
}

// ---- Powers -------------------------------------------------------------------------------------

Single Floor(Single x) { return {x.code, x.code->Unary(LaneOp::kFloor, x.value)}; }
Lane<bool> IsPlain(Single a, Single b) {
  return (a > 0.0f) & (a < kSingleInfinity) & (Abs(b) < kSingleInfinity);
}
Lane<bool> IsNegative(Single x) { return (BitsOf(x) >> 31) != uint32_t{0}; }

/// Where one of the two is 0, infinite or NaN, or the result is none.
Single SpecialPower(Single a, Single b) {
  const Lane<bool> falls = b < 0.0f;
  const Single vanished = Select(falls, b.Number(kSingleInfinity), b.Number(0));
  const Single grown = Select(falls, b.Number(0), b.Number(kSingleInfinity));
  const Single size = Abs(a);
  Single power = Select(size < 1.0f, vanished, grown);
  power = Select(size == 1.0f, 1.0f, power);
  const Lane<bool> is_whole = Floor(b) == b;
  const Single half = b * 0.5f;
  const Lane<bool> is_odd = is_whole & (Floor(half) != half);
  power = Select(IsNegative(a) & is_odd, -power, power);
  power = Select((a < 0.0f) & (size < kSingleInfinity) & !is_whole, kSingleNan, power);
  power = Select((a != a) | (b != b), kSingleNan, power);
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

/// fmod: the sign is that of a; where there is no remainder it is the NaN of (a b) / (a b), as in C
/// libraries. Takes away b times the largest power of two that fits, until none
/// does, which is exact.
Single Remainder(Single a, Single b) {
  LaneCode* const code = a.code;
  FunctionWriter& writer = code->writer();
  const Double step = Widened(Abs(b));
  const Double rest{code, code->New(LaneKind::kF64)};
  code->Assign(rest.value, Widened(Abs(a)).value);
  const Lane<bool> is_finite = Abs(a) < kSingleInfinity;
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
  const Single product = a * b;
  return Select(is_none, product / product, signed_rest);
}

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

CodeBytes WriteFunctionOfLane(ScalarFunctions* functions) {
  constexpr uint32_t kA = 0, kB = 1, kFunction = 2, kParameters = 3;
  FunctionWriter writer(kParameters);
  writer.set_functions(functions);
  LaneCode code(&writer, 1);
  const Single a{&code, {kA, LaneKind::kF32}}, b{&code, {kB, LaneKind::kF32}};
  const LaneValue result = code.New(LaneKind::kF32);
  const std::vector<Opcode> of_lanes = FunctionsOfLanes();
  for (size_t i = 0; i < of_lanes.size(); ++i) {
    writer.Get(kFunction);
    writer.I32(static_cast<int32_t>(i));
    writer.Write(Code::kI32Eq);
    writer.Open(Code::kIf);
    code.Assign(result, Call(of_lanes[i], a, b).value);
    writer.Write(Code::kEnd);
  }
  writer.Get(result.local);
  return writer.Finish();
}

bool CallsFunctionOfLane(const RegionSteps& steps) {
  const std::vector<Opcode> functions = FunctionsOfLanes();
  return std::any_of(steps.steps.begin(), steps.steps.end(), [&](const RegionStep& step) {
    return step.opcode && IsFloat(step.loop.result) &&
           std::find(functions.begin(), functions.end(), *step.opcode) != functions.end();
  });
}

}  // namespace hlo
