#include "engine/views/precision_view.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "engine/base/work_limit.h"
#include "engine/diff/module_diff.h"
#include "engine/views/guard.h"

namespace hlo {
namespace {

// Fills a record's inputs, within the memory. Null, with faults, when the program cannot be run.
// `whose` precedes what is said of another program than the one whose places are shown.
const Module* Prepare(RunRecord& record, std::shared_ptr<const Document> document,
                      const RunRequest& request, uint64_t memory, std::string_view whose,
                      Diagnostics& faults) {
  Budget::Limits limits = request.limits;
  limits.memory_bytes = memory;
  record.budget = std::make_unique<Budget>(limits);
  record.document = std::move(document);
  if (PrepareRun(record, request)) {
    if (IsAllowed(record.grid)) return record.document->module();
    faults.Report(DiagCode::kNotExecutable, Range{}, fmt::format("{}too many devices", whose));
    return nullptr;
  }
  for (const Diagnostic& fault : record.diagnostics.list()) {
    faults.Report(fault.code, whose.empty() ? fault.range : Range{},
                  fmt::format("{}{}", whose, fault.message));
  }
  return nullptr;
}

std::vector<std::vector<Value>> ArgumentsOf(const RunRecord& record) {
  if (record.devices.empty()) return {record.inputs};
  std::vector<std::vector<Value>> arguments;
  for (const RunRecord::Device& device : record.devices) arguments.push_back(device.inputs);
  return arguments;
}

using Counterparts = std::unordered_map<const Instruction*, const Instruction*>;

// Both programs and their inputs. Values are released to the budgets, which are members before
// them.
struct PrecisionPair {
  std::optional<Budget> budget;
  RunRecord first, second;
  WidenedModule widened;
  Counterparts counterpart;
  PairedSide sides[2];
};

// False, with faults, when there is nothing to compare.
bool PreparePair(PrecisionPair& pair, PrecisionView& view, std::shared_ptr<const Document> other,
                 const RunRequest& request, ElementType wide) {
  const WorkLimit limit(
      WorkLimit::ForText(view.document->text().size() + (other ? other->text().size() : 0)));
  const Module* module =
      Prepare(pair.first, view.document, request, request.limits.memory_bytes, "", view.faults);
  if (!module) return false;
  view.document = pair.first.document;
  pair.sides[0] = {module, request.options, ArgumentsOf(pair.first)};
  Budget::Limits left = request.limits;
  left.memory_bytes = pair.first.budget->memory_left();
  if (other) {
    const Module* compared = Prepare(pair.second, std::move(other), request, left.memory_bytes,
                                     "the other program: ", view.faults);
    if (!compared) return false;
    pair.sides[1] = {compared, request.options, ArgumentsOf(pair.second)};
    for (const auto& [before, after] : DiffModules(*module, *compared).pairs) {
      pair.counterpart[after] = before;
    }
    left.memory_bytes = pair.second.budget->memory_left();
    pair.budget.emplace(left);
    return true;
  }
  pair.budget.emplace(left);
  pair.widened = Widen(*module, wide, request.options.custom_calls);
  VerifyModule(*pair.widened.module, view.faults);
  if (view.faults.has_errors()) return false;
  pair.sides[1] = {pair.widened.module.get(), request.options, {}};
  pair.sides[1].options.numbers = &pair.widened.numbers;
  for (const auto& device : pair.sides[0].arguments) {
    auto& arguments = pair.sides[1].arguments.emplace_back();
    for (const Value& value : device) {
      arguments.push_back(WidenedValue(value, wide, &*pair.budget));
    }
  }
  pair.counterpart = pair.widened.originals;
  return true;
}

void ReportFailure(const PrecisionView& view, const RunFailure& failure, bool is_first,
                   Diagnostics& faults) {
  const Instruction* const at = failure.stack.empty() ? nullptr : failure.stack.back();
  faults.Report(failure.code, is_first && at ? at->places().whole : Range{},
                fmt::format("{}: {}{}", is_first ? "this program" : view.other_name,
                            at ? fmt::format("{}: ", at->name()) : std::string(), failure.message));
}

void RunPair(PrecisionView& view, std::shared_ptr<const Document> other, const RunRequest& request,
             ElementType wide) {
  view.other_name = other ? "the other program" : fmt::format("the program in {}", Text(wide));
  PrecisionPair pair;
  if (!PreparePair(pair, view, std::move(other), request, wide)) return;
  view.report = CompareRuns(std::move(pair.sides[0]), std::move(pair.sides[1]), pair.counterpart,
                            &*pair.budget);
  const PairedReport& report = view.report;
  if (report.first_failure) ReportFailure(view, *report.first_failure, true, view.faults);
  if (report.second_failure) ReportFailure(view, *report.second_failure, false, view.faults);
  // The modules of both runs end here; what failed points into them.
  for (InstructionError& error : view.report.instructions) error.second = nullptr;
  view.report.first_failure = view.report.second_failure = std::nullopt;
  view.ok = !view.faults.has_errors();
}

}  // namespace

PrecisionView MakePrecisionView(std::shared_ptr<const Document> document,
                                std::shared_ptr<const Document> other, const RunRequest& request,
                                ElementType wide) {
  PrecisionView view{.document = std::move(document)};
  Guarded(view.faults, [&] { RunPair(view, std::move(other), request, wide); });
  if (view.faults.has_errors()) view.ok = false;
  return view;
}

}  // namespace hlo
