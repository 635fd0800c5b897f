// Turns a region into steps over numbered scalars. Used by region_program.cc.
#ifndef HLO_ENGINE_PLAN_REGION_COMPILER_H_
#define HLO_ENGINE_PLAN_REGION_COMPILER_H_

#include <optional>

#include "engine/hlo/ir.h"
#include "engine/ops/float_widths.h"
#include "engine/plan/region_builder.h"
#include "engine/plan/region_steps.h"

namespace hlo {

/// What a constant is, if that is one array and was not left out of the text; null for others.
const Tensor* ArrayOfConstant(const Instruction& instruction);

/// Nothing when the region holds anything but scalar operations, tuples of scalars, and calls,
/// conditionals and loops of such; or when it is too large. `custom_calls`: what custom-calls find;
/// may be null.
std::optional<RegionSteps> CompileSteps(const Computation& region,
                                        const CustomCallTargets* custom_calls);

/// A `while` whose state is scalars, with its condition and body: the parameters are the scalars of
/// its operand, the results those of its value. Nothing for any other instruction, and where the
/// condition or the body does not compile.
std::optional<RegionSteps> CompileScalarLoop(const Instruction& loop,
                                             const CustomCallTargets* custom_calls);

/// The call of an instruction; of a custom-call, as the op which its target stands for (PlainOpOf).
OpCall PlainCall(const Instruction& instruction, const CustomCallTargets* custom_calls);

/// The loop of an element-wise instruction, whatever its shape; without `run` for any other. With
/// `mixed`, if floats of different widths meet.
ElementLoop LoopOf(const Instruction& instruction, const CustomCallTargets* custom_calls,
                   std::unique_ptr<const MixedCall>* mixed);

/// Adds the steps that compute one element of such an instruction from those of its operands.
/// Nothing for other instructions.
std::optional<RegionScalar> EmitElement(const Instruction& instruction,
                                        std::span<const RegionScalar> operands,
                                        const CustomCallTargets* custom_calls,
                                        RegionBuilder* builder);

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_REGION_COMPILER_H_
