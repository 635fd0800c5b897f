#include "engine/hlo/missing_computation.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "engine/hlo/make_instruction.h"
#include "engine/ops/attribute_rows.h"
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
  AttrList attrs;
  attrs.push_back({FindAttrDef(GetOpDef(Opcode::kCustomCall).attrs, "custom_call_target"),
                   std::string("MissingComputation"),
                   {},
                   {}});
  attrs.push_back(
      {FindAttrDef(CommonAttrs(), "backend_config"), std::string(computation->name()), {}, {}});
  editor.SetRoot(computation, AddKnown(editor, computation,
                                       {Opcode::kCustomCall, editor.Intern("missing"), parameters,
                                        std::move(attrs), signature.result}));
}

}  // namespace hlo
