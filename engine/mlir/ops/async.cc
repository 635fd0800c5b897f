// Collectives and slices that run beside what follows them.
// Source: StableHLO, TypeInference.cpp, inferAsyncStartOp and inferAsyncDoneOp.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/mlir/ops/families.h"
#include "engine/mlir/text/mlir_text.h"

namespace hlo::mlir {
namespace {

constexpr std::string_view kSteps =
    "all_gather all_reduce all_to_all collective_broadcast collective_permute collective_reduce "
    "dynamic_slice dynamic_update_slice reduce_scatter slice";

std::string_view WithoutDialect(std::string_view name) {
  return name.substr(std::min(name.find('.') + 1, name.size()));
}

// Whether the region is one collective or slice of the operands.
bool HasOneStep(OpImport& op) {
  const std::vector<Region>& regions = op.op().regions;
  if (regions.size() != 1) return op.Fail(DiagCode::kSyntaxError, "requires one region");
  const Block& block = regions[0].blocks[0];
  if (block.ops.size() != 2) {
    return op.Fail(DiagCode::kComputationSignature,
                   "region must contain exactly one operation and a return");
  }
  if (!HasWord(kSteps, WithoutDialect(block.ops[0].name))) {
    return op.Fail(DiagCode::kComputationSignature,
                   "region must contain a collective or slice operation", block.ops[0].name_range);
  }
  if (block.arguments.size() != op.operands.size()) {
    return op.Fail(DiagCode::kComputationSignature,
                   fmt::format("number of operands ({}) must match number of region arguments ({})",
                               op.operands.size(), block.arguments.size()));
  }
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const Type& type = *block.arguments[i].type;
    const Shape& given = op.operands[i]->shape();
    if (type.shape.IsArray() && Shape::Compatible(type.shape, given)) continue;
    return op.Fail(DiagCode::kComputationSignature,
                   fmt::format("operand type '{}' at index {} must match region argument type '{}'",
                               TypeText(given), i, op.TextOf(type)),
                   block.arguments[i].range);
  }
  return true;
}

// Whether the step is several instructions in HLO, whose asynchronous computations are one.
bool IsSeveral(const Op& step) {
  const Attr *split = step.Find("split_dimension"), *concat = step.Find("concat_dimension");
  return WithoutDialect(step.name) == "collective_reduce" ||
         (split && concat && split->integer != concat->integer);
}

// Whether the written type promises these results.
bool IsFutureOf(OpImport& op, const std::vector<Shape>& results) {
  const Type* type = op.ResultType(0);
  if (!type) return true;
  const auto is_same = [](const Shape& shape, const Type* part) {
    return part->shape.IsArray() && Shape::Compatible(shape, part->shape);
  };
  const bool fits = type->kind == Type::Kind::kFuture &&
                    std::equal(results.begin(), results.end(), type->outputs.begin(),
                               type->outputs.end(), is_same);
  if (fits) return true;
  std::string parts;
  for (const Shape& shape : results) parts += (parts.empty() ? "" : ", ") + TypeText(shape);
  return op.Fail(
      DiagCode::kShapeMismatch,
      fmt::format("inferred type(s) '!stablehlo.future<{}>' are incompatible with return "
                  "type(s) of operation '{}'",
                  parts, op.TextOf(*type)));
}

void EmitAsyncStart(OpImport& op) {
  if (!HasOneStep(op)) return;
  // What nobody awaits has no end in HLO.
  if (op.op().results.empty() || IsSeveral(op.op().regions[0].blocks[0].ops[0])) {
    // It runs at once; its results wait in a tuple.
    const auto values = op.Inline(0);
    if (!values || std::find(values->begin(), values->end(), nullptr) != values->end()) return;
    std::vector<Shape> results;
    for (const Instruction* value : *values) results.push_back(value->shape());
    if (IsFutureOf(op, results)) op.Result(op.Tuple(*values));
    return;
  }
  const hlo::Region* region = op.RegionOf(0);
  if (!region) return;
  const Shape& result = region->result_shape();
  std::vector<Shape> results = {result}, operands;
  if (result.IsTuple()) results.assign(result.elements().begin(), result.elements().end());
  if (!IsFutureOf(op, results)) return;
  for (const Instruction* operand : op.operands) operands.push_back(operand->shape());
  const Shape state = Shape::Tuple({Shape::Tuple(std::move(operands)), result});
  op.Result(op.Emit(Opcode::kAsyncStart, op.operands, {{"calls", region}}, &state));
}

void EmitAsyncDone(OpImport& op) {
  if (!op.Expect(1)) return;
  Instruction* const future = op.operands[0];
  const auto& types = op.op().operand_types;
  if (types.empty() || types[0]->kind != Type::Kind::kFuture) {
    op.Fail(DiagCode::kOperandInvalid,
            fmt::format("operand #0 must be a future, but got '{}'",
                        types.empty() ? TypeText(future->shape()) : op.TextOf(*types[0])));
    return;
  }
  if (future->opcode() == Opcode::kAsyncStart) {
    const Shape result = future->shape().elements()[1];
    return op.SplitResult(op.Emit(Opcode::kAsyncDone, {future}, {}, &result));
  }
  op.Results(op.Elements(future, op.result_count()));
}

constexpr OpRow kAsyncRows[] = {
    {.name = "async_done",
     .form = {.sample = "(`%future`) : (!stablehlo.future<tensor<f32>>) -> tensor<f32>"},
     .emit = EmitAsyncDone},
    {.name = "async_start",
     .form = {.sample = "(`%operand`) ({\n"
                        "^bb0(`%arg`: tensor<f32>):\n"
                        "  `%result` = \"stablehlo.collective_permute\"(`%arg`) "
                        "<{source_target_pairs = dense<[[`0, 0`]]> : tensor<1x2xi64>}> : "
                        "(tensor<f32>) -> tensor<f32>\n"
                        "  stablehlo.return `%result` : tensor<f32>\n"
                        "}) : (tensor<f32>) -> !stablehlo.future<tensor<f32>>"},
     .emit = EmitAsyncStart},
};

}  // namespace

std::span<const OpRow> AsyncRows() { return kAsyncRows; }

}  // namespace hlo::mlir
