#include "engine/graph/drawn_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "engine/base/work_limit.h"
#include "engine/graph/drawing.h"
#include "engine/graph/neighbourhood.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

constexpr size_t kLeastRoom = GraphOptions::kLeastBoxes;
constexpr size_t kParts = kLeastRoom - 4;  // that a list is divided into for which there is no room
constexpr size_t kRoomInside = 64;         // of a box, at most
constexpr size_t kMostLevels = 100;        // of calls within calls

constexpr std::string_view kEdgeKinds[] = {"data", "async", "carried", "control"};

int CalleeCount(const Instruction& instruction) {
  int count = 0;
  ForEachCallee(instruction, [&](const Attr&, const Computation&) { ++count; });
  return count;
}

int64_t AddCapped(int64_t a, int64_t b) { return std::min(a + b, INT64_MAX / 4); }

}  // namespace

std::string_view Text(GraphEdge::Kind kind) { return kEdgeKinds[static_cast<size_t>(kind)]; }

Drawing::Drawing(const ProgramGraph& graph, const GraphOptions& options)
    : graph_(graph),
      options_(options),
      folded_(graph, options.folds_constants, options.focus),
      open_(options.open.begin(), options.open.end()),
      limit_(static_cast<size_t>(
          std::clamp<int>(options.limit, static_cast<int>(kLeastRoom), GraphOptions::kMostBoxes))),
      reveals_(options.focus && (options.reveals_focus || options.radius >= 0)) {}

void Drawing::FindWay() {
  const Module& module = graph_.module();
  drawn_.top = options_.computation ? options_.computation : module.entry();
  if (!options_.focus) return;
  std::vector<bool> seen(module.computations().size());
  std::vector<const Instruction*> way{options_.focus};
  const Computation* at = options_.focus->parent();
  // A computation that is asked for ends the way, the entry has no callers.
  while (at != drawn_.top && way.size() < kMostLevels && !seen[static_cast<size_t>(at->index())]) {
    seen[static_cast<size_t>(at->index())] = true;
    const auto callers = graph_.calls().CallersOf(*at);
    if (callers.empty()) break;
    way.push_back(callers.front().instruction);
    at = callers.front().instruction->parent();
  }
  if (at != drawn_.top && !reveals_) return;
  drawn_.top = at;
  way_ = {way.rbegin(), way.rend()};
}

void Drawing::CountInstructions() {
  // Callees come first, so that one pass is enough.
  for (const Computation& computation : graph_.module().computations()) {
    int64_t count = 0;
    for (const Instruction& instruction : computation.instructions()) {
      count = AddCapped(count, 1 + CountIn(instruction));
    }
    counts_.push_back(count);
  }
}

int64_t Drawing::CountIn(const Instruction& instruction) const {
  int64_t count = 0;
  ForEachCallee(instruction, [&](const Attr&, const Computation& callee) {
    const auto i = static_cast<size_t>(callee.index());
    if (i < counts_.size()) count = AddCapped(count, counts_[i]);
  });
  return count;
}

DrawnGraph Drawing::Draw() {
  FindWay();
  if (!drawn_.top) return std::move(drawn_);
  CountInstructions();
  AddRegion(*drawn_.top, -1, way_.empty() ? -1 : 0);
  FindFocusBox();
  AddEdges(folded_, &drawn_);
  return std::move(drawn_);
}

std::string Drawing::RegionId(const DrawnRegion& region) const {
  if (region.box < 0) return std::string(region.computation->name());
  const GraphBox& box = drawn_.boxes[static_cast<size_t>(region.box)];
  if (box.kind == BoxKind::kComputation) return box.id;
  return box.id + ":" + std::string(region.computation->name());
}

bool Drawing::IsOnWay(const DrawnRegion& region, const Instruction& instruction) const {
  return region.level >= 0 && static_cast<size_t>(region.level) < way_.size() &&
         way_[static_cast<size_t>(region.level)] == &instruction;
}

size_t Drawing::RoomInside() const {
  const size_t used = drawn_.boxes.size() + reserved_;
  const size_t left = 2 * limit_ > used ? 2 * limit_ - used : 0;
  return left < kLeastRoom ? 0 : std::min(left, kRoomInside);
}

void Drawing::AddRegion(const Computation& computation, int box, int level, int number) {
  const size_t room = box < 0 ? limit_ : RoomInside();
  const size_t region = drawn_.regions.size();
  drawn_.regions.push_back(
      {&computation, box, level, number, std::vector<int>(computation.instructions().size(), -1)});
  CountWork(computation.instructions().size());
  const bool is_on_way = level >= 0 && static_cast<size_t>(level) < way_.size();
  if (is_on_way && options_.radius >= 0) {
    FillAround(region, *way_[static_cast<size_t>(level)], room);
  } else {
    Fill(region, room);
  }
}

Drawing::List Drawing::Shown(const DrawnRegion& region) const {
  List list;
  for (const Instruction& instruction : region.computation->instructions()) {
    if (!folded_.IsFolded(instruction)) list.push_back(&instruction);
  }
  return list;
}

void Drawing::Fill(size_t region, size_t room) {
  const List list = Shown(drawn_.regions[region]);
  if (list.size() > room && drawn_.regions[region].box < 0) drawn_.is_whole = false;
  AddAll(region, list, drawn_.regions[region].box, room, RegionId(drawn_.regions[region]));
}

void Drawing::FillAround(size_t region, const Instruction& centre, size_t room) {
  const int radius = std::min(options_.radius, GraphOptions::kMostSteps);
  const std::vector<Ring> rings = RingsAround(folded_, centre, radius);
  const int parent = drawn_.regions[region].box;
  const std::string id = RegionId(drawn_.regions[region]);
  if (parent < 0) drawn_.is_whole = false;
  // The nearest have boxes of their own, as long as there is room for those and a group for each
  // of the other rings.
  List near{&centre};
  size_t groups = 0;
  while (groups < rings.size() &&
         near.size() + rings[groups].instructions.size() + rings.size() <= room + groups + 1) {
    near.insert(near.end(), rings[groups].instructions.begin(), rings[groups].instructions.end());
    ++groups;
  }
  std::sort(near.begin(), near.end(),
            [](const Instruction* a, const Instruction* b) { return a->index() < b->index(); });
  reserved_ += rings.size() - groups;
  AddEach(region, near, parent, id);
  for (size_t i = groups; i < rings.size(); ++i) {
    const Ring& ring = rings[i];
    --reserved_;
    GroupFacts facts;
    facts.why = ring.is_users ? GroupFacts::Why::kUsers : GroupFacts::Why::kOperands;
    facts.distance = ring.distance;
    AddGroup(region, ring.instructions, parent,
             id + (ring.is_users ? "/~users" : "/~operands") + std::to_string(ring.distance),
             std::move(facts));
  }
}

void Drawing::AddAll(size_t region, const List& list, int parent, size_t room,
                     const std::string& id) {
  if (list.size() > room) return AddInParts(region, list, parent, room, id);
  AddEach(region, list, parent, id);
}

// What is opened on the way leaves room for those that follow.
void Drawing::AddEach(size_t region, const List& list, int parent, const std::string& id) {
  reserved_ += list.size();
  for (const Instruction* each : list) {
    --reserved_;
    AddInstruction(region, *each, parent, id);
  }
}

// Parameters, and stretches of as many instructions each: operands come first in a computation, so
// that edges between stretches all lead down.
void Drawing::AddInParts(size_t region, const List& list, int parent, size_t room,
                         const std::string& id) {
  List parameters, others;
  for (const Instruction* each : list) {
    const bool is_parameter = each->opcode() == Opcode::kParameter;
    (is_parameter ? parameters : others).push_back(each);
  }
  if (parameters.size() > room / 4 && !others.empty()) {
    GroupFacts facts;
    facts.why = GroupFacts::Why::kParameters;
    reserved_ += kParts;
    AddGroup(region, parameters, parent, id + "/~parameters", std::move(facts));
    reserved_ -= kParts;
  } else {
    others = list;
  }
  const size_t each = (others.size() + kParts - 1) / kParts;
  reserved_ += (others.size() + each - 1) / each;
  for (size_t begin = 0; begin < others.size(); begin += each) {
    --reserved_;
    const size_t end = std::min(begin + each, others.size());
    const List part(others.begin() + static_cast<std::ptrdiff_t>(begin),
                    others.begin() + static_cast<std::ptrdiff_t>(end));
    if (part.size() == 1) {
      AddInstruction(region, *part[0], parent, id);
      continue;
    }
    AddGroup(region, part, parent,
             id + "/~" + std::to_string(part.front()->index()) + "-" +
                 std::to_string(part.back()->index()),
             {});
  }
}

void Drawing::AddGroup(size_t region, const List& list, int parent, const std::string& id,
                       GroupFacts facts) {
  GraphBox box;
  box.id = id;
  box.parent = parent;
  box.kind = BoxKind::kGroup;
  box.computation = drawn_.regions[region].computation;
  box.can_open = true;
  box.group = std::move(facts);
  for (const Instruction* each : list) box.count = AddCapped(box.count, 1 + CountIn(*each));
  DescribeGroup(list, &box.group);
  const bool holds_focus =
      reveals_ && std::any_of(list.begin(), list.end(), [&](const Instruction* each) {
        return IsOnWay(drawn_.regions[region], *each);
      });
  const bool wants_open = holds_focus || open_.contains(id);
  const size_t room = RoomInside();
  box.is_open = wants_open && room > 0;
  box.has_no_room = wants_open && room == 0;
  const bool is_open = box.is_open;
  const int number = static_cast<int>(drawn_.boxes.size());
  drawn_.boxes.push_back(std::move(box));
  if (is_open) return AddAll(region, list, number, room, id);
  for (const Instruction* each : list) {
    drawn_.regions[region].box_of[static_cast<size_t>(each->index())] = number;
  }
}

void Drawing::AddInstruction(size_t region, const Instruction& instruction, int parent,
                             const std::string& id) {
  GraphBox box;
  box.id = id + "/" + std::string(instruction.name());
  box.parent = parent;
  box.instruction = &instruction;
  box.computation = instruction.parent();
  box.count = CountIn(instruction);
  box.can_open = box.count > 0;
  const int level = drawn_.regions[region].level;
  const bool is_on_way = IsOnWay(drawn_.regions[region], instruction);
  const bool holds_focus = reveals_ && is_on_way && static_cast<size_t>(level) + 1 < way_.size();
  const bool wants_open = box.can_open && (holds_focus || open_.contains(box.id));
  box.is_open = wants_open && RoomInside() > 0;
  box.has_no_room = wants_open && !box.is_open;
  const bool is_open = box.is_open;
  const int number = static_cast<int>(drawn_.boxes.size());
  drawn_.boxes.push_back(std::move(box));
  drawn_.regions[region].box_of[static_cast<size_t>(instruction.index())] = number;
  if (is_open) OpenInstruction(number, is_on_way ? level + 1 : -1);
}

// `level`: of what is inside, on the way to the focus.
void Drawing::OpenInstruction(int number, int level) {
  const Instruction& instruction = *drawn_.boxes[static_cast<size_t>(number)].instruction;
  const bool has_one = CalleeCount(instruction) == 1;
  const Computation* next = level >= 0 && static_cast<size_t>(level) < way_.size()
                                ? way_[static_cast<size_t>(level)]->parent()
                                : nullptr;
  std::vector<std::pair<int, const Computation*>> inside;
  std::unordered_map<const Computation*, int> named;  // how often so far
  ForEachCallee(instruction, [&](const Attr& attr, const Computation& callee) {
    if (has_one) return inside.emplace_back(number, &callee), void();
    GraphBox box;
    box.id = drawn_.boxes[static_cast<size_t>(number)].id + ":" + std::string(callee.name());
    const int before = named[&callee]++;
    if (before > 0) box.id += fmt::format("~{}", before + 1);
    box.parent = number;
    box.kind = BoxKind::kComputation;
    box.instruction = &instruction;
    box.computation = &callee;
    box.role = attr.def->name;
    const auto i = static_cast<size_t>(callee.index());
    box.count = i < counts_.size() ? counts_[i] : 0;
    inside.emplace_back(static_cast<int>(drawn_.boxes.size()), &callee);
    drawn_.boxes.push_back(std::move(box));
  });
  for (size_t i = 0; i < inside.size(); ++i) {
    const auto& [box, callee] = inside[i];
    if (!has_one && RoomInside() == 0) {
      drawn_.boxes[static_cast<size_t>(box)].has_no_room = true;
      continue;
    }
    drawn_.boxes[static_cast<size_t>(box)].is_open = true;
    AddRegion(*callee, box, callee == next ? level : -1, static_cast<int>(i));
  }
}

void Drawing::FindFocusBox() {
  for (const DrawnRegion& region : drawn_.regions) {
    if (region.level < 0) continue;
    const Instruction& at = *way_[static_cast<size_t>(region.level)];
    const int box = region.box_of[static_cast<size_t>(at.index())];
    if (box >= 0) drawn_.focus_box = box;
  }
}

DrawnGraph DrawGraph(const ProgramGraph& graph, const GraphOptions& options) {
  return Drawing(graph, options).Draw();
}

}  // namespace hlo
