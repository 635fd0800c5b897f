// Loops of the transcendental functions.
#include "engine/kernels/scalar_unary.h"
#include "engine/kernels/typed_loops.h"

namespace hlo {

template ElementLoop UnaryLoop<AcosOp>(ElementType);
template ElementLoop UnaryLoop<AcoshOp>(ElementType);
template ElementLoop UnaryLoop<AsinOp>(ElementType);
template ElementLoop UnaryLoop<AsinhOp>(ElementType);
template ElementLoop UnaryLoop<AtanOp>(ElementType);
template ElementLoop UnaryLoop<AtanhOp>(ElementType);
template ElementLoop UnaryLoop<CbrtOp>(ElementType);
template ElementLoop UnaryLoop<CosineOp>(ElementType);
template ElementLoop UnaryLoop<CoshOp>(ElementType);
template ElementLoop UnaryLoop<ErfOp>(ElementType);
template ElementLoop UnaryLoop<ExponentialMinusOneOp>(ElementType);
template ElementLoop UnaryLoop<ExponentialOp>(ElementType);
template ElementLoop UnaryLoop<LogOp>(ElementType);
template ElementLoop UnaryLoop<LogPlusOneOp>(ElementType);
template ElementLoop UnaryLoop<LogisticOp>(ElementType);
template ElementLoop UnaryLoop<SineOp>(ElementType);
template ElementLoop UnaryLoop<SinhOp>(ElementType);
template ElementLoop UnaryLoop<TanOp>(ElementType);
template ElementLoop UnaryLoop<TanhOp>(ElementType);

}  // namespace hlo
