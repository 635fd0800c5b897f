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

#define HLO_FOUR_LANES(Function) \
  FourLanes<double> Function(FourLanes<double> x) { return generic::Function(x); }
#define HLO_FOUR_LANES_OF_TWO(Function)                                  \
  FourLanes<double> Function(FourLanes<double> x, FourLanes<double> y) { \
    return generic::Function(x, y);                                      \
  }
HLO_FOUR_LANES(Exp)
HLO_FOUR_LANES(Expm1)
HLO_FOUR_LANES(Logistic)
HLO_FOUR_LANES(Sinh)
HLO_FOUR_LANES(Cosh)
HLO_FOUR_LANES(Tanh)
HLO_FOUR_LANES(Log)
HLO_FOUR_LANES(Log1p)
HLO_FOUR_LANES(Asinh)
HLO_FOUR_LANES(Acosh)
HLO_FOUR_LANES(Atanh)
HLO_FOUR_LANES_OF_TWO(Pow)
HLO_FOUR_LANES(Cbrt)
HLO_FOUR_LANES_OF_TWO(Hypot)
HLO_FOUR_LANES(Sin)
HLO_FOUR_LANES(Cos)
HLO_FOUR_LANES(Tan)
HLO_FOUR_LANES(Asin)
HLO_FOUR_LANES(Acos)
HLO_FOUR_LANES(Atan)
HLO_FOUR_LANES_OF_TWO(Atan2)
HLO_FOUR_LANES(Erf)
#undef HLO_FOUR_LANES
#undef HLO_FOUR_LANES_OF_TWO

}  // namespace hlo::f64

#endif  // HLO_SMALL
