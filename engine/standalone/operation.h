// The code of one instruction.
#ifndef HLO_ENGINE_STANDALONE_OPERATION_H_
#define HLO_ENGINE_STANDALONE_OPERATION_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/ops/op_call.h"
#include "engine/plan/plan.h"
#include "engine/plan/region_steps.h"
#include "engine/standalone/emitter.h"

namespace hlo {

/// An instruction on arrays. Sizes are known.
struct Operation {
  const Instruction* instruction = nullptr;
  const OpCall* call = nullptr;   ///< what is computed, which may be in other types
  std::vector<int32_t> operands;  ///< arrays
  std::vector<int32_t> results;

  ElementType operand_type(int i) const { return call->operand(i).element_type(); }
  ElementType type() const { return call->shape().element_type(); }
};

/// Writes what an instruction computes of the arrays of its operands. False where there is no code
/// for it.
bool WriteOperation(const PlannedInstruction& planned, std::vector<int32_t> operands,
                    std::vector<int32_t> results, Emitter* emitter);

/// The computation on scalars that a call names, as steps; nothing where it does not compile.
std::optional<RegionSteps> StepsOf(const OpCall& call, std::string_view attr = "to_apply");

// Families of operations; each writes those it knows, and leaves the others to the next.
bool WriteMovement(const Operation& operation, Emitter* emitter);
/// bitcast of which a layout is not row-major.
bool WriteRelayout(const Operation& operation, Emitter* emitter);
/// bitcast-convert that no element-wise code has.
bool WriteBitString(const Operation& operation, Emitter* emitter);
bool WriteIndexed(const Operation& operation, Emitter* emitter);
bool WriteReduction(const Operation& operation, Emitter* emitter);
bool WriteProduct(const Operation& operation, Emitter* emitter);
bool WriteWindows(const Operation& operation, Emitter* emitter);
/// Those products that the module rounds.
bool WriteRoundedProduct(const Operation& operation, Emitter* emitter);
bool WriteSorting(const Operation& operation, Emitter* emitter);
bool WriteFourier(const Operation& operation, Emitter* emitter);
bool WriteFactors(const Operation& operation, Emitter* emitter);
bool WriteNormalization(const Operation& operation, Emitter* emitter);
bool WriteRandomBits(const Operation& operation, Emitter* emitter);
bool WriteSelection(const Operation& operation, Emitter* emitter);
bool WriteStochastic(const Operation& operation, Emitter* emitter);

}  // namespace hlo

#endif  // HLO_ENGINE_STANDALONE_OPERATION_H_
