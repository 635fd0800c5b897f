// The devices of a run: where data goes from one to another, and how each stands at those times.
#ifndef HLO_ENGINE_VIEWS_DEVICES_VIEW_H_
#define HLO_ENGINE_VIEWS_DEVICES_VIEW_H_

#include <memory>
#include <string>

#include "engine/views/run_view.h"

namespace hlo {

class Debugger;

/// Runs a document on a timeline, within the request's limits; a run that fails, or ends early, is
/// recorded up to there. May throw, as everything that takes memory.
std::shared_ptr<Debugger> RecordDevices(std::shared_ptr<const Document> document,
                                        const RunRequest& request);

/// DevicesResult of wasm/devices_types.ts, of a recorded run.
std::string DevicesJson(Debugger& debugger);
/// The same where there is no run, and why.
std::string NoDevicesJson(const Diagnostics& faults, const Document& document);
/// DevicesAt of wasm/devices_types.ts: how the devices stand at a position (clipped to the run),
/// and what one of them holds (-1: none). "null" where nothing was run.
std::string DevicesAtJson(Debugger& debugger, int64_t position, int64_t device);
/// The exchanges for people, a line for each device's part; and where devices that have not ended
/// stand at the end. "" where nothing was run.
std::string DevicesText(Debugger& debugger);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_DEVICES_VIEW_H_
