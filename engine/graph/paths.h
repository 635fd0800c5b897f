// Paths between two instructions along uses, inside a computation and through calls.
#ifndef HLO_ENGINE_GRAPH_PATHS_H_
#define HLO_ENGINE_GRAPH_PATHS_H_

#include <cstdint>
#include <vector>

#include "engine/graph/program_graph.h"

namespace hlo {

/// What is on the paths between two instructions, as numbers of the graph.
struct Paths {
  bool found = false;
  /// The second one comes first in the program: paths lead from it to the first one.
  bool reversed = false;
  std::vector<uint32_t> shortest;  ///< from end to end
  std::vector<uint32_t> all;       ///< whatever is on some path, in the order of the module
};

/// Along the direction in which values flow, from `a` to `b`, else from `b` to `a`.
Paths PathsBetween(const ProgramGraph& graph, const Instruction& a, const Instruction& b);

}  // namespace hlo

#endif  // HLO_ENGINE_GRAPH_PATHS_H_
