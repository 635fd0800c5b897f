#include "engine/views/debug_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/source.h"
#include "engine/views/guard.h"
#include "engine/views/names.h"

namespace hlo {

Debugger::Debugger(std::shared_ptr<const Document> document, const RunRequest& request,
                   TimelineLimits limits) {
  record_.document = std::move(document);
  record_.budget = std::make_unique<Budget>(request.limits);
  Guarded(record_.diagnostics, [&] {
    if (!PrepareRun(record_, request)) return;
    RunOptions options = request.options;
    options.probes = &record_.probes;
    record_.probes.set_reader(request.probe_reader);
    timeline_ = std::make_unique<Timeline>(*record_.document->module(), options,
                                           record_.budget.get(), limits);
    std::vector<std::vector<Value>> args;
    for (const RunRecord::Device& device : record_.devices) args.push_back(device.inputs);
    if (args.empty()) args.push_back(record_.inputs);
    timeline_->Start(std::move(args));
  });
}

Diagnostics Debugger::diagnostics() const {
  Diagnostics all = record_.diagnostics;
  if (timeline_ && timeline_->ended()) timeline_->Report(all);
  return all;
}

std::vector<const Instruction*> Debugger::Named(std::string_view name) const {
  return InstructionsShownAs(document(), name);
}

std::optional<Condition> Debugger::Read(std::string_view condition, std::string* problem) {
  const auto resolve = [&](std::string_view name) { return Named(name); };
  const auto differing = [&](std::string_view name, std::string* why) {
    return DifferingFrom(name, why);
  };
  return Condition::Parse(condition, document().text(), *document().module(), resolve, differing,
                          problem);
}

void Debugger::set_other_run(OtherRun other_run) {
  other_run_ = std::move(other_run);
  differing_.clear();
}

std::shared_ptr<const StepSet> Debugger::DifferingFrom(std::string_view name,
                                                       std::string* problem) {
  const auto known = differing_.find(name);
  if (known != differing_.end()) return known->second;
  *problem = "there is no other run to compare with";
  const auto other = other_run_ ? other_run_(name, problem) : nullptr;
  if (!other || !other->timeline()) return nullptr;
  auto steps = std::make_shared<const StepSet>(DifferingSteps(*timeline_, *other->timeline()));
  problem->clear();
  differing_.emplace(name, steps);
  return steps;
}

std::optional<int64_t> Debugger::Search(const std::vector<Condition>& conditions, int64_t position,
                                        bool is_back) {
  std::optional<int64_t> best;
  for (const Condition& condition : conditions) {
    const auto step = is_back ? FindPrevious(*timeline_, condition, position - 1)
                              : FindNext(*timeline_, condition, position);
    if (step && (!best || (is_back ? *step > *best : *step < *best))) best = step;
  }
  if (best) ++*best;
  return best;
}

std::optional<StepFacts> Debugger::ValueBefore(std::string_view name, int64_t device,
                                               int64_t position, std::string* problem) {
  const std::vector<const Instruction*> all = Named(name);
  if (all.empty()) {
    *problem = fmt::format("there is no instruction '{}'", name);
    return std::nullopt;
  }
  std::optional<int64_t> last;
  for (const Instruction* each : all) {
    const auto step = timeline_->LastValueOf(*each, device, position);
    if (step) last = std::max(last.value_or(*step), *step);
  }
  if (last) return timeline_->At(*last);
  *problem = fmt::format("{} has no value yet", name);
  return std::nullopt;
}

std::optional<std::string> Debugger::MeasuredText(const Measure& measure, const StepFacts& facts,
                                                  int64_t most_elements, std::string* problem) {
  const Shape& shape = facts.instruction->shape();
  const std::string fault = MeasureFault(measure, shape);
  if (!fault.empty()) {
    *problem = fmt::format("{} is {}: {}", measure.name, ShapeName(shape), fault);
    return std::nullopt;
  }
  if (measure.is_whole()) return ValueText(facts.value, shape, most_elements);
  const auto number = MeasuredNumber(measure, facts.value);
  if (number) return fmt::format("{}", *number);
  const auto part = MeasuredPart(measure, facts.value);
  if (!part) {
    *problem = fmt::format("{} is {}: there is no such part of it", measure.name, ShapeName(shape));
    return std::nullopt;
  }
  const Tensor copy = CopyOfPart(*part, timeline_->budget());
  return ValueText(Value(copy), Shape::Array(copy.element_type(), copy.dims()), most_elements);
}

std::optional<History> Debugger::HistoryOfWatch(const Measure& measure, int64_t device,
                                                const HistoryLimits& limits, std::string* problem) {
  const std::vector<const Instruction*> all = Named(measure.name);
  if (!all.empty()) return HistoryOf(*timeline_, all, measure, device, limits);
  *problem = fmt::format("there is no instruction '{}'", measure.name);
  return std::nullopt;
}

std::optional<ValuePart> Debugger::ValueAt(int64_t step, const std::vector<int64_t>& path) {
  if (step < 0 || step >= timeline_->length()) return std::nullopt;
  if (shown_.step != step) shown_ = timeline_->At(step);
  if (!shown_.has_value) return std::nullopt;
  return PartOf(shown_.value, shown_.instruction->shape(), path);
}

std::string Debugger::PlaceName(const Instruction& instruction) const {
  std::string name = ShownName(document(), instruction);
  const Computation& in = *instruction.parent();
  if (&in == document().module()->entry()) return name;
  return fmt::format("{}/{}", ShownName(document(), in), name);
}

uint32_t Debugger::LineOf(const Instruction& instruction) const {
  return LineTable(document().text()).At(instruction.places().whole.begin).line;
}

std::string Debugger::StepLine(const StepFacts& facts) const {
  constexpr int64_t kMostElements = 8;
  std::string line;
  if (timeline_->grid().count() > 1) line += fmt::format("device {}: ", facts.device);
  if (facts.iterations) line += fmt::format("[{}] ", fmt::join(*facts.iterations, ","));
  line += PlaceName(*facts.instruction);
  if (facts.kind == StepKind::kEnd) return line + ": the program ends";
  if (facts.has_value) {
    line += " = " + ValueText(facts.value, facts.instruction->shape(), kMostElements);
  } else if (facts.entered) {
    line += fmt::format(": {} {}", facts.left ? "goes on with" : "calls",
                        ShownName(document(), *facts.entered));
  } else {
    line += ": waits for other devices";
  }
  return line;
}

// The first elements of what a step made.
std::string Debugger::TextOfStep(int64_t step) {
  constexpr int64_t kMostElements = 6;
  constexpr size_t kMostTexts = 20000;
  if (texts_.size() > kMostTexts) texts_.clear();
  auto [entry, is_new] = texts_.try_emplace(step);
  if (is_new) {
    const StepFacts& facts = timeline_->At(step);
    entry->second = ValueText(facts.value, facts.instruction->shape(), kMostElements);
  }
  return entry->second;
}

}  // namespace hlo
