#include "engine/ops/windows/convolution_forms.h"

#include <utility>

#include "engine/base/bits.h"

namespace hlo {
namespace {

/// (count - 1) * step + 1: the extent of `count` elements at distance `step`.
bool Reach(int64_t count, int64_t step, int64_t* out) {
  return MultiplyChecked(count - 1, step, out) && AddChecked(*out, 1, out);
}

bool SubtractChecked(int64_t a, int64_t b, int64_t* out) {
  return !__builtin_sub_overflow(a, b, out);
}

}  // namespace

std::optional<ConvolutionForm> DataGradient(const ConvolutionForm& form) {
  ConvolutionForm gradient = form;
  std::swap(gradient.labels.kernel_input_feature, gradient.labels.kernel_output_feature);
  for (WindowDim& w : gradient.window) {
    int64_t reach = 0;
    if (!Reach(w.size, w.window_dilation, &reach) ||
        !SubtractChecked(reach - 1, w.pad_low, &w.pad_low) ||
        !SubtractChecked(reach - 1, w.pad_high, &w.pad_high) ||
        !MultiplyChecked(w.base_dilation, w.stride, &w.base_dilation)) {
      return std::nullopt;
    }
    w.stride = 1;
    w.reversal = !w.reversal;
  }
  return gradient;
}

std::optional<ConvolutionForm> WeightGradient(const ConvolutionForm& form, const Shape& lhs,
                                              const Shape& rhs) {
  const ConvDimLabels& l = form.labels;
  ConvolutionForm gradient;
  gradient.labels = {l.input_feature,  l.input_batch,          l.output_batch,
                     l.output_feature, l.kernel_input_feature, l.kernel_output_feature,
                     l.input_spatial,  l.output_spatial,       l.kernel_spatial,
                     l.input_unknown,  l.output_unknown,       l.kernel_unknown};
  gradient.feature_groups = form.batch_groups;
  gradient.batch_groups = form.feature_groups;
  for (size_t i = 0; i < form.window.size(); ++i) {
    const WindowDim& w = form.window[i];
    WindowDim over = w;
    over.size = rhs.dim(static_cast<int>(l.output_spatial[i]));
    over.stride = w.window_dilation;
    over.window_dilation = w.stride;
    over.reversal = false;
    if (w.reversal) gradient.reversed.push_back(l.kernel_spatial[i]);
    // High padding such that there is one window position per kernel element.
    const int64_t size = lhs.dim(static_cast<int>(l.input_spatial[i]));
    int64_t base = 0, reach = 0, steps = 0;
    if (size > 0 && !Reach(size, w.base_dilation, &base)) return std::nullopt;
    if (!Reach(over.size, w.stride, &reach) || !Reach(w.size, w.window_dilation, &steps) ||
        !AddChecked(reach, steps - 1, &reach) || !SubtractChecked(reach, base, &over.pad_high) ||
        !SubtractChecked(over.pad_high, w.pad_low, &over.pad_high)) {
      return std::nullopt;
    }
    gradient.window.push_back(over);
  }
  return gradient;
}

}  // namespace hlo
