// What a person can do about a run that failed.
#ifndef HLO_ENGINE_VIEWS_RUN_REMEDIES_H_
#define HLO_ENGINE_VIEWS_RUN_REMEDIES_H_

#include "engine/views/json_parts.h"
#include "engine/views/run_view.h"

namespace hlo {

/// Reports, once, that the inputs alone need more memory than the limit: what the program needs at
/// its peak, and its largest inputs. True when they fit.
bool CheckInputsFit(RunRecord& record, const RunRequest& request);

/// What helps against the faults of a run, best first: RunRemedy[] of wasm/engine_api.ts. Empty for
/// a run that succeeded.
Json RemediesJson(const RunRecord& record, const RunRequest& request);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_RUN_REMEDIES_H_
