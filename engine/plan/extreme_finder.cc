// A region is first seen to depend on nothing but comparisons of the values with each other and of
// the indices with each other. Then what it does on one pair of each kind is what it does on all.
#include "engine/plan/extreme_finder.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <limits>
#include <vector>

#include "engine/kernels/element_loop.h"
#include "engine/ops/float_widths.h"
#include "engine/types/convert.h"

namespace hlo {
namespace {

/// What a scalar is: one of a0 and b0, one of a1 and b1, or a truth about how those stand.
enum class Kind : uint8_t { kFirst, kSecond, kTruth, kOther };

/// The kind of a step's result, from those of its arguments.
Kind KindOfStep(const RegionStep& step, const std::vector<Kind>& kinds) {
  const auto arg = [&](int i) { return kinds[static_cast<size_t>(step.args[i])]; };
  if (step.loop.comparison) {
    // The total order of floats asks for the signs of zeros and NaNs too.
    const bool plain = !step.loop.comparison->total || !IsFloat(step.loop.operands[0]);
    return plain && arg(0) == arg(1) && arg(0) != Kind::kOther ? Kind::kTruth : Kind::kOther;
  }
  if (!step.opcode) return Kind::kOther;
  switch (*step.opcode) {
    case Opcode::kCopy:
      return arg(0);
    case Opcode::kSelect:
      return arg(0) == Kind::kTruth && arg(1) == arg(2) ? arg(1) : Kind::kOther;
    case Opcode::kMaximum:
    case Opcode::kMinimum:
      // Narrow floats go through f32 there, which makes signaling NaNs quiet.
      return arg(0) == arg(1) && !step.loop.wide_run ? arg(0) : Kind::kOther;
    case Opcode::kNot:
      return arg(0) == Kind::kTruth ? Kind::kTruth : Kind::kOther;
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:
      return arg(0) == Kind::kTruth && arg(1) == Kind::kTruth ? Kind::kTruth : Kind::kOther;
    default:
      return Kind::kOther;
  }
}

/// The results are parameters of their side, chosen by comparisons.
bool ChoosesByComparing(const RegionSteps& region) {
  const std::vector<ElementType>& types = region.parameters;
  if (types.size() != 4 || region.results.size() != 2 || !region.loops.empty()) return false;
  if (types[0] != types[2] || types[1] != types[3]) return false;
  std::vector<Kind> kinds(static_cast<size_t>(region.scalar_count), Kind::kOther);
  kinds[0] = kinds[2] = Kind::kFirst;
  kinds[1] = kinds[3] = Kind::kSecond;
  for (const RegionConstant& constant : region.constants) {
    if (constant.type != ElementType::kPred) continue;
    kinds[static_cast<size_t>(constant.id)] = Kind::kTruth;
  }
  for (const RegionStep& step : region.steps) {
    kinds[static_cast<size_t>(step.result)] = KindOfStep(step, kinds);
  }
  return kinds[static_cast<size_t>(region.results[0].id)] == Kind::kFirst &&
         kinds[static_cast<size_t>(region.results[1].id)] == Kind::kSecond;
}

using Element = std::array<std::byte, 16>;

Element ElementOf(ElementType type, double value) {
  Element element{};
  ConvertElements(ElementType::kF64, reinterpret_cast<const std::byte*>(&value), type,
                  element.data(), 1);
  return element;
}

bool Same(const Element& a, const Element& b, ElementType type) {
  return std::memcmp(a.data(), b.data(), static_cast<size_t>(BytesOf(type))) == 0;
}

/// A pair of each kind. Equal values differ in their bits where any do.
struct Sample {
  double left, right;
  Standing standing;
};
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr Sample kSamples[] = {{1, 2, Standing::kLess},         {0.0, -0.0, Standing::kEqual},
                               {-0.0, 0.0, Standing::kEqual},   {2, 1, Standing::kGreater},
                               {kNan, 1, Standing::kLeftNan},   {1, kNan, Standing::kRightNan},
                               {kNan, kNan, Standing::kBothNan}};

class RuleMaker {
 public:
  RuleMaker(const RegionSteps& region, RegionFunction& function, int values)
      : function_(function),
        values_(static_cast<size_t>(values)),
        value_type_(region.parameters[values_]),
        index_type_(region.parameters[1 - values_]) {}

  std::optional<ExtremeRule> Run() {
    if (!CanFoldArgExtreme(value_type_, index_type_)) return std::nullopt;
    bool known[kStandings] = {};
    for (const Sample& sample : kSamples) {
      const int standing = static_cast<int>(sample.standing);
      if (!IsFloat(value_type_) && sample.standing > Standing::kGreater) continue;
      for (int order = 0; order < 3; ++order) {
        const ExtremeRule before = rule_;
        if (!Try(sample, order)) return std::nullopt;
        const bool same =
            rule_.takes_value[standing][order] == before.takes_value[standing][order] &&
            rule_.takes_index[standing][order] == before.takes_index[standing][order];
        if (known[standing] && !same) return std::nullopt;
      }
      known[standing] = true;
    }
    rule_.maximum = rule_.takes_value[static_cast<int>(Standing::kLess)][0];
    return IsExtreme() ? std::optional(rule_) : std::nullopt;
  }

 private:
  // What the region does, into the rule; false when a result is neither of the two.
  bool Try(const Sample& sample, int order) {
    const Element left = ElementOf(value_type_, sample.left);
    Element right = ElementOf(value_type_, sample.right);
    // NaNs that tell who they are.
    if (sample.standing == Standing::kBothNan) right[0] ^= std::byte{1};
    const Element index_left = ElementOf(index_type_, 1);
    const Element index_right = ElementOf(index_type_, 2 - order);
    Element value, index;
    const std::byte* args[4];
    std::byte* results[2];
    args[values_] = left.data();
    args[1 - values_] = index_left.data();
    args[2 + values_] = right.data();
    args[3 - values_] = index_right.data();
    results[values_] = value.data();
    results[1 - values_] = index.data();
    function_.Apply(1, args, results);
    const bool is_left = Same(value, left, value_type_), is_right = Same(value, right, value_type_);
    const bool index_is_left = Same(index, index_left, index_type_);
    const int standing = static_cast<int>(sample.standing);
    rule_.takes_value[standing][order] = !is_left;
    rule_.takes_index[standing][order] = !index_is_left;
    return (is_left || is_right) && (index_is_left || Same(index, index_right, index_type_));
  }

  // The greater value stays or replaces, with its index; or the less one.
  bool IsExtreme() const {
    constexpr int kLess = static_cast<int>(Standing::kLess);
    constexpr int kGreater = static_cast<int>(Standing::kGreater);
    const bool takes_less = rule_.maximum, takes_greater = !rule_.maximum;
    for (int order = 0; order < 3; ++order) {
      // Of equal indices it does not show which one is taken.
      const bool shows = order != 1;
      if (rule_.takes_value[kLess][order] != takes_less ||
          rule_.takes_value[kGreater][order] != takes_greater ||
          (shows && (rule_.takes_index[kLess][order] != takes_less ||
                     rule_.takes_index[kGreater][order] != takes_greater))) {
        return false;
      }
    }
    return true;
  }

  RegionFunction& function_;
  const size_t values_;
  const ElementType value_type_, index_type_;
  ExtremeRule rule_;
};

}  // namespace

std::optional<PairReducer> FindPairReducer(const RegionSteps& region, RegionFunction& function) {
  if (!ChoosesByComparing(region)) return std::nullopt;
  for (int values = 0; values < 2; ++values) {
    if (std::optional<ExtremeRule> rule = RuleMaker(region, function, values).Run()) {
      return PairReducer{values, *rule};
    }
  }
  return std::nullopt;
}

}  // namespace hlo
