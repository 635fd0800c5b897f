// Steps of sums of products (kernels/multiply_add.h) in generated code.
#ifndef HLO_ENGINE_STANDALONE_MULTIPLY_ADD_H_
#define HLO_ENGINE_STANDALONE_MULTIPLY_ADD_H_

#include "engine/codegen/lane_code.h"
#include "engine/standalone/number_code.h"
#include "engine/standalone/product_settings.h"

namespace hlo {

/// sum + a * b, of numbers of one kind. Of integers all steps are the same.
LaneValue AddedProduct(LaneValue sum, LaneValue a, LaneValue b, ProductStep step, LaneCode* code);

/// a * b + c, rounded once: a function of the module.
Number FusedMultiplyAdd(Number a, Number b, Number c);

/// The body of a function without parameters: 1 as an i32 where the instruction of relaxed SIMD is
/// fused, else 0.
CodeBytes WriteFusionTrial();

}  // namespace hlo

#endif  // HLO_ENGINE_STANDALONE_MULTIPLY_ADD_H_
