// Modules as XLA's HloModuleProto.
#ifndef HLO_ENGINE_PROTO_MODULE_PROTO_H_
#define HLO_ENGINE_PROTO_MODULE_PROTO_H_

#include <string>

#include "engine/base/budget.h"
#include "engine/base/diagnostics.h"
#include "engine/hlo/ir.h"
#include "engine/proto/wire.h"

namespace hlo {

/// The HLO text of an HloModuleProto, for the parser, which checks it. What the message says that
/// no text can is reported, and left out. Constants are written `{...}` when those of the module
/// have more bytes than `most_constant_bytes`, which is a warning. Memory for constants is charged
/// to the budget.
std::string ModuleTextOfProto(const WireMessage& module, Diagnostics& diagnostics,
                              int64_t most_constant_bytes = int64_t{16} << 20,
                              Budget* budget = nullptr);

/// The bytes of an HloModuleProto. What XLA keeps elsewhere is not in it: replica_count and
/// num_partitions without an assignment of devices, whether shardings may propagate, tables for
/// debugging tools.
std::string ModuleToProto(const Module& module);

}  // namespace hlo

#endif  // HLO_ENGINE_PROTO_MODULE_PROTO_H_
