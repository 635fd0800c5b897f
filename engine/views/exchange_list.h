// The exchanges of a recorded run: collectives and messages, with the steps at which devices gave
// and got what.
#ifndef HLO_ENGINE_VIEWS_EXCHANGE_LIST_H_
#define HLO_ENGINE_VIEWS_EXCHANGE_LIST_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/timeline/timeline.h"
#include "engine/views/collectives_view.h"

namespace hlo {

/// What a member gave and got, by the steps that made the values.
struct ExchangePart {
  std::vector<int64_t> given;
  int64_t got = kNoStep;
};

/// Data that goes from one device to another at one time.
struct DeviceExchange {
  CollectiveMeeting meeting;
  std::vector<ExchangePart> parts;  ///< by member
  int64_t before = 0;               ///< the position before its last member comes
  int64_t first_value = 0;          ///< the step that gave the first member its result
};

/// The exchanges of a recorded run, in the order of their first results.
class ExchangeList {
  // What a list has at most: exchanges, and parts of all of them.
  static constexpr size_t kMostExchanges = 500;
  static constexpr size_t kMostParts = 4000;
  static constexpr size_t kLooksAhead = 100;

 public:
  explicit ExchangeList(Timeline& timeline) : t_(timeline) {
    // Stretch by stretch: the limits of the run hold for each.
    for (size_t i = 0; i < t_.stretch_count() && !is_full(); ++i) {
      t_.ForEach(t_.stretch(i).begin, t_.StretchEnd(i), [&](const StepFacts& facts) {
        Note(facts);
        return !is_full();
      });
    }
  }

  const std::vector<DeviceExchange>& list() const { return list_; }
  bool has_more() const { return count_ > list_.size(); }

 private:
  // Of the last one that is kept, each member has come long ago.
  bool is_full() const { return count_ > list_.size() + kLooksAhead; }

  struct Sent {
    int64_t device, channel, step;
  };
  using Visit = std::pair<const Instruction*, int64_t>;

  static int64_t ChannelOf(const Instruction& at) { return at.Call().Int("channel_id", 0); }

  void Note(const StepFacts& facts) {
    const Instruction& at = *facts.instruction;
    if (facts.kind == StepKind::kEnd) return;
    if (facts.kind != StepKind::kReturn && JoinsMeeting(at)) {
      arrived_.try_emplace({&at, facts.device}, facts.step);
      if (facts.has_value) NoteMeeting(facts);
    } else if (at.opcode() == Opcode::kSend && facts.has_value) {
      sent_.push_back(
          {facts.device, ChannelOf(at), facts.operands.empty() ? kNoStep : DataStep(facts)});
    } else if ((at.opcode() == Opcode::kRecvDone) && facts.kind != StepKind::kReturn) {
      arrived_.try_emplace({&at, facts.device}, facts.step);
      if (facts.has_value) NoteMessage(facts);
    }
  }

  static int64_t DataStep(const StepFacts& facts) {
    const bool token_first = facts.instruction->operand(0)->shape().IsToken();
    const size_t i = token_first && facts.operands.size() > 1 ? 1 : 0;
    return facts.operands[i];
  }

  int64_t TakeArrival(const StepFacts& facts) {
    const auto found = arrived_.find({facts.instruction, facts.device});
    const int64_t arrival = found->second;
    arrived_.erase(found);
    return arrival;
  }

  DeviceExchange* Add(CollectiveMeeting meeting, const StepFacts& facts) {
    ++count_;
    parts_ += meeting.members.size();
    if (list_.size() >= kMostExchanges || parts_ > kMostParts) return nullptr;
    DeviceExchange& made = list_.emplace_back();
    made.parts.resize(meeting.members.size());
    made.meeting = std::move(meeting);
    made.first_value = facts.step;
    return &made;
  }

  void NoteMeeting(const StepFacts& facts) {
    const int64_t arrival = TakeArrival(facts);
    CollectiveMeeting meeting = MeetingAt(*facts.instruction, t_.grid(), facts.device);
    meeting.round = visits_[{facts.instruction, facts.device}]++;
    const auto found = std::find(meeting.members.begin(), meeting.members.end(), facts.device);
    if (found == meeting.members.end()) return;
    const auto rank = static_cast<size_t>(found - meeting.members.begin());
    const auto [place, is_new] =
        known_.try_emplace({facts.instruction, meeting.round, meeting.members}, kNotKept);
    if (is_new && Add(std::move(meeting), facts)) place->second = list_.size() - 1;
    if (place->second == kNotKept) return;
    DeviceExchange& exchange = list_[place->second];
    exchange.before = std::max(exchange.before, std::min(arrival, exchange.first_value));
    exchange.parts[rank].given.assign(facts.operands.begin(), facts.operands.end());
    exchange.parts[rank].got = facts.step;
  }

  // A message belongs to the oldest one on its channel that nobody has got yet, of the pairs that
  // the instruction names if it names some.
  void NoteMessage(const StepFacts& facts) {
    const int64_t arrival = TakeArrival(facts);
    const Instruction& receive = *facts.instruction->operand(0);
    const auto pairs = TransferPairs(receive, t_.grid(), facts.device);
    const auto found = std::find_if(sent_.begin(), sent_.end(), [&](const Sent& sent) {
      const auto matches = [&](const auto& pair) {
        return pair.first == sent.device && pair.second == facts.device;
      };
      return sent.channel == ChannelOf(receive) &&
             (pairs.empty() || std::any_of(pairs.begin(), pairs.end(), matches));
    });
    if (found == sent_.end()) return;
    CollectiveMeeting meeting;
    meeting.instruction = facts.instruction;
    meeting.round = visits_[{facts.instruction, facts.device}]++;
    meeting.pairs = {{found->device, facts.device}};
    meeting.members = {found->device};
    if (facts.device != found->device) meeting.members.push_back(facts.device);
    if (DeviceExchange* const made = Add(std::move(meeting), facts)) {
      made->before = arrival;
      made->parts.front().given = {found->step};
      made->parts.back().got = facts.step;
    }
    sent_.erase(found);
  }

  static constexpr size_t kNotKept = static_cast<size_t>(-1);
  Timeline& t_;
  std::vector<DeviceExchange> list_;
  size_t count_ = 0, parts_ = 0;
  std::map<Visit, int64_t> visits_;   // how often a device has come
  std::map<Visit, int64_t> arrived_;  // the step with which it came and waits
  std::map<std::tuple<const Instruction*, int64_t, std::vector<int64_t>>, size_t> known_;
  std::vector<Sent> sent_;  // and not received yet
};

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_EXCHANGE_LIST_H_
