#include "tests/conformance/test_targets.h"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "engine/ops/custom_calls/custom_calls.h"

namespace hlo {
namespace {

Value Filled(const OpCall& call, float value, EvalContext& context) {
  Tensor result(call.shape(), context.budget());
  for (int64_t i = 0; i < result.element_count(); ++i) result.mutable_data<float>()[i] = value;
  return Value(std::move(result));
}

// The number after a word of the call's configuration: "{value = 42.0 : f32}".
float ConfiguredNumber(const OpCall& call, std::string_view word) {
  const std::string& config = call.String("backend_config");
  const size_t at = config.find(word);
  return at == config.npos ? 0 : std::strtof(config.c_str() + at + word.size(), nullptr);
}

// Three columns side by side.
Value Concat3Vectors(const OpCall& call, std::span<Value> args, EvalContext& context) {
  Tensor result(call.shape(), context.budget());
  const Value::Elements& columns = args[0].elements();
  for (int64_t row = 0; row < result.dim(0); ++row) {
    for (size_t column = 0; column < columns.size(); ++column) {
      result.mutable_data<float>()[row * result.dim(1) + static_cast<int64_t>(column)] =
          columns[column].tensor().data<float>()[row];
    }
  }
  return Value(std::move(result));
}

// What the devices of the run have brought.
struct Sum {
  int64_t arrived = 0;
  uint32_t total = 0;
};
Sum& TheSum() {
  static Sum sum;
  return sum;
}

// A sum over all replicas: whoever comes early waits.
ControlStep AllReduce(const OpCall& call, std::span<Value> args, ControlState& state,
                      EvalContext& context) {
  if (state.step++ == 0) {
    TheSum().total += *args[0].tensor().data<uint32_t>();
    ++TheSum().arrived;
  }
  ControlStep step;
  if (TheSum().arrived < call.replica_count()) {
    step.kind = ControlStep::Kind::kWait;
  } else {
    step.result = Value(Tensor::Scalar<uint32_t>(TheSum().total, context.budget()));
  }
  return step;
}

}  // namespace

void AddTestTargets(CustomCallTargets& targets) {
  TheSum() = Sum();
  targets.Add("__xla_test$$all_reduce", CustomCallSteps{AllReduce});
  targets.Add("__xla_test_blocked_device_all_reduce", CustomCallSteps{AllReduce});
  targets.Add("__xla_test$$Concat3Vectors", Concat3Vectors);
  // The test hands the number over beside the program.
  targets.Add("MemsetFromValue", [](const OpCall& call, std::span<Value>, EvalContext& context) {
    return Filled(call, 42, context);
  });
  targets.Add("__xla_test$$memset_const",
              [](const OpCall& call, std::span<Value>, EvalContext& context) {
                return Filled(call, ConfiguredNumber(call, "value = "), context);
              });
  // Scaled by the iteration of the loop around it, which is how often it was called.
  targets.Add("__xla_test$$scaled_memset", [count = 0](const OpCall& call, std::span<Value>,
                                                       EvalContext& context) mutable {
    return Filled(call, ConfiguredNumber(call, "array<f32: ") * static_cast<float>(count++),
                  context);
  });
}

}  // namespace hlo
