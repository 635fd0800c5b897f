// cuDNN's convolutions.
#include <fmt/format.h>

#include <iterator>
#include <utility>
#include <vector>

#include "engine/ops/custom_calls/call_steps.h"
#include "engine/ops/custom_calls/library_calls.h"

namespace hlo {
namespace {

/// One side of a convolution: the sizes of its spatial dimensions.
Dims SpatialSizes(const Shape& shape, const Dims& spatial) {
  Dims sizes;
  for (int64_t d : spatial) {
    sizes.push_back(d >= 0 && d < shape.rank() ? shape.dim(static_cast<int>(d)) : 1);
  }
  return sizes;
}

/// The attributes of a convolution.
struct Convolution {
  Window window;
  ConvDimLabels labels;
  int64_t feature_groups = 1, batch_groups = 1;
};

/// The call's own, which must have labels for all its operands, and as many dimensions in its
/// window.
Convolution OwnConvolution(const OpCall& call) {
  Convolution own{call.GetWindow(), call.DimLabels(), call.Int("feature_group_count", 1)};
  const size_t spatial = own.labels.input_spatial.size();
  if (!call.Has("dim_labels") || own.window.size() != spatial ||
      own.labels.kernel_spatial.size() != spatial || own.labels.output_spatial.size() != spatial) {
    RefuseCall(call, "needs dim_labels, and a window for the spatial dimensions");
  }
  return own;
}

/// The convolution of two arrays, in the type that results of this type are computed in.
StepArray Convolve(const CallSteps& steps, const Convolution& convolution, const StepArray& lhs,
                   const StepArray& rhs, const Shape& result) {
  const ElementType type = WorkingType(result.element_type());
  // Integers are multiplied as such, whatever the result is.
  const ElementType inner = IsIntegral(lhs.type()) ? ElementType::kS32 : type;
  return steps.Do(Opcode::kConvolution,
                  {{"window", convolution.window},
                   {"dim_labels", convolution.labels},
                   {"feature_group_count", convolution.feature_groups},
                   {"batch_group_count", convolution.batch_groups},
                   {"operand_precision", steps.call().Ints("operand_precision")}},
                  {steps.Convert(lhs, inner), steps.Convert(rhs, inner)},
                  Shape::Array(inner, result.dims()));
}

/// Beyond this the arithmetic on windows could overflow.
constexpr int64_t kMostSize = int64_t{1} << 30;

/// Checks what the gradients of a convolution are computed from.
void CheckGradient(const CallSteps& steps, const Convolution& forward) {
  const OpCall& call = steps.call();
  WantOperands(call, 2);
  bool fits = forward.feature_groups <= kMostSize;
  for (const Shape* shape : {&call.operand(0), &call.operand(1), &steps.Result()}) {
    for (int64_t size : shape->dims()) fits = fits && size <= kMostSize;
  }
  for (const WindowDim& dim : forward.window) {
    // The library has no base dilation.
    if (dim.base_dilation != 1) RefuseCall(call, "takes no lhs_dilate");
    for (int64_t number : {dim.size, dim.stride, dim.window_dilation, dim.pad_low}) {
      fits = fits && number <= kMostSize && number >= -kMostSize;
    }
  }
  if (!fits) RefuseCall(call, "takes no array or window of more than 2^30 elements in a dimension");
}

/// The filter of a convolution in groups, for the one that goes back: input and output features
/// change places within each group.
StepArray TurnedGroups(const CallSteps& steps, const Convolution& forward, StepArray filter) {
  const int64_t groups = forward.feature_groups;
  const int64_t in = forward.labels.kernel_input_feature;
  const int64_t out = forward.labels.kernel_output_feature;
  const Dims& dims = filter.shape.dims();
  const int64_t rank = filter.shape.rank();
  if (groups == 1) return filter;
  if (groups < 1 || out < 0 || out >= rank || in < 0 || in >= rank ||
      dims[static_cast<size_t>(out)] % groups != 0) {
    RefuseCall(steps.call(), fmt::format("has {} groups of output features in the filter {}",
                                         groups, ShapeName(filter.shape)));
  }
  // [..., input features, ..., groups, output features / groups, ...]
  Dims split, order, permuted, merged;
  for (int64_t d = 0; d < rank; ++d) {
    const int64_t size = dims[static_cast<size_t>(d)];
    if (d == out) split.push_back(groups);
    split.push_back(d == out ? size / groups : size);
    if (d == in) order.push_back(out);  // the groups go before the input features
    order.push_back(d < out ? d : d + 1);
    merged.push_back(d == in ? size * groups : split.back());
  }
  for (int64_t d : order) permuted.push_back(split[static_cast<size_t>(d)]);
  const ElementType type = filter.type();
  filter = steps.Do(Opcode::kReshape, {}, {std::move(filter)}, Shape::Array(type, split));
  filter = steps.Do(Opcode::kTranspose, {{"dimensions", order}}, {std::move(filter)},
                    Shape::Array(type, permuted));
  return steps.Do(Opcode::kReshape, {}, {std::move(filter)}, Shape::Array(type, merged));
}

/// The convolution of the first two operands times conv_result_scale, before it is stored.
StepArray ScaledConvolution(const CallSteps& steps, const Convolution& own) {
  StepArray x = Convolve(steps, own, steps.Operand(0), steps.Operand(1), steps.Result());
  if (IsIntegral(x.type())) x = steps.Convert(std::move(x), ElementType::kF32);
  return steps.Times(std::move(x), ConfigDouble(steps.call(), "conv_result_scale", 1));
}

// ---- Activations --------------------------------------------------------------------------------

StepArray LeakyRelu(const CallSteps& steps, const StepArray& x) {
  return WherePositive(steps, x, steps.Times(x, ConfigDouble(steps.call(), "leakyrelu_alpha", 0)));
}

/// Source: XLA, dnn.proto, ActivationMode.
constexpr Activation kActivations[] = {
    {"kNone", Unchanged, "0"},      {"kSigmoid", Sigmoid, "1"},        {"kRelu", Relu, "2"},
    {"kRelu6", Relu6, "3"},         {"kTanh", HyperbolicTangent, "5"}, {"kElu", Elu, "7"},
    {"kLeakyRelu", LeakyRelu, "8"},
};

}  // namespace

Value EvalConvForward(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const CallSteps steps(call, args, context);
  WantOperands(call, 2);
  StepArray x = ScaledConvolution(steps, OwnConvolution(call));
  return steps.Results({steps.Stored(std::move(x), steps.Result().element_type())});
}

Value EvalConvActivation(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const CallSteps steps(call, args, context);
  const bool has_side = call.operand_count() > 3;
  WantOperands(call, has_side ? 4 : 3);
  const Convolution own = OwnConvolution(call);
  StepArray x = ScaledConvolution(steps, own);
  if (has_side) {
    StepArray side = steps.Times(steps.Convert(steps.Operand(3), x.type()),
                                 ConfigDouble(call, "side_input_scale", 1));
    x = steps.Map(Opcode::kAdd, {std::move(x), std::move(side)});
  }
  StepArray bias = steps.Spread(steps.Operand(2), {own.labels.output_feature}, x);
  x = steps.Map(Opcode::kAdd, {std::move(x), std::move(bias)});
  x = FindActivation(call, kActivations, ConfigWord(call, "activation_mode", "kNone"))
          .apply(steps, x);
  return steps.Results({steps.Stored(std::move(x), steps.Result().element_type())});
}

// The gradient of input element i is the sum over o and k with i = o stride + k dilation - padding,
// which is a convolution with the filter reversed and the output's gradient dilated.
Value EvalConvBackwardInput(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const CallSteps steps(call, args, context);
  const Convolution forward = OwnConvolution(call);
  CheckGradient(steps, forward);
  const StepArray output = steps.Operand(0), filter = steps.Operand(1);
  const Shape& result = steps.Result();
  const ConvDimLabels& labels = forward.labels;
  const Dims sizes = SpatialSizes(result, labels.input_spatial);
  const Dims output_sizes = SpatialSizes(output.shape, labels.output_spatial);
  Convolution back = forward;
  for (size_t d = 0; d < sizes.size(); ++d) {
    WindowDim& dim = back.window[d];
    const WindowDim& own = forward.window[d];
    const int64_t reach = (own.size - 1) * own.window_dilation;
    const int64_t dilated = (output_sizes[d] - 1) * own.stride + 1;
    dim.stride = 1;
    dim.base_dilation = own.stride;
    dim.pad_low = reach - own.pad_low;
    dim.pad_high = sizes[d] - dilated - dim.pad_low + reach;
    dim.reversal = !own.reversal;
  }
  back.labels.input_batch = labels.output_batch;
  back.labels.input_feature = labels.output_feature;
  back.labels.input_spatial = labels.output_spatial;
  back.labels.input_unknown = labels.output_unknown;
  std::swap(back.labels.kernel_input_feature, back.labels.kernel_output_feature);
  back.labels.output_batch = labels.input_batch;
  back.labels.output_feature = labels.input_feature;
  back.labels.output_spatial = labels.input_spatial;
  back.labels.output_unknown = labels.input_unknown;
  StepArray x = Convolve(steps, back, output, TurnedGroups(steps, forward, filter), result);
  return steps.Results({steps.Stored(std::move(x), result.element_type())});
}

// The gradient of the filter is the convolution of the input by the output's gradient, the batch
// being what is summed over.
Value EvalConvBackwardFilter(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const CallSteps steps(call, args, context);
  const Convolution forward = OwnConvolution(call);
  CheckGradient(steps, forward);
  const StepArray input = steps.Operand(0), output = steps.Operand(1);
  const Shape& result = steps.Result();
  const ConvDimLabels& labels = forward.labels;
  const Dims sizes = SpatialSizes(result, labels.kernel_spatial);
  const Dims input_sizes = SpatialSizes(input.shape, labels.input_spatial);
  const Dims output_sizes = SpatialSizes(output.shape, labels.output_spatial);
  Convolution back = forward;
  Dims reversed;
  for (size_t d = 0; d < sizes.size(); ++d) {
    WindowDim& dim = back.window[d];
    const WindowDim& own = forward.window[d];
    const int64_t reach = (output_sizes[d] - 1) * own.stride;
    dim.size = output_sizes[d];
    dim.stride = own.window_dilation;
    dim.window_dilation = own.stride;
    dim.pad_high = (sizes[d] - 1) * dim.stride + reach + 1 - input_sizes[d] - own.pad_low;
    dim.reversal = false;
    if (own.reversal) reversed.push_back(labels.kernel_spatial[d]);
  }
  std::swap(back.labels.input_batch, back.labels.input_feature);
  back.labels.kernel_input_feature = labels.output_batch;
  back.labels.kernel_output_feature = labels.output_feature;
  back.labels.kernel_spatial = labels.output_spatial;
  back.labels.kernel_unknown = labels.output_unknown;
  back.labels.output_batch = labels.kernel_input_feature;
  back.labels.output_feature = labels.kernel_output_feature;
  back.labels.output_spatial = labels.kernel_spatial;
  back.labels.output_unknown = labels.kernel_unknown;
  std::swap(back.feature_groups, back.batch_groups);
  StepArray x = Convolve(steps, back, input, output, result);
  if (!reversed.empty()) {
    const Shape shape = x.shape;
    x = steps.Do(Opcode::kReverse, {{"dimensions", reversed}}, {std::move(x)}, shape);
  }
  return steps.Results({steps.Stored(std::move(x), result.element_type())});
}

}  // namespace hlo
