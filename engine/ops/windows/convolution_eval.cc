// Convolve: brings the operands into one dimension order and type, convolves them there, and
// converts the sums to the result's type and order.
#include <algorithm>
#include <cstring>

#include "engine/base/indices.h"
#include "engine/kernels/dot_matmul.h"
#include "engine/kernels/dot_thin.h"
#include "engine/kernels/move_copy.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/shape_checks.h"
#include "engine/ops/windows/convolution.h"
#include "engine/ops/windows/convolution_views.h"
#include "engine/ops/windows/convolver.h"

namespace hlo {
namespace {

template <typename T>
bool AreFinite(const Tensor& tensor, int64_t parts) {
  const T* const values = tensor.data<T>();
  for (int64_t i = 0; i < tensor.element_count() * parts; ++i) {
    if (values[i] - values[i] != 0) return false;
  }
  return true;
}

/// Whether an array of the accumulation type has no infinity and no NaN.
bool AllFinite(const Tensor& tensor) {
  switch (tensor.element_type()) {
    case ElementType::kF32:
      return AreFinite<float>(tensor, 1);
    case ElementType::kC64:
      return AreFinite<float>(tensor, 2);
    case ElementType::kF64:
      return AreFinite<double>(tensor, 1);
    case ElementType::kC128:
      return AreFinite<double>(tensor, 2);
    default:
      return true;
  }
}

/// Sizes by role, from labels and operands.
struct Roles {
  int64_t batch;  ///< of the result
  ConvFeatures features;
  Dims inputs, input_bounds, outputs;
};

Roles RolesOf(const Tensor& lhs, const Tensor& rhs, const ConvolutionForm& form,
              const Dims& bounds) {
  const ConvDimLabels& l = form.labels;
  auto at = [](int64_t d) { return static_cast<int>(d); };
  Roles r;
  int64_t groups = std::max(form.feature_groups, form.batch_groups);
  r.features = {groups, rhs.dim(at(l.kernel_input_feature)),
                rhs.dim(at(l.kernel_output_feature)) / groups};
  r.batch =
      std::min(lhs.live_dim(at(l.input_batch)), lhs.dim(at(l.input_batch)) / form.batch_groups);
  for (size_t i = 0; i < form.window.size(); ++i) {
    r.inputs.push_back(lhs.live_dim(at(l.input_spatial[i])));
    r.input_bounds.push_back(lhs.dim(at(l.input_spatial[i])));
    int64_t fits = WindowOutputSize(r.inputs[i], form.window[i]).value_or(0);
    r.outputs.push_back(std::min(fits, bounds[static_cast<size_t>(l.output_spatial[i])]));
  }
  return r;
}

/// Sets elements beyond the run-time sizes to zero.
Tensor WithZeros(Tensor operand, Budget* budget) {
  if (operand.dynamic_sizes().empty()) return operand;
  Tensor result =
      MakeTensor(Shape::Array(operand.element_type(), operand.dims()), LiveDims(operand), budget);
  CopyInto(operand, &result, LiveView(result), budget);
  result.set_dynamic_sizes({});
  return result;
}

/// A view of the operand in the accumulation type, densely in that order.
Tensor Packed(Tensor operand, ElementType type, ElementType sum_type, StridedView view,
              Budget* budget) {
  operand = ConvertTensor(operand, type, budget);
  operand = ConvertTensor(operand, sum_type, budget);
  return TensorFromView(operand, view, Shape::Array(sum_type, view.dims), budget);
}

/// The dimensions of the sums.
Dims SumDims(const Roles& roles) {
  Dims dims = Joined(Dims{roles.batch}, roles.outputs);
  dims.push_back(roles.features.groups * roles.features.outputs);
  return dims;
}

#ifndef HLO_SMALL

bool HasOnePhase(const ConvolutionForm& form) {
  return std::all_of(form.window.begin(), form.window.end(),
                     [](const WindowDim& dim) { return dim.base_dilation == 1; });
}

/// What convolves operand and result of narrow types as they lie in memory; null where they have to
/// be converted first.
NarrowConvolution NarrowOf(const Tensor& lhs, const Roles& roles, const ConvolutionForm& form,
                           ElementType type, const StridedView& input, const StridedView& result) {
  const bool as_stored = lhs.element_type() == type && type != SumType(type) &&
                         lhs.dynamic_sizes().empty() && IsDense(input) && IsDense(result);
  const bool fits = as_stored && IsDepthwise(roles.features) && HasOnePhase(form);
  return fits ? FindNarrowConvolution(SumType(type)) : nullptr;
}

#endif  // HLO_SMALL

}  // namespace

Tensor Convolve(Tensor lhs, Tensor rhs, const ConvolutionForm& form, ElementType type,
                const Dims& bounds, Budget* budget, MultiplyAdd step, ResultPieces* pieces) {
  const Roles roles = RolesOf(lhs, rhs, form, bounds);
  const int64_t live_features = rhs.live_dim(static_cast<int>(form.labels.kernel_output_feature));
  const ElementType sum_type = SumType(type);

  const StridedView input_view = InputView(lhs.dims(), form),
                    kernel_view = KernelView(rhs.dims(), form);
  const StridedView result_view = ResultView(SumDims(roles), form, live_features, bounds.size());
  NarrowConvolution narrow = nullptr;
#ifndef HLO_SMALL
  narrow = NarrowOf(lhs, roles, form, type, input_view, result_view);
#endif
  const ElementType stored = narrow ? type : sum_type;
  // What is rounded or moved afterwards is not given before.
  const bool gives = stored == type && IsDense(result_view) && result_view.dims == bounds &&
                     ElementCount(bounds) == ElementCount(SumDims(roles));
  Tensor input = Packed(WithZeros(std::move(lhs), budget), type, stored, input_view, budget);
  Tensor kernel = Packed(WithZeros(std::move(rhs), budget), type, sum_type, kernel_view, budget);
  Tensor sums(stored, SumDims(roles), budget);
  if (sums.element_count() > 0 && kernel.element_count() > 0 && input.element_count() > 0) {
    const ConvArrays arrays{input.bytes(),
                            kernel.bytes(),
                            sums.mutable_bytes(),
                            AllFinite(kernel),
                            sums.byte_size(),
                            narrow,
                            type};
    Convolver(arrays, roles.features, ConvLoopsOf(sum_type), budget, step, gives ? pieces : nullptr)
        .Run(form.window, roles.inputs, roles.input_bounds, roles.outputs, roles.batch);
  } else {
    std::memset(sums.mutable_bytes(), 0, static_cast<size_t>(sums.byte_size()));
  }
  input = Tensor();
  kernel = Tensor();
  Tensor rounded = ConvertTensor(sums, type, budget);
  sums = Tensor();
  return TensorFromView(rounded, result_view, Shape::Array(type, bounds), budget);
}

int64_t UnitOfConvolution([[maybe_unused]] const Shape& lhs, [[maybe_unused]] const Shape& rhs,
                          [[maybe_unused]] const Shape& result,
                          [[maybe_unused]] const ConvolutionForm& form) {
#ifdef HLO_SMALL
  return 0;
#else
  const ConvDimLabels& l = form.labels;
  const ElementType type = result.element_type();
  const auto size = [&](int64_t d) { return result.dims()[static_cast<size_t>(d)]; };
  Dims sums = {size(l.output_batch)};
  for (int64_t d : l.output_spatial) sums.push_back(size(d));
  const int64_t row = size(l.output_feature);
  sums.push_back(row);
  const StridedView view = ResultView(sums, form, row, result.dims().size());
  if (row == 0 || !IsDense(view) || !HasOnePhase(form)) return 0;
  const int64_t groups = std::max(form.feature_groups, form.batch_groups);
  const ConvFeatures features = {groups, rhs.dims()[static_cast<size_t>(l.kernel_input_feature)],
                                 row / groups};
  const bool is_narrow = SumType(type) != type;
  if (is_narrow) return IsDepthwise(features) && lhs.element_type() == type ? row : 0;
  // Lines of all features, whole or not; rows of a product.
  if (groups > 1) return features.outputs <= kMostGroupOutputs ? row : 0;
  if (features.outputs < kLeastColumns) return row;
  return ProductUnit(ElementCount(sums) / row, ElementCount(rhs.dims()) / row, row);
#endif
}

}  // namespace hlo
