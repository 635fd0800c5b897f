// Turns a region into steps over numbered scalars. Used by region_program.cc.
#ifndef HLO_ENGINE_PLAN_REGION_COMPILER_H_
#define HLO_ENGINE_PLAN_REGION_COMPILER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/hlo/ir.h"
#include "engine/kernels/element_loop.h"
#include "engine/types/element_type.h"

namespace hlo {

/// A scalar of the program: the parameters come first, then whatever is computed.
struct RegionScalar {
  int32_t id = 0;
  ElementType type = {};
};

/// One operation. Its result is a scalar that nothing else computes.
struct RegionStep {
  ElementLoop loop;
  int32_t args[ElementLoop::kMaxOperands] = {};
  int32_t result = 0;
};

struct RegionConstant {
  int32_t id;
  ElementType type;
  const std::byte* value;  ///< one element; belongs to the module
};

/// A region in steps, in an order in which they can be run; none without use.
struct RegionSteps {
  std::vector<ElementType> parameters;
  std::vector<RegionConstant> constants;
  std::vector<RegionStep> steps;
  std::vector<RegionScalar> results;  ///< each the result of a step or a constant
  /// The numbers of the parameters that results are, or -1.
  std::vector<int> result_parameters;
  int32_t scalar_count = 0;
};

/// Nothing when the region holds anything but scalar operations.
std::optional<RegionSteps> CompileSteps(const Computation& region);

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_REGION_COMPILER_H_
