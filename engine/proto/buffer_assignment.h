// BufferAssignmentProto as the text that XLA writes of a buffer assignment.
#ifndef HLO_ENGINE_PROTO_BUFFER_ASSIGNMENT_H_
#define HLO_ENGINE_PROTO_BUFFER_ASSIGNMENT_H_

#include <string>

#include "engine/proto/wire.h"

namespace hlo {

/// The text of `*-buffer-assignment.txt`: allocations, the values in each, with their shapes in
/// the module (HloModuleProto), and live ranges where a simulated heap gives them.
std::string BufferAssignmentText(const WireMessage& assignment, const WireMessage& module);

}  // namespace hlo

#endif  // HLO_ENGINE_PROTO_BUFFER_ASSIGNMENT_H_
