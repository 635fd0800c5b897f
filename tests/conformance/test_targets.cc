#include "tests/conformance/test_targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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

// ---- xla/tests/custom_call_test.cc, xla/service/gpu/custom_call_test.cc ----

// The arrays among values and in their tuples, in order.
void AddLeaves(std::span<const Value> values, std::vector<Tensor>* leaves) {
  for (const Value& value : values) {
    if (value.is_tuple()) {
      AddLeaves(value.elements(), leaves);
    } else {
      leaves->push_back(value.tensor());
    }
  }
}

// The first of `leaves` in the structure of `shape`; they are taken off.
Value Nested(const Shape& shape, std::span<const Tensor>* leaves) {
  if (!shape.IsTuple()) {
    const Tensor first = leaves->front();
    *leaves = leaves->subspan(1);
    return first;
  }
  Value::Elements elements;
  for (const Shape& element : shape.elements()) elements.push_back(Nested(element, leaves));
  return Value::Tuple(std::move(elements));
}

// Each result is the operand after it, the last one the first operand.
Value Rotate(const OpCall& call, std::span<Value> args, EvalContext&) {
  std::vector<Tensor> leaves;
  AddLeaves(args, &leaves);
  std::rotate(leaves.begin(), leaves.begin() + 1, leaves.end());
  std::span<const Tensor> rest = leaves;
  return Nested(call.shape(), &rest);
}

template <typename T>
void AddTo(Tensor* tensor, double number, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < std::min(end, tensor->element_count()); ++i) {
    tensor->mutable_data<T>()[i] += static_cast<T>(number);
  }
}

// The operand in the result's shape, a number added to its elements in [begin, end).
Value Added(const OpCall& call, std::span<Value> args, EvalContext& context, double number,
            int64_t begin = 0, int64_t end = INT64_MAX) {
  Tensor result(call.shape(), context.budget());
  std::memcpy(result.mutable_bytes(), args[0].tensor().bytes(),
              static_cast<size_t>(result.byte_size()));
  switch (result.element_type()) {
    case ElementType::kF64:
      AddTo<double>(&result, number, begin, end);
      break;
    case ElementType::kS32:
      AddTo<int32_t>(&result, number, begin, end);
      break;
    default:
      AddTo<float>(&result, number, begin, end);
      break;
  }
  return result;
}

// The sum or the product of all elements, by the numbers of enumerators in the configuration.
Value Accumulate(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const Tensor& in = args[0].tensor();
  const bool multiplies = ConfiguredNumber(call, "binary_op = ") != 0;
  float total = ConfiguredNumber(call, "init = ");
  for (int64_t i = 0; i < in.element_count(); ++i) {
    total = multiplies ? total * in.data<float>()[i] : total + in.data<float>()[i];
  }
  return Filled(call, total, context);
}

// A vector times a number, and arrays with one more behind them.
Value HandleTupleDifferentRanks(const OpCall& call, std::span<Value> args, EvalContext& context) {
  std::vector<Tensor> in;
  AddLeaves(args, &in);
  Tensor scaled(call.shape().elements()[0], context.budget());
  for (int64_t i = 0; i < scaled.element_count(); ++i) {
    scaled.mutable_data<int32_t>()[i] =
        static_cast<int32_t>(*in[0].data<uint32_t>()) * in[1].data<int16_t>()[i];
  }
  Tensor joined(call.shape().elements()[1], context.budget());
  const auto size = static_cast<size_t>(in[3].byte_size());
  std::memcpy(joined.mutable_bytes(), in[3].bytes(), size);
  std::memcpy(joined.mutable_bytes() + size, in[2].bytes(), static_cast<size_t>(in[2].byte_size()));
  Value::Elements both;
  both.emplace_back(std::move(scaled));
  both.emplace_back(std::move(joined));
  return Value::Tuple(std::move(both));
}

void AddCustomCallTests(CustomCallTargets& targets) {
  for (const char* name : {"R0F32Add2", "R0F32Add2InPlace", "R0F32Add2Succeed",
                           "__xla_test$$FfiR0F32Add2", "__xla_test$$FfiR0FAdd2BufferBase"}) {
    targets.Add(name, [](const OpCall& call, std::span<Value> args, EvalContext& context) {
      return Added(call, args, context, 2);
    });
  }
  for (const char* name : {"Add1ToValues", "__xla_test$$FfiF32Add1ToValues", "xla.gpu.add_one"}) {
    targets.Add(name, [](const OpCall& call, std::span<Value> args, EvalContext& context) {
      return Added(call, args, context, 1);
    });
  }
  for (const int64_t half : {0, 1}) {
    targets.Add(half == 0 ? "xla.gpu.update_buffer1" : "xla.gpu.update_buffer2",
                [half](const OpCall& call, std::span<Value> args, EvalContext& context) {
                  return Added(call, args, context, 1, half * 2, half * 2 + 2);
                });
  }
  targets.Add("__xla_test$$FfiR0F32AddN",
              [](const OpCall& call, std::span<Value> args, EvalContext& context) {
                return Added(call, args, context, ConfiguredNumber(call, "n = "));
              });
  for (const char* name :
       {"R2F32ReduceSum", "__xla_test$$FfiF32ReduceSum", "__xla_test$$FfiF32Accumulate"}) {
    targets.Add(name, Accumulate);
  }
  for (const char* name :
       {"__xla_test$$FfiF32TupleSwap", "__xla_test$$FfiTupleRotate",
        "__xla_test$$SwapTupleAnyBuffersToS16U32", "__xla_test$$SwapTupleU32S16ToS16U32"}) {
    targets.Add(name, Rotate);
  }
  targets.Add("__xla_test$$HandleTupleDifferentRanks", HandleTupleDifferentRanks);
  // They count their calls, from 42 or from what the configuration says.
  targets.Add("__xla_test$$ffi_execution_state",
              [count = 42.0F](const OpCall& call, std::span<Value>, EvalContext& context) mutable {
                return Filled(call, ++count, context);
              });
  targets.Add("__xla_test$$ffi_execution_state_with_attrs",
              [count = 0.0F](const OpCall& call, std::span<Value>, EvalContext& context) mutable {
                return Filled(call, ConfiguredNumber(call, "initial_value = ") + ++count, context);
              });
}

// ---- Collectives ----

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
  AddCustomCallTests(targets);
  TheSum() = Sum();
  targets.Add("__xla_test$$all_reduce", CustomCallSteps{AllReduce});
  for (const char* execution : {"blocked", "delayed"}) {
    for (const char* kind : {"device", "peer", "sym_peer", "multimem", "sym_multimem"}) {
      targets.Add(fmt::format("__xla_test_{}_{}_all_reduce", execution, kind),
                  CustomCallSteps{AllReduce});
    }
  }
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
