// Floats of different widths in one instruction, which XLA allows between its passes.
#ifndef HLO_ENGINE_MLIR_OPS_FLOAT_MIXING_H_
#define HLO_ENGINE_MLIR_OPS_FLOAT_MIXING_H_

#include "engine/hlo/ir.h"

namespace hlo::mlir {

/// Whether an instruction mixes floats where the same StableHLO op does not: there its operands,
/// its result and its regions' parameters and results have one type, or one per operand.
/// Contractions and reductions may have a result wider than their operands.
bool IsMixed(const Instruction& instruction);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_OPS_FLOAT_MIXING_H_
