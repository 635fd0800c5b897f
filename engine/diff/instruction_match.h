// Which instruction of one module is which of another.
#ifndef HLO_ENGINE_DIFF_INSTRUCTION_MATCH_H_
#define HLO_ENGINE_DIFF_INSTRUCTION_MATCH_H_

#include <cstdint>
#include <vector>

#include "engine/diff/value_numbers.h"

namespace hlo {

/// Whether an instruction has two operands that may change places (OpDef::commutative).
bool CommutesOperands(const Instruction& instruction);

/// Pairs of instructions. Where what an instruction computes did not change, the pair follows from
/// that: names only decide among equals. Around a change, pairs follow from operands, then from
/// users, then from names.
class InstructionMatch {
 public:
  static constexpr uint32_t kNone = ValueNumbers::kNone;

  /// Takes time in proportion to both modules. The numbers must outlive this.
  InstructionMatch(const ValueNumbers& before, const ValueNumbers& after);

  /// The instruction after that is this one before; kNone if it is gone.
  uint32_t AfterOf(uint32_t before) const { return after_of_[before]; }
  uint32_t BeforeOf(uint32_t after) const { return before_of_[after]; }

 private:
  void Pair(uint32_t before, uint32_t after) {
    after_of_[before] = after;
    before_of_[after] = before;
  }
  bool IsFree(const ValueNumbers& numbers, uint32_t index) const;
  void PairRoots();
  void PairValues();
  void PairForward(bool whole_operation);
  void PairBackward(bool same_opcode);
  bool IsSwapped(uint32_t before, uint32_t after) const;
  void PairOperands(uint32_t before, uint32_t after, bool same_opcode);
  void PairNames();
  void PairHandedOn();
  uint64_t KeyBefore(uint32_t index, bool whole_operation) const;
  uint64_t KeyAfter(uint32_t index, bool whole_operation) const;

  const ValueNumbers& before_;
  const ValueNumbers& after_;
  std::vector<uint32_t> after_of_, before_of_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_DIFF_INSTRUCTION_MATCH_H_
