// Regions of scalar operations (reducers, comparators, mapped functions) as programs over blocks of
// elements.
#ifndef HLO_ENGINE_PLAN_REGION_PROGRAM_H_
#define HLO_ENGINE_PLAN_REGION_PROGRAM_H_

#include <memory>
#include <optional>

#include "engine/base/budget.h"
#include "engine/ops/attributes.h"
#include "engine/ops/eval.h"
#include "engine/ops/op_call.h"
#include "engine/plan/region_steps.h"

namespace hlo {

/// The program of a region (a Computation) that consists of element-wise operations on scalars,
/// constants, tuples, and calls, conditionals and loops of such regions; null for any other region
/// and for one of more than 10^4 operations. Its parameters are scalars, its result a scalar or a
/// tuple of them. The region is verified. The registers are charged to the budget (RunError) and
/// freed with the program. Applying it polls the budget; loops count every operation on a block of
/// elements as a step, and end with a RunError when the budget does. A program with loops does not
/// end when the region does not, for any of its elements. `custom_calls`: what custom-calls find;
/// may be null.
std::unique_ptr<RegionFunction> CompileRegion(const Region& region, Budget* budget,
                                              const CustomCallTargets* custom_calls = nullptr);

/// The op that the steps are, of two elements in either order if it is commutative; nothing if they
/// are anything else.
std::optional<Opcode> BinaryOpcodeOf(const RegionSteps& program);

/// The program of the steps of a joined loop: results may be written where an argument's same
/// elements are read. With rows it is applied to whole rows, at most BlockOf elements at a time;
/// the arrays of scalars of rows have an element for each.
std::unique_ptr<RegionFunction> MakeRegionFunction(RegionSteps steps, Budget* budget);

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_REGION_PROGRAM_H_
