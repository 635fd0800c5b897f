// The edges of a picture.
#include <algorithm>
#include <unordered_map>

#include "engine/base/work_limit.h"
#include "engine/graph/drawing.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

constexpr size_t kMostFolded = 8;  // of one box

class EdgeAdder {
 public:
  EdgeAdder(const FoldedValues& folded, DrawnGraph* drawn)
      : folded_(folded), drawn_(*drawn), inside_(drawn->boxes.size()) {
    for (const DrawnRegion& region : drawn->regions) {
      const int box = region.box;
      if (box < 0) continue;
      inside_[static_cast<size_t>(box)].push_back(&region);
      // The computations of an instruction that runs several are in boxes of their own.
      const GraphBox& holder = drawn_.boxes[static_cast<size_t>(box)];
      if (holder.kind == BoxKind::kComputation) {
        inside_[static_cast<size_t>(holder.parent)].push_back(&region);
      }
    }
  }

  void Add() {
    for (const DrawnRegion& region : drawn_.regions) {
      for (const Instruction& user : region.computation->instructions()) AddOperands(region, user);
    }
    for (size_t i = 0; i < drawn_.boxes.size(); ++i) AddCarried(static_cast<int>(i));
  }

 private:
  static int BoxOf(const DrawnRegion& region, const Instruction& instruction) {
    return region.box_of[static_cast<size_t>(instruction.index())];
  }
  GraphBox& Box(int number) { return drawn_.boxes[static_cast<size_t>(number)]; }

  void AddOperands(const DrawnRegion& region, const Instruction& user) {
    const int target = BoxOf(region, user);
    CountWork(1 + static_cast<uint64_t>(user.operand_count()));
    if (target < 0) return AddMissingUsers(region, user);
    for (int i = 0; i < user.operand_count(); ++i) {
      const Instruction& operand = folded_.Behind(*user.operand(i));
      if (folded_.IsFolded(operand) || &operand != user.operand(i)) {
        Fold(target, user, {i, &operand});
      }
      if (folded_.IsFolded(operand)) continue;
      const int source = BoxOf(region, operand);
      if (source < 0) {
        ++Box(target).more_operands;
        continue;
      }
      const bool is_async =
          user.def().buffers == ResultBuffers::kStarted || operand.def().done == user.opcode();
      const auto kind = is_async && i == 0 ? GraphEdge::Kind::kAsync : GraphEdge::Kind::kData;
      AddInto(ResultOf(source), target, user, i, kind);
    }
    AddControl(region, user, target);
  }

  void AddMissingUsers(const DrawnRegion& region, const Instruction& user) {
    if (folded_.IsFolded(user)) return;
    folded_.ForEachOperand(user, [&](const Instruction& operand, int) {
      const int source = BoxOf(region, operand);
      if (source >= 0) ++Box(source).more_users;
    });
  }

  void AddControl(const DrawnRegion& region, const Instruction& user, int target) {
    for (const uint32_t before : user.attrs().Instructions("control-predecessors")) {
      if (before >= region.box_of.size()) continue;
      const int source = region.box_of[before];
      if (source >= 0) AddEdge(source, target, {.kind = GraphEdge::Kind::kControl});
    }
  }

  void Fold(int target, const Instruction& user, FoldedOperand folded) {
    GraphBox& box = Box(target);
    if (box.instruction == &user && box.folded.size() < kMostFolded) box.folded.push_back(folded);
  }

  // The box that an instruction's value comes from: of one that is open, and runs one computation,
  // that of the root.
  int ResultOf(int box) {
    for (;;) {
      const GraphBox& each = Box(box);
      const auto& inside = inside_[static_cast<size_t>(box)];
      if (each.kind != BoxKind::kInstruction || inside.size() != 1) return box;
      if (each.instruction->def().runs == Runs::kOtherwise) return box;
      const Instruction* root = inside[0]->computation->root();
      const int inner = root ? BoxOf(*inside[0], *root) : -1;
      if (inner < 0) return box;
      box = inner;
    }
  }

  // The parameter of a computation of `user` that gets an operand; null: none.
  static const Instruction* ParameterFor(const DrawnRegion& region, const Instruction& user,
                                         int operand) {
    int number = operand;
    if (user.def().runs == Runs::kWhile) number = 0;
    if (user.def().runs == Runs::kChosen) number = operand == region.number + 1 ? 0 : -1;
    const auto& parameters = region.computation->parameters();
    const bool is_there = number >= 0 && number < static_cast<int>(parameters.size());
    return is_there ? parameters[static_cast<size_t>(number)] : nullptr;
  }

  // To the parameters that get the operand, where the box is open.
  void AddInto(int source, int target, const Instruction& user, int operand, GraphEdge::Kind kind) {
    const GraphEdge edge{
        .kind = kind, .operand = operand, .shape = &user.operand(operand)->shape()};
    bool is_inside = false;
    const bool hands_on = user.def().runs != Runs::kOtherwise;
    if (Box(target).instruction == &user && hands_on) {
      for (const DrawnRegion* region : inside_[static_cast<size_t>(target)]) {
        const Instruction* parameter = ParameterFor(*region, user, operand);
        const int inner = parameter ? BoxOf(*region, *parameter) : -1;
        if (inner < 0) continue;
        is_inside = true;
        AddEdge(source, inner, edge);
      }
    }
    if (!is_inside) AddEdge(source, target, edge);
  }

  // From the end of a loop's body to the parameters of its computations.
  void AddCarried(int loop) {
    const GraphBox& box = Box(loop);
    if (box.kind != BoxKind::kInstruction || !box.is_open) return;
    const Computation* body = LoopBody(*box.instruction);
    if (!body || !body->root()) return;
    const auto& inside = inside_[static_cast<size_t>(loop)];
    int source = -1;
    for (const DrawnRegion* region : inside) {
      if (region->computation == body) source = BoxOf(*region, *body->root());
    }
    if (source < 0) return;
    source = ResultOf(source);
    const GraphEdge edge{.kind = GraphEdge::Kind::kCarried, .shape = &body->root()->shape()};
    for (const DrawnRegion* region : inside) {
      for (const Instruction* parameter : region->computation->parameters()) {
        const int target = parameter ? BoxOf(*region, *parameter) : -1;
        if (target >= 0) AddEdge(source, target, edge);
      }
    }
  }

  void AddEdge(int from, int to, GraphEdge edge) {
    if (from == to) return;
    const auto kinds = static_cast<uint64_t>(GraphEdge::Kind::kControl) + 1;
    const uint64_t key =
        (static_cast<uint64_t>(from) * drawn_.boxes.size() + static_cast<uint64_t>(to)) * kinds +
        static_cast<uint64_t>(edge.kind);
    const auto [found, is_new] = known_.try_emplace(key, drawn_.edges.size());
    if (is_new) {
      edge.from = from;
      edge.to = to;
      drawn_.edges.push_back(edge);
    }
    ++drawn_.edges[found->second].count;
  }

  const FoldedValues& folded_;
  DrawnGraph& drawn_;
  std::vector<std::vector<const DrawnRegion*>> inside_;  // by box
  std::unordered_map<uint64_t, size_t> known_;
};

}  // namespace

void AddEdges(const FoldedValues& folded, DrawnGraph* drawn) { EdgeAdder(folded, drawn).Add(); }

}  // namespace hlo
