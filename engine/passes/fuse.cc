// Element-wise instructions and moves into the one instruction that uses them.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "engine/hlo/make_instruction.h"
#include "engine/ops/op_def.h"
#include "engine/passes/passes.h"

namespace hlo {
namespace {

// A longer fusion would be a program of its own.
constexpr int64_t kMostMembers = 256;

bool Moves(Opcode opcode) {
  switch (opcode) {
    case Opcode::kBroadcast:
    case Opcode::kReshape:
    case Opcode::kTranspose:
    case Opcode::kSlice:
    case Opcode::kConcatenate:
    case Opcode::kPad:
    case Opcode::kReverse:
    case Opcode::kIota:
    case Opcode::kDynamicSlice:
      return true;
    default:
      return false;
  }
}

// What costs more than reading its result from memory.
bool IsExpensive(const Instruction& instruction) {
  switch (instruction.opcode()) {
    case Opcode::kAdd:
    case Opcode::kSubtract:
    case Opcode::kMultiply:
    case Opcode::kMaximum:
    case Opcode::kMinimum:
    case Opcode::kAbs:
    case Opcode::kNegate:
    case Opcode::kNot:
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:
    case Opcode::kCompare:
    case Opcode::kSelect:
    case Opcode::kClamp:
    case Opcode::kConvert:
    case Opcode::kBitcastConvert:
    case Opcode::kReal:
    case Opcode::kImag:
    case Opcode::kComplex:
    case Opcode::kShiftLeft:
    case Opcode::kShiftRightArithmetic:
    case Opcode::kShiftRightLogical:
    case Opcode::kSign:
    case Opcode::kFloor:
    case Opcode::kCeil:
    case Opcode::kConstant:
      return false;
    default:
      return !Moves(instruction.opcode());
  }
}

class Fuser {
 public:
  Fuser(Draft& draft, PassReport& report) : draft_(draft), report_(report) {}

  void Run() {
    for (Computation* computation : draft_.Computations()) {
      if (draft_.KindOf(*computation) == BodyKind::kProgram) FuseIn(computation);
    }
  }

 private:
  struct Group {
    Instruction* root = nullptr;
    int64_t members = 0;
  };

  bool IsFusible(const Instruction& instruction) {
    const OpDef& def = instruction.def();
    if (draft_.IsPinned(instruction) || !instruction.shape().IsArray() ||
        !instruction.shape().has_known_sizes()) {
      return false;
    }
    for (const Instruction* operand : instruction.operands()) {
      if (!operand->shape().IsArray() || !operand->shape().has_known_sizes()) return false;
    }
    if (instruction.opcode() == Opcode::kCopy) return false;  // it stands where it is for a reason
    return (def.elementwise && def.loop) || Moves(instruction.opcode()) ||
           instruction.opcode() == Opcode::kReduce;
  }

  // A value whose users are all in one group joins it. No path leads out of the group and back in
  // then, since only its root is used outside.
  void FuseIn(Computation* computation) {
    const std::vector<Instruction*> before = draft_.Order(*computation);
    const size_t size = computation->instructions().size();
    users_.assign(size, {});
    for (Instruction* instruction : before) {
      for (const Instruction* operand : instruction->operands()) {
        users_[static_cast<size_t>(operand->index())].push_back(instruction);
      }
    }
    group_.assign(size, -1);
    repeated_.assign(size, false);
    groups_.clear();
    for (size_t i = before.size(); i-- > 0;) {
      if (IsFusible(*before[i])) Place(before[i]);
    }
    Rebuild(computation, before);
  }

  void Place(Instruction* instruction) {
    const auto number = static_cast<size_t>(instruction->index());
    const std::vector<Instruction*>& users = users_[number];
    int64_t joined = instruction->is_root() || users.empty() ? -1 : GroupOf(*users[0]);
    bool repeated = false;
    for (const Instruction* user : users) {
      if (GroupOf(*user) != joined) joined = -1;
      repeated = repeated || repeated_[static_cast<size_t>(user->index())] || Repeats(*user);
    }
    const bool may_join = joined >= 0 && instruction->opcode() != Opcode::kReduce &&
                          !(repeated && IsExpensive(*instruction)) &&
                          groups_[static_cast<size_t>(joined)].members < kMostMembers;
    if (may_join) {
      repeated_[number] = repeated;
    } else {
      joined = static_cast<int64_t>(groups_.size());
      groups_.push_back({instruction, 0});
    }
    group_[number] = joined;
    ++groups_[static_cast<size_t>(joined)].members;
  }

  int64_t GroupOf(const Instruction& instruction) const {
    return group_[static_cast<size_t>(instruction.index())];
  }
  // Whether it reads elements of its operand more than once.
  static bool Repeats(const Instruction& instruction) {
    return instruction.opcode() == Opcode::kBroadcast &&
           instruction.shape().element_count() > instruction.operand(0)->shape().element_count();
  }

  void Rebuild(Computation* computation, const std::vector<Instruction*>& before) {
    std::vector<std::vector<Instruction*>> members(groups_.size());
    for (Instruction* instruction : before) {
      if (GroupOf(*instruction) >= 0) {
        members[static_cast<size_t>(GroupOf(*instruction))].push_back(instruction);
      }
    }
    std::unordered_map<const Instruction*, Instruction*> fusions;
    std::vector<Instruction*> order;
    for (Instruction* instruction : before) {
      for (Instruction*& operand : draft_.editor().operands(instruction)) {
        if (const auto found = fusions.find(operand); found != fusions.end()) {
          operand = found->second;
        }
      }
      const int64_t group = GroupOf(*instruction);
      const bool fused = group >= 0 && members[static_cast<size_t>(group)].size() > 1;
      if (fused && groups_[static_cast<size_t>(group)].root != instruction) continue;
      if (fused) {
        Instruction* fusion = Fuse(computation, members[static_cast<size_t>(group)], *instruction);
        fusions[instruction] = fusion;
        order.push_back(fusion);
      } else {
        order.push_back(instruction);
      }
    }
    if (const auto root = fusions.find(computation->root()); root != fusions.end()) {
      draft_.editor().SetRoot(computation, root->second);
    }
    draft_.Order(*computation) = std::move(order);
    RemoveUnusedConstants(computation);
  }

  Instruction* Fuse(Computation* into, const std::vector<Instruction*>& members,
                    const Instruction& root) {
    const bool reduces = root.opcode() == Opcode::kReduce;
    Computation* body = draft_.AddComputation("fused_computation");
    draft_.editor().SetExecutionThread(body, into->execution_thread());
    std::vector<Instruction*> operands;
    std::unordered_map<const Instruction*, Instruction*> inside;
    std::vector<Instruction*> order;
    for (const Instruction* member : members) {
      for (Instruction* operand : member->operands()) {
        if (inside.count(operand) == 0) {
          inside[operand] = BringIn(*operand, body, operands, order);
        }
      }
      std::vector<Instruction*> mapped;
      for (const Instruction* operand : member->operands()) mapped.push_back(inside.at(operand));
      Instruction* copy = draft_.Add(body, member->name(), member->opcode(), std::move(mapped),
                                     member->attrs(), member->shape());
      draft_.editor().SetName(copy, member->name());  // the original is gone
      inside[member] = copy;
      order.push_back(copy);
    }
    draft_.editor().SetRoot(body, inside.at(&root));
    draft_.Order(*body) = std::move(order);
    return MakeFusion(into, body, operands, members, root, reduces);
  }

  // Scalar constants are repeated inside; everything else becomes a parameter.
  Instruction* BringIn(Instruction& operand, Computation* body, std::vector<Instruction*>& operands,
                       std::vector<Instruction*>& order) {
    Instruction* made;
    if (operand.opcode() == Opcode::kConstant && operand.shape().IsScalar() &&
        !draft_.HasControl(operand)) {
      made =
          draft_.Add(body, operand.name(), operand.opcode(), {}, operand.attrs(), operand.shape());
    } else {
      const auto number = static_cast<int64_t>(operands.size());
      AttrList attrs;
      attrs.push_back({&GetOpDef(Opcode::kParameter).attrs[0], number, {}, {}});
      made = draft_.Add(body, fmt::format("param_{}", number), Opcode::kParameter, {},
                        std::move(attrs), operand.shape());
      draft_.editor().SetParameter(body, number, made);
      operands.push_back(&operand);
    }
    order.push_back(made);
    return made;
  }

  Instruction* MakeFusion(Computation* into, Computation* body, std::vector<Instruction*>& operands,
                          const std::vector<Instruction*>& members, const Instruction& root,
                          bool reduces) {
    Diagnostics faults;
    std::optional<AttrList> attrs =
        ToAttrList(Opcode::kFusion,
                   {{"kind", AttrValue(std::string(reduces ? "kInput" : "kLoop"))},
                    {"calls", AttrValue(static_cast<const Region*>(body))}},
                   faults);
    for (const Attr& attr : root.attrs()) {
      if (attr.def->name == "metadata") attrs->push_back(attr);
    }
    Instruction* fusion = draft_.Add(into, reduces ? "input_fusion" : "loop_fusion",
                                     Opcode::kFusion, operands, std::move(*attrs), root.shape());
    for (const Instruction* member : members) {
      report_.changes.push_back(
          {ChangeKind::kFused, std::string(into->name()), std::string(member->name()),
           std::string(fusion->name()),
           member == &root ? "the result of the fusion"
                           : "only instructions of the fusion use it, so it need not be written"});
    }
    return fusion;
  }

  void RemoveUnusedConstants(Computation* computation) {
    std::vector<Instruction*>& order = draft_.Order(*computation);
    std::vector<bool> used(computation->instructions().size(), false);
    for (const Instruction* instruction : order) {
      for (const Instruction* operand : instruction->operands()) {
        used[static_cast<size_t>(operand->index())] = true;
      }
    }
    order.erase(std::remove_if(order.begin(), order.end(),
                               [&](const Instruction* instruction) {
                                 return instruction->opcode() == Opcode::kConstant &&
                                        instruction->shape().IsScalar() &&
                                        !used[static_cast<size_t>(instruction->index())] &&
                                        !UsersOf(*instruction).empty() && !instruction->is_root() &&
                                        !draft_.HasControl(*instruction);
                               }),
                order.end());
  }
  const std::vector<Instruction*>& UsersOf(const Instruction& instruction) const {
    return users_[static_cast<size_t>(instruction.index())];
  }

  Draft& draft_;
  PassReport& report_;
  std::vector<std::vector<Instruction*>> users_;  ///< by number of the instruction
  std::vector<int64_t> group_;                    ///< -1: none
  std::vector<bool> repeated_;                    ///< its elements are read more than once
  std::vector<Group> groups_;
};

}  // namespace

void FuseLoops(Draft& draft, PassReport& report) {
  Fuser(draft, report).Run();
  if (report.changes.empty()) {
    report.note = "No element-wise instruction is used only by other element-wise instructions.";
  }
}

}  // namespace hlo
