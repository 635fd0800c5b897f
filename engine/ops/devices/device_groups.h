// Which devices take part in a collective together, for shapes, checks and evaluation.
// Source: XLA, collective_ops_utils.h.
#ifndef HLO_ENGINE_OPS_DEVICES_DEVICE_GROUPS_H_
#define HLO_ENGINE_OPS_DEVICES_DEVICE_GROUPS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/budget.h"
#include "engine/base/diagnostics.h"
#include "engine/ops/devices/peers.h"
#include "engine/ops/op_call.h"

namespace hlo {

/// What the ids in groups number.
enum class GroupMode : uint8_t {
  kCrossReplica,              ///< replicas, each partition apart
  kCrossPartition,            ///< partitions, each replica apart
  kCrossReplicaAndPartition,  ///< replicas, all partitions of them together
  kFlattenedId,               ///< replica * partitions + partition
};
std::string_view GroupModeText(GroupMode mode);

/// The mode selected by channel_id and use_global_device_ids. `partition_wide`: ops for which a
/// channel alone selects partitions (permute, all-to-all).
GroupMode GroupModeOf(const OpCall& call, bool partition_wide);

/// Group size, from the first group or, without groups, from the module's counts.
int64_t SubgroupSize(const OpCall& call, GroupMode mode);

/// Checks that the attributes are consistent: the groups list 0 ... n-1 once each, none is empty, n
/// is the number of devices if the module gives it, and (`uniform`) all have one size.
bool CheckGroups(const OpCall& call, GroupMode mode, bool uniform, Diagnostics& out);

/// Checks `source_target_pairs`: the devices exist, each receives at most `most` times and sends at
/// most `most` times.
bool CheckPairs(const OpCall& call, int most, Diagnostics& out);

/// The text of the frontend attribute in which send and recv have their source-target pairs; null
/// if there are none.
const std::string* TransferPairsText(const KeyValues& attributes);
/// Parses `{{0,1},{1,2}}`; nothing if it is not a list of pairs.
std::optional<std::vector<Dims>> ParsePairs(std::string_view text);

/// The fewest devices for which every number exists that the call's groups or source-target pairs
/// name; `replicas` is how many replicas there are where numbers run over all devices. Nothing for
/// ops without them.
std::optional<DeviceGrid> DevicesNamed(const OpCall& call, int64_t replicas);

// ---- At run time, over the devices there are ----------------------------------------------------

/// Groups or pairs number a device that the run does not have (kNotExecutable).
class AbsentDevice : public RunError {
 public:
  using RunError::RunError;
};

/// The devices of the group that `device` is in, by rank; nothing if it is in none. Source:
/// XLA, collective_ops_utils.cc. Throws AbsentDevice.
std::optional<std::vector<int64_t>> GroupOf(const OpCall& call, GroupMode mode, DeviceGrid grid,
                                            int64_t device);

/// Pairs {source, target} of devices in the replica, or partition, that `device` is in (`mode`).
/// Throws AbsentDevice.
std::vector<std::pair<int64_t, int64_t>> DevicePairs(const std::vector<Dims>& pairs, GroupMode mode,
                                                     DeviceGrid grid, int64_t device);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_DEVICES_DEVICE_GROUPS_H_
