// When the arrays of a program are needed.
#ifndef HLO_ENGINE_STANDALONE_LIVENESS_H_
#define HLO_ENGINE_STANDALONE_LIVENESS_H_

#include <cstdint>
#include <vector>

#include "engine/standalone/program.h"

namespace hlo {

/// An array is needed from one moment to another one, both included. Steps are moments in the order
/// of the text; loops and branches begin and end with one more.
struct LiveSpan {
  int32_t begin = 0;
  int32_t end = 0;
};

/// A place where what is written may take over the place of what is read.
struct TakeOver {
  int32_t from = 0;
  int32_t to = 0;
  int32_t moment = 0;
  int32_t depth = 0;  ///< of loops around it
};

struct Liveness {
  std::vector<std::vector<LiveSpan>> spans;  ///< by array, in order, apart from one another
  std::vector<TakeOver> take_overs;
};

Liveness FindLiveness(const DriverProgram& program);

}  // namespace hlo

#endif  // HLO_ENGINE_STANDALONE_LIVENESS_H_
