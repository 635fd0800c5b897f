#include "engine/standalone/sort_order.h"

#include <algorithm>
#include <map>

#include "engine/hlo/ir.h"
#include "engine/plan/region_builder.h"
#include "engine/standalone/operation.h"

namespace hlo {
namespace {

/// Whether the comparator orders floats by less and greater, of which NaN is neither.
bool ComparesPartially(const FoundKeys& keys) {
  return std::any_of(keys.keys.begin(), keys.keys.end(), [](const SortKey& key) {
    return IsFloat(key.order.type) && !key.order.total;
  });
}

/// The comparator of keys of which NaNs come last (order_keys.h).
class KeyComparator {
 public:
  explicit KeyComparator(const std::vector<ElementType>& parameters) {
    for (ElementType type : parameters) scalars_.push_back(builder_.Parameter(type));
  }

  RegionSteps Run(const FoundKeys& found) {
    // The computed keys, in order.
    const std::vector<RegionScalar> computed[] = {Computed(found.compute, 0),
                                                  Computed(found.compute, 1)};
    size_t left = computed[0].size();
    std::optional<RegionScalar> before;
    for (size_t i = found.keys.size(); i-- > 0;) {
      const SortKey& key = found.keys[i];
      const bool is_computed = key.operand == SortKey::kComputed;
      if (is_computed) --left;
      const auto of_side = [&](size_t side) {
        return is_computed ? computed[side][left]
                           : scalars_[2 * static_cast<size_t>(key.operand) + side];
      };
      const RegionScalar a = of_side(0), b = of_side(1);
      const RegionScalar is_first = Precedes(a, b, key.order), is_equal = Equals(a, b, key.order);
      if (before) {
        before = Or(is_first, builder_.And(is_equal, *before));
      } else {
        before = found.reverses_equals ? Or(is_first, is_equal) : is_first;
      }
    }
    return builder_.Finish({*before});
  }

 private:
  /// What the steps compute of the elements of one side.
  std::vector<RegionScalar> Computed(const RegionSteps& steps, size_t side) {
    std::map<int32_t, RegionScalar> known;
    for (size_t i = 0; i < steps.parameters.size(); ++i) {
      known[static_cast<int32_t>(i)] = scalars_[2 * i + side];
    }
    for (const RegionConstant& constant : steps.constants) {
      known[constant.id] = builder_.Constant(constant.type, constant.value.data());
    }
    for (const RegionStep& step : steps.steps) {
      RegionScalar args[ElementLoop::kMaxOperands];
      for (int k = 0; k < step.loop.operand_count; ++k) args[k] = known.at(step.args[k]);
      known[step.result] = builder_.Emit(step.loop, args, step.opcode);
    }
    std::vector<RegionScalar> results;
    for (const RegionScalar& result : steps.results) results.push_back(known.at(result.id));
    return results;
  }

  RegionScalar Or(RegionScalar a, RegionScalar b) {
    return builder_.Not(builder_.And(builder_.Not(a), builder_.Not(b)));
  }
  RegionScalar Compared(RegionScalar a, RegionScalar b, Direction direction, bool total) {
    const RegionScalar args[] = {a, b};
    return builder_.Emit(
        CompareLoop(a.type, direction, total ? FloatOrder::kTotal : FloatOrder::kPartial), args);
  }
  RegionScalar IsNan(RegionScalar a) { return Compared(a, a, Direction::kNe, false); }
  static bool HasNan(const ElementOrder& order) { return IsFloat(order.type) && !order.total; }

  RegionScalar Precedes(RegionScalar a, RegionScalar b, const ElementOrder& order) {
    const RegionScalar less =
        Compared(a, b, order.descending ? Direction::kGt : Direction::kLt, order.total);
    if (!HasNan(order)) return less;
    return Or(less, builder_.And(IsNan(b), builder_.Not(IsNan(a))));
  }
  RegionScalar Equals(RegionScalar a, RegionScalar b, const ElementOrder& order) {
    const RegionScalar equal = Compared(a, b, Direction::kEq, order.total);
    return HasNan(order) ? Or(equal, builder_.And(IsNan(a), IsNan(b))) : equal;
  }

  RegionBuilder builder_;
  std::vector<RegionScalar> scalars_;
};

}  // namespace

RegionSteps ComparatorOf(const FoundKeys& keys, const std::vector<ElementType>& parameters) {
  return KeyComparator(parameters).Run(keys);
}

std::optional<RegionSteps> OrderOf(const OpCall& call) {
  std::optional<RegionSteps> steps = StepsOf(call);
  if (!steps) return std::nullopt;
  const std::optional<FoundKeys> keys = FindKeys(*steps);
  if (!keys || !ComparesPartially(*keys)) return steps;
  return ComparatorOf(*keys, steps->parameters);
}

}  // namespace hlo
