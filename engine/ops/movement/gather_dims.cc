// See gather_dims.h.
#include "engine/ops/movement/gather_dims.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

int64_t IndexVectorSize(const OpCall& call, const Shape& indices) {
  int64_t d = call.Int(kIndexVectorDim);
  return d == indices.rank() ? 1 : indices.dim(static_cast<int>(d));
}

/// XLA's words for the op, its indices, and its lists of dimension numbers.
struct GatherWords {
  std::string_view op, indices;
  DimListWords window, collapsed, operand_batch, indices_batch, index_map;
};

constexpr GatherWords kGatherWords{
    "Gather",
    "start_indices",
    {"Offset dimension {i} in gather op is out of bounds; got {d}, but should have been in "
     "[0,{rank}).",
     "Output window dimensions in gather op must not repeat; got: {list}.",
     "Output window dimensions in gather op must be ascending; got: {list}."},
    {"Invalid collapsed_slice_dims set in gather op; valid range is [0, {rank}), got: {d}.",
     "Repeated dimensions not allowed in collapsed_slice_dims in gather op; got: {list}.",
     "collapsed_slice_dims in gather op must be sorted; got: {list}"},
    {"Invalid operand_batching_dims set in gather op; valid range is [0, {rank}), got: {d}.",
     "Repeated dimensions not allowed in operand_batching_dims in gather op; got: {list}.",
     "operand_batching_dims in gather op must be sorted; got: {list}"},
    {"Invalid start_indices_batching_dims; domain is [0, {rank}), got: {i}->{d}.",
     "Repeated dimensions are not allowed in start_indices_batching_dims; got: {list}."},
    {"Invalid start_index_map; domain is [0, {rank}), got: {i}->{d}.",
     "Repeated dimensions are not allowed in start_index_map; got: {list}."},
};
constexpr GatherWords kScatterWords{
    "Scatter",
    "scatter_indices",
    {"Invalid update_window_dims set in scatter op; valid range is [0, {rank}). got: {d}.",
     "update_window_dims in scatter op must not repeat; got: {list}.",
     "update_window_dims in scatter op must be sorted; got: {list}."},
    {"Invalid inserted_window_dims set in scatter op; valid range is [0, {rank}), got: {d}.",
     "inserted_window_dims in scatter op must not repeat; got: {list}.",
     "inserted_window_dims in scatter op must be sorted; got: {list}."},
    {"Invalid input_batching_dims set in scatter op; valid range is [0, {rank}), got: {d}.",
     "input_batching_dims in scatter op must not repeat; got: {list}.",
     "input_batching_dims in scatter op must be sorted; got: {list}."},
    {"Invalid scatter_indices_batching_dims set in scatter op; valid range is [0, {rank}), got: "
     "{d}.",
     "scatter_indices_batching_dims in scatter op must not repeat; got: {list}."},
    {"Invalid scatter_dims_to_operand_dims mapping; domain is [0, {rank}), got: {i}->{d}.",
     "Repeated dimensions not allowed in scatter_dims_to_operand_dims; got: {list}."},
};

const GatherWords& WordsOf(const OpCall& call) {
  return call.opcode() == Opcode::kGather ? kGatherWords : kScatterWords;
}

/// The map has one operand dimension per component.
bool CheckIndexMap(const OpCall& call, const GatherNames& names, const Shape& operand,
                   const Shape& indices, Diagnostics& out) {
  const GatherWords& words = WordsOf(call);
  const size_t count = call.Ints(names.index_map).size();
  const int64_t size = IndexVectorSize(call, indices);
  if (static_cast<int64_t>(count) != size && size != Shape::kUnbounded) {
    ReportAttr(call, names.index_map, DiagCode::kDimensionNumbers,
               fmt::format("{} op has {} elements in {} and the bound of dimension "
                           "index_vector_dim={} of {} is {}. These two numbers must be equal.",
                           words.op, count, names.index_map, call.Int(kIndexVectorDim),
                           words.indices, size),
               out);
    return false;
  }
  return CheckDimList(call, names.index_map, operand.rank(), words.index_map, out);
}

/// Checks a pair of batching dimensions: equal sizes, and no other role.
bool CheckBatchingPair(const OpCall& call, const GatherNames& names, int64_t of_operand,
                       int64_t of_indices, const Shape& operand, const Shape& indices,
                       Diagnostics& out) {
  bool ok = true;
  auto fail = [&](std::string_view attr, const std::string& message) {
    ReportAttr(call, attr, DiagCode::kDimensionNumbers, message, out);
    ok = false;
  };
  if (Contains(call.Ints(names.collapsed), of_operand)) {
    fail(names.operand_batch,
         fmt::format("dimension {} is also in {}", of_operand, names.collapsed));
  }
  if (of_indices == call.Int(kIndexVectorDim)) {
    fail(names.indices_batch, fmt::format("dimension {} is index_vector_dim", of_indices));
    return false;
  }
  const int64_t a = operand.dim(static_cast<int>(of_operand));
  const int64_t b = indices.dim(static_cast<int>(of_indices));
  if (!CompatibleSizes(a, b)) {
    // XLA accepts this.
    out.Report(DiagCode::kDimensionNumbers, Severity::kWarning,
               call.attr_range(names.operand_batch),
               fmt::format("{}.{}: batching dimension {} has size {} in the operand and {} in the "
                           "indices",
                           call.opcode_text(), names.operand_batch, of_operand, a, b));
  }
  return ok;
}

/// Batching dimensions pair up with equal sizes and are not collapsed.
bool CheckBatching(const OpCall& call, const GatherNames& names, const Shape& operand,
                   const Shape& indices, Diagnostics& out) {
  const GatherWords& words = WordsOf(call);
  bool ok = CheckDimList(call, names.collapsed, operand.rank(), words.collapsed, out);
  const Dims& of_operand = call.Ints(names.operand_batch);
  const Dims& of_indices = call.Ints(names.indices_batch);
  if (of_operand.size() != of_indices.size()) {
    ReportAttr(call, names.indices_batch, DiagCode::kDimensionNumbers,
               fmt::format("{} and {} in {} op must be of the same size; got: {} and {}.",
                           names.operand_batch, names.indices_batch, call.opcode_text(),
                           of_operand.size(), of_indices.size()),
               out);
    return false;
  }
  ok &= CheckDimList(call, names.operand_batch, operand.rank(), words.operand_batch, out);
  // An implied index vector counts as a dimension.
  const int64_t rank = std::max<int64_t>(indices.rank(), call.Int(kIndexVectorDim) + 1);
  ok &= CheckDimList(call, names.indices_batch, rank, words.indices_batch, out);
  for (size_t i = 0; ok && i < of_operand.size(); ++i) {
    ok &= CheckBatchingPair(call, names, of_operand[i], of_indices[i], operand, indices, out);
  }
  return ok;
}

}  // namespace

bool CheckIndices(const OpCall& call, int i, Diagnostics& out) {
  if (!CheckArray(call, i, out)) return false;
  const GatherWords& words = WordsOf(call);
  const Shape& indices = call.operand(i);
  if (!IsIntegral(indices.element_type())) {
    ReportOperand(call, i, DiagCode::kElementType,
                  fmt::format("{} indices parameter must be an integral tensor; got {}.", words.op,
                              ShapeName(indices)),
                  out);
    return false;
  }
  const int64_t d = call.Int(kIndexVectorDim);
  if (d >= 0 && d <= indices.rank()) return true;
  ReportAttr(
      call, kIndexVectorDim, DiagCode::kAttributeValue,
      fmt::format("{} index leaf dimension must be within [0, rank({}) + 1). rank({}) is {} "
                  "and {} index leaf dimension is {}.",
                  words.op, words.indices, words.indices, indices.rank(), call.opcode_text(), d),
      out);
  return false;
}

bool CheckWindowDims(const OpCall& call, const GatherNames& names, int64_t rank, Diagnostics& out) {
  return CheckDimList(call, names.window, rank, WordsOf(call).window, out);
}

bool CheckGatherDims(const OpCall& call, const GatherNames& names, const Shape& operand,
                     const Shape& indices, Diagnostics& out) {
  bool ok = CheckBatching(call, names, operand, indices, out);
  ok &= CheckIndexMap(call, names, operand, indices, out);
  return ok;
}

Dims IndexDims(const OpCall& call, const Shape& indices) {
  Dims dims;
  for (int d = 0; d < indices.rank(); ++d) {
    if (d != call.Int(kIndexVectorDim)) dims.push_back(indices.dim(d));
  }
  return dims;
}

bool IsLeftOut(const OpCall& call, const GatherNames& names, int64_t d) {
  return Contains(call.Ints(names.collapsed), d) || Contains(call.Ints(names.operand_batch), d);
}

Dims SliceDims(const OpCall& call, const GatherNames& names, int operand_rank) {
  Dims dims;
  for (int64_t d = 0; d < operand_rank; ++d) {
    if (!IsLeftOut(call, names, d)) dims.push_back(d);
  }
  return dims;
}

}  // namespace hlo
