// Custom-call targets that sort or select the largest elements.
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "engine/ops/custom_calls/custom_call_targets.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

/// Sorts the arrays together along a dimension, and cuts each to the dimensions of `result`.
Value SortAndCut(const OpCall& call, const Region* before, int64_t dim,
                 std::span<const Shape* const> shapes, std::span<Value> values, const Shape& result,
                 EvalContext& context) {
  std::vector<Shape> whole;
  for (const Shape* shape : shapes) whole.push_back(*shape);
  Value sorted =
      CallOp(Opcode::kSort, {{"dimensions", Dims{dim}}, {"is_stable", true}, {"to_apply", before}},
             call, shapes, values, whole.size() == 1 ? whole[0] : Shape::Tuple(whole), context);
  Value::Elements parts;
  for (size_t i = 0; i < whole.size(); ++i) {
    const Shape& wanted = PartShape(result, static_cast<int>(i));
    std::vector<SliceDim> slices;
    for (int64_t size : whole[i].dims()) slices.push_back({0, size, 1});
    slices[static_cast<size_t>(dim)].limit = wanted.dim(static_cast<int>(dim));
    Value one[] = {sorted.is_tuple() ? sorted.elements()[i] : sorted};
    parts.push_back(CallOp(Opcode::kSlice, {{"slice", slices}}, call, shapes.subspan(i, 1), one,
                           wanted, context));
  }
  return JoinParts(result, std::move(parts));
}

/// The dimension that is smaller in the result, or the last one.
int ShrunkDim(const Shape& from, const Shape& to) {
  for (int d = 0; to.IsArray() && to.rank() == from.rank() && d < from.rank(); ++d) {
    if (to.dim(d) != from.dim(d)) return d;
  }
  return from.rank() - 1;
}

/// ApproxTopK may miss elements that an exact search finds; this one misses none. The first half of
/// the operands are arrays, which the computation orders together; the others are padding values.
Value EvalApproxTopK(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const Region* before = CalledComputation(call);
  const Shape& result = call.shape();
  const int count = call.operand_count() / 2;
  std::vector<const Shape*> shapes;
  bool fits = before && count > 0 && call.operand_count() % 2 == 0 &&
              before->parameter_count() == 2 * count &&
              (result.IsTuple() ? static_cast<int>(result.elements().size()) == count : count == 1);
  const Shape* const first = fits ? &call.operand(0) : nullptr;
  fits = fits && first->IsArray() && first->rank() > 0;
  int64_t dim = fits ? ConfigInt(call, "reduction_dim", -1) : -1;
  if (fits && dim < 0) dim = ShrunkDim(*first, PartShape(result, 0));
  fits = fits && dim >= 0 && dim < first->rank();
  for (int i = 0; fits && i < count; ++i) {
    const Shape& from = call.operand(i);
    const Shape& to = PartShape(result, i);
    fits = from.IsArray() && to.IsArray() && from.dims() == first->dims() &&
           to.rank() == from.rank() &&
           to.dim(static_cast<int>(dim)) <= from.dim(static_cast<int>(dim));
    for (int d = 0; fits && d < from.rank(); ++d) fits = d == dim || to.dim(d) == from.dim(d);
    shapes.push_back(&from);
  }
  if (!fits) {
    RefuseCall(call, fmt::format("takes arrays of one shape, as many initial values and a "
                                 "comparator, and gives the first elements along reduction_dim, "
                                 "not {}",
                                 ShapeName(result)));
  }
  return SortAndCut(call, before, dim, shapes, args.first(static_cast<size_t>(count)), result,
                    context);
}

Value EvalTopK(const OpCall& call, std::span<Value> args, EvalContext& context) {
  WantOperands(call, 1);
  const Shape& operand = call.operand(0);
  const Shape& result = call.shape();
  const bool fits = operand.IsArray() && operand.rank() > 0 && result.IsTuple() &&
                    result.elements().size() == 2 && result.elements()[0].IsArray() &&
                    result.elements()[0].rank() == operand.rank() && result.elements()[1].IsArray();
  if (!fits) {
    RefuseCall(call,
               fmt::format("takes an array and gives (values, s32 indices) of its rank, not {} "
                           "of {}",
                           ShapeName(result), ShapeName(operand)));
  }
  const int64_t k = result.elements()[0].dims().back();
  if (k > operand.dims().back()) {
    RefuseCall(call, fmt::format("asks for {} of {} elements", k, operand.dims().back()));
  }
  if (const Region* region = CalledComputation(call)) {
    if (region->parameter_count() == 4) {
      // XLA's own expansion: values are sorted together with the indices.
      const Shape indices = Shape::Array(ElementType::kS32, operand.dims());
      const int64_t last = operand.rank() - 1;
      Value both[] = {std::move(args[0]), CallOp(Opcode::kIota, {{"iota_dimension", last}}, call,
                                                 {}, {}, indices, context)};
      const Shape* shapes[] = {&operand, &indices};
      return SortAndCut(call, region, last, shapes, both, result, context);
    }
  }
  // The result may have another index type.
  const Shape plain = Shape::Tuple(
      {result.elements()[0], Shape::Array(ElementType::kS32, result.elements()[1].dims())});
  const bool largest = ConfigInt(call, "largest", 1) != 0;
  Value found = CallAs(Opcode::kTopk, {{"k", k}, {"largest", largest}}, call, args, plain, context);
  Value::Elements parts = found.elements();
  Tensor& indices = parts[1].tensor();
  indices = ConvertTensor(indices, result.elements()[1].element_type(), context.budget());
  return Value::Tuple(std::move(parts));
}

constexpr std::string_view kLines =
    "The largest elements of the last dimension, best first, in the total order of floats; of "
    "equals the first.";
constexpr std::string_view kFirst =
    "The first elements of arrays ordered together by the computation; here exact.";

constexpr BuiltInTarget kSortingTargets[] = {
    {.name = "ApproxTopK",
     .aliases = "PartialReduce",
     .operands = "arrays of one shape, then a scalar for each",
     .result = "a tuple of arrays, shorter along one dimension",
     .doc = kFirst,
     .config = "reduction_dim (otherwise the dimension that is shorter); a comparator",
     .source = "XLA, approx_topk.cc",
     .eval = EvalApproxTopK},
    {.name = "TopK",
     .aliases = "__gpu$TopK chlo.top_k mhlo.topk xla_builder.sorting.TopK "
                "xla_builder.sorting.TopKWithPartitions",
     .operands = "x: numbers that have an order",
     .result = "(values [..., k], integer indices [..., k])",
     .doc = kLines,
     .config = "largest = false: the smallest; a comparator of two values and two indices: what it "
               "puts first",
     .source = "XLA, topk_rewriter.cc, topk_specializer.cc, sorting.cc; CHLO",
     .eval = EvalTopK},
};

}  // namespace

std::span<const BuiltInTarget> SortingTargets() { return kSortingTargets; }

}  // namespace hlo
