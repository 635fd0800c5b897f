// Hover and completion for StableHLO text, beyond what its module provides: names by MLIR's rules,
// types as written, operations by their own names.
#ifndef HLO_ENGINE_VIEWS_MLIR_VIEW_H_
#define HLO_ENGINE_VIEWS_MLIR_VIEW_H_

#include "engine/views/completion_view.h"
#include "engine/views/document.h"
#include "engine/views/place_view.h"

namespace hlo {

/// Adds it to what the module provides for the place. `offset` in bytes.
void AddMlirPlace(const Document& document, uint32_t offset, PlaceView& view);

/// Completions at a place: operations, visible values, functions, types.
CompletionView MakeMlirCompletion(const Document& document, uint32_t offset);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_MLIR_VIEW_H_
