// Calls of computations and of code outside the program.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/base/characters.h"
#include "engine/mlir/ops/call_layouts.h"
#include "engine/mlir/ops/families.h"
#include "engine/mlir/text/mlir_text.h"
#include "engine/ops/custom_calls/custom_call_targets.h"

namespace hlo::mlir {

std::string Quoted(std::string_view text) {
  std::string quoted;
  AppendQuoted(text, &quoted);
  return quoted;
}

// `@f, @g`: some of the functions that an op calls.
std::string Symbols(OpExport& op, const std::vector<const hlo::Region*>& called, size_t begin,
                    size_t end) {
  std::string names;
  for (size_t i = begin; i < end; ++i) {
    fmt::format_to(std::back_inserter(names), "{}@{}", names.empty() ? "" : ", ",
                   op.FunctionName(*AsComputation(called[i])));
  }
  return names;
}

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

void EmitCall(OpImport& op) { EmitCallOf(op, op.Find({"callee"}), {}); }

// `namespace.name`, with any number of further parts. Source: StableHLO, TypeInference.cpp,
// verifyCompositeOp.
bool IsCompositeName(std::string_view name) {
  size_t dots = 0;
  bool is_part_empty = true;
  for (char c : name) {
    const bool is_dot = c == '.';
    if (is_dot ? is_part_empty : !IsNameStart(c) && !IsDigit(c) && !(c == '$' && dots > 0)) {
      return false;
    }
    dots += is_dot;
    is_part_empty = is_dot;
  }
  return dots > 0 && !is_part_empty && IsLetter(name[0]);
}

void EmitComposite(OpImport& op) {
  if (!IsCompositeName(op.StringOf({"name"}))) {
    op.Fail(DiagCode::kAttributeValue,
            "name must be a valid namespaced op name, such as \"my_namespace.my_op\"");
  }
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
             {{"is_composite", true}, {"frontend_attributes", keys}});
}

// A call that XLA may replace by an implementation of its own.
void WriteComposite(OpExport& op, const KeyValues& keys, const std::string& name) {
  if (!IsCompositeName(name)) op.NoCounterpart("a composite without a namespace");
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

}  // namespace

void WriteCall(OpExport& op) {
  const KeyValues& keys = op.call().Keys("frontend_attributes");
  const std::string* name = FindValue(keys, "composite.name");
  if (op.call().Bool("is_composite") && name) return WriteComposite(op, keys, *name);
  op.Set(op.WriteCall(op.Region("to_apply"), op.Operands()));
}

namespace {

// Ops that StableHLO does not have are written as `custom_call @mhlo.topk(...) {mhlo.attributes =
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

// The latest api_version, of calls that take a dictionary for a backend_config.
constexpr int64_t kTypedVersion = 4;

// Source: StableHLO, StablehloOps.cpp, CustomCallOp::verify.
void CheckBackendConfig(OpImport& op) {
  const Attr* config = op.Find({"backend_config"});
  const bool is_typed = op.Int({"api_version"}) == kTypedVersion;
  if (!config || config->kind != (is_typed ? Attr::Kind::kString : Attr::Kind::kDict)) return;
  op.Fail(DiagCode::kAttributeValue,
          is_typed ? "unsupported user-encoded backend config, backend config must be a dictionary "
                     "attribute."
                   : "unsupported dictionary attribute backend config, backend config must be a "
                     "user-encoded string attribute.",
          config->range);
}

void EmitCustomCall(OpImport& op) {
  CheckBackendConfig(op);
  const Attr* target = op.Find({"callee", "call_target_name"});
  if (!target) {
    op.Fail(DiagCode::kAttributeMissing, "the target's name is missing");
    return;
  }
  if (target->text.starts_with("check.")) {
    EmitExpect(op, std::string(target->text), op.operands);
    // A check that does not hold fails the run.
    if (op.result_count() == 1) op.Result(op.Constant(Tensor::Scalar<bool>(true)));
    return;
  }
  if (target->text == "ragged_all_to_all") return EmitRaggedAllToAll(op);
  if (EmitDynamicCall(op, target->text)) return;
  if (EmitWrapped(op, target->text)) return;
  auto results = op.AllResults();
  if (!results) return;
  Attrs attrs = {{"custom_call_target", Unescaped(target->text)},
                 {"custom_call_has_side_effect", op.Bool({"has_side_effect"})}};
  if (!ReadCallLayouts(op, &*results, &attrs)) return;
  const Attr* config = op.Find({"backend_config", "mhlo.backend_config"});
  if (config && config->kind == Attr::Kind::kString) {
    attrs.Add({"backend_config", op.StringOf({"backend_config", "mhlo.backend_config"})});
  } else if (config) {
    // A dictionary is kept verbatim.
    attrs.Add({"backend_config", std::string(op.TextOf(*config))});
  }
  const int64_t version = op.Int({"api_version"});
  if (version > 1 && version <= kTypedVersion) attrs.Add({"api_version", version - 1});
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
  if (target.starts_with("chlo.") && FindForm(target) && FindTarget(MathTargets(), target)) {
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
  if (version > 0) add(fmt::format("api_version = {} : i32", version + 1));
  if (const std::string& config = call.String("backend_config"); !config.empty()) {
    // A typed call has a dictionary, whose text HLO keeps.
    const bool is_typed = version + 1 == kTypedVersion;
    const bool is_dict = is_typed && config.starts_with('{');
    if (is_typed && !is_dict) {
      return op.NoCounterpart("a typed call whose backend_config is no dictionary");
    }
    add("backend_config = " + (is_dict ? config : Quoted(config)));
  }
  if (const auto& called = call.Regions("called_computations"); !called.empty()) {
    add("called_computations = [" + Symbols(op, called, 0, called.size()) + "]");
  }
  if (call.Bool("custom_call_has_side_effect")) add("has_side_effect = true");
  attrs += CallLayoutsText(op);
  op.Set(op.Write({"stablehlo.custom_call", std::move(attrs)}, operands));
}

// Whether what enters or leaves a manual computation is the same inside of it and outside.
bool IsWholeShare(OpImport& op, const Shape& share, const Shape& whole, Range range = {}) {
  if (Shape::Compatible(share, whole)) return true;
  return op.Fail(DiagCode::kShapeMismatch,
                 fmt::format("a device's share is {}, and the whole {}: XLA's partitioner takes "
                             "such programs apart before anything runs, and this engine runs them "
                             "as they are",
                             TypeText(share), TypeText(whole)),
                 range);
}

}  // namespace

// Shardy's ops describe where values lie; in a program for one device they are the identity. Those
// that give a value a sharding are instructions that have it, as XLA writes them. A manual
// computation is its body, provided that a device's share is the whole array.
void EmitShardy(OpImport& op) {
  if (op.op().regions.empty()) {
    if (op.result_count() != 1 || !op.Expect(1)) return;
    Instruction* const value = op.operands[0];
    if (!IsSharder(op.op().name)) return op.Result(value);
    return op.Result(op.Emit(Opcode::kCustomCall, {value}, {{"custom_call_target", "Sharding"}},
                             &value->shape()));
  }
  const std::vector<Block::Argument>& arguments = op.op().regions[0].blocks[0].arguments;
  if (!op.Expect(arguments.size())) return;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Block::Argument& argument = arguments[i];
    if (!IsWholeShare(op, argument.type->shape, op.operands[i]->shape(), argument.range)) return;
  }
  const auto results = op.Inline(0);
  if (!results) return;
  for (size_t i = 0; i < results->size(); ++i) {
    const Type* whole = op.ResultType(i);
    if (!(*results)[i] || !whole || whole->kind != Type::Kind::kShape) continue;
    if (!IsWholeShare(op, (*results)[i]->shape(), whole->shape)) return;
  }
  op.Results(*results);
}

namespace {

constexpr OpRow kCallRows[] = {
    {.name = "call",
     .opcode = Opcode::kCall,
     .form = {.sample = " @`callee`(`%operand`) : (tensor<f32>) -> tensor<f32>",
              .print = PrintCall},
     .emit = EmitCall,
     .write = WriteCall,
     .mixing = Mixing::kAny,
     .quantized = Quantized::kStored},
    {.name = "composite",
     .form = {.defaults = "composite_attributes={};version=0",
              .sample = " \"my.`name`\" `%operand` {decomposition = @`callee`} : (tensor<f32>) -> "
                        "tensor<f32>",
              .print = PrintComposite},
     .emit = EmitComposite,
     .quantized = Quantized::kStored},
    {.name = "custom_call",
     .opcode = Opcode::kCustomCall,
     .form = {.defaults = "api_version=1;called_computations=[];has_side_effect=false;"
                          "output_operand_aliases=[]",
              .sample = " @`target`(`%operand`) : (tensor<f32>) -> tensor<f32>",
              .print = PrintCustomCall},
     .emit = EmitCustomCall,
     .write = WriteCustomCall,
     .mixing = Mixing::kAny,
     .quantized = Quantized::kStored,
     .is_like_operand = true},
    {.name = "func.call",
     .opcode = Opcode::kCall,
     .form = {.sample = " @`callee`(`%operand`) : (tensor<f32>) -> tensor<f32>",
              .print = PrintCall},
     .emit = EmitCall,
     .write = nullptr,
     .quantized = Quantized::kStored},
};

}  // namespace

std::span<const OpRow> CallRows() { return kCallRows; }

}  // namespace hlo::mlir
