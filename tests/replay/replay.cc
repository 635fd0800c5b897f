#include "tests/replay/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "engine/timeline/measure.h"
#include "engine/views/debug_view.h"
#include "tests/golden/same_bits.h"

namespace hlo {
namespace {

std::string ReplayBits(const Value& value) {
  return fmt::format("{:x}", MeasuredBits(Measure(), value));
}

double SecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<Value> ResultsOf(const RunRecord& record) {
  std::vector<Value> results;
  for (const RunRecord::Device& device : record.devices) {
    if (device.output) results.push_back(*device.output);
  }
  if (record.devices.empty() && record.output) results.push_back(*record.output);
  return Flattened(results);
}

// Takes the values of a run that kept them, in the order in which each instruction got them.
class TraceCheck {
 public:
  explicit TraceCheck(const RunRecord& record) {
    for (const TraceEntry* entry : record.entries) {
      given_[{entry->device, entry->instruction}].push_back(entry);
      has_all_ &= !entry->dropped;
    }
  }
  // Empty when a step gives what the trace has.
  std::string Fault(const StepFacts& facts) {
    if (!has_all_ || !facts.has_value || facts.kind == StepKind::kEnd) return "";
    const std::pair key(facts.device, facts.instruction);
    const auto found = given_.find(key);
    if (found == given_.end()) return "";
    const size_t time = times_[key]++;
    if (time >= found->second.size()) return "";
    return ReplayBits(found->second[time]->value) == ReplayBits(facts.value)
               ? ""
               : fmt::format("step {}: {} is not what a run without a timeline gives", facts.step,
                             facts.instruction->name());
  }

 private:
  std::map<std::pair<int64_t, const Instruction*>, std::vector<const TraceEntry*>> given_;
  std::map<std::pair<int64_t, const Instruction*>, size_t> times_;
  bool has_all_ = true;
};

std::string ResultFault(const RunRecord& record, const Timeline& timeline) {
  const bool fails = record.diagnostics.has_errors();
  if (fails != (timeline.failure() != nullptr)) return "only one of both fails";
  if (fails) return "";
  const std::vector<Value> wanted = ResultsOf(record);
  const std::vector<Value> results = Flattened(timeline.results());
  if (results.size() != wanted.size()) return "another number of results";
  for (size_t i = 0; i < results.size(); ++i) {
    if (!SameBits(results[i], wanted[i])) return fmt::format("result {} differs", i);
  }
  return "";
}

// Where two texts begin to differ.
std::string TextDifference(const std::string& got, const std::string& wanted) {
  const auto at = std::mismatch(got.begin(), got.end(), wanted.begin(), wanted.end()).first;
  const auto begin = static_cast<size_t>(std::max<ptrdiff_t>(0, at - got.begin() - 60));
  return fmt::format("...{}, and not ...{}", got.substr(begin, 120), wanted.substr(begin, 120));
}

// What is expected at a position.
struct Expected {
  int64_t position;
  std::string state;
  std::vector<std::string> steps;  // before it, the last one last
};

}  // namespace

std::string FactsText(const StepFacts& facts) {
  std::string text =
      fmt::format("{} {} d{} {} at {} from {}", facts.step, static_cast<int>(facts.kind),
                  facts.device, facts.instruction->name(), facts.depth, facts.entered_at);
  for (const int64_t operand : facts.operands) text += fmt::format(" {}", operand);
  text += fmt::format(" in {}", facts.meeting);
  for (const Delivery& each : facts.deliveries) {
    text += fmt::format(" {} of {}", each.receipt, each.sent_at);
  }
  if (facts.has_value) text += " " + ReplayBits(facts.value);
  return text;
}

std::string StateText(const Timeline& timeline) {
  std::string text;
  for (const auto& device : timeline.devices()) {
    text += fmt::format("device {}\n", device->device());
    for (const Replica::FrameView& frame : device->Frames()) {
      text += fmt::format("{} at {} from {}", frame.plan->computation->name(), frame.position,
                          frame.entered_at);
      if (*frame.iterations) text += fmt::format(" [{}]", fmt::join(**frame.iterations, ","));
      for (size_t i = 0; i < frame.made.size(); ++i) {
        if (frame.made[i] == kNoStep) continue;
        // Whoever needs an element of a tuple last takes it out, unless a checkpoint shares it.
        // What a tuple was is known of the step that made it.
        const bool is_whole = frame.values[i].is_array();
        text +=
            fmt::format(" {}:{}:{}", i, frame.made[i], is_whole ? ReplayBits(frame.values[i]) : "");
      }
      text += "\n";
    }
    const auto wait = timeline.exchange().WaitOf(device->device());
    if (wait) text += fmt::format("waits for {}: {}\n", wait->what, fmt::join(wait->missing, ","));
  }
  return text;
}

std::vector<std::string> StraightSteps(Timeline& timeline) {
  std::vector<std::string> steps;
  timeline.ForEach(0, timeline.length(), [&](const StepFacts& facts) {
    steps.push_back(FactsText(facts));
    return true;
  });
  return steps;
}

std::string ReplayFault(const std::shared_ptr<const Document>& document, const RunRequest& request,
                        const ReplayOptions& options, ReplayTimes* times) {
  using Clock = std::chrono::steady_clock;
  constexpr int64_t kBack = 4;  // steps back from each position
  RunRequest plain = request;
  plain.trace = options.compares_trace;
  const std::unique_ptr<RunRecord> record = RunDocument(document, plain);
  Debugger debugger(document, request, options.timeline);
  if (!debugger.timeline()) return record->diagnostics.has_errors() ? "" : "there is no timeline";
  Timeline& timeline = *debugger.timeline();
  ReplayTimes measured;
  Clock::time_point start = Clock::now();
  while (!timeline.Record(100)) {
  }
  measured.record_seconds = SecondsSince(start);
  const int64_t length = measured.steps = timeline.length();
  std::string fault = ResultFault(*record, timeline);
  if (!fault.empty()) return fault;

  // The straight run: from the first state on, without going back.
  TraceCheck trace(*record);
  const int64_t stride = std::max<int64_t>(1, length / options.positions);
  std::vector<Expected> expected;
  std::vector<std::string> recent;
  timeline.ForEach(0, length, [&](const StepFacts& facts) {
    if (options.compares_trace && fault.empty()) fault = trace.Fault(facts);
    const int64_t position = facts.step + 1;
    // Only what is compared later is worth a text.
    const int64_t to_next = (stride - position % stride) % stride;
    if (to_next < kBack || length - position < kBack) recent.push_back(FactsText(facts));
    if (recent.size() > kBack) recent.erase(recent.begin());
    if (position % stride == 0 || position == length) {
      expected.push_back({position, StateText(timeline), recent});
    }
    return fault.empty();
  });
  if (!fault.empty()) return fault;

  for (auto each = expected.rbegin(); each != expected.rend(); ++each) {
    start = Clock::now();
    timeline.GoTo(each->position);
    measured.slowest_jump = std::max(measured.slowest_jump, SecondsSince(start));
    const std::string state = StateText(timeline);
    if (state != each->state) {
      return fmt::format("position {}: another state when one goes back to it: {}", each->position,
                         TextDifference(state, each->state));
    }
    int64_t step = each->position;
    for (auto text = each->steps.rbegin(); text != each->steps.rend() && step > 0; ++text) {
      --step;
      start = Clock::now();
      const std::string got = FactsText(timeline.At(step));
      measured.slowest_back = std::max(measured.slowest_back, SecondsSince(start));
      if (got != *text) return fmt::format("step {}: {}, and straight {}", step, got, *text);
    }
  }
  // And forward again, from the middle.
  for (const Expected& each : expected) {
    timeline.GoTo(each.position);
    if (StateText(timeline) == each.state) continue;
    return fmt::format("position {}: another state when one goes on to it", each.position);
  }
  if (times) *times = measured;
  return "";
}

}  // namespace hlo
