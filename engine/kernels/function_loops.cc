// Loops of the transcendental functions.
#include <algorithm>

#include "engine/kernels/scalar_unary.h"
#include "engine/kernels/typed_loops.h"

namespace hlo {

void RunAngles(int64_t n, const float* a, uint64_t quadrant, float* out) {
  constexpr int64_t kPart = 256;
  for (int64_t begin = 0; begin < n; begin += kPart) {
    const int64_t end = std::min(n, begin + kPart);
    int large = 0;
    for (int64_t i = begin; i < end; ++i) large |= lanes::IsLargeAngle(a[i]) ? 1 : 0;
    if (large == 0) {
      HLO_INDEPENDENT_ITERATIONS
      for (int64_t i = begin; i < end; ++i) {
        const lanes::Angle angle = lanes::ReduceAngle(a[i]);
        out[i] = static_cast<float>(lanes::Sine({angle.rest, angle.quadrant + quadrant}));
      }
    } else {
      HLO_SHORT_CODE
      for (int64_t i = begin; i < end; ++i) {
        const lanes::Angle angle = lanes::ReduceAnyAngle(a[i]);
        out[i] = static_cast<float>(lanes::Sine({angle.rest, angle.quadrant + quadrant}));
      }
    }
  }
}

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
