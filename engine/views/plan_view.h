// What a run executes: which instructions run as one loop, as a program over scalars, or by
// themselves, and why others were not joined.
#ifndef HLO_ENGINE_VIEWS_PLAN_VIEW_H_
#define HLO_ENGINE_VIEWS_PLAN_VIEW_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/views/document.h"

namespace hlo {

/// The plan of a document's program, as text; the document is ok(). Computations that a run enters
/// come in the order in which they are first entered.
std::string PlanText(const Document& document);
/// The same as JSON: {"computations": [{"name", "steps": [...], "unjoined": [...], "separate":
/// [...]}]}. A step has a `kind` (`loop`, `scalars`, `instruction` or `constant`), the instruction
/// it ends with as `name` and, where there are such, `instructions`, `inputs`, `outputs`,
/// `elements`, `operations` and the product that it is the epilogue of as `epilogueOf`; `separate`
/// are loops that read a product and are no epilogues ({"loop", "product", "why"}).
std::string PlanJson(const Document& document);
/// The code of its loops as WebAssembly, each a module in the text format, and what none is
/// generated for. This is what the browser is given where a loop runs long enough.
std::string PlanCode(const Document& document);

/// PlanResult of wasm/engine_api.ts without its lines, which are appended to `lines`. `options`:
/// {"as": "plan" or "code"}. A text that has no program has diagnostics only.
std::string PlanResultJson(const Document& document, std::string_view options,
                           std::vector<uint32_t>* lines);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_PLAN_VIEW_H_
