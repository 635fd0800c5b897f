// gather and scatter: slices at places that an array of indices names.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

/// The attributes of one of the two ops that mean the same in both.
struct Names {
  std::string_view window;         // dimensions of the slices, in the result or the updates
  std::string_view collapsed;      // dimensions of the operand that the slices leave out
  std::string_view index_map;      // where index components point
  std::string_view operand_batch;  // dimensions of the operand ...
  std::string_view indices_batch;  // ... that run in step with these of the indices
};
constexpr Names kGatherNames{"offset_dims", "collapsed_slice_dims", "start_index_map",
                             "operand_batching_dims", "start_indices_batching_dims"};
constexpr Names kScatterNames{"update_window_dims", "inserted_window_dims",
                              "scatter_dims_to_operand_dims", "input_batching_dims",
                              "scatter_indices_batching_dims"};
constexpr std::string_view kVectorDim = "index_vector_dim";

/// The indices are integers with a dimension that holds the index vectors, or an implied last one.
bool CheckIndices(const OpCall& call, int i, Diagnostics& out) {
  if (!CheckType(call, i, kIntegerTypes, out)) return false;
  return CheckInt(call, kVectorDim, 0, call.operand(i).rank() + 1, out);
}

/// Dimensions of the indices without the one of the index vectors.
Dims IndexDims(const OpCall& call, const Shape& indices) {
  Dims dims;
  for (int d = 0; d < indices.rank(); ++d) {
    if (d != call.Int(kVectorDim)) dims.push_back(indices.dim(d));
  }
  return dims;
}

int64_t IndexVectorSize(const OpCall& call, const Shape& indices) {
  int64_t d = call.Int(kVectorDim);
  return d == indices.rank() ? 1 : indices.dim(static_cast<int>(d));
}

/// The map has one operand dimension per component.
bool CheckIndexMap(const OpCall& call, const Names& names, const Shape& operand,
                   const Shape& indices, Diagnostics& out) {
  const Dims& map = call.Ints(names.index_map);
  auto fail = [&](std::string message) {
    ReportAttr(call, names.index_map, DiagCode::kDimensionNumbers,
               fmt::format("Invalid {} mapping; {}", names.index_map, message), out);
    return false;
  };
  int64_t size = IndexVectorSize(call, indices);
  if (static_cast<int64_t>(map.size()) != size && size != Shape::kUnbounded) {
    return fail(fmt::format("it has {} entries, but the index vectors in {} have {}", map.size(),
                            ShapeName(indices), size));
  }
  for (int64_t d : map) {
    if (d < 0 || d >= operand.rank()) {
      return fail(fmt::format("dimension {} is out of range for the operand {} (rank {})", d,
                              ShapeName(operand), operand.rank()));
    }
  }
  return CheckDims(call, names.index_map, operand.rank(), "the operand", {}, out);
}

/// Batching dimensions pair up with equal sizes and are not collapsed.
bool CheckBatching(const OpCall& call, const Names& names, const Shape& operand,
                   const Shape& indices, Diagnostics& out) {
  DimsRule sorted{.unique = true, .sorted = true};
  bool ok = CheckDims(call, names.collapsed, operand.rank(), "the operand", sorted, out);
  ok &= CheckDims(call, names.operand_batch, operand.rank(), "the operand", sorted, out);
  ok &= CheckDims(call, names.indices_batch, indices.rank(), "the indices", {}, out);
  if (!ok) return false;
  const Dims& of_operand = call.Ints(names.operand_batch);
  const Dims& of_indices = call.Ints(names.indices_batch);
  auto fail = [&](std::string_view attr, std::string message) {
    ReportAttr(call, attr, DiagCode::kDimensionNumbers, message, out);
    ok = false;
  };
  if (of_operand.size() != of_indices.size()) {
    fail(names.indices_batch, fmt::format("{} batching dimensions of the indices for {} of the "
                                          "operand",
                                          of_indices.size(), of_operand.size()));
    return false;
  }
  for (size_t i = 0; i < of_operand.size(); ++i) {
    if (Contains(call.Ints(names.collapsed), of_operand[i])) {
      fail(names.operand_batch,
           fmt::format("dimension {} is also in {}", of_operand[i], names.collapsed));
    }
    if (of_indices[i] == call.Int(kVectorDim)) {
      fail(names.indices_batch, fmt::format("dimension {} is index_vector_dim", of_indices[i]));
    }
    int64_t a = operand.dim(static_cast<int>(of_operand[i]));
    int64_t b = indices.dim(static_cast<int>(of_indices[i]));
    if (a != b && a != Shape::kUnbounded && b != Shape::kUnbounded) {
      // XLA accepts it.
      out.Report(
          DiagCode::kDimensionNumbers, Severity::kWarning, call.attr_range(names.operand_batch),
          fmt::format("{}.{}: batching dimension {} has size {} in the operand and {} in the "
                      "indices",
                      call.opcode_text(), names.operand_batch, of_operand[i], a, b));
    }
  }
  return ok;
}

/// Whether the slices leave out this dimension of the operand.
bool IsLeftOut(const OpCall& call, const Names& names, int64_t d) {
  return Contains(call.Ints(names.collapsed), d) || Contains(call.Ints(names.operand_batch), d);
}

// ---- gather -------------------------------------------------------------------------------------

constexpr std::string_view kGatherOperands[] = {"operand", "start_indices"};
constexpr AttrDef kGatherAttrs[] = {
    {.name = kGatherNames.window,
     .kind = AttrKind::kInts,
     .use = AttrUse::kRequired,
     .doc = "Dimensions of the result that run through a slice.",
     .always_printed = true},
    {.name = kGatherNames.collapsed,
     .kind = AttrKind::kInts,
     .use = AttrUse::kRequired,
     .doc = "Dimensions of the operand, of slice size 1 or less, that are left out of the result.",
     .always_printed = true},
    {.name = kGatherNames.index_map,
     .kind = AttrKind::kInts,
     .use = AttrUse::kRequired,
     .doc = "For each component of an index vector, the dimension of the operand it points into.",
     .always_printed = true},
    {kGatherNames.operand_batch, AttrKind::kInts, AttrUse::kOptional,
     "Dimensions of the operand that run in step with start_indices_batching_dims."},
    {kGatherNames.indices_batch, AttrKind::kInts, AttrUse::kOptional,
     "Dimensions of the indices that run in step with operand_batching_dims."},
    {.name = kVectorDim,
     .kind = AttrKind::kInt,
     .use = AttrUse::kRequired,
     .doc = "The dimension of the indices that holds the index vectors; the rank of the indices "
            "when each index is a vector of one.",
     .always_printed = true},
    {.name = "slice_sizes",
     .kind = AttrKind::kInts,
     .use = AttrUse::kRequired,
     .doc = "The size of the slices in each dimension of the operand.",
     .always_printed = true},
    {"indices_are_sorted", AttrKind::kBool, AttrUse::kOptional,
     "A promise that the indices ascend. The value does not depend on it."},
};

bool CheckSliceSizes(const OpCall& call, const Shape& operand, Diagnostics& out) {
  const Dims& sizes = call.Ints("slice_sizes");
  bool ok = true;
  auto fail = [&](std::string message) {
    ReportAttr(call, "slice_sizes", DiagCode::kAttributeValue, message, out);
    ok = false;
  };
  if (static_cast<int>(sizes.size()) != operand.rank()) {
    fail(fmt::format("expects one size per dimension of the operand {}, but there are {}",
                     ShapeName(operand), sizes.size()));
    return false;
  }
  for (int d = 0; d < operand.rank(); ++d) {
    int64_t size = sizes[static_cast<size_t>(d)];
    if (size < 0 || (size > operand.dim(d) && !operand.is_unbounded(d))) {
      fail(fmt::format("size {} is out of range for dimension {} of the operand, [0, {}]", size, d,
                       operand.dim(d)));
    } else if (size > 1 && IsLeftOut(call, kGatherNames, d)) {
      fail(fmt::format("size {} in dimension {}, which is left out: must be 1 or less", size, d));
    }
  }
  size_t left_out =
      call.Ints(kGatherNames.collapsed).size() + call.Ints(kGatherNames.operand_batch).size();
  if (call.Ints(kGatherNames.window).size() + left_out != sizes.size()) {
    fail(
        fmt::format("{} offset dimensions and {} that are left out do not make the {} of the "
                    "operand",
                    call.Ints(kGatherNames.window).size(), left_out, sizes.size()));
  }
  return ok;
}

/// Dimensions in offset_dims take slice sizes, the others the dimensions of the indices.
std::optional<Shape> GatherResult(const OpCall& call, Diagnostics& out) {
  const Shape& operand = call.operand(0);
  const Dims& offsets = call.Ints(kGatherNames.window);
  Dims from_indices = IndexDims(call, call.operand(1));
  int rank = static_cast<int>(offsets.size() + from_indices.size());
  if (!CheckDims(call, kGatherNames.window, rank, "the result", {.unique = true, .sorted = true},
                 out)) {
    return std::nullopt;
  }
  Dims sizes;
  int slice_dim = 0;
  size_t index_dim = 0;
  for (int d = 0; d < rank; ++d) {
    if (!Contains(offsets, d)) {
      sizes.push_back(from_indices[index_dim++]);
      continue;
    }
    while (IsLeftOut(call, kGatherNames, slice_dim)) ++slice_dim;
    sizes.push_back(call.Ints("slice_sizes")[static_cast<size_t>(slice_dim++)]);
  }
  return CheckedArray(call, operand.element_type(), sizes, out);
}

/// A dimension of the indices that is dynamic is so in the result; one of the operand, when it is
/// taken whole.
void CarryDynamic(const OpCall& call, Shape* result) {
  const Shape &operand = call.operand(0), &indices = call.operand(1);
  if (!operand.has_dynamic_dims() && !indices.has_dynamic_dims()) return;
  int slice_dim = 0, index_dim = 0;
  for (int d = 0; d < result->rank(); ++d) {
    if (Contains(call.Ints(kGatherNames.window), d)) {
      while (IsLeftOut(call, kGatherNames, slice_dim)) ++slice_dim;
      bool whole =
          call.Ints("slice_sizes")[static_cast<size_t>(slice_dim)] == operand.dim(slice_dim);
      result->set_dynamic(d, whole && operand.is_dynamic(slice_dim));
      ++slice_dim;
    } else {
      if (index_dim == call.Int(kVectorDim)) ++index_dim;
      result->set_dynamic(d, indices.is_dynamic(index_dim++));
    }
  }
}

std::optional<Shape> InferGather(const OpCall& call, Diagnostics& out) {
  if (!CheckArray(call, 0, out) || !CheckIndices(call, 1, out)) return std::nullopt;
  const Shape &operand = call.operand(0), &indices = call.operand(1);
  bool ok = CheckBatching(call, kGatherNames, operand, indices, out);
  ok &= CheckIndexMap(call, kGatherNames, operand, indices, out);
  if (!ok || !CheckSliceSizes(call, operand, out)) return std::nullopt;
  std::optional<Shape> result = GatherResult(call, out);
  if (result) CarryDynamic(call, &*result);
  return result;
}

// ---- scatter ------------------------------------------------------------------------------------

constexpr std::string_view kScatterOperands[] = {"operands, then scatter_indices, then updates"};
constexpr AttrDef kScatterAttrs[] = {
    {.name = kScatterNames.window,
     .kind = AttrKind::kInts,
     .use = AttrUse::kRequired,
     .doc = "Dimensions of the updates that run through a slice.",
     .always_printed = true},
    {.name = kScatterNames.collapsed,
     .kind = AttrKind::kInts,
     .use = AttrUse::kRequired,
     .doc = "Dimensions of the operand that the slices do not have.",
     .always_printed = true},
    {.name = kScatterNames.index_map,
     .kind = AttrKind::kInts,
     .use = AttrUse::kRequired,
     .doc = "For each component of an index vector, the dimension of the operand it points into.",
     .always_printed = true},
    {kScatterNames.operand_batch, AttrKind::kInts, AttrUse::kOptional,
     "Dimensions of the operand that run in step with scatter_indices_batching_dims."},
    {kScatterNames.indices_batch, AttrKind::kInts, AttrUse::kOptional,
     "Dimensions of the indices that run in step with input_batching_dims."},
    {.name = kVectorDim,
     .kind = AttrKind::kInt,
     .use = AttrUse::kRequired,
     .doc = "The dimension of the indices that holds the index vectors; the rank of the indices "
            "when each index is a vector of one.",
     .always_printed = true},
    {"indices_are_sorted", AttrKind::kBool, AttrUse::kOptional,
     "A promise that the indices ascend. The value does not depend on it."},
    {"unique_indices", AttrKind::kBool, AttrUse::kOptional,
     "A promise that no place is written twice."},
    {"to_apply", AttrKind::kRegion, AttrUse::kRequired,
     "Combines what is there, N values, with the update, N values, into N new values."},
};

/// The operand's rank is that of the slices with what they do not have.
bool CheckScatterRanks(const OpCall& call, const Shape& operand, const Shape& updates,
                       const Shape& indices, Diagnostics& out) {
  size_t window = call.Ints(kScatterNames.window).size();
  size_t left_out =
      call.Ints(kScatterNames.collapsed).size() + call.Ints(kScatterNames.operand_batch).size();
  bool ok = true;
  if (window + left_out != static_cast<size_t>(operand.rank())) {
    ReportAttr(call, kScatterNames.window, DiagCode::kDimensionNumbers,
               fmt::format("{} window dimensions and {} that are left out do not make the {} of "
                           "the operand {}",
                           window, left_out, operand.rank(), ShapeName(operand)),
               out);
    ok = false;
  }
  size_t rank = IndexDims(call, indices).size() + window;
  if (rank != static_cast<size_t>(updates.rank())) {
    ReportAttr(call, kScatterNames.window, DiagCode::kDimensionNumbers,
               fmt::format("{} window dimensions and the indices {} make updates of rank {}, but "
                           "they are {}",
                           window, ShapeName(indices), rank, ShapeName(updates)),
               out);
    ok = false;
  }
  return ok && CheckDims(call, kScatterNames.window, updates.rank(), "the updates",
                         {.unique = true, .sorted = true}, out);
}

/// Window dimensions of the updates fit into the operand, the others are those of the indices.
void CheckUpdateSizes(const OpCall& call, int i, const Shape& operand, const Shape& indices,
                      Diagnostics& out) {
  const Shape& updates = call.operand(i);
  Dims from_indices = IndexDims(call, indices);
  int slice_dim = 0;
  size_t index_dim = 0;
  for (int d = 0; d < updates.rank(); ++d) {
    int64_t size = updates.dim(d);
    if (!Contains(call.Ints(kScatterNames.window), d)) {
      int64_t expected = from_indices[index_dim++];
      if (size == expected || size == Shape::kUnbounded || expected == Shape::kUnbounded) continue;
      ReportOperand(call, i, DiagCode::kOperandInvalid,
                    fmt::format("dimension {} of the updates {} must be {}, as in the indices {}",
                                d, ShapeName(updates), expected, ShapeName(indices)),
                    out);
      continue;
    }
    while (IsLeftOut(call, kScatterNames, slice_dim)) ++slice_dim;
    int64_t bound = operand.dim(slice_dim++);
    if (size <= bound || bound == Shape::kUnbounded) continue;
    ReportOperand(call, i, DiagCode::kOperandInvalid,
                  fmt::format("window dimension {} of the updates {} is {}, more than the {} of "
                              "the operand {}",
                              d, ShapeName(updates), size, bound, ShapeName(operand)),
                  out);
  }
}

/// The initial values of the reducer are elements of the operands.
void CheckScatterReducer(const OpCall& call, const std::vector<const Shape*>& updates,
                         const std::vector<const Shape*>& operands, Diagnostics& out) {
  std::vector<Shape> elements;
  for (const Shape* operand : operands) elements.push_back(Shape::Scalar(operand->element_type()));
  std::vector<const Shape*> inits;
  for (const Shape& element : elements) inits.push_back(&element);
  CheckReducer(call, "to_apply", updates, inits, out);
}

std::optional<Shape> InferScatter(const OpCall& call, Diagnostics& out) {
  if (call.operand_count() % 2 == 0) {
    ReportOp(call, DiagCode::kOperandCount,
             fmt::format("expects N operands, the indices and N updates, found {} operands",
                         call.operand_count()),
             out);
    return std::nullopt;
  }
  int n = call.operand_count() / 2;
  if (!CheckArrays(call, out) || !CheckIndices(call, n, out)) return std::nullopt;
  const Shape& operand = call.operand(0);
  const Shape& indices = call.operand(n);
  bool ok = CheckBatching(call, kScatterNames, operand, indices, out);
  ok &= CheckIndexMap(call, kScatterNames, operand, indices, out);
  std::vector<const Shape*> inputs, inits;
  std::vector<Shape> results;
  for (int i = 0; i < n; ++i) {
    ok &= CheckSameDims(call, i, 0, out);
    ok &= CheckSameDims(call, n + 1 + i, n + 1, out);
    inits.push_back(&call.operand(i));
    inputs.push_back(&call.operand(n + 1 + i));
    results.push_back(call.operand(i));
  }
  if (ok && CheckScatterRanks(call, operand, call.operand(n + 1), indices, out)) {
    CheckUpdateSizes(call, n + 1, operand, indices, out);
  }
  CheckScatterReducer(call, inputs, inits, out);
  return OneOrTuple(std::move(results));
}

}  // namespace

namespace ops {

const OpDef kGather{
    .doc =
        "Puts together slices of the operand that begin where the index vectors say. Starts are "
        "moved so that each slice lies inside the operand.",
    .source = "operation semantics, Gather",
    .operands = kGatherOperands,
    .types = "all array types, and integers for the indices",
    .attrs = kGatherAttrs,
    .infer = InferGather,
    .any_precision = true,
};

const OpDef kScatter{
    .doc =
        "The operands with slices changed: each update is combined with what is at the place "
        "its index vector says.",
    .source = "operation semantics, Scatter",
    .differs =
        "A slice that lies partly outside the operand is skipped whole, as XLA's evaluator "
        "does; the seed and StableHLO skip its elements outside alone.",
    .operands = kScatterOperands,
    .types = "all array types, and integers for the indices",
    .attrs = kScatterAttrs,
    .infer = InferScatter,
    .keeps_layout = true,
};

}  // namespace ops
}  // namespace hlo
