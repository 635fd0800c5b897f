#include "engine/views/place_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "engine/base/byte_count.h"
#include "engine/hlo/call_graph.h"
#include "engine/layout/layout_map.h"
#include "engine/layout/layout_sizes.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/layout_terms.h"
#include "engine/views/layout_view.h"
#include "engine/views/names.h"
#include "engine/views/ops_view.h"

namespace hlo {
namespace {

bool Contains(Range range, uint32_t offset) {
  return range.begin < range.end && range.begin <= offset && offset <= range.end;
}

// The innermost computation around an offset: computations may be written inside instructions.
const Computation* ComputationAt(const Module& module, uint32_t offset) {
  const Computation* best = nullptr;
  for (const Computation& computation : module.computations()) {
    const Range range = computation.range();
    if (!Contains(range, offset)) continue;
    if (!best || range.end - range.begin < best->range().end - best->range().begin) {
      best = &computation;
    }
  }
  return best;
}

const Instruction* InstructionAt(const Computation& computation, uint32_t offset) {
  const Instruction* best = nullptr;
  for (const Instruction& instruction : computation.instructions()) {
    const Range range = instruction.places().whole;
    if (!Contains(range, offset)) continue;
    // Instructions written as operands are nested in others. Of those that one operation of
    // StableHLO became, the text names its result.
    const bool is_nested = !best || range.begin > best->places().whole.begin;
    const bool is_named = best && range.begin == best->places().whole.begin &&
                          best->places().name == best->places().opcode;
    if (is_nested || is_named) best = &instruction;
  }
  return best;
}

std::string OperandsText(const OpDef& def) {
  return def.operands.empty() ? "" : fmt::format("({})", fmt::join(def.operands, ", "));
}

void AddOpLines(const Instruction& instruction, PlaceView& view) {
  const OpDef& def = instruction.def();
  view.title = fmt::format("{}{}", Text(instruction.opcode()), OperandsText(def));
  view.lines.emplace_back(def.doc);
  if (!def.types.empty()) view.lines.push_back(fmt::format("Types: {}.", def.types));
  if (!IsEvaluated(instruction.opcode())) {
    view.lines.emplace_back("It is parsed, verified and printed here, but not run yet.");
  }
  if (!def.differs.empty()) view.lines.emplace_back(def.differs);
  if (!def.source.empty()) view.lines.push_back(fmt::format("Source: {}.", def.source));
}

void AddUsesOf(const Instruction& definition, PlaceView& view) {
  view.definition = definition.places().name;
  for (const Instruction& user : definition.parent()->instructions()) {
    const auto& places = user.places().operands;
    for (size_t i = 0; i < user.operands().size() && i < places.size(); ++i) {
      if (user.operands()[i] == &definition) view.uses.push_back(places[i]);
    }
  }
}

void AddValueLines(const Instruction& instruction, PlaceView& view) {
  view.title = fmt::format("{} = {} {}", instruction.name(), ShapeSummary(instruction.shape()),
                           Text(instruction.opcode()));
  for (std::string& line : ShapeLines(instruction.shape())) view.lines.push_back(std::move(line));
}

// Calls visit(computation, range of its name) for every computation that an attribute names.
void AddUsesOf(const Computation& computation, PlaceView& view) {
  view.definition = computation.name_range();
  for (const Computation& caller : computation.parent()->computations()) {
    for (const Instruction& instruction : caller.instructions()) {
      for (const Attr& attr : instruction.attrs()) {
        ForEachCallee(attr, [&](const Attr&, const Computation& region) {
          if (&region == &computation) view.uses.push_back(attr.range);
        });
      }
    }
  }
}

std::string SignatureText(const Computation& computation) {
  std::string text(computation.name());
  text += "(";
  for (int i = 0; i < computation.parameter_count(); ++i) {
    if (i > 0) text += ", ";
    text += ShapeName(computation.parameter_shape(i));
  }
  return text + ") -> " + ShapeName(computation.result_shape());
}

void DescribeComputation(const Computation& computation, Range range, PlaceView& view) {
  view.kind = "computation";
  view.range = range;
  view.computation = computation.name();
  view.title = SignatureText(computation);
  view.lines.push_back(
      Counted(static_cast<int64_t>(computation.instructions().size()), "instruction"));
  AddUsesOf(computation, view);
}

bool DescribeAttribute(const Instruction& instruction, uint32_t offset, PlaceView& view) {
  for (const Attr& attr : instruction.attrs()) {
    const bool at_name = Contains(attr.name_range, offset);
    if (!attr.def || (!at_name && !Contains(attr.range, offset))) continue;
    view.kind = "attribute";
    view.range = at_name ? attr.name_range : attr.range;
    view.title = fmt::format("{}={}", attr.def->name, AttrSyntax(attr.def->kind));
    view.lines.emplace_back(attr.def->doc);
    if (!attr.def->words.empty()) {
      view.lines.push_back(fmt::format("One of: {}.", fmt::join(attr.def->words, ", ")));
    }
    if (at_name) return true;
    ForEachCallee(attr, [&](const Attr&, const Computation& region) {
      if (!std::holds_alternative<const Region*>(attr.value)) return;
      view.lines.clear();
      const std::string computation = view.computation;
      DescribeComputation(region, attr.range, view);
      view.computation = computation;
    });
    return true;
  }
  return false;
}

void DescribeInstruction(const Instruction& instruction, uint32_t offset, PlaceView& view) {
  const Instruction::Places& places = instruction.places();
  view.instruction = instruction.name();
  view.opcode = Text(instruction.opcode());
  view.shape = ShapeSummary(instruction.shape());
  if (Contains(places.name, offset)) {
    view.kind = "instruction";
    view.range = places.name;
    AddValueLines(instruction, view);
    AddUsesOf(instruction, view);
    return;
  }
  if (Contains(places.shape, offset)) {
    view.kind = "shape";
    view.range = places.shape;
    view.title = view.shape;
    view.lines = ShapeLines(instruction.shape());
    return;
  }
  for (size_t i = 0; i < places.operands.size() && i < instruction.operands().size(); ++i) {
    const Instruction* operand = instruction.operands()[i];
    if (!operand || !Contains(places.operands[i], offset)) continue;
    view.kind = "operand";
    view.range = places.operands[i];
    view.instruction = operand->name();
    view.opcode = Text(operand->opcode());
    view.shape = ShapeSummary(operand->shape());
    AddValueLines(*operand, view);
    AddUsesOf(*operand, view);
    return;
  }
  if (Contains(places.opcode, offset)) {
    view.kind = "opcode";
    view.range = places.opcode;
    AddOpLines(instruction, view);
    return;
  }
  if (DescribeAttribute(instruction, offset, view)) return;
  view.kind = "instruction";
  view.range = places.whole;
  AddValueLines(instruction, view);
  AddUsesOf(instruction, view);
}

void DescribeInModule(const Module& module, uint32_t offset, PlaceView& view) {
  const Computation* computation = ComputationAt(module, offset);
  if (!computation) return;
  view.computation = computation->name();
  if (const Instruction* instruction = InstructionAt(*computation, offset)) {
    DescribeInstruction(*instruction, offset, view);
  } else if (Contains(computation->name_range(), offset)) {
    DescribeComputation(*computation, computation->name_range(), view);
  }
}

// For a text that is a layout, the subject is the text itself, valid or not: the layout view
// reports its errors.
PlaceView DescribeLayout(const Document& document) {
  PlaceView view;
  view.kind = "shape";
  view.range = {0, static_cast<uint32_t>(document.text().size())};
  const LayoutView layout = MakeLayoutView(document.text());
  view.shape = layout.map ? layout.subject : document.text();
  view.title = view.shape;
  const bool is_shape = layout.notation->head == LayoutNotation::Head::kShape;
  if (layout.map && is_shape) view.lines = ShapeLines(layout.shape);
  return view;
}

constexpr std::ptrdiff_t kMatrix = 2;

// Dimensions in which an array has more than one element, up to two: of a row and of a matrix there
// is something to see.
std::ptrdiff_t Extent(const Shape& shape) {
  const Dims& dims = shape.dims();
  const auto is_long = [](int64_t size) { return size > 1; };
  return std::min<std::ptrdiff_t>(std::count_if(dims.begin(), dims.end(), is_long), kMatrix);
}

// The first matrix, else the first row of elements, else the first array.
const Instruction* FirstArray(const Computation& computation) {
  const Instruction* found = nullptr;
  for (const Instruction& instruction : computation.instructions()) {
    if (!instruction.shape().IsArray()) continue;
    if (!found || Extent(instruction.shape()) > Extent(found->shape())) found = &instruction;
    if (Extent(found->shape()) == kMatrix) break;
  }
  return found;
}

// The array shown for a place between instructions, so that the layout view does not jump: that of
// the last instruction that begins before it; above them all FirstArray of the entry
// computation, since in a long program the computations of reductions, on numbers, come first.
const Instruction* NearestArray(const Module& module, uint32_t offset) {
  const Instruction* before = nullptr;
  const Instruction* first = module.entry() ? FirstArray(*module.entry()) : nullptr;
  for (const Computation& computation : module.computations()) {
    if (!first) first = FirstArray(computation);
    for (const Instruction& instruction : computation.instructions()) {
      if (!instruction.shape().IsArray()) continue;
      const uint32_t begin = instruction.places().whole.begin;
      if (begin <= offset && (!before || begin >= before->places().whole.begin)) {
        before = &instruction;
      }
    }
  }
  return before ? before : first;
}

// A place in the blanks that a line begins with is that of the first word behind them.
uint32_t BehindIndentation(std::string_view text, uint32_t place) {
  constexpr std::string_view kBlanks = " \t";
  const size_t before = text.substr(0, place).find_last_not_of(kBlanks);
  if (before != text.npos && text[before] != '\n') return place;
  const size_t word = text.find_first_not_of(kBlanks, place);
  const bool is_blank = word == text.npos || text[word] == '\n' || text[word] == '\r';
  return is_blank ? place : static_cast<uint32_t>(word);
}

}  // namespace

std::vector<std::string> ShapeLines(const Shape& shape) {
  std::vector<std::string> lines;
  if (shape.IsTuple()) {
    lines.push_back(fmt::format("A tuple of {}, {} in all.", shape.elements().size(),
                                BytesText(shape.stored_bytes())));
    return lines;
  }
  if (!shape.IsArray()) return lines;
  Diagnostics faults;
  const auto map =
      MakeLayoutMap(shape.dims(), 8 * BytesOf(shape.element_type()), shape.layout(), {}, faults);
  if (!map) {
    for (const Diagnostic& fault : faults.list()) lines.push_back(fault.message);
    return lines;
  }
  const PaddingReport padding = ReportPadding(*map);
  lines.push_back(fmt::format("{}, {} in memory: {}.", Counted(map->element_count(), "element"),
                              BytesText(map->byte_size()), padding.text));
  for (const PaddingCause& cause : padding.causes) lines.push_back(cause.text + ".");
  for (std::string& line : TermLines(LayoutTerms(shape, true))) lines.push_back(std::move(line));
  return lines;
}

PlaceView MakePlaceView(const Document& document, uint32_t place) {
  if (document.kind() == TextKind::kLayout) return DescribeLayout(document);
  PlaceView view;
  const uint32_t offset = BehindIndentation(document.text(), place);
  if (document.module()) DescribeInModule(*document.module(), offset, view);
  if (document.language().add_place) document.language().add_place(document, offset, view);
  if (document.module() && view.shape.empty()) {
    const Instruction* nearest = NearestArray(*document.module(), offset);
    if (nearest) view.shape = ShapeText(nearest->shape());
  }
  return view;
}

std::string DefinitionJson(const Document& document, std::string_view name,
                           std::string_view computation) {
  const Instruction* found = FindShown(document, name, computation);
  if (!found) return "null";
  return JsonText(ObjectJson({{"range", RangeJson(found->places().name, document.map())},
                              {"name", found->name()},
                              {"computation", found->parent()->name()}}));
}

std::string RenameJson(const Document& document, uint32_t offset, std::string_view name,
                       std::vector<uint32_t>* ranges) {
  const TextMap& map = document.map();
  PlaceView view = MakePlaceView(document, map.ToBytes(offset));
  if (view.definition) view.uses.push_back(*view.definition);
  if (view.uses.empty()) return "null";
  const std::string_view sigil =
      SigilAt(document.text(), view.definition ? *view.definition : view.uses.front());
  // A value may be an operand of an instruction twice, and what defines it one of its uses.
  std::set<uint32_t> begins;
  for (Range use : view.uses) {
    if (!begins.insert(use.begin).second) continue;
    ranges->push_back(map.ToUnits(use.begin));
    ranges->push_back(map.ToUnits(use.end));
  }
  std::string text(name.starts_with(sigil) ? "" : sigil);
  text += name;
  return JsonText(ObjectJson({{"text", std::move(text)}}));
}

// The first use behind a place, or else the first of all: a value may be used by every instruction
// of a long program, and a front end goes from one use to the next.
Json NextUseJson(const PlaceView& view, uint32_t place, const TextMap& map) {
  if (view.uses.empty()) return nullptr;
  auto next = std::find_if(view.uses.begin(), view.uses.end(),
                           [&](Range use) { return use.begin > place; });
  if (next == view.uses.end()) next = view.uses.begin();
  return ObjectJson({{"number", next - view.uses.begin()}, {"range", RangeJson(*next, map)}});
}

std::string PlaceJson(const Document& document, uint32_t offset) {
  const TextMap& map = document.map();
  const uint32_t place = map.ToBytes(offset);
  const PlaceView view = MakePlaceView(document, place);
  return JsonText(ObjectJson(
      {{"kind", view.kind},
       {"range", RangeJson(view.range, map)},
       {"instruction", view.instruction},
       {"computation", view.computation},
       {"opcode", view.opcode},
       {"shape", view.shape},
       {"title", view.title},
       {"lines", view.lines},
       {"definition", view.definition ? RangeJson(*view.definition, map) : Json(nullptr)},
       {"uses", view.uses.size()},
       {"nextUse", NextUseJson(view, place, map)}}));
}

}  // namespace hlo
