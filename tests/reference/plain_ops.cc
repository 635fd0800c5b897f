#include "tests/reference/plain_ops.h"

#include <algorithm>
#include <cstddef>

#include "engine/base/indices.h"
#include "tests/unit/indices.h"

namespace hlo::plain {
namespace {

int64_t At(const Array& array, const Dims& index) {
  return array.element(index.begin(), index.end());
}
int64_t& At(Array& array, const Dims& index) { return array.element(index.begin(), index.end()); }

/// Calls visit(index) for every index of an array of these sizes, in row-major order.
template <typename Visit>
void ForEach(const Dims& sizes, Visit visit) {
  const int64_t count = CountOf(sizes);
  for (int64_t i = 0; i < count; ++i) visit(IndexOf(sizes, i));
}

bool IsInside(const Dims& index, const Dims& sizes) {
  for (size_t d = 0; d < index.size(); ++d) {
    if (index[d] < 0 || index[d] >= sizes[d]) return false;
  }
  return true;
}

bool Has(const Dims& list, size_t d) {
  return std::find(list.begin(), list.end(), static_cast<int64_t>(d)) != list.end();
}

/// The dimensions below `rank` that none of the lists has.
Dims Others(size_t rank, std::initializer_list<Dims> lists) {
  Dims others;
  for (size_t d = 0; d < rank; ++d) {
    const bool listed =
        std::any_of(lists.begin(), lists.end(), [&](const Dims& list) { return Has(list, d); });
    if (!listed) others.push_back(static_cast<int64_t>(d));
  }
  return others;
}

/// index[dimensions[i]] = values[i].
void Put(const Dims& values, const Dims& dimensions, Dims* index) {
  for (size_t i = 0; i < dimensions.size(); ++i) {
    (*index)[static_cast<size_t>(dimensions[i])] = values[i];
  }
}

/// Window position `place` at output `output`, in the array that the window slides over.
Dims WindowPlace(const Window& window, const Dims& output, const Dims& place) {
  Dims at;
  for (size_t d = 0; d < window.size(); ++d) {
    at.push_back(output[d] * window[d].stride + place[d] * window[d].window_dilation);
  }
  return at;
}

Dims WindowSizes(const Window& window) {
  Dims sizes;
  for (const WindowDim& w : window) sizes.push_back(w.size);
  return sizes;
}

std::vector<PadDim> PaddingOf(const Window& window) {
  std::vector<PadDim> padding;
  for (const WindowDim& w : window) padding.push_back({w.pad_low, w.pad_high, w.base_dilation - 1});
  return padding;
}

/// How many places the window has along each dimension of the padded array.
Dims Outputs(const Window& window, const Dims& padded) {
  Dims outputs;
  for (size_t d = 0; d < window.size(); ++d) {
    const int64_t reach = (window[d].size - 1) * window[d].window_dilation + 1;
    outputs.push_back(reach > padded[d] ? 0 : (padded[d] - reach) / window[d].stride + 1);
  }
  return outputs;
}

}  // namespace

Dims DimsOf(const Array& array) {
  Dims sizes;
  for (size_t size : array.shape()) sizes.push_back(static_cast<int64_t>(size));
  return sizes;
}

Array Filled(const Dims& sizes, int64_t value) {
  Array array(std::vector<size_t>(sizes.begin(), sizes.end()));
  array.fill(value);
  return array;
}

Array Pad(const Array& operand, int64_t value, const std::vector<PadDim>& padding) {
  Dims sizes = DimsOf(operand);
  for (size_t d = 0; d < sizes.size(); ++d) {
    const PadDim& p = padding[d];
    const int64_t spread = sizes[d] + std::max<int64_t>(sizes[d] - 1, 0) * p.interior;
    sizes[d] = std::max<int64_t>(p.low + spread + p.high, 0);
  }
  Array result = Filled(sizes, value);
  ForEach(DimsOf(operand), [&](const Dims& index) {
    Dims to;
    for (size_t d = 0; d < index.size(); ++d) {
      to.push_back(padding[d].low + index[d] * (padding[d].interior + 1));
    }
    if (IsInside(to, sizes)) At(result, to) = At(operand, index);
  });
  return result;
}

Array Reduce(const Array& operand, int64_t init, const Dims& dimensions, const Combine& combine) {
  const Dims sizes = DimsOf(operand);
  const Dims kept = Others(sizes.size(), {dimensions});
  Array result = Filled(SizesOf(sizes, kept), init);
  ForEach(sizes, [&](const Dims& index) {
    int64_t& sum = At(result, SizesOf(index, kept));
    sum = combine(sum, At(operand, index));
  });
  return result;
}

Array ReduceWindow(const Array& operand, int64_t init, const Window& window,
                   const Combine& combine) {
  const Array padded = Pad(operand, init, PaddingOf(window));
  Array result = Filled(Outputs(window, DimsOf(padded)), init);
  ForEach(DimsOf(result), [&](const Dims& output) {
    ForEach(WindowSizes(window), [&](const Dims& place) {
      int64_t& sum = At(result, output);
      sum = combine(sum, At(padded, WindowPlace(window, output, place)));
    });
  });
  return result;
}

Array SelectAndScatter(const Array& operand, const Array& source, int64_t init,
                       const Window& window, const Compare& select, const Combine& scatter) {
  Array result = Filled(DimsOf(operand), init);
  ForEach(DimsOf(source), [&](const Dims& output) {
    Dims selected;
    ForEach(WindowSizes(window), [&](const Dims& place) {
      Dims at = WindowPlace(window, output, place);
      for (size_t d = 0; d < at.size(); ++d) at[d] -= window[d].pad_low;
      // Padding is never selected.
      if (!IsInside(at, DimsOf(operand))) return;
      if (selected.empty() || !select(At(operand, selected), At(operand, at))) selected = at;
    });
    if (selected.empty()) return;
    int64_t& sum = At(result, selected);
    sum = scatter(sum, At(source, output));
  });
  return result;
}

Array Convolution(const Array& lhs, const Array& rhs, const Window& window,
                  const ConvDimLabels& labels, int64_t feature_groups, int64_t batch_groups) {
  const Dims input = DimsOf(lhs), kernel = DimsOf(rhs);
  const size_t rank = input.size();
  // The window slides over the spatial dimensions of the input, padded with zeros.
  std::vector<PadDim> padding(rank);
  for (size_t i = 0; i < window.size(); ++i) {
    padding[static_cast<size_t>(labels.input_spatial[i])] = PaddingOf(window)[i];
  }
  const Array padded = Pad(lhs, 0, padding);
  const int64_t batches = input[static_cast<size_t>(labels.input_batch)] / batch_groups;
  const int64_t features = kernel[static_cast<size_t>(labels.kernel_output_feature)];
  const int64_t inputs = kernel[static_cast<size_t>(labels.kernel_input_feature)];
  Dims sizes(rank, 0);
  Put({batches, features}, {labels.output_batch, labels.output_feature}, &sizes);
  Put(Outputs(window, SizesOf(DimsOf(padded), labels.input_spatial)), labels.output_spatial,
      &sizes);
  Array result = Filled(sizes, 0);
  ForEach(sizes, [&](const Dims& output) {
    const int64_t batch = output[static_cast<size_t>(labels.output_batch)];
    const int64_t feature = output[static_cast<size_t>(labels.output_feature)];
    // The output features are divided among the groups of features, or of batches.
    const int64_t feature_group = feature / (features / feature_groups);
    const int64_t batch_group = feature / (features / batch_groups);
    ForEach(Joined(WindowSizes(window), Dims{inputs}), [&](Dims place) {
      const int64_t channel = place.back();
      place.pop_back();
      Dims from(rank, 0), weight(rank, 0);
      Put({batch_group * batches + batch, feature_group * inputs + channel},
          {labels.input_batch, labels.input_feature}, &from);
      Put(WindowPlace(window, SizesOf(output, labels.output_spatial), place), labels.input_spatial,
          &from);
      for (size_t d = 0; d < place.size(); ++d) {
        if (window[d].reversal) place[d] = window[d].size - 1 - place[d];
      }
      Put({channel, feature}, {labels.kernel_input_feature, labels.kernel_output_feature}, &weight);
      Put(place, labels.kernel_spatial, &weight);
      At(result, output) += At(padded, from) * At(rhs, weight);
    });
  });
  return result;
}

Array Dot(const Array& lhs, const Array& rhs, const DotNumbers& n) {
  const Dims left = DimsOf(lhs), right = DimsOf(rhs);
  const Dims lhs_free = Others(left.size(), {n.lhs_batch, n.lhs_contracting});
  const Dims rhs_free = Others(right.size(), {n.rhs_batch, n.rhs_contracting});
  const Dims batch = SizesOf(left, n.lhs_batch), contracted = SizesOf(left, n.lhs_contracting);
  const Dims rows = SizesOf(left, lhs_free), columns = SizesOf(right, rhs_free);
  Array result = Filled(Joined(Joined(batch, rows), columns), 0);
  ForEach(batch, [&](const Dims& b) {
    ForEach(rows, [&](const Dims& r) {
      ForEach(columns, [&](const Dims& c) {
        ForEach(contracted, [&](const Dims& k) {
          Dims from_left(left.size(), 0), from_right(right.size(), 0);
          Put(b, n.lhs_batch, &from_left);
          Put(r, lhs_free, &from_left);
          Put(k, n.lhs_contracting, &from_left);
          Put(b, n.rhs_batch, &from_right);
          Put(c, rhs_free, &from_right);
          Put(k, n.rhs_contracting, &from_right);
          At(result, Joined(Joined(b, r), c)) += At(lhs, from_left) * At(rhs, from_right);
        });
      });
    });
  });
  return result;
}

namespace {

/// Where the slice at a batch index begins, as the start indices have it.
Dims StartOf(const Array& start_indices, const Dims& batch, size_t rank, const GatherNumbers& n) {
  const Dims sizes = DimsOf(start_indices);
  Dims start(rank, 0), at = batch;
  const bool has_vectors = n.index_vector_dim < static_cast<int64_t>(sizes.size());
  if (has_vectors) at.insert(at.begin() + n.index_vector_dim, int64_t{0});
  for (size_t k = 0; k < n.start_index_map.size(); ++k) {
    if (has_vectors) at[static_cast<size_t>(n.index_vector_dim)] = static_cast<int64_t>(k);
    start[static_cast<size_t>(n.start_index_map[k])] = At(start_indices, at);
  }
  Put(SizesOf(at, n.start_indices_batching_dims), n.operand_batching_dims, &start);
  return start;
}

/// Calls visit(start, offset within the slice, index in the result or the updates).
template <typename Visit>
void ForEachSliceElement(const Array& start_indices, size_t rank, const GatherNumbers& n,
                         Visit visit) {
  Dims batch_sizes = DimsOf(start_indices);
  if (n.index_vector_dim < static_cast<int64_t>(batch_sizes.size())) {
    batch_sizes.erase(batch_sizes.begin() + n.index_vector_dim);
  }
  const Dims in_slice = Others(rank, {n.collapsed_slice_dims, n.operand_batching_dims});
  const size_t result_rank = batch_sizes.size() + in_slice.size();
  const Dims batch_dims = Others(result_rank, {n.offset_dims});
  ForEach(batch_sizes, [&](const Dims& batch) {
    const Dims start = StartOf(start_indices, batch, rank, n);
    ForEach(SizesOf(n.slice_sizes, in_slice), [&](const Dims& window) {
      Dims offset(rank, 0), index(result_rank, 0);
      Put(window, in_slice, &offset);
      Put(window, n.offset_dims, &index);
      Put(batch, batch_dims, &index);
      visit(start, offset, index);
    });
  });
}

}  // namespace

Array Gather(const Array& operand, const Array& start_indices, const GatherNumbers& n) {
  const Dims sizes = DimsOf(operand);
  Dims batch = DimsOf(start_indices);
  if (n.index_vector_dim < static_cast<int64_t>(batch.size())) {
    batch.erase(batch.begin() + n.index_vector_dim);
  }
  const Dims slice = SizesOf(
      n.slice_sizes, Others(sizes.size(), {n.collapsed_slice_dims, n.operand_batching_dims}));
  Dims result_sizes(batch.size() + slice.size(), 0);
  Put(slice, n.offset_dims, &result_sizes);
  Put(batch, Others(result_sizes.size(), {n.offset_dims}), &result_sizes);
  Array result = Filled(result_sizes, 0);
  ForEachSliceElement(start_indices, sizes.size(), n,
                      [&](Dims from, const Dims& offset, const Dims& index) {
                        for (size_t d = 0; d < from.size(); ++d) {
                          const int64_t last = sizes[d] - n.slice_sizes[d];
                          from[d] = std::clamp<int64_t>(from[d], 0, last) + offset[d];
                        }
                        At(result, index) = At(operand, from);
                      });
  return result;
}

Array Scatter(const Array& operand, const Array& indices, const Array& updates,
              const GatherNumbers& n, const Combine& combine) {
  const Dims sizes = DimsOf(operand);
  Array result = operand;
  ForEachSliceElement(indices, sizes.size(), n,
                      [&](const Dims& start, const Dims& offset, const Dims& index) {
                        Dims to = start, last = start;
                        for (size_t d = 0; d < to.size(); ++d) {
                          to[d] += offset[d];
                          last[d] += n.slice_sizes[d] - 1;
                        }
                        if (!IsInside(start, sizes) || !IsInside(last, sizes)) return;
                        At(result, to) = combine(At(result, to), At(updates, index));
                      });
  return result;
}

std::vector<Array> Sort(const std::vector<Array>& operands, int64_t dimension,
                        const Compare& before) {
  std::vector<Array> sorted = operands;
  Dims lines = DimsOf(operands[0]);
  const auto d = static_cast<size_t>(dimension);
  const int64_t length = lines[d];
  lines[d] = 1;
  ForEach(lines, [&](Dims at) {
    const auto place = [&](int64_t i) {
      at[d] = i;
      return at;
    };
    std::vector<int64_t> order;
    for (int64_t i = 0; i < length; ++i) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      return before(At(operands[0], place(a)), At(operands[0], place(b)));
    });
    for (size_t k = 0; k < operands.size(); ++k) {
      for (int64_t i = 0; i < length; ++i) {
        At(sorted[k], place(i)) = At(operands[k], place(order[static_cast<size_t>(i)]));
      }
    }
  });
  return sorted;
}

Scanned Scan(const Array& input, const Array& carry, int64_t dimension, bool is_reverse,
             const Combine& combine) {
  const Dims sizes = DimsOf(input);
  const auto d = static_cast<size_t>(dimension);
  Scanned scanned{input, carry};
  for (int64_t i = 0; i < sizes[d]; ++i) {
    ForEach(DimsOf(carry), [&](const Dims& index) {
      Dims at = index;
      at.insert(at.begin() + dimension, is_reverse ? sizes[d] - 1 - i : i);
      int64_t& carried = At(scanned.carry, index);
      carried = combine(carried, At(input, at));
      At(scanned.outputs, at) = carried;
    });
  }
  return scanned;
}

}  // namespace hlo::plain
