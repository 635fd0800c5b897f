// Which arrays of a result an instruction writes over those of its operands.
#ifndef HLO_ENGINE_PLAN_IN_PLACE_H_
#define HLO_ENGINE_PLAN_IN_PLACE_H_

#include <vector>

#include "engine/hlo/ir.h"
#include "engine/ops/attributes.h"
#include "engine/ops/op_def.h"

namespace hlo {

/// Whether what is in its computation is part of it: a fusion.
inline bool IsFused(const Instruction& instruction) {
  const OpDef& def = instruction.def();
  return def.runs == Runs::kOne && !def.control_flow;
}

/// The arrays of the result that are written over an array of an operand where nothing needs that
/// afterwards, else over a copy of it; of several for one array the last counts. An update of a
/// slice or a scatter writes its result so, a fusion whose result is that of one of these (maybe
/// behind bitcasts, or in another fusion) over a parameter of its own, and every instruction what
/// its `output_to_operand_aliasing` says. Source: XLA, alias_info.cc, GetInPlaceInputOutputPairs.
std::vector<Alias> WrittenInPlace(const Instruction& instruction);

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_IN_PLACE_H_
