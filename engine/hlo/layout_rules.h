// What an instruction may do to the layouts of its operands, where layouts count.
#ifndef HLO_ENGINE_HLO_LAYOUT_RULES_H_
#define HLO_ENGINE_HLO_LAYOUT_RULES_H_

#include "engine/base/diagnostics.h"
#include "engine/hlo/ir.h"
#include "engine/ops/op_call.h"

namespace hlo {

/// Whether a copy moves data between the memories of host and device. Such a copy must not convert,
/// and one from the host must keep the layout.
/// Source: XLA, hlo_verifier.cc, CheckShape.
bool IsHostCopy(const Instruction& copy);
bool KeepsHostCopy(const Instruction& copy);

/// Ops that work position by position do not change layouts; slices move between memories only as
/// host offloading does.
/// Source: XLA, hlo_verifier.cc, InstructionVerifier::Postprocess; layout_assignment.cc,
/// InstructionCanChangeLayout.
void CheckLayouts(const Instruction& instruction, const VerifyMode& mode, Diagnostics& out);

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_LAYOUT_RULES_H_
