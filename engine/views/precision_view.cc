#include "engine/views/precision_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/diff/module_diff.h"
#include "engine/views/guard.h"
#include "engine/views/json.h"
#include "engine/views/names.h"
#include "engine/views/run_inputs.h"

namespace hlo {
namespace {

// The inputs of a run by device. The record must outlive them.
std::vector<std::vector<Value>> ArgumentsOf(RunRecord& record, const RunRequest& request,
                                            PrecisionView& view) {
  record.grid = GridOf(*record.document->module(), request.options);
  if (!IsAllowed(record.grid) || !MakeInputs(record, request)) {
    for (const Diagnostic& fault : record.diagnostics.list()) {
      view.faults.Report(fault.code, fault.range, fault.message);
    }
    if (!view.faults.has_errors()) {
      view.faults.Report(DiagCode::kNotExecutable, Range{}, "too many devices");
    }
    return {};
  }
  if (record.devices.empty()) return {record.inputs};
  std::vector<std::vector<Value>> arguments;
  for (const RunRecord::Device& device : record.devices) arguments.push_back(device.inputs);
  return arguments;
}

void Compare(PrecisionView& view, std::shared_ptr<const Document> other, const RunRequest& request,
             ElementType wide) {
  for (const auto& document : {view.document, other}) {
    if (!document || (document->ok() && document->module()->entry())) continue;
    view.faults.Report(DiagCode::kNotExecutable, Range{}, "nothing to run: there is no program");
    return;
  }
  const Module& module = *view.document->module();
  RunRecord first, second;
  Budget budget(request.limits);
  // Both records charge the one budget, which outlives all values.
  first.budget = std::make_unique<Budget>(request.limits);
  second.budget = std::make_unique<Budget>(request.limits);
  first.document = view.document;
  PairedSide sides[2] = {{&module, request.options, ArgumentsOf(first, request, view)},
                         {nullptr, request.options, {}}};
  if (view.faults.has_errors()) return;
  WidenedModule widened;
  std::unordered_map<const Instruction*, const Instruction*> counterpart;
  if (other) {
    second.document = other;
    sides[1].module = other->module();
    sides[1].arguments = ArgumentsOf(second, request, view);
    if (view.faults.has_errors()) return;
    for (const auto& [before, after] : DiffModules(module, *other->module()).pairs) {
      counterpart[after] = before;
    }
  } else {
    widened = Widen(module, wide, request.options.custom_calls);
    VerifyModule(*widened.module, view.faults);
    if (view.faults.has_errors()) return;
    sides[1].module = widened.module.get();
    sides[1].options.numbers = &widened.numbers;
    for (const auto& device : sides[0].arguments) {
      auto& arguments = sides[1].arguments.emplace_back();
      for (const Value& value : device) arguments.push_back(WidenedValue(value, wide, &budget));
    }
    counterpart = widened.originals;
  }
  view.report = CompareRuns(std::move(sides[0]), std::move(sides[1]), counterpart, &budget);
  for (const auto* failure : {&view.report.first_failure, &view.report.second_failure}) {
    if (!*failure) continue;
    view.faults.Report(
        (*failure)->code, Range{},
        fmt::format(
            "{}: {}{}", failure == &view.report.first_failure ? "the first run" : "the second run",
            (*failure)->stack.empty() ? std::string()
                                      : fmt::format("{}: ", (*failure)->stack.back()->name()),
            (*failure)->message));
  }
  // The modules of both runs end here.
  for (InstructionError& error : view.report.instructions) error.second = nullptr;
  view.ok = !view.faults.has_errors();
}

// Those whose values differ, and those that were not executed as often; what introduced most first.
std::vector<const InstructionError*> Differing(const PrecisionView& view) {
  std::vector<const InstructionError*> list;
  for (const InstructionError& each : view.report.instructions) {
    if (each.worst.differing > 0 || !each.worst.same_shape) list.push_back(&each);
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const auto* a, const auto* b) { return a->introduced > b->introduced; });
  return list;
}

std::string PlaceOf(const PrecisionView& view, const Instruction& instruction) {
  const LineTable lines(view.document->text());
  return fmt::format("{} (line {})", ShownName(*view.document, instruction),
                     lines.At(instruction.places().whole.begin).line);
}

std::string SummaryOf(const PrecisionView& view) {
  const ValueError* worst = nullptr;
  for (const ValueError& each : view.report.results) {
    if (!worst || each.norm > worst->norm) worst = &each;
  }
  if (!worst) return "no result";
  if (!worst->same_shape) return "result: the shapes differ";
  if (worst->differing == 0) return "result: no element differs";
  std::string text = fmt::format(
      "result: largest error {:.4g} ulp, relative {:.3g}, at [{}]: {:.9g}, expected {:.9g}; {} of "
      "{} "
      "elements differ",
      worst->ulp, worst->relative, fmt::join(worst->index, ","), worst->worst_first,
      worst->worst_second, worst->differing, worst->elements);
  const auto list = Differing(view);
  if (list.empty() || list[0]->introduced <= 0) return text;
  constexpr double kCancels = 4;
  text += fmt::format("; most introduced by {}", PlaceOf(view, *list[0]->first));
  if (list[0]->cancellation >= kCancels && list[0]->amplification >= kCancels) {
    text += fmt::format(": cancellation of {:.9g} and {:.9g}", list[0]->cancelled[0],
                        list[0]->cancelled[1]);
  }
  return text;
}

// The instruction that comes first of those with a property.
template <typename Has>
void AppendFirst(const PrecisionView& view, std::string_view what, Has has, std::string* out) {
  const InstructionError* first = nullptr;
  for (const InstructionError& each : view.report.instructions) {
    if (has(each) && (!first || each.differs_at < first->differs_at)) first = &each;
  }
  if (!first) return;
  fmt::format_to(std::back_inserter(*out), "{}: {}\n", what, PlaceOf(view, *first->first));
}

std::string FindingsOf(const PrecisionView& view) {
  std::string out;
  AppendFirst(
      view, "first that differs", [](const auto& e) { return e.differs_at >= 0; }, &out);
  AppendFirst(
      view, "first overflow", [](const auto& e) { return e.worst.overflows > 0; }, &out);
  AppendFirst(
      view, "first underflow", [](const auto& e) { return e.worst.underflows > 0; }, &out);
  AppendFirst(
      view, "first NaN", [](const auto& e) { return e.worst.nans > 0; }, &out);
  for (const InstructionError& each : view.report.instructions) {
    // Iterations show at the root of what a loop runs.
    if (each.first_count == each.second_count || !each.first->is_root()) continue;
    if (each.first_count == 0 || each.second_count == 0) continue;
    fmt::format_to(std::back_inserter(out), "executed {} times, {} in the other run: {}\n",
                   each.first_count, each.second_count, PlaceOf(view, *each.first));
  }
  if (view.report.not_compared > 0) {
    fmt::format_to(std::back_inserter(out), "values without a counterpart: {}\n",
                   view.report.not_compared);
  }
  return out;
}

}  // namespace

PrecisionView MakePrecisionView(std::shared_ptr<const Document> document,
                                std::shared_ptr<const Document> other, const RunRequest& request,
                                ElementType wide) {
  PrecisionView view{std::move(document)};
  Guarded(view.faults, [&] { Compare(view, std::move(other), request, wide); });
  if (view.faults.has_errors()) view.ok = false;
  return view;
}

std::string PrecisionText(const PrecisionView& view) {
  std::string out = SummaryOf(view) + "\n" + FindingsOf(view);
  const auto list = Differing(view);
  if (list.empty()) return out;
  fmt::format_to(std::back_inserter(out), "\n{:>10} {:>10} {:>10} {:>10} {:>7}  {}\n", "introduced",
                 "norm", "ulp", "grows by", "times", "instruction");
  for (const InstructionError* each : list) {
    fmt::format_to(std::back_inserter(out), "{:>10.3g} {:>10.3g} {:>10.4g} {:>10.3g} {:>7}  {}\n",
                   each->introduced, each->worst.norm, each->worst.ulp, each->amplification,
                   each->compared, PlaceOf(view, *each->first));
  }
  return out;
}

std::string PrecisionJson(const PrecisionView& view) {
  Json list = Json::array();
  for (const InstructionError* each : Differing(view)) {
    const ValueError& worst = each->worst;
    Json index = Json::array();
    for (int64_t i : worst.index) index.push_back(i);
    Json histogram = Json::array();
    for (int64_t count : worst.histogram) histogram.push_back(count);
    list.push_back(ObjectJson({{"name", each->first->name()},
                               {"computation", each->first->parent()->name()},
                               {"order", each->order},
                               {"executions", each->compared},
                               {"introduced", each->introduced},
                               {"amplification", each->amplification},
                               {"norm", worst.norm},
                               {"ulp", worst.ulp},
                               {"absolute", worst.absolute},
                               {"relative", worst.relative},
                               {"differing", worst.differing},
                               {"elements", worst.elements},
                               {"index", std::move(index)},
                               {"value", worst.worst_first},
                               {"expected", worst.worst_second},
                               {"histogram", std::move(histogram)}}));
  }
  return JsonText(ObjectJson({{"summary", SummaryOf(view)}, {"instructions", std::move(list)}}));
}

}  // namespace hlo
