// Other programs made of a document's: smaller, or a part of it.
#ifndef HLO_ENGINE_VIEWS_REWRITE_VIEW_H_
#define HLO_ENGINE_VIEWS_REWRITE_VIEW_H_

#include <string>
#include <string_view>

#include "engine/views/document.h"

namespace hlo {

/// The document's program on smaller arrays: ShrinkResult of wasm/engine_api.ts. `options` are its
/// ShrinkOptions.
std::string ShrinkJson(const Document& document, std::string_view options);

/// A part of the document's program: IsolateResult of wasm/engine_api.ts. `options` are its
/// IsolateOptions.
std::string IsolateJson(const Document& document, std::string_view options);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_REWRITE_VIEW_H_
