// Constants, tuples, tokens, and ops that order others.
#include <fmt/format.h>

#include "engine/mlir/ops/families.h"

namespace hlo::mlir {
namespace {

void EmitConstant(OpImport& op) {
  if (!op.Expect(0)) return;
  const Attr* value = op.Find({"value"});
  if (!value) {
    op.Fail(DiagCode::kAttributeMissing, "the value is missing");
    return;
  }
  const Shape* type = op.ResultShape();
  const Shape* shape = op.DenseShape(*value, type);
  if (value->kind == Attr::Kind::kResource && value->text == kElided && shape) {
    return op.Result(op.Elided(*shape));
  }
  if (auto scalar = op.LargeFill(*value, type)) {
    return op.Result(op.Fill(*scalar, *shape));
  }
  auto tensor = op.Dense(*value, type);
  if (tensor) op.Result(op.Constant(std::move(*tensor)));
}

void WriteConstant(OpExport& op) {
  const ShapedLiteral* literal = op.call().GetLiteral("literal");
  if (!literal || !op.shape().IsArray()) {
    return op.NoCounterpart("only arrays are constants there");
  }
  if (literal->literal.elided) return op.Set({op.Elided()});
  const Tensor& tensor = literal->literal.value.tensor();
  if (tensor.rank() != literal->shape.rank()) return op.Set({op.Fill(tensor, literal->shape)});
  Ssa value = op.Constant(tensor);
  // Run-time sizes are set one by one.
  Shape shape = Shape::Array(tensor.element_type(), tensor.dims());
  for (int i = 0; i < op.shape().rank(); ++i) {
    if (!op.shape().is_dynamic(i)) continue;
    shape.set_dynamic(i, true);
    const Ssa size = op.Integer(ElementType::kS32, tensor.live_dim(i));
    value = op.Make("stablehlo.set_dimension_size", {value, size}, shape,
                    fmt::format("dimension = {} : i64", i));
  }
  op.Set({value});
}

void EmitConstantLike(OpImport& op) {
  const Attr* value = op.Find({"value"});
  if (!op.Expect(1) || !value) {
    if (!value) op.Fail(DiagCode::kAttributeMissing, "the value is missing");
    return;
  }
  const Shape like = op.operands[0]->shape();
  // An untyped number has 64 bits.
  const Shape scalar =
      Shape::Scalar(value->kind == Attr::Kind::kInt ? ElementType::kS64 : ElementType::kF64);
  auto number = op.Dense(*value, &scalar);
  if (!number) return;
  const Shape shape = Shape::Array(number->element_type(), like.dims());
  op.Result(op.Emit(Opcode::kBroadcast, {op.Constant(std::move(*number))}, {{"dimensions", Dims{}}},
                    &shape));
}

void WriteTuple(OpExport& op) { op.Set(op.Operands()); }

void EmitGetTupleElement(OpImport& op) {
  const Dims ranges = op.NeededInts({"index", "$ranges"});
  op.Result(op.Emit(Opcode::kGetTupleElement, op.operands,
                    {{"index", ranges.empty() ? int64_t{0} : ranges[0]}}));
}

size_t LeafCount(const Shape& shape) {
  if (!shape.IsTuple()) return 1;
  size_t count = 0;
  for (const Shape& element : shape.elements()) count += LeafCount(element);
  return count;
}

void WriteElement(OpExport& op) {
  const Shape& tuple = op.op().operand(0)->shape();
  const auto index = static_cast<size_t>(op.call().Int("index"));
  size_t begin = 0;
  for (size_t i = 0; i < index; ++i) begin += LeafCount(tuple.elements()[i]);
  const Leaves& all = op.Operand(0);
  const size_t end = begin + LeafCount(tuple.elements()[index]);
  op.Set(Leaves(all.begin() + static_cast<ptrdiff_t>(begin),
                all.begin() + static_cast<ptrdiff_t>(end)));
}

void WriteAfterAll(OpExport& op) {
  const bool is_new = op.op().operand_count() == 0;
  op.Set(op.Write({is_new ? "stablehlo.create_token" : "stablehlo.after_all"}, op.Operands()));
}

void EmitBarrier(OpImport& op) {
  if (op.operands.size() == 1) return op.Result(op.Emit(Opcode::kOptBarrier, op.operands));
  op.SplitResult(op.Emit(Opcode::kOptBarrier, {op.Tuple(op.operands)}));
}

void WriteBarrier(OpExport& op) {
  Leaves values = op.Operands();
  Leaves results = op.Write({"stablehlo.optimization_barrier"}, values, values);
  results.resize(op.ResultLeaves().size());
  op.Set(std::move(results));
}

constexpr OpRow kValueRows[] = {
    {.name = "after_all",
     .opcode = Opcode::kAfterAll,
     .form = {.layout = "%*",
              .types = TypeForm::kResults,
              .sample = " `%token` : !stablehlo.token"},
     .write = WriteAfterAll,
     .mixing = Mixing::kAny},
    {.name = "arith.constant",
     .opcode = Opcode::kConstant,
     .form = {.types = TypeForm::kNone, .sample = " dense<`0.0`> : tensor<f32>"},
     .emit = EmitConstant,
     .write = nullptr},
    {.name = "chlo.constant",
     .opcode = Opcode::kConstant,
     .form = {.types = TypeForm::kResults,
              .sample = " dense<`0.0`> : tensor<f32>",
              .print = PrintConstant,
              .hint = ConstantHint},
     .emit = EmitConstant,
     .write = nullptr},
    {.name = "chlo.constant_like",
     .form = {.inherent = "value",
              .sample = "(`%operand`) <{value = `0.0 : f32`}> : (tensor<f32>) -> tensor<f32>"},
     .emit = EmitConstantLike,
     .is_like_operand = true},
    {.name = "constant",
     .opcode = Opcode::kConstant,
     .form = {.types = TypeForm::kResults,
              .inherent = "value",
              .sample = " dense<`0.0`> : tensor<f32>",
              .print = PrintConstant,
              .hint = ConstantHint},
     .emit = EmitConstant,
     .write = WriteConstant,
     .quantized = Quantized::kStored,
     .is_import_helper = true},
    {.name = "copy", .opcode = Opcode::kCopy, .write = PassOn, .mixing = Mixing::kByOperand},
    {.name = "create_token",
     .opcode = Opcode::kAfterAll,
     .form = {.layout = "", .types = TypeForm::kResults, .sample = " : !stablehlo.token"},
     .write = nullptr},
    {.name = "get_tuple_element",
     .opcode = Opcode::kGetTupleElement,
     .form = {.sample = " `%operand`[`0`] : (tuple<tensor<f32>>) -> tensor<f32>",
              .print = PrintGetTupleElement},
     .emit = EmitGetTupleElement,
     .write = WriteElement,
     .mixing = Mixing::kAny,
     .quantized = Quantized::kStored},
    {.name = "mhlo.add_dependency",
     .opcode = Opcode::kAddDependency,
     .write = WriteBarrier,
     .mixing = Mixing::kByOperand},
    {.name = "optimization_barrier",
     .opcode = Opcode::kOptBarrier,
     .form = {.types = TypeForm::kOperands,
              .sample = " `%operand` : tensor<f32>",
              .print = PrintOptimizationBarrier},
     .emit = EmitBarrier,
     .write = WriteBarrier,
     .mixing = Mixing::kByOperand,
     .quantized = Quantized::kStored},
    {"partition_id",
     Opcode::kPartitionId,
     {.layout = "", .types = TypeForm::kResults, .sample = " : tensor<ui32>"}},
    {"replica_id",
     Opcode::kReplicaId,
     {.layout = "", .types = TypeForm::kResults, .sample = " : tensor<ui32>"}},
    {.name = "tuple",
     .opcode = Opcode::kTuple,
     .form = {.layout = "%*",
              .types = TypeForm::kResults,
              .sample = " `%operand` : tuple<tensor<f32>>"},
     .write = WriteTuple,
     .mixing = Mixing::kAny,
     .quantized = Quantized::kStored},
};

}  // namespace

std::span<const OpRow> ValueRows() { return kValueRows; }

}  // namespace hlo::mlir
