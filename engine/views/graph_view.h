// The picture of a program as a graph, as front ends get it.
#ifndef HLO_ENGINE_VIEWS_GRAPH_VIEW_H_
#define HLO_ENGINE_VIEWS_GRAPH_VIEW_H_

#include <string>
#include <string_view>

#include "engine/graph/drawn_graph.h"
#include "engine/views/document.h"

namespace hlo {

/// The instruction of this name; a computation that is "" is any, the entry first. Null: none.
const Instruction* NamedInstruction(const Module& module, std::string_view computation,
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
