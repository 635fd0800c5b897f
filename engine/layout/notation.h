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

/// What stands before the layout itself: `f32[6,8]`, or a part of it.
struct LayoutHead {
  std::optional<Dims> dims;
  int64_t element_bits = 32;  ///< As the notation stores the type.
};

/// A layout that was read.
struct ReadLayout {
  std::unique_ptr<LayoutMap> map;  ///< Null when it was refused.
  std::string text;                ///< Its short form.
  std::vector<std::string> facts;  ///< What its own makers would say of it, a line each.
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
  bool packs_sub_byte;   ///< Elements of less than a byte share bytes without being asked to.
  std::string_view doc;  ///< What it is, in two sentences.
  /// Layouts worth looking at, with what stands before them; at least one.
  std::span<const std::string_view> examples;
  /// Whether a layout of which nothing else is known looks like one of this notation: with sizes in
  /// front of it, which are not part of the text, or without. Null: what no other one recognises.
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
