// The verifier's rules that are about more than one instruction; verifier.h is its public
// interface.
#ifndef HLO_ENGINE_HLO_VERIFIER_RULES_H_
#define HLO_ENGINE_HLO_VERIFIER_RULES_H_

#include <bitset>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/diagnostics.h"
#include "engine/hlo/async_trace.h"
#include "engine/hlo/call_graph.h"
#include "engine/hlo/ir.h"
#include "engine/hlo/leaf_search.h"
#include "engine/hlo/verifier.h"

namespace hlo {

/// What a rule is given.
struct VerifierScope {
  const Module& module;
  const CallGraph& calls;
  const VerifierOptions& options;
  Diagnostics& out;
  /// Opcodes that occur in the module, so that rules about rare ones cost nothing elsewhere.
  std::bitset<kOpcodeCount> opcodes;

  /// Asked about every instruction, by more than one rule.
  mutable LeafSearch buffers{[](const Shape& leaf) { return leaf.IsBuffer(); }};

  bool Has(Opcode opcode) const { return opcodes[static_cast<size_t>(opcode)]; }
};

/// A place in a shape, as a path of tuple elements.
using Path = std::vector<int64_t>;
inline Path PathOf(const Dims& index) { return {index.begin(), index.end()}; }

/// Who uses the instructions of a computation, once per use.
class Users {
 public:
  explicit Users(const Computation& computation);
  std::span<const Instruction* const> Of(const Instruction& instruction) const;

 private:
  std::vector<uint32_t> starts_;  // by index of the instruction
  std::vector<const Instruction*> users_;
};

/// Reports at the instruction's opcode; the message gets its name in front.
void ReportAt(const Instruction& instruction, DiagCode code, std::string_view message,
              Diagnostics& out);
/// The computation of an attribute; null when absent.
const Computation* CalledBy(const Instruction& instruction, std::string_view attr);

/// async-start, -update, -done: their states are bound to their computation step by step.
void VerifyAsyncShapes(const VerifierScope& scope, AsyncTrace& trace);
/// Each async-start has one async-done.
void VerifyAsyncPairs(const VerifierScope& scope, AsyncTrace& trace);
/// Starts with opcodes of their own have one done, dones have their start; send and recv agree on
/// channels.
void VerifyTransfers(const VerifierScope& scope, AsyncTrace& trace);
/// Nothing makes a send wait for what is received on its own channel. Warnings.
void VerifyTransferOrder(const VerifierScope& scope);
/// In a schedule, sends and receives meet. Warnings.
void VerifySchedule(const VerifierScope& scope);
/// Buffers have one writer at a time and do not cross the module's border.
void VerifyBuffers(const VerifierScope& scope);
/// Called computations run on the caller's thread; parameters are numbered without gaps; fusions
/// hold nothing that is not used.
void VerifyComputations(const VerifierScope& scope);
/// Shardings fit their shapes; those of a loop or a conditional agree with its computations'.
void VerifyShardings(const VerifierScope& scope);
/// The header's entry layout, aliases and donors fit the entry computation.
void VerifyHeader(const VerifierScope& scope);
/// Layouts of reductions and what they compute, original values, names of scheduled instructions.
void VerifyModuleRules(const VerifierScope& scope);
/// One infeed comes after the other. Warnings.
void VerifyInfeedOrder(const VerifierScope& scope);

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_VERIFIER_RULES_H_
