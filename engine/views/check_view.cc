#include "engine/views/check_view.h"

#include <utility>

#include "engine/base/work_limit.h"
#include "engine/hlo/call_graph.h"
#include "engine/hlo/parser.h"
#include "engine/hlo/printer.h"
#include "engine/run/executor.h"
#include "engine/views/comments.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/names.h"

namespace hlo {
namespace {

// The attributes that are in the text, with the computations that they name.
Json AttributesJson(const Instruction& instruction, const TextMap& map) {
  Json attributes = Json::array();
  for (const Attr& attr : instruction.attrs()) {
    if (!attr.def || attr.range.begin >= attr.range.end) continue;
    Json calls = Json::array();
    ForEachCallee(
        attr, [&calls](const Attr&, const Computation& callee) { calls.push_back(callee.name()); });
    attributes.push_back(ObjectJson({{"name", attr.def->name},
                                     {"range", RangeJson(attr.range, map)},
                                     {"calls", std::move(calls)}}));
  }
  return attributes;
}

// Shorter than elsewhere, since there is one for every instruction.
std::string OutlineShape(const Shape& shape) {
  constexpr size_t kLongest = 1000;
  std::string text = ShapeSummary(shape);
  if (text.size() <= kLongest) return text;
  return text.substr(0, std::min(text.rfind(',', kLongest), kLongest)) + ",...)";
}

Json InstructionJson(const Document& document, const Instruction& instruction) {
  constexpr uint64_t kJsonBytes = 2000;  // of the objects and lists below
  CountBytes(kJsonBytes + 2 * instruction.name().size() + 100 * instruction.operands().size());
  Json operands = Json::array();
  for (const Instruction* operand : instruction.operands()) {
    if (operand) operands.push_back(operand->index());
  }
  const Instruction::Places& places = instruction.places();
  const TextMap& map = document.map();
  return ObjectJson({{"name", instruction.name()},
                     {"shown", ShownName(document, instruction)},
                     {"opcode", Text(instruction.opcode())},
                     {"shape", OutlineShape(instruction.shape())},
                     {"range", RangeJson(places.whole, map)},
                     {"nameRange", RangeJson(places.name, map)},
                     {"shapeRange", RangeJson(places.shape, map)},
                     {"operands", std::move(operands)},
                     {"attributes", AttributesJson(instruction, map)},
                     {"root", instruction.is_root()}});
}

void AddModuleFacts(const Module* module, CheckView& view) {
  if (!module) return;
  view.module_name = module->name();
  view.computation_count = module->computations().size();
  for (const Computation& computation : module->computations()) {
    view.instruction_count += computation.instructions().size();
  }
  view.elided = !ElidedConstants(*module).empty();
  view.replica_count = module->replica_count();
  view.num_partitions = module->num_partitions();
  const Computation* entry = module->entry();
  if (!entry) return;
  for (const Instruction* parameter : entry->parameters()) {
    if (!parameter) continue;
    view.parameters.push_back({std::string(parameter->name()), ShapeSummary(parameter->shape()),
                               parameter->places().name, ""});
  }
  if (entry->root()) view.result = ShapeSummary(entry->root()->shape());
}

// [kind, begin, end], offsets in UTF-16 code units.
template <typename Part>
std::vector<uint32_t> Triples(std::string_view text, const std::vector<Part>& parts) {
  const TextMap map(text);
  std::vector<uint32_t> flat;
  flat.reserve(3 * parts.size());
  for (const Part& part : parts) {
    flat.push_back(static_cast<uint32_t>(part.kind));
    flat.push_back(map.ToUnits(part.range.begin));
    flat.push_back(map.ToUnits(part.range.end));
  }
  return flat;
}

}  // namespace

CheckView MakeCheckView(const Document& document) {
  CheckView view;
  view.kind = document.kind();
  view.ok = document.ok();
  view.wants_inputs = document.wants_inputs();
  AddModuleFacts(document.module(), view);
  // Parameters with unknown sizes are listed even without a module, so that the sizes can be given.
  const auto& written = document.written_arguments();
  if (!view.wants_inputs || view.parameters.size() > written.size()) return view;
  const bool complete = view.parameters.size() == written.size();
  if (!complete) view.parameters.clear();
  for (size_t i = 0; i < written.size(); ++i) {
    if (!complete) view.parameters.push_back({written[i].name, "", written[i].range, ""});
    if (written[i].is_dynamic || !complete) view.parameters[i].open_type = written[i].type;
  }
  return view;
}

// A front end has fields for so many at most; the inputs of others are its defaults.
constexpr size_t kMostParameters = 1000;

std::string CheckJson(const Document& document) {
  const CheckView view = MakeCheckView(document);
  Json parameters = Json::array();
  for (const ParameterView& parameter : view.parameters) {
    if (parameters.size() == kMostParameters) break;
    parameters.push_back(ObjectJson({{"name", parameter.name},
                                     {"shape", parameter.shape},
                                     {"range", RangeJson(parameter.range, document.map())},
                                     {"openType", parameter.open_type}}));
  }
  return JsonText(
      ObjectJson({{"kind", TextKindName(view.kind)},
                  {"ok", view.ok},
                  {"diagnostics", DiagnosticsJson(document.diagnostics(), document.map())},
                  {"module", view.module_name},
                  {"parameters", std::move(parameters)},
                  {"parameterCount", view.parameters.size()},
                  {"wantsInputs", view.wants_inputs},
                  {"elided", view.elided},
                  {"result", view.result},
                  {"instructionCount", view.instruction_count},
                  {"computationCount", view.computation_count},
                  {"replicaCount", view.replica_count},
                  {"numPartitions", view.num_partitions}}));
}

std::string OutlineJson(const Document& document, const ListWindow& window) {
  Json computations = Json::array();
  const Module* module = document.module();
  if (!module) return JsonText(computations);
  int64_t first = 0;  // index of the computation's first instruction in the module
  for (const Computation& computation : module->computations()) {
    const auto& list = computation.instructions();
    const auto size = static_cast<int64_t>(list.size());
    const auto [begin, end] = window.Within(first, size);
    first += size;
    if (begin == end && size > 0) continue;
    Json instructions = Json::array();
    for (int64_t i = begin; i < end; ++i) {
      instructions.push_back(InstructionJson(document, list[static_cast<size_t>(i)]));
    }
    computations.push_back(
        ObjectJson({{"name", computation.name()},
                    {"shown", ShownName(document, computation)},
                    {"entry", &computation == module->entry()},
                    {"range", RangeJson(computation.range(), document.map())},
                    {"nameRange", RangeJson(computation.name_range(), document.map())},
                    {"instructions", std::move(instructions)}}));
  }
  return JsonText(computations);
}

std::vector<uint32_t> TokensView(std::string_view text, Languages languages) {
  return Triples(text, LanguageOf(text, languages).tokens(text));
}

std::vector<uint32_t> FoldsView(std::string_view text, Languages languages) {
  const auto folds = LanguageOf(text, languages).folds;
  return folds ? Triples(text, folds(text)) : std::vector<uint32_t>();
}

std::string FormatText(const Document& document) {
  const auto format = document.language().format;
  return format ? format(document) : document.text();
}

std::string FormatHlo(const Document& document) {
  if (!document.ok()) return document.text();
  std::vector<PrintedPlace> places;
  const std::string printed = PrintModule(*document.module(), {}, &places);
  return WithComments(document.text(), printed, std::move(places));
}

}  // namespace hlo
