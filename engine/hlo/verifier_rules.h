// The verifier's rules that are about more than one instruction; verifier.h is its public face.
#ifndef HLO_ENGINE_HLO_VERIFIER_RULES_H_
#define HLO_ENGINE_HLO_VERIFIER_RULES_H_

#include <bitset>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/diagnostics.h"
#include "engine/hlo/ir.h"
#include "engine/hlo/verifier.h"

namespace hlo {

/// What a rule is given.
struct VerifierScope {
  const Module& module;
  const VerifierOptions& options;
  Diagnostics& out;
  /// Opcodes that occur in the module, so that rules about rare ones cost nothing elsewhere.
  std::bitset<kOpcodeCount> opcodes;

  bool Has(Opcode opcode) const { return opcodes[static_cast<size_t>(opcode)]; }
};

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

/// async-start, -update, -done: one chain each, bound to its computation step by step.
void VerifyAsyncChains(const VerifierScope& scope);
/// Starts have one done, dones have their start; send and recv agree on channels.
void VerifyTransfers(const VerifierScope& scope);
/// In a schedule, sends and receives meet (deadlock_rules.cc). Warnings.
void VerifySchedule(const VerifierScope& scope);
/// Buffers have one writer at a time and do not cross the module's border.
void VerifyBuffers(const VerifierScope& scope);
/// Called computations run on the caller's thread; parameters are numbered without gaps.
void VerifyComputations(const VerifierScope& scope);
/// Shardings of a loop or a conditional agree with those of its computations.
void VerifyShardings(const VerifierScope& scope);
/// The header's entry layout and aliases fit the entry computation; no unbounded dimensions.
void VerifyHeader(const VerifierScope& scope);

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_VERIFIER_RULES_H_
