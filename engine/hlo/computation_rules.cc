// Rules about computations: their parameters, the threads they run on, what a fusion may hold.
// Source: XLA, hlo_verifier.cc, InstructionVerifier.
#include <fmt/format.h>

#include <algorithm>

#include "engine/hlo/verifier_rules.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

void CheckParameters(const Computation& computation, Diagnostics& out) {
  for (size_t i = 0; i < computation.parameters().size(); ++i) {
    if (computation.parameters()[i]) continue;
    out.Report(DiagCode::kParameterNumber, computation.name_range(),
               fmt::format("{} has no parameter {}, but {} parameters", computation.name(), i,
                           computation.parameters().size()));
  }
}

// ---- Threads ------------------------------------------------------------------------------------

/// A loop, a conditional and a fusion run on their caller's thread: CheckCallableInstruction-
/// ThreadName. Others do only where a backend asks for it: verify_call_nested_computation_thread_
/// name.
void CheckThread(const Instruction& caller, const Attr& attr, const Computation& callee,
                 const VerifierScope& scope) {
  const std::string_view outer = caller.parent()->execution_thread();
  const std::string_view inner = callee.execution_thread();
  if (outer == inner) return;
  switch (caller.opcode()) {
    case Opcode::kAsyncStart:
    case Opcode::kAsyncUpdate:
    case Opcode::kAsyncDone:
      return;
    case Opcode::kConditional:
    case Opcode::kFusion:
    case Opcode::kWhile:
      scope.out.Report(
          DiagCode::kVerifierRule, attr.range,
          fmt::format("Callable instruction {} expects parent computation thread name same as "
                      "called computation's thread name ({} vs {}).",
                      caller.name(), outer, inner));
      return;
    default:
      scope.out.Report(DiagCode::kVerifierRule, Severity::kWarning, attr.range,
                       fmt::format("{} {} computation execution thread does not match ({} vs {})",
                                   caller.name(), attr.def->name, inner, outer));
  }
}

// ---- Fusions ------------------------------------------------------------------------------------

/// XLA, CheckFusionInstruction.
void CheckFusion(const Computation& fused, const Instruction& fusion, const VerifierScope& scope) {
  Users users(fused);
  for (const Instruction& i : fused.instructions()) {
    const bool used = !users.Of(i).empty();
    if (i.is_root() && used) {
      ReportAt(i, DiagCode::kVerifierRule,
               fmt::format("Root of {} may not have users.", fusion.name()), scope.out);
    } else if (!i.is_root() && !used && !HasEffect(i.Call())) {
      ReportAt(
          i, DiagCode::kVerifierRule,
          fmt::format("Non-root instruction {} in {} must have users.", i.name(), fusion.name()),
          scope.out);
    }
  }
}

void CheckFusions(const Computation& computation, const VerifierScope& scope) {
  const Instruction* first = nullptr;
  for (const Caller& caller : scope.calls.CallersOf(computation)) {
    if (caller.instruction->opcode() != Opcode::kFusion) continue;
    if (!first) {
      first = caller.instruction;
      CheckFusion(computation, *first, scope);
      continue;
    }
    // Programs in XLA's own tests share a computation between fusions.
    scope.out.Report(DiagCode::kVerifierRule, Severity::kWarning, caller.attr->range,
                     fmt::format("Instruction of fused computation does not match expected "
                                 "instruction {}: {} is the computation of {} too",
                                 caller.instruction->name(), computation.name(), first->name()));
  }
}

}  // namespace

void VerifyComputations(const VerifierScope& scope) {
  for (const Computation& computation : scope.module.computations()) {
    CheckParameters(computation, scope.out);
    for (const Instruction& i : computation.instructions()) {
      ForEachCallee(i, [&](const Attr& attr, const Computation& callee) {
        CheckThread(i, attr, callee, scope);
      });
    }
    if (scope.Has(Opcode::kFusion)) CheckFusions(computation, scope);
  }
  const Computation* entry = scope.module.entry();
  if (entry && scope.calls.IsCalledBy(*entry, Opcode::kFusion)) {
    scope.out.Report(DiagCode::kVerifierRule, entry->name_range(),
                     "Module entry computation cannot be a fusion computation");
  }
}

}  // namespace hlo
