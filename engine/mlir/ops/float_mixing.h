// Floats of different widths in one instruction, as XLA allows them in the middle of its passes.
#ifndef HLO_ENGINE_MLIR_OPS_FLOAT_MIXING_H_
#define HLO_ENGINE_MLIR_OPS_FLOAT_MIXING_H_

#include "engine/hlo/ir.h"

namespace hlo::mlir {

/// Whether an instruction mixes floats where the same op of StableHLO does not: its operands, its
/// result and what its regions take and give are of one type there, or of one for each operand.
/// Products of arrays and reductions may have a wider result than operands.
bool IsMixed(const Instruction& instruction);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_OPS_FLOAT_MIXING_H_
