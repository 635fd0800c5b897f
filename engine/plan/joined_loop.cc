#include "engine/plan/joined_loop.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

#include "engine/plan/folding.h"
#include "engine/plan/plan.h"
#include "engine/plan/region_compiler.h"
#include "engine/plan/rows.h"
#include "engine/types/element_number.h"

namespace hlo {
namespace {

constexpr size_t kMostMembers = 128;
/// So many elements are worth a loop for a single instruction.
constexpr int64_t kLongLoop = 1 << 12;
constexpr int32_t kNoGroup = -1;

bool IsStatic(const Shape& shape) { return shape.IsArray() && shape.has_known_sizes(); }

int64_t CountOf(const Dims& dims) {
  int64_t count = 1;
  for (int64_t dim : dims) count *= dim;
  return count;
}
int64_t CountOf(const Shape& shape) { return CountOf(shape.dims()); }

bool IsWhole(const StridedView& view, const Shape& source) {
  return IsDense(view) && CountOf(source) == CountOf(view.dims);
}

// Reading a view costs about what reading an array does: not if every element is elsewhere.
bool IsCheap(const ViewReader& reader) {
  constexpr int64_t kShortestRun = 8, kLongestStep = 4;
  if (reader.is_uniform()) return true;
  return reader.run_length() >= kShortestRun && std::abs(reader.run_stride()) <= kLongestStep;
}

// What a value is, as far as loops read it: elements of another instruction's value.
struct Source {
  int32_t value = kNoGroup;
  std::optional<StridedView> view = std::nullopt;  // nothing: all of them, in order
};

// What an instruction of a loop goes through.
enum class Level : uint8_t { kElements, kRows };

// A loop in the making.
struct Group {
  std::vector<int32_t> members;
  int64_t count = 0;
  int64_t row_length = 0;  // 0: no member is about rows
  bool is_open = true;
  int32_t closed_by = kNoGroup;  // an instruction
  int32_t merged_into = kNoGroup;
};

class Joiner {
 public:
  Joiner(ComputationPlan& plan, const CustomCallTargets* custom_calls)
      : plan_(plan),
        custom_calls_(custom_calls),
        count_(static_cast<int32_t>(plan.instructions.size())),
        users_(plan.instructions.size()),
        sources_(plan.instructions.size()),
        is_element_(plan.instructions.size(), false),
        is_absorbed_(plan.instructions.size(), false),
        is_row_(plan.instructions.size(), false),
        reducers_(plan.instructions.size()),
        group_of_(plan.instructions.size(), kNoGroup),
        readers_(plan.instructions.size()) {}

  void Run() {
    FindUsers();
    FindElements();
    FindSources();
    FindAbsorbed();
    for (int32_t i = 0; i < count_; ++i) Visit(i);
    for (const Group& group : groups_) Keep(group);
    for (std::unique_ptr<JoinedLoop>& loop : loops_) Install(std::move(loop));
  }

 private:
  const Instruction& At(int32_t i) const {
    return *plan_.instructions[static_cast<size_t>(i)].instruction;
  }
  Source& SourceOf(int32_t i) { return sources_[static_cast<size_t>(i)]; }

  void FindUsers() {
    for (int32_t i = 0; i < count_; ++i) {
      for (const Instruction* operand : At(i).operands()) {
        users_[static_cast<size_t>(operand->index())].push_back(i);
      }
    }
  }

  void FindElements() {
    const std::vector<bool> constant = FindConstants(plan_);
    for (int32_t i = 0; i < count_; ++i) {
      if (constant[static_cast<size_t>(i)]) continue;
      is_element_[static_cast<size_t>(i)] = IsElement(At(i));
      const auto& operands = At(i).operands();
      const bool is_static = IsStatic(At(i).shape()) &&
                             std::all_of(operands.begin(), operands.end(), [](const auto* operand) {
                               return IsStatic(operand->shape());
                             });
      if (!is_static) continue;
      reducers_[static_cast<size_t>(i)] =
          RowReducerOf(plan_.instructions[static_cast<size_t>(i)], custom_calls_);
    }
  }

  const std::optional<Reducer>& ReducerAt(int32_t i) const {
    return reducers_[static_cast<size_t>(i)];
  }
  bool IsRow(int32_t i) const { return is_row_[static_cast<size_t>(i)]; }
  // The elements that an instruction goes through: those of its operand if it reduces them.
  const Shape& ReadShape(int32_t i) const {
    return ReducerAt(i) ? At(i).operand(0)->shape() : At(i).shape();
  }

  bool IsElement(const Instruction& instruction) const {
    const Shape& shape = instruction.shape();
    if (instruction.def().loop == nullptr || !IsStatic(shape) || CountOf(shape) == 0) return false;
    for (const Instruction* operand : instruction.operands()) {
      if (!IsStatic(operand->shape())) return false;
      if (operand->shape().rank() != 0 && operand->shape().dims() != shape.dims()) return false;
    }
    std::unique_ptr<const MixedCall> mixed;
    return static_cast<bool>(LoopOf(instruction, custom_calls_, &mixed));
  }

  // For every instruction that only moves elements: which ones of which value.
  void FindSources() {
    for (int32_t i = 0; i < count_; ++i) {
      SourceOf(i).value = i;
      const PlannedInstruction& planned = plan_.instructions[static_cast<size_t>(i)];
      const bool passes_on =
          planned.def->passes_on == PassesOn::kAll && !is_element_[static_cast<size_t>(i)];
      if (!planned.def->view && !passes_on) continue;
      if (planned.mixed || !IsStatic(At(i).shape())) continue;
      const Instruction& operand = *At(i).operand(0);
      if (!IsStatic(operand.shape())) continue;
      const Source& from = SourceOf(operand.index());
      if (passes_on) {
        if (Shape::Compatible(operand.shape(), At(i).shape())) SourceOf(i) = Source(from);
        continue;
      }
      std::optional<StridedView> view = planned.def->view(
          planned.call, from.view ? *from.view : RowMajorView(operand.shape().dims()));
      if (!view) continue;
      SourceOf(i) = {from.value, std::move(view)};
      if (IsWhole(*SourceOf(i).view, At(from.value).shape())) SourceOf(i).view.reset();
    }
  }

  bool Moves(int32_t i) { return SourceOf(i).value != i; }

  // What loops alone use need not be made.
  void FindAbsorbed() {
    for (int32_t i = count_; i-- > 0;) {
      const std::vector<int32_t>& users = users_[static_cast<size_t>(i)];
      if (!Moves(i) || i == plan_.root || users.empty()) continue;
      if (SourceOf(i).view && !IsCheap(ViewReader(*SourceOf(i).view))) continue;
      is_absorbed_[static_cast<size_t>(i)] =
          std::all_of(users.begin(), users.end(), [&](int32_t user) {
            return is_element_[static_cast<size_t>(user)] ||
                   is_absorbed_[static_cast<size_t>(user)];
          });
    }
  }

  // What the operand of a loop reads.
  Source Read(const Instruction& operand, const Shape& shape) {
    const int32_t i = operand.index();
    Source source = is_absorbed_[static_cast<size_t>(i)] ? SourceOf(i) : Source{i, std::nullopt};
    if (operand.shape().rank() == 0 && CountOf(shape) != 1) {
      const int64_t offset = source.view ? source.view->offset : 0;
      source.view = StridedView{shape.dims(), Dims(shape.dims().size()), offset};
    }
    return source;
  }

  Group* GroupOf(int32_t i) {
    const int32_t group = group_of_[static_cast<size_t>(i)];
    return group == kNoGroup ? nullptr : &groups_[static_cast<size_t>(group)];
  }

  static void Close(Group& group, int32_t by) {
    if (group.is_open) group.closed_by = by;
    group.is_open = false;
  }

  void Visit(int32_t i) {
    if (is_absorbed_[static_cast<size_t>(i)]) return;
    if (is_element_[static_cast<size_t>(i)] || ReducerAt(i)) return Join(i);
    const OpDef& def = At(i).def();
    for (const Instruction* operand : At(i).operands()) {
      if (Group* group = GroupOf(operand->index())) Close(*group, i);
      // It may write into an operand of its own shape, unless a loop still has to read that.
      const bool may_write = def.enter || def.buffers != ResultBuffers::kOwn ||
                             Shape::Compatible(operand->shape(), At(i).shape());
      if (may_write) CloseReaders(operand->index(), i);
    }
  }

  void CloseReaders(int32_t value, int32_t by) {
    std::vector<int32_t>& readers = readers_[static_cast<size_t>(value)];
    for (int32_t group : readers) {
      while (groups_[static_cast<size_t>(group)].merged_into != kNoGroup) {
        group = groups_[static_cast<size_t>(group)].merged_into;
      }
      Close(groups_[static_cast<size_t>(group)], by);
    }
    readers.clear();
  }

  // What instruction i would go through in the group; nothing if it does not fit.
  std::optional<Level> LevelIn(const Group& group, int32_t i) const {
    const int64_t count = CountOf(ReadShape(i));
    if (count == group.count) {
      const bool fits = !ReducerAt(i) || group.row_length == 0 || group.row_length == RowOf(i);
      return fits ? std::optional(Level::kElements) : std::nullopt;
    }
    const bool is_row =
        !ReducerAt(i) && group.row_length > 0 && count * group.row_length == group.count;
    return is_row ? std::optional(Level::kRows) : std::nullopt;
  }

  // The length of the rows that instruction i reduces.
  int64_t RowOf(int32_t i) const { return ReadShape(i).dims().back(); }

  std::optional<Apart> WhyApart(const Group& group, int32_t i, const Source& source) const {
    const std::optional<Level> level = LevelIn(group, i);
    if (!level) return Apart::kCount;
    bool in_order = !source.view;
    if (IsRow(source.value) && *level == Level::kElements) {
      in_order = source.view && SpreadsRows(*source.view, group.row_length);
    } else if (!IsRow(source.value) && *level == Level::kRows) {
      in_order = false;
    }
    if (!in_order) return Apart::kOrder;
    if (!group.is_open) return Apart::kNeeded;
    if (group.members.size() >= kMostMembers) return Apart::kFull;
    return std::nullopt;
  }

  void Join(int32_t i) {
    const Shape& shape = ReadShape(i);
    for (const Instruction* operand : At(i).operands()) {
      const Source source = Read(*operand, shape);
      Group* group = GroupOf(source.value);
      if (!group) continue;
      const std::optional<Apart> why = WhyApart(*group, i, source);
      if (why && group->closed_by != i) {
        plan_.unjoined.push_back({i, source.value, *why, group->closed_by});
      }
      if (why) Close(*group, i);
    }
    int32_t joined = MergedFor(i, shape);
    if (joined == kNoGroup) {
      joined = static_cast<int32_t>(groups_.size());
      groups_.push_back({.members = {}, .count = CountOf(shape)});
    }
    Group& group = groups_[static_cast<size_t>(joined)];
    is_row_[static_cast<size_t>(i)] = ReducerAt(i) || *LevelIn(group, i) == Level::kRows;
    if (ReducerAt(i)) group.row_length = RowOf(i);
    group.members.push_back(i);
    group_of_[static_cast<size_t>(i)] = joined;
    for (const Instruction* operand : At(i).operands()) {
      const int32_t value = Read(*operand, shape).value;
      if (group_of_[static_cast<size_t>(value)] != joined) {
        readers_[static_cast<size_t>(value)].push_back(joined);
      }
    }
  }

  // The open groups of operands, as one. Those that have rows come first; what has another number
  // of elements than they have, or other rows, is closed.
  int32_t MergedFor(int32_t i, const Shape& shape) {
    int32_t joined = kNoGroup;
    for (const bool with_rows : {true, false}) {
      for (const Instruction* operand : At(i).operands()) {
        const int32_t value = Read(*operand, shape).value;
        Group* const group = GroupOf(value);
        if (!group || !group->is_open || (group->row_length > 0) != with_rows) continue;
        const int32_t number = group_of_[static_cast<size_t>(value)];
        if (joined == number) continue;
        if (joined != kNoGroup && !CanMerge(groups_[static_cast<size_t>(joined)], *group)) {
          plan_.unjoined.push_back({i, value, Apart::kCount, kNoGroup});
          Close(*group, i);
          continue;
        }
        joined = Merge(joined, number);
      }
    }
    return joined;
  }

  static bool CanMerge(const Group& a, const Group& b) {
    return a.count == b.count &&
           (a.row_length == 0 || b.row_length == 0 || a.row_length == b.row_length);
  }

  int32_t Merge(int32_t a, int32_t b) {
    if (a == kNoGroup || a == b) return b;
    if (groups_[static_cast<size_t>(a)].members.size() <
        groups_[static_cast<size_t>(b)].members.size()) {
      std::swap(a, b);
    }
    Group& into = groups_[static_cast<size_t>(a)];
    Group& from = groups_[static_cast<size_t>(b)];
    for (int32_t member : from.members) group_of_[static_cast<size_t>(member)] = a;
    into.members.insert(into.members.end(), from.members.begin(), from.members.end());
    into.row_length = std::max(into.row_length, from.row_length);
    from = {.members = {}, .count = 0, .is_open = false, .closed_by = kNoGroup, .merged_into = a};
    return a;
  }

  bool AbsorbsAny(const Group& group) const {
    return std::any_of(group.members.begin(), group.members.end(), [&](int32_t member) {
      const auto& operands = At(member).operands();
      return std::any_of(operands.begin(), operands.end(), [&](const Instruction* operand) {
        return is_absorbed_[static_cast<size_t>(operand->index())];
      });
    });
  }

  // A single instruction is a loop where code pays for it: its kernel has no vectors of its own.
  bool IsWorthwhile(const Group& group) const {
    if (group.members.size() != 1) return !group.members.empty();
    const bool is_long = group.count >= kLongLoop && !ReducerAt(group.members[0]);
    return is_long || AbsorbsAny(group);
  }

  void Keep(const Group& group) {
    if (IsWorthwhile(group)) LoopMaker(*this).Make(group);
  }

  // Puts the loop of a group together.
  class LoopMaker {
   public:
    explicit LoopMaker(Joiner& joiner) : joiner_(joiner), loop_(std::make_unique<JoinedLoop>()) {}

    void Make(const Group& group) {
      loop_->count = group.count;
      members_ = group.members;
      builder_.SetRowLength(group.row_length);
      std::sort(members_.begin(), members_.end());
      for (int32_t member : members_) AddInputs(member);
      for (int32_t member : members_) AddSteps(member);
      std::vector<RegionScalar> results;
      for (int32_t member : members_) {
        if (!IsNeeded(member)) continue;
        loop_->outputs.push_back(member);
        results.push_back(scalars_[IndexOf(member)]);
      }
      if (results.empty()) loop_->inputs.clear();
      loop_->steps = builder_.Finish(results);
      for (size_t i = 0; i < loop_->inputs.size(); ++i) {
        const auto parameter = static_cast<int32_t>(i);
        if (IsUniform(loop_->inputs[i])) {
          loop_->steps.uniform_parameters.push_back(parameter);
          AddNumber(parameter);
        } else if (!loop_->steps.IsRow(parameter) && RepeatsInRows(loop_->inputs[i])) {
          loop_->steps.row_parameters.push_back(parameter);
        }
      }
      AddMembers();
      joiner_.loops_.push_back(std::move(loop_));
    }

   private:
    size_t IndexOf(int32_t member) const {
      const auto at = std::lower_bound(members_.begin(), members_.end(), member);
      return static_cast<size_t>(at - members_.begin());
    }
    bool Has(int32_t value) const {
      return std::binary_search(members_.begin(), members_.end(), value);
    }

    void AddInputs(int32_t member) {
      const Instruction& instruction = joiner_.At(member);
      for (const Instruction* operand : instruction.operands()) {
        const Source source = joiner_.Read(*operand, joiner_.ReadShape(member));
        if (Has(source.value) || InputOf(operand) < operands_.size()) continue;
        const ElementType type = operand->shape().element_type();
        loop_->inputs.push_back({.value = source.value, .type = type});
        if (source.view) loop_->inputs.back().view.emplace(*source.view);
        const bool is_row = IsOnRows(member) && !IsUniform(loop_->inputs.back());
        operands_.push_back(operand);
        parameters_.push_back(is_row ? builder_.RowParameter(type) : builder_.Parameter(type));
      }
    }

    // What code may rely on.
    void AddNumber(int32_t parameter) {
      const LoopInput& input = loop_->inputs[static_cast<size_t>(parameter)];
      const Instruction& source = joiner_.At(input.value);
      const Tensor* const literal = ArrayOfConstant(source);
      if (literal == nullptr || literal->rank() != 0 || !IsFloat(input.type)) return;
      loop_->steps.known_numbers.push_back(
          {parameter, ElementNumber(literal->element_type(), literal->bytes())});
    }

    // A reduction goes through elements, and gives one for every row.
    bool IsOnRows(int32_t member) const {
      return joiner_.IsRow(member) && !joiner_.ReducerAt(member);
    }
    static bool IsUniform(const LoopInput& input) { return input.view && input.view->is_uniform(); }

    bool RepeatsInRows(const LoopInput& input) const {
      const int64_t length = loop_->steps.row_length;
      return length > 0 && input.view && length % input.view->period() == 0;
    }

    size_t InputOf(const Instruction* operand) const {
      const auto at = std::find(operands_.begin(), operands_.end(), operand);
      return static_cast<size_t>(at - operands_.begin());
    }

    void AddSteps(int32_t member) {
      const Instruction& instruction = joiner_.At(member);
      builder_.set_source(&instruction);
      std::vector<RegionScalar> operands;
      for (const Instruction* operand : instruction.operands()) {
        const Source source = joiner_.Read(*operand, joiner_.ReadShape(member));
        operands.push_back(Has(source.value) ? ScalarOf(source.value, IsOnRows(member))
                                             : parameters_[InputOf(operand)]);
      }
      if (const std::optional<Reducer>& reducer = joiner_.ReducerAt(member)) {
        return scalars_.push_back(builder_.FoldRows(*reducer, operands[0], operands[1]));
      }
      // IsElement has seen that there is a loop.
      builder_.set_on_rows(IsOnRows(member));
      scalars_.push_back(*EmitElement(instruction, operands, joiner_.custom_calls_, &builder_));
      builder_.set_on_rows(false);
    }

    // The value of a member, for elements or for rows.
    RegionScalar ScalarOf(int32_t member, bool on_rows) {
      const RegionScalar scalar = scalars_[IndexOf(member)];
      if (!joiner_.IsRow(member) || on_rows) return scalar;
      const auto [at, is_new] = spread_.try_emplace(member);
      if (is_new) at->second = builder_.SpreadRow(scalar);
      return at->second;
    }

    // Whether anything but the loop uses a member's value.
    bool IsNeeded(int32_t member) const {
      if (member == joiner_.plan_.root) return true;
      return IsUsedOutside(member);
    }
    bool IsUsedOutside(int32_t value) const {
      const std::vector<int32_t>& users = joiner_.users_[static_cast<size_t>(value)];
      return std::any_of(users.begin(), users.end(), [&](int32_t user) {
        return joiner_.is_absorbed_[static_cast<size_t>(user)] ? IsUsedOutside(user) : !Has(user);
      });
    }

    // The members, and what only moves elements for them.
    void AddMembers() {
      std::vector<int32_t>& all = loop_->members;
      all = members_;
      for (size_t i = 0; i < all.size(); ++i) {
        for (const Instruction* operand : joiner_.At(all[i]).operands()) {
          const int32_t value = operand->index();
          if (!joiner_.is_absorbed_[static_cast<size_t>(value)]) continue;
          if (std::find(all.begin(), all.end(), value) == all.end()) all.push_back(value);
        }
      }
      std::sort(all.begin(), all.end());
    }

    Joiner& joiner_;
    std::unique_ptr<JoinedLoop> loop_;
    std::vector<int32_t> members_;
    RegionBuilder builder_;
    std::vector<RegionScalar> parameters_;  // by input
    std::vector<const Instruction*> operands_;
    std::vector<RegionScalar> scalars_;  // by member
    std::unordered_map<int32_t, RegionScalar> spread_;
  };

  void Install(std::unique_ptr<JoinedLoop> loop) {
    for (int32_t member : loop->members) {
      PlannedInstruction& planned = plan_.instructions[static_cast<size_t>(member)];
      planned.is_joined = true;
      planned.operands.clear();
    }
    PlannedInstruction& last = plan_.instructions[static_cast<size_t>(loop->members.back())];
    last.is_joined = false;
    for (const LoopInput& input : loop->inputs) last.operands.push_back({.value = input.value});
    last.loop = loop.get();
    plan_.loops.push_back(std::move(loop));
  }

  ComputationPlan& plan_;
  const CustomCallTargets* custom_calls_;
  int32_t count_;
  std::vector<std::vector<int32_t>> users_;
  std::vector<Source> sources_;
  std::vector<bool> is_element_, is_absorbed_, is_row_;
  std::vector<std::optional<Reducer>> reducers_;  // of those that reduce rows
  std::vector<int32_t> group_of_;
  std::vector<std::vector<int32_t>> readers_;  // by value: groups
  std::vector<Group> groups_;
  std::vector<std::unique_ptr<JoinedLoop>> loops_;
};

}  // namespace

void JoinLoops(ComputationPlan& plan, const CustomCallTargets* custom_calls) {
  Joiner(plan, custom_calls).Run();
}

}  // namespace hlo
