// A program converted to the other dialect, with corresponding lines.
#ifndef HLO_ENGINE_VIEWS_CONVERT_VIEW_H_
#define HLO_ENGINE_VIEWS_CONVERT_VIEW_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/views/document.h"

namespace hlo {

/// A converted document.
struct ConvertView {
  bool ok = false;   ///< `text` is a program that means the same
  std::string text;  ///< empty unless ok
  Diagnostics
      diagnostics;  ///< the document's, then those of the conversion; places in the document
  /// Line of the document and line of `text`, 0-based, that hold one instruction; sorted.
  std::vector<std::pair<uint32_t, uint32_t>> lines;
};
/// Converts a document's program to StableHLO (kMlir) or HLO (kHlo). For its own dialect: the
/// canonical form. Never throws.
ConvertView ConvertDocument(const Document& document, TextKind to);

/// The dialect of a name: "stablehlo", "hlo"; kEmpty for others.
TextKind DialectFromText(std::string_view name);

/// ConvertResult of wasm/engine_api.ts. `options`: {"to": "stablehlo" or "hlo"}, by default the
/// dialect that the document is not written in.
std::string ConvertJson(const Document& document, std::string_view options,
                        std::vector<uint32_t>* lines);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_CONVERT_VIEW_H_
