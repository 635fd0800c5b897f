#include "engine/plan/value_uses.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "engine/base/stable_sort.h"
#include "engine/hlo/call_graph.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

// A value is followed no further than this.
constexpr size_t kMostPlaces = 2000;

/// An array in the value of an instruction.
struct Place {
  const Instruction* instruction;
  std::vector<int64_t> path;
  friend bool operator<(const Place& a, const Place& b) {
    return std::tie(a.instruction, a.path) < std::tie(b.instruction, b.path);
  }
};

bool Carries(const OpDef& def, int operand) {
  if (operand == 0 && def.passes_on != PassesOn::kNothing) return true;
  return operand < 32 && ((def.carries >> operand) & 1) != 0;
}

// Where a value goes from one operand of an instruction.
class Walk {
 public:
  explicit Walk(Place from) { Reach(std::move(from)); }

  bool Next(Place* place) {
    if (open_.empty()) return false;
    *place = std::move(open_.back());
    open_.pop_back();
    return true;
  }

  void Follow(const Instruction& user, int operand, std::vector<int64_t> path) {
    const OpDef& def = user.def();
    if (def.buffers == ResultBuffers::kOperands) {
      path.insert(path.begin(), operand);
      return Reach({&user, std::move(path)});
    }
    if (Carries(def, operand)) Reach({&user, std::move(path)});
  }

  void Reach(Place place) {
    if (seen_.size() < kMostPlaces && seen_.insert(place).second) open_.push_back(std::move(place));
  }

 private:
  std::set<Place> seen_;
  std::vector<Place> open_;
};

// The paths to the arrays in a shape, in order.
void AddPaths(const Shape& shape, std::vector<int64_t>* path,
              std::vector<std::vector<int64_t>>* paths) {
  if (shape.IsArray() || shape.IsBuffer()) paths->push_back(*path);
  if (!shape.IsTuple()) return;
  for (size_t i = 0; i < shape.elements().size(); ++i) {
    path->push_back(static_cast<int64_t>(i));
    AddPaths(shape.elements()[i], path, paths);
    path->pop_back();
  }
}

}  // namespace

ValueUses::ValueUses(const Module& module) {
  for (const Computation& computation : module.computations()) {
    for (const Instruction& user : computation.instructions()) {
      const bool is_element = user.def().buffers == ResultBuffers::kElement;
      const int64_t element = is_element ? user.attrs().Int("index", -1) : -1;
      for (int i = 0; i < user.operand_count(); ++i) {
        uses_.push_back({user.operand(i), element, &user, i});
      }
      ForEachPassed(user, [&](int operand, const Instruction& parameter) {
        const Instruction* const given = user.operand(operand);
        if (!Shape::Compatible(parameter.shape(), given->shape())) return;
        uses_.push_back({given, -1, &parameter, -1});
      });
    }
  }
  order_ = StableOrder(uses_.size(), [this](uint32_t a, uint32_t b) {
    const Use &left = uses_[a], &right = uses_[b];
    return left.value != right.value ? left.value < right.value : left.element < right.element;
  });
}

std::span<const uint32_t> ValueUses::UsesOf(const Instruction* value, int64_t element) const {
  const uint32_t* const last = order_.data() + order_.size();
  const uint32_t* const begin = std::partition_point(order_.data(), last, [&](uint32_t i) {
    const Use& use = uses_[i];
    return use.value != value ? use.value < value : use.element < element;
  });
  const uint32_t* end = begin;
  while (end != last && uses_[*end].value == value && uses_[*end].element == element) ++end;
  return {begin, static_cast<size_t>(end - begin)};
}

std::vector<int64_t> ValueUses::LargestOf(const Instruction& value) const {
  std::vector<std::vector<int64_t>> paths;
  std::vector<int64_t> path;
  AddPaths(value.shape(), &path, &paths);
  std::vector<int64_t> largest;
  largest.reserve(paths.size());
  for (std::vector<int64_t>& array : paths) {
    largest.push_back(LargestAt(value, std::move(array)));
  }
  return largest;
}

int64_t ValueUses::LargestAt(const Instruction& value, std::vector<int64_t> path) const {
  int64_t least = -1;
  Walk walk({&value, std::move(path)});
  for (Place place; walk.Next(&place);) {
    if (!place.path.empty()) {
      for (const uint32_t use : UsesOf(place.instruction, place.path[0])) {
        walk.Reach({uses_[use].to, {place.path.begin() + 1, place.path.end()}});
      }
    }
    for (const uint32_t number : UsesOf(place.instruction, -1)) {
      const Use& use = uses_[number];
      if (use.operand < 0) {
        walk.Reach({use.to, place.path});
        continue;
      }
      const OpDef& def = use.to->def();
      const int64_t here =
          def.largest && place.path.empty() ? def.largest(use.to->Call(), use.operand) : -1;
      if (here >= 0) least = least < 0 ? here : std::min(least, here);
      walk.Follow(*use.to, use.operand, place.path);
    }
  }
  return least;
}

}  // namespace hlo
