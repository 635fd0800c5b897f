// What the ops mean whose evaluation is fast and long, written down as the operation semantics
// document defines them, an element at a time. Read them beside it.
#ifndef HLO_TESTS_REFERENCE_PLAIN_OPS_H_
#define HLO_TESTS_REFERENCE_PLAIN_OPS_H_

#include <cstdint>
#include <functional>
#include <vector>
#include <xtensor/xarray.hpp>

#include "engine/ops/attributes.h"

namespace hlo::plain {

using Array = xt::xarray<int64_t>;
using Combine = std::function<int64_t(int64_t, int64_t)>;
using Compare = std::function<bool(int64_t, int64_t)>;

/// `dims` of an array, and an array of these sizes that holds `value` everywhere.
Dims DimsOf(const Array& array);
Array Filled(const Dims& sizes, int64_t value);

/// Pad: element i goes to low + i * (interior + 1), where that is inside.
Array Pad(const Array& operand, int64_t value, const std::vector<PadDim>& padding);

/// Reduce: over `dimensions`, in row-major order.
Array Reduce(const Array& operand, int64_t init, const Dims& dimensions, const Combine& combine);

/// ReduceWindow: of the operand, padded with the initial value and dilated by it.
Array ReduceWindow(const Array& operand, int64_t init, const Window& window,
                   const Combine& combine);

/// SelectAndScatter: from each window of the operand the element that `select` keeps takes the
/// element of the source.
Array SelectAndScatter(const Array& operand, const Array& source, int64_t init,
                       const Window& window, const Compare& select, const Combine& scatter);

/// Conv: of arrays whose dimensions `labels` names, in groups of features and of batches.
Array Convolution(const Array& lhs, const Array& rhs, const Window& window,
                  const ConvDimLabels& labels, int64_t feature_groups, int64_t batch_groups);

/// DotGeneral: batch dimensions first, then what is left of lhs, then of rhs.
struct DotNumbers {
  Dims lhs_batch, rhs_batch, lhs_contracting, rhs_contracting;
};
Array Dot(const Array& lhs, const Array& rhs, const DotNumbers& numbers);

/// Gather and Scatter, with the names of Gather.
struct GatherNumbers {
  Dims offset_dims, collapsed_slice_dims, start_index_map;
  Dims operand_batching_dims, start_indices_batching_dims;
  int64_t index_vector_dim = 0;
  Dims slice_sizes;
};
Array Gather(const Array& operand, const Array& start_indices, const GatherNumbers& numbers);
/// An update that is not wholly inside changes nothing; the others come in row-major order.
Array Scatter(const Array& operand, const Array& indices, const Array& updates,
              const GatherNumbers& numbers, const Combine& combine);

/// Sort: stable, along one dimension, all operands by the comparison of the first.
std::vector<Array> Sort(const std::vector<Array>& operands, int64_t dimension,
                        const Compare& before);

/// Scan of one input and one carry: output i is combine(carry, input i), and the next carry.
struct Scanned {
  Array outputs, carry;
};
Scanned Scan(const Array& input, const Array& carry, int64_t dimension, bool is_reverse,
             const Combine& combine);

}  // namespace hlo::plain

#endif  // HLO_TESTS_REFERENCE_PLAIN_OPS_H_
