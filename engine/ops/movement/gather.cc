// gather: slices of an array at positions given by index vectors, put together.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "engine/base/indices.h"
#include "engine/kernels/move_copy.h"
#include "engine/ops/movement/gather_dims.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/movement/window_slices.h"
#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

constexpr std::string_view kGatherOperands[] = {"operand", "start_indices"};
constexpr AttrDef kGatherAttrs[] = {
    RequiredInts(kGatherNames.window, "Dimensions of the result that run through a slice."),
    RequiredInts(
        kGatherNames.collapsed,
        "Dimensions of the operand, of slice size 1 or less, that are left out of the result."),
    IndexMapAttr(kGatherNames),
    OperandBatchAttr(kGatherNames),
    IndicesBatchAttr(kGatherNames),
    kIndexVectorDimAttr,
    {.name = "slice_sizes",
     .kind = AttrKind::kInts,
     .use = AttrUse::kRequired,
     .doc = "The size of the slices in each dimension of the operand.",
     .always_printed = true,
     .holds_sizes = true},
    kIndicesAreSortedAttr,
};

bool CheckGatherSizes(const OpCall& call, const Shape& operand, Diagnostics& out) {
  const Dims& sizes = call.Ints("slice_sizes");
  bool ok = true;
  auto fail = [&](const std::string& message) {
    ReportAttr(call, "slice_sizes", DiagCode::kAttributeValue, message, out);
    ok = false;
  };
  if (static_cast<int>(sizes.size()) != operand.rank()) {
    fail(
        fmt::format("Gather op must have one slice size for every input dimension; got: "
                    "len(slice_sizes)={}, input_shape.rank={}.",
                    sizes.size(), operand.rank()));
    return false;
  }
  const Dims& collapsed = call.Ints(kGatherNames.collapsed);
  const Dims& batching = call.Ints(kGatherNames.operand_batch);
  const Dims& offsets = call.Ints(kGatherNames.window);
  if (offsets.size() + collapsed.size() + batching.size() != sizes.size()) {
    fail(
        fmt::format("All components of the offset index in a gather op must either be a offset "
                    "dimension or explicitly collapsed or explicitly batched; got "
                    "len(slice_sizes)={}, output_slice_sizes={}, collapsed_slice_dims={}, "
                    "operand_batching_dims={}.",
                    sizes.size(), fmt::join(offsets, ","), fmt::join(collapsed, ","),
                    fmt::join(batching, ",")));
  }
  for (int d = 0; d < operand.rank(); ++d) {
    int64_t size = sizes[static_cast<size_t>(d)];
    if (operand.is_unbounded(d) || (size >= 0 && size <= operand.dim(d))) continue;
    fail(
        fmt::format("Slice size at index {} in gather op is out of range, must be within [0, "
                    "{}), got {}.",
                    d, operand.dim(d) + 1, size));
  }
  auto check_left_out = [&](const Dims& dims, std::string_view can) {
    for (size_t i = 0; i < dims.size(); ++i) {
      const int64_t size = sizes[static_cast<size_t>(dims[i])];
      if (size <= 1) continue;
      fail(
          fmt::format("Gather op can only {} with bound 1 or 0, but bound is {} for index {} at "
                      "position {}.",
                      can, size, dims[i], i));
    }
  };
  check_left_out(collapsed, "collapse slice dims");
  check_left_out(batching, "have operand_batching_dims");
  return ok;
}

/// Dimensions in offset_dims have slice sizes, the others the sizes of the index dimensions.
std::optional<Shape> GatherResult(const OpCall& call, Diagnostics& out) {
  const Shape& operand = call.operand(0);
  const Dims& offsets = call.Ints(kGatherNames.window);
  Dims from_indices = IndexDims(call, call.operand(1));
  int rank = static_cast<int>(offsets.size() + from_indices.size());
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

/// A dynamic dimension of the indices is dynamic in the result; one of the operand is if it is
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
      if (index_dim == call.Int(kIndexVectorDim)) ++index_dim;
      result->set_dynamic(d, indices.is_dynamic(index_dim++));
    }
  }
}

std::optional<Shape> InferGather(const OpCall& call, Diagnostics& out) {
  if (!CheckArray(call, 0, out) || !CheckIndices(call, 1, out)) return std::nullopt;
  const Shape &operand = call.operand(0), &indices = call.operand(1);
  const int64_t rank =
      static_cast<int64_t>(call.Ints(kGatherNames.window).size() + IndexDims(call, indices).size());
  bool ok = CheckWindowDims(call, kGatherNames, rank, out);
  ok &= CheckGatherDims(call, kGatherNames, operand, indices, out);
  if (!ok || !CheckGatherSizes(call, operand, out)) {
    return std::nullopt;
  }
  std::optional<Shape> result = GatherResult(call, out);
  if (result) CarryDynamic(call, &*result);
  return result;
}

// ---- Evaluation ---------------------------------------------------------------------------------

}  // namespace

GatherSlices GatherSlicesOf(const OpCall& call, const Tensor& operand, const Tensor& indices) {
  const StridedView from = RowMajorView(operand.dims());
  const StridedView to = RowMajorView(call.shape().dims());
  const Dims& sizes = call.Ints("slice_sizes");
  const Dims slice_dims = SliceDims(call, kGatherNames, operand.rank());
  GatherSlices slices;
  slices.layout.operand = operand.dims();
  // XLA's evaluator treats a collapsed dimension as one of size 1, even if the slice size is 0.
  slices.layout.window.resize(sizes.size(), 1);
  for (int64_t d : slice_dims) {
    slices.layout.window[static_cast<size_t>(d)] = sizes[static_cast<size_t>(d)];
  }
  size_t slice_dim = 0;
  int index_dim = 0;
  for (int64_t d = 0; d < call.shape().rank(); ++d) {
    const int64_t step = to.strides[static_cast<size_t>(d)];
    if (Contains(call.Ints(kGatherNames.window), d)) {
      const int64_t of_operand = slice_dims[slice_dim++];
      const int64_t size = sizes[static_cast<size_t>(of_operand)];
      const int i = static_cast<int>(of_operand);
      // A dimension taken whole keeps its run-time size; other dimensions may read the padding.
      const int64_t live = size == operand.dim(i) ? operand.live_dim(i) : size;
      slices.live.push_back(live);
      slices.in.strides.push_back(from.strides[static_cast<size_t>(i)]);
      slices.out.strides.push_back(step);
      slices.in.dims.push_back(live);
    } else {
      if (index_dim == call.Int(kIndexVectorDim)) ++index_dim;
      const int64_t live = indices.live_dim(index_dim++);
      slices.live.push_back(live);
      slices.layout.counts.push_back(live);
      slices.layout.steps.push_back(step);
    }
  }
  slices.out.dims = slices.in.dims;
  return slices;
}

namespace {

Value EvalGather(const OpCall& call, std::span<Value> args, EvalContext& context) {
  Budget* const budget = context.budget();
  const Tensor& operand = args[0].tensor();
  const Tensor& indices = args[1].tensor();
  const GatherSlices slices = GatherSlicesOf(call, operand, indices);
  Tensor result = MakeTensor(call.shape(), slices.live, budget);
  if (operand.element_count() == 0) {
    std::memset(result.mutable_bytes(), 0, static_cast<size_t>(result.byte_size()));
    return result;
  }
  // Elements of slices that are copied at a time.
  constexpr int64_t kElements = int64_t{1} << 17;
  const int64_t together = std::clamp<int64_t>(
      kElements / std::max<int64_t>(ElementCount(slices.in.dims), 1), 1, WindowStarts::kBlock);
  std::byte* const to = result.mutable_bytes();
  WindowStarts::ForEachBlock(
      call, kGatherNames, indices, slices.layout, WindowStarts::Outside::kMove, together, budget,
      [&](const WindowStarts& block, Budget* own) {
        CopyWindows(BytesOf(operand.element_type()), operand.bytes(), slices.in,
                    block.operand_starts(), to, slices.out, block.slice_starts(), own);
      });
  return result;
}

void SizesOfGather(const OpCall& call, SizeRules& rules) {
  const Dims& sizes = call.Ints("slice_sizes");
  for (size_t d = 0; d < sizes.size(); ++d) {
    rules.orders.push_back({sizes[d], call.operand(0).dim(static_cast<int>(d))});
  }
}

/// Starts are clamped so that the slice is inside.
int64_t LargestStart(const OpCall& call, int operand) {
  if (operand != 1) return -1;
  int64_t largest = std::numeric_limits<int64_t>::max();
  for (int64_t d : call.Ints(kGatherNames.index_map)) {
    const int64_t size = call.Ints("slice_sizes")[static_cast<size_t>(d)];
    largest = std::min(largest, call.operand(0).dim(static_cast<int>(d)) - size);
  }
  return largest;
}

}  // namespace

namespace ops {

const OpDef kGather{
    .doc =
        "Puts together slices of the operand that start at the positions given by index vectors. "
        "Starts are clamped so that each slice lies inside the operand.",
    .source = "operation semantics, Gather",
    .differs =
        "Unsigned starts of 2^63 and more count as negative, as in XLA's evaluator. Elements of an "
        "operand without any are 0.",
    .operands = kGatherOperands,
    .types = "all array types, and integers for the indices",
    .attrs = kGatherAttrs,
    .infer = InferGather,
    .eval = EvalGather,
    .makes_new = true,
    .floats = FloatWidths::kOfOperands,
    .largest = LargestStart,
    .carries = 1,
    .sizes = SizesOfGather,
};

}  // namespace ops
}  // namespace hlo
