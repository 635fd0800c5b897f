// Warnings that count as errors.
#ifndef HLO_ENGINE_BASE_PROMOTION_H_
#define HLO_ENGINE_BASE_PROMOTION_H_

#include "engine/base/diagnostics.h"

namespace hlo {

/// Reports in `out` what was found, in the same order, with every warning as an error.
void ReportAsErrors(const Diagnostics& found, Diagnostics& out);

}  // namespace hlo

#endif  // HLO_ENGINE_BASE_PROMOTION_H_
