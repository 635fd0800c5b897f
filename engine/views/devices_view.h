// The devices of a run: where data goes from one to another, and how each stands at those times.
#ifndef HLO_ENGINE_VIEWS_DEVICES_VIEW_H_
#define HLO_ENGINE_VIEWS_DEVICES_VIEW_H_

#include <memory>
#include <string>

#include "engine/views/run_view.h"

namespace hlo {

/// DevicesResult of wasm/devices_types.ts. Runs the document on a timeline, within the request's
/// limits; a run that fails, or ends early, is told up to there. Never throws.
std::string DevicesJson(std::shared_ptr<const Document> document, const RunRequest& request);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_DEVICES_VIEW_H_
