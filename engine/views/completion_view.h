// Completion: what can be inserted at a place of a text.
#ifndef HLO_ENGINE_VIEWS_COMPLETION_VIEW_H_
#define HLO_ENGINE_VIEWS_COMPLETION_VIEW_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/views/document.h"

namespace hlo {

struct CompletionItem {
  std::string label;
  std::string_view kind;  ///< CompletionItem.kind of wasm/engine_api.ts
  std::string detail;
  std::string doc;
  std::string insert = {};  ///< empty: the label
  /// What of `insert` is to be filled in, one after another.
  std::vector<Range> stops = {};
};
struct CompletionView {
  uint32_t from = 0;  ///< where the word to be replaced begins, in bytes
  std::vector<CompletionItem> items;
};

/// `offset` in bytes. The text need not parse: the context is derived from its tokens.
CompletionView MakeCompletionView(const Document& document, uint32_t offset);
/// Language::complete of HLO.
CompletionView CompleteHlo(const Document& document, uint32_t offset);
/// CompletionResult of wasm/engine_api.ts; `offset` in UTF-16 code units.
std::string CompletionJson(const Document& document, uint32_t offset);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_COMPLETION_VIEW_H_
