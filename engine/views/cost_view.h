// What a program costs by the model of engine/cost, on a machine: as text and as JSON.
#ifndef HLO_ENGINE_VIEWS_COST_VIEW_H_
#define HLO_ENGINE_VIEWS_COST_VIEW_H_

#include <memory>
#include <string>
#include <string_view>

#include "engine/cost/cost_analysis.h"
#include "engine/cost/machines.h"
#include "engine/views/document.h"

namespace hlo {

/// The costs of a document's program, which must outlive them; null where it has none.
std::shared_ptr<const CostAnalysis> CostsOf(const Document& document);

/// CostResult of wasm/cost_types.ts, of the document that `costs` are of. `options`: CostOptions.
std::string CostJson(const Document& document, const CostAnalysis* costs, std::string_view options);

/// The same as text: totals, the instructions that take longest on the machine, savings.
std::string CostText(const Document& document, const Machine& machine);
/// One line per executed instruction that costs anything, in the order of the text, then the total:
/// exact numbers, of one execution each.
std::string CostLines(const Document& document);

/// MachineInfo of wasm/cost_types.ts: what the machine that the engine runs on does, measured with
/// two programs that it runs. Takes a tenth of a second.
std::string MeasureMachineJson();
Machine MeasuredMachine();

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_COST_VIEW_H_
