// Custom-call targets that XLA's GPU compiler writes in place of ops: calls of cuBLAS, cuDNN, CUB
// and cuSOLVER (on AMD's devices, of their counterparts), and of oneDNN, which its CPU compiler
// calls. Their results may end with a part that is memory for the library to work in; it is zeros
// here.
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "engine/ops/custom_calls/call_steps.h"
#include "engine/ops/custom_calls/custom_call_targets.h"
#include "engine/ops/custom_calls/library_calls.h"
#include "engine/ops/custom_calls/matrix_tools.h"

namespace hlo {
namespace {

/// The values at these places of the last dimension.
StepArray ValuesAt(const CallSteps& steps, StepArray values, const StepArray& places) {
  Dims batch, window(static_cast<size_t>(values.shape.rank()), 1);
  const int64_t last = values.shape.rank() - 1;
  for (int64_t d = 0; d < last; ++d) batch.push_back(d);
  const Shape shape = Shape::Array(values.type(), places.shape.dims());
  return steps.Do(Opcode::kGather,
                  {{"offset_dims", Dims{}},
                   {"collapsed_slice_dims", Dims{last}},
                   {"start_index_map", Dims{last}},
                   {"operand_batching_dims", batch},
                   {"start_indices_batching_dims", batch},
                   {"index_vector_dim", last + 1},
                   {"slice_sizes", window}},
                  {std::move(values), places}, shape);
}

/// Keys, perhaps with values that move with them: in the order of topk, which is stable.
Value EvalRadixSort(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const CallSteps steps(call, args, context);
  const bool has_values = call.operand_count() > 1;
  WantOperands(call, has_values ? 2 : 1);
  const StepArray keys = steps.Operand(0);
  const Dims& dims = keys.shape.dims();
  if (dims.empty()) RefuseCall(call, "sorts along a dimension, not a scalar");
  // Zeros of both signs are equal.
  const StepArray order =
      IsFloat(keys.type()) ? steps.Map(Opcode::kAdd, {keys, steps.Filled(0, keys)}) : keys;
  const Shape places = Shape::Array(ElementType::kS32, dims);
  const StepArray sorted = steps.Do(
      Opcode::kTopk, {{"k", dims.back()}, {"largest", ConfigInt(call, "descending", 0) != 0}},
      {order}, Shape::Tuple({Shape::Array(keys.type(), dims), places}));
  const StepArray from = {places, sorted.value.elements()[1]};
  std::vector<StepArray> parts = {ValuesAt(steps, keys, from)};
  if (has_values) parts.push_back(ValuesAt(steps, steps.Operand(1), from));
  return steps.Results(std::move(parts));
}

/// (factor, memory, s32 info of the batch): info is 0, or the number of the first column where
/// there is no factor.
Value EvalCholeskyCall(const OpCall& call, std::span<Value> args, EvalContext& context) {
  WantOperands(call, 1);
  const CallSteps steps(call, args, context);
  const StepArray a = steps.Operand(0);
  const bool lower = ConfigInt(call, "lower", 0) != 0;
  const Shape factor_shape = Shape::Array(a.type(), a.shape.dims());
  StepArray factor = steps.Do(Opcode::kCholesky, {{"lower", lower}}, {a}, factor_shape);
  const Shape info_shape = Shape::Array(ElementType::kS32, BatchDims(factor_shape, {}));
  const Shape& whole = call.shape();
  if (!whole.IsTuple() || whole.elements().size() != 3 ||
      !Shape::Compatible(whole.elements()[0], factor_shape) || !whole.elements()[1].IsArray() ||
      !Shape::Compatible(whole.elements()[2], info_shape)) {
    RefuseCall(call, fmt::format("gives ({}, memory to work in, {}), not {}",
                                 ShapeName(factor_shape), ShapeName(info_shape), ShapeName(whole)));
  }
  Tensor info = ZeroValue(info_shape, context.budget()).tensor();
  Tensor wide = WidenedCopy(factor.value.tensor(), context.budget());
  for (int64_t b = 0; b < info.element_count(); ++b) {
    const Matrix matrix = MatrixOf(wide, b);
    for (int64_t i = matrix.rows; i-- > 0;) {
      if (std::isnan(matrix.at(i, i).real())) {
        info.mutable_data<int32_t>()[b] = static_cast<int32_t>(i + 1);
      }
    }
  }
  return Value::Tuple({std::move(factor.value), ZeroValue(whole.elements()[1], context.budget()),
                       Value(std::move(info))});
}

Value EvalSolveCall(const OpCall& call, std::span<Value> args, EvalContext& context) {
  WantOperands(call, 2);
  const CallSteps steps(call, args, context);
  const auto is_set = [&](std::string_view key) { return ConfigInt(call, key, 0) != 0; };
  const StepArray b = steps.Operand(1);
  return steps.Results(
      {steps.Do(Opcode::kTriangularSolve,
                {{"left_side", is_set("left_side")},
                 {"lower", is_set("lower")},
                 {"unit_diagonal", is_set("unit_diagonal")},
                 {"transpose_a", std::string(ConfigWord(call, "transpose_a", "NO_TRANSPOSE"))}},
                {steps.Operand(0), b}, Shape::Array(b.type(), b.shape.dims()))});
}

constexpr std::string_view kProductSource =
    "XLA, backend_configs.proto, gemm_rewriter.cc, thunk_emitter.cc";
constexpr std::string_view kConvConfig =
    "window, dim_labels and feature_group_count of the convolution of input and filter";
constexpr std::string_view kConvSource = "XLA, conv_rewriter.cc, gpu_conv_runner.cc";

constexpr BuiltInTarget kLibraryTargets[] = {
    {.name = "__cub$DeviceRadixSort",
     .aliases = "__cub$DeviceRadixSortUnassignedScratchSize xla.gpu.ext.cub_sort_keys "
                "xla.gpu.ext.cub_sort_pairs xla.gpu.ext.cub_sort_unassigned_scratch_size",
     .operands = "keys, perhaps values of the same dimensions",
     .result = "the same",
     .doc = "Sorts the last dimension by the keys, stable, NaN beyond infinity.",
     .config = "descending",
     .source = "XLA, sort_rewriter.cc",
     .eval = EvalRadixSort},
    {.name = "__cublas$gemm",
     .aliases = "__cublas$lt$matmul",
     .operands = "lhs, rhs; c where beta is not 0; a vector where the epilogue adds one",
     .result = "the product; what the activation was applied to (an epilogue with AUX)",
     .doc = "epilogue(alpha dot(lhs, rhs) + beta c + vector), computed in f32 for narrower floats. "
            "The vector lies along the last dimensions in memory; gelu is by the hyperbolic "
            "tangent.",
     .config = "gemm_backend_config: dot_dimension_numbers, alpha_real (1), alpha_imag, beta (0), "
               "epilogue (DEFAULT, RELU, GELU, BIAS, BIAS_RELU, BIAS_GELU, GELU_AUX, "
               "BIAS_GELU_AUX), operand_precision",
     .error = "as dot's",
     .source = kProductSource,
     .eval = EvalGemm},
    {.name = "__cublas$lt$matmul$f8",
     .operands =
         "lhs, rhs; c where beta is not 0; scalars for lhs and rhs, in older programs for c "
         "and the result too; a vector where the epilogue adds one; a scalar for a result "
         "of 8-bit floats",
     .result = "the product; the largest absolute value before the last scalar (damax_output)",
     .doc =
         "As __cublas$lt$matmul, each array multiplied by its scalar; results that are too large "
         "for 8-bit floats become the largest.",
     .config = "as __cublas$lt$matmul, and damax_output",
     .error = "as dot's",
     .source = kProductSource,
     .eval = EvalGemmF8},
    {.name = "__cublas$triangularSolve",
     .operands = "a, b",
     .result = "as b",
     .doc = "triangular-solve.",
     .config = "left_side, lower, unit_diagonal, transpose_a",
     .error = "as triangular-solve's",
     .source = "XLA, triangular_solve_rewriter.cc",
     .eval = EvalSolveCall},
    {.name = "__cudnn$convBackwardFilter",
     .operands = "input, the output's gradient",
     .result = "the filter's gradient",
     .doc = "The gradient of a convolution by its filter.",
     .config = kConvConfig,
     .error = "as convolution's",
     .source = kConvSource,
     .eval = EvalConvBackwardFilter},
    {.name = "__cudnn$convBackwardInput",
     .operands = "the output's gradient, filter",
     .result = "the input's gradient",
     .doc = "The gradient of a convolution by its input.",
     .config = kConvConfig,
     .error = "as convolution's",
     .source = kConvSource,
     .eval = EvalConvBackwardInput},
    {.name = "__cudnn$convBiasActivationForward",
     .operands = "input, filter, bias of the output features, perhaps a side input as the output",
     .result = "the output",
     .doc = "activation(conv_result_scale convolution + side_input_scale side input + bias), "
            "computed in f32 for narrower floats; integers round to the nearest.",
     .config =
         "the attributes of the convolution; activation_mode (kNone, kRelu, kRelu6, kSigmoid, "
         "kTanh, kElu, kLeakyRelu), conv_result_scale, side_input_scale, leakyrelu_alpha",
     .error = "as convolution's",
     .source = "XLA, cudnn_fused_conv_rewriter.cc, gpu_conv_runner.cc",
     .eval = EvalConvActivation},
    {.name = "__cudnn$convForward",
     .operands = "input, filter",
     .result = "the output",
     .doc = "conv_result_scale times the convolution.",
     .config = "the attributes of the convolution; conv_result_scale",
     .error = "as convolution's",
     .source = kConvSource,
     .eval = EvalConvForward},
    {.name = "__cusolver$cholesky",
     .operands = "a: [..., n, n]",
     .result = "(factor, memory, s32 info [...])",
     .doc = "cholesky; info is 0, or for what has no factor the first column of NaN, from 1.",
     .config = "lower",
     .error = "as cholesky's",
     .source = "XLA, gpusolver_rewriter.cc",
     .eval = EvalCholeskyCall},
    {.name = "__onednn$matmul",
     .operands = "lhs: [..., m, k], rhs: [..., k, n] or [k, n]; an array for each of the additions",
     .result = "[..., m, n]",
     .doc = "The product and what follows it, one after another, computed in f32 for narrower "
            "floats.",
     .config = "onednn_matmul_config: transpose_a, transpose_b, ops (fused_ops): BIAS, BINARY_ADD, "
               "SUM, RELU, RELU6, ELU, SIGMOID, TANH, GELU_TANH",
     .error = "as dot's",
     .source = "XLA, onednn_matmul.cc, onednn_config.proto",
     .eval = EvalOneDnnProduct},
};

}  // namespace

std::span<const BuiltInTarget> LibraryTargets() { return kLibraryTargets; }

}  // namespace hlo
