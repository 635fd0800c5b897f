// The notations for layouts: one table that front ends, the command and the tests read.
#ifndef HLO_ENGINE_LAYOUT_NOTATION_H_
#define HLO_ENGINE_LAYOUT_NOTATION_H_

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/layout/cursor.h"
#include "engine/layout/layout_map.h"

namespace hlo {

/// What precedes the layout itself: `f32[6,8]`, or a part of it.
struct LayoutHead {
  std::optional<Dims> dims;
  int64_t element_bits = 32;  ///< As the notation stores the type.
};

/// A layout that was read.
struct ReadLayout {
  std::unique_ptr<LayoutMap> map;  ///< Null when it was refused.
  std::string text;                ///< Its short form.
  std::vector<std::string> facts;  ///< The notation's own analyses of it, a line each.
};

/// One notation.
struct LayoutNotation {
  /// What the layout's text needs in front of it.
  enum class Head : uint8_t {
    kShape,  ///< `f32[2,3]` and the layout, without space: the whole is an HLO shape.
    kArray,  ///< `f32[2,3]`, then the layout.
    kType,   ///< `f32`, then the layout, which has the sizes in it.
  };
  std::string_view name;  ///< In messages and JSON: "Morello".
  std::string_view key;   ///< In links and before the text: `#morello=...`, `morello: ...`.
  Head head;
  bool packs_sub_byte;   ///< Elements of less than a byte are packed by default.
  std::string_view doc;  ///< What it is, in two sentences.
  /// Layouts, with what precedes them; at least one. Its own writer can write the first.
  std::span<const std::string_view> examples;
  /// Whether a text looks like a layout in this notation; `has_sizes`: sizes, which are not
  /// part of the text, precede it. Null: the fallback for what no other notation recognises.
  bool (*recognises)(std::string_view text, bool has_sizes);
  /// Reads a layout to the end of the text; diagnostics at what is wrong. Null for shapes, which
  /// engine/types reads.
  ReadLayout (*read)(Cursor& in, const LayoutHead& head);
};

/// All notations.
std::span<const LayoutNotation> LayoutNotations();
/// The notation that a layout's text is most likely written in, from its first characters.
const LayoutNotation& RecognisedNotation(std::string_view text, bool has_sizes);
/// The one with this link key; null when there is none.
const LayoutNotation* FindNotation(std::string_view key);

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_NOTATION_H_
