// Views of a convolution's arrays in the single dimension order that its loops use.
#ifndef HLO_ENGINE_OPS_WINDOWS_CONVOLUTION_VIEWS_H_
#define HLO_ENGINE_OPS_WINDOWS_CONVOLUTION_VIEWS_H_

#include <cstddef>
#include <cstdint>

#include "engine/base/small_vector.h"
#include "engine/kernels/move_view.h"
#include "engine/ops/windows/convolution.h"

namespace hlo {

/// An lhs of these dimensions as [batch, spatial..., batch group, feature group, feature]. One of
/// the two group dimensions has size 1, so the loops treat both kinds as feature groups.
StridedView InputView(const Dims& lhs, const ConvolutionForm& form);

/// An rhs of these dimensions as [spatial..., feature, output feature], reversed where the window
/// says so.
StridedView KernelView(const Dims& rhs, const ConvolutionForm& form);

/// Sums of dimensions [batch, spatial..., output feature] with the labels of a result of this rank;
/// the leading `features` output features. Dimensions labelled `?` have size 1.
StridedView ResultView(const Dims& sums, const ConvolutionForm& form, int64_t features,
                       size_t rank);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_WINDOWS_CONVOLUTION_VIEWS_H_
