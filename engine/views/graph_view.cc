#include "engine/views/graph_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "engine/base/source.h"
#include "engine/graph/dot_text.h"
#include "engine/graph/op_class.h"
#include "engine/graph/paths.h"
#include "engine/graph/precision.h"
#include "engine/graph/program_graph.h"
#include "engine/graph/search.h"
#include "engine/hlo/source_place.h"
#include "engine/ops/op_def.h"
#include "engine/plan/program_memory.h"
#include "engine/types/literal.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/names.h"

namespace hlo {
namespace {

constexpr size_t kMostFound = 100;
constexpr size_t kMostNeighbours = 100;
constexpr size_t kMostRuns = 32;  // computations of one instruction
constexpr size_t kMostOnPath = 2000;
constexpr size_t kMostDevices = 80;    // of a device list
constexpr int64_t kMostArrays = 4096;  // of a tuple whose bytes are added up

constexpr std::string_view kBoxKinds[] = {"instruction", "computation", "group"};
constexpr std::string_view kReasons[] = {"parameters", "stretch", "operands", "users"};
constexpr std::string_view kPrecisions[] = {"whole", "after", "narrowed"};

std::string OptionText(const Json& json, const char* name) {
  if (!json.is_object()) return "";
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}
int OptionNumber(const Json& json, const char* name, int otherwise) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_number_integer()) return otherwise;
  return static_cast<int>(std::clamp<int64_t>(found->get<int64_t>(), -1, 1 << 20));
}
bool OptionFlag(const Json& json, const char* name, bool otherwise) {
  const auto found = json.find(name);
  return found != json.end() && found->is_boolean() ? found->get<bool>() : otherwise;
}
const Instruction* OptionInstruction(const Document& document, const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_object()) return nullptr;
  return NamedInstruction(document, OptionText(*found, "computation"), OptionText(*found, "name"));
}

GraphOptions ReadOptions(const Document& document, const Json& json) {
  GraphOptions options;
  options.computation = document.module()->FindComputation(OptionText(json, "computation"));
  options.focus = OptionInstruction(document, json, "focus");
  options.reveals_focus = OptionFlag(json, "reveal", false);
  options.radius = OptionNumber(json, "radius", -1);
  options.folds_constants = OptionFlag(json, "fold", true);
  options.limit = OptionNumber(json, "limit", options.limit);
  const auto open = json.find("open");
  if (open == json.end() || !open->is_array()) return options;
  for (const Json& id : *open) {
    if (id.is_string()) options.open.push_back(id.get<std::string>());
  }
  return options;
}

// "model.py:12"
std::string SourceLine(const Module& module, const Instruction& instruction) {
  const std::vector<SourcePlace> places = SourcePlacesOf(instruction, module);
  if (places.empty()) return "";
  const auto& [file, line] = places.front();
  return line > 0 ? fmt::format("{}:{}", file, line) : fmt::format("{}:?", file);
}

struct Size {
  int64_t bytes = -1, padding = -1;
};
// Of all arrays in a shape; nothing where one of them, or their number, is not known.
Size BytesOfAll(const Shape& shape) {
  if (shape.leaf_count() > kMostArrays) return {};
  Size sum{0, 0};
  bool is_known = true;
  ForEachArray(shape, [&](const Shape& array) {
    const BufferSize size = SizeOfBuffer(array);
    is_known &= size.bytes >= 0 && size.unpadded_bytes >= 0 && size.bytes < INT64_MAX - sum.bytes;
    if (!is_known) return;
    sum.bytes += size.bytes;
    sum.padding += std::max<int64_t>(0, size.bytes - size.unpadded_bytes);
  });
  return is_known ? sum : Size();
}

// What the text says of the devices that hold or make it.
std::string DevicesOf(const Document& document, const Instruction& instruction) {
  for (const char* name : {"sharding", "replica_groups", "source_target_pairs"}) {
    const Attr* attr = instruction.attrs().Find(name);
    if (!attr || attr->range.end <= attr->range.begin) continue;
    std::string_view text = document.text();
    if (attr->range.end > text.size()) continue;
    text = text.substr(attr->range.begin, attr->range.end - attr->range.begin);
    std::string cut(text.substr(0, kMostDevices));
    return fmt::format("{}={}{}", name, cut, text.size() > kMostDevices ? "…" : "");
  }
  return "";
}

Json IdJson(const Document& document, const Instruction& instruction) {
  return ObjectJson({{"computation", instruction.parent()->name()},
                     {"name", instruction.name()},
                     {"shown", ShownName(document, instruction)},
                     {"opcode", Text(instruction.opcode())},
                     {"shape", ShapeSummary(instruction.shape())},
                     {"range", RangeJson(instruction.places().name, document.map())}});
}

std::string FoldedText(const FoldedOperand& folded) {
  const Instruction& value = *folded.value;
  if (value.opcode() != Opcode::kConstant) return std::string(value.name());
  constexpr int64_t kMostElements = 4;
  const ShapedLiteral* literal = value.attrs().GetLiteral("literal");
  const bool is_small = literal && value.shape().IsArray() &&
                        value.shape().element_count() <= kMostElements && !literal->literal.elided;
  if (!is_small) return ShapeName(value.shape());
  return LiteralText(literal->literal.value, value.shape(), {.hlo_spacing = false});
}

/// Makes the JSON of a picture.
class GraphWriter {
 public:
  GraphWriter(const Document& document, const GraphOptions& options)
      : document_(document),
        module_(*document.module()),
        options_(options),
        lines_(document.text()),
        graph_(module_),
        drawn_(DrawGraph(graph_, options)) {}

  void FindPaths(const Instruction* from, const Instruction* to, bool all) {
    if (!from || !to) return;
    paths_ = PathsBetween(graph_, *from, *to);
    on_path_ = all ? paths_->all : paths_->shortest;
  }

  Json Write(bool with_dot) {
    FindStates();
    Json boxes = Json::array();
    for (size_t i = 0; i < drawn_.boxes.size(); ++i) boxes.push_back(BoxJson(i));
    Json edges = Json::array();
    for (const GraphEdge& edge : drawn_.edges) edges.push_back(EdgeJson(edge));
    const Computation* top = drawn_.top;
    Json json =
        ObjectJson({{"ok", top != nullptr},
                    {"diagnostics", DiagnosticsJson(document_.diagnostics(), document_.map())},
                    {"computation", top ? top->name() : std::string_view()},
                    {"shown", top ? ShownName(document_, *top) : std::string()},
                    {"isEntry", top == module_.entry()},
                    {"instructionCount", graph_.size()},
                    {"isWhole", drawn_.is_whole},
                    {"boxes", std::move(boxes)},
                    {"edges", std::move(edges)},
                    {"focus", FocusJson()},
                    {"path", PathJson()}});
    if (with_dot) json["dot"] = DotText(drawn_);
    return json;
  }

 private:
  // Of every box, from the instructions in it.
  void FindStates() {
    const std::vector<Precision> precision = PrecisionOf(graph_);
    precision_.assign(drawn_.boxes.size(), Precision::kWhole);
    is_on_path_.assign(drawn_.boxes.size(), false);
    std::vector<bool> on_path(graph_.size());
    for (const uint32_t number : on_path_) MarkOnPath(number, &on_path);
    for (const DrawnRegion& region : drawn_.regions) {
      for (const Instruction& each : region.computation->instructions()) {
        const int box = region.box_of[static_cast<size_t>(each.index())];
        if (box < 0) continue;
        const auto i = static_cast<size_t>(box);
        const uint32_t number = graph_.NumberOf(each);
        precision_[i] = std::max(precision_[i], precision[number]);
        if (on_path[number]) is_on_path_[i] = true;
      }
    }
  }

  // An instruction, and the callers around it: they stand for it where they are closed.
  void MarkOnPath(uint32_t number, std::vector<bool>* on_path) const {
    while (!(*on_path)[number]) {
      (*on_path)[number] = true;
      const auto callers = graph_.calls().CallersOf(*graph_.At(number).parent());
      if (callers.empty()) return;
      number = graph_.NumberOf(*callers.front().instruction);
    }
  }

  Json BoxJson(size_t i) const {
    const GraphBox& box = drawn_.boxes[i];
    Json json = ObjectJson({{"id", box.id},
                            {"parent", box.parent},
                            {"kind", kBoxKinds[static_cast<size_t>(box.kind)]},
                            {"computation", box.computation->name()},
                            {"shownComputation", ShownName(document_, *box.computation)},
                            {"canOpen", box.can_open},
                            {"isOpen", box.is_open},
                            {"hasNoRoom", box.has_no_room},
                            {"count", box.count},
                            {"moreOperands", box.more_operands},
                            {"moreUsers", box.more_users},
                            {"precision", kPrecisions[static_cast<size_t>(precision_[i])]},
                            {"isOnPath", static_cast<bool>(is_on_path_[i])}});
    if (box.kind == BoxKind::kInstruction) AddInstruction(box, &json);
    if (box.kind == BoxKind::kComputation) json["role"] = box.role;
    if (box.kind == BoxKind::kGroup) AddGroup(box, &json);
    return json;
  }

  void AddInstruction(const GraphBox& box, Json* json) const {
    const Instruction& instruction = *box.instruction;
    const Range& name = instruction.places().name;
    const Size size = BytesOfAll(instruction.shape());
    Json folded = Json::array();
    for (const FoldedOperand& each : box.folded) {
      folded.push_back(ObjectJson({{"operand", each.operand}, {"text", FoldedText(each)}}));
    }
    for (JsonMember& member :
         std::vector<JsonMember>{{"name", instruction.name()},
                                 {"shown", ShownName(document_, instruction)},
                                 {"opcode", Text(instruction.opcode())},
                                 {"shape", ShapeSummary(instruction.shape())},
                                 {"opClass", Text(ClassOf(instruction))},
                                 {"bytes", size.bytes},
                                 {"paddingBytes", size.padding},
                                 {"isRoot", instruction.is_root()},
                                 {"opName", MetadataValue(instruction, "op_name")},
                                 {"source", SourceLine(module_, instruction)},
                                 {"devices", DevicesOf(document_, instruction)},
                                 {"line", name.end > name.begin ? lines_.At(name.begin).line : 0},
                                 {"range", RangeJson(name, document_.map())},
                                 {"runs", RunsJson(instruction)},
                                 {"folded", std::move(folded)}}) {
      (*json)[member.key] = std::move(member.value);
    }
  }

  // Where the text has what an instruction runs, directly and through others; of many the first.
  Json RunsJson(const Instruction& instruction) const {
    std::vector<const Computation*> found;
    const auto add = [&](const Attr&, const Computation& callee) {
      const bool is_new = std::find(found.begin(), found.end(), &callee) == found.end();
      if (is_new && found.size() < kMostRuns) found.push_back(&callee);
    };
    ForEachCallee(instruction, add);
    for (size_t i = 0; i < found.size(); ++i) {
      for (const Instruction& each : found[i]->instructions()) ForEachCallee(each, add);
    }
    Json ranges = Json::array();
    for (const Computation* each : found) {
      ranges.push_back(RangeJson(each->range(), document_.map()));
    }
    return ranges;
  }

  void AddGroup(const GraphBox& box, Json* json) const {
    const GroupFacts& group = box.group;
    (*json)["title"] = GroupTitle(box);
    (*json)["why"] = kReasons[static_cast<size_t>(group.why)];
    (*json)["opName"] = group.op_name;
    (*json)["first"] = ShownName(document_, *group.first);
    (*json)["last"] = ShownName(document_, *group.last);
    (*json)["range"] = RangeJson(group.first->places().name, document_.map());
  }

  static Json EdgeJson(const GraphEdge& edge) {
    return ObjectJson({{"from", edge.from},
                       {"to", edge.to},
                       {"kind", Text(edge.kind)},
                       {"operand", edge.operand},
                       {"count", edge.count},
                       {"shape", edge.shape ? ShapeSummary(*edge.shape) : std::string()}});
  }

  Json ListJson(size_t count, const std::vector<const Instruction*>& first) const {
    Json items = Json::array();
    for (const Instruction* each : first) items.push_back(IdJson(document_, *each));
    return ObjectJson({{"count", count}, {"items", std::move(items)}});
  }

  Json FocusJson() const {
    if (!options_.focus) return nullptr;
    const Instruction& focus = *options_.focus;
    std::vector<const Instruction*> operands, users;
    for (const Instruction* each : focus.operands()) {
      if (operands.size() < kMostNeighbours) operands.push_back(each);
    }
    const auto numbers = graph_.UsersOf(focus);
    for (const uint32_t number : numbers) {
      if (users.size() < kMostNeighbours) users.push_back(&graph_.At(number));
    }
    Json json = IdJson(document_, focus);
    json["box"] = drawn_.focus_box;
    json["operands"] = ListJson(static_cast<size_t>(focus.operand_count()), operands);
    json["users"] = ListJson(numbers.size(), users);
    return json;
  }

  Json PathJson() const {
    if (!paths_) return nullptr;
    std::vector<const Instruction*> first;
    for (const uint32_t number : on_path_) {
      if (first.size() < kMostOnPath) first.push_back(&graph_.At(number));
    }
    Json json = ListJson(on_path_.size(), first);
    json["found"] = paths_->found;
    json["reversed"] = paths_->reversed;
    return json;
  }

  const Document& document_;
  const Module& module_;
  const GraphOptions& options_;
  LineTable lines_;
  ProgramGraph graph_;
  DrawnGraph drawn_;
  std::optional<Paths> paths_;
  std::vector<uint32_t> on_path_;
  std::vector<Precision> precision_;
  std::vector<bool> is_on_path_;
};

std::string NothingJson(const Document& document) {
  return JsonText(
      ObjectJson({{"ok", false},
                  {"diagnostics", DiagnosticsJson(document.diagnostics(), document.map())},
                  {"computation", ""},
                  {"shown", ""},
                  {"isEntry", false},
                  {"instructionCount", 0},
                  {"isWhole", true},
                  {"boxes", Json::array()},
                  {"edges", Json::array()},
                  {"focus", nullptr},
                  {"path", nullptr}}));
}

}  // namespace

const Instruction* NamedInstruction(const Document& document, std::string_view computation,
                                    std::string_view name) {
  if (computation.empty()) return FindShown(document, name, computation);
  const Computation* found = document.module()->FindComputation(computation);
  return found && !name.empty() ? found->Find(name) : nullptr;
}

std::string GraphJson(const Document& document, std::string_view text) {
  // A program with faults can be looked at as far as it was read.
  if (!document.module() || document.module()->computations().empty()) return NothingJson(document);
  Json json = ParseJson(text);
  if (!json.is_object()) json = Json::object();
  const GraphOptions options = ReadOptions(document, json);
  GraphWriter writer(document, options);
  if (const auto path = json.find("path"); path != json.end() && path->is_object()) {
    writer.FindPaths(OptionInstruction(document, *path, "from"),
                     OptionInstruction(document, *path, "to"), OptionFlag(*path, "all", false));
  }
  return JsonText(writer.Write(OptionFlag(json, "dot", false)));
}

std::string GraphJson(const Document& document, const GraphOptions& options) {
  return JsonText(GraphWriter(document, options).Write(false));
}

std::string GraphSearchJson(const Document& document, std::string_view wanted) {
  Json items = Json::array();
  if (!document.module()) return JsonText(ObjectJson({{"count", 0}, {"items", std::move(items)}}));
  const Found found = FindInstructions(*document.module(), BareName(wanted), kMostFound);
  for (const Instruction* each : found.first) {
    Json item = IdJson(document, *each);
    item["opName"] = MetadataValue(*each, "op_name");
    items.push_back(std::move(item));
  }
  return JsonText(ObjectJson({{"count", found.count}, {"items", std::move(items)}}));
}

std::string GraphText(const DrawnGraph& drawn) {
  std::string text;
  std::vector<std::string> from(drawn.boxes.size());
  for (const GraphEdge& edge : drawn.edges) {
    std::string& list = from[static_cast<size_t>(edge.to)];
    list += list.empty() ? "" : ", ";
    list += drawn.boxes[static_cast<size_t>(edge.from)].id;
    if (edge.kind != GraphEdge::Kind::kData)
      fmt::format_to(std::back_inserter(list), " ({})", Text(edge.kind));
    if (edge.count > 1) fmt::format_to(std::back_inserter(list), " x{}", edge.count);
  }
  std::vector<size_t> levels(drawn.boxes.size());
  for (size_t i = 0; i < drawn.boxes.size(); ++i) {
    const GraphBox& box = drawn.boxes[i];
    levels[i] = box.parent < 0 ? 0 : levels[static_cast<size_t>(box.parent)] + 1;
    text += std::string(2 * levels[i], ' ') + box.id;
    if (box.kind == BoxKind::kGroup) text += "  " + GroupTitle(box);
    if (box.kind == BoxKind::kComputation) text += "  " + std::string(box.role);
    if (box.kind == BoxKind::kInstruction) {
      text += fmt::format("  {} {}", Text(box.instruction->opcode()),
                          ShapeSummary(box.instruction->shape()));
      for (const FoldedOperand& folded : box.folded) {
        fmt::format_to(std::back_inserter(text), "  [{}: {}]", folded.operand, FoldedText(folded));
      }
    }
    if (box.can_open && !box.is_open) {
      fmt::format_to(std::back_inserter(text), "  closed, {} inside{}", box.count,
                     box.has_no_room ? ", no room" : "");
    }
    if (box.more_operands > 0) {
      fmt::format_to(std::back_inserter(text), "  +{} operands", box.more_operands);
    }
    if (box.more_users > 0) fmt::format_to(std::back_inserter(text), "  +{} users", box.more_users);
    if (!from[i].empty()) text += "  <- " + from[i];
    text += '\n';
  }
  return text;
}

}  // namespace hlo
