// Programs among the lines of a log or of a Markdown text, as people copy them.
#ifndef HLO_ENGINE_VIEWS_LOG_TEXT_H_
#define HLO_ENGINE_VIEWS_LOG_TEXT_H_

#include <string>
#include <string_view>

#include "engine/base/diagnostics.h"

namespace hlo {

/// Whether the first lines of the text have a log's prefixes, or the fence of a block of code, and
/// a program begins in one of its lines.
bool HasLogLines(std::string_view text);
/// Says so at the first such line, with a fix that keeps the program alone, or one for each of the
/// first programs of several.
void ReportLogLines(std::string_view text, Diagnostics& diagnostics);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_LOG_TEXT_H_
