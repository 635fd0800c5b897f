// The Builder: operations that move elements.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/bits.h"
#include "engine/hlo/builder.h"
#include "engine/ops/shape_checks.h"

namespace hlo {

Op Builder::Broadcast(Op operand, const Dims& broadcast_sizes) {
  if (!IsArray(operand, "broadcast")) return Op();
  Dims sizes = broadcast_sizes, dimensions;
  for (int64_t size : operand.shape().dims()) {
    dimensions.push_back(static_cast<int64_t>(sizes.size()));
    sizes.push_back(size);
  }
  Shape result = Shape::Array(operand.shape().element_type(), sizes);
  return Instruct(Opcode::kBroadcast, {operand}, {{"dimensions", dimensions}}, &result);
}

Op Builder::BroadcastInDim(Op operand, const Dims& out_dim_size, const Dims& broadcast_dimensions) {
  if (!IsArray(operand, "broadcast-in-dim")) return Op();
  const Shape& shape = operand.shape();
  bool fits = static_cast<int>(broadcast_dimensions.size()) == shape.rank();
  for (size_t i = 0; fits && i < broadcast_dimensions.size(); ++i) {
    int64_t to = broadcast_dimensions[i];
    fits = to >= 0 && to < static_cast<int64_t>(out_dim_size.size()) &&
           (i == 0 || broadcast_dimensions[i - 1] < to);
    if (!fits) break;
    int64_t size = shape.dim(static_cast<int>(i));
    fits = size == 1 || size == out_dim_size[static_cast<size_t>(to)];
  }
  if (fits) return StretchTo(operand, out_dim_size, broadcast_dimensions);
  return Fail(
      DiagCode::kDimensionNumbers,
      fmt::format("broadcast-in-dim: {} does not go to {} by broadcast_dimensions {}: one "
                  "ascending number for each dimension, whose size is 1 or stays",
                  ShapeName(shape), DimsText(out_dim_size), DimsText(broadcast_dimensions)));
}

Op Builder::Reshape(Op operand, const Dims& new_sizes) {
  if (!IsArray(operand, "reshape")) return Op();
  Shape result = Shape::Array(operand.shape().element_type(), new_sizes);
  return Instruct(Opcode::kReshape, {operand}, {}, &result);
}

Op Builder::Reshape(Op operand, const Dims& dimensions, const Dims& new_sizes) {
  return Reshape(Transpose(operand, dimensions), new_sizes);
}

Op Builder::Collapse(Op operand, const Dims& dimensions) {
  if (!IsArray(operand, "collapse")) return Op();
  const Shape& shape = operand.shape();
  bool fits = true;
  for (size_t i = 0; i < dimensions.size(); ++i) {
    fits &= dimensions[i] >= 0 && dimensions[i] < shape.rank();
    // Both are in range by now, or the answer is no already.
    fits &= i == 0 || !fits || dimensions[i] - 1 == dimensions[i - 1];
  }
  if (!fits) {
    return Fail(DiagCode::kDimensionNumbers,
                fmt::format("collapse: {} are not consecutive dimensions, in order, of {}",
                            DimsText(dimensions), ShapeName(shape)));
  }
  if (dimensions.size() < 2) return operand;
  Dims sizes;
  for (int d = 0; d < shape.rank(); ++d) {
    bool first = d <= dimensions.front(), behind = d > dimensions.back();
    if (first || behind) {
      sizes.push_back(shape.dim(d));
    } else if (!MultiplyChecked(sizes.back(), shape.dim(d), &sizes.back())) {
      return Fail(DiagCode::kTooLarge, fmt::format("collapse: {} is too large", ShapeName(shape)));
    }
  }
  return Reshape(operand, sizes);
}

Op Builder::Transpose(Op operand, const Dims& permutation) {
  return Instruct(Opcode::kTranspose, {operand}, {{"dimensions", permutation}});
}

Op Builder::Rev(Op operand, const Dims& dimensions) {
  return Instruct(Opcode::kReverse, {operand}, {{"dimensions", dimensions}});
}

Op Builder::Slice(Op operand, const Dims& start_indices, const Dims& limit_indices,
                  const Dims& strides) {
  size_t count = start_indices.size();
  if (limit_indices.size() != count || (!strides.empty() && strides.size() != count)) {
    return Fail(DiagCode::kAttributeValue,
                fmt::format("slice: {} start_indices, {} limit_indices and {} strides", count,
                            limit_indices.size(), strides.size()));
  }
  std::vector<SliceDim> slice;
  for (size_t i = 0; i < count; ++i) {
    slice.push_back({start_indices[i], limit_indices[i], strides.empty() ? 1 : strides[i]});
  }
  return Instruct(Opcode::kSlice, {operand}, {{"slice", std::move(slice)}});
}

std::vector<Op> Builder::Elements(Op vector) {
  if (!vector || vector.shape().IsScalar()) return {vector};
  if (!vector.shape().IsArray() || vector.shape().rank() != 1) {
    return {Fail(DiagCode::kOperandInvalid, fmt::format("start_indices must be scalars or a vector "
                                                        "of them, not {}",
                                                        ShapeName(vector.shape())))};
  }
  std::vector<Op> elements;
  for (int64_t i = 0; i < vector.shape().dim(0); ++i) {
    Op element = Reshape(Slice(vector, {i}, {i + 1}), {});
    elements.push_back(element);
    if (!element || i > 64) break;  // more than any rank: the shape rule refuses the count
  }
  return elements;
}

Op Builder::DynamicSlice(Op operand, const std::vector<Op>& start_indices,
                         const Dims& size_indices) {
  std::vector<Op> operands = {operand};
  operands.insert(operands.end(), start_indices.begin(), start_indices.end());
  return Instruct(Opcode::kDynamicSlice, operands, {{"dynamic_slice_sizes", size_indices}});
}

Op Builder::DynamicSlice(Op operand, Op start_indices, const Dims& size_indices) {
  return DynamicSlice(operand, Elements(start_indices), size_indices);
}

Op Builder::DynamicUpdateSlice(Op operand, Op update, const std::vector<Op>& start_indices) {
  std::vector<Op> operands = {operand, update};
  operands.insert(operands.end(), start_indices.begin(), start_indices.end());
  return Instruct(Opcode::kDynamicUpdateSlice, operands);
}

Op Builder::DynamicUpdateSlice(Op operand, Op update, Op start_indices) {
  return DynamicUpdateSlice(operand, update, Elements(start_indices));
}

Op Builder::Pad(Op operand, Op padding_value, const std::vector<PadDim>& padding_config) {
  // Padding a scalar returns the scalar.
  if (operand && padding_value && operand.shape().IsScalar() && padding_config.empty() &&
      Shape::Compatible(operand.shape(), padding_value.shape())) {
    return operand;
  }
  return Instruct(Opcode::kPad, {operand, padding_value}, {{"padding", padding_config}});
}

Op Builder::Concatenate(const std::vector<Op>& operands, int64_t dimension) {
  return Instruct(Opcode::kConcatenate, operands, {{"dimensions", Dims{dimension}}});
}

Op Builder::Gather(Op operand, Op start_indices, const GatherDimensionNumbers& dimension_numbers,
                   const Dims& slice_sizes, bool indices_are_sorted) {
  NamedAttrs attrs = {{"offset_dims", dimension_numbers.offset_dims},
                      {"collapsed_slice_dims", dimension_numbers.collapsed_slice_dims},
                      {"start_index_map", dimension_numbers.start_index_map},
                      {"index_vector_dim", dimension_numbers.index_vector_dim},
                      {"slice_sizes", slice_sizes}};
  if (!dimension_numbers.operand_batching_dims.empty()) {
    attrs.push_back({"operand_batching_dims", dimension_numbers.operand_batching_dims});
    attrs.push_back({"start_indices_batching_dims", dimension_numbers.start_indices_batching_dims});
  }
  if (indices_are_sorted) attrs.push_back({"indices_are_sorted", true});
  return Instruct(Opcode::kGather, {operand, start_indices}, std::move(attrs));
}

Op Builder::Scatter(const std::vector<Op>& operands, Op scatter_indices,
                    const std::vector<Op>& updates, const Module* update_computation,
                    const ScatterDimensionNumbers& dimension_numbers, bool indices_are_sorted,
                    bool unique_indices) {
  std::vector<Op> all = operands;
  all.push_back(scatter_indices);
  all.insert(all.end(), updates.begin(), updates.end());
  NamedAttrs attrs = {
      {"update_window_dims", dimension_numbers.update_window_dims},
      {"inserted_window_dims", dimension_numbers.inserted_window_dims},
      {"scatter_dims_to_operand_dims", dimension_numbers.scatter_dims_to_operand_dims},
      {"index_vector_dim", dimension_numbers.index_vector_dim},
      {"to_apply", Import(update_computation, "scatter")}};
  if (!dimension_numbers.input_batching_dims.empty()) {
    attrs.push_back({"input_batching_dims", dimension_numbers.input_batching_dims});
    attrs.push_back(
        {"scatter_indices_batching_dims", dimension_numbers.scatter_indices_batching_dims});
  }
  if (indices_are_sorted) attrs.push_back({"indices_are_sorted", true});
  if (unique_indices) attrs.push_back({"unique_indices", true});
  return Instruct(Opcode::kScatter, all, std::move(attrs));
}

Op Builder::Iota(const Shape& shape, int64_t iota_dimension) {
  return Instruct(Opcode::kIota, {}, {{"iota_dimension", iota_dimension}}, &shape);
}

Op Builder::GetDimensionSize(Op operand, int64_t dimension) {
  return Instruct(Opcode::kGetDimensionSize, {operand}, {{"dimensions", Dims{dimension}}});
}

Op Builder::SetDimensionSize(Op operand, Op size, int64_t dimension) {
  return Instruct(Opcode::kSetDimensionSize, {operand, size}, {{"dimensions", Dims{dimension}}});
}

}  // namespace hlo
