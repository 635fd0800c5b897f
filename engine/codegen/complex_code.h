// Code for complex numbers: each is a pair of floats in locals.
#ifndef HLO_ENGINE_CODEGEN_COMPLEX_CODE_H_
#define HLO_ENGINE_CODEGEN_COMPLEX_CODE_H_

#include <optional>
#include <span>

#include "engine/codegen/lane_code.h"
#include "engine/plan/region_steps.h"

namespace hlo {

/// A value of generated code, or of a complex one both parts.
struct LanePair {
  LaneValue real;
  LaneValue imaginary = {};
};

/// Whether operands or result of the step are complex.
bool IsComplexStep(const RegionStep& step);
/// Whether LowerComplexStep has code for it: sums, products, parts, comparisons, selections,
/// conversions and the size of a c64; other functions are called, where there are `functions`: of
/// them the engine's kernels are as quick.
bool CanLowerComplex(const RegionStep& step, const FunctionPool* functions = nullptr);
/// The same for such a step as LowerStep is for others.
LanePair LowerComplexStep(const RegionStep& step, std::span<const LanePair> args, LaneCode* code);

/// A product of pairs of f32 or f64.
LanePair LowerComplexProduct(const LanePair& x, const LanePair& y, LaneCode* code);

/// Locals for a value of any type that there is code for.
LanePair NewPair(ElementType type, LaneCode* code);
/// The lanes from the address in a local, of any type that there is code for.
LanePair LoadPair(uint32_t address, ElementType type, LaneCode* code);
/// All lanes from one element.
LanePair LoadPairForAll(uint32_t address, ElementType type, LaneCode* code);
void StorePair(uint32_t address, const LanePair& value, ElementType type, LaneCode* code);

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_COMPLEX_CODE_H_
