// Constant evaluation during import, for values that determine sizes.
#ifndef HLO_ENGINE_MLIR_IMPORT_KNOWN_VALUES_H_
#define HLO_ENGINE_MLIR_IMPORT_KNOWN_VALUES_H_

#include <optional>
#include <unordered_map>

#include "engine/base/budget.h"
#include "engine/hlo/ir.h"
#include "engine/types/tensor.h"

namespace hlo::mlir {

/// Evaluates small arrays that follow from constants and from the shapes of values, on request:
/// through calls, tuples and other ops that pass values on, but not loops, branches, random numbers
/// or I/O.
class KnownValues {
 public:
  /// Arrays with more elements are not evaluated.
  static constexpr int64_t kMostElements = 256;

  explicit KnownValues(Budget* budget) : budget_(budget) {}

  /// Declares that a parameter (or a value captured by a region) equals `same`.
  void Alias(const Instruction* value, const Instruction* same) { aliases_[value] = same; }
  /// The value, or null if it is not known. Valid until the next call.
  const Tensor* Find(const Instruction* value);
  /// For an unknown value: the instruction it depends on, such as a parameter.
  const Instruction* CauseOf(const Instruction* value);
  /// Whether two values are computed in the same way from the same values; true only if that is
  /// certain.
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
