// What PrecisionView says, as text.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "engine/views/names.h"
#include "engine/views/precision_view.h"

namespace hlo {
namespace {

// "[3,0]", of a tuple "{1}[3,0]".
std::string PlaceText(const std::vector<int64_t>& path, const Dims& index) {
  const std::string part = path.empty() ? "" : fmt::format("{{{}}}", fmt::join(path, ","));
  return fmt::format("{}[{}]", part, fmt::join(index, ","));
}

// Where in loops, and on which device of several.
std::string TimeText(const PrecisionView& view, const Parting& parting) {
  std::string text;
  if (!parting.iterations.empty()) {
    text = fmt::format(" in iteration {}", fmt::join(parting.iterations, "."));
  }
  if (view.report.results.size() > 1) text += fmt::format(" on device {}", parting.device);
  return text;
}

// What each of the runs does where control flow parts.
std::string PartingText(const PrecisionView& view, const Parting& parting) {
  const std::string when = TimeText(view, parting);
  if (parting.iteration < 0) {
    return fmt::format("branch {}, and branch {} in {}{}", parting.first, parting.second,
                       view.other_name, when);
  }
  const auto what = [](int64_t goes_on) { return goes_on ? "goes on" : "ends"; };
  return fmt::format("after {} iteration{} it {}, and {} in {}{}", parting.iteration,
                     parting.iteration == 1 ? "" : "s", what(parting.first), what(parting.second),
                     view.other_name, when);
}

template <typename Has>
void AddFirst(const PrecisionView& view, std::string_view kind, std::string_view text, Has has,
              std::vector<PrecisionFinding>* out) {
  const InstructionError* first = nullptr;
  for (const InstructionError& each : view.report.instructions) {
    if (has(each) && (!first || each.differs_at < first->differs_at)) first = &each;
  }
  if (first) out->push_back({kind, text, first->first});
}

// An array of the result that differs: how far, and its worst elements.
void AppendArray(const ArrayError& array, bool has_devices, std::string& out) {
  const ValueError& error = array.error;
  fmt::format_to(std::back_inserter(out), "\nresult{}{}: ",
                 array.path.empty() ? "" : fmt::format(" {{{}}}", fmt::join(array.path, ",")),
                 has_devices ? fmt::format(" on device {}", array.device) : "");
  if (!error.same_shape) {
    out += "the shapes differ\n";
    return;
  }
  fmt::format_to(std::back_inserter(out),
                 "{} of {} elements differ; error at most {:.4g} ulp, relative {:.3g}, norm "
                 "{:.3g}\n{:>12} {:>12} {:>20} {:>20}  at\n",
                 error.differing, error.elements, error.ulp, error.relative, error.norm, "ulp",
                 "relative", "value", "expected");
  for (const WorstElement& each : error.worst_elements) {
    fmt::format_to(std::back_inserter(out), "{:>12.4g} {:>12.3g} {:>20} {:>20}  [{}]\n", each.ulp,
                   each.relative, ErrorNumberText(each.first), ErrorNumberText(each.second),
                   fmt::join(each.index, ","));
  }
}

// As many of them as fit on a screen.
void AppendArrays(const PrecisionView& view, std::string& out) {
  constexpr size_t kMostArrays = 16;
  const auto& arrays = view.report.arrays;
  size_t differing = 0;
  for (const ArrayError& each : arrays) {
    if (each.error.differing == 0 && each.error.same_shape) continue;
    if (differing++ < kMostArrays) AppendArray(each, arrays.back().device > 0, out);
  }
  if (differing > kMostArrays) {
    fmt::format_to(std::back_inserter(out), "\nand {} more arrays that differ\n",
                   differing - kMostArrays);
  }
  if (differing < arrays.size()) {
    fmt::format_to(std::back_inserter(out), "\nin {} of {} arrays no element differs\n",
                   arrays.size() - differing, arrays.size());
  }
}

}  // namespace

std::vector<const InstructionError*> DifferingInstructions(const PrecisionView& view) {
  std::vector<const InstructionError*> list;
  for (const InstructionError& each : view.report.instructions) {
    if (each.worst.differing > 0 || !each.worst.same_shape) list.push_back(&each);
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const auto* a, const auto* b) { return a->introduced > b->introduced; });
  return list;
}

std::string ErrorNumberText(double number) { return fmt::format("{:.9g}", number); }

const ValueError* WorstResult(const PrecisionView& view) {
  const ValueError* worst = nullptr;
  for (const ValueError& each : view.report.results) {
    if (!each.same_shape) return &each;
    if (!worst || each.norm > worst->norm) worst = &each;
  }
  return worst;
}

std::string PrecisionSummary(const PrecisionView& view) {
  const ValueError* worst = WorstResult(view);
  if (!worst) return "no result";
  if (!worst->same_shape) return "result: the shapes differ";
  if (worst->differing == 0) return "result: no element differs";
  return fmt::format(
      "result: largest error {:.4g} ulp, at {}: {}, expected {}; largest relative error {:.3g}; {} "
      "of {} elements differ",
      worst->ulp, PlaceText(worst->path, worst->index), ErrorNumberText(worst->worst_first),
      ErrorNumberText(worst->worst_second), worst->relative, worst->differing, worst->elements);
}

bool IsCancellation(const InstructionError& error) {
  // A sum or difference that is as small as this beside its operands, and errors that grow as much.
  constexpr double kCancels = 4;
  return error.cancellation >= kCancels && error.amplification >= kCancels;
}

std::vector<PrecisionFinding> PrecisionFindings(const PrecisionView& view) {
  std::vector<PrecisionFinding> out;
  const auto list = DifferingInstructions(view);
  if (!list.empty() && list[0]->introduced > 0) {
    PrecisionFinding& most =
        out.emplace_back(PrecisionFinding{"introduced", "most introduced by", list[0]->first});
    if (IsCancellation(*list[0])) {
      most.note = fmt::format("cancellation of {} and {}", ErrorNumberText(list[0]->cancelled[0]),
                              ErrorNumberText(list[0]->cancelled[1]));
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
  for (const Parting& parting : view.report.partings) {
    // The first time for each loop and conditional.
    const bool is_known = std::any_of(out.begin(), out.end(), [&](const auto& each) {
      return each.kind == "parted" && each.instruction == parting.instruction;
    });
    if (is_known) continue;
    out.push_back(
        {"parted", "control flow parts at", parting.instruction, PartingText(view, parting)});
  }
  if (!view.ok || view.report.parted > 0) return out;
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

std::string PrecisionText(const PrecisionView& view) {
  std::string out = PrecisionSummary(view) + "\n";
  const auto list = DifferingInstructions(view);
  const LineTable lines(view.document->text());
  const auto place = [&](const Instruction& instruction) {
    return fmt::format("{} (line {})", ShownName(*view.document, instruction),
                       lines.At(instruction.places().whole.begin).line);
  };
  for (const PrecisionFinding& finding : PrecisionFindings(view)) {
    const bool is_sentence = finding.kind == "introduced" || finding.kind == "parted";
    fmt::format_to(std::back_inserter(out), "{}{} {}{}{}\n", finding.text, is_sentence ? "" : ":",
                   place(*finding.instruction), finding.note.empty() ? "" : ": ", finding.note);
  }
  if (view.report.not_compared > 0) {
    fmt::format_to(std::back_inserter(out), "values without a counterpart: {}\n",
                   view.report.not_compared);
  }
  const ValueError* const worst = WorstResult(view);
  if (worst && (worst->differing > 0 || !worst->same_shape)) AppendArrays(view, out);
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

}  // namespace hlo
