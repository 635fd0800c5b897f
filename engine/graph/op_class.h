// The classes of operations that a picture of a program tells apart.
#ifndef HLO_ENGINE_GRAPH_OP_CLASS_H_
#define HLO_ENGINE_GRAPH_OP_CLASS_H_

#include <cstdint>
#include <string_view>

#include "engine/hlo/ir.h"

namespace hlo {

/// In the order of a legend.
enum class OpClass : uint8_t {
  kParameter,
  kConstant,
  kElementwise,
  kMovement,       ///< moves or selects elements
  kProduct,        ///< dot, convolution
  kReduction,      ///< applies a computation: reduce, scatter, sort, map
  kFusion,         ///< runs a computation as one kernel
  kControl,        ///< while, conditional, call, asynchronous computations
  kCommunication,  ///< between devices, and with the host
  kRandom,
  kCustom,
  kTuple,
  kOther,
};

/// It follows from the op's definition.
OpClass ClassOf(const Instruction& instruction);

/// "elementwise", ...
std::string_view Text(OpClass op_class);

}  // namespace hlo

#endif  // HLO_ENGINE_GRAPH_OP_CLASS_H_
