#include "engine/ops/windows/convolution_views.h"

namespace hlo {

StridedView InputView(const Dims& lhs, const ConvolutionForm& form) {
  const ConvDimLabels& l = form.labels;
  StridedView all = RowMajorView(lhs), view;
  auto add = [&](int64_t d, int64_t size, int64_t step) {
    view.dims.push_back(size);
    view.strides.push_back(all.strides[static_cast<size_t>(d)] * step);
  };
  const int64_t batch = lhs[static_cast<size_t>(l.input_batch)] / form.batch_groups;
  const int64_t features = lhs[static_cast<size_t>(l.input_feature)] / form.feature_groups;
  add(l.input_batch, batch, 1);
  for (int64_t d : l.input_spatial) add(d, lhs[static_cast<size_t>(d)], 1);
  // One of the two is 1.
  add(l.input_batch, form.batch_groups, batch);
  add(l.input_feature, form.feature_groups, features);
  add(l.input_feature, features, 1);
  return view;
}

StridedView KernelView(const Dims& rhs, const ConvolutionForm& form) {
  const ConvDimLabels& l = form.labels;
  Dims reversed, order = l.kernel_spatial;
  for (size_t i = 0; i < form.window.size(); ++i) {
    if (form.window[i].reversal) reversed.push_back(l.kernel_spatial[i]);
  }
  order.push_back(l.kernel_input_feature);
  order.push_back(l.kernel_output_feature);
  return Permute(Flip(RowMajorView(rhs), reversed), order);
}

StridedView ResultView(const Dims& sums, const ConvolutionForm& form, int64_t features,
                       size_t rank) {
  const ConvDimLabels& l = form.labels;
  StridedView all = RowMajorView(sums), view;
  view.dims = Dims(rank, 1);
  view.strides = Dims(rank, 0);
  auto put = [&](int64_t to, size_t from) {
    view.dims[static_cast<size_t>(to)] = all.dims[from];
    view.strides[static_cast<size_t>(to)] = all.strides[from];
  };
  put(l.output_batch, 0);
  for (size_t i = 0; i < l.output_spatial.size(); ++i) put(l.output_spatial[i], i + 1);
  put(l.output_feature, all.dims.size() - 1);
  view.dims[static_cast<size_t>(l.output_feature)] = features;
  return Flip(view, form.reversed);
}

}  // namespace hlo
