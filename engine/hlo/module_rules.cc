// Rules about computations, shardings and the module header.
// Source: reference/hlo-text.md section 11.8.
#include <fmt/format.h>

#include <algorithm>

#include "engine/hlo/verifier_rules.h"
#include "engine/ops/aliases.h"
#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

// ---- Computations -------------------------------------------------------------------------------

void CheckParameters(const Computation& computation, Diagnostics& out) {
  for (size_t i = 0; i < computation.parameters().size(); ++i) {
    if (computation.parameters()[i]) continue;
    out.Report(DiagCode::kParameterNumber, computation.name_range(),
               fmt::format("{} has no parameter {}, but {} parameters", computation.name(), i,
                           computation.parameters().size()));
  }
}

/// Ops that run their computation as a part of the program, rather than hand it to a kernel.
bool RunsInline(Opcode opcode) {
  return opcode == Opcode::kWhile || opcode == Opcode::kConditional || opcode == Opcode::kCall ||
         opcode == Opcode::kFusion;
}

void CheckThread(const Instruction& caller, const Attr& attr, const Computation& callee,
                 Diagnostics& out) {
  std::string_view outer = caller.parent()->execution_thread();
  std::string_view inner = callee.execution_thread();
  // A computation that names no thread runs on its caller's.
  if (outer == inner || inner == "main" || caller.opcode() == Opcode::kAsyncStart ||
      caller.opcode() == Opcode::kAsyncUpdate || caller.opcode() == Opcode::kAsyncDone) {
    return;
  }
  std::string message =
      RunsInline(caller.opcode())
          ? fmt::format(
                "{} expects parent computation thread name same as called computation's "
                "thread name ({} vs {})",
                caller.name(), outer, inner)
          : fmt::format("{} {} computation execution thread does not match ({} vs {})",
                        caller.name(), attr.def->name, inner, outer);
  out.Report(DiagCode::kVerifierRule, attr.range, std::move(message));
}

void CheckThreads(const Instruction& caller, Diagnostics& out) {
  for (const Attr& attr : caller.attrs()) {
    if (const auto* region = std::get_if<const Region*>(&attr.value)) {
      CheckThread(caller, attr, static_cast<const Computation&>(**region), out);
    } else if (const auto* regions = std::get_if<std::vector<const Region*>>(&attr.value)) {
      for (const Region* one : *regions) {
        CheckThread(caller, attr, static_cast<const Computation&>(*one), out);
      }
    }
  }
}

// ---- Shardings ----------------------------------------------------------------------------------

const Attr* ShardingOf(const Instruction* i) {
  return i ? FindAttr(i->attrs(), "sharding") : nullptr;
}

/// All of these that have a sharding have one and the same.
void CheckSameSharding(const Instruction& op, std::string_view word,
                       const std::vector<const Instruction*>& related, Diagnostics& out) {
  const Attr* first = nullptr;
  for (const Instruction* i : related) {
    const Attr* sharding = ShardingOf(i);
    if (!sharding) continue;
    if (!first) first = sharding;
    if (std::get<std::string>(sharding->value) == std::get<std::string>(first->value)) continue;
    out.Report(DiagCode::kShardingInvalid, sharding->range,
               fmt::format("Inconsistent {} sharding among instructions of {}: {} and {}", word,
                           op.name(), std::get<std::string>(first->value),
                           std::get<std::string>(sharding->value)))
        .notes.push_back({first->range, "the other sharding"});
    return;
  }
}

const Instruction* OnlyParameter(const Computation* computation) {
  return computation && computation->parameter_count() == 1 ? computation->parameters()[0]
                                                            : nullptr;
}

void CheckShardings(const Instruction& op, Diagnostics& out) {
  std::vector<const Instruction*> related = {&op};
  if (op.opcode() == Opcode::kWhile) {
    const Computation* body = CalledBy(op, "body");
    if (body) related.push_back(body->root());
    related.push_back(OnlyParameter(body));
    related.push_back(OnlyParameter(CalledBy(op, "condition")));
    CheckSameSharding(op, "while", related, out);
    return;
  }
  for (const Attr& attr : op.attrs()) {
    if (const auto* region = std::get_if<const Region*>(&attr.value)) {
      related.push_back(static_cast<const Computation*>(*region)->root());
    } else if (const auto* regions = std::get_if<std::vector<const Region*>>(&attr.value)) {
      for (const Region* one : *regions) {
        related.push_back(static_cast<const Computation*>(one)->root());
      }
    }
  }
  CheckSameSharding(op, "conditional", related, out);
}

// ---- Header -------------------------------------------------------------------------------------

void CheckEntryLayout(const Attr& attr, const Computation& entry, Diagnostics& out) {
  const auto& layout = std::get<ProgramShape>(attr.value);
  auto report = [&](std::string message) {
    out.Report(DiagCode::kHeaderAttribute, attr.range, std::move(message));
  };
  if (static_cast<int>(layout.parameters.size()) != entry.parameter_count()) {
    report(fmt::format("entry_computation_layout has {} parameters, but {} has {}",
                       layout.parameters.size(), entry.name(), entry.parameter_count()));
    return;
  }
  for (int i = 0; i < entry.parameter_count(); ++i) {
    const Shape& shape = layout.parameters[static_cast<size_t>(i)];
    if (Shape::Compatible(shape, entry.parameter_shape(i))) continue;
    report(fmt::format("entry_computation_layout says parameter {} is {}, but it is {}", i,
                       ShapeName(shape), ShapeName(entry.parameter_shape(i))));
  }
  if (Shape::Compatible(layout.result, entry.result_shape())) return;
  report(fmt::format("entry_computation_layout says the result is {}, but it is {}",
                     ShapeName(layout.result), ShapeName(entry.result_shape())));
}

/// Result and parameter of an alias are one buffer: of one shape, and in one memory.
void CheckAlias(const Attr& attr, const Alias& alias, const ProgramShape& layout,
                Diagnostics& out) {
  if (alias.operand < 0 || alias.operand >= static_cast<int64_t>(layout.parameters.size())) return;
  const Shape& parameter = layout.parameters[static_cast<size_t>(alias.operand)];
  const Shape* from = SubShape(parameter, alias.operand_index);
  const Shape* to = SubShape(layout.result, alias.output_index);
  if (!from || !to || !from->IsArray() || !to->IsArray()) return;
  if (Shape::Compatible(*from, *to) &&
      from->layout().extras().memory_space == to->layout().extras().memory_space) {
    return;
  }
  out.Report(DiagCode::kHeaderAttribute, attr.range,
             fmt::format("Shape and memory space of the result at index {{{}}} ({}) must be those "
                         "of the parameter {} at index {{{}}} ({}) it is aliased with",
                         fmt::join(alias.output_index, ","), ShapeText(*to), alias.operand,
                         fmt::join(alias.operand_index, ","), ShapeText(*from)));
}

ProgramShape EntrySignature(const Module& module) {
  if (const Attr* attr = FindAttr(module.attrs(), "entry_computation_layout")) {
    return std::get<ProgramShape>(attr->value);
  }
  ProgramShape shape;
  const Computation& entry = *module.entry();
  for (int i = 0; i < entry.parameter_count(); ++i) {
    shape.parameters.push_back(entry.parameter_shape(i));
  }
  shape.result = entry.result_shape();
  return shape;
}

bool HasUnboundedDim(const Shape& shape) {
  if (shape.IsTuple()) {
    return std::any_of(shape.elements().begin(), shape.elements().end(), HasUnboundedDim);
  }
  return shape.IsArray() && Contains(shape.dims(), Shape::kUnbounded);
}

/// XLA turns `?` away unless told otherwise; the text and the shape rules know it.
void CheckUnbounded(const Computation& entry, Diagnostics& out) {
  for (const Instruction* parameter : entry.parameters()) {
    if (!parameter || !HasUnboundedDim(parameter->shape())) continue;
    out.Report(DiagCode::kVerifierRule, Severity::kWarning, parameter->places().shape,
               fmt::format("{}: Unbounded dynamism is disabled in XLA by default: {}",
                           parameter->name(), ShapeName(parameter->shape())));
  }
}

}  // namespace

void VerifyComputations(const VerifierScope& scope) {
  for (const Computation& computation : scope.module.computations()) {
    CheckParameters(computation, scope.out);
    for (const Instruction& i : computation.instructions()) CheckThreads(i, scope.out);
  }
}

void VerifyShardings(const VerifierScope& scope) {
  if (!scope.Has(Opcode::kWhile) && !scope.Has(Opcode::kConditional)) return;
  for (const Computation& computation : scope.module.computations()) {
    for (const Instruction& i : computation.instructions()) {
      bool checked = i.opcode() == Opcode::kWhile || i.opcode() == Opcode::kConditional;
      if (checked) CheckShardings(i, scope.out);
    }
  }
}

void VerifyHeader(const VerifierScope& scope) {
  const Module& module = scope.module;
  if (!module.entry()) return;
  if (const Attr* attr = FindAttr(module.attrs(), "entry_computation_layout")) {
    CheckEntryLayout(*attr, *module.entry(), scope.out);
  }
  const Attr* aliases = FindAttr(module.attrs(), "input_output_alias");
  if (aliases && scope.options.layout_sensitive) {
    ProgramShape signature = EntrySignature(module);
    for (const Alias& alias : std::get<std::vector<Alias>>(aliases->value)) {
      CheckAlias(*aliases, alias, signature, scope.out);
    }
  }
  CheckUnbounded(*module.entry(), scope.out);
}

}  // namespace hlo
