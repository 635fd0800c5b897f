#include "engine/views/passes_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/hlo/printer.h"
#include "engine/passes/passes.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/list_window.h"

namespace hlo {
namespace {

constexpr int64_t kUsualChanges = 200;

Json PassTableJson() {
  Json table = Json::array();
  for (const Pass& pass : Passes()) {
    table.push_back(ObjectJson(
        {{"name", pass.name}, {"title", pass.title}, {"description", pass.description}}));
  }
  return table;
}

Json PassCountsJson(const PassCounts& counts) {
  return ObjectJson({{"instructions", counts.instructions},
                     {"computations", counts.computations},
                     {"fusions", counts.fusions},
                     {"trafficBytes", counts.traffic_bytes},
                     {"peakBytes", counts.peak_bytes}});
}

Json PassesRefused(std::string why) {
  return ObjectJson({{"ok", false},
                     {"why", std::move(why)},
                     {"table", PassTableJson()},
                     {"counts", PassCountsJson({})},
                     {"steps", Json::array()},
                     {"text", ""}});
}

Json PassChangeJson(const PassChange& change) {
  return ObjectJson({{"kind", Text(change.kind)},
                     {"computation", change.computation},
                     {"before", change.before},
                     {"after", change.after},
                     {"reason", change.reason}});
}

Json AssignedBufferJson(const AssignedBuffer& buffer) {
  return ObjectJson({{"instruction", buffer.instruction},
                     {"shape", buffer.shape},
                     {"type", buffer.type},
                     {"offset", buffer.offset},
                     {"bytes", buffer.bytes},
                     {"begin", buffer.begin},
                     {"end", buffer.end}});
}

// The items of a list in a window.
template <typename Item>
Json PassWindowJson(const std::vector<Item>& items, const ListWindow& window,
                    Json (*to_json)(const Item&)) {
  const auto [begin, end] = window.Within(0, static_cast<int64_t>(items.size()));
  Json list = Json::array();
  for (int64_t i = begin; i < end; ++i) list.push_back(to_json(items[static_cast<size_t>(i)]));
  return list;
}

Json PassStepJson(const PassStep& step, const ListWindow& window) {
  const PassReport& report = step.report;
  return ObjectJson({{"pass", step.pass->name},
                     {"changed", step.changed},
                     {"changeCount", report.changes.size()},
                     {"changes", PassWindowJson(report.changes, window, PassChangeJson)},
                     {"note", report.note},
                     {"counts", PassCountsJson(step.counts)},
                     {"buffers", PassWindowJson(report.buffers, window, AssignedBufferJson)},
                     {"bufferCount", report.buffers.size()},
                     {"bufferBytes", report.buffer_bytes}});
}

// The passes that the options name, in their order; all without names. `*why`: a name that there is
// not.
std::vector<const Pass*> PassesNamedIn(const Json& options, std::string* why) {
  std::vector<const Pass*> passes;
  const auto names = options.is_object() ? options.find("passes") : options.end();
  if (!options.is_object() || names == options.end() || !names->is_array()) {
    for (const Pass& pass : Passes()) passes.push_back(&pass);
    return passes;
  }
  constexpr size_t kMostPasses = 100;
  for (const Json& name : *names) {
    const Pass* pass = name.is_string() ? FindPass(name.get<std::string>()) : nullptr;
    if (!pass || passes.size() == kMostPasses) {
      *why = pass ? fmt::format("there are more than {} passes", kMostPasses)
                  : fmt::format("there is no pass {}", name.dump());
      return {};
    }
    passes.push_back(pass);
  }
  return passes;
}

int64_t PassOption(const Json& options, const char* name, int64_t otherwise) {
  if (!options.is_object()) return otherwise;
  const auto found = options.find(name);
  return found != options.end() && found->is_number_integer() ? found->get<int64_t>() : otherwise;
}

// All programs together that are worth keeping for another question.
constexpr int64_t kMostKept = 2'000'000;  // instructions

std::shared_ptr<const PassesView> MakePassesView(const Document& document,
                                                 std::vector<const Pass*> passes) {
  auto view = std::make_shared<PassesView>();
  view->text = document.text();
  view->before = CountProgram(*document.module());
  view->steps = RunPasses(*document.module(), passes);
  view->passes = std::move(passes);
  return view;
}

bool IsWorthKeeping(const PassesView& view) {
  int64_t instructions = 0;
  for (const PassStep& step : view.steps) instructions += step.counts.instructions;
  return !view.steps.empty() && instructions <= kMostKept;
}

}  // namespace

std::string PassesJson(const Document& document, std::string_view options,
                       std::shared_ptr<const PassesView>* kept) {
  if (!document.ok() || !document.module()->entry()) {
    return JsonText(PassesRefused("there is no program without errors"));
  }
  const Json json = ParseJson(options);
  std::string why;
  std::vector<const Pass*> passes = PassesNamedIn(json, &why);
  if (!why.empty()) return JsonText(PassesRefused(std::move(why)));
  const int64_t wanted = PassOption(json, "step", -1);
  const ListWindow window{std::max<int64_t>(0, PassOption(json, "begin", 0)),
                          PassOption(json, "count", kUsualChanges)};
  const Module& module = *document.module();
  // Sizes that inputs determine are not in the text.
  const bool may_keep = kept && !document.wants_inputs();
  std::shared_ptr<const PassesView> view = may_keep ? *kept : nullptr;
  if (!view || view->passes != passes || view->text != document.text()) {
    view = MakePassesView(document, std::move(passes));
    if (may_keep && IsWorthKeeping(*view)) *kept = view;
  }
  const std::vector<PassStep>& steps = view->steps;
  Json list = Json::array();
  for (const PassStep& step : steps) list.push_back(PassStepJson(step, window));
  std::string text;
  if (wanted == 0) text = PrintModule(module);
  if (wanted > 0 && wanted <= static_cast<int64_t>(steps.size())) {
    text = PrintModule(*steps[static_cast<size_t>(wanted) - 1].module);
  }
  return JsonText(ObjectJson({{"ok", true},
                              {"why", ""},
                              {"table", PassTableJson()},
                              {"counts", PassCountsJson(view->before)},
                              {"steps", std::move(list)},
                              {"text", std::move(text)}}));
}

}  // namespace hlo
