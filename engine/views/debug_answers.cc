// What a debugger answers as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "engine/views/debug_completion.h"
#include "engine/views/debug_view.h"
#include "engine/views/guard.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/names.h"

namespace hlo {

namespace {

int64_t AskedNumber(const Json& request, const char* name, int64_t otherwise) {
  const auto found = request.find(name);
  if (found == request.end() || !found->is_number()) return otherwise;
  const double number = found->get<double>();
  return std::abs(number) < 9e15 ? static_cast<int64_t>(number) : otherwise;
}
std::string AskedText(const Json& request, const char* name) {
  const auto found = request.find(name);
  return found != request.end() && found->is_string() ? found->get<std::string>() : "";
}

constexpr std::string_view kStepKinds[] = {"none", "value", "enter", "return", "end"};

}  // namespace

// The questions of DebugRequest, a method each.
class DebugAnswers {
 public:
  DebugAnswers(Debugger& debugger, Debugger::ByHandle others)
      : d_(debugger), t_(*debugger.timeline_), map_(debugger.document().map()), others_(others) {}

  Json Answer(const Json& request) {
    const std::string what = AskedText(request, "what");
    if (what == "record") return Record(request);
    if (what == "move") return Moved(request);
    if (what == "search") return Found(request);
    if (what == "spans") return SpansJson(request);
    if (what == "steps") return Steps(request);
    if (what == "history") return HistoryAnswer(request);
    if (what == "value") return ValueOf(request);
    if (what == "show") return Shown(request);
    if (what == "condition") return ConditionOf(request);
    if (what == "compare") return Compared(request);
    return At(request);
  }

 private:
  int64_t PositionOf(const Json& request) const {
    return std::clamp<int64_t>(AskedNumber(request, "position", 0), 0, t_.length());
  }

  Json Progress() const {
    Json json = ObjectJson({{"length", t_.length()}, {"ended", t_.ended()}});
    if (t_.ended()) json["diagnostics"] = DiagnosticsJson(d_.diagnostics(), map_);
    return json;
  }

  Json Record(const Json& request) {
    t_.Record(static_cast<double>(std::clamp<int64_t>(AskedNumber(request, "ms", 50), 1, 1000)));
    return Progress();
  }

  Json InstructionJson(const Instruction& instruction) const {
    return ObjectJson({{"name", instruction.name()},
                       {"shown", ShownName(d_.document(), instruction)},
                       {"opcode", Text(instruction.opcode())},
                       {"computation", instruction.parent()->name()},
                       {"range", RangeJson(instruction.places().whole, map_)}});
  }

  Json StepJson(const StepFacts& facts) const {
    Json json = InstructionJson(*facts.instruction);
    json["step"] = facts.step;
    json["kind"] = kStepKinds[static_cast<size_t>(facts.kind)];
    json["device"] = facts.device;
    json["depth"] = facts.depth;
    json["iterations"] = facts.iterations ? Json(*facts.iterations) : Json::array();
    json["line"] = d_.StepLine(facts);
    json["hasValue"] = facts.has_value;
    return json;
  }

  Json FrameJson(const Replica::FrameView& frame) const {
    const bool at_end = frame.position == frame.plan->instructions.size();
    const Instruction& next = at_end ? *frame.plan->computation->root()
                                     : *frame.plan->instructions[frame.position].instruction;
    return ObjectJson({{"computation", ShownName(d_.document(), *frame.plan->computation)},
                       {"atEnd", at_end},
                       {"enteredAt", frame.entered_at},
                       {"iterations", *frame.iterations ? Json(**frame.iterations) : Json::array()},
                       {"next", InstructionJson(next)}});
  }

  Json DeviceJson(const Replica& replica) const {
    constexpr size_t kMostFrames = 200;
    Json frames = Json::array();
    for (const Replica::FrameView& frame : replica.Frames()) {
      if (frames.size() < kMostFrames) frames.push_back(FrameJson(frame));
    }
    Json json = ObjectJson({{"device", replica.device()}, {"frames", std::move(frames)}});
    const auto wait = t_.exchange().WaitOf(replica.device());
    if (wait && !replica.done()) {
      json["waits"] = ObjectJson({{"for", wait->what}, {"missing", wait->missing}});
    }
    return json;
  }

  // For each instruction that has a value in the computations of the device's stack, the step that
  // gave it; those of the innermost computation come last.
  std::vector<std::pair<const Instruction*, int64_t>> MadeBefore(int64_t device) const {
    std::vector<std::pair<const Instruction*, int64_t>> made;
    for (const Replica::FrameView& frame : t_.devices()[static_cast<size_t>(device)]->Frames()) {
      for (size_t i = 0; i < frame.made.size(); ++i) {
        if (frame.made[i] == kNoStep) continue;
        made.emplace_back(frame.plan->instructions[i].instruction, frame.made[i]);
      }
    }
    return made;
  }

  // The newest first, for as long as an answer may take: others are there when they are asked for.
  Json Inline(int64_t device, int64_t position) {
    constexpr double kMostMilliseconds = 25;
    constexpr size_t kMost = 400;
    auto made = MadeBefore(device);
    std::sort(made.begin(), made.end(),
              [](const auto& a, const auto& b) { return a.second > b.second; });
    if (made.size() > kMost) made.resize(kMost);
    const auto start = std::chrono::steady_clock::now();
    // In order, so that one replay passes all of them.
    std::reverse(made.begin(), made.end());
    const size_t newest = made.size() > 40 ? made.size() - 40 : 0;
    Json json = Json::array();
    const auto add = [&](size_t i) {
      const auto& [instruction, step] = made[i];
      json.push_back(ObjectJson({{"end", map_.ToUnits(instruction->places().whole.end)},
                                 {"name", d_.PlaceName(*instruction)},
                                 {"step", step},
                                 {"isNew", step == position - 1},
                                 {"text", d_.TextOfStep(step)}}));
    };
    for (size_t i = newest; i < made.size(); ++i) add(i);
    for (size_t i = newest; i-- > 0;) {
      const auto spent = std::chrono::steady_clock::now() - start;
      const bool is_known = d_.texts_.count(made[i].second) > 0;
      const bool is_late =
          std::chrono::duration<double, std::milli>(spent).count() > kMostMilliseconds;
      if (is_known || !is_late) add(i);
    }
    return json;
  }

  Json At(const Json& request) {
    constexpr size_t kMostDevices = 64;
    const int64_t position = PositionOf(request);
    Json last = nullptr;
    int64_t device = 0;
    if (position > 0) {
      const StepFacts& facts = t_.At(position - 1);
      device = facts.device;
      last = StepJson(facts);
    }
    t_.GoTo(position);
    const auto count = static_cast<int64_t>(t_.devices().size());
    const int64_t asked = AskedNumber(request, "device", -1);
    if (asked >= 0) device = std::min(asked, count - 1);
    Json devices = Json::array();
    for (const auto& replica : t_.devices()) {
      if (devices.size() < kMostDevices || replica->device() == device)
        devices.push_back(DeviceJson(*replica));
    }
    Json values = Inline(device, position);
    t_.GoTo(position);
    Json json = Progress();
    json["position"] = position;
    json["device"] = device;
    json["deviceCount"] = count;
    json["last"] = std::move(last);
    json["devices"] = std::move(devices);
    json["values"] = std::move(values);
    return json;
  }

  Json Moved(const Json& request) {
    const auto move = MoveFromText(AskedText(request, "move"));
    int64_t position = PositionOf(request);
    const int64_t device = std::max<int64_t>(AskedNumber(request, "device", 0), 0);
    if (move) position = MoveFrom(t_, position, device, *move);
    return ObjectJson({{"position", position}});
  }

  Json Found(const Json& request) {
    std::vector<Condition> conditions;
    std::string problem;
    const auto texts = request.find("conditions");
    for (const Json& text : texts != request.end() && texts->is_array() ? *texts : Json::array()) {
      if (!text.is_string()) continue;
      auto condition = d_.Read(text.get<std::string>(), &problem);
      if (!condition) return ObjectJson({{"position", nullptr}, {"problem", problem}});
      conditions.push_back(std::move(*condition));
    }
    const bool is_back = AskedNumber(request, "back", 0) != 0;
    const auto position = d_.Search(conditions, PositionOf(request), is_back);
    return ObjectJson({{"position", position ? Json(*position) : Json(nullptr)}});
  }

  Json SpansJson(const Json& request) {
    constexpr int64_t kShort = 50000;  // steps that are replayed to find all of them
    const int64_t begin = PositionOf(request);
    const int64_t end =
        std::clamp<int64_t>(AskedNumber(request, "end", t_.length()), begin, t_.length());
    Spans spans = t_.spans();
    if (spans.least_length() > 1 && end - begin <= kShort) {
      t_.GoTo(begin);
      spans = Spans(t_.devices(), begin);
      t_.ForEach(begin, end, [&](const StepFacts& facts) {
        spans.Note(facts);
        return true;
      });
    }
    Json list = Json::array();
    for (const Span& span : spans.All(t_.length())) {
      if (span.end <= begin || span.begin >= end) continue;
      list.push_back(ObjectJson(
          {{"begin", span.begin},
           {"end", span.end},
           {"device", span.device},
           {"depth", span.depth},
           {"caller", ShownName(d_.document(), *span.caller)},
           {"computation",
            span.computation ? Json(ShownName(d_.document(), *span.computation)) : Json(nullptr)},
           {"iteration", span.iteration}}));
    }
    return ObjectJson({{"spans", std::move(list)}, {"least", spans.least_length()}});
  }

  Json Steps(const Json& request) {
    constexpr int64_t kMost = 500;
    const int64_t begin = PositionOf(request);
    const int64_t count = std::clamp<int64_t>(AskedNumber(request, "count", 100), 0, kMost);
    Json list = Json::array();
    t_.ForEach(begin, begin + count, [&](const StepFacts& facts) {
      list.push_back(StepJson(facts));
      return true;
    });
    return ObjectJson({{"steps", std::move(list)}, {"length", t_.length()}});
  }

  // Numbers that JSON has; null: not finite.
  static Json NumbersJson(const std::vector<double>& numbers) {
    Json list = Json::array();
    for (const double number : numbers) {
      list.push_back(std::isfinite(number) ? Json(number) : Json(nullptr));
    }
    return list;
  }

  // The measure of a watch; else what is wrong with it.
  std::optional<Measure> WatchOf(const Json& request, std::string* problem) const {
    auto measure = ParseMeasure(AskedText(request, "watch"), problem);
    if (!measure || !d_.Named(measure->name).empty()) return measure;
    *problem = fmt::format("there is no instruction '{}'", measure->name);
    return std::nullopt;
  }

  Json HistoryAnswer(const Json& request) {
    std::string problem;
    const auto measure = WatchOf(request, &problem);
    if (!measure) return ObjectJson({{"problem", problem}});
    const History history =
        *d_.HistoryOfWatch(*measure, AskedNumber(request, "device", -1), {}, &problem);
    Json series = Json::array();
    const bool has_bounds = history.width > 1;
    for (const HistorySeries& each : history.series) {
      Json json = ObjectJson({{"label", each.label}, {"values", NumbersJson(each.last)}});
      if (has_bounds) json["least"] = NumbersJson(each.least);
      if (has_bounds) json["most"] = NumbersJson(each.most);
      series.push_back(std::move(json));
    }
    return ObjectJson({{"steps", history.steps},
                       {"series", std::move(series)},
                       {"width", history.width},
                       {"sampled", history.is_sampled}});
  }

  // The last value of an instruction before a position.
  Json ValueOf(const Json& request) {
    constexpr int64_t kMostElements = 1024;
    std::string problem;
    const auto measure = WatchOf(request, &problem);
    if (!measure) return ObjectJson({{"problem", problem}});
    const auto facts = d_.ValueBefore(measure->name, AskedNumber(request, "device", -1),
                                      PositionOf(request), &problem);
    if (!facts) return ObjectJson({{"problem", problem}});
    auto text = d_.MeasuredText(*measure, *facts, kMostElements, &problem);
    if (!text) return ObjectJson({{"problem", problem}});
    Json json = StepJson(*facts);
    json["text"] = std::move(*text);
    json["shape"] = ShapeName(facts->instruction->shape());
    return json;
  }

  // A value as a whole, as the page shows those of runs: calls about values take its step.
  Json Shown(const Json& request) {
    const int64_t step = AskedNumber(request, "step", -1);
    const auto part = d_.ValueAt(step, {});
    if (!part) return ObjectJson({{"problem", "this step gives no value"}});
    Json json = StepJson(t_.At(step));
    AnswerRoom room;
    json["value"] = ValueInfoJson(*part->value, *part->shape, &room);
    return json;
  }

  // From now on conditions find this run as "other".
  Json Compared(const Json& request) {
    const auto other = others_(static_cast<int>(AskedNumber(request, "other", 0)));
    if (!other || !other->timeline()) return ObjectJson({{"problem", "the other run is not kept"}});
    d_.set_other_run([other](std::string_view name, std::string* problem) {
      *problem = fmt::format("there is no run '{}': differs from other", name);
      return name == "other" ? other : nullptr;
    });
    return ObjectJson({{"length", other->timeline()->length()}});
  }

  // What is wrong with a condition, and what may be written where it ends.
  Json ConditionOf(const Json& request) {
    const std::string text = AskedText(request, "text");
    std::string problem;
    // What names another run would be replayed for every letter.
    const bool is_other = text.find("differs") != text.npos;
    if (!text.empty() && !is_other) (void)d_.Read(text, &problem);
    Json completions = Json::array();
    for (const ConditionCompletion& each : CompleteCondition(d_.document(), text)) {
      completions.push_back(ObjectJson({{"text", each.text}, {"about", each.about}}));
    }
    return ObjectJson({{"fault", problem}, {"completions", std::move(completions)}});
  }

  Debugger& d_;
  Timeline& t_;
  const TextMap& map_;
  Debugger::ByHandle others_;
};

std::string Debugger::Answer(std::string_view text, ByHandle others) {
  const auto problem = [&](const Diagnostics& faults) {
    return JsonText(
        ObjectJson({{"problem", faults.list().empty() ? "" : faults.list().front().message},
                    {"diagnostics", DiagnosticsJson(faults, document().map())}}));
  };
  return Guarded<std::string>(
      [&] {
        if (!timeline_) return problem(diagnostics());
        const Json request = ParseJson(text);
        return JsonText(
            DebugAnswers(*this, others).Answer(request.is_object() ? request : Json::object()));
      },
      problem);
}

}  // namespace hlo
