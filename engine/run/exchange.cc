#include "engine/run/exchange.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/ops/custom_calls/custom_calls.h"
#include "engine/run/inputs.h"
#include "engine/run/random.h"

namespace hlo {
namespace {

int64_t ChannelOf(const Instruction& instruction) { return instruction.attrs().Int("channel_id"); }

bool IsHostTransfer(const Instruction& instruction) {
  return instruction.attrs().Bool("is_host_transfer");
}

// Whether two instructions can be one collective.
bool AreAlike(const Instruction& a, const Instruction& b) {
  if (a.opcode() != b.opcode() || a.operand_count() != b.operand_count()) return false;
  if (!Shape::Compatible(a.shape(), b.shape())) return false;
  for (int i = 0; i < a.operand_count(); ++i) {
    if (!Shape::Compatible(a.operand(i)->shape(), b.operand(i)->shape())) return false;
  }
  return true;
}

std::string KindText(const Instruction& instruction) {
  std::vector<std::string> shapes;
  for (const Instruction* operand : instruction.operands()) {
    shapes.push_back(ShapeName(operand->shape()));
  }
  return fmt::format("{} of {} to {}", Text(instruction.opcode()), fmt::join(shapes, ", "),
                     ShapeName(instruction.shape()));
}

constexpr int64_t kInfeed = -1;

}  // namespace

std::string DeviceName(int64_t device, DeviceGrid grid) {
  return fmt::format("device {} (replica {}, partition {})", device, device / grid.partitions,
                     device % grid.partitions);
}

Exchange::Exchange(DeviceGrid grid, const RunOptions* options, Budget* budget)
    : grid_(grid),
      options_(options),
      budget_(budget),
      waiting_(static_cast<size_t>(grid.count())) {}

// ---- Meetings -----------------------------------------------------------------------------------

void Exchange::CheckSame(const OpenMeeting& open, const Instruction& at) const {
  for (size_t rank = 0; rank < open.arrived.size(); ++rank) {
    const Instruction* other = open.arrived[rank];
    if (!other || other == &at) continue;
    if (AreAlike(*other, at)) return;
    throw RunError(
        DiagCode::kDeadlock,
        fmt::format("the devices do not do the same on channel {}: here it is {}, but {} is in {} "
                    "({})",
                    ChannelOf(at), KindText(at), DeviceName(open.meeting.members[rank], grid_),
                    other->name(), KindText(*other)));
  }
}

int64_t Exchange::Join(int64_t device, const Instruction& at, const std::vector<int64_t>& members,
                       std::vector<Value> operands) {
  const int64_t channel = ChannelOf(at);
  Place place{channel, channel > 0 ? nullptr : &at, members};
  auto& [where, visits] = *visits_.try_emplace(std::move(place)).first;
  if (!visits.place) visits.place = std::make_shared<const Place>(where);
  const std::pair<const Place*, int64_t> key(visits.place.get(), visits.of_device[device]++);
  auto [entry, is_new] = numbers_.try_emplace(key, next_meeting_);
  if (is_new) {
    OpenMeeting& open = meetings_[next_meeting_++];
    open.meeting.members = members;
    open.meeting.given.resize(members.size());
    open.arrived.resize(members.size());
    open.missing = open.staying = members.size();
    open.key = key;
  }
  OpenMeeting& open = meetings_.at(entry->second);
  CheckSame(open, at);
  const auto found = std::find(members.begin(), members.end(), device);
  const size_t rank = static_cast<size_t>(found - members.begin());
  open.meeting.given[rank] = std::move(operands);
  open.arrived[rank] = &at;
  --open.missing;
  ++progress_;
  if (log_) log_->facts.meeting = entry->second;
  return entry->second;
}

Meeting* Exchange::Assembled(int64_t device, int64_t number) {
  OpenMeeting& open = meetings_.at(number);
  const bool ready = open.missing == 0;
  waiting_[static_cast<size_t>(device)] = {ready ? 0 : number, 0};
  if (log_) log_->facts.meeting = number;
  return ready ? &open.meeting : nullptr;
}

void Exchange::Leave(int64_t number) {
  auto found = meetings_.find(number);
  if (--found->second.staying > 0) return;
  numbers_.erase(found->second.key);
  meetings_.erase(found);
}

// ---- Mail ---------------------------------------------------------------------------------------

const Exchange::ChannelEnds& Exchange::EndsOf(const Instruction& at, int64_t channel) {
  if (!channels_) {
    channels_ = std::make_shared<std::map<int64_t, ChannelEnds>>();
    for (const Computation& computation : at.parent()->parent()->computations()) {
      for (const Instruction& i : computation.instructions()) {
        if (i.opcode() != Opcode::kSend && i.opcode() != Opcode::kRecv) continue;
        ChannelEnds& ends = (*channels_)[ChannelOf(i)];
        const bool is_send = i.opcode() == Opcode::kSend;
        (is_send ? ends.sends : ends.receives) = true;
        if (!IsHostTransfer(i)) continue;
        (is_send ? ends.sends_to_host : ends.receives_from_host) = true;
      }
    }
  }
  return (*channels_)[channel];
}

// Programs for GPUs may give a send and its recv different channels; there, messages between two
// devices are matched in order. The same is done here for a channel that has only sends or only
// recvs.
Route Exchange::WayOf(const Instruction& at, Route route) {
  constexpr int64_t kOneSided = 0;
  if (route.source == Route::kAnyone) return route;
  const ChannelEnds& ends = EndsOf(at, route.channel);
  if (!ends.sends || !ends.receives) route.channel = kOneSided;
  return route;
}

// StableHLO's interpreter has one queue for a channel, whoever sends and receives on it (StableHLO,
// stablehlo/reference/Process.h). A run that is not nested in another has a host outside.
bool Exchange::IsHostAmongDevices(const Instruction& at, int64_t channel) {
  if (options_->nesting == 0) return false;
  const ChannelEnds& ends = EndsOf(at, channel);
  return ends.sends_to_host && ends.receives_from_host;
}

void Exchange::Send(int64_t device, const Instruction& at, Route route, Value value) {
  route = WayOf(at, route);
  ++progress_;
  Mailbox& mailbox = mailboxes_[route];
  const int64_t now = log_ ? log_->step : kNoStep;
  if (route.target != Route::kAnyone && !mailbox.asked.empty()) {
    NoteDelivery(mailbox.asked.front(), now);
    receipts_.at(mailbox.asked.front()).value = std::move(value);
    mailbox.asked.pop_front();
    return;
  }
  if (++queued_ > kMaxQueued) {
    throw RunError(DiagCode::kRuntimeError,
                   fmt::format("more than {} messages were sent that nobody received", kMaxQueued));
  }
  mailbox.messages.push_back({&at, device, std::move(value), now});
}

void Exchange::NoteDelivery(uint32_t receipt, int64_t sent_at) {
  if (log_) log_->facts.deliveries.push_back({receipt, sent_at});
}

// The first message; on a route without source-target pairs a device prefers its own.
std::optional<Exchange::Message> Exchange::TakeMessage(Mailbox& mailbox, int64_t device) {
  if (mailbox.messages.empty()) return std::nullopt;
  auto own = std::find_if(mailbox.messages.begin(), mailbox.messages.end(),
                          [&](const Message& message) { return message.device == device; });
  if (own == mailbox.messages.end()) own = mailbox.messages.begin();
  std::optional<Message> message = std::move(*own);
  mailbox.messages.erase(own);
  --queued_;
  return message;
}

uint32_t Exchange::Receive(const Instruction& at, Route route) {
  route = WayOf(at, route);
  if (receipts_.size() > kMaxQueued) {
    throw RunError(DiagCode::kRuntimeError,
                   fmt::format("more than {} receives were started that nobody ended", kMaxQueued));
  }
  while (next_receipt_ == 0 || receipts_.count(next_receipt_) > 0) ++next_receipt_;
  const uint32_t number = next_receipt_++;
  Receipt& receipt = receipts_[number];
  receipt.route = route;
  if (route.target == Route::kAnyone) return number;
  Mailbox& mailbox = mailboxes_[route];
  if (auto message = TakeMessage(mailbox, route.source)) {
    NoteDelivery(number, message->sent_at);
    receipt.value = std::move(message->value);
  } else {
    mailbox.asked.push_back(number);
  }
  return number;
}

std::optional<Value> Exchange::Collect(int64_t device, uint32_t number) {
  auto found = receipts_.find(number);
  if (found == receipts_.end()) {
    throw RunError(DiagCode::kRuntimeError,
                   "the operand is not the state of a recv that is still under way");
  }
  Receipt& receipt = found->second;
  if (!receipt.value && receipt.route.target == Route::kAnyone) {
    auto message = TakeMessage(mailboxes_[receipt.route], device);
    if (message) {
      NoteDelivery(number, message->sent_at);
      receipt.value = std::move(message->value);
    }
  }
  waiting_[static_cast<size_t>(device)] = {0, receipt.value ? 0 : number};
  if (!receipt.value) return std::nullopt;
  std::optional<Value> value = std::move(receipt.value);
  receipts_.erase(found);
  return value;
}

std::optional<Exchange::Lost> Exchange::FindLost() const {
  for (const auto& [route, mailbox] : mailboxes_) {
    if (mailbox.messages.empty()) continue;
    const Message& message = mailbox.messages.front();
    return Lost{message.send, route, message.device};
  }
  return std::nullopt;
}

// ---- The host -----------------------------------------------------------------------------------

const HostInput* Exchange::NextHostInput(int64_t device, std::optional<int64_t> channel) {
  const size_t taken = taken_[{device, channel.value_or(kInfeed)}];
  size_t seen = 0;
  for (const HostInput& input : options_->host_inputs) {
    if (input.channel != channel || !input.devices.Has(device, grid_)) continue;
    if (seen++ == taken) return &input;
  }
  return nullptr;
}

bool Exchange::HostHas(int64_t device, std::optional<int64_t> channel) {
  return (!channel && !infeed_.empty()) || NextHostInput(device, channel);
}

Value Exchange::FromHost(int64_t device, std::optional<int64_t> channel, const Shape& shape) {
  if (!channel && !infeed_.empty()) {
    Value value = std::move(infeed_.front());
    infeed_.pop_front();
    if (shape.IsTuple() && !value.is_tuple()) value = Value::Tuple({std::move(value)});
    CheckValueFits(value, shape, "the next value of the infeed queue");
    return value;
  }
  size_t& taken = taken_[{device, channel.value_or(kInfeed)}];
  const HostInput* next = NextHostInput(device, channel);
  const std::string queue = channel ? fmt::format("the host's queue of channel {}", *channel)
                                    : std::string("the infeed queue");
  if (!next) {
    throw RunError(DiagCode::kInputInvalid,
                   fmt::format("{} of {} is empty: it had {} {} and one more {} is wanted", queue,
                               DeviceName(device, grid_), taken, taken == 1 ? "value" : "values",
                               ShapeName(shape)));
  }
  // Streams of random numbers of their own, apart from those of the parameters.
  constexpr uint64_t kFirstStream = uint64_t{1} << 32;
  Diagnostics faults;
  const uint64_t stream = kFirstStream + taken++;
  auto value = MakeInput(next->spec, shape, static_cast<int64_t>(stream), options_->seed, budget_,
                         faults, {}, options_->input_forms);
  if (value) return std::move(*value);
  throw RunError(
      DiagCode::kInputInvalid,
      fmt::format("value {} of {} of {}: {}", taken - 1, queue, DeviceName(device, grid_),
                  faults.empty() ? "it is not understood" : faults.list().front().message));
}

void Exchange::ToHost(HostOutput output) {
  if (host_outputs_.size() >= kMaxQueued) {
    throw RunError(DiagCode::kRuntimeError,
                   fmt::format("more than {} values were handed to the host", kMaxQueued));
  }
  host_outputs_.push_back(std::move(output));
}

// ---- Waiting ------------------------------------------------------------------------------------

std::optional<Wait> Exchange::WaitOf(int64_t device) const {
  const Waiting& waiting = waiting_[static_cast<size_t>(device)];
  auto on_channel = [](int64_t channel) {
    return channel > 0 ? fmt::format(" on channel {}", channel) : std::string();
  };
  if (waiting.meeting > 0) {
    const OpenMeeting& open = meetings_.at(waiting.meeting);
    Wait wait;
    const auto [place, visit] = open.key;
    wait.what = fmt::format("meeting {} of devices {{{}}}{}", visit + 1,
                            fmt::join(open.meeting.members, ","), on_channel(place->channel));
    for (size_t rank = 0; rank < open.arrived.size(); ++rank) {
      if (!open.arrived[rank]) wait.missing.push_back(open.meeting.members[rank]);
    }
    return wait;
  }
  auto receipt = receipts_.find(waiting.receipt);
  if (receipt == receipts_.end()) return std::nullopt;
  const Route& route = receipt->second.route;
  if (route.source == Route::kAnyone) {
    return Wait{fmt::format("a message{}", on_channel(route.channel)), {}};
  }
  return Wait{fmt::format("a message of device {}{}", route.source, on_channel(route.channel)),
              {route.source}};
}

}  // namespace hlo
