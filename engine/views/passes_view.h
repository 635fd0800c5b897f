// Compiler passes over a document's program, as the page and the command show them.
#ifndef HLO_ENGINE_VIEWS_PASSES_VIEW_H_
#define HLO_ENGINE_VIEWS_PASSES_VIEW_H_

#include <string>
#include <string_view>

#include "engine/views/document.h"

namespace hlo {

/// The document's program after each of some passes: PassesResult of wasm/engine_api.ts. `options`
/// are its PassesOptions.
std::string PassesJson(const Document& document, std::string_view options);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_PASSES_VIEW_H_
