// What becomes of an instruction where narrow floats are widened. Internal to engine/precision.
#ifndef HLO_ENGINE_PRECISION_TREATMENT_H_
#define HLO_ENGINE_PRECISION_TREATMENT_H_

#include <cstdint>

#include "engine/hlo/ir.h"
#include "engine/ops/custom_calls/custom_calls.h"
#include "engine/precision/widened_types.h"

namespace hlo {

/// How an instruction is written in wider numbers.
enum class Treatment : uint8_t {
  kWiden,     ///< on wider types
  kNarrow,    ///< as it is, between conversions
  kIdentity,  ///< as its first operand: it only rounds
  kSum,       ///< in f64, between conversions
};

/// The treatment that an instruction needs. `sums_in_f64`: as in Widening; `targets` may be null.
Treatment TreatmentOf(const Instruction& instruction, WideFloat wide, bool sums_in_f64,
                      const CustomCallTargets* targets);

}  // namespace hlo

#endif  // HLO_ENGINE_PRECISION_TREATMENT_H_
