#include "engine/views/rewrite_view.h"

#include <utility>
#include <vector>

#include "engine/rewrite/isolate.h"
#include "engine/rewrite/shrink.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/names.h"

namespace hlo {
namespace {

int64_t IntegerOr(const Json& json, const char* name, int64_t otherwise) {
  const auto found = json.find(name);
  return found != json.end() && found->is_number_integer() ? found->get<int64_t>() : otherwise;
}

std::string TextOr(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

Json RefusedJson(std::string_view why) {
  return ObjectJson({{"ok", false}, {"text", ""}, {"why", why}});
}

// Those whose text a range touches, all of the computation of the first one.
std::vector<const Instruction*> InRange(const Document& document, const Json& range) {
  std::vector<const Instruction*> found;
  if (!range.is_array() || range.size() != 2 || !range[0].is_number() || !range[1].is_number()) {
    return found;
  }
  const uint32_t begin = document.map().ToBytes(range[0].get<uint32_t>());
  const uint32_t end = document.map().ToBytes(range[1].get<uint32_t>());
  for (const Computation& computation : document.module()->computations()) {
    for (const Instruction& instruction : computation.instructions()) {
      const Range& whole = instruction.places().whole;
      if (whole.end == 0 || whole.end < begin || whole.begin > end) continue;
      if (found.empty() || found[0]->parent() == &computation) found.push_back(&instruction);
    }
  }
  return found;
}

// The instructions that the options name; nothing when one of them is not there.
std::vector<const Instruction*> NamedIn(const Document& document, const Json& options) {
  if (const auto range = options.find("range"); range != options.end()) {
    return InRange(document, *range);
  }
  const Module& module = *document.module();
  const Computation* computation = module.FindComputation(TextOr(options, "computation"));
  if (!computation) computation = module.entry();
  std::vector<const Instruction*> named;
  const auto names = options.find("names");
  if (names == options.end() || !names->is_array()) return named;
  for (const Json& name : *names) {
    if (!name.is_string()) return {};
    const Instruction* found = FindShown(document, name.get<std::string>(), computation->name());
    if (!found || found->parent() != computation) return {};
    named.push_back(found);
  }
  return named;
}

}  // namespace

std::string ShrinkJson(const Document& document, std::string_view options) {
  if (!document.ok() || !document.module()->entry()) {
    return JsonText(RefusedJson("there is no program without errors to shrink"));
  }
  ShrinkTarget target;
  const Json json = ParseJson(options);
  if (json.is_object()) target.peak_bytes = IntegerOr(json, "peakBytes", target.peak_bytes);
  const Shrunk shrunk = Shrink(*document.module(), target);
  Json sizes = Json::array();
  for (const auto& [from, to] : shrunk.changes) {
    sizes.push_back(ObjectJson({{"from", from}, {"to", to}}));
  }
  return JsonText(ObjectJson({{"ok", !shrunk.text.empty()},
                              {"text", shrunk.text},
                              {"why", shrunk.why},
                              {"fits", shrunk.fits},
                              {"peakBytes", shrunk.peak_bytes},
                              {"constants", shrunk.constants},
                              {"sizes", std::move(sizes)}}));
}

std::string IsolateJson(const Document& document, std::string_view options) {
  if (!document.ok() || !document.module()->entry()) {
    return JsonText(RefusedJson("there is no program without errors to take a part of"));
  }
  const Json json = ParseJson(options);
  const bool with_all = json.is_object() && TextOr(json, "extent") == "dependencies";
  const Isolated isolated =
      Isolate(json.is_object() ? NamedIn(document, json) : std::vector<const Instruction*>(),
              with_all ? IsolateExtent::kSlice : IsolateExtent::kPart);
  if (isolated.text.empty()) return JsonText(RefusedJson(isolated.why));
  Json parameters = Json::array();
  for (const Instruction* parameter : isolated.parameters) {
    const bool is_input = parameter->opcode() == Opcode::kParameter &&
                          parameter->parent() == document.module()->entry();
    parameters.push_back(
        ObjectJson({{"name", parameter->name()},
                    {"computation", parameter->parent()->name()},
                    {"input", is_input ? parameter->attrs().Int("number") : int64_t{-1}}}));
  }
  return JsonText(ObjectJson(
      {{"ok", true}, {"text", isolated.text}, {"why", ""}, {"parameters", std::move(parameters)}}));
}

}  // namespace hlo
