// A picture of a program in the language of Graphviz.
#ifndef HLO_ENGINE_GRAPH_DOT_TEXT_H_
#define HLO_ENGINE_GRAPH_DOT_TEXT_H_

#include <string>

#include "engine/graph/drawn_graph.h"

namespace hlo {

/// Open boxes are clusters; edges to and from these end at their borders.
std::string DotText(const DrawnGraph& drawn);

/// What is written in a closed box of instructions: "313 instructions: 120 fusion, 80 copy".
std::string GroupTitle(const GraphBox& box);

}  // namespace hlo

#endif  // HLO_ENGINE_GRAPH_DOT_TEXT_H_
