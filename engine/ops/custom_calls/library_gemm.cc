// Matrix products of cuBLAS and oneDNN.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "engine/ops/custom_calls/call_steps.h"
#include "engine/ops/custom_calls/library_calls.h"
#include "engine/ops/products/precision.h"

namespace hlo {
namespace {

/// The attributes of dot, and the keys that give them.
constexpr std::pair<std::string_view, std::string_view> kDotKeys[] = {
    {"lhs_contracting_dims", "lhs_contracting_dimensions"},
    {"rhs_contracting_dims", "rhs_contracting_dimensions"},
    {"lhs_batch_dims", "lhs_batch_dimensions"},
    {"rhs_batch_dims", "rhs_batch_dimensions"},
    {"operand_precision", "operand_precision"},
};

/// Epilogues, without BIAS and _AUX.
constexpr Activation kEpilogues[] = {{"DEFAULT", Unchanged}, {"RELU", Relu}, {"GELU", Gelu}};

/// What the epilogue of a product does.
struct Epilogue {
  bool adds_vector = false;
  const Activation* activation = nullptr;
  bool keeps_argument = false;  ///< What the activation is applied to is the second result.
};

Epilogue EpilogueOf(const OpCall& call) {
  constexpr std::string_view kBias = "BIAS", kAuxiliary = "_AUX";
  Epilogue epilogue;
  const std::string_view name = ConfigWord(call, "epilogue", "DEFAULT");
  std::string_view rest = name;
  epilogue.adds_vector = rest.starts_with(kBias);
  if (rest == kBias) rest = "DEFAULT";
  if (epilogue.adds_vector && rest != "DEFAULT") rest.remove_prefix(kBias.size());
  if (epilogue.adds_vector && rest.starts_with('_')) rest.remove_prefix(1);
  epilogue.keeps_argument = rest.ends_with(kAuxiliary);
  if (epilogue.keeps_argument) rest.remove_suffix(kAuxiliary.size());
  epilogue.activation = &FindActivation(call, kEpilogues, rest);
  return epilogue;
}

/// Adds a vector along the dimensions that are the last in memory, as the library does.
StepArray AddVector(const CallSteps& steps, StepArray x, const StepArray& vector) {
  const Dims& order = steps.Result().layout().minor_to_major();
  const Dims& own = vector.shape.layout().minor_to_major();
  Dims dims(static_cast<size_t>(vector.shape.rank()));
  if (dims.size() > static_cast<size_t>(x.shape.rank())) {
    RefuseCall(steps.call(),
               fmt::format("adds a vector to the product, not {}", ShapeName(vector.shape)));
  }
  for (size_t i = 0; i < dims.size(); ++i) dims[static_cast<size_t>(own[i])] = order[i];
  StepArray spread = steps.Spread(vector, dims, x);
  return steps.Map(Opcode::kAdd, {std::move(x), std::move(spread)});
}

/// The dot, in the type that the rest is computed in.
StepArray Product(const CallSteps& steps, const NamedAttrs& attrs) {
  const Shape& result = steps.Result();
  const StepArray lhs = steps.Operand(0), rhs = steps.Operand(1);
  const ElementType type = WorkingType(result.element_type());
  // Integers are multiplied as such, whatever the result is.
  const ElementType inner = IsIntegral(lhs.type()) ? ElementType::kS32 : type;
  StepArray product =
      steps.Do(Opcode::kDot, attrs, {steps.Convert(lhs, inner), steps.Convert(rhs, inner)},
               Shape::Array(inner, result.dims()));
  return steps.Convert(std::move(product), type);
}

/// The same with the dimensions that backend_config gives.
StepArray ConfiguredProduct(const CallSteps& steps) {
  const OpCall& call = steps.call();
  if (!ConfigList(call, "lhs_contracting_dimensions")) {
    RefuseCall(call, "has no dot_dimension_numbers in its backend_config");
  }
  NamedAttrs attrs;
  for (const auto& [name, key] : kDotKeys) attrs.push_back({name, ConfigDims(call, key)});
  return Product(steps, attrs);
}

/// The largest absolute value, as a scalar of f32.
StepArray LargestSize(const CallSteps& steps, const StepArray& x) {
  const StepArray line = steps.Do(Opcode::kReshape, {}, {steps.Map(Opcode::kAbs, {x})},
                                  Shape::Array(x.type(), {x.shape.element_count()}));
  // In the order of topk NaN comes first, as it does in the library.
  const Shape values = Shape::Array(x.type(), {1}), indices = Shape::Array(ElementType::kS32, {1});
  const StepArray largest = steps.Do(Opcode::kTopk, {{"k", int64_t{1}}, {"largest", true}}, {line},
                                     Shape::Tuple({values, indices}));
  return steps.Convert(steps.Do(Opcode::kReshape, {}, {{values, largest.value.elements()[0]}},
                                Shape::Scalar(x.type())),
                       ElementType::kF32);
}

/// Where the scalars of a product of 8-bit floats are among the operands; -1: nowhere.
struct ScaleOperands {
  int lhs = -1, rhs = -1, c = -1, result = -1;
};

Value EvalProduct(const OpCall& call, std::span<Value> args, EvalContext& context, bool is_f8) {
  const CallSteps steps(call, args, context);
  const Shape& result = steps.Result();
  const Epilogue epilogue = EpilogueOf(call);
  const Complex alpha(ConfigDouble(call, "alpha_real", 1), ConfigDouble(call, "alpha_imag", 0));
  const double beta = ConfigDouble(call, "beta", 0);
  const bool gives_largest = ConfigInt(call, "damax_output", 0) != 0;

  int next = beta != 0 ? 3 : 2;
  ScaleOperands scales;
  if (is_f8) {
    const bool is_older = call.operand_count() == next + 4 + (epilogue.adds_vector ? 1 : 0);
    scales = {.lhs = next, .rhs = next + 1};
    next += 2;
    if (is_older) scales.c = next, scales.result = next + 1, next += 2;
  }
  const int vector = next;
  if (epilogue.adds_vector) ++next;
  if (is_f8 && scales.result < 0 && BitsOf(result.element_type()) == 8) scales.result = next++;
  WantOperands(call, next);

  const auto scaled = [&](StepArray x, int by) {
    return by < 0 ? x : steps.Times(std::move(x), steps.Operand(by));
  };
  StepArray x = steps.Times(ConfiguredProduct(steps), alpha);
  x = scaled(scaled(std::move(x), scales.lhs), scales.rhs);
  if (beta != 0) {
    StepArray c = scaled(steps.Convert(steps.Operand(2), x.type()), scales.c);
    x = steps.Map(Opcode::kAdd, {std::move(x), steps.Times(std::move(c), beta)});
  }
  if (epilogue.adds_vector) x = AddVector(steps, std::move(x), steps.Operand(vector));
  const StepArray argument = x;
  x = epilogue.activation->apply(steps, x);

  std::vector<StepArray> parts = {steps.Stored(scaled(x, scales.result), result.element_type())};
  if (epilogue.keeps_argument) parts.push_back(steps.Stored(argument, result.element_type()));
  if (gives_largest) parts.push_back(LargestSize(steps, x));
  return steps.Results(std::move(parts));
}

// ---- oneDNN -------------------------------------------------------------------------------------

constexpr Activation kPostOps[] = {
    {"RELU", Relu},
    {"RELU6", Relu6},
    {"ELU", Elu},
    {"SIGMOID", Sigmoid},
    {"TANH", HyperbolicTangent},
    {"GELU_TANH", Gelu},
};

/// Adds an array along the last dimensions; its dimensions of size 1 are stretched.
StepArray AddLast(const CallSteps& steps, StepArray x, StepArray addend) {
  Dims places, sizes;
  const int missing = x.shape.rank() - addend.shape.rank();
  if (missing < 0) {
    RefuseCall(steps.call(),
               fmt::format("adds {} to {}", ShapeName(addend.shape), ShapeName(x.shape)));
  }
  for (int d = 0; d < addend.shape.rank(); ++d) {
    if (addend.shape.dim(d) == 1) continue;
    places.push_back(d + missing);
    sizes.push_back(addend.shape.dim(d));
  }
  const Shape squeezed = Shape::Array(addend.type(), sizes);
  addend = steps.Do(Opcode::kReshape, {}, {std::move(addend)}, squeezed);
  StepArray spread = steps.Spread(addend, places, x);
  return steps.Map(Opcode::kAdd, {std::move(x), std::move(spread)});
}

}  // namespace

Dims ConfigDims(const OpCall& call, std::string_view key) {
  Dims dims;
  const auto list = ConfigList(call, key);
  for (std::string_view word : list ? *list : std::vector<std::string_view>()) {
    int64_t number = word == "HIGHEST" ? kHighestPrecision : word == "HIGH" ? 1 : 0;
    std::from_chars(word.data(), word.data() + word.size(), number);
    dims.push_back(number);
  }
  return dims;
}

Value EvalOneDnnProduct(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const CallSteps steps(call, args, context);
  auto ops = ConfigList(call, "ops");
  if (!ops) ops = ConfigList(call, "fused_ops");
  if (!ops) ops.emplace();
  const auto adds = [](std::string_view op) {
    return op == "BIAS" || op == "BINARY_ADD" || op == "SUM";
  };
  WantOperands(call, 2 + static_cast<int>(std::count_if(ops->begin(), ops->end(), adds)));
  const int64_t left = steps.Operand(0).shape.rank(), right = steps.Operand(1).shape.rank();
  if (left < 2 || right < 2 || (left != right && right != 2)) {
    RefuseCall(call, fmt::format("multiplies matrices, not {} and {}", ShapeName(call.operand(0)),
                                 ShapeName(call.operand(1))));
  }
  const bool turns_left = ConfigInt(call, "transpose_a", 0) != 0;
  const bool turns_right = ConfigInt(call, "transpose_b", 0) != 0;
  Dims batch;
  for (int64_t d = 0; left == right && d + 2 < left; ++d) batch.push_back(d);
  StepArray x = Product(steps, {{"lhs_contracting_dims", Dims{turns_left ? left - 2 : left - 1}},
                                {"rhs_contracting_dims", Dims{turns_right ? right - 1 : right - 2}},
                                {"lhs_batch_dims", batch},
                                {"rhs_batch_dims", batch}});
  int next = 2;
  for (std::string_view op : *ops) {
    x = adds(op) ? AddLast(steps, std::move(x), steps.Operand(next++))
                 : FindActivation(call, kPostOps, op).apply(steps, x);
  }
  return steps.Results({steps.Stored(std::move(x), steps.Result().element_type())});
}

Value EvalGemm(const OpCall& call, std::span<Value> args, EvalContext& context) {
  return EvalProduct(call, args, context, false);
}

Value EvalGemmF8(const OpCall& call, std::span<Value> args, EvalContext& context) {
  return EvalProduct(call, args, context, true);
}

}  // namespace hlo
