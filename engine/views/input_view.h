// An input of a program by itself: what is wrong with how it is written, told while it is typed,
// and its elements as a run would get them, to be looked at and edited.
#ifndef HLO_ENGINE_VIEWS_INPUT_VIEW_H_
#define HLO_ENGINE_VIEWS_INPUT_VIEW_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "engine/views/run_view.h"

namespace hlo {

/// InputFault[] of wasm/run_types.ts. Takes as long as the specification is, not as the array is.
/// None where the program has no such parameter.
std::string InputFaultsJson(const Document& document, int64_t parameter, std::string_view spec,
                            const InputForms* forms);

/// A record that has one input, as every device gets it, and nothing else of a run; null if it
/// cannot be made, and the diagnostics say why.
std::unique_ptr<RunRecord> MakeInputRecord(std::shared_ptr<const Document> document,
                                           const RunRequest& request, int64_t parameter,
                                           Diagnostics& diagnostics);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_INPUT_VIEW_H_
