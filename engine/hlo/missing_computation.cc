#include "engine/hlo/missing_computation.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "engine/hlo/make_instruction.h"
#include "engine/ops/named_attrs.h"
#include "engine/ops/shape_checks.h"

namespace hlo {

void MakeStandIn(ModuleEditor& editor, Computation* computation, const ProgramShape& signature) {
  SmallVector<Instruction*, 4> parameters;
  for (const Shape& shape : signature.parameters) {
    const auto number = static_cast<int64_t>(parameters.size());
    Instruction* parameter =
        AddParameter(editor, computation, editor.Intern(fmt::format("p{}", number)), number, shape);
    editor.SetParameter(computation, number, parameter);
    parameters.push_back(parameter);
  }
  editor.SetRoot(
      computation,
      editor.AddInstruction(computation, editor.Intern("missing"), Opcode::kCustomCall,
                            signature.result, std::move(parameters),
                            KnownAttrs(Opcode::kCustomCall,
                                       {{"custom_call_target", std::string("MissingComputation")},
                                        {"backend_config", std::string(computation->name())}})));
}

}  // namespace hlo
