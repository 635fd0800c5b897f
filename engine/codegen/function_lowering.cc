#include "engine/codegen/function_lowering.h"

#include <array>

#include "engine/codegen/lane.h"
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

// By FunctionOfLane.
LaneValue CallByLane(Opcode opcode, std::span<const LaneValue> args, LaneCode* code) {
  return code->ByLane(LaneKind::kF32, args, [&](LaneCode* one, std::span<const LaneValue> lane) {
    const LaneValue number = one->Constant(LaneKind::kI32, static_cast<int>(opcode));
    const std::array<LaneValue, 3> all = {lane[0], lane[lane.size() - 1], number};
    return one->Call(kFunctionOfLane, all, LaneKind::kF32);
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

float FunctionOfLane(float a, float b, int32_t opcode) {
  switch (static_cast<Opcode>(opcode)) {
    case Opcode::kSine:
      return SineOp::Run(a);
    case Opcode::kCosine:
      return CosineOp::Run(a);
    case Opcode::kTan:
      return TanOp::Run(a);
    case Opcode::kPower:
      return PowerOp::Run(a, b);
    case Opcode::kAtan2:
      return Atan2Op::Run(a, b);
    default:
      return RemainderOp::Run(a, b);
  }
}

LaneValue LowerFunction(Opcode opcode, std::span<const LaneValue> args, LaneCode* code) {
  for (const UnaryRow& row : kUnary) {
    if (row.opcode == opcode) return row.lower({code, args[0]}).value;
  }
  switch (opcode) {
    case Opcode::kPower:
      return LowerPower(args, code);
    case Opcode::kTan:
    case Opcode::kAtan2:
    case Opcode::kRemainder:
      return CallByLane(opcode, args, code);
    default:
      code->Fail();
      return args[0];
  }
}

}  // namespace hlo
