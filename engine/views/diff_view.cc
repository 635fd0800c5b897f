#include "engine/views/diff_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/layout/layout_sizes.h"
#include "engine/ops/op_def.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/list_window.h"
#include "engine/views/names.h"

namespace hlo {
namespace {

constexpr int64_t kMostChanges = 1000;  // in one window

Json TotalsJson(const ModuleTotals& totals) {
  return ObjectJson({{"instructions", totals.instructions},
                     {"computations", totals.computations},
                     {"fusions", totals.fusions},
                     {"peakBytes", totals.peak_bytes},
                     {"argumentBytes", totals.argument_bytes},
                     {"temporaryBytes", totals.temporary_bytes}});
}

Json SideJson(const Instruction* instruction, const Document& document) {
  if (!instruction) return nullptr;
  return ObjectJson({{"id", instruction->name()},
                     {"name", ShownName(document, *instruction)},
                     {"computation", instruction->parent()->name()},
                     {"opcode", Text(instruction->opcode())},
                     {"shape", ShapeSummary(instruction->shape())},
                     {"range", RangeJson(instruction->places().whole, document.map())}});
}

Json KindsJson(const ModuleDiff& diff) {
  Json kinds = Json::array();
  for (int i = 0; i < kDiffKinds; ++i) {
    const DiffKindRow& row = GetDiffKind(static_cast<DiffKind>(i));
    kinds.push_back(ObjectJson(
        {{"kind", row.word}, {"doc", row.doc}, {"count", diff.counts[static_cast<size_t>(i)]}}));
  }
  return kinds;
}

Json ChangeJson(const DiffView& view, const InstructionChange& change) {
  Json kinds = Json::array();
  for (DiffKind kind : change.kinds) kinds.push_back(GetDiffKind(kind).word);
  return ObjectJson({{"kinds", std::move(kinds)},
                     {"what", change.what},
                     {"before", SideJson(change.before, *view.before)},
                     {"after", SideJson(change.after, *view.after)}});
}

// Whether a list is only asked for some kinds, and which.
std::vector<bool> WantedKinds(const Json& options) {
  std::vector<bool> wanted(kDiffKinds, true);
  const auto kinds = options.is_object() ? options.find("kinds") : options.end();
  if (!options.is_object() || kinds == options.end() || !kinds->is_array()) return wanted;
  for (int i = 0; i < kDiffKinds; ++i) {
    const std::string_view word = GetDiffKind(static_cast<DiffKind>(i)).word;
    wanted[static_cast<size_t>(i)] = std::any_of(
        kinds->begin(), kinds->end(),
        [&](const Json& each) { return each.is_string() && each.get<std::string>() == word; });
  }
  return wanted;
}

bool IsWanted(const InstructionChange& change, const std::vector<bool>& wanted) {
  return std::any_of(change.kinds.begin(), change.kinds.end(),
                     [&](DiffKind kind) { return wanted[static_cast<size_t>(kind)]; });
}

void AddMarks(const DiffView& view, std::vector<uint32_t>* marks) {
  const LineTable tables[2] = {LineTable(view.before->text()), LineTable(view.after->text())};
  for (const InstructionChange& change : view.diff.changes) {
    const uint32_t kind = static_cast<uint32_t>(change.kinds[0]);
    const Instruction* const sides[2] = {change.before, change.after};
    for (uint32_t side = 0; side < 2; ++side) {
      if (!sides[side] || sides[side]->places().whole == Range{}) continue;
      const uint32_t at = sides[side]->places().whole.begin;
      marks->insert(marks->end(), {side, tables[side].At(at).line - 1, kind});
    }
  }
}

// "12, was 15" or "12"
template <typename T>
std::string Now(T before, T after) {
  return before == after ? fmt::format("{}", after) : fmt::format("{}, was {}", after, before);
}

std::string NameOf(const Instruction* instruction, const Document& document) {
  return instruction ? fmt::format("{}/{}", instruction->parent()->name(),
                                   ShownName(document, *instruction))
                     : std::string();
}

}  // namespace

DiffView MakeDiffView(std::shared_ptr<const Document> before,
                      std::shared_ptr<const Document> after) {
  DiffView view{std::move(before), std::move(after)};
  view.ok = view.before->ok() && view.after->ok();
  if (!view.ok) return view;
  view.diff = DiffModules(*view.before->module(), *view.after->module());
  view.lines = AlignLines(view.diff, view.before->text(), view.after->text());
  return view;
}

std::string DiffJson(const DiffView& view, std::string_view options, std::vector<uint32_t>* lines,
                     std::vector<uint32_t>* marks) {
  const Json json = ParseJson(options);
  const std::vector<bool> wanted = WantedKinds(json);
  ListWindow window = ParseListWindow(options);
  if (window.count < 0 || window.count > kMostChanges) window.count = kMostChanges;
  int64_t count = 0;
  Json changes = Json::array();
  for (const InstructionChange& change : view.diff.changes) {
    if (!IsWanted(change, wanted)) continue;
    const int64_t at = count++;
    if (at >= window.begin && at - window.begin < window.count) {
      changes.push_back(ChangeJson(view, change));
    }
  }
  Json header = Json::array();
  for (const std::string& each : view.diff.header) header.push_back(each);
  if (!(json.is_object() && json.contains("linesToo") && json["linesToo"] == false)) {
    for (const auto& [before, after] : view.lines) lines->insert(lines->end(), {before, after});
    AddMarks(view, marks);
  }
  return JsonText(ObjectJson(
      {{"ok", view.ok},
       {"beforeDiagnostics", DiagnosticsJson(view.before->diagnostics(), view.before->map())},
       {"afterDiagnostics", DiagnosticsJson(view.after->diagnostics(), view.after->map())},
       {"before", TotalsJson(view.diff.before)},
       {"after", TotalsJson(view.diff.after)},
       {"kinds", KindsJson(view.diff)},
       {"unchanged", view.diff.unchanged},
       {"header", std::move(header)},
       {"changeCount", count},
       {"changes", std::move(changes)}}));
}

std::string DiffText(const DiffView& view) {
  const ModuleTotals& was = view.diff.before;
  const ModuleTotals& now = view.diff.after;
  std::string out;
  auto add = std::back_inserter(out);
  fmt::format_to(add, "instructions  {}\ncomputations  {}\nfusions       {}\npeak memory   {}\n",
                 Now(was.instructions, now.instructions), Now(was.computations, now.computations),
                 Now(was.fusions, now.fusions),
                 Now(BytesText(was.peak_bytes), BytesText(now.peak_bytes)));
  fmt::format_to(add, "unchanged     {}\n", view.diff.unchanged);
  for (int i = 0; i < kDiffKinds; ++i) {
    const int64_t count = view.diff.counts[static_cast<size_t>(i)];
    if (count == 0) continue;
    fmt::format_to(add, "{:<13} {}\n", GetDiffKind(static_cast<DiffKind>(i)).word, count);
  }
  for (const std::string& each : view.diff.header) fmt::format_to(add, "header: {}\n", each);
  if (!view.diff.changes.empty()) out.push_back('\n');
  for (const InstructionChange& change : view.diff.changes) {
    std::vector<std::string_view> words;
    for (DiffKind kind : change.kinds) words.push_back(GetDiffKind(kind).word);
    const std::string name =
        change.after ? NameOf(change.after, *view.after) : NameOf(change.before, *view.before);
    fmt::format_to(add, "{}: {}", fmt::join(words, ", "), name);
    if (!change.what.empty()) fmt::format_to(add, ": {}", change.what);
    out.push_back('\n');
  }
  return out;
}

}  // namespace hlo
