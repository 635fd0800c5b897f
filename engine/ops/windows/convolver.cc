#include "engine/ops/windows/convolver.h"

#include <algorithm>
#include <complex>
#include <cstring>
#include <memory>

#include "engine/kernels/move_copy.h"

namespace hlo {
namespace {

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

template <typename T>
void DirectAs(std::span<const ConvDim> dims, const ConvFeatures& features, const std::byte* in,
              const std::byte* kernel, std::byte* out, Budget* budget, MultiplyAdd step,
              const ElementsReady* ready) {
  ConvolveDirect(dims, features, reinterpret_cast<const T*>(in), reinterpret_cast<const T*>(kernel),
                 reinterpret_cast<T*>(out), budget, step, ready);
}

}  // namespace

ConvLoops ConvLoopsOf(ElementType sum_type) {
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
  const ConvArrays whole = arrays_;
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

}  // namespace hlo
