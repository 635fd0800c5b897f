// How the importer makes instructions, parameters and computations.
#include <utility>

#include "engine/hlo/make_instruction.h"
#include "engine/mlir/import/op_import.h"

namespace hlo::mlir {

std::string HloName(std::string_view wanted) { return ToInstructionName(wanted, "v"); }

std::string_view Importer::UniqueName(NameUniquer& uniquer, std::string_view wanted) {
  const std::string_view name = editor_.Intern(HloName(wanted));
  std::string unique;
  return uniquer.Take(name, &unique) ? name : editor_.Intern(unique);
}

Computation* Importer::Finish(std::unique_ptr<Computation> computation, const Values& results,
                              bool as_tuple, const Op* terminator) {
  Instruction* root = results.size() == 1 && !as_tuple ? results[0] : nullptr;
  if (!root)
    root = Make(computation.get(), Opcode::kTuple, results, {}, nullptr, "results", terminator);
  if (!root) return nullptr;
  editor_.SetRoot(computation.get(), root);
  return editor_.Attach(std::move(computation));
}

Instruction* Importer::AddParameter(Computation* computation, int64_t number, const Shape& shape,
                                    std::string_view name, Range range) {
  Instruction* parameter =
      Make(computation, Opcode::kParameter, {}, {{"number", number}}, &shape, name, nullptr);
  if (!parameter) return nullptr;
  editor_.places(parameter).whole = range;
  editor_.places(parameter).name = range;
  editor_.SetParameter(computation, number, parameter);
  return parameter;
}

Instruction* Importer::Make(Computation* computation, Opcode opcode, const Values& operands,
                            Attrs attrs, const Shape* written, std::string_view name,
                            const Op* source) {
  InstructionParts parts{.opcode = opcode,
                         .name = name,
                         .operands = operands,
                         .attrs = std::move(attrs.entries()),
                         .written = written,
                         .op_name = source ? source->name : std::string_view(),
                         .range = source ? source->name_range : Range{}};
  Instruction* made = MakeInstruction(editor_, computation, std::move(parts), diagnostics_);
  if (!made) return nullptr;
  editor_.SetName(made, UniqueName(names_, name));
  if (source) {
    Instruction::Places& places = editor_.places(made);
    places.whole = source->range;
    places.opcode = source->name_range;
    places.name = source->results.empty() ? source->name_range : source->results[0].range;
    for (size_t i = 0; i < operands.size(); ++i) {
      places.operands.push_back(i < source->operands.size() ? source->operands[i].range
                                                            : source->name_range);
    }
  }
  return made;
}

Instruction* Importer::MakeConstant(Computation* computation, Tensor value, std::string_view name,
                                    const Op* source) {
  const std::shared_ptr<const ShapedLiteral> literal = LiteralOf(std::move(value));
  return Make(computation, Opcode::kConstant, {}, {{"literal", literal}}, &literal->shape, name,
              source);
}

namespace {

// The instruction that is an operation's first result, or the tuple of all of them.
Instruction* DefinitionOf(const Op& op, const Values& first_group) {
  Instruction* value = first_group.empty() ? nullptr : first_group[0];
  const bool is_split = op.results.size() == 1 && first_group.size() > 1 && value &&
                        value->opcode() == Opcode::kGetTupleElement;
  return is_split ? value->operands()[0] : value;
}

}  // namespace

void Importer::PlaceResults(const Op& op, const Scope& scope, size_t first) {
  auto& all = editor_.instructions(scope.computation);
  if (op.results.empty() || (all.size() - first < 2 && op.results.size() == 1)) return;
  const Range defined = op.results[0].range;
  const auto is_made = [&](const Instruction& i) {
    return static_cast<size_t>(i.index()) >= first && i.parent() == scope.computation &&
           i.places().opcode == op.name_range;
  };
  // What has the name without a number, or the least number.
  Instruction* named = nullptr;
  const std::string name = HloName(op.results[0].name);
  for (size_t i = first; i < all.size(); ++i) {
    if (!is_made(all[i]) || !(all[i].places().name == defined)) continue;
    editor_.places(&all[i]).name = op.name_range;
    if (!named && all[i].name().starts_with(name)) named = &all[i];
  }
  for (size_t k = 0; k < op.results.size(); ++k) {
    const ValueName& result = op.results[k];
    const Values& values = scope.names.at(result.name);
    for (Instruction* value : values) {
      if (value && is_made(*value)) editor_.places(value).name = result.range;
    }
    Instruction* definition = k == 0           ? DefinitionOf(op, values)
                              : values.empty() ? nullptr
                                               : values[0];
    if (!definition || !is_made(*definition)) continue;
    editor_.places(definition).name = result.range;
    if (k > 0) {
      editor_.SetName(definition, UniqueName(names_, result.name));
    } else if (named && named != definition) {
      const std::string_view free = definition->name();
      editor_.SetName(definition, named->name());
      editor_.SetName(named, free);
    }
  }
}

}  // namespace hlo::mlir
