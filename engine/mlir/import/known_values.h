// Values that are known while a program is imported: sizes are computed by the program itself.
#ifndef HLO_ENGINE_MLIR_IMPORT_KNOWN_VALUES_H_
#define HLO_ENGINE_MLIR_IMPORT_KNOWN_VALUES_H_

#include <optional>
#include <unordered_map>

#include "engine/base/budget.h"
#include "engine/hlo/ir.h"
#include "engine/types/tensor.h"

namespace hlo::mlir {

/// Evaluates small arrays that follow from constants and from the shapes of values, when they are
/// asked for: through calls, tuples and whatever else passes values on, but not out of loops,
/// branches, random numbers or the world.
class KnownValues {
 public:
  /// Arrays with more elements are not evaluated.
  static constexpr int64_t kMostElements = 256;

  explicit KnownValues(Budget* budget) : budget_(budget) {}

  /// A parameter (or what a region takes from outside) is what `same` is.
  void Alias(const Instruction* value, const Instruction* same) { aliases_[value] = same; }
  /// The value, or null when it is not known. Good until the next call.
  const Tensor* Find(const Instruction* value);
  /// Of a value that is not known: the instruction that it depends on, such as a parameter.
  const Instruction* CauseOf(const Instruction* value);
  /// Whether two values are computed alike from the same values: true only when that is certain.
  bool Same(const Instruction* a, const Instruction* b);

 private:
  const Instruction* WholeOrigin(const Instruction* value) const;
  const Instruction* Origin(const Instruction* value) const;
  std::optional<Tensor> Evaluate(const Instruction& instruction);

  Budget* budget_;  ///< of what is kept; may be null
  Budget work_;
  std::unordered_map<const Instruction*, const Instruction*> aliases_;
  std::unordered_map<const Instruction*, std::optional<Tensor>> memo_;
};

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_IMPORT_KNOWN_VALUES_H_
