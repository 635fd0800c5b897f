// Makes instructions that do not come from HLO text: for the Builder, the import of other
// languages, and what HLO text only implies.
#ifndef HLO_ENGINE_HLO_MAKE_INSTRUCTION_H_
#define HLO_ENGINE_HLO_MAKE_INSTRUCTION_H_

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/diagnostics.h"
#include "engine/hlo/ir.h"
#include "engine/ops/named_attrs.h"
#include "engine/types/literal.h"

namespace hlo {

/// What an instruction is made of.
struct InstructionParts {
  Opcode opcode;
  std::string_view name;               ///< a name that HLO text can have
  std::vector<Instruction*> operands;  ///< of the same computation
  NamedAttrs attrs;
  const Shape* written = nullptr;      ///< what the op's shape rule reads of a written shape
  std::string_view op_name = {};       ///< the op in messages; empty: its opcode
  Range range = {};                    ///< of the op in the text that it comes from
  std::string_view fault_prefix = {};  ///< before the messages of the op's shape rule
};

/// Makes an instruction with the shape that follows and adds it to the computation. Null where an
/// operand is null or a fault is reported: the number of operands, attributes, the shape rule.
Instruction* MakeInstruction(ModuleEditor& editor, Computation* computation, InstructionParts parts,
                             Diagnostics& faults);

/// An instruction of which everything is known.
struct KnownInstruction {
  Opcode opcode;
  std::string_view interned_name;          ///< of the module
  std::span<Instruction* const> operands;  ///< of the same computation
  AttrList attrs;
  Shape shape;
};

/// Adds an instruction as it is described; nothing is checked.
Instruction* AddKnown(ModuleEditor& editor, Computation* computation, KnownInstruction known);

/// Adds `parameter(number)`, which the computation's list does not have yet.
Instruction* AddParameter(ModuleEditor& editor, Computation* computation,
                          std::string_view interned_name, int64_t number, Shape shape);

/// A name that HLO text can have: other characters become `_`, and a name begins with a letter.
std::string ToInstructionName(std::string_view wanted, std::string_view otherwise);

/// The `literal` of a constant with this value.
std::shared_ptr<const ShapedLiteral> LiteralOf(Tensor value);

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_MAKE_INSTRUCTION_H_
