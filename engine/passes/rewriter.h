// What the rules of simplification work with: one instruction at a time.
#ifndef HLO_ENGINE_PASSES_REWRITER_H_
#define HLO_ENGINE_PASSES_REWRITER_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.h"
#include "engine/hlo/make_instruction.h"
#include "engine/ops/op_def.h"
#include "engine/passes/draft.h"

namespace hlo {

/// What a rule makes of an instruction.
struct Rewrite {
  Instruction* instead =
      nullptr;  ///< Takes its place everywhere; null: it has been changed itself.
  std::string_view reason;
};
using MaybeRewrite = std::optional<Rewrite>;

/// Changes an instruction in place, so that its name and metadata stay.
class Rewriter {
 public:
  explicit Rewriter(Draft& draft) : draft_(draft) {}

  Draft& draft() { return draft_; }
  Budget* budget() { return &budget_; }

  /// Whether rules may look behind an operand: it is not pinned, and floats of different widths do
  /// not meet in it.
  bool SeesThrough(const Instruction& operand) {
    return !draft_.IsPinned(operand) && !MixesFloats(operand);
  }
  static bool MixesFloats(const Instruction& instruction);

  /// Makes `opcode(operands)` of it, with these attributes beside those that every opcode has. The
  /// shape stays. False, and nothing is changed, where the attributes do not fit.
  bool Become(Instruction* instruction, Opcode opcode, const std::vector<Instruction*>& operands,
              NamedAttrs attrs = {});
  /// Makes a constant of it.
  bool BecomeConstant(Instruction* instruction, Tensor value);
  /// Gives it another operand.
  void SetOperand(Instruction* instruction, int i, Instruction* operand) {
    draft_.editor().operands(instruction)[static_cast<size_t>(i)] = operand;
  }

 private:
  Draft& draft_;
  Budget budget_{{.memory_bytes = uint64_t{64} << 20}};
};

/// Of a constant that is known, or a broadcast of one: its elements if they are all the same.
struct Splat {
  const Tensor* value = nullptr;  ///< The first element is the one.
};
std::optional<Splat> SplatOf(const Instruction& instruction);
/// The value of a constant array that is known, else null.
const Tensor* ConstantOf(const Instruction& instruction);

// The rules, by family; nothing where none applies.
MaybeRewrite SimplifyTuples(Rewriter& rewriter, Instruction* instruction);
MaybeRewrite SimplifyMoves(Rewriter& rewriter, Instruction* instruction);
MaybeRewrite SimplifySlices(Rewriter& rewriter, Instruction* instruction);
MaybeRewrite SimplifyArithmetic(Rewriter& rewriter, Instruction* instruction);
MaybeRewrite SimplifyControl(Rewriter& rewriter, Instruction* instruction);
MaybeRewrite FoldConstants(Rewriter& rewriter, Instruction* instruction);

}  // namespace hlo

#endif  // HLO_ENGINE_PASSES_REWRITER_H_
