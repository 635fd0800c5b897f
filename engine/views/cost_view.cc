#include "engine/views/cost_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "engine/base/byte_count.h"
#include "engine/base/stable_sort.h"
#include "engine/cost/cost_rules.h"
#include "engine/cost/roofline.h"
#include "engine/cost/savings.h"
#include "engine/layout/layout_sizes.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/list_window.h"
#include "engine/views/names.h"
#include "engine/views/run_view.h"
#include "engine/views/target_families.h"

namespace hlo {
namespace {

constexpr int64_t kMostCostRows = 1000;  // in one window

/// An executed instruction in the list: figures of all its executions.
struct CostRow {
  const Instruction* instruction;
  double times;
  Cost cost;
  Estimate estimate;
  double intensity;
  double seconds() const { return estimate.seconds * times; }
};

CostRow CostRowOf(const CostAnalysis& costs, const Roofline& roofline,
                  const Instruction& instruction) {
  const double times = costs.TimesOf(*instruction.parent());
  const Cost& once = costs.Of(instruction).cost;
  return {&instruction, times, once * times, roofline.Of(instruction),
          IntensityOn(roofline.machine(), once)};
}

using CostColumn = double (*)(const CostRow& row);
struct NamedCostColumn {
  std::string_view name;
  CostColumn value;
};
constexpr NamedCostColumn kCostColumns[] = {
    {"time", [](const CostRow& row) { return row.seconds(); }},
    {"flops", [](const CostRow& row) { return row.cost.work.flops; }},
    {"transcendentals", [](const CostRow& row) { return row.cost.work.transcendentals; }},
    {"read", [](const CostRow& row) { return row.cost.traffic.read; }},
    {"written", [](const CostRow& row) { return row.cost.traffic.written; }},
    {"padding", [](const CostRow& row) { return row.cost.traffic.padding; }},
    {"intensity", [](const CostRow& row) { return row.intensity; }},
    {"times", [](const CostRow& row) { return row.times; }},
};

// ---- CostQuery

double NumberIn(const Json& object, const char* key) {
  const auto at = object.find(key);
  const double number = at != object.end() && at->is_number() ? at->get<double>() : 0;
  return std::isfinite(number) && number > 0 ? number : 0;
}

std::string WordIn(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

// A machine by its id, or by its figures; the usual one where neither makes sense.
Machine MachineIn(const Json& options) {
  const auto at = options.find("machine");
  const Machine& usual = *FindMachine(kUsualMachine);
  if (at == options.end()) return usual;
  if (at->is_string()) {
    const Machine* known = FindMachine(at->get<std::string>());
    return known ? *known : usual;
  }
  if (!at->is_object()) return usual;
  Machine machine{.id = WordIn(*at, "id"),
                  .name = WordIn(*at, "name"),
                  .from = WordIn(*at, "from") == Text(FiguresFrom::kMeasured)
                              ? FiguresFrom::kMeasured
                              : FiguresFrom::kTyped,
                  .source = WordIn(*at, "source"),
                  .peak = {NumberIn(*at, "peak64"), NumberIn(*at, "peak32"),
                           NumberIn(*at, "peak16"), NumberIn(*at, "peak8")},
                  .bandwidth = NumberIn(*at, "bandwidth")};
  return machine.IsUsable() ? machine : usual;
}

struct CostQuery {
  Machine machine;
  std::string by;
  bool ascending = false;
  ListWindow window;
  int64_t savings = 0;
  std::string focus = {}, focus_computation = {};
};

CostQuery ParseCostQuery(std::string_view json) {
  CostQuery options{.machine = *FindMachine(kUsualMachine), .by = "time", .window = {}};
  options.window = ParseListWindow(json);
  int64_t& count = options.window.count;
  if (count < 0 || count > kMostCostRows) count = kMostCostRows;
  const Json object = ParseJson(json);
  if (!object.is_object()) return options;
  options.machine = MachineIn(object);
  const std::string by = WordIn(object, "by");
  if (!by.empty()) options.by = by;
  const auto ascending = object.find("ascending");
  options.ascending = ascending != object.end() && *ascending == true;
  options.savings = static_cast<int64_t>(std::min(NumberIn(object, "savings"), 1000.0));
  const auto focus = object.find("focus");
  if (focus != object.end() && focus->is_object()) {
    options.focus = WordIn(*focus, "name");
    options.focus_computation = WordIn(*focus, "computation");
  }
  return options;
}

// ---- JSON ---------------------------------------------------------------------------------------

Json MachineJson(const Machine& machine) {
  return ObjectJson({{"id", machine.id},
                     {"name", machine.name},
                     {"from", Text(machine.from)},
                     {"source", machine.source},
                     {"peak64", machine.peak.bits64},
                     {"peak32", machine.peak.bits32},
                     {"peak16", machine.peak.bits16},
                     {"peak8", machine.peak.bits8},
                     {"bandwidth", machine.bandwidth}});
}

void AddFigures(const Cost& cost, const Machine& machine, Json* json) {
  (*json)["flops"] = cost.work.flops;
  (*json)["transcendentals"] = cost.work.transcendentals;
  (*json)["read"] = cost.traffic.read;
  (*json)["written"] = cost.traffic.written;
  (*json)["padding"] = cost.traffic.padding;
  (*json)["intensity"] = IntensityOn(machine, cost);
}

Json CostRowJson(const Document& document, const CostAnalysis& costs, const Roofline& roofline,
                 const CostRow& row) {
  const Instruction& instruction = *row.instruction;
  const InstructionCost& cost = costs.Of(instruction);
  const double total = roofline.total_seconds();
  Json json = ObjectJson({{"name", instruction.name()},
                          {"shown", ShownName(document, instruction)},
                          {"computation", instruction.parent()->name()},
                          {"opcode", Text(instruction.opcode())},
                          {"range", RangeJson(instruction.places().name, document.map())},
                          {"times", row.times},
                          {"type", Text(cost.type)},
                          {"seconds", row.seconds()},
                          {"share", total > 0 ? row.seconds() / total : 0},
                          {"bound", Text(row.estimate.bound)},
                          {"peak", roofline.machine().PeakOf(cost.type)},
                          {"note", costs.NoteOn(instruction)}});
  AddFigures(row.cost, roofline.machine(), &json);
  return json;
}

Json CostFocusJson(const Document& document, const CostAnalysis& costs, const Roofline& roofline,
                   const CostQuery& options, const std::vector<CostRow>& rows,
                   const std::vector<uint32_t>& order) {
  if (options.focus.empty()) return nullptr;
  const std::string_view name = BareName(options.focus);
  const Instruction* found = nullptr;
  for (const Computation& computation : document.module()->computations()) {
    const bool is_meant = options.focus_computation.empty() ||
                          computation.name() == BareName(options.focus_computation);
    const Instruction* here = is_meant ? computation.Find(name) : nullptr;
    if (here) found = here;
    if (here && !options.focus_computation.empty()) break;
  }
  if (!found) return nullptr;
  int64_t index = -1;
  for (size_t i = 0; i < order.size(); ++i) {
    if (rows[order[i]].instruction == found) index = static_cast<int64_t>(i);
  }
  // What runs inside of a fusion or for elements has no row: its own cost, once.
  CostRow row = CostRowOf(costs, roofline, *found);
  if (index < 0) {
    row.times = 1;
    row.cost = costs.Of(*found).cost;
  }
  const CostRule& rule = costs.RuleOf(*found);
  return ObjectJson({{"index", index},
                     {"row", CostRowJson(document, costs, roofline, row)},
                     {"work", rule.work},
                     {"traffic", rule.traffic},
                     {"source", rule.source}});
}

Json SavingsJson(const Document& document, const std::vector<Saving>& savings, int64_t most,
                 const Machine& machine) {
  Json list = Json::array();
  for (const Saving& saving : savings) {
    if (static_cast<int64_t>(list.size()) >= most) break;
    const Instruction& instruction = *saving.instruction;
    list.push_back(ObjectJson({{"kind", saving.kind == Saving::Kind::kFuse ? "fuse" : "layout"},
                               {"name", instruction.name()},
                               {"shown", ShownName(document, instruction)},
                               {"computation", instruction.parent()->name()},
                               {"range", RangeJson(instruction.places().name, document.map())},
                               {"with", InstructionsJson(saving.with, document)},
                               {"bytes", saving.bytes},
                               {"seconds", saving.bytes / machine.bandwidth},
                               {"change", saving.change}}));
  }
  return list;
}

std::vector<CostRow> CostRowsOf(const CostAnalysis& costs, const Roofline& roofline) {
  std::vector<CostRow> rows;
  rows.reserve(costs.executed().size());
  for (const Instruction* each : costs.executed())
    rows.push_back(CostRowOf(costs, roofline, *each));
  return rows;
}

// By a column, the largest first unless it is to ascend; else in the order of the text.
std::vector<uint32_t> CostOrderOf(const std::vector<CostRow>& rows, const CostQuery& options) {
  for (const NamedCostColumn& column : kCostColumns) {
    if (column.name != options.by) continue;
    return StableOrder(rows.size(), [&](uint32_t a, uint32_t b) {
      const double left = column.value(rows[a]);
      const double right = column.value(rows[b]);
      return options.ascending ? left < right : left > right;
    });
  }
  if (options.by == "name") {
    return StableOrder(rows.size(), [&](uint32_t a, uint32_t b) {
      const int order = rows[a].instruction->name().compare(rows[b].instruction->name());
      return options.ascending ? order > 0 : order < 0;
    });
  }
  return StableOrder(rows.size(), [](uint32_t, uint32_t) { return false; });
}

Json MachinesJson() {
  Json list = Json::array();
  for (const Machine& machine : KnownMachines()) list.push_back(MachineJson(machine));
  return list;
}

// ---- Text ---------------------------------------------------------------------------------------

std::string ScaledText(double number, std::string_view unit) {
  constexpr std::string_view kPrefixes[] = {"", "k", "M", "G", "T", "P", "E"};
  size_t prefix = 0;
  while (number >= 1000 && prefix + 1 < std::size(kPrefixes)) {
    number /= 1000;
    ++prefix;
  }
  if (prefix == 0) return fmt::format("{:g} {}", number, unit);
  return fmt::format("{:.3g} {}{}", number, kPrefixes[prefix], unit);
}

std::string SecondsText(double seconds) {
  if (seconds <= 0) return "0 s";
  if (seconds < 1e-6) return fmt::format("{:.3g} ns", seconds * 1e9);
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} s", seconds);
}

// Only figures that there are; exact.
std::string ExactText(const Cost& cost) {
  std::string text;
  const auto add = [&](double number, std::string_view what) {
    if (number == 0) return;
    fmt::format_to(std::back_inserter(text), "{}{:.15g} {}", text.empty() ? "" : ", ", number,
                   what);
  };
  add(cost.work.flops, "flops");
  add(cost.work.transcendentals, "transcendentals");
  add(cost.traffic.read, "B read");
  add(cost.traffic.written, "B written");
  add(cost.traffic.padding, "B padding");
  return text.empty() ? "nothing" : text;
}

constexpr std::string_view kProduct =
    "ENTRY e { a = f32[512,512] parameter(0)  b = f32[512,512] parameter(1)  ROOT c = f32[512,512] "
    "dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} }";
constexpr std::string_view kSum =
    "ENTRY e { a = f32[4194304] parameter(0)  b = f32[4194304] parameter(1)  ROOT c = f32[4194304] "
    "add(a, b) }";

// The least time of a few runs.
double BestSeconds(std::string_view program) {
  constexpr int kRuns = 4;
  const auto document = std::make_shared<const Document>(std::string(program));
  RunRequest request;
  request.inputs = {"constant:1", "constant:2"};
  double best = 0;
  for (int run = 0; run < kRuns; ++run) {
    const auto record = RunDocument(document, request);
    if (!record->output || record->executed_seconds <= 0) return 0;
    if (best == 0 || record->executed_seconds < best) best = record->executed_seconds;
  }
  return best;
}

double RateOf(double amount, double seconds) { return seconds > 0 ? amount / seconds : 0; }

}  // namespace

std::shared_ptr<const CostAnalysis> CostsOf(const Document& document) {
  if (!document.ok() || !document.module()->entry()) return nullptr;
  return std::make_shared<const CostAnalysis>(*document.module(), &BuiltInTargets());
}

std::string CostJson(const Document& document, const CostAnalysis* costs,
                     std::string_view options_json) {
  const CostQuery options = ParseCostQuery(options_json);
  Json json = ObjectJson({{"ok", costs != nullptr},
                          {"diagnostics", DiagnosticsJson(document.diagnostics(), document.map())},
                          {"machine", MachineJson(options.machine)},
                          {"machines", MachinesJson()},
                          {"count", 0},
                          {"rows", Json::array()},
                          {"savings", Json::array()},
                          {"savingCount", 0},
                          {"focus", nullptr}});
  Json total = ObjectJson({{"seconds", 0}, {"unknownCalls", 0}, {"unknownLoops", 0}});
  AddFigures(costs ? costs->total() : Cost(), options.machine, &total);
  json["total"] = std::move(total);
  if (!costs) return JsonText(json);
  const Roofline roofline(*costs, options.machine);
  const std::vector<CostRow> rows = CostRowsOf(*costs, roofline);
  const std::vector<uint32_t> order = CostOrderOf(rows, options);
  json["total"]["seconds"] = roofline.total_seconds();
  json["total"]["unknownCalls"] = costs->total().unknown;
  json["total"]["unknownLoops"] = costs->unknown_loops();
  json["count"] = rows.size();
  const auto [begin, end] = options.window.Within(0, static_cast<int64_t>(order.size()));
  for (int64_t i = begin; i < end; ++i) {
    json["rows"].push_back(
        CostRowJson(document, *costs, roofline, rows[order[static_cast<size_t>(i)]]));
  }
  if (options.savings > 0) {
    const std::vector<Saving> savings = FindSavings(*costs);
    json["savings"] = SavingsJson(document, savings, options.savings, options.machine);
    json["savingCount"] = savings.size();
  }
  json["focus"] = CostFocusJson(document, *costs, roofline, options, rows, order);
  return JsonText(json);
}

std::string CostText(const Document& document, const Machine& machine) {
  constexpr size_t kMostLines = 40;
  constexpr size_t kMostSaved = 10;
  const auto costs = CostsOf(document);
  if (!costs) return "";
  const Roofline roofline(*costs, machine);
  const Cost& total = costs->total();
  std::string text;
  fmt::format_to(std::back_inserter(text),
                 "{} ({}): {}\n{}, {} transcendentals, {} read, {} written, {} padding; {:.3g} "
                 "operations per byte; at least {} (model)\n",
                 machine.name, Text(machine.from), machine.source,
                 ScaledText(total.work.flops, "FLOP"), total.work.transcendentals,
                 ScaledText(total.traffic.read, "B"), ScaledText(total.traffic.written, "B"),
                 ScaledText(total.traffic.padding, "B"), IntensityOn(machine, total),
                 SecondsText(roofline.total_seconds()));
  if (total.unknown > 0) {
    fmt::format_to(std::back_inserter(text), "without {}, whose cost is not known\n",
                   Counted(static_cast<int64_t>(total.unknown), "custom call"));
  }
  if (costs->unknown_loops() > 0) {
    fmt::format_to(std::back_inserter(text), "{} of unknown trip count, taken to run once\n",
                   Counted(costs->unknown_loops(), "loop"));
  }
  const std::vector<CostRow> rows = CostRowsOf(*costs, roofline);
  const std::vector<uint32_t> order =
      CostOrderOf(rows, {.machine = machine, .by = "time", .window = {}});
  for (size_t i = 0; i < std::min(order.size(), kMostLines); ++i) {
    const CostRow& row = rows[order[i]];
    if (row.seconds() <= 0) break;
    const std::string note = costs->NoteOn(*row.instruction);
    fmt::format_to(std::back_inserter(text), "  {:>8}  {:>5.1f}%  {:<8}{} {}, {}, {} moved{}{}\n",
                   SecondsText(row.seconds()),
                   100 * row.seconds() / std::max(roofline.total_seconds(), 1e-300),
                   Text(row.estimate.bound), ShownName(document, *row.instruction),
                   Text(row.instruction->opcode()), ScaledText(row.cost.work.operations(), "op"),
                   ScaledText(row.cost.traffic.moved(), "B"),
                   row.times == 1 ? "" : fmt::format(", {} times", row.times),
                   note.empty() ? "" : "; " + note);
  }
  const std::vector<Saving> savings = FindSavings(*costs);
  for (size_t i = 0; i < std::min(savings.size(), kMostSaved); ++i) {
    fmt::format_to(std::back_inserter(text), "{}  saves {:>8}  {}: {}\n", i == 0 ? "savings\n" : "",
                   ScaledText(savings[i].bytes, "B"), ShownName(document, *savings[i].instruction),
                   savings[i].change);
  }
  return text;
}

std::string CostLines(const Document& document) {
  const auto costs = CostsOf(document);
  if (!costs) return "";
  std::string text;
  for (const Instruction* each : costs->executed()) {
    const Cost& cost = costs->Of(*each).cost;
    const double times = costs->TimesOf(*each->parent());
    const std::string note = costs->NoteOn(*each);
    const bool is_nothing = cost.work.operations() == 0 && cost.traffic.moved() == 0;
    if (is_nothing && note.empty()) continue;
    fmt::format_to(std::back_inserter(text), "{}: {}{}{}\n", each->name(), ExactText(cost),
                   times == 1 ? "" : fmt::format("; {} times", times),
                   note.empty() ? "" : "; " + note);
  }
  fmt::format_to(std::back_inserter(text), "total: {}\n", ExactText(costs->total()));
  for (const Saving& saving : FindSavings(*costs)) {
    fmt::format_to(std::back_inserter(text), "saves {:.15g} B: {}: {}\n", saving.bytes,
                   saving.instruction->name(), saving.change);
  }
  return text;
}

Machine MeasuredMachine() {
  Machine machine{.id = "here",
                  .name = "This machine",
                  .from = FiguresFrom::kMeasured,
                  .source =
                      "Measured: the best of a few products of f32[512,512] and of a few sums "
                      "of f32[4194304] in this engine",
                  .peak = {},
                  .bandwidth = 0};
  constexpr double kSize = 512;
  constexpr double kElements = 4194304;
  machine.peak.bits32 = RateOf(2 * kSize * kSize * kSize, BestSeconds(kProduct));
  machine.bandwidth = RateOf(3 * 4 * kElements, BestSeconds(kSum));
  return machine;
}

std::string MeasureMachineJson() { return JsonText(MachineJson(MeasuredMachine())); }

}  // namespace hlo
