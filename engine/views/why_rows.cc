#include "engine/views/why_rows.h"

#include <fmt/format.h>

#include <utility>

#include "engine/base/indices.h"
#include "engine/views/graph_view.h"
#include "engine/views/json_parts.h"
#include "engine/views/names.h"

namespace hlo {
namespace {

constexpr size_t kMostBoxesInText = 4;

std::string PartName(const ReachedPart& part) {
  std::string path;
  for (const int64_t i : part.path) path += fmt::format("[{}]", i);
  return path;
}

// "[0:2,3] and 5 more": some of the elements.
std::string PartElements(const ReachedPart& part) {
  std::string text;
  for (size_t i = 0; i < std::min(part.boxes.size(), kMostBoxesInText); ++i) {
    text += (i > 0 ? " " : "") + BoxText(part.boxes[i]);
  }
  const bool has_more = part.has_more || part.boxes.size() > kMostBoxesInText;
  return has_more ? text + " ..." : text;
}

std::string CountText(const ReachedPart& part) {
  if (part.of == 1) return "";
  if (part.count == part.of) return fmt::format("all {} elements", part.of);
  return fmt::format("{} of {} elements", part.count, part.of);
}

Json ReachedPartsJson(WhyRun& run, const ReachedStep& reached) {
  Json parts = Json::array();
  for (const ReachedPart& part : reached.parts) {
    Json boxes = Json::array();
    for (const Box& box : part.boxes) boxes.push_back(WhyBoxJson(box));
    Json value = nullptr;
    if (part.count == 1) {
      value = WhyValueAt(run.origins(), reached.step, part.path, IndexIn(part.boxes[0], 0));
    }
    parts.push_back(ObjectJson({{"path", DimsJson(part.path)},
                                {"count", part.count},
                                {"of", part.of},
                                {"elements", PartElements(part)},
                                {"boxes", std::move(boxes)},
                                {"more", part.has_more},
                                {"value", std::move(value)}}));
  }
  return parts;
}

Json ReachedStepJson(WhyRun& run, const ReachedStep& reached, const LineTable& lines) {
  Json row = WhyStepJson(run, run.origins().Facts(reached.step), lines);
  row["parts"] = ReachedPartsJson(run, reached);
  Json from = nullptr;
  if (reached.from != kNoStep) {
    from = ShownName(run.document(), *run.origins().Facts(reached.from).instruction);
  }
  row["from"] = std::move(from);
  return row;
}

std::string ReachedStepText(WhyRun& run, const ReachedStep& reached, const LineTable& lines) {
  const StepFacts facts = run.origins().Facts(reached.step);
  const Instruction& instruction = *facts.instruction;
  const std::string shown = ShownName(run.document(), instruction);
  std::string text;
  for (const ReachedPart& part : reached.parts) {
    text += fmt::format("line {}: {}{}", lines.At(instruction.places().whole.begin).line, shown,
                        PartName(part));
    const bool is_one = part.count == 1;
    text += part.of == 1 ? "" : PartElements(part);
    if (is_one) {
      text += " = " + WhyValueAt(run.origins(), reached.step, part.path, IndexIn(part.boxes[0], 0));
    } else {
      text += ": " + CountText(part);
    }
    text += fmt::format("  ({}{})\n", Text(instruction.opcode()), WhyWhenText(run, facts));
  }
  return text;
}

// Of each device's result, what is reached.
std::string ResultText(WhyRun& run, const ReachedStep& result) {
  const StepFacts facts = run.origins().Facts(result.step);
  const bool has_several = run.timeline()->grid().count() > 1;
  const std::string device = has_several ? fmt::format(" of device {}", facts.device) : "";
  if (result.parts.empty()) return fmt::format("it does not reach the result{}\n", device);
  std::string text;
  for (const ReachedPart& part : result.parts) {
    const std::string what = part.of == 1 ? "" : CountText(part) + " of ";
    text += fmt::format("it reaches {}the result{}{}{}\n", what, PartName(part), device,
                        part.of == 1 ? "" : ": " + PartElements(part));
  }
  return text;
}

std::string DecisionText(WhyRun& run, int64_t step, const LineTable& lines) {
  const StepFacts facts = run.origins().Facts(step);
  const Instruction& instruction = *facts.instruction;
  const bool loops = instruction.def().runs == Runs::kWhile;
  return fmt::format("it decides {} {} runs (line {})\n", loops ? "how often" : "which branch of",
                     ShownName(run.document(), instruction),
                     lines.At(instruction.places().whole.begin).line);
}

}  // namespace

Json WhyIterationsJson(const StepFacts& facts) {
  return facts.iterations ? Json(*facts.iterations) : Json::array();
}

Json WhyBoxJson(const Box& box) {
  Json json = Json::array();
  for (const Steps& steps : box) json.push_back({steps.first, steps.count, steps.step});
  return json;
}

Json WhyStepJson(WhyRun& run, const StepFacts& facts, const LineTable& lines) {
  const Instruction& instruction = *facts.instruction;
  const Range whole = instruction.places().whole;
  return ObjectJson({{"step", facts.step},
                     {"name", instruction.name()},
                     {"shown", ShownName(run.document(), instruction)},
                     {"opcode", Text(instruction.opcode())},
                     {"computation", instruction.parent()->name()},
                     {"device", facts.device},
                     {"iterations", WhyIterationsJson(facts)},
                     {"range", RangeJson(whole, run.document().map())},
                     {"line", lines.At(whole.begin).line}});
}

std::string WhyWhenText(WhyRun& run, const StepFacts& facts) {
  std::string text;
  if (facts.iterations && !facts.iterations->empty()) {
    text += fmt::format(" iteration {}", fmt::join(*facts.iterations, "."));
  }
  if (run.timeline()->grid().count() > 1) text += fmt::format(" device {}", facts.device);
  return text;
}

std::string WhyValueAt(Origins& origins, int64_t step, const Dims& path, const Dims& index) {
  const Value value = origins.Facts(step).value;
  const Tensor* array = ArrayAt(value, path);
  return array ? ElementText(*array, index) : "";
}

Json ReachJson(WhyRun& run, const Reach& reach, const LineTable& lines) {
  Json rows = Json::array(), results = Json::array(), decisions = Json::array();
  for (const int64_t step : reach.decisions) {
    decisions.push_back(WhyStepJson(run, run.origins().Facts(step), lines));
  }
  for (const ReachedStep& each : reach.steps) rows.push_back(ReachedStepJson(run, each, lines));
  for (const ReachedStep& each : reach.results) {
    results.push_back(ObjectJson({{"device", run.origins().Facts(each.step).device},
                                  {"parts", ReachedPartsJson(run, each)}}));
  }
  return ObjectJson({{"rows", std::move(rows)},
                     {"skipped", reach.skipped},
                     {"beforeGap", reach.before_gap},
                     {"results", std::move(results)},
                     {"decisions", std::move(decisions)},
                     {"rough", reach.is_rough}});
}

std::string ReachText(WhyRun& run, const Reach& reach, const LineTable& lines) {
  std::string text;
  for (size_t i = 0; i < reach.steps.size(); ++i) {
    if (reach.skipped > 0 && i == reach.before_gap) {
      text += fmt::format("... {} more ...\n", reach.skipped);
    }
    text += ReachedStepText(run, reach.steps[i], lines);
  }
  text += "\n";
  for (const ReachedStep& each : reach.results) text += ResultText(run, each);
  for (const int64_t step : reach.decisions) text += DecisionText(run, step, lines);
  if (reach.is_rough) text += "it may be fewer: not every element was followed by itself\n";
  return text;
}

}  // namespace hlo
