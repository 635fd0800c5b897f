// Recognises texts that are meant as layouts, even malformed ones.
#ifndef HLO_ENGINE_VIEWS_LAYOUT_RECOGNITION_H_
#define HLO_ENGINE_VIEWS_LAYOUT_RECOGNITION_H_

#include <optional>
#include <string_view>

#include "engine/base/source.h"

namespace hlo {

/// Whether a text that somebody pastes is meant as the layout of one array, in any notation, and
/// not as a program: `F32[3,5]{1,0:T(2,2)`, `f32[6,8] [1, 0, 1 p(4)]`, `8:1`, `NCHW`. One line of
/// at most 4096 characters.
bool LooksLikeLayout(std::string_view text);

/// The range of the shape in the text of one instruction, `f32[3,5] add(a, b)` with or without
/// `ROOT` and a name before it; in its beginning, `sum = f32[3,5]`, and in an operand, `f32[3,5]
/// %sum`; nothing for texts of another form.
std::optional<Range> ShapeOfInstruction(std::string_view text);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_LAYOUT_RECOGNITION_H_
