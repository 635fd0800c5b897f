// Where a program loses precision of floats: a model of types, not of values.
#ifndef HLO_ENGINE_GRAPH_PRECISION_H_
#define HLO_ENGINE_GRAPH_PRECISION_H_

#include <cstdint>
#include <vector>

#include "engine/graph/program_graph.h"

namespace hlo {

enum class Precision : uint8_t {
  kWhole,     ///< nothing that it depends on was rounded to a narrower float
  kAfter,     ///< it depends on something that was
  kNarrowed,  ///< it rounds: its floats have fewer bits than those of an operand
};

/// Of every instruction, by number.
std::vector<Precision> PrecisionOf(const ProgramGraph& graph);

}  // namespace hlo

#endif  // HLO_ENGINE_GRAPH_PRECISION_H_
