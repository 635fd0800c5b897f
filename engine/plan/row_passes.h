// How code goes through the rows of a program: as often as it takes until all reductions are known.
#ifndef HLO_ENGINE_PLAN_ROW_PASSES_H_
#define HLO_ENGINE_PLAN_ROW_PASSES_H_

#include <cstdint>
#include <vector>

#include "engine/plan/region_steps.h"

namespace hlo {

/// For a program with rows. Each pass goes through all elements of a row before the next one.
struct RowPasses {
  /// By scalar. Of elements: the pass that computes them first. Of rows: how many passes come
  /// before it is known.
  std::vector<int32_t> pass;
  /// By scalar: elements of a step that their pass writes to memory for the passes that follow.
  /// Other elements are computed again where they are needed.
  std::vector<bool> is_kept;
  int32_t count = 0;  ///< passes
};

RowPasses FindRowPasses(const RegionSteps& program);

/// The elements that a pass computes, as steps in order: for its reductions, for results, and for
/// what is kept.
std::vector<size_t> StepsOfPass(const RegionSteps& program, const RowPasses& passes, int32_t pass);

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_ROW_PASSES_H_
