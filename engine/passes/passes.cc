#include "engine/passes/passes.h"

#include <algorithm>
#include <utility>

#include "engine/ops/op_def.h"
#include "engine/plan/in_place.h"
#include "engine/plan/program_memory.h"

namespace hlo {
namespace {

constexpr Pass kPasses[] = {
    {"inline", "Inline calls",
     "Puts the instructions of called computations in place of the calls.", InlineCalls},
    {"simplify", "Simplify",
     "Removes what is not needed: identities, chains of moves, repeated and unused instructions, "
     "arithmetic on constants; every result keeps its bits.",
     Simplify},
    {"fuse", "Fuse",
     "Joins element-wise instructions and moves, and reductions with what they read, into fusions "
     "that write one array.",
     FuseLoops},
    {"assign-layouts", "Assign layouts",
     "Gives every array the tiles of TPUs, and puts copies where orders of dimensions must agree.",
     AssignLayouts},
    {"schedule", "Schedule", "Orders the instructions so that little memory is needed at a time.",
     ScheduleProgram},
    {"assign-buffers", "Assign buffers",
     "Gives every array a place in memory; those that live at different times share it.",
     AssignBuffers, false},
};

// `rng` depends on the number of its instruction in the text.
bool DrawsByNumber(const Module& module) {
  for (const Computation& computation : module.computations()) {
    for (const Instruction& instruction : computation.instructions()) {
      if (instruction.opcode() == Opcode::kRng) return true;
    }
  }
  return false;
}

bool IsFree(Opcode opcode) {
  switch (opcode) {
    case Opcode::kParameter:
    case Opcode::kConstant:
    case Opcode::kTuple:
    case Opcode::kGetTupleElement:
    case Opcode::kBitcast:
    case Opcode::kWhile:
    case Opcode::kConditional:
    case Opcode::kCall:
    case Opcode::kAfterAll:
    case Opcode::kOptBarrier:
    case Opcode::kDomain:
      return true;
    default:
      return false;
  }
}

int64_t BytesOfArrays(const Shape& shape) {
  int64_t bytes = 0;
  ForEachArray(
      shape, [&](const Shape& array) { bytes += std::max<int64_t>(0, SizeOfBuffer(array).bytes); });
  return bytes;
}

void RunOne(const Pass& pass, const Module& before, PassStep& step) {
  Draft draft(before);
  if (pass.numbers_instructions && DrawsByNumber(before)) {
    step.report.note =
        "The program draws random numbers with rng, which depend on the instruction's number: it "
        "stays as it is.";
  } else {
    pass.run(draft, step.report);
  }
  step.changed = !step.report.changes.empty() || step.report.header_changed;
  step.module = draft.Finish();
}

}  // namespace

std::string_view Text(ChangeKind kind) {
  constexpr std::string_view kTexts[] = {"inlined", "replaced", "removed",
                                         "fused",   "moved",    "layout"};
  return kTexts[static_cast<size_t>(kind)];
}

std::span<const Pass> Passes() { return kPasses; }

const Pass* FindPass(std::string_view name) {
  for (const Pass& pass : kPasses) {
    if (pass.name == name) return &pass;
  }
  return nullptr;
}

PassCounts CountProgram(const Module& module) {
  // A draft's module is in order.
  if (!IsInOrder(module)) return CountProgram(Draft(module).module());
  PassCounts counts;
  const std::vector<BodyKind> kinds = KindsOf(module);
  for (const Computation& computation : module.computations()) {
    ++counts.computations;
    counts.instructions += static_cast<int64_t>(computation.instructions().size());
    const bool runs = kinds[static_cast<size_t>(computation.index())] == BodyKind::kProgram;
    for (const Instruction& instruction : computation.instructions()) {
      counts.fusions += instruction.opcode() == Opcode::kFusion;
      if (!runs || IsFree(instruction.opcode())) continue;
      counts.traffic_bytes += BytesOfArrays(instruction.shape());
      for (const Instruction* operand : instruction.operands()) {
        counts.traffic_bytes += BytesOfArrays(operand->shape());
      }
    }
  }
  for (const SpacePeak& peak : PeaksOf(module, WrittenInPlace)) {
    if (peak.space == 0) counts.peak_bytes = peak.bytes;
  }
  return counts;
}

std::vector<PassStep> RunPasses(const Module& module, std::span<const Pass* const> passes) {
  std::vector<PassStep> steps;
  const Module* before = &module;
  for (const Pass* pass : passes) {
    PassStep& step = steps.emplace_back();
    step.pass = pass;
    RunOne(*pass, *before, step);
    step.counts = CountProgram(*step.module);
    before = step.module.get();
  }
  return steps;
}

}  // namespace hlo
