// Which elements of what the devices of a group give to a collective become which of its results.
#ifndef HLO_ENGINE_WHY_EXCHANGED_H_
#define HLO_ENGINE_WHY_EXCHANGED_H_

#include <cstdint>
#include <vector>

#include "engine/hlo/ir.h"
#include "engine/ops/devices/peers.h"
#include "engine/why/dependence.h"

namespace hlo {

/// A collective as one device of its group sees it.
struct MeetingOf {
  const OpCall& call;
  DeviceGrid grid;
  int64_t device = 0;
  std::vector<int64_t> members = {};  ///< the group, by rank; empty: some are not in the run, and
                                      ///< the result was made up (RunOptions::stand_ins)
};

/// Whether the instruction waits for other devices: collectives, and the starts of asynchronous
/// ones.
bool MeetsOthers(const Instruction& instruction);

/// The group that the device is in, by rank, as replica_groups (in every form),
/// use_global_device_ids, channel_id and source_target_pairs say.
MeetingOf MeetingAt(const OpCall& call, DeviceGrid grid, int64_t device);

/// Elements of an operand of a member.
struct GivenElements {
  int64_t member = 0;  ///< a device
  Elements elements;
};

/// The elements that an element of the device's result depends on.
std::vector<GivenElements> ExchangedSources(const MeetingOf& at, const Dims& path,
                                            const Dims& index);
/// The elements of the device's result that an element of a member's operand reaches.
std::vector<Elements> ExchangedReach(const MeetingOf& at, int64_t member, int operand,
                                     const Dims& path, const Dims& index);

}  // namespace hlo

#endif  // HLO_ENGINE_WHY_EXCHANGED_H_
