// What PrecisionView says, as JSON.
#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>

#include "engine/base/work_limit.h"
#include "engine/ops/products/product_rounding.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/names.h"
#include "engine/views/precision_view.h"

namespace hlo {
namespace {

constexpr int64_t kMostPrecisionRows = 2000;  // in an answer to a page, like the next
constexpr size_t kMostResultArrays = 256;
constexpr size_t kMostPrecisionSeries = 20000;  // errors by execution, of all rows together

int64_t ErrorLine(const LineTable& lines, const Instruction& instruction) {
  return static_cast<int64_t>(lines.At(instruction.places().whole.begin).line);
}

Json FindingJson(const PrecisionView& view, const LineTable& lines,
                 const PrecisionFinding& finding) {
  const Instruction& instruction = *finding.instruction;
  return ObjectJson({{"kind", finding.kind},
                     {"note", finding.note},
                     {"name", instruction.name()},
                     {"shown", ShownName(*view.document, instruction)},
                     {"computation", instruction.parent()->name()},
                     {"line", ErrorLine(lines, instruction)},
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
                     {"value", ErrorNumberText(error.worst_first)},
                     {"expected", ErrorNumberText(error.worst_second)},
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
    cancelled =
        Json::array({ErrorNumberText(each.cancelled[0]), ErrorNumberText(each.cancelled[1])});
  }
  return ObjectJson({{"name", instruction.name()},
                     {"shown", ShownName(*view.document, instruction)},
                     {"computation", instruction.parent()->name()},
                     {"opcode", Text(instruction.opcode())},
                     {"shape", ShapeSummary(instruction.shape())},
                     {"line", ErrorLine(lines, instruction)},
                     {"range", RangeJson(instruction.places().whole, view.document->map())},
                     {"order", each.order},
                     {"executions", each.compared},
                     {"introduced", each.introduced},
                     {"amplification", each.amplification},
                     {"error", ErrorJson(each.worst)},
                     {"cancelled", std::move(cancelled)},
                     {"series", SeriesJson(each, left)}});
}

// The arrays of the result, with their worst elements.
Json ArraysJson(const PrecisionView& view, bool whole) {
  Json arrays = Json::array();
  for (const ArrayError& each : view.report.arrays) {
    if (!whole && arrays.size() == kMostResultArrays) break;
    Json worst = Json::array();
    for (const WorstElement& element : each.error.worst_elements) {
      worst.push_back(ObjectJson({{"index", DimsJson(element.index)},
                                  {"value", ErrorNumberText(element.first)},
                                  {"expected", ErrorNumberText(element.second)},
                                  {"ulp", element.ulp},
                                  {"relative", element.relative}}));
    }
    arrays.push_back(ObjectJson({{"device", each.device},
                                 {"path", each.path},
                                 {"error", ErrorJson(each.error)},
                                 {"worst", std::move(worst)}}));
  }
  return arrays;
}

// The errors along the run. Instructions are told by their places in a list of their own.
Json GrowthJson(const PrecisionView& view) {
  Json points = Json::array(), instructions = Json::array();
  const auto& all = view.report.growth;
  const bool differ = std::any_of(all.begin(), all.end(), [](const auto& p) { return p.norm > 0; });
  std::unordered_map<const Instruction*, size_t> numbers;
  for (const GrowthPoint& point : all) {
    if (!differ) break;
    const Instruction& instruction = *point.instruction;
    const auto [at, is_new] = numbers.try_emplace(&instruction, instructions.size());
    if (is_new) {
      instructions.push_back(
          ObjectJson({{"name", instruction.name()},
                      {"shown", ShownName(*view.document, instruction)},
                      {"computation", instruction.parent()->name()},
                      {"opcode", Text(instruction.opcode())},
                      {"range", RangeJson(instruction.places().whole, view.document->map())}}));
    }
    points.push_back(
        ObjectJson({{"at", point.begin},
                    {"count", point.count},
                    {"instruction", at->second},
                    {"device", point.device},
                    {"iterations", point.iterations ? Json(*point.iterations) : Json::array()},
                    {"norm", point.norm},
                    {"ulp", point.ulp},
                    {"introduced", point.introduced}}));
  }
  return ObjectJson({{"instructions", std::move(instructions)}, {"points", std::move(points)}});
}

// What the options of a page say of the reference, beside what it has already.
void ReadReference(const Json& options, PrecisionReference& reference) {
  const auto text = [&](const char* name) {
    const auto at = options.find(name);
    return at != options.end() && at->is_string() ? at->get<std::string>() : std::string();
  };
  const std::string as = text("as");
  reference.widening.floats = as == "own"   ? WideFloat()
                              : as == "f32" ? WideFloat(ElementType::kF32)
                                            : WideFloat(ElementType::kF64);
  reference.widening.sums_in_f64 = text("sums") == "f64";
  if (const auto changes = options.find("changes");
      changes != options.end() && changes->is_object()) {
    RunChanges read;
    read.given = ParseRunRequest(JsonText(*changes));
    read.given.files =
        reference.changes ? reference.changes->given.files : std::vector<InputFile>();
    const RunOptions& given = read.given.options;
    if (changes->contains("seed")) read.seed = given.seed;
    if (changes->contains("replicas")) read.replicas = given.replicas;
    if (changes->contains("products")) read.products = FindProductRounding(read.given.products);
    if (changes->contains("multiplyAdd")) read.multiply_add = given.multiply_add;
    if (changes->contains("partitions")) read.partitions = given.partitions;
    reference.changes = std::move(read);
  }
  const auto expected = options.find("expected");
  if (expected == options.end() || !expected->is_array()) return;
  for (const Json& each : *expected) {
    if (!each.is_object()) continue;
    ExpectedValue& value = reference.expected.emplace_back();
    if (const auto path = each.find("path"); path != each.end() && path->is_array()) {
      for (const Json& i : *path) {
        value.path.push_back(i.is_number_integer() ? i.get<int64_t>() : -1);
      }
    }
    const auto written = each.find("text");
    if (written != each.end() && written->is_string()) value.text = written->get<std::string>();
  }
}

}  // namespace

std::string PrecisionJson(const PrecisionView& view, bool whole) {
  const LineTable lines(view.document->text());
  const auto list = DifferingInstructions(view);
  size_t count = list.size();
  size_t left = SIZE_MAX;
  if (!whole) {
    count = std::min<size_t>(count, kMostPrecisionRows);
    left = kMostPrecisionSeries;
  }
  Json rows = Json::array();
  for (size_t i = 0; i < count; ++i) rows.push_back(RowJson(view, lines, *list[i], &left));
  Json findings = Json::array();
  for (const PrecisionFinding& finding : PrecisionFindings(view)) {
    findings.push_back(FindingJson(view, lines, finding));
  }
  const ValueError* const worst = WorstResult(view);
  return JsonText(ObjectJson({{"ok", view.ok},
                              {"diagnostics", DiagnosticsJson(view.faults, view.document->map())},
                              {"summary", PrecisionSummary(view)},
                              {"result", worst ? ErrorJson(*worst) : Json(nullptr)},
                              {"findings", std::move(findings)},
                              {"arrays", ArraysJson(view, whole)},
                              {"growth", GrowthJson(view)},
                              {"parted", view.report.parted},
                              {"notCompared", view.report.not_compared},
                              {"compared", view.report.instructions.size()},
                              {"count", list.size()},
                              {"rows", std::move(rows)}}));
}

std::string PrecisionAnswer(std::shared_ptr<const Document> document, PrecisionReference reference,
                            std::vector<InputFile> expected_files, const RunRequest& request,
                            std::string_view options) {
  const Json json = ParseJson(options);
  ReadReference(json.is_object() ? json : Json::object(), reference);
  for (InputFile& file : expected_files) {
    const auto number = static_cast<size_t>(file.parameter);
    if (number < reference.expected.size()) {
      reference.expected[number].file = std::move(file.bytes);
    }
  }
  const PrecisionView view = MakePrecisionView(std::move(document), reference, request);
  const WorkLimit limit(WorkLimit::ForText(view.document->text().size()));
  return PrecisionJson(view, false);
}

}  // namespace hlo
