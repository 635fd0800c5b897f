// Calls, custom calls, and what tests say about values.
#include <fmt/format.h>

#include "engine/mlir/op_rows.h"

namespace hlo::mlir {
namespace {

void EmitCallOf(OpImport& op, const Attr* callee, Attrs attrs) {
  if (!callee) {
    op.Fail(DiagCode::kAttributeMissing, "the function's name is missing");
    return;
  }
  Computation* function = op.Function(callee->text, callee->range);
  if (!function) return;
  attrs.Add({"to_apply", static_cast<const hlo::Region*>(function)});
  op.SplitResult(op.Emit(Opcode::kCall, op.operands, std::move(attrs)));
}

// A custom-call without a result whose target judges its operands.
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

}  // namespace

void EmitCall(OpImport& op) { EmitCallOf(op, op.Find({"callee"}), {}); }

void EmitComposite(OpImport& op) {
  KeyValues keys;
  const auto add = [&](std::string_view key, std::string_view attr) {
    if (op.Find({attr})) keys.push_back({std::string(key), op.StringOf({attr}), false});
  };
  // In the order in which XLA has them.
  add("composite.attributes", "composite_attributes");
  add("composite.name", "name");
  if (op.Find({"version"})) {
    keys.push_back({"composite.version", std::to_string(op.Int({"version"})), false});
  }
  EmitCallOf(op, op.Find({"decomposition"}),
             {{"is_composite", true}, {"frontend_attributes", std::move(keys)}});
}

void EmitCustomCall(OpImport& op) {
  const Attr* target = op.Find({"callee", "call_target_name"});
  if (!target) {
    op.Fail(DiagCode::kAttributeMissing, "the target's name is missing");
    return;
  }
  if (target->text.starts_with("check.")) {
    EmitExpect(op, std::string(target->text), op.operands);
    // The run ends where a check does not hold.
    if (op.result_count() == 1) op.Result(op.Constant(Tensor::Scalar<bool>(true)));
    return;
  }
  if (target->text == "ragged_all_to_all") return EmitRaggedAllToAll(op);
  if (EmitDynamicCall(op, target->text)) return;
  const auto results = op.AllResults();
  if (!results) return;
  Attrs attrs = {{"custom_call_target", Unescaped(target->text)},
                 {"custom_call_has_side_effect", op.Bool({"has_side_effect"})}};
  if (const std::string config = op.StringOf({"backend_config"}); !config.empty()) {
    attrs.Add({"backend_config", config});
  }
  constexpr int64_t kVersions = 4;
  const int64_t version = op.Int({"api_version"});
  if (version > 1 && version <= kVersions) attrs.Add({"api_version", version - 1});
  if (const Attr* called = op.Find({"called_computations"})) {
    std::vector<const hlo::Region*> regions;
    for (const Attr& name : called->list) {
      regions.push_back(op.Function(name.text, name.range));
      if (!regions.back()) return;
    }
    if (!regions.empty()) attrs.Add({"called_computations", regions});
  }
  op.SplitResult(op.Emit(Opcode::kCustomCall, op.operands, std::move(attrs), &*results));
}

// The engine has these functions as targets of custom-call.
void EmitChlo(OpImport& op) {
  const auto results = op.AllResults();
  if (!results) return;
  op.SplitResult(op.Emit(Opcode::kCustomCall, op.operands,
                         {{"custom_call_target", std::string(op.row().name)}}, &*results));
}

void EmitTopK(OpImport& op) {
  op.SplitResult(op.Emit(Opcode::kTopk, op.operands, {{"k", op.Int({"k"})}, {"largest", true}}));
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

void EmitProbe(OpImport& op) { op.Result(op.Emit(Opcode::kCopy, op.operands)); }

void EmitNothing(OpImport&) {}

}  // namespace hlo::mlir
