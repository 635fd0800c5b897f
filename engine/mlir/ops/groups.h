// Replica groups and channels. Internal to this folder.
#ifndef HLO_ENGINE_MLIR_OPS_GROUPS_H_
#define HLO_ENGINE_MLIR_OPS_GROUPS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "engine/mlir/import/instruction_attrs.h"
#include "engine/ops/attributes.h"

namespace hlo::mlir {

class OpImport;
class OpExport;

/// The type of a channel handle: between which kinds of ends data goes.
enum ChannelType : int { kDeviceToDevice = 1, kDeviceToHost = 2, kHostToDevice = 3 };

// ---- Import -------------------------------------------------------------------------------------

/// Groups given by these rows, in which -1 pads shorter ones if it may. Reports ids that no device
/// has.
ReplicaGroups GroupsFrom(OpImport& op, const std::vector<Dims>& rows, bool may_pad = true);
/// The op's `replica_groups`.
ReplicaGroups GroupsOf(OpImport& op);
/// Whether every group has this size, which is reported if not. Source: StableHLO,
/// TypeInference.cpp, inferAllToAllOp.
bool AreOfSize(OpImport& op, const ReplicaGroups& groups, int64_t size);
/// The number of the op's channel; 0 where it has none.
int64_t ChannelOf(OpImport& op);
/// Groups, the channel, and whether ids number devices (replicas and partitions together).
Attrs GroupAttrs(OpImport& op, bool has_global_ids);

// ---- Export -------------------------------------------------------------------------------------

/// `channel_handle = ...`.
std::string ChannelText(int64_t channel, int type);
/// `channel_handle = ..., ` where the op has a channel.
std::string ChannelPrefix(OpExport& op);
/// `replica_groups = dense<...>`. Ids of partition-wide ops are always of one kind.
std::string GroupsText(OpExport& op, bool is_partition_wide = false);
/// `, use_global_device_ids` if ids number devices (replicas and partitions together).
std::string GlobalIds(OpExport& op);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_OPS_GROUPS_H_
