// The inputs of a run's devices. For the .cc files of this room.
#ifndef HLO_ENGINE_VIEWS_RUN_INPUTS_H_
#define HLO_ENGINE_VIEWS_RUN_INPUTS_H_

#include "engine/views/run_view.h"

namespace hlo {

/// Fills `record.inputs` and, when `record.grid` has several devices, `record.devices`. A value
/// that several devices get is made once. False after faults, which are all reported.
bool MakeInputs(RunRecord& record, const RunRequest& request);

/// What a request says of the parameters, as a document takes it: specifications by number; of
/// files their shape, and a few elements.
std::vector<std::string> InputsOf(const RunRequest& request);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_RUN_INPUTS_H_
