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
#include "engine/layout/digit_form.h"
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

/// What is to be written in a notation.
struct WriteRequest {
  const LayoutMap& map;
  const CanonicalLayout& canonical;  ///< Of the map.
  /// The bits in which the notation stores an element of the type if nothing else is said.
  int64_t element_bits;
};
struct Written {
  /// Without the type and sizes that precede it. The text has been parsed again and has the
  /// request's map.
  std::string text;
  std::string reason;  ///< Without a text: the reason, a sentence.
  std::string note;    ///< With a text: what it leaves out, a sentence; usually empty.
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
  bool packs_sub_byte;       ///< Elements of less than a byte are packed by default.
  std::string_view doc;      ///< What it is, in two sentences.
  std::string_view example;  ///< A layout, with what precedes it.
  /// Whether a text looks like a layout in this notation; `has_sizes`: sizes, which are not
  /// part of the text, precede it. Null: the fallback for what no other notation recognises.
  bool (*recognises)(std::string_view text, bool has_sizes);
  /// Reads a layout to the end of the text; diagnostics at what is wrong. Null for shapes, which
  /// engine/types reads.
  ReadLayout (*read)(Cursor& in, const LayoutHead& head);
  /// A short text of this notation with the same address for every element.
  Written (*write)(const WriteRequest& request);
};

/// All notations.
std::span<const LayoutNotation> LayoutNotations();
/// The notation that a layout's text is most likely written in, from its first characters.
const LayoutNotation& RecognisedNotation(std::string_view text, bool has_sizes);
/// The one with this link key; null when there is none.
const LayoutNotation* FindNotation(std::string_view key);

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_NOTATION_H_
