// What PrecisionView says, as text and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "engine/base/work_limit.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/names.h"
#include "engine/views/precision_view.h"

namespace hlo {
namespace {

constexpr int64_t kMostPrecisionRows = 2000;    // in an answer to a page
constexpr size_t kMostPrecisionSeries = 20000;  // errors by execution, of all rows together

// Those whose values differ; what introduced most first.
std::vector<const InstructionError*> Differing(const PrecisionView& view) {
  std::vector<const InstructionError*> list;
  for (const InstructionError& each : view.report.instructions) {
    if (each.worst.differing > 0 || !each.worst.same_shape) list.push_back(&each);
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const auto* a, const auto* b) { return a->introduced > b->introduced; });
  return list;
}

std::string NumberText(double number) { return fmt::format("{:.9g}", number); }

const ValueError* WorstResult(const PrecisionView& view) {
  const ValueError* worst = nullptr;
  for (const ValueError& each : view.report.results) {
    if (!worst || each.norm > worst->norm) worst = &each;
  }
  return worst;
}

std::string SummaryOf(const PrecisionView& view) {
  const ValueError* worst = WorstResult(view);
  if (!worst) return "no result";
  if (!worst->same_shape) return "result: the shapes differ";
  if (worst->differing == 0) return "result: no element differs";
  return fmt::format(
      "result: largest error {:.4g} ulp, relative {:.3g}, at [{}]: {}, expected {}; {} of {} "
      "elements differ",
      worst->ulp, worst->relative, fmt::join(worst->index, ","), NumberText(worst->worst_first),
      NumberText(worst->worst_second), worst->differing, worst->elements);
}

// Something worth knowing, and where it is.
struct Finding {
  std::string_view kind;  // for pages
  std::string_view text;
  const Instruction* instruction;
  std::string note = {};
};

// A sum or difference that is as small as this beside its operands, and errors that grow as much.
constexpr double kCancels = 4;

bool IsCancellation(const InstructionError& each) {
  return each.cancellation >= kCancels && each.amplification >= kCancels;
}

template <typename Has>
void AddFirst(const PrecisionView& view, std::string_view kind, std::string_view text, Has has,
              std::vector<Finding>* out) {
  const InstructionError* first = nullptr;
  for (const InstructionError& each : view.report.instructions) {
    if (has(each) && (!first || each.differs_at < first->differs_at)) first = &each;
  }
  if (first) out->push_back({kind, text, first->first});
}

std::vector<Finding> FindingsOf(const PrecisionView& view) {
  std::vector<Finding> out;
  const auto list = Differing(view);
  if (!list.empty() && list[0]->introduced > 0) {
    Finding& most = out.emplace_back(Finding{"introduced", "most introduced by", list[0]->first});
    if (IsCancellation(*list[0])) {
      most.note = fmt::format("cancellation of {} and {}", NumberText(list[0]->cancelled[0]),
                              NumberText(list[0]->cancelled[1]));
    }
  }
  AddFirst(
      view, "differs", "first that differs", [](const auto& e) { return e.differs_at >= 0; }, &out);
  AddFirst(
      view, "overflow", "first overflow", [](const auto& e) { return e.worst.overflows > 0; },
      &out);
  AddFirst(
      view, "underflow", "first underflow", [](const auto& e) { return e.worst.underflows > 0; },
      &out);
  AddFirst(
      view, "nan", "first NaN", [](const auto& e) { return e.worst.nans > 0; }, &out);
  if (!view.ok) return out;
  for (const InstructionError& each : view.report.instructions) {
    // Iterations show at the root of what a loop runs.
    if (each.first_count == each.second_count || !each.first->is_root()) continue;
    if (each.first_count == 0 || each.second_count == 0) continue;
    out.push_back(
        {"times", "executed a different number of times", each.first,
         fmt::format("{}, and {} in {}", each.first_count, each.second_count, view.other_name)});
  }
  return out;
}

int64_t LineOf(const LineTable& lines, const Instruction& instruction) {
  return static_cast<int64_t>(lines.At(instruction.places().whole.begin).line);
}

Json FindingJson(const PrecisionView& view, const LineTable& lines, const Finding& finding) {
  const Instruction& instruction = *finding.instruction;
  return ObjectJson({{"kind", finding.kind},
                     {"note", finding.note},
                     {"name", instruction.name()},
                     {"shown", ShownName(*view.document, instruction)},
                     {"computation", instruction.parent()->name()},
                     {"line", LineOf(lines, instruction)},
                     {"range", RangeJson(instruction.places().whole, view.document->map())}});
}

Json ErrorJson(const ValueError& error) {
  Json histogram = Json::array();
  int used = ValueError::kBuckets;
  while (used > 0 && error.histogram[static_cast<size_t>(used - 1)] == 0) --used;
  for (int i = 0; i < used; ++i) histogram.push_back(error.histogram[static_cast<size_t>(i)]);
  Json path = Json::array();
  for (int64_t i : error.path) path.push_back(i);
  return ObjectJson({{"elements", error.elements},
                     {"differing", error.differing},
                     {"sameShape", error.same_shape},
                     {"ulp", error.ulp},
                     {"relative", error.relative},
                     {"absolute", error.absolute},
                     {"norm", error.norm},
                     {"path", std::move(path)},
                     {"index", DimsJson(error.index)},
                     // As text, for they may not be finite.
                     {"value", NumberText(error.worst_first)},
                     {"expected", NumberText(error.worst_second)},
                     {"overflows", error.overflows},
                     {"underflows", error.underflows},
                     {"nans", error.nans},
                     {"histogram", std::move(histogram)}});
}

// Norms by execution, of what is executed more than once; `left`: how many more fit.
Json SeriesJson(const InstructionError& each, size_t* left) {
  Json series = Json::array();
  if (each.compared < 2 || each.executions.size() > *left) return series;
  *left -= each.executions.size();
  for (const ExecutionError& execution : each.executions) series.push_back(execution.norm);
  return series;
}

Json RowJson(const PrecisionView& view, const LineTable& lines, const InstructionError& each,
             size_t* left) {
  const Instruction& instruction = *each.first;
  Json cancelled = nullptr;
  if (IsCancellation(each)) {
    cancelled = Json::array({NumberText(each.cancelled[0]), NumberText(each.cancelled[1])});
  }
  return ObjectJson({{"name", instruction.name()},
                     {"shown", ShownName(*view.document, instruction)},
                     {"computation", instruction.parent()->name()},
                     {"opcode", Text(instruction.opcode())},
                     {"shape", ShapeSummary(instruction.shape())},
                     {"line", LineOf(lines, instruction)},
                     {"range", RangeJson(instruction.places().whole, view.document->map())},
                     {"order", each.order},
                     {"executions", each.compared},
                     {"introduced", each.introduced},
                     {"amplification", each.amplification},
                     {"error", ErrorJson(each.worst)},
                     {"cancelled", std::move(cancelled)},
                     {"series", SeriesJson(each, left)}});
}

}  // namespace

std::string PrecisionText(const PrecisionView& view) {
  std::string out = SummaryOf(view) + "\n";
  const auto list = Differing(view);
  const LineTable lines(view.document->text());
  const auto place = [&](const Instruction& instruction) {
    return fmt::format("{} (line {})", ShownName(*view.document, instruction),
                       LineOf(lines, instruction));
  };
  for (const Finding& finding : FindingsOf(view)) {
    const bool is_sentence = finding.kind == "introduced";
    fmt::format_to(std::back_inserter(out), "{}{} {}{}{}\n", finding.text, is_sentence ? "" : ":",
                   place(*finding.instruction), finding.note.empty() ? "" : ": ", finding.note);
  }
  if (view.report.not_compared > 0) {
    fmt::format_to(std::back_inserter(out), "values without a counterpart: {}\n",
                   view.report.not_compared);
  }
  if (list.empty()) return out;
  fmt::format_to(std::back_inserter(out), "\n{:>10} {:>10} {:>10} {:>10} {:>7}  {}\n", "introduced",
                 "norm", "ulp", "grows by", "times", "instruction");
  for (const InstructionError* each : list) {
    fmt::format_to(std::back_inserter(out), "{:>10.3g} {:>10.3g} {:>10.4g} {:>10.3g} {:>7}  {}\n",
                   each->introduced, each->worst.norm, each->worst.ulp, each->amplification,
                   each->compared, place(*each->first));
  }
  return out;
}

std::string PrecisionJson(const PrecisionView& view, bool whole) {
  const LineTable lines(view.document->text());
  const auto list = Differing(view);
  size_t count = list.size();
  size_t left = SIZE_MAX;
  if (!whole) {
    count = std::min<size_t>(count, kMostPrecisionRows);
    left = kMostPrecisionSeries;
  }
  Json rows = Json::array();
  for (size_t i = 0; i < count; ++i) rows.push_back(RowJson(view, lines, *list[i], &left));
  Json findings = Json::array();
  for (const Finding& finding : FindingsOf(view)) {
    findings.push_back(FindingJson(view, lines, finding));
  }
  const ValueError* const worst = WorstResult(view);
  return JsonText(ObjectJson({{"ok", view.ok},
                              {"diagnostics", DiagnosticsJson(view.faults, view.document->map())},
                              {"summary", SummaryOf(view)},
                              {"result", worst ? ErrorJson(*worst) : Json(nullptr)},
                              {"findings", std::move(findings)},
                              {"notCompared", view.report.not_compared},
                              {"compared", view.report.instructions.size()},
                              {"count", list.size()},
                              {"rows", std::move(rows)}}));
}

std::string PrecisionAnswer(std::shared_ptr<const Document> document,
                            std::shared_ptr<const Document> other, const RunRequest& request,
                            std::string_view options) {
  const Json json = ParseJson(options);
  const bool is_f32 = json.is_object() && json.contains("as") && json["as"] == "f32";
  const PrecisionView view = MakePrecisionView(std::move(document), std::move(other), request,
                                               is_f32 ? ElementType::kF32 : ElementType::kF64);
  const WorkLimit limit(WorkLimit::ForText(view.document->text().size()));
  return PrecisionJson(view, false);
}

}  // namespace hlo
