// Where pad puts the elements of its operand.
#ifndef HLO_ENGINE_OPS_MOVEMENT_PAD_VIEWS_H_
#define HLO_ENGINE_OPS_MOVEMENT_PAD_VIEWS_H_

#include "engine/kernels/move_view.h"
#include "engine/ops/op_call.h"

namespace hlo {

struct PadViews {
  Dims live;            ///< run-time sizes of the result
  StridedView in, out;  ///< the elements that are kept, in the operand and in the result
};
/// Of an operand of these run-time sizes.
PadViews PadViewsOf(const OpCall& call, const Dims& sizes);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_MOVEMENT_PAD_VIEWS_H_
