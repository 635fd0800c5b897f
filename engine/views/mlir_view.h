// What a front end shows of a place in StableHLO text, beyond what its module says: names by the
// text's own rules, types as they are written, operations by their own names.
#ifndef HLO_ENGINE_VIEWS_MLIR_VIEW_H_
#define HLO_ENGINE_VIEWS_MLIR_VIEW_H_

#include "engine/views/completion_view.h"
#include "engine/views/document.h"
#include "engine/views/place_view.h"

namespace hlo {

/// Adds it to what the module says of the place. `offset` in bytes.
void AddMlirPlace(const Document& document, uint32_t offset, PlaceView& view);

/// What can stand at a place: operations, values in sight, functions, types.
CompletionView MakeMlirCompletion(const Document& document, uint32_t offset);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_MLIR_VIEW_H_
