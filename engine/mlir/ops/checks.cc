// Checks of values in tests, and the ops of StableHLO's interpreter dialect.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "engine/mlir/ops/families.h"

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
          {{"custom_call_target", target},
           {"custom_call_has_side_effect", true},
           {"backend_config", config}},
          &none, "check");
}

namespace {

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

Instruction* EmitTarget(OpImport& op, const Values& operands, std::string config,
                        const Shape& written) {
  return op.Emit(Opcode::kCustomCall, operands,
                 {{"custom_call_target", op.row().name},
                  {"custom_call_has_side_effect", true},
                  {"backend_config", config}},
                 &written);
}

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

bool AddCallee(OpImport& op, const Attr& symbol, std::vector<const hlo::Region*>& out) {
  const Computation* function = op.Program(symbol.text, symbol.range);
  if (function) out.push_back(function);
  return function != nullptr;
}

// One row of `programs` per replica, one column per partition: the operands are those of all
// programs concatenated, and so are the results.
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

// One setting of a configuration: `name=value;`. An `id` goes to the end.
std::string_view Setting(std::string_view config, std::string_view name) {
  const size_t at = config.find(fmt::format("{}=", name));
  if (at == std::string_view::npos) return {};
  config.remove_prefix(at + name.size() + 1);
  return name == "id" ? config : config.substr(0, config.find(';'));
}

// A row of functions for each replica, and those that feed it.
std::string ProgramAttrs(OpExport& op, std::string_view config) {
  const auto& called = op.call().Regions("called_computations");
  const size_t partitions =
      std::max(std::atoi(std::string(Setting(config, "partitions")).c_str()), 1);
  const size_t replicas = std::max(std::atoi(std::string(Setting(config, "replicas")).c_str()), 1);
  const size_t count = std::min(partitions * replicas, called.size());
  std::string rows;
  for (size_t i = 0; i + partitions <= count; i += partitions) {
    rows += fmt::format("{}[{}]", rows.empty() ? "" : ", ", Symbols(op, called, i, i + partitions));
  }
  std::string text = "programs = [" + rows + "]";
  if (called.size() > count) {
    text += ", infeed = [" + Symbols(op, called, count, called.size()) + "]";
  }
  return text;
}

}  // namespace

// Custom calls that the importer made, as ops of the check and interpreter dialects again.
void WriteTarget(OpExport& op, const std::string& target) {
  const std::string& config = op.call().String("backend_config");
  std::string attrs;
  const auto add = [&](std::string_view name, std::string_view value, std::string_view type) {
    if (value.empty()) return;
    attrs += fmt::format("{}{} = {}{}", attrs.empty() ? "" : ", ", name, value, type);
  };
  add("tolerance", Setting(config, "tolerance"), " : f64");
  add("max_ulp_difference", Setting(config, "max_ulp_difference"), " : ui64");
  add("min_ulp_difference", Setting(config, "min_ulp_difference"), " : ui64");
  if (target == "interpreter.run_parallel") {
    attrs = ProgramAttrs(op, config);
  } else if (target != "interpreter.print" && config.find("id=") != std::string::npos) {
    add("probe_id", Quoted(Setting(config, "id")), "");
    add("iter", Setting(config.substr(0, config.find("id=")), "iter"), " : ui32");
  }
  op.Set(op.Write({target, std::move(attrs)}, op.Operands()));
}

namespace {

constexpr OpRow kCheckRows[] = {
    {.name = "check.expect_almost_eq",
     .form = {.layout = "%0, %1?, tolerance = @tolerance?",
              .types = TypeForm::kFirst,
              .has_results = false},
     .emit = EmitCheck},
    {.name = "check.expect_almost_eq_const",
     .form = {.layout = "%0, @value",
              .types = TypeForm::kNone,
              .has_results = false,
              .items = "tolerance",  // as some of StableHLO's tests write it
              .sample = " `%operand`, dense<`0.0`> : tensor<f32>"},
     .emit = EmitCheckConst},
    {.name = "check.expect_close",
     .form = {.layout = "%0, %1?, max_ulp_difference = @max_ulp_difference??, min_ulp_difference = "
                        "@min_ulp_difference?",
              .types = TypeForm::kOperands,
              .has_results = false},
     .emit = EmitCheck},
    {.name = "check.expect_eq",
     .form = {.layout = "%0, %1", .types = TypeForm::kFirst, .has_results = false},
     .emit = EmitCheck},
    {.name = "check.expect_eq_const",
     .form = {.layout = "%0, @value",
              .types = TypeForm::kNone,
              .has_results = false,
              .sample = " `%operand`, dense<`0`> : tensor<i32>"},
     .emit = EmitCheckConst},
    {.name = "check.expect_serialized_eq",
     .form = {.layout = "%0, probe_id = @probe_id?, iter = @iter?",
              .types = TypeForm::kFirst,
              .has_results = false,
              .sample = " `%operand`, probe_id = \"`probe`\" : tensor<f32>"},
     .emit = EmitCheckSerialized},
    {.name = "interpreter.print",
     .form = {.layout = "%0", .types = TypeForm::kFirst, .has_results = false},
     .emit = EmitPrint},
    {.name = "interpreter.probe",
     .form = {.layout = "%0, probe_id = @probe_id",
              .types = TypeForm::kFirst,
              .sample = " `%operand`, probe_id = \"`probe`\" : tensor<f32>"},
     .emit = EmitProbe},
    {.name = "interpreter.run_parallel",
     .form = {.inherent = "infeed programs",
              .sample = "(`%operand`) <{programs = [[@`callee`]]}> : (tensor<f32>) -> "
                        "tensor<f32>"},
     .emit = EmitRunParallel},
};

}  // namespace

std::span<const OpRow> CheckRows() { return kCheckRows; }

}  // namespace hlo::mlir
