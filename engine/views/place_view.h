// What is at a place of a text: for hover, definition and uses, and the layout view.
#ifndef HLO_ENGINE_VIEWS_PLACE_VIEW_H_
#define HLO_ENGINE_VIEWS_PLACE_VIEW_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/views/document.h"

namespace hlo {

/// Ranges in bytes. Strings are empty if they do not apply.
struct PlaceView {
  std::string_view kind = "none";  ///< PlaceInfo.kind of wasm/engine_api.ts
  Range range;
  std::string instruction;  ///< for an operand: the one it names
  std::string computation;
  std::string opcode;
  std::string shape;  ///< under the cursor: an operand's, the result's; else that of the
                      ///< instruction before it
  std::string title;
  std::vector<std::string> lines;
  std::optional<Range> definition;
  std::vector<Range> uses;
};

/// `offset` in bytes; a place directly after a word belongs to the word.
PlaceView MakePlaceView(const Document& document, uint32_t offset);
/// PlaceInfo of wasm/engine_api.ts; `offset` in UTF-16 code units.
std::string PlaceJson(const Document& document, uint32_t offset);

/// Definition of wasm/engine_api.ts, or null.
std::string DefinitionJson(const Document& document, std::string_view name,
                           std::string_view computation);

/// Renaming of wasm/engine_api.ts: what is to be written where for what is at `offset` (in UTF-16
/// code units) to have this name, with or without its sigil; null where nothing has one.
std::string RenameJson(const Document& document, uint32_t offset, std::string_view name,
                       std::vector<uint32_t>* ranges);

/// Lines about a shape: its size in memory, what padding costs, and the terms of its layout.
std::vector<std::string> ShapeLines(const Shape& shape);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_PLACE_VIEW_H_
