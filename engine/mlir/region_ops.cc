// Ops with regions.
#include <fmt/format.h>

#include "engine/mlir/mlir_text.h"
#include "engine/mlir/op_rows.h"

namespace hlo::mlir {
namespace {

// The reducer: a region, or an op by name.
const hlo::Region* ReducerOf(OpImport& op) {
  if (const Attr* applied = op.Find({"applies"})) {
    return op.AppliedRegion(applied->text, Shape::Scalar(op.operands[0]->shape().element_type()));
  }
  return op.RegionOf(0);
}

// One WindowDim per dimension of the window; lists that are not given are defaults.
bool ReadWindow(OpImport& op, Window* window) {
  const Dims sizes = op.Ints({"window_dimensions"});
  const size_t rank = sizes.size();
  const Dims strides = op.Ints({"window_strides"}, Dims(rank, 1));
  const Dims base = op.Ints({"base_dilations"}, Dims(rank, 1));
  const Dims dilations = op.Ints({"window_dilations"}, Dims(rank, 1));
  const Dims padding = op.Ints({"padding"}, Dims(2 * rank, 0));
  if (strides.size() != rank || base.size() != rank || dilations.size() != rank ||
      padding.size() != 2 * rank) {
    return op.Fail(DiagCode::kAttributeValue, "the lists of a window have different lengths");
  }
  for (size_t i = 0; i < rank; ++i) {
    window->push_back({.size = sizes[i],
                       .stride = strides[i],
                       .pad_low = padding[2 * i],
                       .pad_high = padding[2 * i + 1],
                       .base_dilation = base[i],
                       .window_dilation = dilations[i]});
  }
  return true;
}

}  // namespace

void EmitReduce(OpImport& op) {
  if (op.operands.size() < 2) {
    op.Expect(2);
    return;
  }
  Attrs attrs = {{"dimensions", op.Ints({"dimensions"})}, {"to_apply", ReducerOf(op)}};
  // A reducer may compute in another type than the operands have.
  if (op.result_count() == 1) return ResultAsWritten(op, Opcode::kReduce, std::move(attrs));
  op.SplitResult(op.Emit(Opcode::kReduce, op.operands, std::move(attrs)));
}

void EmitReduceWindow(OpImport& op) {
  Window window;
  if (!ReadWindow(op, &window)) return;
  Attrs attrs = {{"window", std::move(window)}, {"to_apply", op.RegionOf(0)}};
  // A reducer may compute in another type than the operands have.
  if (op.result_count() == 1) return ResultAsWritten(op, Opcode::kReduceWindow, std::move(attrs));
  op.SplitResult(op.Emit(Opcode::kReduceWindow, op.operands, std::move(attrs)));
}

void EmitSelectAndScatter(OpImport& op) {
  Window window;
  if (!ReadWindow(op, &window)) return;
  op.Result(op.Emit(
      Opcode::kSelectAndScatter, op.operands,
      {{"window", std::move(window)}, {"select", op.RegionOf(0)}, {"scatter", op.RegionOf(1)}}));
}

namespace {

// A comparator takes two scalars of each operand.
bool HasComparator(OpImport& op, const hlo::Region& comparator) {
  for (size_t i = 0; i < static_cast<size_t>(comparator.parameter_count()); ++i) {
    if (i / 2 >= op.operands.size()) break;
    const Shape wanted = Shape::Scalar(op.operands[i / 2]->shape().element_type());
    const Shape& given = comparator.parameter_shape(static_cast<int>(i));
    if (given == wanted) continue;
    return op.Fail(DiagCode::kComputationSignature,
                   fmt::format("comparator block argument #{} should be of type '{}' but got '{}'",
                               i, TypeText(wanted), TypeText(given)));
  }
  return true;
}

}  // namespace

void EmitSort(OpImport& op) {
  if (op.operands.empty()) return;
  int64_t dimension = op.Int({"dimension"}, -1);
  if (dimension < 0) dimension += op.operands[0]->shape().rank();
  const hlo::Region* comparator = op.RegionOf(0);
  if (!comparator || !HasComparator(op, *comparator)) return;
  op.SplitResult(op.Emit(Opcode::kSort, op.operands,
                         {{"dimensions", Dims{dimension}},
                          {"is_stable", op.Bool({"is_stable"})},
                          {"to_apply", comparator}}));
}

namespace {

// How many operands, from the last on, are carried: those behind `inits`; in the generic form the
// second segment; where it is not said, those of the rank that the block's argument has.
size_t CarriesOf(OpImport& op, const hlo::Region& body) {
  const size_t count = op.operands.size();
  const Dims segments = op.Ints({"operandSegmentSizes"});
  if (segments.size() == 2 && segments[0] >= 0 && segments[1] >= 0 &&
      static_cast<size_t>(segments[0]) + static_cast<size_t>(segments[1]) == count) {
    return static_cast<size_t>(segments[1]);
  }
  const size_t inputs = op.op().first_operands;
  if (inputs > 0 && inputs < count) return count - inputs;
  size_t carries = 0;
  while (carries < count && body.parameter_count() == static_cast<int>(count)) {
    const size_t i = count - 1 - carries;
    const Shape& parameter = body.parameter_shape(static_cast<int>(i));
    if (op.operands[i]->shape().rank() != parameter.rank()) break;
    ++carries;
  }
  return carries;
}

}  // namespace

void EmitScan(OpImport& op) {
  const hlo::Region* body = op.RegionOf(0);
  const auto results = op.AllResults();
  if (!body || !results) return;
  Attrs attrs = {{"dimensions", Dims{op.NeededInt({"dimension"})}},
                 {"num_carries", static_cast<int64_t>(CarriesOf(op, *body))},
                 {"is_reverse", op.Bool({"is_reverse"})},
                 {"to_apply", body}};
  if (op.Find({"is_associative"})) attrs.Add({"is_associative", op.Bool({"is_associative"})});
  op.SplitResult(op.Emit(Opcode::kScan, op.operands, std::move(attrs), &*results));
}

void EmitMap(OpImport& op) {
  op.Result(op.Emit(Opcode::kMap, op.operands,
                    {{"dimensions", op.Ints({"dimensions"})}, {"to_apply", op.RegionOf(0)}}));
}

// Values of outside that the regions use are carried along.
void EmitWhile(OpImport& op) {
  const std::vector<ValueName> captures = op.Captures();
  Values state = op.operands;
  for (const ValueName& name : captures) state.push_back(op.Lookup(name));
  Instruction* tuple = op.Tuple(state);
  if (!tuple) return;
  const Shape& shape = tuple->shape();
  Instruction* loop = op.Emit(Opcode::kWhile, {tuple},
                              {{"condition", op.TupleRegionOf(0, captures, shape, false, true)},
                               {"body", op.TupleRegionOf(1, captures, shape, true, false)}});
  Values results = op.Elements(loop, state.size());
  results.resize(op.operands.size());
  op.Results(std::move(results));
}

namespace {

void EmitBranches(OpImport& op, Opcode opcode, const Values& selector, bool is_case) {
  const std::vector<ValueName> captures = op.Captures();
  Values captured;
  for (const ValueName& name : captures) captured.push_back(op.Lookup(name));
  Instruction* tuple = op.Tuple(captured);
  if (!tuple) return;
  const bool is_one = op.result_count() == 1;
  Values operands = selector;
  std::vector<const hlo::Region*> branches;
  for (size_t i = 0; i < op.op().regions.size(); ++i) {
    branches.push_back(op.TupleRegionOf(i, captures, tuple->shape(), false, is_one));
    if (!branches.back()) return;
    operands.push_back(tuple);
  }
  if (is_case) {
    return op.SplitResult(op.Emit(opcode, operands, {{"branch_computations", branches}}));
  }
  if (branches.size() != 2) {
    op.Fail(DiagCode::kSyntaxError, "expects two regions");
    return;
  }
  op.SplitResult(op.Emit(opcode, operands,
                         {{"true_computation", branches[0]}, {"false_computation", branches[1]}}));
}

}  // namespace

void EmitCase(OpImport& op) {
  if (op.Expect(1)) EmitBranches(op, Opcode::kConditional, op.operands, true);
}

void EmitIf(OpImport& op) {
  if (op.Expect(1)) EmitBranches(op, Opcode::kConditional, op.operands, false);
}

}  // namespace hlo::mlir
