// Texts that people have at hand and that are no HLO: told apart so that one sentence can say what
// such a text looks like and how to come from it to HLO, in the place of faults in a syntax that it
// does not have.
#ifndef HLO_ENGINE_VIEWS_FOREIGN_TEXT_H_
#define HLO_ENGINE_VIEWS_FOREIGN_TEXT_H_

#include <string_view>

#include "engine/base/diagnostics.h"

namespace hlo {

/// Whether a text is one of these. Asked when it is none of the languages that are read.
bool LooksForeign(std::string_view text);
/// Says what it is, at its first line.
void ReportForeign(std::string_view text, Diagnostics& diagnostics);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_FOREIGN_TEXT_H_
