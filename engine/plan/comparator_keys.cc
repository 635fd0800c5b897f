#include "engine/plan/comparator_keys.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/kernels/element_loop.h"
#include "engine/types/element_number.h"

namespace hlo {
namespace {

/// Larger regions are not looked at: the search is quadratic.
constexpr size_t kMostComparedSteps = 500;
constexpr int32_t kNone = -1;

/// The same operation. The functions of loops are compared, since operations that compute the same
/// may share one.
bool SameLoop(const ElementLoop& a, const ElementLoop& b) {
  return a.run == b.run && a.operand_count == b.operand_count && a.result == b.result &&
         std::equal(a.operands, a.operands + a.operand_count, b.operands) &&
         std::equal(a.params, a.params + 2, b.params) && a.wide_run == b.wide_run &&
         a.wide_operand == b.wide_operand && a.wide_result == b.wide_result;
}

/// The step is this op of truth values.
bool IsLogical(const RegionStep& step, Opcode opcode) {
  return step.opcode == opcode && step.loop.result == ElementType::kPred;
}

Direction Swapped(Direction direction) {
  switch (direction) {
    case Direction::kGe:
      return Direction::kLe;
    case Direction::kGt:
      return Direction::kLt;
    case Direction::kLe:
      return Direction::kGe;
    case Direction::kLt:
      return Direction::kGt;
    default:
      return direction;
  }
}

class KeyFinder {
 public:
  explicit KeyFinder(const RegionSteps& region)
      : region_(region), scalars_(static_cast<size_t>(region.scalar_count)) {}

  std::optional<FoundKeys> Run() {
    if (region_.results.size() != 1 || !region_.loops.empty() ||
        region_.parameters.size() % 2 != 0 || region_.steps.size() > kMostComparedSteps ||
        region_.constants.size() > kMostComparedSteps) {
      return std::nullopt;
    }
    SetParameters();
    SetConstants();
    MergeEqualSteps();
    FindTwins();
    if (!ReadChain(At(region_.results[0].id).same)) return std::nullopt;
    MakeProgram();
    return std::move(found_);
  }

 private:
  /// What is known of a scalar. Equal scalars are one: `same` is the first of them.
  struct Scalar {
    int32_t same = kNone;
    int32_t twin = kNone;  ///< what it is with the sides exchanged
    const RegionStep* step = nullptr;
    bool from_left = false, from_right = false;  ///< depends on a's, on b's
  };

  Scalar& At(int32_t id) { return scalars_[static_cast<size_t>(id)]; }

  void SetParameters() {
    for (size_t i = 0; i < region_.parameters.size(); ++i) {
      const int32_t id = static_cast<int32_t>(i);
      const size_t other = i ^ 1;
      At(id).same = id;
      if (region_.parameters[i] == region_.parameters[other]) {
        At(id).twin = static_cast<int32_t>(other);
      }
      (i % 2 == 0 ? At(id).from_left : At(id).from_right) = true;
    }
  }

  void SetConstants() {
    for (const RegionConstant& constant : region_.constants) {
      const auto equal = [&](const RegionConstant& other) {
        return other.type == constant.type &&
               std::memcmp(other.value.data(), constant.value.data(),
                           static_cast<size_t>(BytesOf(constant.type))) == 0;
      };
      const auto first =
          std::find_if(region_.constants.begin(), region_.constants.end(), equal)->id;
      At(constant.id).same = At(constant.id).twin = first;
    }
  }

  /// A step of this operation whose arguments are these; null if there is none.
  template <typename F>
  const RegionStep* Find(const RegionStep& like, F arg) {
    for (const RegionStep& step : region_.steps) {
      if (At(step.result).same == kNone) return nullptr;  // not reached yet
      bool equal = SameLoop(step.loop, like.loop);
      for (int i = 0; equal && i < like.loop.operand_count; ++i) {
        equal = At(step.args[i]).same == arg(i);
      }
      if (equal) return &step;
    }
    return nullptr;
  }

  void MergeEqualSteps() {
    for (const RegionStep& step : region_.steps) {
      const RegionStep* first = Find(step, [&](int i) { return At(step.args[i]).same; });
      Scalar& result = At(step.result);
      result.same = first ? first->result : step.result;
      result.step = &step;
      for (int i = 0; i < step.loop.operand_count; ++i) {
        result.from_left |= At(step.args[i]).from_left;
        result.from_right |= At(step.args[i]).from_right;
      }
    }
  }

  void FindTwins() {
    for (const RegionStep& step : region_.steps) {
      const auto twin = [&](int i) { return At(At(step.args[i]).same).twin; };
      bool all = true;
      for (int i = 0; i < step.loop.operand_count; ++i) all &= twin(i) != kNone;
      const RegionStep* found = all ? Find(step, twin) : nullptr;
      if (found) At(step.result).twin = At(found->result).same;
    }
  }

  /// A comparison of a value of the a's with the same value of the b's, in this order.
  struct KeyComparison {
    int32_t key;
    ElementType type;
    Comparison comparison;
  };
  std::optional<KeyComparison> ReadComparison(int32_t id) {
    const RegionStep* step = At(id).step;
    if (step == nullptr) return std::nullopt;
    std::optional<Comparison> comparison = step->loop.comparison;
    if (!comparison || comparison->weak || comparison->direction == Direction::kNe) {
      return std::nullopt;
    }
    int32_t left = At(step->args[0]).same, right = At(step->args[1]).same;
    if (At(left).twin != right) return std::nullopt;
    if (At(left).from_right) {
      std::swap(left, right);
      comparison->direction = Swapped(comparison->direction);
    }
    if (At(left).from_right || At(right).from_left) return std::nullopt;
    return KeyComparison{left, step->loop.operands[0], *comparison};
  }

  /// The constant's bits as a number without a sign, or nothing for other scalars.
  std::optional<uint64_t> ConstantBits(int32_t id) {
    for (const RegionConstant& constant : region_.constants) {
      if (constant.id != id) continue;
      uint64_t bits = 0;
      std::memcpy(&bits, constant.value.data(), static_cast<size_t>(BytesOf(constant.type)));
      return bits;
    }
    return std::nullopt;
  }

  /// Whether the scalar compares a with b in this way, as numbers.
  bool IsComparison(int32_t id, Direction direction, int32_t a, int32_t b) {
    const RegionStep* const step = At(id).step;
    if (step == nullptr || !step->loop.comparison || step->loop.comparison->total) return false;
    return step->loop.comparison->direction == direction && At(step->args[0]).same == a &&
           At(step->args[1]).same == b;
  }

  /// The parameter of which the scalar is what JAX compares when it sorts: one NaN for all, +0 for
  /// both zeros, everything else as it is. kNone for other scalars.
  int32_t ReadCanonical(int32_t id, ElementType type) {
    const bool is_plain = type == ElementType::kF16 || type == ElementType::kBF16 ||
                          type == ElementType::kF32 || type == ElementType::kF64;
    const auto is_choice = [&](const RegionStep* step) {
      return step != nullptr && step->opcode == Opcode::kSelect && step->loop.result == type;
    };
    const auto arg = [&](const RegionStep* of, int i) { return At(of->args[i]).same; };
    const RegionStep* const outer = At(id).step;
    if (!is_plain || !is_choice(outer)) return kNone;
    const RegionStep* const inner = At(arg(outer, 2)).step;
    if (!is_choice(inner)) return kNone;
    const int32_t zero = arg(inner, 1), number = arg(inner, 2);
    if (number >= static_cast<int32_t>(region_.parameters.size())) return kNone;
    const bool is_read = IsComparison(arg(outer, 0), Direction::kNe, number, number) &&
                         IsComparison(arg(inner, 0), Direction::kEq, number, zero);
    if (!is_read || ConstantBits(zero) != uint64_t{0}) return kNone;
    // Positive: the last of all.
    const std::optional<uint64_t> nan = ConstantBits(arg(outer, 1));
    return nan && IsPositiveNan(*nan, type) ? number : kNone;
  }

  static bool IsPositiveNan(uint64_t bits, ElementType type) {
    std::byte bytes[sizeof bits];
    std::memcpy(bytes, &bits, sizeof bits);
    const double number = ElementNumber(type, bytes);
    return number != number && bits >> (8 * BytesOf(type) - 1) == 0;
  }

  void AddKey(const KeyComparison& key) {
    const Direction direction = key.comparison.direction;
    SortKey sort_key;
    sort_key.order.type = key.type;
    sort_key.order.descending = direction == Direction::kGt || direction == Direction::kGe;
    sort_key.order.total = key.comparison.total;
    // Upwards, the total order of such numbers is the other one of what they are made of.
    const int32_t canonical = sort_key.order.total && !sort_key.order.descending
                                  ? ReadCanonical(key.key, key.type)
                                  : kNone;
    if (key.key < static_cast<int32_t>(region_.parameters.size())) {
      sort_key.operand = key.key / 2;
    } else if (canonical != kNone) {
      sort_key.operand = canonical / 2;
      sort_key.order.total = false;
    } else {
      found_.compute.results.push_back({key.key, key.type});
    }
    found_.keys.push_back(sort_key);
    found_.reverses_equals = direction == Direction::kGe || direction == Direction::kLe;
  }

  static bool IsStrict(const KeyComparison& key) {
    const Direction direction = key.comparison.direction;
    return direction == Direction::kLt || direction == Direction::kGt;
  }

  /// `id` as comparisons of keys, one after the other.
  bool ReadChain(int32_t id) {
    while (true) {
      if (std::optional<KeyComparison> last = ReadComparison(id)) {
        if (last->comparison.direction == Direction::kEq) return false;
        AddKey(*last);
        return true;
      }
      const int32_t rest = ReadLink(id);
      if (rest == kNone) return false;
      id = rest;
    }
  }

  /// Reads first || (equal && rest), or select(equal, rest, first), and adds the key of `first`;
  /// the rest, or kNone.
  int32_t ReadLink(int32_t id) {
    const RegionStep* step = At(id).step;
    if (step == nullptr) return kNone;
    const auto arg = [&](const RegionStep* of, int i) { return At(of->args[i]).same; };
    if (IsLogical(*step, Opcode::kSelect)) {
      return AddLink(arg(step, 2), arg(step, 0)) ? arg(step, 1) : kNone;
    }
    if (!IsLogical(*step, Opcode::kOr)) return kNone;
    for (int i = 0; i < 2; ++i) {
      const RegionStep* both = At(arg(step, 1 - i)).step;
      if (both == nullptr || !IsLogical(*both, Opcode::kAnd)) continue;
      for (int k = 0; k < 2; ++k) {
        if (AddLink(arg(step, i), arg(both, k))) return arg(both, 1 - k);
      }
    }
    return kNone;
  }

  bool AddLink(int32_t first, int32_t equal) {
    const std::optional<KeyComparison> less = ReadComparison(first);
    const std::optional<KeyComparison> same = ReadComparison(equal);
    if (!less || !same || !IsStrict(*less) || same->comparison.direction != Direction::kEq ||
        less->key != same->key || less->type != same->type ||
        less->comparison.total != same->comparison.total) {
      return false;
    }
    AddKey(*less);
    return true;
  }

  /// The steps that compute the computed keys, of half the parameters.
  void MakeProgram() {
    RegionSteps& program = found_.compute;
    if (program.results.empty()) return;
    const int32_t sides = static_cast<int32_t>(region_.parameters.size() / 2);
    const auto number = [&](int32_t id) { return id < 2 * sides ? id / 2 : id - sides; };
    std::vector<bool> used(scalars_.size(), false);
    for (RegionScalar& result : program.results) {
      used[static_cast<size_t>(result.id)] = true;
      result.id = number(result.id);
    }
    for (auto step = region_.steps.rbegin(); step != region_.steps.rend(); ++step) {
      if (!used[static_cast<size_t>(step->result)]) continue;
      program.steps.push_back(*step);
      program.steps.back().result = number(step->result);
      for (int i = 0; i < step->loop.operand_count; ++i) {
        used[static_cast<size_t>(step->args[i])] = true;
        program.steps.back().args[i] = number(step->args[i]);
      }
    }
    std::reverse(program.steps.begin(), program.steps.end());
    for (const RegionConstant& constant : region_.constants) {
      if (!used[static_cast<size_t>(constant.id)]) continue;
      program.constants.push_back({number(constant.id), constant.type, constant.value});
    }
    for (size_t i = 0; i < region_.parameters.size(); i += 2) {
      program.parameters.push_back(region_.parameters[i]);
    }
    program.scalar_count = region_.scalar_count - sides;
    program.result_parameters.assign(program.results.size(), -1);
  }

  const RegionSteps& region_;
  std::vector<Scalar> scalars_;
  FoundKeys found_;
};

}  // namespace

std::optional<FoundKeys> FindKeys(const RegionSteps& region) { return KeyFinder(region).Run(); }

}  // namespace hlo
