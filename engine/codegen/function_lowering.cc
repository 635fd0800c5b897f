#include "engine/codegen/function_lowering.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

#include "engine/codegen/lane.h"
#include "engine/codegen/module_writer.h"
#include "engine/kernels/scalar_binary.h"
#include "engine/kernels/scalar_unary.h"

namespace hlo {
namespace {

using Floats = lanes::Lane<float>;
using lanes::Lane;

struct UnaryRow {
  Opcode opcode;
  Floats (*lower)(Floats x);
};

template <typename Op>
Floats Lower(Floats x) {
  return Op::Run(x);
}

// What lanes call. Of one operand the second one is the first.
struct CallRow {
  Opcode opcode;
  float (*run)(float a, float b);
};
template <typename Op>
float RunUnary(float a, float) {
  return Op::Run(a);
}
template <typename Op>
float RunBinary(float a, float b) {
  return Op::Run(a, b);
}
constexpr CallRow kCalls[] = {
    {Opcode::kSine, RunUnary<SineOp>},
    {Opcode::kCosine, RunUnary<CosineOp>},
    {Opcode::kTan, RunUnary<TanOp>},
    {Opcode::kPower, RunBinary<PowerOp>},
    {Opcode::kRemainder, RunBinary<RemainderOp>},
};

// Has failed if there is no row.
LaneValue CallByLane(Opcode opcode, std::span<const LaneValue> args, LaneCode* code) {
  const auto* const row = std::find_if(std::begin(kCalls), std::end(kCalls),
                                       [&](const CallRow& call) { return call.opcode == opcode; });
  if (row == std::end(kCalls)) {
    code->Fail();
    return args[0];
  }
  return code->ByLane(LaneKind::kF32, args, [&](LaneCode* one, std::span<const LaneValue> lane) {
    const LaneValue number = one->Constant(LaneKind::kI32, static_cast<double>(row - kCalls));
    const std::array<LaneValue, 3> all = {lane.front(), lane.back(), number};
    return one->Call(static_cast<uint32_t>(ImportedFunction::kFunctionOfLane), all, LaneKind::kF32);
  });
}

// Rare operands in any lane make all go the long way.
template <typename Op>
Floats LowerCommonly(Floats x) {
  const auto common = [&] { return Op::RunCommon(x).value; };
  const auto rare = [&] { return Op::Run(x).value; };
  return {x.code, x.code->Branch(Op::IsRareOperand(x).value, LaneKind::kF32, rare, common)};
}

// The same where that is a call for each lane.
template <typename Op, Opcode kOpcode>
Floats LowerAngle(Floats x) {
  const auto common = [&] { return Op::RunCommon(x).value; };
  const auto rare = [&] { return CallByLane(kOpcode, {&x.value, 1}, x.code); };
  return {x.code, x.code->Branch(Op::IsRareOperand(x).value, LaneKind::kF32, rare, common)};
}

constexpr UnaryRow kUnary[] = {
    {Opcode::kExponential, LowerCommonly<ExponentialOp>},
    {Opcode::kSine, LowerAngle<SineOp, Opcode::kSine>},
    {Opcode::kCosine, LowerAngle<CosineOp, Opcode::kCosine>},
    {Opcode::kTan, LowerAngle<TanOp, Opcode::kTan>},
    {Opcode::kTanh, Lower<TanhOp>},
    {Opcode::kLogistic, Lower<LogisticOp>},
    {Opcode::kLog, Lower<LogOp>},
    {Opcode::kLogPlusOne, Lower<LogPlusOneOp>},
    {Opcode::kExponentialMinusOne, Lower<ExponentialMinusOneOp>},
    {Opcode::kErf, Lower<ErfOp>},
    {Opcode::kCbrt, Lower<CbrtOp>},
    {Opcode::kSinh, Lower<SinhOp>},
    {Opcode::kCosh, Lower<CoshOp>},
    {Opcode::kAsinh, Lower<AsinhOp>},
    {Opcode::kAcosh, Lower<AcoshOp>},
    {Opcode::kAtanh, Lower<AtanhOp>},
    {Opcode::kAtan, Lower<AtanOp>},
    {Opcode::kAsin, Lower<AsinOp>},
    {Opcode::kAcos, Lower<AcosOp>},
};

// Of ordinary operands a product in the exponent.
LaneValue LowerPower(std::span<const LaneValue> args, LaneCode* code) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Floats a{code, args[0]}, b{code, args[1]};
  const Lane<bool> is_plain = (a > 0.0f) & (a < kInfinity) & (Abs(b) < kInfinity);
  return code->Branch((!is_plain).value, LaneKind::kF32,
                      [&] { return CallByLane(Opcode::kPower, args, code); },
                      [&] { return PowerOp::PowerOfPositive(a, b).value; });
}

}  // namespace

float FunctionOfLane(float a, float b, int32_t function) { return kCalls[function].run(a, b); }

std::vector<Opcode> FunctionsOfLanes() {
  std::vector<Opcode> opcodes;
  for (const CallRow& call : kCalls) opcodes.push_back(call.opcode);
  return opcodes;
}

LaneValue LowerFunction(Opcode opcode, std::span<const LaneValue> args, LaneCode* code) {
  for (const UnaryRow& row : kUnary) {
    if (row.opcode == opcode) return row.lower({code, args[0]}).value;
  }
  if (opcode == Opcode::kPower) return LowerPower(args, code);
  if (opcode != Opcode::kAtan2) return CallByLane(opcode, args, code);
  return Atan2Op::Run(Floats{code, args[0]}, Floats{code, args[1]}).value;
}

}  // namespace hlo
