#include "engine/diff/module_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "engine/base/rising.h"
#include "engine/base/work_limit.h"
#include "engine/diff/constant_change.h"
#include "engine/diff/instruction_match.h"
#include "engine/diff/value_numbers.h"
#include "engine/hlo/attribute_text.h"
#include "engine/ops/op_def.h"
#include "engine/plan/program_memory.h"

namespace hlo {
namespace {

constexpr DiffKindRow kRows[kDiffKinds] = {
    {"added", "there was no such instruction"},
    {"removed", "nothing needs it any more"},
    {"replaced", "another operation computes what its users read"},
    {"merged", "an equal instruction is used instead"},
    {"duplicated", "one more of an instruction that was there"},
    {"fused", "it is inside a fusion now"},
    {"unfused", "it was inside a fusion"},
    {"inlined", "its computation was called"},
    {"moved", "it is in another computation"},
    {"operands", "it reads something else"},
    {"attributes", "its attributes differ"},
    {"shape", "its dimensions or element type differ"},
    {"layout", "its layout differs"},
    {"reordered", "the schedule has it elsewhere"},
    {"renamed", "only its name differs"},
};

// Texts of values that are longer are not quoted.
constexpr size_t kQuoted = 80;

class ModuleComparison {
 public:
  ModuleComparison(const Module& before, const Module& after)
      : modules_{&before, &after}, before_(before), after_(after), match_(before_, after_) {}

  ModuleDiff Make();

 private:
  static constexpr uint32_t kNone = ValueNumbers::kNone;

  void PairComputations();
  void FindUsers();
  void FindReordered();
  void AddPair(uint32_t before, uint32_t after);
  void ComparePlaces(const Instruction& before, const Instruction& after);
  void CompareOperands(uint32_t before, uint32_t after);
  void CompareAttributes(const Instruction& before, const Instruction& after);
  void CompareShapes(const Instruction& before, const Instruction& after);
  void AddNew(uint32_t after);
  void AddGone(uint32_t before);
  std::string WhyGone(uint32_t before, DiffKind* kind) const;
  bool IsPlumbing(const ValueNumbers& numbers, uint32_t index) const;
  void Say(DiffKind kind, std::string_view what) {
    change_.kinds.push_back(kind);
    if (what.empty()) return;
    if (!change_.what.empty()) change_.what.append("; ");
    change_.what.append(what);
  }
  void Finish(const Instruction* before, const Instruction* after);
  void CompareHeaders();

  const Module* modules_[2];
  ValueNumbers before_, after_;
  InstructionMatch match_;
  // Computations after, by index: the one before, or -1.
  std::vector<int> computation_before_;
  // A user of each instruction before, and which of its operands it is.
  std::vector<std::pair<uint32_t, int>> user_;
  std::vector<bool> reordered_;
  std::unordered_map<uint64_t, uint32_t> values_before_;
  InstructionChange change_;
  ModuleDiff diff_;
};

std::string Quoted(std::string text) {
  if (text.size() > kQuoted) text = text.substr(0, kQuoted) + "…";
  return text;
}

const ShapedLiteral& LiteralOf(const Attr& attr) {
  return *std::get<std::shared_ptr<const ShapedLiteral>>(attr.value);
}

std::string LayoutText(const Shape& shape) { return Quoted(ShapeSummary(shape)); }

ModuleTotals TotalsOf(const Module& module) {
  ModuleTotals totals;
  totals.computations = static_cast<int64_t>(module.computations().size());
  for (const Computation& computation : module.computations()) {
    totals.instructions += static_cast<int64_t>(computation.instructions().size());
    for (const Instruction& each : computation.instructions()) {
      const OpDef& def = each.def();
      totals.fusions += def.runs == Runs::kOne && !def.control_flow;
    }
  }
  const ProgramMemory memory = MakeProgramMemory(module);
  for (const SpaceUse& space : memory.spaces) {
    if (space.space != 0) continue;
    totals.peak_bytes = space.peak_bytes;
    totals.argument_bytes = space.parameter_bytes;
    totals.temporary_bytes = space.temporary_bytes;
  }
  return totals;
}

// The entries correspond; what corresponding instructions call does; then what is called the same.
void ModuleComparison::PairComputations() {
  const Module& before = *modules_[0];
  const Module& after = *modules_[1];
  computation_before_.assign(after.computations().size(), -1);
  std::vector<bool> taken(before.computations().size(), false);
  auto pair = [&](const Computation& b, const Computation& a) {
    if (computation_before_[static_cast<size_t>(a.index())] >= 0 ||
        taken[static_cast<size_t>(b.index())]) {
      return;
    }
    computation_before_[static_cast<size_t>(a.index())] = b.index();
    taken[static_cast<size_t>(b.index())] = true;
  };
  if (before.entry() && after.entry()) pair(*before.entry(), *after.entry());
  for (const Computation& each : after.computations()) {
    const Computation* same = before.FindComputation(each.name());
    if (same && before_.RoleOf(*same) == after_.RoleOf(each)) pair(*same, each);
  }
  for (uint32_t index : after_.order()) {
    const uint32_t other = match_.BeforeOf(index);
    if (other == kNone) continue;
    std::vector<const Computation*> called;
    ForEachCallee(before_.instruction(other),
                  [&](const Attr&, const Computation& callee) { called.push_back(&callee); });
    size_t i = 0;
    ForEachCallee(after_.instruction(index), [&](const Attr&, const Computation& callee) {
      if (i < called.size()) pair(*called[i++], callee);
    });
  }
}

void ModuleComparison::FindUsers() {
  user_.assign(before_.size(), {kNone, 0});
  for (uint32_t index : before_.order()) {
    const Instruction& instruction = before_.instruction(index);
    if (!before_.IsSource(index)) continue;
    for (int i = 0; i < instruction.operand_count(); ++i) {
      user_[before_.OperandSource(index, i)] = {index, i};
    }
  }
}

// Of the instructions of a computation that is scheduled in both modules, the fewest that must have
// changed places.
void ModuleComparison::FindReordered() {
  reordered_.assign(after_.size(), false);
  if (!modules_[0]->is_scheduled() || !modules_[1]->is_scheduled()) return;
  for (const Computation& computation : modules_[1]->computations()) {
    const int other = computation_before_[static_cast<size_t>(computation.index())];
    if (other < 0) continue;
    std::vector<uint32_t> places, indices;
    for (const Instruction& each : computation.instructions()) {
      const uint32_t index = after_.IndexOf(each);
      const uint32_t before = match_.BeforeOf(index);
      if (before == kNone || before_.instruction(before).parent()->index() != other) continue;
      places.push_back(before);
      indices.push_back(index);
    }
    const std::vector<bool> rising = LongestRising(places);
    for (size_t i = 0; i < rising.size(); ++i) reordered_[indices[i]] = !rising[i];
  }
}

void ModuleComparison::ComparePlaces(const Instruction& before, const Instruction& after) {
  const Computation& home = *after.parent();
  if (computation_before_[static_cast<size_t>(home.index())] == before.parent()->index()) {
    if (reordered_[after_.IndexOf(after)]) Say(DiffKind::kReordered, "elsewhere in the schedule");
    return;
  }
  const ComputationRole role = after_.RoleOf(home);
  const ComputationRole was = before_.RoleOf(*before.parent());
  if (role == ComputationRole::kFused) {
    Say(DiffKind::kFused, fmt::format("fused into %{}", after_.CallerOf(home)->name()));
  } else if (was == ComputationRole::kFused) {
    Say(DiffKind::kUnfused,
        fmt::format("was inside %{}", before_.CallerOf(*before.parent())->name()));
  } else if (was == ComputationRole::kCalled) {
    Say(DiffKind::kInlined,
        fmt::format("was called by %{}", before_.CallerOf(*before.parent())->name()));
  } else {
    Say(DiffKind::kMoved, fmt::format("moved to {}", home.name()));
  }
}

void ModuleComparison::CompareOperands(uint32_t before, uint32_t after) {
  const Instruction& b = before_.instruction(before);
  const Instruction& a = after_.instruction(after);
  const auto is_pair = [&](int was, int now) {
    return match_.BeforeOf(after_.OperandSource(after, now)) == before_.OperandSource(before, was);
  };
  if (CommutesOperands(b) && CommutesOperands(a) && is_pair(0, 1) && is_pair(1, 0) &&
      !is_pair(0, 0)) {
    return Say(DiffKind::kOperands, "the same operands in the other order");
  }
  const int count = std::max(b.operand_count(), a.operand_count());
  for (int i = 0; i < count; ++i) {
    const bool has_both = i < b.operand_count() && i < a.operand_count();
    if (has_both && is_pair(i, i)) continue;
    // Equal values that were computed twice count as one.
    if (has_both && before_.Value(before_.OperandSource(before, i)) ==
                        after_.Value(after_.OperandSource(after, i))) {
      continue;
    }
    const std::string now =
        i < a.operand_count() ? fmt::format("%{}", a.operand(i)->name()) : "nothing";
    const std::string was =
        i < b.operand_count() ? fmt::format("%{}", b.operand(i)->name()) : "nothing";
    return Say(DiffKind::kOperands, fmt::format("operand {} is {}, was {}", i, now, was));
  }
}

void ModuleComparison::CompareAttributes(const Instruction& before, const Instruction& after) {
  auto text = [](const Attr* attr, const Instruction& of) {
    if (!attr) return std::string("absent");
    const PrintOptions options{.max_constant_elements = 8};
    return Quoted(AttrValueText(attr->value, *attr->def, {options, of.parent()}));
  };
  auto compare = [&](const Attr* was, const Attr* now) {
    const AttrDef& def = *(was ? was : now)->def;
    if (!SaysWhatIsComputed(def)) return;
    bool names = false;
    ForEachCallee(*(was ? was : now), [&](const Attr&, const Computation&) { names = true; });
    if (names) return;
    if (was && now && AttributeHash(*was, before.parent()) == AttributeHash(*now, after.parent())) {
      return;
    }
    if (was && now && def.use == AttrUse::kPositional && def.kind == AttrKind::kLiteral) {
      return Say(DiffKind::kAttributes, ConstantChange(LiteralOf(*was), LiteralOf(*now)));
    }
    const std::string is = text(now, after);
    const std::string other = text(was, before);
    if (is == other && def.use != AttrUse::kPositional) return;
    Say(DiffKind::kAttributes, fmt::format("{} is {}, was {}", def.name, is.empty() ? "absent" : is,
                                           other.empty() ? "absent" : other));
  };
  for (const Attr& was : before.attrs()) compare(&was, after.attrs().Find(was.def->name));
  for (const Attr& now : after.attrs()) {
    if (!before.attrs().Has(now.def->name)) compare(nullptr, &now);
  }
}

void ModuleComparison::CompareShapes(const Instruction& before, const Instruction& after) {
  if (before.shape() == after.shape()) return;
  const bool same = Shape::Equal(before.shape(), after.shape(), {.layout = false});
  Say(same ? DiffKind::kLayout : DiffKind::kShape,
      fmt::format("{}, was {}", LayoutText(after.shape()), LayoutText(before.shape())));
}

void ModuleComparison::Finish(const Instruction* before, const Instruction* after) {
  if (change_.kinds.empty()) {
    ++diff_.unchanged;
    return;
  }
  std::sort(change_.kinds.begin(), change_.kinds.end());
  change_.kinds.erase(std::unique(change_.kinds.begin(), change_.kinds.end()), change_.kinds.end());
  for (DiffKind kind : change_.kinds) ++diff_.counts[static_cast<size_t>(kind)];
  change_.before = before;
  change_.after = after;
  diff_.changes.push_back(std::move(change_));
  change_ = {};
}

void ModuleComparison::AddPair(uint32_t before, uint32_t after) {
  const Instruction& b = before_.instruction(before);
  const Instruction& a = after_.instruction(after);
  diff_.pairs.emplace_back(&b, &a);
  if (IsPlumbing(after_, after)) {
    CompareShapes(b, a);
    return Finish(&b, &a);
  }
  ComparePlaces(b, a);
  if (b.opcode() != a.opcode()) {
    Say(DiffKind::kReplaced, fmt::format("%{} = {} was %{} = {}", a.name(), Text(a.opcode()),
                                         b.name(), Text(b.opcode())));
    CompareShapes(b, a);
    return Finish(&b, &a);
  }
  if (after_.IsSource(after)) {
    CompareOperands(before, after);
    CompareAttributes(b, a);
  }
  CompareShapes(b, a);
  if (change_.kinds.empty() && b.name() != a.name()) {
    Say(DiffKind::kRenamed, fmt::format("was %{}", b.name()));
  }
  Finish(&b, &a);
}

// What comes and goes with a fusion or a tuple, and computes nothing.
bool ModuleComparison::IsPlumbing(const ValueNumbers& numbers, uint32_t index) const {
  const Instruction& instruction = numbers.instruction(index);
  return !numbers.IsSource(index) && instruction.def().runs != Runs::kOne;
}

void ModuleComparison::AddNew(uint32_t after) {
  const Instruction& instruction = after_.instruction(after);
  if (IsPlumbing(after_, after)) {
    ++diff_.unchanged;
    return;
  }
  if (!after_.IsSource(after)) {
    int64_t count = 0;
    ForEachCallee(instruction, [&](const Attr&, const Computation& callee) {
      for (const Instruction& each : callee.instructions()) {
        count += each.opcode() != Opcode::kParameter;
      }
    });
    Say(DiffKind::kAdded, fmt::format("a {} of {} instruction{}", Text(instruction.opcode()), count,
                                      count == 1 ? "" : "s"));
    return Finish(nullptr, &instruction);
  }
  if (const auto same = values_before_.find(after_.Value(after)); same != values_before_.end()) {
    Say(DiffKind::kDuplicated,
        fmt::format("another copy of %{}", before_.instruction(same->second).name()));
    return Finish(nullptr, &instruction);
  }
  Say(DiffKind::kAdded, "");
  Finish(nullptr, &instruction);
}

std::string ModuleComparison::WhyGone(uint32_t before, DiffKind* kind) const {
  const auto& [user, operand] = user_[before];
  if (user == kNone) {
    const Instruction& gone = before_.instruction(before);
    if (!gone.is_root()) return "nothing used it";
    if (gone.parent() == modules_[0]->entry()) return "it was the result";
    return fmt::format("it was the result of {}", gone.parent()->name());
  }
  const uint32_t user_after = match_.AfterOf(user);
  if (user_after == kNone) {
    return fmt::format("with %{}, which used it", before_.instruction(user).name());
  }
  const Instruction& now = after_.instruction(user_after);
  if (operand >= now.operand_count()) return "";
  const uint32_t source = after_.OperandSource(user_after, operand);
  const Instruction& instead = after_.instruction(source);
  if (after_.Value(source) == before_.Value(before)) {
    *kind = DiffKind::kMerged;
    return fmt::format("%{} is the same", instead.name());
  }
  if (instead.opcode() == Opcode::kConstant) {
    *kind = DiffKind::kReplaced;
    return fmt::format("it is the constant %{} now", instead.name());
  }
  *kind = DiffKind::kReplaced;
  return fmt::format("%{} reads %{} now", now.name(), instead.name());
}

void ModuleComparison::AddGone(uint32_t before) {
  if (IsPlumbing(before_, before)) return;
  DiffKind kind = DiffKind::kRemoved;
  std::string why;
  if (before_.IsSource(before)) {
    why = WhyGone(before, &kind);
  } else {
    why = "what it called stands elsewhere";
  }
  Say(kind, why);
  Finish(&before_.instruction(before), nullptr);
}

void ModuleComparison::CompareHeaders() {
  const PrintOptions options;
  auto text = [&](const Module& module, const AttrDef& def) {
    const Attr* attr = module.attrs().Find(def.name);
    return attr ? AttrValueText(attr->value, def, {options, nullptr}) : std::string();
  };
  for (const AttrDef& def : ModuleAttrs()) {
    std::string was = text(*modules_[0], def);
    std::string now = text(*modules_[1], def);
    if (was == now) continue;
    diff_.header.push_back(fmt::format("{} is {}, was {}", def.name,
                                       now.empty() ? "absent" : Quoted(std::move(now)),
                                       was.empty() ? "absent" : Quoted(std::move(was))));
  }
}

ModuleDiff ModuleComparison::Make() {
  diff_.before = TotalsOf(*modules_[0]);
  diff_.after = TotalsOf(*modules_[1]);
  PairComputations();
  FindUsers();
  FindReordered();
  CompareHeaders();
  for (uint32_t index : before_.order()) values_before_.emplace(before_.Value(index), index);
  // What is gone is told before what followed it.
  uint32_t gone = 0;
  auto tell_gone = [&](uint32_t end) {
    for (; gone < end; ++gone) {
      if (match_.AfterOf(gone) == kNone) AddGone(gone);
    }
  };
  for (uint32_t index = 0; index < after_.size(); ++index) {
    CountWork(1);
    const uint32_t before = match_.BeforeOf(index);
    if (before == kNone) {
      AddNew(index);
      continue;
    }
    const bool at_home =
        computation_before_[static_cast<size_t>(after_.instruction(index).parent()->index())] ==
        before_.instruction(before).parent()->index();
    if (at_home && before > gone) tell_gone(before);
    AddPair(before, index);
  }
  tell_gone(static_cast<uint32_t>(before_.size()));
  return std::move(diff_);
}

}  // namespace

const DiffKindRow& GetDiffKind(DiffKind kind) { return kRows[static_cast<size_t>(kind)]; }

ModuleDiff DiffModules(const Module& before, const Module& after) {
  return ModuleComparison(before, after).Make();
}

}  // namespace hlo
