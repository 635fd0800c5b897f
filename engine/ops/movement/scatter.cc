// scatter: updates slices of an array at positions given by index vectors.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "engine/kernels/move_copy.h"
#include "engine/ops/control/region_signatures.h"
#include "engine/ops/movement/gather_dims.h"
#include "engine/ops/movement/scatter_blocks.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/movement/window_slices.h"
#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

constexpr std::string_view kScatterOperands[] = {"operands, then scatter_indices, then updates"};
constexpr AttrDef kScatterAttrs[] = {
    RequiredInts(kScatterNames.window, "Dimensions of the updates that run through a slice."),
    RequiredInts(kScatterNames.collapsed, "Dimensions of the operand that the slices do not have."),
    IndexMapAttr(kScatterNames),
    OperandBatchAttr(kScatterNames),
    IndicesBatchAttr(kScatterNames),
    kIndexVectorDimAttr,
    kIndicesAreSortedAttr,
    {"unique_indices", AttrKind::kBool, AttrUse::kOptional,
     "A promise that no place is written twice. The value does not depend on it."},
    {"to_apply", AttrKind::kRegion, AttrUse::kRequired,
     "Combines what is there, N values, with the update, N values, into N new values."},
};

/// Checks the operand's rank: the number of window dimensions plus the dimensions that windows
/// lack.
bool CheckScatterRanks(const OpCall& call, const Shape& operand, const Shape& updates,
                       const Shape& indices, Diagnostics& out) {
  size_t window = call.Ints(kScatterNames.window).size();
  size_t left_out =
      call.Ints(kScatterNames.collapsed).size() + call.Ints(kScatterNames.operand_batch).size();
  bool ok = true;
  if (window + left_out != static_cast<size_t>(operand.rank())) {
    ReportAttr(call, kScatterNames.window, DiagCode::kDimensionNumbers,
               fmt::format("Scatter op has window of size {}; doesn't match operand of rank {}.",
                           window + left_out, operand.rank()),
               out);
    ok = false;
  }
  size_t rank = IndexDims(call, indices).size() + window;
  if (rank != static_cast<size_t>(updates.rank())) {
    ReportAttr(call, kScatterNames.window, DiagCode::kDimensionNumbers,
               fmt::format("Updates tensor must be of rank {}; got {}.", rank, updates.rank()),
               out);
    ok = false;
  }
  return CheckWindowDims(call, kScatterNames, updates.rank(), out) && ok;
}

/// The updates' sizes: those of the index dimensions, and in window dimensions at most the
/// operand's.
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
      if (CompatibleSizes(size, expected)) continue;
      ReportOperand(call, i, DiagCode::kOperandInvalid,
                    fmt::format("Bounds of the scatter dimensions of updates must be same as the "
                                "bounds of the corresponding dimensions of scatter indices. For "
                                "scatter dimension {}, updates bound is {}, scatter_indices bound "
                                "is {}.",
                                d, size, expected),
                    out);
      continue;
    }
    while (IsLeftOut(call, kScatterNames, slice_dim)) ++slice_dim;
    int64_t bound = operand.dim(slice_dim++);
    if (size <= bound || bound == Shape::kUnbounded) continue;
    ReportOperand(call, i, DiagCode::kOperandInvalid,
                  fmt::format("Bounds of the window dimensions of updates must not exceed the "
                              "bounds of the corresponding dimensions of operand. For dimension "
                              "{}, updates bound is {}, operand bound is {}.",
                              d, size, bound),
                  out);
  }
}

/// The reducer's initial values are elements of the operands.
void CheckScatterReducer(const OpCall& call, const std::vector<const Shape*>& updates,
                         const std::vector<const Shape*>& operands, Diagnostics& out) {
  std::vector<Shape> elements;
  elements.reserve(operands.size());
  for (const Shape* operand : operands) elements.push_back(Shape::Scalar(operand->element_type()));
  std::vector<const Shape*> inits;
  inits.reserve(elements.size());
  for (const Shape& element : elements) inits.push_back(&element);
  CheckReducer(call, "to_apply", updates, inits, out);
}

std::optional<Shape> InferScatter(const OpCall& call, Diagnostics& out) {
  if (call.operand_count() % 2 == 0) {
    ReportOp(call, DiagCode::kOperandCount,
             fmt::format("Invalid argument count of scatter op: Expected {}, saw {}",
                         call.operand_count() / 2 * 2 + 1, call.operand_count()),
             out);
    return std::nullopt;
  }
  int n = call.operand_count() / 2;
  if (!CheckArrays(call, out) || !CheckIndices(call, n, out)) return std::nullopt;
  const Shape& operand = call.operand(0);
  const Shape& indices = call.operand(n);
  bool ok = CheckGatherDims(call, kScatterNames, operand, indices, out);
  std::vector<const Shape*> inputs, inits;
  std::vector<Shape> results;
  for (int i = 0; i < n; ++i) {
    ok &= CheckSameDims(call, i, 0, out);
    ok &= CheckSameDims(call, n + 1 + i, n + 1, out);
    inits.push_back(&call.operand(i));
    inputs.push_back(&call.operand(n + 1 + i));
    results.push_back(call.operand(i));
  }
  ok &= CheckScatterRanks(call, operand, call.operand(n + 1), indices, out);
  if (ok) {
    CheckUpdateSizes(call, n + 1, operand, indices, out);
  }
  CheckScatterReducer(call, inputs, inits, out);
  return OneOrTuple(std::move(results));
}

// ---- Evaluation ---------------------------------------------------------------------------------

}  // namespace

ScatterSlices ScatterSlicesOf(const OpCall& call, const Tensor& operand, const Tensor& indices,
                              std::span<const Tensor> all_updates) {
  const Tensor& updates = all_updates[0];
  const StridedView to = RowMajorView(operand.dims());
  const StridedView from = RowMajorView(updates.dims());
  Dims live = updates.dims();
  for (const Tensor& other : all_updates) MeetLiveDims(other, &live);
  const Dims slice_dims = SliceDims(call, kScatterNames, operand.rank());
  ScatterSlices slices;
  slices.layout.operand = operand.dims();
  slices.layout.window.resize(operand.dims().size(), 1);
  size_t slice_dim = 0;
  int index_dim = 0;
  for (int d = 0; d < updates.rank(); ++d) {
    const int64_t step = from.strides[static_cast<size_t>(d)];
    // Updates beyond the run-time sizes are skipped, and so are those whose indices are.
    if (Contains(call.Ints(kScatterNames.window), d)) {
      const size_t of_operand = static_cast<size_t>(slice_dims[slice_dim++]);
      slices.layout.window[of_operand] = updates.dim(d);
      slices.target.strides.push_back(to.strides[of_operand]);
      slices.source.strides.push_back(step);
      slices.target.dims.push_back(live[static_cast<size_t>(d)]);
    } else {
      if (index_dim == call.Int(kIndexVectorDim)) ++index_dim;
      slices.layout.counts.push_back(
          std::min(indices.live_dim(index_dim++), live[static_cast<size_t>(d)]));
      slices.layout.steps.push_back(step);
    }
  }
  slices.source.dims = slices.target.dims;
  return slices;
}

namespace {

/// Operands and updates are converted to the types of the region's parameters.
ElementType TypeOfScatterOperand(const OpCall& call, int i) {
  const int count = call.operand_count() / 2;
  const int parameter = i < count ? i : i - 1;  // the indices are between them
  return call.GetRegion("to_apply")->parameter_shape(parameter).element_type();
}

struct Scattering {
  std::vector<Tensor> operands;
  std::vector<Tensor> updates;
};

Scattering PrepareScattering(std::span<Value> args) {
  Scattering scattering;
  const size_t count = args.size() / 2;
  for (size_t i = 0; i < count; ++i) {
    scattering.operands.push_back(std::move(args[i].tensor()));
    scattering.updates.push_back(std::move(args[count + 1 + i].tensor()));
  }
  return scattering;
}

/// The resulting operands, if they are known without running the region.
enum class Shortcut : uint8_t { kNone, kKeep, kOverwrite };

std::vector<Shortcut> FindShortcuts(const RegionFunction& function, int count) {
  std::vector<Shortcut> shortcuts;
  for (int i = 0; i < count; ++i) {
    const int parameter = function.ResultParameter(i);
    if (parameter == i) {
      shortcuts.push_back(Shortcut::kKeep);
    } else if (parameter == count + i) {
      shortcuts.push_back(Shortcut::kOverwrite);
    } else {
      return std::vector<Shortcut>(static_cast<size_t>(count), Shortcut::kNone);
    }
  }
  return shortcuts;
}

void Overwrite(const OpCall& call, const Tensor& indices, const ScatterSlices& slices,
               const std::vector<Shortcut>& shortcuts, Scattering& scattering, Budget* budget) {
  ForEachSlices(
      call, indices, slices.layout, budget,
      [&](std::span<const int64_t> targets, std::span<const int64_t> sources, int, Budget* own) {
        for (size_t i = 0; i < shortcuts.size(); ++i) {
          if (shortcuts[i] != Shortcut::kOverwrite) continue;
          Tensor& operand = scattering.operands[i];
          CopyWindows(BytesOf(operand.element_type()), scattering.updates[i].bytes(), slices.source,
                      sources, operand.mutable_bytes(), slices.target, targets, own);
        }
      });
}

Value EvalScatter(const OpCall& call, std::span<Value> args, EvalContext& context) {
  Budget* const budget = context.budget();
  const Region& region = *call.GetRegion("to_apply");
  const int count = static_cast<int>(args.size()) / 2;
  const Tensor indices = args[static_cast<size_t>(count)].tensor();
  RegionFunction& function = context.Function(region);
  Scattering scattering = PrepareScattering(args);
  const std::vector<Shortcut> shortcuts = FindShortcuts(function, count);
  for (size_t i = 0; i < shortcuts.size(); ++i) {
    if (shortcuts[i] != Shortcut::kKeep) MakeUnique(&scattering.operands[i], budget);
  }
  const ScatterSlices slices =
      ScatterSlicesOf(call, scattering.operands[0], indices, scattering.updates);
  if (shortcuts[0] != Shortcut::kNone) {
    Overwrite(call, indices, slices, shortcuts, scattering, budget);
  } else {
    CombineSlices(call, indices, slices, function, scattering.operands, scattering.updates, budget);
  }
  Value::Elements results;
  for (Tensor& operand : scattering.operands) results.emplace_back(std::move(operand));
  return JoinParts(call.shape(), std::move(results));
}

/// A slice that does not lie inside is skipped.
int64_t LargestScatterStart(const OpCall& call, int operand) {
  if (operand != call.operand_count() / 2) return -1;
  const Shape& whole = call.operand(0);
  const Shape& update = call.operand(operand + 1);
  const Dims& window = call.Ints(kScatterNames.window);
  int64_t largest = std::numeric_limits<int64_t>::max();
  for (int64_t d : call.Ints(kScatterNames.index_map)) {
    // A window as large as the operand has one place.
    int64_t size = 1;
    if (static_cast<int64_t>(window.size()) == whole.rank()) {
      size = update.dim(static_cast<int>(window[static_cast<size_t>(d)]));
    }
    largest = std::min(largest, whole.dim(static_cast<int>(d)) - size);
  }
  return largest;
}

}  // namespace

namespace ops {

const OpDef kScatter{
    .doc =
        "The operands with slices changed: each update is combined with the element at the "
        "position its index vector gives.",
    .source = "operation semantics, Scatter",
    .differs =
        "A slice that lies partly outside the operand is skipped whole, as XLA's evaluator "
        "does; the operation semantics document and StableHLO skip its elements outside alone.",
    .operands = kScatterOperands,
    .types = "all array types, and integers for the indices",
    .attrs = kScatterAttrs,
    .infer = InferScatter,
    .eval = EvalScatter,
    .keeps_layout = true,
    .floats = FloatWidths::kOfRegion,
    .operand_type = TypeOfScatterOperand,
    .changes_element_size = true,
    .written_operand = 0,
    .signature = ScatterSignature,
    .largest = LargestScatterStart,
};

}  // namespace ops
}  // namespace hlo
