// Convolve: brings the operands into one dimension order, computes each phase by im2col and a
// matrix product, line by line or tap by tap, and converts the sums to the result's type and order.
// Only the full engine goes by lines (HLO_SMALL).
#include <algorithm>
#include <complex>
#include <cstring>
#include <vector>

#include "engine/base/indices.h"
#include "engine/kernels/conv_depthwise.h"
#include "engine/kernels/conv_planes.h"
#include "engine/kernels/conv_product.h"
#include "engine/kernels/conv_window.h"
#include "engine/kernels/dot_matmul.h"
#include "engine/kernels/dot_thin.h"
#include "engine/kernels/move_copy.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/products/contraction.h"
#include "engine/ops/shape_checks.h"
#include "engine/ops/windows/convolution.h"
#include "engine/ops/windows/convolution_phases.h"
#include "engine/ops/windows/convolution_views.h"

namespace hlo {
namespace {

/// The loops for one accumulation type.
struct Loops {
  ElementType type;
  int width;
  MatrixProduct multiply;
  ConvProduct product;  ///< null where patches have to be made
  bool lanes;           ///< `direct` has vectors
  void (*direct)(std::span<const ConvDim> dims, const ConvFeatures& features, const std::byte* in,
                 const std::byte* kernel, std::byte* out, Budget* budget, MultiplyAdd step,
                 const ElementsReady* ready);
};

template <typename T>
void DirectAs(std::span<const ConvDim> dims, const ConvFeatures& features, const std::byte* in,
              const std::byte* kernel, std::byte* out, Budget* budget, MultiplyAdd step,
              const ElementsReady* ready) {
  ConvolveDirect(dims, features, reinterpret_cast<const T*>(in), reinterpret_cast<const T*>(kernel),
                 reinterpret_cast<T*>(out), budget, step, ready);
}

Loops LoopsOf(ElementType sum_type) {
  const int width = BytesOf(sum_type);
  const MatrixProduct multiply = ProductOf(sum_type);
  const ConvProduct product = FindConvProduct(sum_type);
  switch (sum_type) {
    case ElementType::kF32:
      return {sum_type, width, multiply, product, true, DirectAs<float>};
    case ElementType::kF64:
      return {sum_type, width, multiply, product, true, DirectAs<double>};
    case ElementType::kC64:
      return {sum_type, width, multiply, product, false, DirectAs<std::complex<float>>};
    case ElementType::kC128:
      return {sum_type, width, multiply, product, false, DirectAs<std::complex<double>>};
    case ElementType::kS32:
    case ElementType::kU32:
      return {sum_type, width, multiply, product, true, DirectAs<uint32_t>};
    default:
      return {sum_type, width, multiply, product, true, DirectAs<uint64_t>};
  }
}

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

/// Bytes of patches at a time: they stay in the second-level cache ...
constexpr int64_t kPatchBytes = int64_t{1} << 19;
/// ... but so many rows at least, since every product packs the kernel anew ...
constexpr int64_t kPatchRows = 32;
/// ... unless that takes more than this.
constexpr int64_t kMostPatchBytes = int64_t{1} << 24;
/// Fewer multiplications than this are not worth a matrix product.
constexpr double kLeastProduct = 2048;
/// Phases between two polls of the budget.
constexpr int64_t kPollPhases = 4096;

/// Input as [batch, spatial..., group, feature], kernel as [spatial..., feature, group, output
/// feature], sums as [batch, spatial..., group, output feature]; all in the accumulation type.
struct Arrays {
  const std::byte* in;
  const std::byte* kernel;
  std::byte* out;
  bool finite_kernel;
  int64_t sum_bytes;  ///< of `out`, which is not set
  /// Where in and out are of a narrower type, that type; what convolves them then, or null.
  NarrowConvolution narrow = nullptr;
  ElementType type = ElementType::kF32;
};

class Convolver {
 public:
  /// `pieces`, if not null, is offered what is final before the rest.
  Convolver(const Arrays& arrays, const ConvFeatures& features, Loops loops, Budget* budget,
            MultiplyAdd step, ResultPieces* pieces)
      : arrays_(arrays),
        features_(features),
        loops_(loops),
        budget_(budget),
        step_(step),
        pieces_(pieces) {}

  /// Runs every phase. Sizes per spatial dimension: run-time sizes of the input, its stored sizes,
  /// and those of the sums.
  void Run(const Window& window, const Dims& inputs, const Dims& input_bounds, const Dims& outputs,
           int64_t batch);

 private:
  struct Strides {
    int64_t in, tap, out;
  };
  bool SetPhase(size_t d, int64_t i);
  void RunPhase();
  bool PatchesPay(double outputs, double taps) const;
  PlaneConvolution PlanesOf() const;
  bool HasProduct(int64_t outputs) const;
  bool HandsOn(int64_t outputs, bool patches) const;
  void SetToZero();
  void RunProduct(int64_t taps, const ElementsReady* ready);
  void RunPatches(int64_t outputs, int64_t taps);
  int64_t RowsAtATime(int64_t row_bytes, int64_t outputs) const;
  bool RowsAreInput(int64_t taps) const;
  bool OutputsAreRows(int64_t step) const;
  bool KernelIsWhole() const;
  void PackKernel(int64_t group, std::byte* matrix) const;

  Arrays arrays_;
  ConvFeatures features_;
  Loops loops_;
  Budget* budget_;
  MultiplyAdd step_;
  ResultPieces* pieces_;
  std::vector<ConvPhases> phases_;
  std::vector<Strides> strides_;
  ConvDims dims_;                 // the batch, then the spatial dimensions in the current phase
  Dims out_offsets_, taps_from_;  // per spatial dimension, in elements
  Dims all_taps_;
  int64_t outputs_ = 1;  // of all phases
  bool is_set_ = false;  // the sums have been set, if only to zero
};

void Convolver::Run(const Window& window, const Dims& inputs, const Dims& input_bounds,
                    const Dims& outputs, int64_t batch) {
  const size_t rank = window.size();
  Strides stride{features_.groups * features_.inputs,
                 features_.groups * features_.inputs * features_.outputs,
                 features_.groups * features_.outputs};
  strides_.resize(rank);
  for (size_t d = rank; d-- > 0;) {
    strides_[d] = stride;
    stride.in *= input_bounds[d];
    stride.tap *= window[d].size;
    stride.out *= outputs[d];
  }
  for (size_t d = 0; d < rank; ++d) {
    phases_.emplace_back(window[d], inputs[d], outputs[d]);
    all_taps_.push_back(window[d].size);
    outputs_ *= outputs[d];
  }
  outputs_ *= batch;
  dims_.resize(rank + 1);
  dims_[0].outputs = dims_[0].size = batch;
  dims_[0].in_stride = stride.in;
  dims_[0].out_stride = stride.out;
  out_offsets_.resize(rank);
  taps_from_.resize(rank);
  // Every combination of phases; the first `d` dimensions are set.
  Dims phase(rank, 0);
  int64_t steps = 0;
  for (size_t d = 0;;) {
    if (++steps % kPollPhases == 0) budget_->Poll();
    if (d < rank && phase[d] < phases_[d].count()) {
      if (!SetPhase(d, phase[d])) {
        ++phase[d];
      } else if (++d < rank) {
        phase[d] = 0;
      }
      continue;
    }
    if (d == rank) RunPhase();
    if (d == 0) break;
    ++phase[--d];
  }
  SetToZero();
}

/// Sums that no phase computes are zero.
void Convolver::SetToZero() {
  if (!is_set_) std::memset(arrays_.out, 0, static_cast<size_t>(arrays_.sum_bytes));
  is_set_ = true;
}

bool Convolver::SetPhase(size_t d, int64_t i) {
  ConvPhase phase;
  if (!phases_[d].Get(i, &phase)) return false;
  ConvDim& dim = dims_[d + 1];
  dim = phase.dim;
  dim.in_stride = strides_[d].in;
  dim.tap_stride = phase.tap_step * strides_[d].tap;
  dim.out_stride = phase.output_step * strides_[d].out;
  out_offsets_[d] = phase.first_output * strides_[d].out;
  taps_from_[d] = phase.first_tap * strides_[d].tap;
  return true;
}

void Convolver::RunPhase() {
  int64_t outputs = dims_[0].outputs, taps = 1;
  for (size_t d = 1; d < dims_.size(); ++d) {
    outputs *= dims_[d].outputs;
    taps *= dims_[d].taps;
  }
  const bool patches = arrays_.narrow == nullptr &&
                       PatchesPay(static_cast<double>(outputs), static_cast<double>(taps));
  // A product sets its sums; what is done tap by tap adds to them.
  if (!patches || outputs < outputs_) SetToZero();
  is_set_ = true;
  const auto take = [&](int64_t begin, int64_t count, int thread, Budget* budget) {
    pieces_->Take(begin, count, thread, budget);
  };
  const ElementsReady taken = take;
  const ElementsReady* const ready =
      HandsOn(outputs, patches) && pieces_->Begin(arrays_.out) ? &taken : nullptr;
  const Arrays whole = arrays_;
  const int64_t out_width = arrays_.narrow ? BytesOf(arrays_.type) : loops_.width;
  for (size_t d = 1; d < dims_.size(); ++d) {
    arrays_.out += out_offsets_[d - 1] * out_width;
    arrays_.kernel += taps_from_[d - 1] * loops_.width;
  }
  if (arrays_.narrow) {
    arrays_.narrow(dims_, features_.groups, arrays_.type, arrays_.in, arrays_.kernel, arrays_.out,
                   budget_, step_, ready);
  } else if (!patches) {
    loops_.direct(dims_, features_, arrays_.in, arrays_.kernel, arrays_.out, budget_, step_, ready);
  } else if (const PlaneConvolution planes = PlanesOf()) {
    planes(dims_, features_, arrays_.in, arrays_.kernel, arrays_.out, budget_, step_, ready);
  } else if (HasProduct(outputs)) {
    RunProduct(taps, ready);
  } else {
    RunPatches(outputs, taps);
  }
  arrays_ = whole;
}

/// Whether patches may be used: their zeros must not meet infinities, nor be most of the work.
bool Convolver::PatchesPay(double outputs, double taps) const {
  const double per_tap =
      static_cast<double>(features_.inputs) * static_cast<double>(features_.outputs);
  if (!arrays_.finite_kernel || outputs * taps * per_tap < kLeastProduct) return false;
#ifndef HLO_SMALL
  if (loops_.lanes && GroupsPay(dims_, features_, loops_.width)) return false;
#endif
  if (features_.groups > 1 && per_tap < 16 && PlanesOf() == nullptr) return false;
  if (taps * static_cast<double>(features_.inputs * loops_.width) > kMostPatchBytes) return false;
  double useful = 1;
  for (const ConvDim& dim : dims_) {
    int64_t met = 0;
    for (int64_t i = 0; i < dim.outputs; ++i) {
      TapRange range = TapsInside(dim, dim.base + i * dim.per_output);
      met += range.end - range.begin;
    }
    useful *= static_cast<double>(met) /
              (static_cast<double>(dim.outputs) * static_cast<double>(dim.taps));
  }
  return useful > 0.25;
}

/// What convolves few features, where that is the way for them.
PlaneConvolution Convolver::PlanesOf() const {
#ifdef HLO_SMALL
  return nullptr;
#else
  return FindPlaneConvolution(dims_, features_, loops_.type);
#endif
}

/// Whether the patches are the input itself: one tap, and outputs laid out like inputs.
bool Convolver::RowsAreInput(int64_t taps) const {
  if (taps != 1 || features_.groups != 1) return false;
  int64_t stride = features_.inputs;
  for (size_t d = dims_.size(); d-- > 0;) {
    const ConvDim& dim = dims_[d];
    TapRange first = TapsInside(dim, dim.base);
    TapRange last = TapsInside(dim, dim.base + (dim.outputs - 1) * dim.per_output);
    if (first.begin == first.end || last.begin == last.end) return false;
    if (dim.outputs > 1 && dim.per_output * dim.in_stride != stride) return false;
    stride *= dim.outputs;
  }
  return true;
}

/// Whether each output lies `step` elements after the one before.
bool Convolver::OutputsAreRows(int64_t step) const {
  int64_t stride = step;
  for (size_t d = dims_.size(); d-- > 0;) {
    if (dims_[d].outputs > 1 && dims_[d].out_stride != stride) return false;
    stride *= dims_[d].outputs;
  }
  return true;
}

/// Whether this phase has the whole kernel, which is a matrix: taps and features by output
/// features.
bool Convolver::KernelIsWhole() const {
  bool whole = true;
  for (size_t d = 1; d < dims_.size(); ++d) whole = whole && dims_[d].taps == all_taps_[d - 1];
  return whole;
}

/// The kernel of one group and phase as a matrix.
void Convolver::PackKernel(int64_t group, std::byte* matrix) const {
  StridedView view;
  for (size_t d = 1; d < dims_.size(); ++d) {
    view.dims.push_back(dims_[d].taps);
    view.strides.push_back(dims_[d].tap_stride);
  }
  view.dims.push_back(features_.inputs);
  view.strides.push_back(features_.groups * features_.outputs);
  view.dims.push_back(features_.outputs);
  view.strides.push_back(1);
  view.offset = group * features_.outputs;
  GatherView(loops_.width, arrays_.kernel, view, matrix, budget_);
}

/// Whether there is a kernel for the product without patches in memory.
bool Convolver::HasProduct(int64_t outputs) const {
  return loops_.product != nullptr && features_.outputs >= 4 && outputs >= 4 &&
         OutputsAreRows(features_.groups * features_.outputs);
}

/// Whether this phase has all outputs, and the kernel that it takes can say which are final.
bool Convolver::HandsOn([[maybe_unused]] int64_t outputs, [[maybe_unused]] bool patches) const {
#ifdef HLO_SMALL
  return false;
#else
  if (pieces_ == nullptr || outputs < outputs_) return false;
  if (arrays_.narrow != nullptr) return true;
  if (!patches) return loops_.lanes && HandsOnLines(dims_, features_, loops_.width);
  return PlanesOf() != nullptr || (features_.groups == 1 && HasProduct(outputs));
#endif
}

void Convolver::RunProduct(int64_t taps, const ElementsReady* ready) {
  const int64_t width = loops_.width, n = features_.outputs, row = features_.groups * n;
  const bool pack = !KernelIsWhole();
  const auto matrix = Buffer::Allocate(
      pack ? static_cast<size_t>(taps * features_.inputs * n * width) : 0, budget_);
  for (int64_t group = 0; group < features_.groups; ++group) {
    if (pack) PackKernel(group, matrix->data());
    loops_.product(dims_,
                   {features_.inputs, n, arrays_.in + group * features_.inputs * width,
                    pack ? matrix->data() : arrays_.kernel + group * n * width, pack ? n : row,
                    arrays_.out + group * n * width, row},
                   budget_, step_, ready);
  }
}

/// Rows of patches at a time.
int64_t Convolver::RowsAtATime(int64_t row_bytes, int64_t outputs) const {
  const auto most = static_cast<int64_t>(
      std::min(static_cast<uint64_t>(kMostPatchBytes), budget_->memory_left() / 4));
  int64_t rows = std::max(kPatchBytes / row_bytes, kPatchRows);
  rows = std::max<int64_t>(std::min(rows, most / row_bytes), 1);
  return std::min(rows, outputs);
}

void Convolver::RunPatches(int64_t outputs, int64_t taps) {
  const int64_t width = loops_.width, depth = taps * features_.inputs, n = features_.outputs;
  const bool gather = !RowsAreInput(taps), scatter = features_.groups != 1 || !OutputsAreRows(n),
             pack = features_.groups != 1 || !KernelIsWhole();
  const int64_t rows = gather || scatter ? RowsAtATime(depth * width, outputs) : outputs;
  auto scratch = [&](bool needed, int64_t count) {
    return Buffer::Allocate(needed ? static_cast<size_t>(count * width) : 0, budget_);
  };
  auto patches = scratch(gather, rows * depth);
  auto sums = scratch(scatter, rows * n);
  auto matrix = scratch(pack, depth * n);
  int64_t input_start = 0;
  if (!gather) {
    for (const ConvDim& dim : dims_) input_start += dim.base * dim.in_stride;
  }
  for (int64_t group = 0; group < features_.groups; ++group) {
    if (pack) PackKernel(group, matrix->data());
    const std::byte* in = arrays_.in + (group * features_.inputs + input_start) * width;
    std::byte* out = arrays_.out + group * n * width;
    for (int64_t first = 0; first < outputs; first += rows) {
      const int64_t count = std::min(rows, outputs - first);
      const std::byte* a = gather ? patches->data() : in + first * depth * width;
      if (gather) {
        GatherPatches(dims_, first, count, features_.inputs, loops_.width, in, patches->data());
      }
      std::byte* c = scatter ? sums->data() : out + first * n * width;
      loops_.multiply(a, pack ? matrix->data() : arrays_.kernel, c, count, depth, n, budget_, step_,
                      nullptr);
      if (scatter) ScatterOutputs(dims_, first, count, n, loops_.width, c, out);
      budget_->Poll();
    }
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
    Arrays arrays{input.bytes(),
                  kernel.bytes(),
                  sums.mutable_bytes(),
                  AllFinite(kernel),
                  sums.byte_size(),
                  narrow,
                  type};
    Convolver(arrays, roles.features, LoopsOf(sum_type), budget, step, gives ? pieces : nullptr)
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
