// What a run has executed, and how: the part of its answer that says so.
#ifndef HLO_ENGINE_VIEWS_PROFILE_VIEW_H_
#define HLO_ENGINE_VIEWS_PROFILE_VIEW_H_

#include "engine/views/json_parts.h"

namespace hlo {

struct RunRecord;

/// RunPlan of wasm/run_types.ts, of a run with a profile.
Json ProfileJson(const RunRecord& record);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_PROFILE_VIEW_H_
