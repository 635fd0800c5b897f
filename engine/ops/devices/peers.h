// The other devices of a run, and the host, as one instruction of one device sees them. The run
// implements it (engine/run/exchange.h); collectives and channels use it.
#ifndef HLO_ENGINE_OPS_DEVICES_PEERS_H_
#define HLO_ENGINE_OPS_DEVICES_PEERS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "engine/ops/op_call.h"
#include "engine/types/tensor.h"

namespace hlo {

/// The devices of a run: replicas × partitions of one program. A device's flattened id is
/// replica * partitions + partition; "device" without more is that number.
struct DeviceGrid {
  int64_t replicas = 1;
  int64_t partitions = 1;
  int64_t count() const { return replicas * partitions; }
};

/// "device 3 (replica 1, partition 1)".
std::string DeviceName(int64_t device, DeviceGrid grid);

/// Devices that have joined a collective. The meeting ends when every member has left.
struct Meeting {
  std::vector<int64_t> members;           ///< devices, by rank
  std::vector<std::vector<Value>> given;  ///< the operands of each member, by rank
  /// The result that the first member to compute it leaves for the others, if all get the same.
  std::optional<Value> shared;
};

/// A route for messages; those on one route arrive in the order they were sent in.
struct Route {
  static constexpr int64_t kAnyone = -1;
  int64_t channel = 0;       ///< 0: the instruction names none
  int64_t source = kAnyone;  ///< a device; kAnyone: the program names no pairs
  int64_t target = kAnyone;
  friend bool operator<(const Route& a, const Route& b) {
    return std::tie(a.channel, a.source, a.target) < std::tie(b.channel, b.source, b.target);
  }
};

/// Every method may throw RunError.
class Peers {
 public:
  virtual ~Peers() = default;
  virtual DeviceGrid grid() const = 0;
  /// The device that asks.
  virtual int64_t device() const = 0;

  /// Joins a meeting of `members` (by rank; this device is one of them) with its operands. A
  /// meeting is identified by the channel, or by the instruction if it names none, by its members,
  /// and by how often this device has joined such a meeting before. Returns its number. Fails if
  /// members that have already joined execute another op, or have operands of other shapes.
  virtual int64_t Join(const OpCall& call, const std::vector<int64_t>& members,
                       std::vector<Value> operands) = 0;
  /// The meeting once every member has joined; null before.
  virtual Meeting* Assembled(int64_t meeting) = 0;
  /// Leaves the meeting: this device has its result.
  virtual void Leave(int64_t meeting) = 0;

  /// Sends a message on a route; never blocks. A channel on which the program only sends, or only
  /// receives, counts as no channel.
  virtual void Send(const Route& route, Value value) = 0;
  /// Requests the next message of a route. Returns a receipt for Collect, never 0.
  virtual uint32_t Receive(const Route& route) = 0;
  /// Whether this is a receipt that Receive returned and Collect has not used up.
  virtual bool IsAwaited(uint32_t receipt) const = 0;
  /// The requested message; nothing before it is sent.
  virtual std::optional<Value> Collect(uint32_t receipt) = 0;

  /// Whether other devices act as the host on this channel: in a parallel run of StableHLO's
  /// interpreter what one program sends to the host is what another receives from it.
  virtual bool IsHostAmongPeers(int64_t channel) = 0;
  /// The next value the host provides for this device, of this shape: from the infeed queue, or
  /// from the channel's queue if a channel is given. Fails if there is none.
  virtual Value FromHost(std::optional<int64_t> channel, const Shape& shape) = 0;
  virtual bool HostHas(std::optional<int64_t> channel) = 0;
  virtual void ToHost(std::optional<int64_t> channel, const Shape& shape, Value value) = 0;
};

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_DEVICES_PEERS_H_
