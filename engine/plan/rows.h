// What a joined loop (joined_loop.h) knows of rows, which run along the last dimension of an array.
#ifndef HLO_ENGINE_PLAN_ROWS_H_
#define HLO_ENGINE_PLAN_ROWS_H_

#include <cstdint>
#include <optional>

#include "engine/kernels/move_view.h"
#include "engine/kernels/reduce_fold.h"
#include "engine/plan/plan.h"

namespace hlo {

/// Whether a view repeats each element of an array `length` times, and reads them in order.
bool SpreadsRows(const StridedView& view, int64_t length);

/// The reducer of an instruction that reduces rows, of a length that loops take (row_loops.h),
/// where a kernel folds as it does; nothing for any other instruction. The shapes must be static.
std::optional<Reducer> RowReducerOf(const PlannedInstruction& planned,
                                    const CustomCallTargets* custom_calls);

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_ROWS_H_
