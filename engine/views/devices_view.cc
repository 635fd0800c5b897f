#include "engine/views/devices_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/base/byte_count.h"
#include "engine/views/collectives_view.h"
#include "engine/views/debug_view.h"
#include "engine/views/exchange_flows.h"
#include "engine/views/exchange_list.h"
#include "engine/views/guard.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/names.h"
#include "engine/views/value_view.h"

namespace hlo {
namespace {

// What an answer has at most: exchanges, parts of all of them, devices of their grids and of one,
// and what one device holds.
constexpr size_t kMostGridCells = 4000;
constexpr size_t kMostGridDevices = 256;
constexpr size_t kMostHeld = 200;
// Numbers that say what goes where.
constexpr int64_t kMostNumbers = 4096;
constexpr int64_t kMostShownElements = 16;
constexpr double kRecordSlice = 1000;  // milliseconds
constexpr std::chrono::milliseconds kMostReplay{2000};

bool IsCombining(Opcode opcode) {
  return opcode == Opcode::kAllReduce || opcode == Opcode::kAllReduceStart ||
         opcode == Opcode::kReduceScatter || opcode == Opcode::kCollectiveReduce;
}

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

  // How the devices stand at a position, and what one of them holds.
  Json At(int64_t position, int64_t device) {
    position = std::clamp<int64_t>(position, 0, t_.length());
    std::string line;
    if (position > 0) line = d_.StepLine(t_.At(position - 1));
    Json states = GridJson(position);
    Json held = Json::array();
    const auto count = static_cast<int64_t>(t_.devices().size());
    if (device >= 0 && device < count) {
      held = HeldJson(*t_.devices()[static_cast<size_t>(device)]);
    }
    return ObjectJson({{"position", position},
                       {"length", t_.length()},
                       {"last", std::move(line)},
                       {"states", std::move(states)},
                       {"held", std::move(held)}});
  }

  std::string AsText() {
    const ExchangeList exchanges(t_);
    MakeTexts(exchanges.list());
    const DeviceGrid grid = t_.grid();
    std::string text =
        fmt::format("{}: {}, {}\n", Counted(grid.count(), "device"),
                    Counted(grid.replicas, "replica"), Counted(grid.partitions, "partition"));
    for (const DeviceExchange& exchange : exchanges.list()) AppendText(exchange, text);
    if (exchanges.has_more()) text += "... and more\n";
    t_.GoTo(t_.length());
    for (const auto& replica : t_.devices()) {
      if (!replica->done()) AppendState(*replica, text);
    }
    return text;
  }

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
        for (const size_t i : NumberOperands(*exchange.meeting.instruction)) {
          if (i < part.given.size()) numbers_[part.given[i]];
        }
      }
    }
    texts_.erase(kNoStep);
    for (auto& [step, text] : texts_) {
      text = "(not kept)";
      if (IsLate()) continue;
      const StepFacts& facts = t_.At(step);
      text = ValueText(facts.value, facts.instruction->shape(), kMostShownElements);
      if (const auto found = numbers_.find(step); found != numbers_.end()) {
        found->second = NumbersIn(facts.value);
      }
    }
  }

  static std::vector<double> NumbersIn(const Value& value) {
    if (!value.is_array() || !value.tensor().HoldsElements()) return {};
    const Tensor& tensor = value.tensor();
    std::vector<double> numbers(
        static_cast<size_t>(std::min(tensor.element_count(), kMostNumbers)));
    ReadNumbers(tensor.element_type(), tensor.bytes(), static_cast<int64_t>(numbers.size()),
                numbers.data());
    return numbers;
  }

  ExchangeNumbers NumbersOf(const DeviceExchange& exchange) const {
    ExchangeNumbers numbers;
    for (const ExchangePart& part : exchange.parts) {
      auto& own = numbers.emplace_back();
      for (const size_t i : NumberOperands(*exchange.meeting.instruction)) {
        const auto found = numbers_.find(i < part.given.size() ? part.given[i] : kNoStep);
        own.push_back(found == numbers_.end() ? std::vector<double>() : found->second);
      }
    }
    return numbers;
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

  // What later instructions of a device need, the newest last.
  Json HeldJson(const Replica& replica) const {
    Json held = Json::array();
    const auto frames = replica.Frames();
    for (const Replica::FrameView& frame : frames) {
      for (size_t i = 0; i < frame.values.size() && held.size() < kMostHeld; ++i) {
        const Value& value = frame.values[i];
        if (value.is_token() || (value.is_array() && !value.tensor())) continue;
        const Instruction& at = *frame.plan->instructions[i].instruction;
        held.push_back(ObjectJson({{"shown", d_.PlaceName(at)},
                                   {"shape", ShapeName(at.shape())},
                                   {"text", ValueText(value, at.shape(), kMostShownElements)}}));
      }
    }
    return held;
  }

  void AppendText(const DeviceExchange& exchange, std::string& text) const {
    const CollectiveMeeting& meeting = exchange.meeting;
    const Instruction& at = *meeting.instruction;
    auto out = std::back_inserter(text);
    fmt::format_to(out, "{} ({}), time {}, devices {{{}}}\n", d_.PlaceName(at), Text(at.opcode()),
                   meeting.round + 1, fmt::join(meeting.members, ","));
    const ExchangeNumbers numbers = NumbersOf(exchange);
    const auto pattern = PatternOf(meeting, numbers);
    if (pattern && pattern->root >= 0) {
      fmt::format_to(out, "  device {} sends to all\n",
                     meeting.members[static_cast<size_t>(pattern->root)]);
    }
    if (!pattern) {
      for (const ExchangeFlow& flow : FlowsOf(meeting, numbers)) AppendFlow(flow, text);
    }
    for (size_t rank = 0; rank < exchange.parts.size(); ++rank) {
      const ExchangePart& part = exchange.parts[rank];
      std::vector<std::string> given;
      for (const int64_t step : part.given) given.push_back(TextAt(step));
      fmt::format_to(out, "  device {} gives {}, gets {}\n", meeting.members[rank],
                     given.empty() ? "nothing" : fmt::to_string(fmt::join(given, " and ")),
                     part.got == kNoStep ? "nothing" : TextAt(part.got));
    }
  }
  static void AppendFlow(const ExchangeFlow& flow, std::string& text) {
    auto out = std::back_inserter(text);
    fmt::format_to(out, "  device {} sends to device {}", flow.from, flow.to);
    if (flow.given_rows && flow.got_rows) {
      fmt::format_to(out, " rows {} to {}, as its rows {} to {}", (*flow.given_rows)[0],
                     (*flow.given_rows)[1] - 1, (*flow.got_rows)[0], (*flow.got_rows)[1] - 1);
    }
    text += '\n';
  }
  void AppendState(const Replica& replica, std::string& text) const {
    const Json state = DeviceCell(replica);
    auto out = std::back_inserter(text);
    fmt::format_to(out, "at the end device {} is at {} and holds {} ({})", replica.device(),
                   d_.PlaceName(*replica.next()), Counted(state["values"].get<int64_t>(), "array"),
                   Counted(state["bytes"].get<int64_t>(), "byte"));
    if (state["waits"].is_object()) {
      const auto missing = state["waits"]["missing"].get<std::vector<int64_t>>();
      if (missing.empty()) {
        text += "; it waits for a message";
      } else {
        fmt::format_to(out, "; it waits for {} {}", missing.size() == 1 ? "device" : "devices",
                       fmt::join(missing, ", "));
      }
    }
    text += '\n';
  }

  static int64_t RowsOf(const Shape& shape) {
    return shape.IsArray() && shape.rank() > 0 ? shape.dim(0) : 0;
  }
  static Json FlowJson(const ExchangeFlow& flow) {
    Json json = ObjectJson({{"from", flow.from},
                            {"to", flow.to},
                            {"given", flow.given_piece},
                            {"got", flow.got_piece}});
    if (flow.given_rows) json["givenRows"] = *flow.given_rows;
    if (flow.got_rows) json["gotRows"] = *flow.got_rows;
    return json;
  }
  static Json PatternJson(const std::optional<ExchangePattern>& pattern,
                          const CollectiveMeeting& meeting) {
    if (!pattern) return nullptr;
    const auto device = [&](int64_t rank) {
      return rank < 0 ? Json(nullptr) : Json(meeting.members[static_cast<size_t>(rank)]);
    };
    return ObjectJson({{"cuts", pattern->cuts},
                       {"joins", pattern->joins},
                       {"root", device(pattern->root)},
                       {"sink", device(pattern->sink)}});
  }

  Json ExchangeJson(const DeviceExchange& exchange) {
    const CollectiveMeeting& meeting = exchange.meeting;
    Json parts = Json::array(), flows = Json::array();
    for (size_t rank = 0; rank < exchange.parts.size(); ++rank) {
      parts.push_back(PartJson(meeting.members[rank], exchange.parts[rank]));
    }
    const ExchangeNumbers numbers = NumbersOf(exchange);
    for (const ExchangeFlow& flow : FlowsOf(meeting, numbers)) flows.push_back(FlowJson(flow));
    const Instruction& at = *meeting.instruction;
    Json json = PlaceJson(at);
    json["shape"] = ShapeName(at.shape());
    json["round"] = meeting.round;
    json["position"] = exchange.before;
    json["members"] = meeting.members;
    json["combines"] = IsCombining(at.opcode());
    json["parts"] = std::move(parts);
    json["flows"] = std::move(flows);
    json["pattern"] = PatternJson(PatternOf(meeting, numbers), meeting);
    json["rows"] = at.opcode() == Opcode::kRaggedAllToAll
                       ? ObjectJson({{"given", RowsOf(at.operand(0)->shape())},
                                     {"got", RowsOf(at.operand(1)->shape())}})
                       : Json(nullptr);
    json["grid"] = GridJson(exchange.before);
    return json;
  }

  Debugger& d_;
  Timeline& t_;
  const TextMap& map_;
  std::map<int64_t, std::string> texts_;            // of values, by the step that made them
  std::map<int64_t, std::vector<double>> numbers_;  // likewise, those that say what goes where
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

std::shared_ptr<Debugger> RecordDevices(std::shared_ptr<const Document> document,
                                        const RunRequest& request) {
  auto debugger = std::make_shared<Debugger>(std::move(document), request);
  if (Timeline* const timeline = debugger->timeline()) {
    while (!timeline->Record(kRecordSlice)) {
    }
  }
  return debugger;
}

std::string DevicesJson(Debugger& debugger) {
  if (!debugger.timeline()) return NoDevices(debugger.diagnostics(), debugger.document().map());
  return JsonText(DevicesAnswer(debugger).Make());
}
std::string NoDevicesJson(const Diagnostics& faults, const Document& document) {
  return NoDevices(faults, document.map());
}

std::string DevicesAtJson(Debugger& debugger, int64_t position, int64_t device) {
  if (!debugger.timeline()) return "null";
  return JsonText(DevicesAnswer(debugger).At(position, device));
}

std::string DevicesText(Debugger& debugger) {
  return debugger.timeline() ? DevicesAnswer(debugger).AsText() : "";
}

}  // namespace hlo
