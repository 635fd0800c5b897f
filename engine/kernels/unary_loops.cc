// Loops of the unary operations that are a few instructions each.
#include "engine/kernels/scalar_unary.h"
#include "engine/kernels/typed_loops.h"

namespace hlo {

template ElementLoop UnaryLoop<AbsOp>(ElementType);
template ElementLoop UnaryLoop<CeilOp>(ElementType);
template ElementLoop UnaryLoop<CountLeadingZerosOp>(ElementType);
template ElementLoop UnaryLoop<FloorOp>(ElementType);
template ElementLoop UnaryLoop<ImagOp>(ElementType);
template ElementLoop UnaryLoop<IsFiniteOp>(ElementType);
template ElementLoop UnaryLoop<NegateOp>(ElementType);
template ElementLoop UnaryLoop<NotOp>(ElementType);
template ElementLoop UnaryLoop<PopcntOp>(ElementType);
template ElementLoop UnaryLoop<RealOp>(ElementType);
template ElementLoop UnaryLoop<RoundNearestAfzOp>(ElementType);
template ElementLoop UnaryLoop<RoundNearestEvenOp>(ElementType);
template ElementLoop UnaryLoop<RsqrtOp>(ElementType);
template ElementLoop UnaryLoop<SignOp>(ElementType);
template ElementLoop UnaryLoop<SqrtOp>(ElementType);

}  // namespace hlo
