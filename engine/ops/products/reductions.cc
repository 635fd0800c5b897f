// reduce: one or more arrays, reduced over dimensions by a computation.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "engine/kernels/reduce_fold.h"
#include "engine/ops/control/region_signatures.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/products/pair_reducer.h"
#include "engine/ops/products/reduce_blocks.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

constexpr AttrDef kReduceAttrs[] = {
    {.name = "dimensions",
     .kind = AttrKind::kInts,
     .use = AttrUse::kRequired,
     .doc = "The dimensions to reduce over, each at most once.",
     .always_printed = true},
    {.name = "to_apply",
     .kind = AttrKind::kRegion,
     .use = AttrUse::kRequired,
     .doc = "The reducer: N accumulators, then N elements; gives N new accumulators."},
};

/// The kept dimensions of the inputs' common shape, with the reducer's element type.
Shape ReducedShape(const OpCall& call, const Shape& input, const Region& region, int i) {
  Dims sizes;
  Dims dynamic;
  for (int d = 0; d < input.rank(); ++d) {
    if (Contains(call.Ints("dimensions"), d)) continue;
    if (input.is_dynamic(d)) dynamic.push_back(static_cast<int64_t>(sizes.size()));
    sizes.push_back(input.dim(d));
  }
  Shape result = Shape::Array(ResultType(region, i), sizes);
  for (int64_t d : dynamic) result.set_dynamic(static_cast<int>(d), true);
  return result;
}

/// All inputs have the dimensions of the first.
bool CheckInputs(const OpCall& call, int count, Diagnostics& out) {
  bool good = true;
  const Shape& first = call.operand(0);
  for (int i = 1; i < count; ++i) {
    const Shape& input = call.operand(i);
    if (SameDims(input, first)) continue;
    ReportOperand(call, i, DiagCode::kOperandInvalid,
                  fmt::format("All reduced tensors must have compatible dimension. Tensor at index "
                              "0 has shape {}, and tensor at index {} has shape {}.",
                              ShapeName(first), i, ShapeName(input)),
                  out);
    good = false;
  }
  return good;
}

std::optional<Shape> InferReduce(const OpCall& call, Diagnostics& out) {
  if (call.operand_count() % 2 != 0) {
    ReportOp(call, DiagCode::kOperandCount,
             fmt::format("Reduce must have an even number of arguments, has {}: as many initial "
                         "values as inputs",
                         call.operand_count()),
             out);
    return std::nullopt;
  }
  if (!CheckArrays(call, out)) return std::nullopt;
  int count = call.operand_count() / 2;
  const Region* region = call.GetRegion("to_apply");
  bool good = CheckInputs(call, count, out);
  const std::string range = fmt::format("Reducing out-of-bounds dimension {{d}} in shape {}.",
                                        ShapeName(call.operand(0)));
  good &= CheckDimList(call, "dimensions", call.operand(0).rank(),
                       {range, "Duplicate reduction dimension: {d}"}, out);
  if (region == nullptr) return std::nullopt;
  std::vector<const Shape*> inputs, inits;
  for (int i = 0; i < count; ++i) {
    inputs.push_back(&call.operand(i));
    inits.push_back(&call.operand(count + i));
  }
  good &= CheckReducer(call, "to_apply", inputs, inits, out);
  CheckParameterTypes(call, "to_apply", *region, out);
  if (!good) return std::nullopt;
  std::vector<Shape> results;
  // A size that is not known in one input is that of another.
  Shape merged = call.operand(0);
  for (const Shape* input : inputs) {
    for (int d = 0; d < merged.rank(); ++d) MergeDim(merged, *input, d);
  }
  for (int i = 0; i < count; ++i) results.push_back(ReducedShape(call, merged, *region, i));
  if (region->result_shape().IsTuple()) return Shape::Tuple(std::move(results));
  return OneOrTuple(std::move(results));
}

// ---- Evaluation ---------------------------------------------------------------------------------

/// Operands are first converted to the element types of the reducer's parameters, which are those
/// of the accumulators.
ElementType TypeOfReduceOperand(const OpCall& call, int i) {
  const int count = call.operand_count() / 2;
  const int parameter = i < count ? count + i : i - count;
  return call.GetRegion("to_apply")->parameter_shape(parameter).element_type();
}

/// An input of which the elements along the one reduced dimension were computed alone: the plan
/// does so with indices (NarrowIotas). The other input is whole.
bool IsNarrow(const OpCall& call, const Tensor& input) {
  return input.rank() < call.operand(0).rank();
}

/// It, repeated along the other dimensions.
Tensor Widened(const OpCall& call, const Tensor& input, Budget* budget) {
  const Dims& dims = call.operand(0).dims();
  const StridedView view = BroadcastInto(RowMajorView(input.dims()), dims, call.Ints("dimensions"));
  return TensorFromView(input, view, Shape::Array(input.element_type(), dims), budget);
}

struct Reduction {
  std::vector<Tensor> inputs;
  std::vector<Tensor> inits;
  StridedView kept;
  StridedView reduced;
};

Reduction PrepareReduction(const OpCall& call, std::span<const Value> args) {
  Reduction reduction;
  const size_t count = args.size() / 2;
  for (size_t i = 0; i < count; ++i) {
    reduction.inputs.push_back(args[i].tensor());
    reduction.inits.push_back(args[count + i].tensor());
  }
  // Elements beyond the run-time sizes are left out.
  const Tensor& whole = reduction.inputs[IsNarrow(call, reduction.inputs[0]) ? 1 : 0];
  Dims sizes = LiveDims(whole);
  for (const Tensor& input : reduction.inputs) {
    if (!IsNarrow(call, input)) MeetLiveDims(input, &sizes);
  }
  StridedView live = Prefix(RowMajorView(whole.dims()), sizes);
  Dims kept, reduced;
  for (int64_t d = 0; d < static_cast<int64_t>(live.dims.size()); ++d) {
    (Contains(call.Ints("dimensions"), d) ? reduced : kept).push_back(d);
  }
  reduction.kept = Permute(live, kept);
  reduction.reduced = Permute(live, reduced);
  return reduction;
}

Tensor Fold(const Reduction& reduction, Reducer reducer, ElementType type, Budget* budget) {
  Tensor input = ConvertTensor(reduction.inputs[0], type, budget);
  ElementType sum_type = FoldResultType(reducer, type);
  Tensor init = ConvertTensor(reduction.inits[0], sum_type, budget);
  Tensor result(sum_type, reduction.kept.dims, budget);
  FoldView(reducer, type, input.bytes(), reduction.kept, reduction.reduced, init.bytes(),
           result.mutable_bytes(), budget);
  return result;
}

/// Whether the kernel of pairs takes these arrays: their elements are what the reducer takes and
/// gives.
bool ArePairs(const Reduction& reduction, const Region& region) {
  if (reduction.inputs.size() != 2) return false;
  for (size_t i = 0; i < 2; ++i) {
    const ElementType type = ResultType(region, static_cast<int>(i));
    if (reduction.inputs[i].element_type() != type || reduction.inits[i].element_type() != type) {
      return false;
    }
  }
  return true;
}

/// The arrays of a reduction of pairs, of which those of the indices may be narrow.
ArgArrays ArraysOf(const OpCall& call, const Reduction& reduction, const PairReducer& reducer) {
  const Tensor& values = reduction.inputs[static_cast<size_t>(reducer.values)];
  const Tensor& indices = reduction.inputs[static_cast<size_t>(1 - reducer.values)];
  ArgArrays arrays = {values.element_type(), indices.element_type(), values.bytes(),
                      indices.bytes()};
  if (IsNarrow(call, indices)) {
    const auto dimension = static_cast<size_t>(call.Ints("dimensions")[0]);
    arrays.index_inner = RowMajorView(values.dims()).strides[dimension];
    arrays.index_extent = indices.element_count();
  }
  return arrays;
}

std::vector<Tensor> FoldPairs(const OpCall& call, const Reduction& reduction,
                              const PairReducer& reducer, Budget* budget) {
  std::vector<Tensor> results;
  for (const Tensor& input : reduction.inputs) {
    results.emplace_back(input.element_type(), reduction.kept.dims, budget);
  }
  const size_t v = static_cast<size_t>(reducer.values), i = 1 - v;
  FoldArgExtreme(reducer.rule, ArraysOf(call, reduction, reducer), reduction.kept,
                 reduction.reduced, {reduction.inits[v].bytes(), reduction.inits[i].bytes()},
                 {results[v].mutable_bytes(), results[i].mutable_bytes()}, budget);
  return results;
}

std::vector<Tensor> RunReduction(const OpCall& call, Reduction& reduction, const Region& region,
                                 RegionFunction& function, Budget* budget) {
  int count = static_cast<int>(reduction.inputs.size());
  ElementType type = reduction.inputs[0].element_type();
  std::optional<Reducer> reducer = FindReducer(function);
  if (count == 1 && reducer && ResultType(region, 0) == type &&
      reduction.inits[0].element_type() == type) {
    if (std::optional<ElementType> fold_type = FoldType(*reducer, type)) {
      return {ConvertTensor(Fold(reduction, *reducer, *fold_type, budget), type, budget)};
    }
  }
  if (ArePairs(reduction, region)) {
    const PairReducer* pairs = function.Pairs();
    if (pairs != nullptr && !IsNarrow(call, reduction.inputs[static_cast<size_t>(pairs->values)])) {
      return FoldPairs(call, reduction, *pairs, budget);
    }
  }
  for (Tensor& input : reduction.inputs) {
    if (IsNarrow(call, input)) input = Widened(call, input, budget);
  }
  std::vector<Tensor> results;
  for (int i = 0; i < count; ++i) {
    results.emplace_back(ResultType(region, i), reduction.kept.dims, budget);
  }
  ReduceInBlocks(function, reduction.inputs, reduction.kept, reduction.reduced, reduction.inits,
                 results, budget);
  return results;
}

Value EvalReduce(const OpCall& call, std::span<Value> args, EvalContext& context) {
  Budget* budget = context.budget();
  const Region& region = *call.GetRegion("to_apply");
  Reduction reduction = PrepareReduction(call, args);
  std::vector<Tensor> results =
      RunReduction(call, reduction, region, context.Function(region), budget);
  Value::Elements parts;
  for (size_t i = 0; i < results.size(); ++i) {
    const Shape& shape = PartShape(call.shape(), static_cast<int>(i));
    parts.emplace_back(WithBounds(results[i], shape, budget));
  }
  return JoinParts(call.shape(), std::move(parts));
}

const Region* RowReducer(const OpCall& call) {
  const Dims& reduced = call.Ints("dimensions");
  const bool is_last = reduced.size() == 1 && reduced[0] == call.operand(0).rank() - 1;
  return is_last && call.shape().IsArray() ? call.GetRegion("to_apply") : nullptr;
}

}  // namespace

namespace ops {

const OpDef kReduce{
    .doc =
        "Reduces over dimensions: every result starts from the initial value and combines the "
        "elements in row-major order. Several arrays can be reduced together.",
    .source = "operation semantics, Reduce",
    .differs =
        "The initial value comes in exactly once and first, as in XLA's evaluator; the operation "
        "semantics document leaves the grouping open. Sums of floats by a plain add are taken in "
        "f64 and rounded once.",
    .operands = kInputOrInit,
    .types = "all array types the reducer takes",
    .attrs = kReduceAttrs,
    .infer = InferReduce,
    .eval = EvalReduce,
    .floats = FloatWidths::kOfRegion,
    .operand_type = TypeOfReduceOperand,
    .row_reducer = RowReducer,
    .signature = CombinerSignature,
};

}  // namespace ops
}  // namespace hlo
