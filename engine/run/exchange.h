// Where the devices of a run meet: collectives as meetings, send and recv as mail, infeed and
// outfeed as queues. It never blocks; a device that must wait gives up its turn and asks again.
#ifndef HLO_ENGINE_RUN_EXCHANGE_H_
#define HLO_ENGINE_RUN_EXCHANGE_H_

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/hlo/ir.h"
#include "engine/ops/devices/peers.h"
#include "engine/run/options.h"
#include "engine/run/step_log.h"

namespace hlo {

/// A value that a device handed to the host.
struct HostOutput {
  int64_t device = 0;
  std::optional<int64_t> channel;  ///< of the send; nothing: outfeed
  const Instruction* instruction = nullptr;
  const Shape* shape = nullptr;  ///< of the value; belongs to the program
  Value value;
};

/// What a device waits for.
struct Wait {
  std::string what;              ///< "the all-reduce of devices 0, 1"
  std::vector<int64_t> missing;  ///< the devices that have not come
};

/// Shared by the devices of one run, which take turns on one thread. A copy is the state of the
/// exchange at that time.
class Exchange {
 public:
  /// Messages on their way, and values handed to the host; more are refused.
  static constexpr size_t kMaxQueued = 1000000;

  /// `options` and `budget` must outlive it.
  Exchange(DeviceGrid grid, const RunOptions* options, Budget* budget);

  DeviceGrid grid() const { return grid_; }
  /// Writes down who meets, and what is delivered; null: nothing is. Copies have the same log.
  void set_log(StepLog* log) { log_ = log; }
  /// Counts up whenever a device does something that another may have waited for.
  uint64_t progress() const { return progress_; }
  /// What this device was waiting for when it last asked; nothing when it was not waiting.
  std::optional<Wait> WaitOf(int64_t device) const;
  /// In order of execution.
  const std::vector<HostOutput>& host_outputs() const { return host_outputs_; }
  /// A send whose message was never received, once every device has ended; null when there is none.
  struct Lost {
    const Instruction* send;
    Route route;
    int64_t device;
  };
  std::optional<Lost> FindLost() const;

  // The interface Peers, for one device and the instruction it executes.
  int64_t Join(int64_t device, const Instruction& at, const std::vector<int64_t>& members,
               std::vector<Value> operands);
  Meeting* Assembled(int64_t device, int64_t number);
  void Leave(int64_t number);
  void Send(int64_t device, const Instruction& at, Route route, Value value);
  uint32_t Receive(const Instruction& at, Route route);
  bool IsAwaited(uint32_t receipt) const { return receipts_.count(receipt) > 0; }
  std::optional<Value> Collect(int64_t device, uint32_t receipt);
  bool IsHostAmongDevices(const Instruction& at, int64_t channel);
  bool HostHas(int64_t device, std::optional<int64_t> channel);
  Value FromHost(int64_t device, std::optional<int64_t> channel, const Shape& shape);
  void ToHost(HostOutput output);
  /// All devices wait: from now on what is received may be made up.
  void Stall() {
    is_stalled_ = true;
    ++progress_;
  }
  bool is_stalled() const { return is_stalled_; }
  /// Adds a value for infeed, which the first device to ask gets, before those of the options.
  void AddInfeed(Value value) { infeed_.push_back(std::move(value)); }

 private:
  // Which meetings are the same one: by channel, or by instruction, and by members.
  struct Place {
    int64_t channel;
    const Instruction* instruction;  // null with a channel
    std::vector<int64_t> members;
    friend bool operator<(const Place& a, const Place& b) {
      return std::tie(a.channel, a.instruction, a.members) <
             std::tie(b.channel, b.instruction, b.members);
    }
  };
  struct OpenMeeting {
    Meeting meeting;
    std::vector<const Instruction*> arrived;  // by rank; null: not yet
    size_t missing;
    size_t staying;
    std::pair<const Place*, int64_t> key;
  };
  struct Message {
    const Instruction* send;
    int64_t device;
    Value value;
    int64_t sent_at;
  };
  // At most one of the two is not empty, except on a route without source-target pairs.
  struct Mailbox {
    std::deque<Message> messages;
    std::deque<uint32_t> asked;  // receipts
  };
  struct Waiting {
    int64_t meeting = 0;
    uint32_t receipt = 0;
  };
  const HostInput* NextHostInput(int64_t device, std::optional<int64_t> channel);
  void CheckSame(const OpenMeeting& open, const Instruction& at) const;
  Route WayOf(const Instruction& at, Route route);
  std::optional<Message> TakeMessage(Mailbox& mailbox, int64_t device);
  void NoteDelivery(uint32_t receipt, int64_t sent_at);

  DeviceGrid grid_;
  const RunOptions* options_;
  Budget* budget_;
  StepLog* log_ = nullptr;
  uint64_t progress_ = 0;
  bool is_stalled_ = false;
  // How often each device has come to each place, which copies of the exchange share.
  struct Visits {
    std::shared_ptr<const Place> place;
    std::map<int64_t, int64_t> of_device;
  };
  std::map<Place, Visits> visits_;
  std::map<std::pair<const Place*, int64_t>, int64_t> numbers_;  // of open meetings
  std::map<int64_t, OpenMeeting> meetings_;
  int64_t next_meeting_ = 1;
  std::map<Route, Mailbox> mailboxes_;
  // The ends that a channel has somewhere in the program.
  struct ChannelEnds {
    bool sends = false, receives = false;
    bool sends_to_host = false, receives_from_host = false;
  };
  const ChannelEnds& EndsOf(const Instruction& at, int64_t channel);
  std::shared_ptr<std::map<int64_t, ChannelEnds>> channels_;  // made when first needed
  size_t queued_ = 0;
  struct Receipt {
    Route route;
    std::optional<Value> value;
  };
  std::map<uint32_t, Receipt> receipts_;
  uint32_t next_receipt_ = 1;
  std::vector<Waiting> waiting_;                         // by device
  std::map<std::pair<int64_t, int64_t>, size_t> taken_;  // by device and channel (-1: infeed)
  std::deque<Value> infeed_;
  std::vector<HostOutput> host_outputs_;
};

/// The exchange as one device sees it.
class DevicePort final : public Peers {
 public:
  DevicePort(Exchange* exchange, int64_t device) : exchange_(exchange), device_(device) {}
  /// The instruction that is being executed; set before an op uses the port.
  void set_instruction(const Instruction* instruction) { at_ = instruction; }

  DeviceGrid grid() const override { return exchange_->grid(); }
  int64_t device() const override { return device_; }
  int64_t Join(const OpCall&, const std::vector<int64_t>& members,
               std::vector<Value> operands) override {
    return exchange_->Join(device_, *at_, members, std::move(operands));
  }
  Meeting* Assembled(int64_t meeting) override { return exchange_->Assembled(device_, meeting); }
  void Leave(int64_t meeting) override { exchange_->Leave(meeting); }
  void Send(const Route& route, Value value) override {
    exchange_->Send(device_, *at_, route, std::move(value));
  }
  uint32_t Receive(const Route& route) override { return exchange_->Receive(*at_, route); }
  bool IsAwaited(uint32_t receipt) const override { return exchange_->IsAwaited(receipt); }
  std::optional<Value> Collect(uint32_t receipt) override {
    return exchange_->Collect(device_, receipt);
  }
  bool IsHostAmongPeers(int64_t channel) override {
    return exchange_->IsHostAmongDevices(*at_, channel);
  }
  bool HostHas(std::optional<int64_t> channel) override {
    return exchange_->HostHas(device_, channel);
  }
  Value FromHost(std::optional<int64_t> channel, const Shape& shape) override {
    return exchange_->FromHost(device_, channel, shape);
  }
  void ToHost(std::optional<int64_t> channel, const Shape& shape, Value value) override {
    exchange_->ToHost({device_, channel, at_, &shape, std::move(value)});
  }

 private:
  Exchange* exchange_;
  int64_t device_;
  const Instruction* at_ = nullptr;
};

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_EXCHANGE_H_
