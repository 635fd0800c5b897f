// The functions of f64 for four numbers at a time: f64_functions.h.
#ifndef HLO_SMALL

#include "engine/lanes/f64_angles.h"
#include "engine/lanes/f64_arcs.h"
#include "engine/lanes/f64_error_function.h"
#include "engine/lanes/f64_exponentials.h"
#include "engine/lanes/f64_functions.h"
#include "engine/lanes/f64_logarithms.h"
#include "engine/lanes/f64_powers.h"
#include "engine/lanes/four_lanes.h"

namespace hlo::f64 {
namespace generic {

/// What Either takes where lanes differ, found by its arguments.
HLO_LANE inline Angle<FourLanes<double>> Select(FourLanes<bool> condition,
                                                const Angle<FourLanes<double>>& on_true,
                                                const Angle<FourLanes<double>>& on_false) {
  return {lanes::Select(condition, on_true.rest, on_false.rest),
          lanes::Select(condition, on_true.quadrant, on_false.quadrant)};
}

}  // namespace generic

#define UNARY(Function) \
  FourLanes<double> Function(FourLanes<double> x) { return generic::Function(x); }
#define BINARY(Function)                                                 \
  FourLanes<double> Function(FourLanes<double> x, FourLanes<double> y) { \
    return generic::Function(x, y);                                      \
  }
#include "engine/lanes/f64_four_lanes.def"

}  // namespace hlo::f64

#endif  // HLO_SMALL
