// The subject of a layout view: an array and its layout in any notation, as text.
//
// f32[3,5]{1,0:T(2,2)} an HLO shape
// morello: f32[6,8] [1, 0, 1 p(4)] or morello: 6x8[1,0,1p(4)]
// cute: f32 (4,(2,8)):(16,(1,2)) or cute: Sw<3,4,3> o 0 o (8,64):(64,1)
// strides: f32[8,128] (128,1) offset=5 or strides: f32[8,128] byte_strides=(512,4)
//
// The word in front is a link key of the notation table; without it the notation is recognised. The
// element type may be left out (f32).
#ifndef HLO_ENGINE_VIEWS_LAYOUT_SUBJECT_H_
#define HLO_ENGINE_VIEWS_LAYOUT_SUBJECT_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/layout/layout_map.h"
#include "engine/layout/notation.h"
#include "engine/types/shape.h"

namespace hlo {

struct LayoutSubject {
  const LayoutNotation* notation = nullptr;  ///< Never null.
  /// The array; with its layout if the notation is that of shapes, else with the descending one.
  Shape shape;
  std::unique_ptr<LayoutMap> map;  ///< Null when the text was refused.
  std::string text;                ///< The subject again, in its short form; empty when refused.
  std::vector<std::string> facts;  ///< ReadLayout::facts.
};
/// Parses a subject; diagnostics have ranges in `text`, in bytes.
LayoutSubject ReadLayoutSubject(std::string_view text, Diagnostics& diagnostics);

/// The notation of a text: that of its key, or the one it looks like.
const LayoutNotation& RecogniseNotation(std::string_view text);

/// Whether a text begins with the key of a notation: `morello:`.
bool HasNotationKey(std::string_view text);

/// A subject made of the key, what precedes the layout (type and sizes), and a layout.
std::string SubjectText(const LayoutNotation& notation, const Shape& shape,
                        std::string_view layout);

/// The number of bits in which a notation stores an element of this type.
int64_t StoredBits(const LayoutNotation& notation, ElementType type);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_LAYOUT_SUBJECT_H_
