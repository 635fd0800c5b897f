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
  SmallVector<Instruction*, 4> parameters;
  for (const Shape& shape : signature.parameters) {
    const auto number = static_cast<int64_t>(parameters.size());
    Instruction* parameter =
        AddParameter(editor, computation, editor.Intern(fmt::format("p{}", number)), number, shape);
    editor.SetParameter(computation, number, parameter);
    parameters.push_back(parameter);
  }
  Instruction* root =
      editor.AddInstruction(computation, editor.Intern("missing"), Opcode::kCustomCall);
  editor.SetShape(root, signature.result);
  editor.operands(root) = std::move(parameters);
  for (const AttrDef& def : root->def().attrs) {
    if (def.name == "custom_call_target") {
      editor.attrs(root).push_back({&def, std::string("MissingComputation"), {}, {}});
    }
  }
  for (const AttrDef& def : CommonAttrs()) {
    if (def.name == "backend_config") {
      editor.attrs(root).push_back({&def, std::string(computation->name()), {}, {}});
    }
  }
  editor.SetRoot(computation, root);
}

}  // namespace hlo
