// The Builder: operations that fold or contract, and linear algebra.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/bits.h"
#include "engine/hlo/builder.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

std::vector<Op> Joined(const std::vector<Op>& a, const std::vector<Op>& b) {
  std::vector<Op> all = a;
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

/// Batch, features, then spatial dimensions.
ConvDimLabels PlainLabels(int rank) {
  ConvDimLabels labels;
  labels.input_feature = labels.output_feature = labels.kernel_input_feature = 1;
  for (int d = 2; d < rank; ++d) {
    labels.input_spatial.push_back(d);
    labels.kernel_spatial.push_back(d);
    labels.output_spatial.push_back(d);
  }
  return labels;
}

}  // namespace

// ---- Windows ------------------------------------------------------------------------------------

std::optional<Window> Builder::MakeWindow(const Dims& sizes, const Dims& strides,
                                          const Pairs& padding, const Dims& base_dilations,
                                          const Dims& window_dilations) {
  size_t rank = sizes.size();
  auto fits = [&](size_t count) { return count == 0 || count == rank; };
  if (!fits(strides.size()) || !fits(padding.size()) || !fits(base_dilations.size()) ||
      !fits(window_dilations.size())) {
    Report(DiagCode::kAttributeValue,
           fmt::format("window: {} dimensions, {} strides, {} paddings, {} base dilations and {} "
                       "window dilations",
                       rank, strides.size(), padding.size(), base_dilations.size(),
                       window_dilations.size()));
    return std::nullopt;
  }
  Window window(rank);
  for (size_t i = 0; i < rank; ++i) {
    window[i].size = sizes[i];
    if (!strides.empty()) window[i].stride = strides[i];
    if (!padding.empty()) {
      window[i].pad_low = padding[i].first;
      window[i].pad_high = padding[i].second;
    }
    if (!base_dilations.empty()) window[i].base_dilation = base_dilations[i];
    if (!window_dilations.empty()) window[i].window_dilation = window_dilations[i];
  }
  return window;
}

std::optional<Builder::Pairs> Builder::PaddingOf(Padding padding, const Dims& base,
                                                 const Dims& window, const Dims& strides,
                                                 const Dims& base_dilations,
                                                 const Dims& window_dilations) {
  const auto fits = [&](const Dims& list) { return list.empty() || list.size() == base.size(); };
  // The size with the gaps; 0 of 0.
  const auto dilated = [](int64_t size, const Dims& dilations, size_t i, int64_t* result) {
    const int64_t dilation = dilations.empty() ? 1 : dilations[i];
    *result = 0;
    if (size <= 0 || dilation < 1) return size == 0;
    if (!MultiplyChecked(size - 1, dilation, result)) return false;
    ++*result;
    return true;
  };
  Pairs pairs;
  bool good = base.size() == window.size() && fits(strides) && fits(base_dilations) &&
              fits(window_dilations);
  for (size_t i = 0; good && i < base.size(); ++i) {
    int64_t stride = strides.empty() ? 1 : strides[i], area = 0, size = 0;
    good = dilated(base[i], base_dilations, i, &area) &&
           dilated(window[i], window_dilations, i, &size) && size >= 1 && stride >= 1;
    if (!good) break;
    if (padding == Padding::kValid) {
      pairs.emplace_back(0, 0);
      continue;
    }
    // What the last window lacks; the sum stays between -area and size.
    int64_t last = area == 0 ? 0 : (CeilDiv(area, stride) - 1) * stride;
    int64_t total = area == 0 ? 0 : std::max<int64_t>(last - area + size, 0);
    pairs.emplace_back(total / 2, total - total / 2);
  }
  if (good) return pairs;
  Report(DiagCode::kAttributeValue,
         fmt::format("window: sizes {}, strides {}, base dilations {} and window dilations {} do "
                     "not fit dimensions {}",
                     DimsText(window), DimsText(strides), DimsText(base_dilations),
                     DimsText(window_dilations), DimsText(base)));
  return std::nullopt;
}

Op Builder::ReduceWindow(const std::vector<Op>& operands, const std::vector<Op>& init_values,
                         const Module* computation, const Dims& window_dimensions,
                         const Dims& window_strides, const Dims& base_dilations,
                         const Dims& window_dilations, const Pairs& padding) {
  std::optional<Window> window =
      MakeWindow(window_dimensions, window_strides, padding, base_dilations, window_dilations);
  if (!window) return Op();
  return Instruct(
      Opcode::kReduceWindow, Joined(operands, init_values),
      {{"window", std::move(*window)}, {"to_apply", Import(computation, "reduce-window")}});
}

Op Builder::ReduceWindow(const std::vector<Op>& operands, const std::vector<Op>& init_values,
                         const Module* computation, const Dims& window_dimensions,
                         const Dims& window_strides, const Dims& base_dilations,
                         const Dims& window_dilations, Padding padding) {
  if (operands.empty()) return Fail(DiagCode::kOperandCount, "reduce-window: no operands");
  if (!IsArray(operands[0], "reduce-window")) return Op();
  auto pairs = PaddingOf(padding, operands[0].shape().dims(), window_dimensions, window_strides,
                         base_dilations, window_dilations);
  if (!pairs) return Op();
  return ReduceWindow(operands, init_values, computation, window_dimensions, window_strides,
                      base_dilations, window_dilations, *pairs);
}

Op Builder::ReduceWindow(Op operand, Op init_value, const Module* computation,
                         const Dims& window_dimensions, const Dims& window_strides,
                         Padding padding) {
  return ReduceWindow(std::vector<Op>{operand}, {init_value}, computation, window_dimensions,
                      window_strides, {}, {}, padding);
}

Op Builder::SelectAndScatter(Op operand, const Module* select, const Dims& window_dimensions,
                             const Dims& window_strides, Padding padding, Op source, Op init_value,
                             const Module* scatter) {
  if (!IsArray(operand, "select-and-scatter")) return Op();
  auto pairs = PaddingOf(padding, operand.shape().dims(), window_dimensions, window_strides);
  if (!pairs) return Op();
  auto window = MakeWindow(window_dimensions, window_strides, *pairs, {}, {});
  if (!window) return Op();
  return Instruct(Opcode::kSelectAndScatter, {operand, source, init_value},
                  {{"window", std::move(*window)},
                   {"select", Import(select, "select-and-scatter")},
                   {"scatter", Import(scatter, "select-and-scatter")}});
}

// ---- Reduce, sort -------------------------------------------------------------------------------

Op Builder::Reduce(Op operand, Op init_value, const Module* computation, const Dims& dimensions) {
  return Reduce(std::vector<Op>{operand}, {init_value}, computation, dimensions);
}

Op Builder::Reduce(const std::vector<Op>& operands, const std::vector<Op>& init_values,
                   const Module* computation, const Dims& dimensions) {
  return Instruct(Opcode::kReduce, Joined(operands, init_values),
                  {{"dimensions", dimensions}, {"to_apply", Import(computation, "reduce")}});
}

Op Builder::Sort(const std::vector<Op>& operands, const Module* comparator, int64_t dimension,
                 bool is_stable) {
  if (operands.empty() || !IsArray(operands[0], "sort")) return Op();
  if (dimension == -1) dimension = operands[0].shape().rank() - 1;
  NamedAttrs attrs = {{"dimensions", Dims{dimension}}, {"to_apply", Import(comparator, "sort")}};
  if (is_stable) attrs.push_back({"is_stable", true});
  return Instruct(Opcode::kSort, operands, std::move(attrs));
}

Op Builder::TopK(Op operand, int64_t k, bool largest) {
  return Instruct(Opcode::kTopk, {operand}, {{"k", k}, {"largest", largest}});
}

// ---- Dot, convolution ---------------------------------------------------------------------------

Op Builder::Dot(Op lhs, Op rhs) {
  if (!IsArray(lhs, "dot") || !IsArray(rhs, "dot")) return Op();
  int rank = lhs.shape().rank();
  if (rank < 1 || rank > 2 || rhs.shape().rank() < 1 || rhs.shape().rank() > 2) {
    return Fail(DiagCode::kOperandInvalid,
                fmt::format("dot: takes vectors and matrices, not {} and {}",
                            ShapeName(lhs.shape()), ShapeName(rhs.shape())));
  }
  return DotGeneral(lhs, rhs,
                    {.lhs_contracting_dimensions = {rank - 1},
                     .rhs_contracting_dimensions = {0},
                     .lhs_batch_dimensions = {},
                     .rhs_batch_dimensions = {}});
}

Op Builder::DotGeneral(Op lhs, Op rhs, const DotDimensionNumbers& dimension_numbers) {
  NamedAttrs attrs;
  if (!dimension_numbers.lhs_batch_dimensions.empty()) {
    attrs.push_back({"lhs_batch_dims", dimension_numbers.lhs_batch_dimensions});
  }
  attrs.push_back({"lhs_contracting_dims", dimension_numbers.lhs_contracting_dimensions});
  if (!dimension_numbers.rhs_batch_dimensions.empty()) {
    attrs.push_back({"rhs_batch_dims", dimension_numbers.rhs_batch_dimensions});
  }
  attrs.push_back({"rhs_contracting_dims", dimension_numbers.rhs_contracting_dimensions});
  return Instruct(Opcode::kDot, {lhs, rhs}, std::move(attrs));
}

Op Builder::Conv(Op lhs, Op rhs, const Dims& window_strides, Padding padding,
                 int64_t feature_group_count, int64_t batch_group_count) {
  if (!IsArray(lhs, "convolution") || !IsArray(rhs, "convolution")) return Op();
  auto spatial = [](const Shape& shape) {
    Dims sizes;
    for (int d = 2; d < shape.rank(); ++d) sizes.push_back(shape.dim(d));
    return sizes;
  };
  auto pairs = PaddingOf(padding, spatial(lhs.shape()), spatial(rhs.shape()), window_strides);
  if (!pairs) return Op();
  return ConvWithGeneralPadding(lhs, rhs, window_strides, *pairs, {}, {}, feature_group_count,
                                batch_group_count);
}

Op Builder::ConvWithGeneralPadding(Op lhs, Op rhs, const Dims& window_strides, const Pairs& padding,
                                   const Dims& lhs_dilation, const Dims& rhs_dilation,
                                   int64_t feature_group_count, int64_t batch_group_count) {
  return ConvGeneralDilated(lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation,
                            PlainLabels(lhs.shape().IsArray() ? lhs.shape().rank() : 2),
                            feature_group_count, batch_group_count);
}

Op Builder::ConvGeneralDilated(Op lhs, Op rhs, const Dims& window_strides, const Pairs& padding,
                               const Dims& lhs_dilation, const Dims& rhs_dilation,
                               const ConvDimLabels& dimension_numbers, int64_t feature_group_count,
                               int64_t batch_group_count) {
  if (!IsArray(lhs, "convolution") || !IsArray(rhs, "convolution")) return Op();
  Dims sizes;
  for (int64_t d : dimension_numbers.kernel_spatial) {
    if (d < 0 || d >= rhs.shape().rank()) {
      return Fail(
          DiagCode::kDimensionNumbers,
          fmt::format("convolution: the kernel {} has no dimension {}", ShapeName(rhs.shape()), d));
    }
    sizes.push_back(rhs.shape().dim(static_cast<int>(d)));
  }
  auto window = MakeWindow(sizes, window_strides, padding, lhs_dilation, rhs_dilation);
  if (!window) return Op();
  NamedAttrs attrs;
  if (!window->empty()) attrs.push_back({"window", std::move(*window)});
  attrs.push_back({"dim_labels", dimension_numbers});
  if (feature_group_count != 1) attrs.push_back({"feature_group_count", feature_group_count});
  if (batch_group_count != 1) attrs.push_back({"batch_group_count", batch_group_count});
  return Instruct(Opcode::kConvolution, {lhs, rhs}, std::move(attrs));
}

// ---- Normalisation, linear algebra --------------------------------------------------------------

Op Builder::BatchNormTraining(Op operand, Op scale, Op offset, float epsilon,
                              int64_t feature_index) {
  return Instruct(Opcode::kBatchNormTraining, {operand, scale, offset},
                  {{"epsilon", double{epsilon}}, {"feature_index", feature_index}});
}

Op Builder::BatchNormInference(Op operand, Op scale, Op offset, Op mean, Op variance, float epsilon,
                               int64_t feature_index) {
  return Instruct(Opcode::kBatchNormInference, {operand, scale, offset, mean, variance},
                  {{"epsilon", double{epsilon}}, {"feature_index", feature_index}});
}

Op Builder::BatchNormGrad(Op operand, Op scale, Op mean, Op variance, Op grad_output, float epsilon,
                          int64_t feature_index) {
  return Instruct(Opcode::kBatchNormGrad, {operand, scale, mean, variance, grad_output},
                  {{"epsilon", double{epsilon}}, {"feature_index", feature_index}});
}

Op Builder::Cholesky(Op a, bool lower) {
  return Instruct(Opcode::kCholesky, {a}, {{"lower", lower}});
}

Op Builder::TriangularSolve(Op a, Op b, bool left_side, bool lower, bool unit_diagonal,
                            TransposeA transpose_a) {
  constexpr std::string_view kWords[] = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
  return Instruct(Opcode::kTriangularSolve, {a, b},
                  {{"left_side", left_side},
                   {"lower", lower},
                   {"unit_diagonal", unit_diagonal},
                   {"transpose_a", std::string(kWords[static_cast<size_t>(transpose_a)])}});
}

Op Builder::Fft(Op operand, FftType fft_type, const Dims& fft_length) {
  constexpr std::string_view kWords[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
  return Instruct(Opcode::kFft, {operand},
                  {{"fft_type", std::string(kWords[static_cast<size_t>(fft_type)])},
                   {"fft_length", fft_length}});
}

}  // namespace hlo
