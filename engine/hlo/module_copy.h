// Computations of one module copied into another.
#ifndef HLO_ENGINE_HLO_MODULE_COPY_H_
#define HLO_ENGINE_HLO_MODULE_COPY_H_

#include <unordered_map>

#include "engine/hlo/ir.h"

namespace hlo {

/// Copies instructions and computations into the editor's module, each computation once. Names,
/// shapes and attributes are those of the original; places in the text are not copied.
class ModuleCopier {
 public:
  explicit ModuleCopier(ModuleEditor& editor) : editor_(editor) {}

  /// The copy of a computation, after those of all that it calls.
  Computation* Copy(const Computation& original);
  /// Copies one instruction to the end of `to`, after the computations that it calls. Its operands
  /// have been copied, or others take their places.
  Instruction* Copy(const Instruction& original, Computation* to);
  /// Where `original` is an operand, `other` is the operand of the copies.
  void Replace(const Instruction& original, Instruction* other) {
    instructions_[&original] = other;
  }
  /// The copy of an instruction, or what has taken its place; null for none.
  Instruction* CopyOf(const Instruction& original) const;
  /// Originals and their copies, in no order.
  const std::unordered_map<const Instruction*, Instruction*>& instructions() const {
    return instructions_;
  }

 private:
  /// All that the computation calls has been copied.
  void CopyBody(const Computation& original);

  ModuleEditor& editor_;
  std::unordered_map<const Computation*, Computation*> computations_;
  std::unordered_map<const Instruction*, Instruction*> instructions_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_MODULE_COPY_H_
