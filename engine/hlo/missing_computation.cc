#include "engine/hlo/missing_computation.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "engine/hlo/make_instruction.h"
#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"

namespace hlo {

void MakeStandIn(ModuleEditor& editor, Computation* computation, const ProgramShape& signature) {
  std::vector<Instruction*> parameters;
  for (const Shape& shape : signature.parameters) {
    const auto number = static_cast<int64_t>(parameters.size());
    Instruction* parameter =
        AddParameter(editor, computation, editor.Intern(fmt::format("p{}", number)), number, shape);
    editor.SetParameter(computation, number, parameter);
    parameters.push_back(parameter);
  }
  NamedAttrs attrs = {{"custom_call_target", std::string("MissingComputation")},
                      {"backend_config", std::string(computation->name())}};
  Diagnostics faults;  // of a custom call there are none
  editor.SetRoot(computation, MakeInstruction(editor, computation,
                                              {.opcode = Opcode::kCustomCall,
                                               .name = "missing",
                                               .operands = std::move(parameters),
                                               .attrs = std::move(attrs),
                                               .written = &signature.result},
                                              faults));
}

}  // namespace hlo
