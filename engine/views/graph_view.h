// The picture of a program as a graph, as front ends get it.
#ifndef HLO_ENGINE_VIEWS_GRAPH_VIEW_H_
#define HLO_ENGINE_VIEWS_GRAPH_VIEW_H_

#include <string>
#include <string_view>

#include "engine/graph/drawn_graph.h"
#include "engine/views/document.h"

namespace hlo {

/// The instruction of this name in the module; where the computation is "" as FindShown finds it.
/// Null: none. The document has a module.
const Instruction* NamedInstruction(const Document& document, std::string_view computation,
                                    std::string_view name);

/// GraphModel of wasm/graph_types.ts; `options` are its GraphOptions.
std::string GraphJson(const Document& document, std::string_view options);

/// GraphFound of wasm/graph_types.ts.
std::string GraphSearchJson(const Document& document, std::string_view wanted);

/// The picture in words: boxes, and where their values come from.
std::string GraphText(const DrawnGraph& drawn);

/// GraphModel for options that are there already: what the command writes. The document has a
/// module.
std::string GraphJson(const Document& document, const GraphOptions& options);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_GRAPH_VIEW_H_
