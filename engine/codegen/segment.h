// Which steps of a region program become functions of generated code.
#ifndef HLO_ENGINE_CODEGEN_SEGMENT_H_
#define HLO_ENGINE_CODEGEN_SEGMENT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/plan/region_steps.h"

namespace hlo {

class FunctionPool;

/// The fewest lanes of which halves are worth a loop of their own.
inline constexpr int32_t kLeastHalved = 1 << 13;

/// Steps that are run as one function, all of them on some lanes before the next lanes.
struct Segment {
  size_t begin = 0;
  size_t end = 0;
  /// A loop, which runs lane after lane; otherwise the steps go through `lanes` at a time.
  bool is_loop = false;
  int lanes = 1;
  /// They are all steps of the program, and both halves of a range of kLeastHalved lanes or more go
  /// through them at once.
  bool goes_by_halves = false;
  /// All steps of a program with rows, row after row (row_code.h).
  bool is_rows = false;
  /// Scalars that it reads before it has computed them, and those that others read after it.
  std::vector<RegionScalar> inputs;
  std::vector<RegionScalar> outputs;
};

/// The segments of a program, in order: every outermost loop whose steps can all be lowered, and
/// outside of those the longest runs of two steps or more that can be lowered.
std::vector<Segment> FindSegments(const RegionSteps& program);

/// The whole program as one segment, its scalars in memory being its parameters, constants and
/// results. Nothing where there is no code for one of its steps, which may call `functions`; null:
/// none.
std::optional<Segment> WholeSegment(const RegionSteps& program,
                                    const FunctionPool* functions = nullptr);

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_SEGMENT_H_
