// The functions of f64 for two numbers at a time: f64_functions.h.
#ifndef HLO_SMALL

#include "engine/lanes/f64_angles.h"
#include "engine/lanes/f64_arcs.h"
#include "engine/lanes/f64_error_function.h"
#include "engine/lanes/f64_exponentials.h"
#include "engine/lanes/f64_functions.h"
#include "engine/lanes/f64_logarithms.h"
#include "engine/lanes/f64_powers.h"
#include "engine/lanes/two_lanes.h"

namespace hlo::f64 {
namespace generic {

/// Found by Either.
HLO_LANE inline Angle<TwoLanes<double>> Select(TwoLanes<bool> condition,
                                               const Angle<TwoLanes<double>>& on_true,
                                               const Angle<TwoLanes<double>>& on_false) {
  return {lanes::Select(condition, on_true.rest, on_false.rest),
          lanes::Select(condition, on_true.quadrant, on_false.quadrant)};
}

}  // namespace generic

#define HLO_TWO_LANES(Function) \
  TwoLanes<double> Function(TwoLanes<double> x) { return generic::Function(x); }
#define HLO_TWO_LANES_OF_TWO(Function)                                \
  TwoLanes<double> Function(TwoLanes<double> x, TwoLanes<double> y) { \
    return generic::Function(x, y);                                   \
  }
HLO_TWO_LANES(Exp)
HLO_TWO_LANES(Expm1)
HLO_TWO_LANES(Sinh)
HLO_TWO_LANES(Cosh)
HLO_TWO_LANES(Log)
HLO_TWO_LANES(Log1p)
HLO_TWO_LANES(Asinh)
HLO_TWO_LANES(Acosh)
HLO_TWO_LANES(Atanh)
HLO_TWO_LANES_OF_TWO(Pow)
HLO_TWO_LANES(Cbrt)
HLO_TWO_LANES_OF_TWO(Hypot)
HLO_TWO_LANES(Sin)
HLO_TWO_LANES(Cos)
HLO_TWO_LANES(Tan)
HLO_TWO_LANES(Asin)
HLO_TWO_LANES(Acos)
HLO_TWO_LANES(Atan)
HLO_TWO_LANES_OF_TWO(Atan2)
HLO_TWO_LANES(Erf)
#undef HLO_TWO_LANES
#undef HLO_TWO_LANES_OF_TWO

}  // namespace hlo::f64

#endif  // HLO_SMALL
