// Floats of 8 and 16 bits in generated code, where each is an f32 of the same value.
#ifndef HLO_ENGINE_CODEGEN_NARROW_FLOAT_CODE_H_
#define HLO_ENGINE_CODEGEN_NARROW_FLOAT_CODE_H_

#include "engine/codegen/lane_code.h"

namespace hlo {

/// The f32 of a code (an i32). The payload of a NaN is kept, even of a signalling one.
LaneValue DecodedFloat(LaneValue bits, ElementType type, LaneCode* code);
/// The code of an f32 that is a value of the type.
LaneValue EncodedFloat(LaneValue value, ElementType type, LaneCode* code);
/// Any f32 as the nearest value of the type, by its rules (types/small_float.h).
LaneValue RoundedFloat(LaneValue value, ElementType type, LaneCode* code);

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_NARROW_FLOAT_CODE_H_
