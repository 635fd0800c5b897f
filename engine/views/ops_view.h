// The table of opcodes for hover, the page's reference and the documentation.
#ifndef HLO_ENGINE_VIEWS_OPS_VIEW_H_
#define HLO_ENGINE_VIEWS_OPS_VIEW_H_

#include <string>

#include "engine/ops/custom_calls/custom_calls.h"
#include "engine/ops/op_def.h"

namespace hlo {

/// Whether instructions of this opcode can be run, not only parsed and verified.
bool IsEvaluated(Opcode opcode);

/// OpInfo[] of wasm/engine_api.ts, in alphabetical order.
std::string OpsJson();
/// One line per opcode: name, first sentence of its documentation, whether it runs.
std::string OpsText();
/// engine/ops/OPS.md: a table of the opcodes (documentation, operands, types, attributes, how they
/// are evaluated, source), and one of the custom-call targets of these families.
std::string OpsMarkdown(TargetFamilies families);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_OPS_VIEW_H_
