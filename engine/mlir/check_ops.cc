// What tests say about values, and what they ask of StableHLO's interpreter.
#include <fmt/format.h>

#include "engine/mlir/op_rows.h"

namespace hlo::mlir {

void EmitExpect(OpImport& op, std::string target, const Values& operands) {
  std::string config;
  for (std::string_view name : {"tolerance", "max_ulp_difference", "min_ulp_difference"}) {
    const Attr* attr = op.Find({name});
    if (!attr) continue;
    // Numbers of ulps are unsigned.
    config += attr->kind == Attr::Kind::kInt
                  ? fmt::format("{}={};", name, static_cast<uint64_t>(attr->integer))
                  : fmt::format("{}={};", name, attr->number);
  }
  const Shape none = Shape::Tuple({});
  op.Emit(Opcode::kCustomCall, operands,
          {{"custom_call_target", std::move(target)},
           {"custom_call_has_side_effect", true},
           {"backend_config", std::move(config)}},
          &none, "check");
}

void EmitCheck(OpImport& op) {
  if (op.Expect(2)) EmitExpect(op, std::string(op.row().name), op.operands);
}

void EmitCheckConst(OpImport& op) {
  const Attr* value = op.Find({"value"});
  if (!op.Expect(1) || !value) {
    op.Fail(DiagCode::kAttributeMissing, "the expected value is missing");
    return;
  }
  const Shape shape = op.operands[0]->shape();
  auto expected = op.Dense(*value, &shape);
  if (!expected) return;
  std::string_view name = op.row().name;
  name.remove_suffix(std::string_view("_const").size());
  EmitExpect(op, std::string(name), {op.operands[0], op.Constant(std::move(*expected))});
}

namespace {

Instruction* EmitTarget(OpImport& op, const Values& operands, std::string config,
                        const Shape& written) {
  return op.Emit(Opcode::kCustomCall, operands,
                 {{"custom_call_target", op.row().name},
                  {"custom_call_has_side_effect", true},
                  {"backend_config", std::move(config)}},
                 &written);
}

}  // namespace

void EmitProbe(OpImport& op) {
  const auto id = op.Expect(1) ? op.NeededString("probe_id") : std::nullopt;
  if (!id) return;
  const Shape shape = op.operands[0]->shape();
  op.Result(EmitTarget(op, op.operands, fmt::format("id={}", *id), shape));
}

void EmitPrint(OpImport& op) {
  if (!op.Expect(1)) return;
  const ValueName& name = op.op().operands[0];
  EmitTarget(op, op.operands, fmt::format("id=%{}", name.name), Shape::Tuple({}));
}

void EmitCheckSerialized(OpImport& op) {
  const auto id = op.Expect(1) ? op.NeededString("probe_id") : std::nullopt;
  if (!id) return;
  EmitTarget(op, op.operands, fmt::format("iter={};id={}", op.Int({"iter"}), *id),
             Shape::Tuple({}));
}

namespace {

bool AddCallee(OpImport& op, const Attr& symbol, std::vector<const hlo::Region*>& out) {
  const Computation* function = op.Program(symbol.text, symbol.range);
  if (function) out.push_back(function);
  return function != nullptr;
}

}  // namespace

// A row of `programs` for each replica, a column for each partition: the operands are those of all
// programs one after another, and so are the results.
void EmitRunParallel(OpImport& op) {
  const Attr* programs = op.Find({"programs"});
  if (!programs || programs->list.empty() || programs->list[0].list.empty()) {
    op.Fail(DiagCode::kAttributeMissing, "expects programs = [[@function, ...], ...]");
    return;
  }
  std::vector<const hlo::Region*> regions;
  const size_t partitions = programs->list[0].list.size();
  for (const Attr& row : programs->list) {
    if (row.list.size() != partitions) {
      op.Fail(DiagCode::kAttributeValue,
              fmt::format("every replica has {} partitions, but one has {}", partitions,
                          row.list.size()),
              row.range);
      return;
    }
    for (const Attr& symbol : row.list) {
      if (!AddCallee(op, symbol, regions)) return;
    }
  }
  size_t operands = 0;
  for (const hlo::Region* region : regions) {
    operands += static_cast<size_t>(region->parameter_count());
  }
  if (!op.Expect(operands)) return;
  if (const Attr* infeed = op.Find({"infeed"})) {
    for (const Attr& symbol : infeed->list) {
      if (!AddCallee(op, symbol, regions)) return;
    }
  }
  const auto results = op.AllResults();
  if (!results) return;
  op.SplitResult(op.Emit(Opcode::kCustomCall, op.operands,
                         {{"custom_call_target", op.row().name},
                          {"custom_call_has_side_effect", true},
                          {"called_computations", regions},
                          {"backend_config", fmt::format("replicas={};partitions={}",
                                                         programs->list.size(), partitions)}},
                         &*results));
}

}  // namespace hlo::mlir
