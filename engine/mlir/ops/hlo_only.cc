// Ops that HLO has and StableHLO does not, and how they are written there. An opcode without a row
// has no counterpart.
#include "engine/mlir/ops/families.h"

namespace hlo::mlir {

void PassOn(OpExport& op) { op.Set(op.Operands(0, 1)); }

void WriteNone(OpExport& op) { op.NoCounterpart("there is no such operation"); }

namespace {

void WriteNothing(OpExport& op) { op.Set({}); }

// A parameter's value exists before the instructions are written.
void KeepArgument(OpExport&) {}

// A fusion may have operands that its computation does not take.
void WriteFusion(OpExport& op) {
  const Computation& fused = op.Region("calls");
  op.Set(op.WriteCall(fused, op.Operands(0, fused.parameter_count())));
}

// MHLO's fusion.
void EmitFusion(OpImport& op) {
  const std::string_view kind = op.Word({"fusion_kind"});
  Attrs attrs = {{"kind", kind.empty() ? std::string_view("kLoop") : kind},
                 {"calls", op.RegionOf(0)}};
  op.SplitResult(op.Emit(Opcode::kFusion, op.operands, std::move(attrs)));
}

// The asynchronous computation is written at the done, with all operands that the chain bound.
void WriteAsyncDone(OpExport& op) {
  std::vector<const Instruction*> chain;
  for (const Instruction* at = op.op().operand(0);; at = at->operand(0)) {
    chain.push_back(at);
    if (!RowOf(at->opcode()).is_end) break;
  }
  const Instruction& start = *chain.back();
  const bool is_known = start.opcode() == Opcode::kAsyncStart;
  const hlo::Region* called = is_known ? start.Call().GetRegion("calls") : nullptr;
  std::vector<Leaves> arguments;
  for (size_t i = chain.size(); i-- > 0;) {
    const bool is_start = i + 1 == chain.size();
    for (int k = is_start ? 0 : 1; k < chain[i]->operand_count(); ++k) {
      arguments.push_back(op.ValueOf(*chain[i]->operand(k)));
    }
  }
  if (!called || static_cast<int>(arguments.size()) != called->parameter_count()) {
    return op.NoCounterpart("a computation that does not get its operands");
  }
  op.Set(op.WriteInline(*AsComputation(called), std::move(arguments)));
}

constexpr OpRow kHloRows[] = {
    {.opcode = Opcode::kAllGatherDone,
     .write = PassOn,
     .mixing = Mixing::kByOperand,
     .is_end = true},
    {.opcode = Opcode::kAllGatherStart,
     .write = WriteAllGather,
     .mixing = Mixing::kByOperand,
     .is_start = true,
     .result_element = 1},
    {.opcode = Opcode::kAllReduceDone, .write = PassOn, .mixing = Mixing::kByOperand},
    {.opcode = Opcode::kAllReduceStart, .write = WriteAllReduce, .mixing = Mixing::kReduced},
    {.opcode = Opcode::kAsyncDone, .write = WriteAsyncDone, .mixing = Mixing::kAny, .is_end = true},
    {.opcode = Opcode::kAsyncStart,
     .write = WriteNothing,
     .mixing = Mixing::kAny,
     .is_start = true},
    {.opcode = Opcode::kAsyncUpdate,
     .write = WriteNothing,
     .mixing = Mixing::kAny,
     .is_start = true,
     .is_end = true},
    {.opcode = Opcode::kCollectivePermuteDone,
     .write = PassOn,
     .mixing = Mixing::kByOperand,
     .is_end = true},
    {.opcode = Opcode::kCollectivePermuteStart,
     .write = WriteCollectivePermute,
     .mixing = Mixing::kByOperand,
     .is_start = true,
     .result_element = 1},
    {.opcode = Opcode::kCopyDone, .write = PassOn, .mixing = Mixing::kByOperand, .is_end = true},
    {.opcode = Opcode::kCopyStart, .write = PassOn, .mixing = Mixing::kByOperand, .is_start = true},
    {.opcode = Opcode::kDomain, .write = PassOn, .mixing = Mixing::kByOperand},
    {.name = "mhlo.fusion",
     .opcode = Opcode::kFusion,
     .emit = EmitFusion,
     .write = WriteFusion,
     .mixing = Mixing::kAny},
    {.opcode = Opcode::kParameter, .write = KeepArgument, .mixing = Mixing::kAny},
    {.opcode = Opcode::kRaggedAllToAll, .write = WriteRaggedAllToAll},
    {.opcode = Opcode::kRecvDone, .write = WriteRecvDone, .mixing = Mixing::kAny, .is_end = true},
    {.opcode = Opcode::kSendDone, .write = PassOn, .mixing = Mixing::kAny, .is_end = true},
};

}  // namespace

std::span<const OpRow> HloRows() { return kHloRows; }

}  // namespace hlo::mlir
