// Calls and custom calls.
#include <fmt/format.h>

#include <algorithm>

#include "engine/mlir/mlir_text.h"
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

// Ops that StableHLO does not have stand as `custom_call @mhlo.topk(...) {mhlo.attributes =
// {...}}`.
bool EmitWrapped(OpImport& op, std::string_view target) {
  const Attr* attrs = op.Find({"mhlo.attributes"});
  const OpRow* row = attrs ? FindRow(target) : nullptr;
  if (!row) return false;
  Op inner = op.op();
  inner.attrs.insert(inner.attrs.end(), attrs->fields.begin(), attrs->fields.end());
  op.EmitAs(inner, *row);
  return true;
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

namespace {

// `operand_layouts` and `result_layouts`: an order of dimensions for each value, or neither.
bool HasLayouts(OpImport& op) {
  const Attr* of_operands = op.Find({"operand_layouts"});
  const Attr* of_results = op.Find({"result_layouts"});
  if (!of_operands != !of_results) {
    return op.Fail(DiagCode::kAttributeMissing,
                   "Layout attributes should be specified for either both operands and results or "
                   "none");
  }
  if (!of_operands) return true;
  if (of_operands->list.size() != op.operands.size()) {
    return op.Fail(DiagCode::kAttributeValue,
                   fmt::format("Number of operands must match the number of operand layouts, {} != "
                               "{}",
                               op.operands.size(), of_operands->list.size()),
                   of_operands->range);
  }
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const Shape& shape = op.operands[i]->shape();
    Dims order = op.IntsOf(&of_operands->list[i]);
    if (!shape.IsArray()) continue;
    const std::string text = fmt::format("dense<[{}]>", fmt::join(order, ", "));
    std::sort(order.begin(), order.end());
    bool is_order = static_cast<int64_t>(order.size()) == shape.rank();
    for (size_t k = 0; is_order && k < order.size(); ++k) {
      is_order = order[k] == static_cast<int64_t>(k);
    }
    if (is_order) continue;
    return op.Fail(DiagCode::kAttributeValue,
                   fmt::format("incorrect layout {} for type '{}', layout must be a permutation of "
                               "[0, {})",
                               text, TypeText(shape), shape.rank()),
                   of_operands->list[i].range);
  }
  return true;
}

}  // namespace

void EmitCustomCall(OpImport& op) {
  const Attr* target = op.Find({"callee", "call_target_name"});
  if (!target) {
    op.Fail(DiagCode::kAttributeMissing, "the target's name is missing");
    return;
  }
  if (!HasLayouts(op)) return;
  if (target->text.starts_with("check.")) {
    EmitExpect(op, std::string(target->text), op.operands);
    // A check that does not hold fails the run.
    if (op.result_count() == 1) op.Result(op.Constant(Tensor::Scalar<bool>(true)));
    return;
  }
  if (target->text == "ragged_all_to_all") return EmitRaggedAllToAll(op);
  if (EmitDynamicCall(op, target->text)) return;
  if (EmitWrapped(op, target->text)) return;
  const auto results = op.AllResults();
  if (!results) return;
  Attrs attrs = {{"custom_call_target", Unescaped(target->text)},
                 {"custom_call_has_side_effect", op.Bool({"has_side_effect"})}};
  const Attr* config = op.Find({"backend_config", "mhlo.backend_config"});
  if (config && config->kind == Attr::Kind::kString) {
    attrs.Add({"backend_config", op.StringOf({"backend_config", "mhlo.backend_config"})});
  } else if (config) {
    // A dictionary is given as it is written.
    attrs.Add({"backend_config", std::string(op.TextOf(*config))});
  }
  constexpr int64_t kVersions = 4;
  const int64_t version = op.Int({"api_version"});
  if (version > 1 && version <= kVersions) attrs.Add({"api_version", version - 1});
  if (const Attr* called = op.Find({"called_computations"})) {
    std::vector<const hlo::Region*> regions;
    for (const Attr& name : called->list) {
      regions.push_back(op.Program(name.text, name.range));
      if (!regions.back()) return;
    }
    if (!regions.empty()) attrs.Add({"called_computations", regions});
  }
  op.SplitResult(op.Emit(Opcode::kCustomCall, op.operands, std::move(attrs), &*results));
}

// Shardy's ops say where values lie; as a program on one device they are the values themselves. A
// computation by hand is its body, where a device's share is the whole.
void EmitShardy(OpImport& op) {
  if (op.op().regions.empty()) {
    if (op.result_count() == 1 && op.Expect(1)) op.Result(op.operands[0]);
    return;
  }
  const std::vector<Block::Argument>& arguments = op.op().regions[0].blocks[0].arguments;
  if (!op.Expect(arguments.size())) return;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Shape& whole = op.operands[i]->shape();
    if (arguments[i].type->kind == Type::Kind::kShape &&
        Shape::Compatible(arguments[i].type->shape, whole)) {
      continue;
    }
    op.Fail(DiagCode::kShapeMismatch,
            fmt::format("a device's share is {}, and the whole {}: XLA's partitioner takes such "
                        "programs apart before anything runs, and this engine runs them as they "
                        "are",
                        arguments[i].type->text, ShapeName(whole)),
            arguments[i].range);
    return;
  }
  if (auto results = op.Inline(0)) op.Results(std::move(*results));
}

}  // namespace hlo::mlir
