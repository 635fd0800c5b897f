#include "engine/precision/treatment.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

namespace hlo {
namespace {

bool TouchesNarrowFloats(const Instruction& instruction, WideFloat wide) {
  return HasNarrowFloats(instruction.shape(), wide) ||
         std::any_of(instruction.operands().begin(), instruction.operands().end(),
                     [&](const Instruction* each) { return HasNarrowFloats(each->shape(), wide); });
}

// Targets that hand on what they are given, whatever its type is.
constexpr std::string_view kTargetsOfAnyType[] = {
    "AllocateBuffer",
    "CreateBuffer",
    "HostExecute",
    "LayoutConstraint",
    "MoveToDevice",
    "MoveToHost",
    "NopReturnToken",
    "PadToStatic",
    "Pin",
    "PinToDevice",
    "PinToDeviceSram",
    "SPMDFullToShardShape",
    "SPMDShardToFullShape",
    "ShardBarrierFrom",
    "ShardBarrierTo",
    "Sharding",
    "SliceToDynamic",
    "Unpin",
    "__xla_internal_call_marker_after",
    "__xla_internal_call_marker_before",
    "annotate_device_placement",
    "xla.sdy.GlobalToLocalShape",
    "xla.sdy.LocalToGlobalShape",
};

bool SumsMany(const Instruction& instruction) {
  switch (instruction.opcode()) {
    case Opcode::kConvolution:
    case Opcode::kDot:
    case Opcode::kRaggedDot:
    case Opcode::kReduce:
    case Opcode::kReduceWindow:
      return TouchesNarrowFloats(instruction, ElementType::kF64);
    default:
      return false;
  }
}

bool TakesAnyFloat(const Instruction& instruction, WideFloat wide,
                   const CustomCallTargets* targets) {
  const std::string& name = instruction.attrs().String("custom_call_target");
  const auto* end = std::end(kTargetsOfAnyType);
  if (std::find(std::begin(kTargetsOfAnyType), end, name) != end) return true;
  if (name.starts_with("xla_builder.")) return true;
  // The next number depends on how many there are.
  if (!targets || name.find("next_after") != std::string::npos) return false;
  const CustomCallTarget* target = targets->Find(instruction.Call());
  if (!target || !target->loop || !instruction.shape().IsArray()) return false;
  const ElementType type = WidenedType(instruction.shape().element_type(), wide);
  return target->loop(type).run != nullptr;
}

}  // namespace

Treatment TreatmentOf(const Instruction& instruction, WideFloat wide, bool sums_in_f64,
                      const CustomCallTargets* targets) {
  if (sums_in_f64 && wide != ElementType::kF64 && SumsMany(instruction)) {
    return Treatment::kSum;
  }
  if (!TouchesNarrowFloats(instruction, wide)) return Treatment::kWiden;
  const bool is_host =
      instruction.attrs().Has("is_host_transfer") && instruction.attrs().Bool("is_host_transfer");
  switch (instruction.opcode()) {
    case Opcode::kReducePrecision:
      return Treatment::kIdentity;
    case Opcode::kStochasticConvert:
      return IsFloat(instruction.shape().element_type()) ? Treatment::kIdentity
                                                         : Treatment::kNarrow;
    case Opcode::kBitcastConvert:
    case Opcode::kRng:
    case Opcode::kInfeed:
      return Treatment::kNarrow;
    case Opcode::kRecv:
    case Opcode::kRecvDone:
      return is_host ? Treatment::kNarrow : Treatment::kWiden;
    case Opcode::kBitcast:  // between shapes of one type it only moves elements
      return instruction.shape().element_type() == instruction.operand(0)->shape().element_type()
                 ? Treatment::kWiden
                 : Treatment::kNarrow;
    case Opcode::kConstant: {
      // What it is filled with follows from its type.
      const ShapedLiteral* literal = instruction.attrs().GetLiteral("literal");
      return literal && literal->literal.elided ? Treatment::kNarrow : Treatment::kWiden;
    }
    case Opcode::kCustomCall:
      return TakesAnyFloat(instruction, wide, targets) ? Treatment::kWiden : Treatment::kNarrow;
    default:
      return Treatment::kWiden;
  }
}

}  // namespace hlo
