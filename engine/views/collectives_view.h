// The collectives of a run, in order: the devices of each, what each gave and what it got.
#ifndef HLO_ENGINE_VIEWS_COLLECTIVES_VIEW_H_
#define HLO_ENGINE_VIEWS_COLLECTIVES_VIEW_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/views/run_view.h"

namespace hlo {

/// One meeting: the devices of a group execute a collective together.
struct CollectiveMeeting {
  const Instruction* instruction = nullptr;
  int64_t round = 0;  ///< how often these devices had executed it before
  std::vector<int64_t> members;
  /// Who sends to whom, of ops that name pairs; of others everybody gives to everybody.
  std::vector<std::pair<int64_t, int64_t>> pairs;
};

/// Whether an instruction meets other devices: a collective, or the first half of one.
bool JoinsMeeting(const Instruction& at);
/// The members and pairs of the meeting that a device joins with an instruction; of several in a
/// run, all have the same. No members where it names devices that the run does not have.
CollectiveMeeting MeetingAt(const Instruction& at, DeviceGrid grid, int64_t device);
/// The source-target pairs that a send or recv names; empty when it names none.
std::vector<std::pair<int64_t, int64_t>> TransferPairs(const Instruction& at, DeviceGrid grid,
                                                       int64_t device);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_COLLECTIVES_VIEW_H_
