// Chains of async-start, async-update and async-done: each start has one done.
// Source: XLA, hlo_verifier.cc, VerifyAsynchronousInstructionPairs.
#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/hlo/async_trace.h"
#include "engine/hlo/verifier_rules.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

/// What may use an async state besides the links of its chain: control flow, and ops that pass it
/// through.
bool MayTake(const Instruction& i) {
  switch (i.opcode()) {
    case Opcode::kCall:
    case Opcode::kConditional:
    case Opcode::kDomain:
    case Opcode::kWhile:
      return true;
    default:
      return HandsStateOn(i);
  }
}

void Report(const Instruction& at, std::string message, Diagnostics& out) {
  out.Report(DiagCode::kVerifierRule, at.places().opcode, std::move(message));
}

/// An async state must be the first operand of a link, or be passed through.
void CheckUse(const Instruction& user, int i, Diagnostics& out) {
  const Instruction& state = *user.operand(i);
  const bool is_link = user.opcode() == Opcode::kAsyncUpdate || user.opcode() == Opcode::kAsyncDone;
  if (is_link ? i == 0 : MayTake(user)) return;
  Report(user,
         fmt::format("Async instruction {} used as operand {} of {}. Async instructions can only "
                     "be used as {}",
                     state.name(), i, user.name(),
                     is_link ? "the first operand of async-update or async-done."
                             : "operands of async-update, async-done, control flow, or tuple "
                               "instructions."),
         out);
}

class Chains {
 public:
  Chains(const VerifierScope& scope, AsyncTrace& trace) : scope_(scope), trace_(trace) {}

  void Follow(const Instruction& done) {
    if (done.operand_count() == 0) return;
    const Instruction* at = trace_.Producer(*done.operand(0));
    while (at && at->opcode() == Opcode::kAsyncUpdate && at->operand_count() > 0) {
      if (!in_chain_.insert(at).second) {
        return Report(
            *at, fmt::format("Async update {} is part of multiple chains or a cycle", at->name()),
            scope_.out);
      }
      at = trace_.Producer(*at->operand(0));
    }
    if (trace_.is_spent()) return;
    if (!at) {
      return Report(done,
                    fmt::format("Async done {} does not trace back to an async start", done.name()),
                    scope_.out);
    }
    if (at->opcode() != Opcode::kAsyncStart) {
      return Report(done,
                    fmt::format("Async done {} traces back to non-start async op {}", done.name(),
                                at->name()),
                    scope_.out);
    }
    const auto [entry, is_new] = done_of_.emplace(at, &done);
    if (is_new) return;
    Report(*at,
           fmt::format("Async start {} is matched by multiple async done instructions: {} and {}",
                       at->name(), entry->second->name(), done.name()),
           scope_.out);
  }

  /// After all dones were followed.
  void CheckEnd(const Instruction& link) {
    const bool is_start = link.opcode() == Opcode::kAsyncStart;
    const bool ends = is_start ? done_of_.count(&link) > 0 : in_chain_.count(&link) > 0;
    if (ends || trace_.is_spent() || IsCarriedAcrossLoop(link)) return;
    Report(link,
           is_start ? fmt::format("Async start {} has no matching async done", link.name())
                    : fmt::format("Orphan async update {} found", link.name()),
           scope_.out);
  }

 private:
  /// Whether the state enters a loop or leaves the body of one: then its end cannot be traced.
  /// Source: XLA, hlo_verifier.cc, IsCarriedAcrossWhileLoop.
  bool IsCarriedAcrossLoop(const Instruction& link) {
    if (!knows_carried_) FindCarried();
    knows_carried_ = true;
    return carried_.count(&link) > 0;
  }

  /// Traces back from the operands of loops and the results of their bodies.
  void FindCarried() {
    std::vector<const Instruction*> open;
    const auto add = [&](const Instruction* i) {
      if (i && carried_.insert(i).second) open.push_back(i);
    };
    for (const Computation& computation : scope_.module.computations()) {
      for (const Instruction& i : computation.instructions()) {
        if (i.opcode() != Opcode::kWhile) continue;
        add(i.operand(0));
        if (const Computation* body = CalledBy(i, "body")) add(body->root());
      }
    }
    while (!open.empty()) {
      const Instruction& i = *open.back();
      open.pop_back();
      if (i.opcode() != Opcode::kAsyncUpdate && !MayTake(i)) continue;
      for (const Instruction* operand : i.operands()) add(operand);
      if (i.opcode() != Opcode::kCall && i.opcode() != Opcode::kConditional) continue;
      ForEachCallee(i, [&](const Attr&, const Computation& callee) { add(callee.root()); });
    }
  }

  const VerifierScope& scope_;
  AsyncTrace& trace_;
  std::unordered_map<const Instruction*, const Instruction*> done_of_;
  std::unordered_set<const Instruction*> in_chain_;
  std::unordered_set<const Instruction*> carried_;
  bool knows_carried_ = false;
};

}  // namespace

void VerifyAsyncPairs(const VerifierScope& scope, AsyncTrace& trace) {
  if (!scope.Has(Opcode::kAsyncStart) && !scope.Has(Opcode::kAsyncUpdate) &&
      !scope.Has(Opcode::kAsyncDone)) {
    return;
  }
  const auto for_each = [&](auto visit) {
    for (const Computation& computation : scope.module.computations()) {
      for (const Instruction& i : computation.instructions()) visit(i);
    }
  };
  Chains chains(scope, trace);
  for_each([&](const Instruction& i) {
    for (int at = 0; at < i.operand_count(); ++at) {
      const Opcode opcode = i.operand(at)->opcode();
      if (opcode == Opcode::kAsyncStart || opcode == Opcode::kAsyncUpdate) {
        CheckUse(i, at, scope.out);
      }
    }
    if (i.opcode() == Opcode::kAsyncDone) chains.Follow(i);
  });
  for_each([&](const Instruction& i) {
    if (i.opcode() == Opcode::kAsyncStart || i.opcode() == Opcode::kAsyncUpdate) {
      chains.CheckEnd(i);
    }
  });
}

}  // namespace hlo
