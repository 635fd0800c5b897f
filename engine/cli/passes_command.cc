#include "engine/cli/passes_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "engine/base/byte_count.h"
#include "engine/cli/reporting.h"
#include "engine/hlo/printer.h"
#include "engine/passes/passes.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/passes_view.h"

namespace hlo {
namespace {

constexpr size_t kMostShown = 20;  // changes of a pass

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// Pairs of equal lines, ascending in both texts. Almost every line of HLO is there once, since
// names are: the longest ascending part of those is enough.
std::vector<std::pair<size_t, size_t>> CommonLines(const std::vector<std::string>& a,
                                                   const std::vector<std::string>& b) {
  std::unordered_map<std::string, size_t> places;  // SIZE_MAX: more than one
  for (size_t i = 0; i < b.size(); ++i) {
    const auto [place, is_new] = places.emplace(b[i], i);
    if (!is_new) place->second = SIZE_MAX;
  }
  std::vector<std::pair<size_t, size_t>> pairs;
  for (size_t i = 0; i < a.size(); ++i) {
    const auto place = places.find(a[i]);
    if (place == places.end() || place->second == SIZE_MAX) continue;
    pairs.emplace_back(i, place->second);
    place->second = SIZE_MAX;
  }
  std::vector<size_t> ends, before(pairs.size(), SIZE_MAX);
  for (size_t k = 0; k < pairs.size(); ++k) {
    const auto place =
        std::lower_bound(ends.begin(), ends.end(), pairs[k].second,
                         [&](size_t end, size_t value) { return pairs[end].second < value; });
    if (place != ends.begin()) before[k] = *(place - 1);
    if (place == ends.end()) {
      ends.push_back(k);
    } else {
      *place = k;
    }
  }
  std::vector<std::pair<size_t, size_t>> common;
  for (size_t k = ends.empty() ? SIZE_MAX : ends.back(); k != SIZE_MAX; k = before[k]) {
    common.push_back(pairs[k]);
  }
  std::reverse(common.begin(), common.end());
  return common;
}

// Lines that went with `-`, lines that came with `+`; lines that stayed are left out.
void AppendDiff(const std::string& before, const std::string& after, std::string& out) {
  const std::vector<std::string> a = LinesOf(before), b = LinesOf(after);
  std::vector<std::pair<size_t, size_t>> common = CommonLines(a, b);
  common.emplace_back(a.size(), b.size());
  size_t i = 0, j = 0;
  for (const auto& [end_a, end_b] : common) {
    // Equal lines around, of those that are there more than once.
    while (i < end_a && j < end_b && a[i] == b[j]) ++i, ++j;
    size_t last_a = end_a, last_b = end_b;
    while (last_a > i && last_b > j && a[last_a - 1] == b[last_b - 1]) --last_a, --last_b;
    for (; i < last_a; ++i) fmt::format_to(std::back_inserter(out), "-{}\n", a[i]);
    for (; j < last_b; ++j) fmt::format_to(std::back_inserter(out), "+{}\n", b[j]);
    i = end_a + 1;
    j = end_b + 1;
  }
}

std::string NameOf(std::string_view name) { return name.empty() ? "-" : std::string(name); }

void AppendStep(const PassStep& step, const PassCounts& before, std::string& out) {
  const PassCounts& after = step.counts;
  auto to = std::back_inserter(out);
  fmt::format_to(
      to, "{}: {}; instructions {} -> {}, computations {} -> {}, fusions {} -> {}", step.pass->name,
      Counted(static_cast<int64_t>(step.report.changes.size()), "change"), before.instructions,
      after.instructions, before.computations, after.computations, before.fusions, after.fusions);
  fmt::format_to(to, ", traffic {} -> {} bytes, peak {} -> {} bytes\n", before.traffic_bytes,
                 after.traffic_bytes, before.peak_bytes, after.peak_bytes);
  if (!step.report.note.empty()) fmt::format_to(to, "  {}\n", step.report.note);
  const std::vector<PassChange>& changes = step.report.changes;
  for (size_t i = 0; i < std::min(kMostShown, changes.size()); ++i) {
    fmt::format_to(to, "  {} {}: {} -> {} ({})\n", Text(changes[i].kind), changes[i].computation,
                   NameOf(changes[i].before), NameOf(changes[i].after), changes[i].reason);
  }
  if (changes.size() > kMostShown) {
    fmt::format_to(to, "  and {} more\n", changes.size() - kMostShown);
  }
  const std::vector<AssignedBuffer>& buffers = step.report.buffers;
  for (size_t i = 0; i < std::min(kMostShown, buffers.size()); ++i) {
    fmt::format_to(to, "  at {}: {} bytes, {} of {} ({}), from {} to {}\n", buffers[i].offset,
                   buffers[i].bytes, buffers[i].type, buffers[i].instruction, buffers[i].shape,
                   buffers[i].begin, buffers[i].end);
  }
  if (buffers.size() > kMostShown) {
    fmt::format_to(to, "  and {} more\n", buffers.size() - kMostShown);
  }
}

// The passes that are left; nothing, with a message, where a name is wrong.
std::vector<const Pass*> Chosen(const PassesOptions& options, CommandResult& result) {
  std::vector<const Pass*> passes;
  for (const std::string& name : options.only) passes.push_back(FindPass(name));
  if (options.only.empty()) {
    for (const Pass& pass : Passes()) passes.push_back(&pass);
  }
  passes.erase(std::remove_if(passes.begin(), passes.end(),
                              [&](const Pass* pass) {
                                return std::find(options.skip.begin(), options.skip.end(),
                                                 pass->name) != options.skip.end();
                              }),
               passes.end());
  if (passes.empty()) Fail(result, kExitUsage, "no pass is left to run");
  return passes;
}

void WriteJson(const Document& document, const std::vector<const Pass*>& passes,
               CommandResult& result) {
  Json names = Json::array();
  for (const Pass* pass : passes) names.push_back(std::string(pass->name));
  result.out =
      PassesJson(document, JsonText(ObjectJson({{"passes", std::move(names)}, {"count", -1}}))) +
      "\n";
}

}  // namespace

void AddPassesOptions(CLI::App* command, PassesOptions& options) {
  std::vector<std::string> names;
  for (const Pass& pass : Passes()) names.emplace_back(pass.name);
  const CLI::IsMember known(names);
  command->add_option("--only", options.only, "These passes, in this order: a,b (default: all)")
      ->delimiter(',')
      ->check(known);
  command->add_option("--skip", options.skip, "Passes to leave out: a,b")
      ->delimiter(',')
      ->check(known);
  command->add_option("--print-after", options.print_after, "Print the program after this pass")
      ->check(known);
  command->add_flag("--diff", options.diff, "Print the lines that every pass took away and added");
}

void WritePasses(const Document& document, const PassesOptions& options, bool json,
                 CommandResult& result) {
  const std::vector<const Pass*> passes = Chosen(options, result);
  if (passes.empty()) return;
  if (json) return WriteJson(document, passes, result);
  const Module& module = *document.module();
  const std::vector<PassStep> steps = RunPasses(module, passes);
  PassCounts counts = CountProgram(module);
  std::string before = options.diff ? PrintModule(module) : "";
  bool printed = options.print_after.empty();
  for (const PassStep& step : steps) {
    if (!options.print_after.empty()) {
      if (step.pass->name != options.print_after) continue;
      result.out = PrintModule(*step.module);
      printed = true;
      continue;
    }
    AppendStep(step, counts, result.out);
    counts = step.counts;
    if (!options.diff) continue;
    std::string after = PrintModule(*step.module);
    AppendDiff(before, after, result.out);
    before = std::move(after);
  }
  if (!printed) {
    Fail(result, kExitUsage, fmt::format("{} is not among the passes", options.print_after));
  }
}

}  // namespace hlo
