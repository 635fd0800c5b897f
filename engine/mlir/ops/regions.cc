// Ops with regions.
#include <fmt/format.h>

#include "engine/mlir/ops/families.h"
#include "engine/mlir/text/mlir_text.h"
#include "engine/ops/op_def.h"

namespace hlo::mlir {
namespace {

// The reducer: a region, or the name of an op.
const hlo::Region* ReducerOf(OpImport& op) {
  if (const Attr* applied = op.Find({"applies"})) {
    return op.AppliedRegion(applied->text, Shape::Scalar(op.operands[0]->shape().element_type()));
  }
  return op.RegionOf(0);
}

void EmitReduce(OpImport& op) {
  if (op.operands.size() < 2) {
    op.Expect(2);
    return;
  }
  const hlo::Region* reducer = ReducerOf(op);
  op.PromoteFolded(reducer, op.operands.size() / 2, true);
  Attrs attrs = {{"dimensions", op.Ints({"dimensions"})}, {"to_apply", reducer}};
  // A reducer may compute in another type than the operands.
  if (op.result_count() == 1) return ResultAsWritten(op, Opcode::kReduce, std::move(attrs));
  op.SplitResult(op.Emit(Opcode::kReduce, op.operands, std::move(attrs)));
}

void WriteReduce(OpExport& op) {
  op.Set(op.Write({"stablehlo.reduce",
                   op.Filled("dimensions = array<i64: @dimensions>"),
                   {&op.Region("to_apply")}},
                  op.Operands()));
}

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

void EmitSort(OpImport& op) {
  if (op.operands.empty()) {
    op.Fail(DiagCode::kOperandCount, "expected 1 or more operands, but found 0");
    return;
  }
  int64_t dimension = op.Int({"dimension"}, -1);
  if (dimension < 0) dimension += op.operands[0]->shape().rank();
  const hlo::Region* comparator = op.RegionOf(0);
  if (!comparator || !HasComparator(op, *comparator)) return;
  op.SplitResult(op.Emit(Opcode::kSort, op.operands,
                         {{"dimensions", Dims{dimension}},
                          {"is_stable", op.Bool({"is_stable"})},
                          {"to_apply", comparator}}));
}

void WriteSort(OpExport& op) {
  op.Set(op.Write({"stablehlo.sort",
                   op.Filled("dimension = @dimensions : i64, is_stable = @is_stable"),
                   {&op.Region("to_apply")}},
                  op.Operands()));
}

// How many operands, counted from the last, are carried: those after `inits`; in the generic form
// the second operand segment; if there is neither, those with the rank of the block's argument.
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

void WriteScan(OpExport& op) {
  const int carries = static_cast<int>(op.call().Int("num_carries"));
  std::string attrs = op.Filled("dimension = @dimensions : i64");
  if (op.call().Has("is_associative")) attrs += op.Filled(", is_associative = @is_associative");
  if (op.call().Bool("is_reverse")) attrs += ", is_reverse = true";
  const int inputs = op.op().operand_count() - carries;
  op.Set(
      op.Write({"chlo.scan", std::move(attrs), {&op.Region("to_apply")}, inputs}, op.Operands()));
}

void EmitMap(OpImport& op) {
  op.Result(op.Emit(Opcode::kMap, op.operands,
                    {{"dimensions", op.Ints({"dimensions"})}, {"to_apply", op.RegionOf(0)}}));
}

void WriteMap(OpExport& op) {
  Dims dims;
  for (int64_t i = 0; i < op.In(0).type->rank(); ++i) dims.push_back(i);
  op.Set(op.Write(
      {"stablehlo.map", fmt::format("dimensions = {}", I64Array(dims)), {&op.Region("to_apply")}},
      op.Operands()));
}

// Values from outside that the regions use are carried along.
void EmitWhile(OpImport& op) {
  const std::vector<ValueName> captures = op.Captures();
  Values state = op.operands;
  for (const ValueName& name : captures) state.push_back(op.Lookup(name));
  Instruction* tuple = op.Tuple(state, "initial");
  if (!tuple) return;
  const Shape& shape = tuple->shape();
  Instruction* loop = op.Emit(Opcode::kWhile, {tuple},
                              {{"condition", op.TupleRegionOf(0, captures, shape, false, true)},
                               {"body", op.TupleRegionOf(1, captures, shape, true, false)}});
  op.Results(op.Elements(loop, op.operands.size()));
}

void WriteWhile(OpExport& op) {
  op.Set(op.Write({"stablehlo.while", {}, {&op.Region("condition"), &op.Region("body")}},
                  op.Operand(0)));
}

void EmitBranches(OpImport& op, Opcode opcode, const Values& selector, bool is_case) {
  const Shape& chosen = selector[0]->shape();
  if (chosen != Shape::Scalar(is_case ? ElementType::kS32 : ElementType::kPred)) {
    op.Fail(DiagCode::kOperandInvalid,
            fmt::format("operand #0 must be 0D tensor of {} values, but got '{}'",
                        is_case ? "32-bit signless integer" : "bool", TypeText(chosen)));
    return;
  }
  const std::vector<ValueName> captures = op.Captures();
  Values captured;
  for (const ValueName& name : captures) captured.push_back(op.Lookup(name));
  Instruction* tuple = op.Tuple(captured, "captured");
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

void EmitCase(OpImport& op) {
  if (op.Expect(1)) EmitBranches(op, Opcode::kConditional, op.operands, true);
}

void EmitIf(OpImport& op) {
  if (op.Expect(1)) EmitBranches(op, Opcode::kConditional, op.operands, false);
}

void WriteConditional(OpExport& op) {
  std::vector<const Computation*> branches;
  for (const hlo::Region* branch : op.call().Regions("branch_computations")) {
    branches.push_back(AsComputation(branch));
  }
  const bool is_if = op.In(0).type->element_type() == ElementType::kPred;
  if (branches.empty()) {
    branches = {&op.Region("true_computation"), &op.Region("false_computation")};
  }
  std::vector<Leaves> arguments;
  for (size_t i = 0; i < branches.size(); ++i) {
    arguments.push_back(op.Operand(static_cast<int>(i) + 1));
  }
  op.Set(op.Write({is_if ? "stablehlo.if" : "stablehlo.case", {}, branches}, {op.In(0)},
                  op.ResultLeaves(), &arguments));
}

constexpr OpRow kRegionRows[] = {
    {.name = "case",
     .opcode = Opcode::kConditional,
     .form = {.sample = "(`%index`) ({\n"
                        "  stablehlo.return `%first` : tensor<f32>\n"
                        "}, {\n"
                        "  stablehlo.return `%second` : tensor<f32>\n"
                        "}) : (tensor<i32>) -> tensor<f32>"},
     .emit = EmitCase,
     .write = WriteConditional,
     .mixing = Mixing::kAny,
     .quantized = Quantized::kStored},
    {.name = "chlo.scan",
     .opcode = Opcode::kScan,
     .form = {.names = {"", "input,carry"},
              .items = "dimension",
              .sample = "(`%input`) inits (`%init`) dimension=`0` {\n"
                        "^bb0(%element: tensor<f32>, %carry: tensor<f32>):\n"
                        "  %next = stablehlo.`add` %element, %carry : tensor<f32>\n"
                        "  stablehlo.return %next, %next : tensor<f32>, tensor<f32>\n"
                        "} : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)",
              .print = PrintScan},
     .emit = EmitScan,
     .write = WriteScan,
     .mixing = Mixing::kMapped,
     .is_like_operand = true},
    {.name = "if",
     .opcode = Opcode::kConditional,
     .form = {.sample = "(`%pred`) ({\n"
                        "  stablehlo.return `%on_true` : tensor<f32>\n"
                        "}, {\n"
                        "  stablehlo.return `%on_false` : tensor<f32>\n"
                        "}) : (tensor<i1>) -> tensor<f32>"},
     .emit = EmitIf,
     .write = nullptr,
     .quantized = Quantized::kStored},
    {.name = "map",
     .opcode = Opcode::kMap,
     .form = {.inherent = "dimensions",
              .sample = "(`%operand`) <{dimensions = array<i64: `0`>}> ({\n"
                        "^bb0(%element: tensor<f32>):\n"
                        "  %mapped = stablehlo.`negate` %element : tensor<f32>\n"
                        "  stablehlo.return %mapped : tensor<f32>\n"
                        "}) : (tensor<4xf32>) -> tensor<4xf32>"},
     .emit = EmitMap,
     .write = WriteMap,
     .mixing = Mixing::kMapped},
    {.name = "reduce",
     .opcode = Opcode::kReduce,
     .form = {.items = "dimensions",
              .sample = "(`%operand` init: `%init`) applies stablehlo.`add` across dimensions = "
                        "[`0`] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>",
              .print = PrintReduce},
     .emit = EmitReduce,
     .write = WriteReduce,
     .mixing = Mixing::kFolded},
    {.name = "sort",
     .opcode = Opcode::kSort,
     .form = {.inherent = "dimension is_stable",
              .sample = "(`%operand`) <{dimension = `0` : i64, is_stable = `true`}> ({\n"
                        "^bb0(%element_0: tensor<f32>, %element_1: tensor<f32>):\n"
                        "  %is_before = stablehlo.compare `LT`, %element_0, %element_1 : "
                        "(tensor<f32>, tensor<f32>) -> tensor<i1>\n"
                        "  stablehlo.return %is_before : tensor<i1>\n"
                        "}) : (tensor<4xf32>) -> tensor<4xf32>"},
     .emit = EmitSort,
     .write = WriteSort,
     .mixing = Mixing::kCompared},
    {.name = "while",
     .opcode = Opcode::kWhile,
     .form = {.types = TypeForm::kOperands,
              .names = {"", "iterArg"},
              .sample = "(%iterArg = `%init`) : tensor<i32>\n"
                        " cond {\n"
                        "  %limit = stablehlo.constant dense<`10`> : tensor<i32>\n"
                        "  %continues = stablehlo.compare `LT`, %iterArg, %limit : (tensor<i32>, "
                        "tensor<i32>) -> tensor<i1>\n"
                        "  stablehlo.return %continues : tensor<i1>\n"
                        "} do {\n"
                        "  %step = stablehlo.constant dense<`1`> : tensor<i32>\n"
                        "  %next = stablehlo.`add` %iterArg, %step : tensor<i32>\n"
                        "  stablehlo.return %next : tensor<i32>\n"
                        "}",
              .print = PrintWhile},
     .emit = EmitWhile,
     .write = WriteWhile,
     .mixing = Mixing::kAny,
     .quantized = Quantized::kStored},
};

}  // namespace

std::span<const OpRow> RegionRows() { return kRegionRows; }

}  // namespace hlo::mlir
