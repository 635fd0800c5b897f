#include "engine/plan/value_uses.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

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
    if (def.buffers == ResultBuffers::kElement) {
      if (path.empty() || path[0] != user.attrs().Int("index", -1)) return;
      path.erase(path.begin());
      return Reach({&user, std::move(path)});
    }
    if (def.buffers == ResultBuffers::kOperands) {
      path.insert(path.begin(), operand);
      return Reach({&user, std::move(path)});
    }
    ForEachCallee(user, [&](const Attr&, const Computation& callee) {
      const Instruction* parameter = ParameterOf(callee, user, operand);
      if (parameter) Reach({parameter, path});
    });
    if (Carries(def, operand)) Reach({&user, std::move(path)});
  }

 private:
  // The parameter that gets the operand: of fusions and calls the one of its number, of loops the
  // only one, of branches that of the branch.
  static const Instruction* ParameterOf(const Computation& callee, const Instruction& user,
                                        int operand) {
    const auto& parameters = callee.parameters();
    size_t number = static_cast<size_t>(operand);
    if (parameters.size() == 1 && user.operand_count() != 1) number = 0;
    if (number >= parameters.size() || !parameters[number]) return nullptr;
    const Shape& given = user.operand(operand)->shape();
    return Shape::Compatible(parameters[number]->shape(), given) ? parameters[number] : nullptr;
  }

  void Reach(Place place) {
    if (seen_.size() < kMostPlaces && seen_.insert(place).second) open_.push_back(std::move(place));
  }

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
    for (const Instruction& instruction : computation.instructions()) {
      for (int i = 0; i < instruction.operand_count(); ++i) {
        uses_[instruction.operand(i)].push_back({&instruction, i});
      }
    }
  }
}

std::vector<int64_t> ValueUses::LargestOf(const Instruction& value) const {
  std::vector<std::vector<int64_t>> paths;
  std::vector<int64_t> path;
  AddPaths(value.shape(), &path, &paths);
  std::vector<int64_t> largest;
  for (std::vector<int64_t>& array : paths) {
    int64_t least = -1;
    Walk walk({&value, std::move(array)});
    for (Place place; walk.Next(&place);) {
      const auto uses = uses_.find(place.instruction);
      if (uses == uses_.end()) continue;
      for (const Use& use : uses->second) {
        const OpDef& def = use.user->def();
        const int64_t here =
            def.largest && place.path.empty() ? def.largest(use.user->Call(), use.operand) : -1;
        if (here >= 0) least = least < 0 ? here : std::min(least, here);
        walk.Follow(*use.user, use.operand, place.path);
      }
    }
    largest.push_back(least);
  }
  return largest;
}

}  // namespace hlo
