#include "engine/views/debug_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/source.h"
#include "engine/views/guard.h"
#include "engine/views/names.h"

namespace hlo {

Debugger::Debugger(std::shared_ptr<const Document> document, const RunRequest& request) {
  record_.document = std::move(document);
  record_.budget = std::make_unique<Budget>(request.limits);
  Guarded(record_.diagnostics, [&] {
    if (!PrepareRun(record_, request)) return;
    RunOptions options = request.options;
    options.probes = &record_.probes;
    record_.probes.set_reader(request.probe_reader);
    timeline_ =
        std::make_unique<Timeline>(*record_.document->module(), options, record_.budget.get());
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

std::optional<Condition> Debugger::Read(std::string_view condition, std::string* problem) const {
  const auto resolve = [&](std::string_view name) {
    return InstructionsShownAs(document(), name);
  };
  return Condition::Parse(condition, document().text(), resolve, problem);
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
  const auto condition = Read(name, problem);
  if (!condition) return std::nullopt;
  std::optional<StepFacts> found;
  for (int64_t end = position; end > 0;) {
    const auto step = FindPrevious(*timeline_, *condition, end);
    if (!step) break;
    const StepFacts& facts = timeline_->At(*step);
    if (facts.has_value && (device < 0 || facts.device == device)) return facts;
    end = *step;
  }
  *problem = fmt::format("{} has no value yet", name);
  return found;
}

std::string Debugger::PlaceName(const Instruction& instruction) const {
  const std::string name = ShownName(document(), instruction);
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
