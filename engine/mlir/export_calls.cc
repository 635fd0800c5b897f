// Calls of computations and of what is outside.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "engine/mlir/export_rows.h"
#include "engine/mlir/op_forms.h"
#include "engine/ops/custom_call_targets.h"

namespace hlo::mlir {
namespace {

std::string Quoted(std::string_view text) {
  std::string quoted;
  AppendQuoted(text, &quoted);
  return quoted;
}

// A call that XLA may replace by an implementation of its own.
void WriteComposite(OpExport& op, const KeyValues& keys, const std::string& name) {
  std::string text = "name = " + Quoted(name);
  if (const std::string* attrs = FindValue(keys, "composite.attributes");
      attrs && attrs->starts_with('{')) {
    text += ", composite_attributes = " + *attrs;
  }
  text += fmt::format(", decomposition = @{}", op.FunctionName(op.Region("to_apply")));
  if (const std::string* version = FindValue(keys, "composite.version")) {
    text += ", version = " + *version + " : i32";
  }
  op.Set(op.Write({"stablehlo.composite", std::move(text)}, op.Operands()));
}

// `@f, @g` of some of the functions that an op calls.
std::string Symbols(OpExport& op, const std::vector<const hlo::Region*>& called, size_t begin,
                    size_t end) {
  std::string names;
  for (size_t i = begin; i < end; ++i) {
    fmt::format_to(std::back_inserter(names), "{}@{}", names.empty() ? "" : ", ",
                   op.FunctionName(*AsComputation(called[i])));
  }
  return names;
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

// What the importer made calls of: the ops of the check and interpreter dialects.
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

}  // namespace

void WriteCall(OpExport& op) {
  const KeyValues& keys = op.call().Keys("frontend_attributes");
  const std::string* name = FindValue(keys, "composite.name");
  if (op.call().Bool("is_composite") && name) return WriteComposite(op, keys, *name);
  op.Set(op.WriteCall(op.Region("to_apply"), op.Operands()));
}

// A fusion may have operands that its computation does not take.
void WriteFusion(OpExport& op) {
  const Computation& fused = op.Region("calls");
  op.Set(op.WriteCall(fused, op.Operands(0, fused.parameter_count())));
}

// The computation that was to run meanwhile runs here, with all operands that it got on the way.
void WriteAsyncDone(OpExport& op) {
  std::vector<const Instruction*> chain;
  for (const Instruction* at = op.op().operand(0);; at = at->operand(0)) {
    chain.push_back(at);
    if (at->opcode() != Opcode::kAsyncUpdate) break;
  }
  const hlo::Region* called = chain.back()->Call().GetRegion("calls");
  std::vector<Leaves> arguments;
  for (size_t i = chain.size(); i-- > 0;) {
    const bool is_start = chain[i]->opcode() == Opcode::kAsyncStart;
    for (int k = is_start ? 0 : 1; k < chain[i]->operand_count(); ++k) {
      arguments.push_back(op.ValueOf(*chain[i]->operand(k)));
    }
  }
  if (!called || static_cast<int>(arguments.size()) != called->parameter_count()) {
    return op.NoCounterpart("a computation that does not get its operands");
  }
  op.Set(op.WriteInline(*AsComputation(called), std::move(arguments)));
}

void WriteCustomCall(OpExport& op) {
  const OpCall& call = op.call();
  const std::string& target = call.String("custom_call_target");
  for (std::string_view name : {"window", "dim_labels", "literal", "to_apply"}) {
    if (!call.Has(name)) continue;
    return op.NoCounterpart(fmt::format("a custom call with {}", name));
  }
  if ((target.starts_with("check.") || target.starts_with("interpreter.")) && FindForm(target)) {
    return WriteTarget(op, target);
  }
  if (target.starts_with("chlo.") && FindForm(target) && FindBuiltIn(target)) {
    return op.Set(op.Write({target}, op.Operands()));
  }
  Leaves operands;
  for (int i = 0; i < op.op().operand_count(); ++i) {
    const Shape& shape = op.op().operand(i)->shape();
    operands.push_back(shape.IsTuple() ? op.Tuple(shape, op.Operand(i)) : op.In(i));
  }
  std::string attrs = "call_target_name = " + Quoted(target);
  const auto add = [&](const std::string& attr) { attrs += ", " + attr; };
  const int64_t version = call.Word("api_version");
  // A typed call has a dictionary, whose text HLO keeps.
  constexpr int64_t kTyped = 3;
  if (version > 0) add(fmt::format("api_version = {} : i32", version + 1));
  if (const std::string& config = call.String("backend_config"); !config.empty()) {
    const bool is_dict = version == kTyped && config.starts_with('{');
    add("backend_config = " + (is_dict ? config : Quoted(config)));
  }
  if (const auto& called = call.Regions("called_computations"); !called.empty()) {
    add("called_computations = [" + Symbols(op, called, 0, called.size()) + "]");
  }
  if (call.Bool("custom_call_has_side_effect")) add("has_side_effect = true");
  op.Set(op.Write({"stablehlo.custom_call", std::move(attrs)}, operands));
}

}  // namespace hlo::mlir
