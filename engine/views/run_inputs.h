// The inputs of a run's devices. Internal to engine/views.
#ifndef HLO_ENGINE_VIEWS_RUN_INPUTS_H_
#define HLO_ENGINE_VIEWS_RUN_INPUTS_H_

#include "engine/views/run_view.h"

namespace hlo {

/// Fills `record.inputs` and, if `record.grid` has several devices, `record.devices`. A value
/// shared by several devices is made once. False after errors, all of which are reported.
bool MakeInputs(RunRecord& record, const RunRequest& request);

/// What all devices get of one parameter, by its number; nothing after errors, or if there is none
/// of this number. The record has a document that is ok() and has an entry, and a budget.
std::optional<Value> MakeOneInput(RunRecord& record, const RunRequest& request, int64_t number);

/// The inputs of a request in the form that a document takes: specifications by number; for files
/// their shape, and the elements if there are few.
std::vector<std::string> InputsOf(const RunRequest& request);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_RUN_INPUTS_H_
