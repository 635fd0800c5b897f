// The instructions around one of a computation.
#ifndef HLO_ENGINE_GRAPH_NEIGHBOURHOOD_H_
#define HLO_ENGINE_GRAPH_NEIGHBOURHOOD_H_

#include <cstddef>
#include <vector>

#include "engine/graph/folded_values.h"

namespace hlo {

/// Instructions as far from the centre, on one side of it, in the order of the computation.
struct Ring {
  bool is_users = false;  ///< else operands
  int distance = 0;
  std::vector<const Instruction*> instructions;
};

/// The nearest first, each with its operands before its users. None is in two rings.
std::vector<Ring> RingsAround(const FoldedValues& folded, const Instruction& centre, int radius);

}  // namespace hlo

#endif  // HLO_ENGINE_GRAPH_NEIGHBOURHOOD_H_
