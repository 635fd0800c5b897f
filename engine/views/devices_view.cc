#include "engine/views/devices_view.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/views/collectives_view.h"
#include "engine/views/debug_view.h"
#include "engine/views/guard.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/names.h"
#include "engine/views/value_view.h"

namespace hlo {
namespace {

// What an answer has at most: exchanges, parts of all of them, devices of their grids and of one,
// and members of an exchange between which flows are told.
constexpr size_t kMostExchanges = 500;
constexpr size_t kMostParts = 2000;
constexpr size_t kMostGridCells = 4000;
constexpr size_t kMostGridDevices = 256;
constexpr size_t kMostFlowMembers = 16;
constexpr size_t kLooksAhead = 100;
constexpr int64_t kMostShownElements = 16;
constexpr double kRecordSlice = 1000;  // milliseconds
constexpr std::chrono::milliseconds kMostReplay{2000};

// What a member gave and got, by the steps that made the values.
struct ExchangePart {
  std::vector<int64_t> given;
  int64_t got = kNoStep;
};

// Data that goes from one device to another at one time.
struct DeviceExchange {
  CollectiveMeeting meeting;
  std::vector<ExchangePart> parts;  // by member
  int64_t before = 0;               // the position before its last member comes
  int64_t first_value = 0;          // the step that gave the first member its result
};

struct ExchangeFlow {
  int64_t from, to;
  int64_t given_piece, got_piece;  // -1: the whole
};

bool IsMessage(Opcode opcode) { return opcode == Opcode::kRecvDone; }
bool IsCombining(Opcode opcode) {
  return opcode == Opcode::kAllReduce || opcode == Opcode::kAllReduceStart ||
         opcode == Opcode::kReduceScatter;
}

// Which piece of what each member gives comes where in what each gets: by the op's definition.
std::vector<ExchangeFlow> FlowsOf(const CollectiveMeeting& meeting) {
  std::vector<ExchangeFlow> flows;
  const Opcode opcode = meeting.instruction->opcode();
  if (!meeting.pairs.empty() || IsMessage(opcode)) {
    for (const auto& [from, to] : meeting.pairs) flows.push_back({from, to, -1, -1});
    return flows;
  }
  const bool gathers = opcode == Opcode::kAllGather || opcode == Opcode::kAllGatherStart;
  const bool exchanges = opcode == Opcode::kAllToAll;
  const bool scatters = opcode == Opcode::kReduceScatter;
  const auto count = static_cast<int64_t>(std::min(meeting.members.size(), kMostFlowMembers));
  for (int64_t from = 0; from < count; ++from) {
    // Only the first member's data goes anywhere (unless an operand names another root).
    if (opcode == Opcode::kCollectiveBroadcast && from > 0) break;
    for (int64_t to = 0; to < count; ++to) {
      flows.push_back({meeting.members[static_cast<size_t>(from)],
                       meeting.members[static_cast<size_t>(to)], exchanges || scatters ? to : -1,
                       gathers || exchanges ? from : -1});
    }
  }
  return flows;
}

// The exchanges of a recorded run, in the order of their first results.
class ExchangeList {
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
    } else if (IsMessage(at.opcode()) && facts.kind != StepKind::kReturn) {
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

// Arrays that are alive, each once however many values share it.
class Alive {
 public:
  void Add(const Value& value) {
    if (value.is_tuple()) {
      for (const Value& element : value.elements()) Add(element);
    } else if (value.is_array() && value.tensor() && seen_.insert(value.tensor().bytes()).second) {
      ++count_;
      bytes_ += static_cast<int64_t>(value.tensor().byte_size());
    }
  }
  int64_t count() const { return count_; }
  int64_t bytes() const { return bytes_; }

 private:
  std::set<const std::byte*> seen_;
  int64_t count_ = 0, bytes_ = 0;
};

class DevicesAnswer {
 public:
  explicit DevicesAnswer(Debugger& debugger)
      : d_(debugger), t_(*debugger.timeline()), map_(debugger.document().map()) {}

  Json Make() {
    const ExchangeList exchanges(t_);
    MakeTexts(exchanges.list());
    Json list = Json::array();
    for (const DeviceExchange& exchange : exchanges.list()) list.push_back(ExchangeJson(exchange));
    Json end = GridJson(t_.length());
    const DeviceGrid grid = t_.grid();
    const Diagnostics diagnostics = d_.diagnostics();
    return ObjectJson({{"ok", !diagnostics.has_errors()},
                       {"replicas", grid.replicas},
                       {"partitions", grid.partitions},
                       {"diagnostics", DiagnosticsJson(diagnostics, map_)},
                       {"more", exchanges.has_more()},
                       {"exchanges", std::move(list)},
                       {"end", std::move(end)}});
  }

 private:
  // Replayed once, in order.
  void MakeTexts(const std::vector<DeviceExchange>& exchanges) {
    for (const DeviceExchange& exchange : exchanges) {
      for (const ExchangePart& part : exchange.parts) {
        for (const int64_t step : part.given) texts_[step];
        texts_[part.got];
      }
    }
    texts_.erase(kNoStep);
    for (auto& [step, text] : texts_) {
      text = "(not kept)";
      if (IsLate()) continue;
      const StepFacts& facts = t_.At(step);
      text = ValueText(facts.value, facts.instruction->shape(), kMostShownElements);
    }
  }

  bool IsLate() const { return std::chrono::steady_clock::now() - start_ > kMostReplay; }

  Json PlaceJson(const Instruction& at) const {
    return ObjectJson({{"name", at.name()},
                       {"shown", d_.PlaceName(at)},
                       {"computation", at.parent()->name()},
                       {"opcode", Text(at.opcode())},
                       {"range", RangeJson(at.places().whole, map_)}});
  }

  Json DeviceCell(const Replica& replica) const {
    Alive alive;
    const auto frames = replica.Frames();
    for (const Replica::FrameView& frame : frames) {
      for (const Value& value : frame.values) alive.Add(value);
    }
    Json json = ObjectJson({{"device", replica.device()},
                            {"values", alive.count()},
                            {"bytes", alive.bytes()},
                            {"at", nullptr},
                            {"waits", nullptr}});
    if (replica.done()) return json;
    json["at"] = PlaceJson(*replica.next());
    const auto wait = t_.exchange().WaitOf(replica.device());
    // Once all have come it only has not had its turn yet.
    if (wait && (!wait->missing.empty() || !JoinsMeeting(*replica.next()))) {
      json["waits"] = ObjectJson({{"for", wait->what}, {"missing", wait->missing}});
    }
    return json;
  }

  // Empty once the answer is long enough.
  Json GridJson(int64_t position) {
    Json cells = Json::array();
    cells_ += t_.devices().size();
    if ((cells_ > kMostGridCells || IsLate()) && position < t_.length()) return cells;
    t_.GoTo(position);
    for (const auto& replica : t_.devices()) {
      if (cells.size() < kMostGridDevices) cells.push_back(DeviceCell(*replica));
    }
    return cells;
  }

  Json PartJson(int64_t device, const ExchangePart& part) const {
    Json given = Json::array();
    for (const int64_t step : part.given) given.push_back(TextAt(step));
    return ObjectJson({{"device", device},
                       {"given", std::move(given)},
                       {"got", part.got == kNoStep ? Json(nullptr) : Json(TextAt(part.got))}});
  }
  std::string TextAt(int64_t step) const {
    const auto found = texts_.find(step);
    return found == texts_.end() ? "" : found->second;
  }

  Json ExchangeJson(const DeviceExchange& exchange) {
    const CollectiveMeeting& meeting = exchange.meeting;
    Json parts = Json::array(), flows = Json::array();
    for (size_t rank = 0; rank < exchange.parts.size(); ++rank) {
      parts.push_back(PartJson(meeting.members[rank], exchange.parts[rank]));
    }
    for (const ExchangeFlow& flow : FlowsOf(meeting)) {
      flows.push_back(ObjectJson({{"from", flow.from},
                                  {"to", flow.to},
                                  {"given", flow.given_piece},
                                  {"got", flow.got_piece}}));
    }
    const Instruction& at = *meeting.instruction;
    Json json = PlaceJson(at);
    json["shape"] = ShapeName(at.shape());
    json["round"] = meeting.round;
    json["position"] = exchange.before;
    json["members"] = meeting.members;
    json["combines"] = IsCombining(at.opcode());
    json["parts"] = std::move(parts);
    json["flows"] = std::move(flows);
    json["grid"] = GridJson(exchange.before);
    return json;
  }

  Debugger& d_;
  Timeline& t_;
  const TextMap& map_;
  std::map<int64_t, std::string> texts_;  // of values, by the step that made them
  size_t cells_ = 0;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::string NoDevices(const Diagnostics& faults, const TextMap& map) {
  return JsonText(ObjectJson({{"ok", false},
                              {"replicas", 0},
                              {"partitions", 0},
                              {"diagnostics", DiagnosticsJson(faults, map)},
                              {"more", false},
                              {"exchanges", Json::array()},
                              {"end", Json::array()}}));
}

}  // namespace

std::string DevicesJson(std::shared_ptr<const Document> document, const RunRequest& request) {
  return Guarded<std::string>(
      [&] {
        Debugger debugger(document, request);
        Timeline* const timeline = debugger.timeline();
        if (!timeline) return NoDevices(debugger.diagnostics(), debugger.document().map());
        while (!timeline->Record(kRecordSlice)) {
        }
        return JsonText(DevicesAnswer(debugger).Make());
      },
      [&](const Diagnostics& faults) { return NoDevices(faults, document->map()); });
}

}  // namespace hlo
