// Custom calls written as functions of arrays:
//
//   targets.Add("add_up", ArrayCall<float>([](const auto& x) { return xt::sum(x, {1}); }));
#ifndef HLO_ENGINE_OPS_CUSTOM_CALLS_ARRAY_CALL_H_
#define HLO_ENGINE_OPS_CUSTOM_CALLS_ARRAY_CALL_H_

#include <fmt/format.h>

#include <cstddef>
#include <span>
#include <tuple>
#include <utility>

#include "engine/ops/custom_calls/custom_call_targets.h"
#include "engine/types/tensor_view.h"

namespace hlo {

/// Operand i of a call as a read-only view, which must not outlive `args`. Throws RunError when it
/// is no array of T.
template <typename T>
auto Operand(const OpCall& call, std::span<const Value> args, size_t i) {
  if (!args[i].is_array() || args[i].tensor().element_type() != kTypeOf<T>) {
    RefuseCall(call, fmt::format("takes an array of {} as operand {}, not {}", Text(kTypeOf<T>), i,
                                 ShapeName(call.operand(static_cast<int>(i)))));
  }
  return ViewOf<T>(args[i].tensor());
}

/// A target that computes `function(x0, x1, ...)`: the operands as views, arrays of these element
/// types; the result is an array expression. It is evaluated while the operands are there, so that
/// it may refer to them, but not to local variables.
template <typename... Elements, typename Function>
CustomCallFunction ArrayCall(Function function) {
  return [function = std::move(function)](const OpCall& call, std::span<Value> args,
                                          EvalContext& context) {
    WantOperands(call, static_cast<int>(sizeof...(Elements)));
    return [&]<size_t... kAt>(std::index_sequence<kAt...>) {
      // In a tuple, which makes them one after another, and keeps them, since what the function
      // returns refers to them.
      const std::tuple views{Operand<Elements>(call, args, kAt)...};
      return Value(TensorOf(function(std::get<kAt>(views)...), context.budget()));
    }
    (std::index_sequence_for<Elements...>());
  };
}

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_CUSTOM_CALLS_ARRAY_CALL_H_
