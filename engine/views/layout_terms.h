// The terms of XLA's layout documentation, applied to one array: rank, true rank, the letters of
// its dimensions, its dimension order, and the meaning of every part of its layout.
#ifndef HLO_ENGINE_VIEWS_LAYOUT_TERMS_H_
#define HLO_ENGINE_VIEWS_LAYOUT_TERMS_H_

#include <string>
#include <vector>

#include "engine/types/shape.h"

namespace hlo {

/// A term, or a part of the layout as written, and its meaning for this array.
struct LayoutTerm {
  std::string term;     ///< "true rank", "3,2,0,1", "T(8,128)", "S(1)"
  std::string text;     ///< "3", "dimension 3 varies fastest, then 2, 0, 1", ...
  bool is_part = true;  ///< Of the layout, as it is written.
};

/// The terms of an array. `with_layout`: including its layout; otherwise only what follows from the
/// sizes.
/// Source: XLA, shapes and layout, "Terminology, notation, and conventions" and "Layout"; tiled
/// layout.
std::vector<LayoutTerm> LayoutTerms(const Shape& shape, bool with_layout);

/// The same as lines: one about the sizes, one for each part of the layout.
std::vector<std::string> TermLines(const std::vector<LayoutTerm>& terms);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_LAYOUT_TERMS_H_
